"""Inlines a call: executes the body at translation, so that only expressions remain.

Values that depend on conditions are merged: after `if c then z := a else z := b endif` z is `if c then a else b`.
NotDecided if that is not sufficient.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cutset.compiler.diagnostics import ModelError, Span
from cutset.compiler.expressions.array import Array
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.instantiate.functions import messages
from cutset.compiler.instantiate.functions.diagnose import result_of
from cutset.compiler.instantiate.functions.execution import Call, Execution, NotDecided
from cutset.compiler.instantiate.values.evaluate import is_of_names, message_of
from cutset.compiler.syntax import tree

# The limit on new nodes of the pool by one call, including the calls in it.
MOST_NODES = 5_000


def inlined(call: Call) -> Array:
    """The result. ModelError if there is an error, NotDecided if the body depends on the run or is too long."""
    execution = _Inline(call)
    shape = execution.prepare()
    execution.run(call.function.members)
    result = result_of(call.function)
    value = execution.values[result.name]
    assert value.shape == shape
    try:
        execution.check_set(value, result.span)
    except ModelError as error:
        name = call.function.name
        missing = messages.result_without_value(result.name, name, result.span, execution.instance)
        raise ModelError([missing]) from error
    return value


class _Inline(Execution):
    """Variables hold the expressions that were assigned to them."""

    def __init__(self, call: Call):
        super().__init__(call)
        self._first_node = call.pool.size
        self._uncertain = 0
        self._looked_through: set[Expr] = set()

    def looked_through(self) -> set[Expr]:
        """A leaf in an expression never receives a value later, so nodes need not be checked again. An error ends the
        execution."""
        return self._looked_through

    def index_may_vary(self) -> bool:
        raise NotDecided

    def bound(self, argument: tree.Argument, value: Array) -> Array:
        return value

    def assign(self, name: str, positions: Sequence[int], elements: tuple[Expr, ...]) -> None:
        new = list(self.values[name].elements)
        for k, e in zip(positions, elements, strict=False):
            new[k] = e
        self.values[name] = Array(self.values[name].shape, tuple(new))
        if self.pool.size - self._first_node > MOST_NODES and not self.call.is_constant:
            raise NotDecided

    def assign_varying(self, name: str, indices: Sequence[int | range | Expr], value: Array, span: Span) -> None:
        raise NotDecided

    def choose(self, condition: Expr, then: Sequence[tree.Action], rest: tuple[tree.Branch, ...]) -> None:
        before = dict(self.values)
        self._uncertain += 1
        self._taken_in_a_run(lambda: self.run(then))
        chosen, self.values = self.values, before.copy()
        self._taken_in_a_run(lambda: self.branches(rest))
        self._uncertain -= 1
        for name in before:
            a, b = chosen[name], self.values[name]
            merged = tuple(self.pool.choose(condition, x, y) for x, y in zip(a.elements, b.elements, strict=False))
            self.values[name] = Array(a.shape, merged)

    def _taken_in_a_run(self, branch: Callable[[], None]) -> None:
        """Execute a branch. If that is not possible with the values of the arguments, a run fails that takes it."""
        before = dict(self.values)
        try:
            branch()
        except ModelError as error:
            if not is_of_names(error):
                raise
            fault = self.pool.fault(message_of(error))
            self.values = {name: Array(a.shape, (fault,) * len(a.elements)) for name, a in before.items()}

    def repeat(self, loop: tree.For, first: int, last: int) -> None:
        self.write_out(loop, first, last)

    def count_round(self, span: Span) -> None:
        if not self.call.is_constant and self.iterations >= MOST_NODES:
            raise NotDecided
        super().count_round(span)

    def count(self, loop: tree.For, first: Expr, last: Expr) -> None:
        raise NotDecided

    def loop_while(self, loop: tree.While) -> None:
        while True:
            condition = self.scalar(loop.condition)
            if condition.op != "constant":
                raise NotDecided
            if condition.data == 0:
                return
            self.count_round(loop.span)
            self.run(loop.members)  # type: ignore[arg-type]

    def require(self, assertion: tree.Assertion) -> None:
        condition = self.scalar(assertion.condition)
        if condition.op == "constant" and condition.data != 0:
            return
        if condition.op != "constant" or self._uncertain or not self.call.is_constant:
            raise NotDecided
        failed = messages.assertion_fails(assertion.text, self.function.name, assertion.span, self.instance)
        raise ModelError([failed])
