"""Implements the functions of events and history, tables, and derivatives by variables: arguments -> value.

`new`, `edge` and `sample` are allowed in some places only; the scope knows the place. Knows no declarations.
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from functools import partial, reduce
from typing import Literal, NamedTuple

from cutset.compiler.diagnostics import Diagnostic, ModelError, Span
from cutset.compiler.expressions.array import Array, scalar, shape_words
from cutset.compiler.expressions.differentiate import partial_derivative
from cutset.compiler.expressions.pool import CONSTANT, PARAMETER, Expr, Pool
from cutset.compiler.expressions.switched_values import switched_values
from cutset.compiler.expressions.user_function import NotDifferentiable
from cutset.compiler.expressions.walk import rewrite
from cutset.compiler.instantiate import messages as general
from cutset.compiler.instantiate.events import messages
from cutset.compiler.instantiate.instance import inflow_leaf
from cutset.compiler.syntax import tree
from cutset.contract.functions import RELATIONS, STEPS
from cutset.contract.quick_dataclass import dataclass

_AT_EVENTS = ("condition", "action", "branch", "event")
# The context of an expression -> its description.
_PLACES = {
    "equation": "in an equation",
    "initial": "in an initial equation",
    "assertion": "in an assertion outside of 'when'",
    "condition": "in a condition",
    "action": "in the body of a 'when'",
    "branch": "in a condition in the body of a 'when'",
    "event": "in a statement at events",
}

_START = (
    "write when initial() then ... endwhen; equations that hold at the start stand between 'initial' and 'endinitial'"
)
_END = "write when terminal() then ... endwhen"


class Context(ABC):
    """The part of a scope that these functions use."""

    __slots__ = ()
    # 'equation', 'initial', 'assertion', 'function', 'condition' (of a `when`), 'action' (a new value in a `when`),
    # 'branch' (a condition in its body) or 'event' (otherwise at events).
    place: str

    @property
    @abstractmethod
    def instance(self) -> str:
        """The path of the instance, for messages."""

    @abstractmethod
    def number(self, value: Expr, what: str, span: Span) -> float:
        """The number that a value has at translation; its parameters become structural. Raises ModelError if there is
        none (without diagnostics if the translation must be repeated for it)."""

    def in_terms_of(self, value: Array, leaves: Collection[Expr], call: Span) -> Array:
        """The value as a function of these variables alone; raises ModelError if it is none."""
        raise NotImplementedError

    def flow_of(self, name: str, leaf: Expr) -> tuple[Expr, int] | None:
        """The flow that carries this element of the variable, and its sign in the cut; None if none does."""
        raise NotImplementedError

    def after(self, variable: Expr, part: tree.Part) -> Expr:
        """The leaf for the value of a variable after an event."""
        raise NotImplementedError

    def small_signal(self, amplitude: Expr, part: tree.Part) -> Expr:
        """The small signal of this amplitude."""
        raise NotImplementedError

    def white_noise(self, density: Expr, part: tree.Part) -> Expr:
        """Noise of this spectral density."""
        raise NotImplementedError


class Call(NamedTuple):
    """A call with the values of its arguments."""

    pool: Pool
    scope: Context
    part: tree.Part
    values: Sequence[Array]

    def argument(self, k: int) -> tree.Expression:
        """The expression of argument k."""
        return (self.part.arguments or ())[k]

    def fail(self, message: Callable[..., Diagnostic], *details: object) -> ModelError:
        """The error at the place of the entire call."""
        return ModelError([message(*details, self.part.span, self.scope.instance)])


@dataclass(frozen=True)
class EventFunction:
    """A function that receives its call with the place. counts: the possible numbers of arguments; units and result as
    in `Builtin`, and 'any' if units are not checked."""

    value: Callable[[Call], Array]
    counts: tuple[int, ...]
    units: str
    result: Literal["Real", "Boolean", "argument"]


# The work of visiting a node of an argument, in scalars of an evaluation; a loop may make arguments longer each time.
_VISIT = 4


def _without_events(word: str) -> Callable[[Call], Array]:
    """Relations and steps in the argument cause no events."""

    def rule(pool: Pool) -> Callable[[Expr, Sequence[Expr]], Expr | None]:
        def quiet(node: Expr, args: Sequence[Expr]) -> Expr | None:
            if node.data == "noevent":
                return None
            if node.op in STEPS:
                return pool.call(node.op, *args, quiet=word)
            if node.op not in RELATIONS:
                return None
            return pool.relation(node.op, args[0], args[1], word)

        return quiet

    def function(call: Call) -> Array:
        (value,) = call.values
        made = rewrite(call.pool, value.elements, rule(call.pool))
        call.pool.spend(_VISIT * len(made))
        return value.map(made.__getitem__)

    return function


def _new(call: Call) -> Array:
    scope, part = call.scope, call.part
    if scope.place not in _AT_EVENTS:
        if scope.place == "initial":
            written = call.argument(0).span.text
            raise call.fail(messages.new_at_start, written)
        hint = "write the name without new(...): it is the current value, and at the end of an event the new one"
        raise call.fail(messages.only_at_events, "new", _PLACES[scope.place], hint)
    (value,) = call.values
    if any(e.op != "variable" for e in value.elements):
        raise call.fail(messages.bad_target, "this expression: it is not a variable")
    return value.map(lambda e: scope.after(e, part))


def _init(call: Call) -> Array:
    hint = "write it alone on the left side: init(x) = ..."
    raise call.fail(messages.only_at_events, "init", "inside an expression", hint)


def _edge(call: Call) -> Array:
    if call.scope.place not in _AT_EVENTS:
        hint = "it is true only at an instant: use it in a condition of 'when' or in new(...) = ..."
        raise call.fail(messages.only_at_events, "edge", _PLACES[call.scope.place], hint)
    return scalar(call.pool.edge(call.values[0].scalar))


def _sample(call: Call) -> Array:
    if call.scope.place != "condition":
        hint = "write when sample(t0, dt) then ... endwhen"
        raise call.fail(messages.only_at_events, "sample", _PLACES[call.scope.place], hint)
    first, interval = (value.scalar for value in call.values)
    if first.level > PARAMETER:
        span = call.argument(0).span
        raise ModelError([messages.bad_period("sample", "the first instant", False, span, call.scope.instance)])
    _check_positive(call, 1, interval, "the interval")
    return scalar(call.pool.sample(first, interval))


def _once(word: str, hint: str) -> Callable[[Call], Array]:
    def function(call: Call) -> Array:
        if call.scope.place != "condition":
            raise call.fail(messages.only_at_events, word, _PLACES[call.scope.place], hint)
        return scalar(call.pool.once(word))

    return function


def _change(call: Call) -> Array:
    if call.scope.place not in _AT_EVENTS:
        hint = "it is true only at an instant: use it in a condition of 'when' or in new(...) = ..."
        raise call.fail(messages.only_at_events, "change", _PLACES[call.scope.place], hint)
    _new(call)  # it must be a discrete variable
    changes = [call.pool.edge(e, call.pool.one) for e in call.values[0].elements]
    return scalar(reduce(partial(call.pool.logical, "or"), changes))


def _delay(call: Call) -> Array:
    value, time = call.values
    _check_positive(call, 1, time.scalar, "the delay")
    pool = call.pool
    if call.scope.place in _AT_EVENTS:  # what new(n) was is what n was
        made = rewrite(pool, value.elements, lambda e, _: pool.variable(e.data[4:-1]) if _is_after(e) else None)
        value = value.map(made.__getitem__)
    return value.map(lambda e: pool.delay(e, time.scalar))


def _is_after(e: Expr) -> bool:
    return e.op == "variable" and str(e.data).startswith("new(")


def _check_positive(call: Call, k: int, value: Expr, what: str) -> None:
    if value.level > PARAMETER or (value.level == CONSTANT and value.data <= 0.0):
        raise ModelError([messages.bad_period(call.part.name, what, True, call.argument(k).span, call.scope.instance)])


def _inflow(call: Call) -> Array:
    return _with_flows(call)[0]


def _carried(call: Call) -> Array:
    """The flow times what it carries, in the direction in which the variable of the flow counts."""
    pool, (into, flows) = call.pool, _with_flows(call)
    products = []
    for own, other, (flow, sign) in zip(call.values[0].elements, into.elements, flows, strict=True):
        inward, outward = (pool.call(word, flow, pool.zero) for word in ("max", "min")[::sign])
        products.append(pool.add(pool.mul(inward, other), pool.mul(outward, own)))
    return Array(into.shape, tuple(products))


def _with_flows(call: Call) -> tuple[Array, list[tuple[Expr, int]]]:
    """What flows in of the argument, for each element the flow that carries it, and whether that counts inward."""
    (value,), argument = call.values, call.argument(0)
    name = argument.parts[0].name if isinstance(argument, tree.Reference) and len(argument.parts) == 1 else ""
    flows = [call.scope.flow_of(name, e) if e.op == "variable" else None for e in value.elements]
    found = [flow for flow in flows if flow is not None]
    if len(found) < len(flows):
        raise call.fail(general.of_what_is_not_carried, call.part.name, argument.span.text)
    return value.map(lambda e: inflow_leaf(call.pool, e)), found


def _interp1(call: Call) -> Array:
    x, *table = call.values
    if len(table) == 1:
        (points,) = table
        if len(points.shape) != 2 or points.columns != 2:
            raise call.fail(messages.bad_table, "is not a matrix of two columns")
        xs, ys = points.elements[0::2], points.elements[1::2]
    else:
        if any(len(t.shape) != 1 for t in table) or table[0].shape != table[1].shape:
            raise call.fail(messages.bad_table, "does not have two vectors of the same length")
        xs, ys = table[0].elements, table[1].elements
    if len(xs) < 2:
        raise call.fail(messages.bad_table, "has only one point")
    if any(e.level > PARAMETER for e in (*xs, *ys)):
        inside = call.scope.place == "function"
        more = " (in a function with a loop that ends during a run: only numbers)" if inside else ""
        raise call.fail(messages.bad_table, f"is not known before the run: use numbers and parameters{more}")
    for k, (a, b) in enumerate(itertools.pairwise(xs)):
        if a.level == b.level == CONSTANT and not a.data < b.data:
            raise call.fail(messages.bad_table, f"does not ascend: {b.data:g} follows {a.data:g} (point {k + 2})")
    return scalar(call.pool.interpolate("interp1", x.scalar, call.pool.table(xs, ys)))


def _interp2(call: Call) -> Array:
    x, y, *table = call.values
    if len(table) == 1:
        (whole,) = table
        if len(whole.shape) != 2:
            raise call.fail(messages.bad_table_of_two, "is not a matrix")
        width = whole.columns
        rows = [whole.elements[k : k + width] for k in range(width, len(whole.elements), width)]
        inner = tuple(e for row in rows for e in row[1:])
        points = tuple(row[0] for row in rows)
        table = [
            Array((len(points),), points),
            Array((width - 1,), whole.elements[1:width]),
            Array((len(points), width - 1), inner),
        ]
    xs, ys, values = table
    if len(xs.shape) != 1 or len(ys.shape) != 1 or values.shape != (*xs.shape, *ys.shape):
        raise call.fail(messages.bad_table_of_two, "does not have two vectors and a matrix of their lengths")
    if min(values.shape) < 2:
        raise call.fail(messages.bad_table_of_two, "has only one point in a direction")
    numbers = [
        [call.pool.constant(call.scope.number(e, "the table of 'interp2'", call.part.span)) for e in part.elements]
        for part in table
    ]
    for which, (name, axis) in enumerate(zip(("xs", "ys"), numbers, strict=False)):
        for k, (a, b) in enumerate(itertools.pairwise(axis)):
            if not a.data < b.data:
                what = f"does not ascend: {b.data:g} follows {a.data:g} (point {k + 2} of {name})"
                place = call.argument(min(2 + which, len(call.values) - 1)).span
                raise ModelError([messages.bad_table_of_two(what, place, call.scope.instance)])
    return scalar(call.pool.interpolate("interp2", x.scalar, y.scalar, call.pool.table_of_two(*numbers)))


def _jacobian(call: Call) -> Array:
    x, q = call.values
    span, instance = call.part.span, call.scope.instance
    if any(e.op != "variable" for e in q.elements) or len(set(q.elements)) < len(q.elements):
        raise ModelError([general.not_variables(call.argument(1).span, instance)])
    shape = x.shape + q.shape
    while len(shape) > 2 and shape[-1] == 1:
        shape = shape[:-1]
    if len(shape) > 2:
        raise call.fail(general.jacobian_of_matrix, shape_words(x.shape), shape_words(q.shape))
    x = call.scope.in_terms_of(x, q.elements, span)
    if any(switched_values(x.elements)):
        raise ModelError([general.derivative_of_choice(call.argument(0).span, instance)])
    try:
        slopes = tuple(partial_derivative(call.pool, e, leaf) for e in x.elements for leaf in q.elements)
    except NotDifferentiable as error:
        raise call.fail(partial(general.not_differentiable, str(error))) from error
    return Array(shape, slopes)


def _check_in_equation(call: Call) -> None:
    if call.scope.place != "equation":
        hint = "add it to the quantity that it perturbs, in an equation: u = V + small_signal(ac)"
        raise call.fail(messages.only_at_events, call.part.name, _PLACES.get(call.scope.place, "in a function"), hint)


def _small_signal(call: Call) -> Array:
    _check_in_equation(call)
    return scalar(call.scope.small_signal(call.values[0].scalar, call.part))


def _white_noise(call: Call) -> Array:
    _check_in_equation(call)
    return scalar(call.scope.white_noise(call.values[0].scalar, call.part))


# By their names.
EVENT_FUNCTIONS: dict[str, EventFunction] = {
    "new": EventFunction(_new, (1,), "u -> u", "argument"),
    "init": EventFunction(_init, (1,), "u -> u", "argument"),
    "edge": EventFunction(_edge, (1,), "any", "Boolean"),
    "sample": EventFunction(_sample, (2,), "s -> any", "Boolean"),
    "initial": EventFunction(_once("initial", _START), (0,), "any", "Boolean"),
    "terminal": EventFunction(_once("terminal", _END), (0,), "any", "Boolean"),
    "change": EventFunction(_change, (1,), "any", "Boolean"),
    "noevent": EventFunction(_without_events("noevent"), (1,), "u -> u", "argument"),
    "smooth": EventFunction(_without_events("smooth"), (1,), "u -> u", "argument"),
    "delay": EventFunction(_delay, (2,), "u, s -> u", "argument"),
    "interp1": EventFunction(_interp1, (3, 2), "u, u, v -> v", "Real"),
    "jacobian": EventFunction(_jacobian, (2,), "u, v -> u/v", "Real"),
    "inflow": EventFunction(_inflow, (1,), "u -> u", "argument"),
    "carried": EventFunction(_carried, (1,), "any", "Real"),
    "small_signal": EventFunction(_small_signal, (1,), "u -> u", "Real"),
    "white_noise": EventFunction(_white_noise, (1,), "u2.s -> u", "Real"),
    "interp2": EventFunction(_interp2, (5, 3), "u, v, u, v, w -> w", "Real"),
}
