"""Differentiates expressions by time, by the chain rule over the DAG, and functions statement by statement.

Does not decide what the derivative of a variable is: the caller provides it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from cutset.compiler.expressions.pool import TIME, Expr, Pool
from cutset.compiler.expressions.user_function import (
    Choice,
    Count,
    Derivative,
    NotDifferentiable,
    Set,
    Step,
    UserFunction,
    While,
    steps_of,
    variables_written,
)
from cutset.compiler.expressions.walk import postorder
from cutset.contract.functions import FUNCTIONS, RELATIONS, Slope
from cutset.contract.interpolation import BILINEAR_SLOPES


def _neg(p: Pool, f: Expr, a: Expr, da: Expr) -> Expr:
    return p.neg(da)


def _quotient(p: Pool, f: Expr, a: Expr, b: Expr, da: Expr, db: Expr) -> Expr:
    # (a/b)' = (a' - f b') / b
    return p.div(p.sub(da, p.mul(f, db)), b)


# The rules of operators; those of functions are in the table of functions.
_OPERATORS: dict[str, Slope] = {
    "neg": _neg,
    "add": lambda p, f, a, b, da, db: p.add(da, db),
    "sub": lambda p, f, a, b, da, db: p.sub(da, db),
    "mul": lambda p, f, a, b, da, db: p.add(p.mul(da, b), p.mul(a, db)),
    "div": _quotient,
}


_PIECEWISE_CONSTANT = ("and", "or", "not", "interp1_slope", "interp2_xy", "edge", "sample", "mode", "finite")


def derivative_name(name: str) -> str:
    """The name of the derivative of a variable: der(x), then der(x,2), and so on."""
    if not name.startswith("der("):
        return f"der({name})"
    inner, _, order = name[4:-1].rpartition(",")
    if inner and order.isdigit() and inner.count("(") == inner.count(")"):
        return f"der({inner},{int(order) + 1})"
    return f"der({name[4:-1]},2)"


def partial_derivative(pool: Pool, root: Expr, leaf: Expr) -> Expr:
    """The derivative by one leaf, with all others and time constant. NotDifferentiable as below."""
    return _derivative(pool, root, lambda v: pool.one if v is leaf else pool.zero, {pool.time: pool.zero})


def differentiate(pool: Pool, root: Expr, derivative: Callable[[Expr], Expr]) -> Expr:
    """d root / dt, where derivative(v) is dv/dt for every variable v. NotDifferentiable for a call of a function that
    has no derivative."""
    return _derivative(pool, root, derivative, {})


def _derivative(pool: Pool, root: Expr, derivative: Callable[[Expr], Expr], done: dict[Expr, Expr]) -> Expr:
    """The same; `done` holds known derivatives."""
    if root.level < TIME:
        return pool.zero
    for node in postorder(root, done, lambda node: [a for a in _arguments(node) if a.level == TIME]):
        slopes = [done[a] if a.level == TIME else pool.zero for a in _arguments(node)]
        done[node] = slope_of_result(pool, node, slopes) if is_result(node) else _rule(pool, node, slopes, derivative)
    return done[root]


def _arguments(node: Expr) -> tuple[Expr, ...]:
    """Those of an operator, and of the call whose result the node is."""
    return node.args[0].args if is_result(node) else node.args


def slope_of(pool: Pool, node: Expr, slopes: list[Expr]) -> Expr:
    """The derivative of a node that is neither a leaf nor a call, from those of its arguments."""
    return _rule(pool, node, slopes, lambda v: pool.zero)


def slopes_by_argument(pool: Pool, node: Expr) -> list[tuple[Expr, Expr]]:
    """(argument, derivative of the node by it) for each argument of an operator, and of the call whose result the node
    is. NotDifferentiable as above."""
    arguments, found = _arguments(node), []
    for k, argument in enumerate(arguments):
        seeds = [pool.one if j == k else pool.zero for j in range(len(arguments))]
        if argument.level == TIME:
            slope = slope_of_result(pool, node, seeds) if is_result(node) else slope_of(pool, node, seeds)
            found.append((argument, slope))
    return found


def is_result(node: Expr) -> bool:
    """True for a result of a call."""
    return node.op == "element" and node.args[0].op == "apply"


def slope_of_result(pool: Pool, node: Expr, slopes: list[Expr]) -> Expr:
    """The derivative of one result of a call: the sum of the partial derivatives times the slopes of the arguments, a
    form that is visibly linear in these."""
    call, total = node.args[0], pool.zero
    active = tuple(k for k, slope in enumerate(slopes) if slope is not pool.zero)
    if active:
        for slope, partial in zip([slopes[k] for k in active], _partials(pool, call, active, node.data), strict=False):
            total = pool.add(total, pool.mul(slope, partial))
    return total


def _partials(pool: Pool, call: Expr, active: tuple[int, ...], result: int) -> list[Expr]:
    """The derivatives of a result by the arguments at the `active` positions."""
    function: UserFunction = call.data
    given: Derivative | None = pool.derivatives.get(function)
    if given is None:
        found = pool.apply(gradient(pool, function, active), call.args)
        return [found[result * len(active) + j] for j in range(len(active))]
    partials = []
    for k in active:
        seeds = [pool.one if k == position else pool.zero for position in given.of]
        partials.append(pool.apply(given.function, (*call.args, *seeds))[result] if k in given.of else pool.zero)
    return partials


def gradient(pool: Pool, function: UserFunction, active: tuple[int, ...]) -> UserFunction:
    """A function of the same arguments that returns, for each result in turn, its derivatives by the arguments at the
    `active` positions. It performs the original statements, with the derivatives next to each assignment. Raises
    NotDifferentiable."""
    key = (function, active)
    if key not in pool.gradients:
        if function.foreign is not None or function.supplied is not None:
            raise NotDifferentiable(function.name)
        pool.gradients[key] = _gradient(pool, function, active)
    made: UserFunction = pool.gradients[key]
    return made


def _gradient(pool: Pool, function: UserFunction, active: tuple[int, ...]) -> UserFunction:
    directions = []
    for j, position in enumerate(active):
        own = dict.fromkeys((*variables_written(function.body), *function.results))
        slopes = {leaf: pool.variable(f"d{j + 1} {leaf.data}") for leaf in own}
        slopes |= {step.index: pool.zero for step in steps_of(function.body) if isinstance(step, Count)}
        slopes |= dict.fromkeys(function.arguments, pool.zero)
        slopes[function.arguments[position]] = pool.one
        directions.append(slopes)
    return UserFunction(
        f"gradient of {function.name}",
        function.arguments,
        tuple(slopes[r] for r in function.results for slopes in directions),
        tuple(_step(pool, step, directions) for step in function.body),
    )


def _step(pool: Pool, step: Step, directions: list[dict[Expr, Expr]]) -> Step:
    def inner(body: tuple[Step, ...]) -> tuple[Step, ...]:
        return tuple(_step(pool, s, directions) for s in body)

    match step:
        case Set():
            targets, values = list(step.targets), list(step.values)
            for slopes in directions:
                targets += [slopes[t] for t in step.targets]
                values += [differentiate(pool, value, slopes.__getitem__) for value in step.values]
            return Set(tuple(targets), tuple(values))
        case Choice():
            return Choice(step.condition, inner(step.then), inner(step.otherwise))
        case While():
            return While(step.condition, inner(step.body), step.place)
        case Count():
            return Count(step.index, step.first, step.last, inner(step.body), step.place)
    return step


def _rule(pool: Pool, node: Expr, slopes: list[Expr], derivative: Callable[[Expr], Expr]) -> Expr:
    op = node.op
    if (not node.args and node.level < TIME) or op == "start":
        return pool.zero
    if op in ("variable", "iterate"):
        return derivative(node)
    if op == "fault":
        return node
    if op == "time":
        return pool.one
    slope = _OPERATORS.get(op) or (FUNCTIONS[op].slope if op in FUNCTIONS else None)
    if slope is not None:
        return cast(Expr, slope(pool, node, *node.args, *slopes))
    if op == "if":
        return pool.choose(node.args[0], slopes[1], slopes[2])
    if op == "interp1":
        return pool.mul(slopes[0], pool.interpolate("interp1_slope", *node.args))
    if op in BILINEAR_SLOPES:
        along_x, along_y = BILINEAR_SLOPES[op]
        (x, y, table), (dx, dy) = node.args, slopes[:2]
        rising = pool.zero if not along_x else pool.mul(dx, pool.interpolate(along_x, x, y, table))
        return pool.add(rising, pool.mul(dy, pool.interpolate(along_y, x, y, table)) if along_y else pool.zero)
    if op == "delay":
        return pool.delay(slopes[0], node.args[1])
    assert op in RELATIONS or op in _PIECEWISE_CONSTANT, f"no derivative rule for {op}"
    return pool.zero
