"""What constraints leave to be chosen as states, in expressions: StateSet -> Choice. Chooses nothing.

The derivatives of the constraints by the variables that they bind, with the variables put in that are none of the model's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cutset.compiler.expressions.differentiate import partial_derivative
from cutset.compiler.expressions.pool import PARAMETER, TIME, Expr, Pool, Undefined
from cutset.compiler.expressions.procedure import NotDifferentiable
from cutset.compiler.expressions.walk import Substitution
from cutset.compiler.flatten.model import EquationSystem, Origin
from cutset.compiler.sort.guesses import Guesses
from cutset.compiler.structure.plan import Incidence
from cutset.compiler.structure.state_sets import StateLevel, StateSet
from cutset.compiler.structure.tearing import tear

# The choice takes time with the number of constraints times that of variables, in each round.
_LARGEST = 600

Row = dict[int, Expr]


@dataclass(frozen=True)
class Choice:
    """What is to be chosen: the candidates, the rows of the Jacobian along them (by position), and for each candidate whether the plan has it
    as no state (1 or 0)."""

    candidates: tuple[int, ...]
    rows: tuple[Row, ...]
    dummies: tuple[int, ...]
    order: int
    origin: Origin

    def jacobian(self, pool: Pool) -> list[Expr]:
        """Row by row."""
        return [row.get(j, pool.zero) for row in self.rows for j in range(len(self.candidates))]

    def jacobian_at_start(self, system: EquationSystem, guesses: Guesses) -> list[Expr] | None:
        """The same at the start values and what follows from them; None where it depends on more than parameters."""
        pool = system.pool
        at_start = Substitution(pool, {u.node: guesses.get(u.node, pool.zero) for u in system.unknowns})
        try:
            jacobian = [at_start(e) for e in self.jacobian(pool)]
        except Undefined:
            return None
        return jacobian if all(e.level <= PARAMETER for e in jacobian) else None


class Reduction:
    """A set of states, or a system without a choice, as the structure gives it -> what is to be chosen of it or watched in a run."""

    def __init__(self, system: EquationSystem, incidence: Incidence, found: StateSet | StateLevel):
        self._system, self._incidence, self._found = system, incidence, found
        self._pool = system.pool
        self._rows = self._varying()

    def choice(self) -> Choice | None:
        """What is chosen in a run; None where there is nothing to choose, or where it is not known how."""
        kept, free = self._by_preference()
        choice = self._among(free, kept) if self._rows else None
        return None if choice is None or len(choice.rows) >= len(free) else choice

    def settled(self) -> Choice | None:
        """What the plan has chosen and may become singular; None where it cannot, or where that is not known."""
        return self._among(list(self._found.candidates), set()) if self._rows else None

    def _among(self, free: list[int], kept: set[int]) -> Choice | None:
        found = self._found
        try:
            left = self._eliminated(self._rows, [v for v in (*found.candidates, *found.others) if v not in kept and v not in free])
        except Undefined:
            return None
        if not left or len(left) * len(free) > _LARGEST:
            return None
        position = {v: j for j, v in enumerate(free)}
        picked = tuple({position[v]: e for v, e in row.items() if v in position} for row in left)
        dummies = tuple(int(v in found.dummies) for v in free)
        return Choice(tuple(free), picked, dummies, found.order, self._system.equations[found.equations[0]].origin)

    def _varying(self) -> list[Row]:
        """The derivatives of the constraints by the variables; none where the choice of the plan stays regular, or they are not known."""
        try:
            rows = [self._slopes(e) for e in self._found.equations]
        except (NotDifferentiable, Undefined):
            return []
        return [] if self._stays_regular(rows) else rows

    def _slopes(self, equation: int) -> Row:
        """The derivatives of a constraint by the variables of the set."""
        pool, unknowns = self._pool, self._system.unknowns
        residual = self._system.equations[equation].residual
        row = {}
        for v in self._incidence.rows[equation]:
            column = self._found.column(equation, v)
            if column is None:
                continue
            slope = partial_derivative(pool, residual, unknowns[v].node)
            if slope is not pool.zero:
                row[column] = slope
        return row

    def _stays_regular(self, rows: list[Row]) -> bool:
        """Do the variables that are no states follow one by one, by coefficients that do not vary?"""
        index = {v: k for k, v in enumerate(self._found.dummies)}
        square = [[index[v] for v in row if v in index] for row in rows]
        solvable = [{index[v] for v, e in row.items() if v in index and e.level < TIME} for row in rows]
        if all(e.level < TIME for row in rows for v, e in row.items() if v in index):
            return True
        return not tear(square, solvable).tearing_variables

    def _by_preference(self) -> tuple[set[int], list[int]]:
        """The candidates that are states for good, and those to choose from; the rest are no states."""
        wish = {v: self._system.unknowns[v].preference for v in self._found.candidates}
        dummies = wish.keys() & set(self._found.dummies)
        states = wish.keys() - dummies
        kept = {v for v in states if all(wish[v] > wish[d] for d in dummies)} if dummies else set()
        never = {d for d in dummies if all(wish[d] < wish[v] for v in states)} if states else set()
        return kept, [v for v in wish if v not in kept and v not in never]

    def _eliminated(self, rows: list[Row], gone: Sequence[int]) -> list[Row] | None:
        """The rows that are left when each variable of `gone` is given by a row with a coefficient that does not vary; None
        where they do not follow one by one."""
        pool, waiting = self._pool, set(gone)
        along: dict[int, Row] = {}  # der(v) in terms of the derivatives of what is left
        pending = dict(enumerate(rows))
        progress = True
        while waiting and progress:
            progress = False
            for k, row in list(pending.items()):
                unknown = [v for v in row if v in waiting]
                if len(unknown) != 1 or row[unknown[0]].level == TIME:
                    continue
                (v,) = unknown
                factor = pool.neg(row[v])
                rest = _combined(pool, {u: e for u, e in row.items() if u != v}, along)
                along[v] = {u: pool.div(e, factor) for u, e in rest.items()}
                waiting.discard(v)
                del pending[k]
                progress = True
        return None if waiting else [_combined(pool, row, along) for row in pending.values()]


def _combined(pool: Pool, row: Row, along: Mapping[int, Row]) -> Row:
    total: Row = {}
    for v, factor in row.items():
        for u, e in along.get(v, {v: pool.one}).items():
            total[u] = pool.add(total.get(u, pool.zero), pool.mul(factor, e))
    return {u: e for u, e in total.items() if e is not pool.zero}
