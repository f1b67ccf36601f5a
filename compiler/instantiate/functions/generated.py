"""Generates a function: a user function and the shapes of its arguments -> statements over scalar variables.

An index known only in a run becomes a choice among all elements, so that a generated function needs no arrays and is
differentiated like any expression.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cutset.compiler.diagnostics import ModelError, Span
from cutset.compiler.expressions.array import Array, Shape
from cutset.compiler.expressions.pool import CONSTANT, Expr
from cutset.compiler.expressions.user_function import Choice, Count, Require, Set, Step, UserFunction, While
from cutset.compiler.expressions.walk import Substitution
from cutset.compiler.instantiate.functions import messages
from cutset.compiler.instantiate.functions.diagnose import result_of
from cutset.compiler.instantiate.functions.execution import Call, Execution
from cutset.compiler.instantiate.instance import element_names
from cutset.compiler.instantiate.values.evaluate import is_of_names, message_of
from cutset.compiler.syntax import tree


def generated_function(call: Call) -> tuple[UserFunction, dict[str, Shape]]:
    """The generated function with all results, and the shapes of these by their names. Elements of arguments that are
    numbers become part of its code; the function takes the others, in order. ModelError if there is an error."""
    execution = Recording(call)
    execution.prepare()
    execution.run(call.function.members)
    leaves: list[Expr] = []
    shapes: dict[str, Shape] = {}
    for result in call.function.all_results or (result_of(call.function),):
        value = execution.values[result.name]
        if execution.unset & set(value.elements):
            name = call.function.name
            raise ModelError([messages.result_without_value(result.name, name, result.span, execution.instance)])
        leaves += value.elements
        shapes[result.name] = value.shape
    body = (*execution.initial(), *execution.steps)
    return UserFunction(call.function.name, tuple(execution.arguments), tuple(leaves), body), shapes


class Recording(Execution):
    """Records statements as steps; every variable is represented by its leaves."""

    def __init__(self, call: Call):
        super().__init__(call)
        self.arguments: list[Expr] = []
        self.steps: list[Step] = []
        self._prefilled: dict[Expr, Expr] = {}
        self._given: dict[Expr, Expr] = {}

    def number(self, value: Expr, what: str, span: Span) -> float:
        """As for the caller; an argument has the value that it is called with."""
        return super().number(Substitution(self.pool, self._given)(value), what, span)

    def index_may_vary(self) -> bool:
        """True: a choice among all elements replaces it."""
        return True

    def bound(self, argument: tree.Argument, value: Array) -> Array:
        """Numbers unchanged, a leaf for every other element."""
        elements = []
        for e, suffix in zip(value.elements, element_names("", value.shape), strict=False):
            if e.level > CONSTANT:
                leaf = self.leaf(argument.name + suffix)
                self.arguments.append(leaf)
                self._given[leaf], e = e, leaf
            elements.append(e)
        return Array(value.shape, tuple(elements))

    def looked_through(self) -> set[Expr]:
        """No cache: leaves receive and lose values, and expressions are short."""
        return set()

    def initial(self) -> tuple[Step, ...]:
        """Initializes variables that may be read before they have a value, which is known only in a run."""
        filled = self._prefilled
        return (Set(tuple(filled), tuple(filled.values())),) if filled else ()

    def assign(self, name: str, positions: Sequence[int], elements: tuple[Expr, ...]) -> None:
        """Record the assignment of the elements at these positions."""
        leaves = self.values[name].elements
        targets = tuple(leaves[k] for k in positions)
        self.steps.append(Set(targets, elements))
        self.unset.difference_update(targets)

    def assign_varying(self, name: str, indices: Sequence[int | range | Expr], value: Array, span: Span) -> None:
        """Record an assignment of each element: it takes the new value if the indices select it, else keeps its own."""
        variable = self.values[name]
        pool, leaves, width = self.pool, variable.elements, variable.columns
        for k, (index, length) in enumerate(zip(indices, variable.shape, strict=False)):
            if isinstance(index, Expr):
                inside = pool.logical(
                    "and", pool.relation(">=", index, pool.one), pool.relation("<=", index, pool.constant(length))
                )
                which = f"index {k + 1}" if len(indices) > 1 else "the index"
                self.steps.append(Require(inside, f"{which} of '{name}' is not in 1 to {length} ({span})"))
        for leaf in leaves:
            if leaf in self.unset:
                self._prefilled[leaf] = pool.fault(
                    f"an element of '{name}' of the function '{self.function.name}' is read before it has a value "
                    f"({span})"
                )
        self.unset.difference_update(leaves)
        values = list(leaves)
        rows, columns = ([*list(indices), 0])[:2]
        elements = iter(value.elements)
        many = [range(n) if isinstance(i, Expr) else [i] if isinstance(i, int) else i
                for i, n in zip((rows, columns), (*variable.shape, 1), strict=False)]  # fmt: skip
        vector = isinstance(rows, range) or isinstance(columns, range)
        given = list(elements)
        for a, i in enumerate(many[0]):
            for b, j in enumerate(many[1]):
                k = i * width + j
                number = (a if isinstance(rows, range) else 0) * (len(columns) if isinstance(columns, range) else 1)
                number += b if isinstance(columns, range) else 0
                condition = pool.one
                for index, at in ((rows, i), (columns, j)):
                    if isinstance(index, Expr):
                        hit = pool.relation("==", index, pool.constant(at + 1))
                        condition = pool.logical("and", condition, hit)
                values[k] = pool.choose(condition, given[number if vector else 0], leaves[k])
        self.steps.append(Set(leaves, tuple(values)))

    # --- decided during a run ----------------------------------------------------------------------

    def _block(self, members: Sequence[tree.Action]) -> tuple[Step, ...]:
        """The steps of some statements, recorded separately."""
        outer, self.steps = self.steps, []
        try:
            self.run(members)
            return tuple(self.steps)
        finally:
            self.steps = outer

    def choose(self, condition: Expr, then: Sequence[tree.Action], rest: tuple[tree.Branch, ...]) -> None:
        """Record both ways of an `if`."""
        before = set(self.unset)
        first = self._taken_in_a_run(lambda: self._block(then))
        missing, self.unset = self.unset, before
        second = self._taken_in_a_run(lambda: self._others(rest))
        self.unset = (self.unset | missing) - set(self._prefilled)
        self.steps.append(Choice(condition, first, second))

    def _others(self, rest: tuple[tree.Branch, ...]) -> tuple[Step, ...]:
        outer, self.steps = self.steps, []
        self.branches(rest)
        found, self.steps = tuple(self.steps), outer
        return found

    def _taken_in_a_run(self, branch: Callable[[], tuple[Step, ...]]) -> tuple[Step, ...]:
        """The steps of a branch. If they have no values with these arguments, a run fails that takes it."""
        steps = self.steps
        try:
            return branch()
        except ModelError as error:
            if not is_of_names(error):
                raise
            self.steps, self.unset = steps, set()
            return (Require(self.pool.zero, message_of(error)),)

    def repeat(self, loop: tree.For, rounds: range) -> None:
        """Record a loop if possible, otherwise all its rounds."""
        if rounds.step != 1:
            self.write_out(loop, rounds)
        if rounds.step != 1 or not rounds:
            return
        before, steps = set(self.unset), list(self.steps)
        try:
            self._count(loop, self.pool.constant(rounds[0]), self.pool.constant(rounds[-1]))
        except ModelError:
            self.unset, self.steps = before - set(self._prefilled), steps
            self.write_out(loop, rounds)

    def count(self, loop: tree.For, first: Expr, last: Expr) -> None:
        """Record a loop with limits known only in a run."""
        before = set(self.unset)
        self._count(loop, first, last)
        self.unset = before - set(self._prefilled)

    def _count(self, loop: tree.For, first: Expr, last: Expr) -> None:
        index = self.leaf(loop.index.name)
        self.values[loop.index.name] = Array((), (index,))
        body = self._block(loop.members)  # type: ignore[arg-type]
        place = self._place(loop.span)
        self.steps.append(Count(index, first, last, body, place))

    def loop_while(self, loop: tree.While) -> None:
        """Record a `while`."""
        condition = self.scalar(loop.condition)
        if condition.op == "constant" and condition.data == 0:
            return
        before = set(self.unset)
        body = self._block(loop.members)  # type: ignore[arg-type]
        self.unset = before - set(self._prefilled)
        self.steps.append(While(condition, body, self._place(loop.span)))

    def require(self, assertion: tree.Assertion) -> None:
        """Record an assertion."""
        condition = self.scalar(assertion.condition)
        if condition.op != "constant" or condition.data == 0:
            text = f"an assertion of the function '{self.function.name}' failed: {assertion.text} ({assertion.span})"
            self.steps.append(Require(condition, text))

    def _place(self, span: Span) -> str:
        return f"a loop of the function '{self.function.name}' ({span})"
