"""Where iterations begin: SortedSystem -> values of unknowns that follow from the start values of others, by one equation after the other.

A joint has a start value, the place at its other end has none. Such a place is as good an unknown of an iteration as the joint
itself, once it is known where it is at the start.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cutset.compiler.expressions.linear import Nonlinear, linear_forms
from cutset.compiler.expressions.pool import CONSTANT, PARAMETER, Expr, Pool, Undefined
from cutset.compiler.expressions.walk import Substitution, variables_of
from cutset.compiler.sort.system import SortedSystem


class Guesses(Mapping[Expr, Expr]):
    """Guesses of unknowns, expressions of parameters: their own start values, and what follows from those. The latter are found when
    the first unknown without a start value is asked for."""

    def __init__(self, sorted_system: SortedSystem):
        self._sorted = sorted_system
        self._pool: Pool = sorted_system.system.pool
        self._own = {u.node: u.start for u in sorted_system.system.unknowns if u.start is not None}
        self._all: dict[Expr, Expr] | None = None

    def __getitem__(self, unknown: Expr) -> Expr:
        if unknown in self._own:
            return self._own[unknown]
        if self._all is None:
            self._all = self._following()
        return self._all[unknown]

    def __iter__(self) -> Iterator[Expr]:
        return iter(self._own if self._all is None else self._all)

    def __len__(self) -> int:
        return len(self._own if self._all is None else self._all)

    @property
    def own(self) -> Mapping[Expr, Expr]:
        """Those that the model gives."""
        return self._own

    def _following(self) -> dict[Expr, Expr]:
        """Each equation that has one unknown left without a guess gives it, if it can be solved for it."""
        found = dict(self._own)
        states = {s: self._pool.zero for s in self._sorted.states if s not in found}
        found |= states
        put_in = Substitution(self._pool, found)
        residuals = [e.residual for block in self._sorted.blocks for e in block.equations]
        unknowns = {u for block in self._sorted.blocks for u in block.unknowns}
        open_in = [{v for v in variables_of(r) if v in unknowns and v not in found} for r in residuals]
        equations_of: dict[Expr, list[int]] = {}
        for e, left in enumerate(open_in):
            for v in left:
                equations_of.setdefault(v, []).append(e)
        ready = [e for e, left in enumerate(open_in) if len(left) == 1]
        for e in ready:  # grows while it is read
            if len(open_in[e]) != 1:
                continue
            (unknown,) = open_in[e]
            value = self._explicit(residuals[e], unknown, put_in)
            if value is None:
                continue
            found[unknown] = value
            for other in equations_of[unknown]:
                open_in[other].discard(unknown)
                if len(open_in[other]) == 1:
                    ready.append(other)
        return found

    def _explicit(self, residual: Expr, unknown: Expr, put_in: Substitution) -> Expr | None:
        try:
            (form,) = linear_forms(self._pool, [residual], [unknown])
            factor = form.coefficients.get(unknown, self._pool.zero)
            if factor.level != CONSTANT or factor is self._pool.zero:
                return None
            value = put_in(self._pool.div(self._pool.neg(form.rest), factor))
        except (Nonlinear, Undefined):
            return None
        return value if value.level <= PARAMETER else None
