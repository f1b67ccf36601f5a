"""Checks events of all submodels together: which variables are discrete, and whether each is assigned once.

Ignores connections: flattening finds out that two names are one quantity.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cutset.compiler.diagnostics import Diagnostic, Span
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.walk import variables_of
from cutset.compiler.instantiate.events import messages
from cutset.compiler.instantiate.events.model import Update
from cutset.compiler.instantiate.tree.statements import Statements
from cutset.compiler.instantiate.tree.translation import Translation
from cutset.contract.quick_dataclass import dataclass


def after_leaves(translation: Translation, statements: Sequence[Statements], name: str) -> Mapping[Expr, Expr]:
    """The leaf of each discrete variable with that of its value after an event; errors are reported, those of the
    object itself under its `name`."""
    if not any(b.updates or b.whens for b in statements):
        return {}
    check = _Check(translation, statements, name)
    check.given_once()
    check.nothing_else()
    return {v: translation.pool.variable(f"new({v.data})") for v in check.first}


@dataclass
class _Check:
    """`first` holds the first update of each discrete variable."""

    translation: Translation
    statements: Sequence[Statements]
    name: str

    def __post_init__(self) -> None:
        self.first: dict[Expr, Update] = {}

    def given_once(self) -> None:
        """Check that each discrete variable is updated outside of `when`, or in one `when` only."""
        place: dict[Expr, int] = {}
        for number, update in self._updates():
            known = self.first.setdefault(update.target, update)
            if place.setdefault(update.target, number) != number or (number < 0 and known is not update):
                name = str(update.target.data)
                self._report(messages.given_twice("new", name, update.span, known.span, update.instance or self.name))

    def nothing_else(self) -> None:
        """Check that discrete variables are not states, and that `new(x)` is used for discrete variables only."""
        complete = not self.translation.diagnostics  # an equation with an error may be the missing one
        for variable, use in self.translation.after.items():
            if variable not in self.first and complete:
                self._report(messages.nothing_new(str(variable.data), use.span, use.instance))
        for restart in (r for b in self.statements for branch in b.events.branches() for r in branch.restarts):
            if restart.target in self.first:
                name = restart.target.data
                what = f"'{name}', which is discrete: write new({name}) = ..."
                self._report(messages.bad_restart(what, restart.span, restart.instance or self.name))
        derivatives = self.translation.derivatives
        for variable, update in self.first.items():
            if variable in derivatives:
                span, instance = self._use_of(derivatives[variable]) or (update.span, update.instance)
                name = str(variable.data)
                self._report(messages.derivative_of_discrete(name, span, update.span, instance or self.name))

    def _updates(self) -> Iterator[tuple[int, Update]]:
        """Each update with the number of its `when`; negative outside."""
        number = 0
        for statements in self.statements:
            yield from ((-1, update) for update in statements.updates)
            for when in statements.whens:
                yield from ((number, update) for branch in when.branches for update in branch.updates)
                number += 1

    def _use_of(self, derivative: Expr) -> tuple[Span, str] | None:
        for statements in self.statements:
            for equation in (*statements.equations, *statements.initial):
                elements = (*equation.left.elements, *equation.right.elements)
                if any(derivative in variables_of(e) for e in elements):
                    return equation.span, equation.instance
        return None

    def _report(self, diagnostic: Diagnostic) -> None:
        self.translation.diagnostics.append(diagnostic)
