"""Processes the body of a function statement by statement, for execution at translation and for code generation.

Knows neither how a call is written nor what becomes of values that are known only in a run: subclasses do.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from cutset.compiler.diagnostics import ModelError, Span
from cutset.compiler.expressions.array import Array, Shape, ShapeMismatch, fitted, scalar, shape_words, size_of
from cutset.compiler.expressions.pool import CONSTANT, TIME, Expr, Pool
from cutset.compiler.instantiate import messages as general
from cutset.compiler.instantiate.functions import messages
from cutset.compiler.instantiate.functions.diagnose import result_of
from cutset.compiler.instantiate.instance import INTEGER, element_names
from cutset.compiler.instantiate.names.lookup import Functions, Scope
from cutset.compiler.instantiate.names.meanings import VARIABLE, Meaning
from cutset.compiler.instantiate.types.functions import argument_type
from cutset.compiler.instantiate.types.messages import out_of_range
from cutset.compiler.instantiate.types.value_types import Types
from cutset.compiler.instantiate.values.evaluate import Evaluator, evaluate
from cutset.compiler.syntax import tree
from cutset.contract.quick_dataclass import dataclass

# The limit on rounds of all loops in one call that is executed at translation.
MOST_ITERATIONS = 20_000
# The work of a round besides that of its expressions, in scalars, so that many calls with loops end too.
_ROUND = 100
# The work of each computed value: loops and nested calls compute many with little text.
_VALUE = 60
# The limit on elements of all variables of a function.
MOST_ELEMENTS = 200_000
_LARGEST_SIZE = 10_000


class NotDecided(Exception):
    """The function depends on values that are known only in a run, or it is too long to be inlined."""


@dataclass(frozen=True)
class Call:
    """A function and its arguments, one array each. `caller` is the scope of the call."""

    function: tree.Function
    arguments: tuple[Array, ...]
    span: Span
    caller: Scope
    functions: Functions
    types: Types
    pool: Pool

    @property
    def is_constant(self) -> bool:
        """True if every argument is known at translation."""
        return all(e.level == CONSTANT for a in self.arguments for e in a.elements)


class Execution(Scope):
    """A scope for a body, with the execution of its statements. `values` holds all variables; a variable without a
    value is represented by leaves, which are in `unset`."""

    look = 24
    place = "function"  # functions of events have been rejected before

    def __init__(self, call: Call):
        self.call = call
        self.function = call.function
        self._meanings = call.functions.meanings(call.function)
        self.values: dict[str, Array] = {}
        self.unset: set[Expr] = set()
        self.iterations = 0
        self._elements = 0
        self._owner: dict[Expr, tuple[str, Span]] = {}

    # --- the scope of expressions ------------------------------------------------------------------

    @property
    def pool(self) -> Pool:
        """That of the caller."""
        return self.call.pool

    @property
    def functions(self) -> Functions:
        """Those of the caller."""
        return self.call.functions

    @property
    def instance(self) -> str:
        """The path of the instance that calls."""
        return self.call.caller.instance

    def meaning(self, e: tree.Reference) -> Meaning:
        """An index hides other meanings of its name."""
        if len(e.parts) == 1 and e.parts[0].name in self.values:
            return VARIABLE
        return self._meanings.of(e)

    def find(self, parts: tuple[tree.Part, ...]) -> Array:
        """The value of a variable of the function; unknown names were reported when the function was checked."""
        if len(parts) != 1 or parts[0].name not in self.values:
            raise ModelError([])
        return self.values[parts[0].name]

    def number(self, value: Expr, what: str, span: Span) -> float:
        """As for the caller; a value of a run is not a number."""
        if value.level == TIME:
            hint = "use sizes of the arguments, numbers, and arguments whose values are numbers"
            raise ModelError([general.not_constant(what, span, self.instance, hint)])
        return self.call.caller.number(value, what, span)

    # --- variables ---------------------------------------------------------------------------------

    def prepare(self) -> Shape:
        """Declare arguments and result and check the shapes of the arguments; returns the shape of the result."""
        for argument, value in zip(self.function.arguments, self.call.arguments, strict=False):
            self.values[argument.name] = self.bound(argument, value)
        for argument, value in zip(self.function.arguments, self.call.arguments, strict=False):
            self._check_argument(argument, value)
        result = result_of(self.function)
        shape = self._shape(result.name, result.dimensions)
        self.declare(result.name, shape, result.span)
        return shape

    @abstractmethod
    def bound(self, argument: tree.Argument, value: Array) -> Array:
        """The value of an argument inside the body."""

    def declare(self, name: str, shape: Shape, span: Span) -> None:
        """Create a variable without a value; ModelError if all of them together are too large."""
        self._elements += size_of(shape)
        if self._elements > MOST_ELEMENTS:
            what = f"with '{name}' the function '{self.function.name}' has more than {MOST_ELEMENTS} elements"
            raise ModelError([general.too_large(what, (span, self.instance))])
        leaves = tuple(self.leaf(name + suffix) for suffix in element_names("", shape))
        self._owner.update(dict.fromkeys(leaves, (name, span)))
        self.unset.update(leaves)
        self.values[name] = Array(shape, leaves)

    def leaf(self, name: str) -> Expr:
        """The leaf of a variable of this function. The place distinguishes functions of one name in several files."""
        return self.pool.variable(f"{self.function.name}().{name} {self.function.span}")

    def _check_argument(self, argument: tree.Argument, value: Array) -> None:
        name, found = f"the argument '{argument.name}' of '{self.function.name}'", shape_words(value.shape)
        sizes = [None if isinstance(d, tree.Everything) else self._size(argument.name, d) for d in argument.dimensions]
        fits = len(sizes) == len(value.shape) and all(s in (None, n) for s, n in zip(sizes, value.shape, strict=False))
        if not fits:
            kind = ("a scalar", "a vector", "a matrix")[len(sizes)]
            inner = ",".join(":" if s is None else str(s) for s in sizes)
            text = f"{name} is {kind}{f' ({inner})' if sizes else ''}, but this is {found}"
            raise ModelError([messages.argument_unfit(text, self.call.span, argument.span, self.instance)])
        declared = argument_type(argument, self.function.name, self.call.types)
        for e in value.elements:
            if declared.value_type == INTEGER and e.op == "constant" and not e.data.is_integer():
                text = f"{name} must be a whole number, not {e.data:g}"
                raise ModelError([messages.argument_unfit(text, self.call.span, argument.span, self.instance)])
        self._check_limits(name, declared.attributes + argument.attributes, value)

    def _check_limits(self, name: str, attributes: tuple[tree.Attribute, ...], value: Array) -> None:
        """ModelError if a number is outside of min and max, as far as these are numbers too."""
        last = {a.name: a for a in attributes if a.name in ("min", "max") and a.value is not None}
        for word, attribute in last.items():
            assert attribute.value is not None
            bound = evaluate(attribute.value, self).elements[0]
            sign = 1 if word == "min" else -1
            for e in value.elements:
                if e.op == bound.op == "constant" and sign * e.data < sign * bound.data:
                    shown, place = (f"{e.data:g}", word, f"{bound.data:g}"), attribute.span
                    raise ModelError([out_of_range(name, *shown, self.call.span, place, self.instance)])

    def _shape(self, name: str, dimensions: tuple[tree.Expression, ...]) -> Shape:
        return tuple(self._size(name, d) for d in dimensions)

    def _size(self, name: str, dimension: tree.Expression) -> int:
        what = f"a dimension of '{name}'"
        value = evaluate(dimension, self)
        if value.shape:
            raise ModelError([general.wrong_shape(f"{what} must be a scalar", dimension.span, self.instance)])
        size = self.number(value.scalar, what, dimension.span)
        if not size.is_integer() or not 1 <= size <= _LARGEST_SIZE:
            text = f"{what} must be a whole number from 1 to {_LARGEST_SIZE}, not {size:g}"
            raise ModelError([general.bad_index(text, dimension.span, self.instance)])
        return int(size)

    # --- statements --------------------------------------------------------------------------------

    def run(self, members: Sequence[tree.VariableDeclaration | tree.Action]) -> None:
        """Execute statements. Recursion is over the nesting of blocks, which the parser limits."""
        for member in members:
            match member:
                case tree.VariableDeclaration():
                    for item in member.items:
                        self._local(item)
                case tree.Assignment():
                    self._assignment(member)
                case tree.If():
                    self.branches(member.branches)
                case tree.For():
                    self._for(member)
                case tree.While():
                    self.loop_while(member)
                case tree.Assertion():
                    self.require(member)

    def value(self, expression: tree.Expression) -> Array:
        """The value of an expression; ModelError if a part of it has none yet."""
        self.pool.spend(_VALUE)
        value = evaluate(expression, self)
        self.check_set(value, expression.span)
        return value

    def scalar(self, expression: tree.Expression) -> Expr:
        """The value of a scalar expression."""
        try:
            return self.value(expression).scalar
        except ShapeMismatch as error:
            raise ModelError([general.wrong_shape(str(error), expression.span, self.instance)]) from error

    def check_set(self, value: Array, span: Span) -> None:
        """ModelError if a value depends on a variable without a value."""
        if not self.unset:
            return
        seen = self.looked_through()
        stack = list(value.elements)
        while stack:
            node = stack.pop()
            if node in self.unset:
                name, declared = self._owner[node]
                raise ModelError([messages.no_value_yet(name, span, declared, self.instance)])
            if node.level == TIME and node not in seen:
                seen.add(node)
                stack += node.args

    @abstractmethod
    def looked_through(self) -> set[Expr]:
        """Nodes that are known to depend only on variables with values."""

    def _local(self, item: tree.VariableItem) -> None:
        self.declare(item.name, self._shape(item.name, item.dimensions), item.span)
        if item.value is not None:
            self._assign(item.name, None, item.value, self.value(item.value), item.span)

    def _assignment(self, assignment: tree.Assignment) -> None:
        values = [(target.parts[0], written, self.value(written)) for target, written in assignment.pairs]
        for part, written, value in values:
            self._assign(part.name, part, written, value, assignment.span)

    def _assign(self, name: str, part: tree.Part | None, written: tree.Expression, value: Array, span: Span) -> None:
        variable = self.values[name]
        indices: list[int | range | Expr] = [range(n) for n in variable.shape]
        if part is not None and part.arguments is not None:
            indices = Evaluator(self).indices(part, variable.shape)
            for argument in part.arguments:
                if not isinstance(argument, tree.Range | tree.Everything):
                    self.check_set(evaluate(argument, self), argument.span)
        shape = tuple(len(i) for i in indices if isinstance(i, range))
        if isinstance(written, tree.Number | tree.Quantity) and written.value == 0 and shape:
            value = Array(shape, (self.pool.zero,) * size_of(shape))
        value = fitted(value, shape)
        if value.shape != shape:
            text = f"the left side is {shape_words(shape)}, the right side is {shape_words(value.shape)}"
            raise ModelError([general.wrong_shape(text, span, self.instance)])
        positions = [[i] if isinstance(i, int) else list(i) if isinstance(i, range) else None for i in indices]
        if None in positions:
            self.assign_varying(name, indices, value, span)
            return
        rows, columns = ([*positions, [0], [0]])[:2] if positions else ([0], [0])
        assert rows is not None and columns is not None
        width = variable.shape[1] if len(variable.shape) == 2 else 1
        self.assign(name, [i * width + j for i in rows for j in columns], value.elements)

    def branches(self, branches: tuple[tree.Branch, ...]) -> None:
        """Execute the first branch whose condition is true; if that is known only in a run, process both ways."""
        for k, branch in enumerate(branches):
            if branch.condition is None:
                self.run(branch.members)  # type: ignore[arg-type]
                return
            condition = self.scalar(branch.condition)
            if condition.op != "constant":
                self.choose(condition, branch.members, branches[k + 1 :])  # type: ignore[arg-type]
                return
            if condition.data != 0:
                self.run(branch.members)  # type: ignore[arg-type]
                return

    def _for(self, loop: tree.For) -> None:
        rounds = loop.index.range
        first, last = self.scalar(rounds.start), self.scalar(rounds.stop)
        if rounds.step is not None or (first.op == "constant" and last.op == "constant"):
            self.repeat(loop, Evaluator(self).rounds(rounds))
        else:
            self.count(loop, first, last)
        self.values.pop(loop.index.name, None)

    def write_out(self, loop: tree.For, rounds: range) -> None:
        """Execute these rounds of a loop in order."""
        for k in rounds:
            self.count_round(loop.span)
            self.values[loop.index.name] = scalar(self.pool.constant(k))
            self.run(loop.members)  # type: ignore[arg-type]

    def count_round(self, span: Span) -> None:
        """ModelError if the loops of one call do not end."""
        self.iterations += 1
        self.pool.spend(_ROUND)
        if self.iterations > MOST_ITERATIONS:
            raise ModelError([messages.no_end(MOST_ITERATIONS, self.function.name, span, self.instance)])

    @abstractmethod
    def assign(self, name: str, positions: Sequence[int], elements: tuple[Expr, ...]) -> None:
        """Assign the elements at these positions of a variable."""

    @abstractmethod
    def assign_varying(self, name: str, indices: Sequence[int | range | Expr], value: Array, span: Span) -> None:
        """Assign a value with indices of which some are known only in a run."""

    @abstractmethod
    def choose(self, condition: Expr, then: Sequence[tree.Action], rest: tuple[tree.Branch, ...]) -> None:
        """Execute an `if` whose condition is known only in a run."""

    @abstractmethod
    def repeat(self, loop: tree.For, rounds: range) -> None:
        """Execute a loop with known limits."""

    @abstractmethod
    def count(self, loop: tree.For, first: Expr, last: Expr) -> None:
        """Execute a loop whose limits are known only in a run."""

    @abstractmethod
    def loop_while(self, loop: tree.While) -> None:
        """Execute a `while`."""

    @abstractmethod
    def require(self, assertion: tree.Assertion) -> None:
        """Execute an assertion."""
