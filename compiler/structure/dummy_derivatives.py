"""Selects states by dummy derivatives: Incidence, Differentiation -> StateSelection.

Mattsson and Soederlind, Index reduction in differential-algebraic equations using dummy derivatives, SIAM J. Sci.
Comput. 14 (1993), pp. 677-692. They choose columns that make a matrix regular; here columns are chosen that can be
matched, and all blocks of a level are treated together, which gives preferences more choice. Nothing is selected during
a run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cutset.compiler.structure.chains import NONE, integrals, lowest_members
from cutset.compiler.structure.matching import greedy_transversal, transpose
from cutset.compiler.structure.pantelides import Differentiation
from cutset.compiler.structure.plan import Incidence, Slopes


@dataclass(frozen=True)
class StateSelection:
    """Which derivatives are integrated and which are not.

    states    variables that are integrated, ascending
    dummies   derivatives that become algebraic unknowns, ascending; their integrals are not states
    matching  ((e, k), variable) for each (e, k) below the highest order of e: the variable it determines
    """

    states: tuple[int, ...]
    dummies: tuple[int, ...]
    matching: tuple[tuple[tuple[int, int], int], ...]


def select_states(
    incidence: Incidence, differentiation: Differentiation, slopes: Slopes | None = None
) -> StateSelection:
    """Select, from the highest order down, as many dummies as there are differentiated equations. With `slopes` their
    columns are independent, if there are enough independent ones."""
    derivative, orders = differentiation.derivative, differentiation.orders
    integral = integrals(derivative)
    ranking = _Ranking(incidence, derivative)
    dummies: set[int] = set()
    matching: list[tuple[tuple[int, int], int]] = []
    rows = {e: row for e, row in enumerate(differentiation.highest_rows) if orders[e] > 0}
    below = 1  # rows[e] belongs to (e, orders[e] - below + 1)
    while rows:
        equations, level = list(rows), list(rows.values())
        columns = ranking.dummies_first(level)
        if slopes is not None:
            columns = independent_first(
                columns, _entries(incidence, differentiation, slopes, equations, below), slopes.prime
            )
        chosen = greedy_transversal(level, columns)
        dummies.update(chosen)
        # The equation before differentiation determines the variable before differentiation.
        matching += [((equations[i], orders[equations[i]] - below), integral[d]) for d, i in chosen.items()]
        # At the order below, only the variables of chosen dummies are candidates.
        rows = {e: tuple(integral[d] for d in row if d in chosen) for e, row in rows.items() if orders[e] > below}
        below += 1
    states = tuple(v for v, d in enumerate(derivative) if d != NONE and d not in dummies)
    return StateSelection(states, tuple(sorted(dummies)), tuple(sorted(matching)))


def _entries(
    incidence: Incidence, differentiation: Differentiation, slopes: Slopes, equations: Sequence[int], below: int
) -> dict[int, dict[int, int]]:
    """The columns of (e, orders[e] - below + 1) for these equations: the slopes of each derivative, by equation."""
    derivative, found = differentiation.derivative, dict[int, dict[int, int]]()
    for e in equations:
        for v in incidence.rows[e]:
            d, steps = v, differentiation.orders[e] - below + 1
            while d != NONE and steps:
                d, steps = derivative[d], steps - 1
            slope = slopes.of.get(e, {}).get(v, 0)
            if d != NONE and slope:
                found.setdefault(d, {})[e] = slope
    return found


class _Ranking:
    """Ranks derivatives: the first to become a dummy is that of the variable with

    the smaller preference, added up along its chain (who prefers x also prefers der(x)); then fewer occurrences in the
    differentiated equations of this order; then fewer occurrences, differentiated or not, in the original equations;
    then the larger number.
    """

    def __init__(self, incidence: Incidence, derivative: Sequence[int]):
        self.lowest = lowest_members(derivative)
        chains = [sorted({self.lowest[v] for v in row}) for row in incidence.rows]
        self.appearances = [len(equations) for equations in transpose(chains, len(derivative))]
        created = len(derivative) - len(incidence.preference)
        preference = list(incidence.preference) + [0] * created
        # state_preference[d]: the preference of the integral of d.
        self.state_preference = [0] * len(derivative)
        for lowest in sorted(set(self.lowest)):
            variable, total = lowest, 0
            while derivative[variable] != NONE:
                total += preference[variable]
                variable = derivative[variable]
                self.state_preference[variable] = total

    def dummies_first(self, rows: Sequence[Sequence[int]]) -> list[int]:
        """The columns of `rows`, preferred dummies first."""
        count: dict[int, int] = {}
        for row in rows:
            for column in row:
                count[column] = count.get(column, 0) + 1

        def rank(column: int) -> tuple[int, int, int, int]:
            lowest = self.lowest[column]
            return self.state_preference[column], count[column], self.appearances[lowest], -lowest

        return sorted(count, key=rank)


# --- independent columns of a matrix over a prime field -------------------------------------------


def independent_first(order: Sequence[int], entries: Mapping[int, Mapping[int, int]], prime: int) -> list[int]:
    """The columns in this order, with those that depend on earlier ones moved to the end. entries[c] holds the numbers
    of column c by row.

    Independent columns are a matroid, so the first that fit are the best set for any weights that decrease along
    `order` (Edmonds, Math. Programming 1 (1971), pp. 127-136).
    """
    pivots: dict[int, dict[int, int]] = {}  # by the row of the entry 1, in the order in which they were found
    taken: list[int] = []
    remaining: list[int] = []
    for column in order:
        rest = dict(entries.get(column, {}))
        for row, pivot in pivots.items():
            factor = rest.get(row, 0)
            if factor:
                for k, value in pivot.items():
                    rest[k] = (rest.get(k, 0) - factor * value) % prime
        rest = {k: value for k, value in rest.items() if value}
        (taken if rest else remaining).append(column)
        if rest:
            row = min(rest)
            scale = pow(rest[row], -1, prime)
            pivots[row] = {k: value * scale % prime for k, value in rest.items()}
    return [*taken, *remaining]
