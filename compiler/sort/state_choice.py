"""Expresses what constraints leave to choose as states: a set of states of the plan -> StateChoice.

It computes the derivatives of the constraints by the variables that they bind, and substitutes variables that do not
belong to the model. Chooses nothing during a run.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import replace

from cutset.compiler.expressions.differentiate import partial_derivative
from cutset.compiler.expressions.pivot_selection import quality
from cutset.compiler.expressions.pool import PARAMETER, TIME, Expr, Pool, Undefined
from cutset.compiler.expressions.random_evaluation import RandomPoint
from cutset.compiler.expressions.user_function import NotDifferentiable
from cutset.compiler.expressions.walk import Substitution, variables_of
from cutset.compiler.flatten.model import EquationSystem, Origin
from cutset.compiler.instantiate.instance import parameter_numbers
from cutset.compiler.sort.iteration_starts import IterationStarts
from cutset.compiler.sort.nonzero_factors import NonzeroFactors
from cutset.compiler.sort.regular_choice import KEPT, independent, is_regular, regular_dummies
from cutset.compiler.structure.chains import NONE, integrals
from cutset.compiler.structure.plan import Incidence
from cutset.compiler.structure.state_sets import StateLevel, StateSet
from cutset.compiler.structure.tearing import tear
from cutset.contract import pivot_selection
from cutset.contract.quick_dataclass import dataclass

# A round of the dynamic choice takes time proportional to the number of constraints times that of variables, and its
# translation more: larger sets are decided at translation.
LARGEST = 1300
# Those beyond this size are so even if a run has to be repeated, since the choice became singular.
_LARGEST_AGAIN = 10_000
# The preference of `state=always`; that of `state=never` is its negative.
FIRM = 2

# A choice of lower quality is singular; units alone cannot make it so low.
USABLE = 1e-9

# A choice of lower quality multiplies errors of states, if its factors are parameters and another one does not.
SMALL = 1e-2
# The weight of variables that must not be states, among those that may be.
_DEMANDED = 1e12

Row = dict[int, Expr]


@dataclass(frozen=True)
class StateChoice:
    """What is to be chosen: the candidates, the rows of the Jacobian along them (by position), and for each candidate 1
    if it is not a state in the plan, else 0. `followers` are not states, since they follow from the candidates by
    constant coefficients. `preferred`: the model prefers the plan's choice. `held` are variables beside the candidates
    that are always states, since the model prefers them, with their columns of the Jacobian (`held_rows`)."""

    candidates: tuple[int, ...]
    followers: tuple[int, ...]
    rows: tuple[Row, ...]
    dummies: tuple[int, ...]
    order: int
    origin: Origin
    preferred: bool = False
    held: tuple[int, ...] = ()
    held_rows: tuple[Row, ...] = ()

    def is_large(self) -> bool:
        """True if the search for a choice takes too long for any run."""
        return self.size > _LARGEST_AGAIN

    @property
    def size(self) -> int:
        """The number of entries of the Jacobian."""
        return len(self.rows) * len(self.candidates)

    def jacobian(self, pool: Pool) -> list[Expr]:
        """The Jacobian row by row."""
        return [row.get(j, pool.zero) for row in self.rows for j in range(len(self.candidates))]

    def with_held(self) -> StateChoice:
        """The same choice with `held` as further candidates."""
        n = len(self.candidates)
        rows = (
            {**own, **{n + j: e for j, e in more.items()}} for own, more in zip(self.rows, self.held_rows, strict=True)
        )
        dummies = (*self.dummies, *(0 for _ in self.held))
        return replace(self, candidates=(*self.candidates, *self.held), rows=tuple(rows), dummies=dummies, held=())

    def jacobian_at_start(self, system: EquationSystem, guesses: IterationStarts) -> list[Expr] | None:
        """The Jacobian at the start values and what follows from them; None if it depends on more than parameters."""
        pool = system.pool
        at_start = Substitution(pool, {u.node: guesses.get(u.node, pool.zero) for u in system.unknowns})
        try:
            jacobian = [at_start(e) for e in self.jacobian(pool)]
        except Undefined:
            return None
        return jacobian if all(e.level <= PARAMETER for e in jacobian) else None


class ConstraintJacobian:
    """Analyzes a set of states of the plan: what to choose dynamically, or to monitor. Without `preferences` only
    `always` and `never` bind; other preferences decide the first choice of a run."""

    def __init__(
        self,
        system: EquationSystem,
        incidence: Incidence,
        found: StateSet | StateLevel,
        nonzero_factors: NonzeroFactors,
        preferences: bool = True,
    ):
        self._system, self._incidence, self._found, self._nonzero_factors = system, incidence, found, nonzero_factors
        self._least = 1 if preferences else FIRM
        self._pool = system.pool
        self._columns = (*found.candidates, *found.others)
        integral = integrals(incidence.derivative)
        self._preferences = {v: self._preference(v, integral) for v in found.candidates}
        self._rows = self._slopes_of_all()

    def without_preferences(self) -> ConstraintJacobian:
        """The analysis of the same set without preferences."""
        other = copy(self)  # with the same derivatives, which take time
        other._least = FIRM
        integral = integrals(self._incidence.derivative)
        other._preferences = {v: other._preference(v, integral) for v in self._found.candidates}
        return other

    def with_dummies(self, dummies: tuple[int, ...]) -> ConstraintJacobian:
        """The analysis of the same set with other variables that are not states."""
        found = replace(self._found, dummies=dummies)
        return ConstraintJacobian(self._system, self._incidence, found, self._nonzero_factors, self._least < FIRM)

    def stays_regular(self) -> bool:
        """True if the plan's choice is regular for all values, is the only one, or if the derivatives are not known."""
        return not self._rows or len(self._rows) == len(self._columns) or self._follows(self._rows, self._found.dummies)

    def never_varies(self) -> bool:
        """True if the constraints are linear in their variables, with factors of parameters only."""
        return all(e.level < TIME for row in self._rows for e in row.values())

    def dummies_by_size(self) -> tuple[int, ...] | None:
        """The variables that are not states, in a choice that needs no large factors at the model's values of
        parameters, if that of the plan does; None if none is found that no preference forbids, or if factors vary."""
        if not self._rows or not self.never_varies() or not self._has_sizes():
            return None
        kept, _ = self._by_preference()
        must = self._excluded() | set(self._found.others)
        free = [v for v in self._columns if v not in kept]
        k, n = len(self._rows), len(free)
        now = [float(v in self._found.dummies) for v in free]
        numbers = [self._nonzero_factors.value(row[v]) if v in row else 0.0 for row in self._rows for v in free]
        if not all(map(math.isfinite, numbers)) or abs(pivot_selection.quality(k, n, [*numbers, *now])[0]) > SMALL:
            return None
        weighted = [x * (_DEMANDED if free[i % n] in must else 1.0) for i, x in enumerate(numbers)]
        _, *chosen = pivot_selection.exchange(k, n, [*weighted, *now])
        better = abs(pivot_selection.quality(k, n, [*numbers, *chosen])[0])
        dummies = {v for v, is_chosen in zip(free, chosen, strict=True) if is_chosen}
        return tuple(sorted(dummies)) if must <= dummies and better > SMALL else None

    def holds_by_size(self, guesses: IterationStarts) -> Expr | None:
        """Finite as long as parameters are such that the choice needs no factors that are much larger than at the
        model's values; None if it does not depend on them, or if that is unknown at the start."""
        pool, dummies = self._pool, set(self._found.dummies)
        levels = {e.level for row in self._rows for v, e in row.items() if v in dummies}
        if PARAMETER not in levels or not self._has_sizes():
            return None
        n = len(self._columns)
        flags = tuple(int(v in dummies) for v in self._columns)
        columns, origin = _columns(self._rows, self._columns), self._system.equations[self._found.equations[0]].origin
        choice = StateChoice(self._columns, (), columns, flags, self._found.order, origin)
        jacobian = choice.jacobian_at_start(self._system, guesses)
        if jacobian is None:
            return None
        size, numbers = len(self._rows), [self._nonzero_factors.value(e) for e in jacobian]
        now = abs(pivot_selection.quality(size, n, [*numbers, *flags])[0])
        found = pool.apply(quality(pool, size, n), [*jacobian, *map(pool.constant, flags)])[0]
        least = pool.constant(SMALL * min(SMALL, now))
        is_good = pool.relation(">", pool.call("fabs", found), least, "noevent")
        return pool.div(pool.one, is_good) if now > 0.0 else None

    def _has_sizes(self) -> bool:
        """True if sizes of factors count: not if all variables are multiples of one state, as in gears, where errors
        are multiples, too. False if there are too many factors."""
        if len(self._rows) * len(self._columns) > LARGEST:
            return False
        if len(self._columns) > len(self._rows) + 1 or not self.never_varies():
            return True
        equations, zero = [self._system.equations[e].residual for e in self._found.equations], self._pool.zero
        without = Substitution(self._pool, {v: zero for e in equations for v in variables_of(e)})
        return any(without(e) is not zero for e in equations)

    def companions_follow(self) -> bool:
        """True if the equations that accompany a set determine their own variables for all values, so that only the set
        is to be chosen."""
        companions = self._found.companions if isinstance(self._found, StateSet) else ()
        try:
            rows = [
                {
                    d: partial_derivative(
                        self._pool, self._system.equations[c.equation].residual, self._system.unknowns[v].node
                    )
                    for v, d in c.determined
                }
                for c in companions
            ]
        except (NotDifferentiable, Undefined):
            return True
        present = [{d: e for d, e in row.items() if e is not self._pool.zero} for row in rows]
        return self._follows(present, sorted({d for row in rows for d in row}))

    def other_dummies(self) -> tuple[int, ...] | None:
        """Other variables that are not states, in a choice that is regular for all values and that no preference
        forbids; None if none is found."""
        kept, _ = self._by_preference()
        dummies = self._peeled(set(self._columns) - kept)
        must = self._excluded() | set(self._found.others)
        return tuple(sorted(dummies)) if dummies is not None and must <= set(dummies) else None

    def regular_at_start(self, guesses: IterationStarts) -> tuple[int, ...] | None:
        """Other variables that are not states, which follow from the states at the start; None if those of the plan do,
        if there are none, or if that is unknown. Only `always` and `never` forbid an exchange, since the plan's choice
        does not start."""
        rows = self._rows_at_start(guesses)
        if rows is None or is_regular(rows, self._found.dummies):
            return None
        dummies = regular_dummies(rows, sorted(self._columns, key=self._rank))
        if dummies is None or not set(self._found.others) <= set(dummies):
            return None
        firm, exchanged = self.without_preferences()._preferences, set(dummies) ^ set(self._found.dummies)
        return dummies if all((v in dummies) == (firm[v] < 0) for v in exchanged if firm.get(v, 0)) else None

    def leaves_choice_at_start(self, guesses: IterationStarts) -> bool:
        """True if the variables that are never states and some of those to choose from follow from the rest at the
        start, or if that is unknown."""
        rows = self._rows_at_start(guesses)
        if rows is None:
            return True
        never = [*self._found.others, *self._excluded()]
        free = [v for v in self._by_preference()[1] if v not in never]
        found = independent(rows, [*never, *free], KEPT)
        return len(found) == len(rows) and set(never) <= set(found)

    def _rows_at_start(self, guesses: IterationStarts) -> list[dict[int, float]] | None:
        """The derivatives of the constraints at the start values and what follows from them; None if one is not a
        number."""
        numbers = RandomPoint(parameter_numbers(self._system.parameters))
        numbers.know(self._pool.time, 0.0)
        for v in {v for row in self._rows for e in row.values() for v in variables_of(e)}:
            numbers.know(v, numbers.value(guesses.get(v, self._pool.zero)))
        rows = [{v: numbers.value(e) for v, e in row.items()} for row in self._rows]
        return rows if all(math.isfinite(x) for row in rows for x in row.values()) else None

    def is_free(self) -> bool:
        """True if no preference that is not a demand leaves less to choose from."""
        return self._by_preference() == self.without_preferences()._by_preference()

    def choice(self) -> StateChoice | None:
        """The choice to make during the run; None if there is nothing to choose, or if the derivatives are not
        known."""
        kept, free = self._by_preference()
        choice = self._among(free, kept)
        return None if choice is None or len(choice.rows) >= len(choice.candidates) else choice

    def static_choice(self) -> StateChoice | None:
        """The plan's choice, which may become singular, of any size; None if the derivatives are not known."""
        return self._among(list(self._found.candidates), set(), bounded=False)

    def _among(self, free: list[int], kept: set[int], bounded: bool = True) -> StateChoice | None:
        found = self._found
        # Of a choice that is made, or only monitored.
        largest = LARGEST if bounded and self._least < FIRM else _LARGEST_AGAIN
        removed = [v for v in self._columns if v not in kept and v not in free]
        try:
            left, waiting = self._eliminated(self._rows, removed)
            if len(left) * (len(free) + len(waiting)) > largest:
                removed += [v for v in free if v in set(found.dummies)]
                left, waiting = self._eliminated(self._rows, removed)
                free = [v for v in free if v not in removed]
        except Undefined:
            return None
        if not waiting.isdisjoint(self._excluded()):
            return None
        free = sorted([*free, *waiting])
        if not left:
            return None
        picked, held = _columns(left, free), sorted(kept)
        dummies = tuple(int(v in found.dummies) for v in free)
        followers = tuple(v for v in removed if v not in waiting)
        preferred = self._least > 1 and any(self._system.unknowns[v].preference for v in found.candidates)
        origin = self._system.equations[found.equations[0]].origin
        choice = StateChoice(
            tuple(free), followers, picked, dummies, found.order, origin, preferred, tuple(held), _columns(left, held)
        )
        return None if bounded and choice.size > largest else choice

    def _slopes_of_all(self) -> list[Row]:
        """The derivatives of the constraints by the variables; empty if they are not known."""
        try:
            return [self._slopes(e) for e in self._found.equations]
        except (NotDifferentiable, Undefined):
            return []

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

    # --- fixed choices ----------------------------------------------------------------------------------

    def _follows(self, rows: Sequence[Row], dummies: Sequence[int]) -> bool:
        """True if the variables that are not states follow one by one, by coefficients that are constant or bounded
        away from zero."""
        index = {v: k for k, v in enumerate(dummies)}
        square = [{index[v]: e for v, e in row.items() if v in index} for row in rows]
        if all(e.level < TIME for row in square for e in row.values()):
            return self._nonzero_factors.has_full_rank(square) and (
                self.never_varies() or all(any(self._is_pivot(row, v) for v in row if v in index) for row in rows)
            )
        solvable = [{index[v] for v in row if v in index and self._is_pivot(row, v)} for row in rows]
        return not tear([list(row) for row in square], solvable).tearing_variables

    def _is_pivot(self, row: Row, v: int) -> bool:
        """True if the factor of the variable stays away from zero and, if it is a parameter, is not small beside others
        of its equation, at a random point if they vary."""
        if not self._nonzero_factors.holds(row[v]):
            return False
        size = self._nonzero_factors.value
        return row[v].level == TIME or not abs(size(row[v])) < SMALL * max(abs(size(e)) for e in row.values())

    def _peeled(self, allowed: Collection[int]) -> list[int] | None:
        """For each constraint a variable with such a coefficient that none of the later ones contains."""
        pending, chosen = dict(enumerate(self._rows)), []
        while pending:
            users: dict[int, int] = {}
            for row in pending.values():
                for v in row:
                    users[v] = users.get(v, 0) + 1
            fitting = [
                (k, v)
                for k, row in pending.items()
                for v in row
                if v in allowed and users[v] == 1 and self._is_pivot(row, v)
            ]
            if not fitting:
                return None
            k, v = min(fitting, key=lambda pair: self._rank(pair[1]))
            chosen.append(v)
            del pending[k]
        return chosen

    def _rank(self, v: int) -> tuple[int, bool, bool, int]:
        """Sorts first what should rather not be a state."""
        started = v in self._preferences and self._system.unknowns[v].start is not None
        return self._preferences.get(v, -10), started, v not in self._found.dummies, -v

    # --- preferences ------------------------------------------------------------------------------------

    def _preference(self, v: int, integral: Sequence[int]) -> int:
        """The preference; that of x counts for der(x) too."""
        total = 0
        while v != NONE:
            preference = self._system.unknowns[v].preference
            total += preference if abs(preference) >= self._least else 0
            v = integral[v]
        return total

    def _by_preference(self) -> tuple[set[int], list[int]]:
        """The candidates that are always states, and those to choose from; the rest are not states."""
        preference = self._preferences
        dummies = preference.keys() & set(self._found.dummies)
        states = preference.keys() - dummies
        kept = {v for v in states if all(preference[v] > preference[d] for d in dummies)} if dummies else set()
        never = self._excluded()
        return kept, [v for v in preference if v not in kept and v not in never]

    def _excluded(self) -> set[int]:
        """The candidates that are never states, since their preference is below that of all states."""
        preference = self._preferences
        dummies = preference.keys() & set(self._found.dummies)
        states = preference.keys() - dummies
        return {d for d in dummies if all(preference[d] < preference[v] for v in states)} if states else set()

    # --- elimination ------------------------------------------------------------------------------------

    def _eliminated(self, rows: list[Row], removed: Sequence[int]) -> tuple[list[Row], set[int]]:
        """The rows left after each variable of `removed` is eliminated by a row with a constant coefficient, and the
        variables that cannot be eliminated so one by one."""
        pool, waiting = self._pool, set(removed)
        along: dict[int, Row] = {}  # der(v) in terms of the remaining derivatives
        pending = dict(enumerate(rows))
        progress = True
        while waiting and progress:
            progress = False
            for k, row in list(pending.items()):
                unknown = [v for v in row if v in waiting]
                if (
                    len(unknown) != 1
                    or row[unknown[0]].level == TIME
                    or not self._nonzero_factors.holds(row[unknown[0]])
                ):
                    continue
                (v,) = unknown
                factor = pool.neg(row[v])
                rest = _combined(pool, {u: e for u, e in row.items() if u != v}, along)
                along[v] = {u: pool.div(e, factor) for u, e in rest.items()}
                waiting.discard(v)
                del pending[k]
                progress = True
        return [_combined(pool, row, along) for row in pending.values()], waiting


def _columns(rows: Sequence[Row], variables: Sequence[int]) -> tuple[Row, ...]:
    """The columns of these variables, by position."""
    position = {v: j for j, v in enumerate(variables)}
    return tuple({position[v]: e for v, e in row.items() if v in position} for row in rows)


def _combined(pool: Pool, row: Row, along: Mapping[int, Row]) -> Row:
    total: Row = {}
    for v, factor in row.items():
        for u, e in along.get(v, {v: pool.one}).items():
            total[u] = pool.add(total.get(u, pool.zero), pool.mul(factor, e))
    return {u: e for u, e in total.items() if e is not pool.zero}
