"""Tearing: rows and solvable variables of one block -> Tearing. Knows nothing of other blocks and solves nothing.

Elmqvist and Otter, Methods for tearing systems of equations in object-oriented modeling, ESM 1994, pp. 326-332.
The fewest tearing variables are NP-hard to find; this is a greedy choice with look-ahead: tear the variable after which
most equations become explicit.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from cutset.compiler.structure.matching import transpose

# In larger blocks only as many variables are tried at a time, those with most incidences, to bound the cost.
CANDIDATES = 200


@dataclass(frozen=True)
class Tearing:
    """Guess the tearing variables, compute the rest along `sequence`, then the residuals must vanish.

    tearing_variables   in the order of choice
    residual_equations  ascending, as many
    sequence            (equation, variable) pairs: each equation gives the variable from those before it
    """

    tearing_variables: tuple[int, ...]
    residual_equations: tuple[int, ...]
    sequence: tuple[tuple[int, int], ...]


def tear(rows: Sequence[Sequence[int]], solvable: Sequence[Collection[int]]) -> Tearing:
    """Tear one block of as many equations as variables, both numbered from 0.

    rows[e] are the variables of equation e; solvable[e] those of them for which e can always be solved.
    """
    elimination = _Elimination(rows, solvable)
    for equation, row in enumerate(rows):
        if len(row) == 1 and row[0] in solvable[equation] and not elimination.known[row[0]]:
            elimination.commit(row[0], equation)
    tearing_variables = []
    while (variable := elimination.best_candidate()) is not None:
        tearing_variables.append(variable)
        elimination.commit(variable)
    residuals = tuple(e for e, used in enumerate(elimination.used) if not used)
    return Tearing(tuple(tearing_variables), residuals, tuple(elimination.sequence))


class _Elimination:
    """What is known so far, and how many unknowns each equation has left."""

    def __init__(self, rows: Sequence[Sequence[int]], solvable: Sequence[Collection[int]]):
        self.rows = rows
        self.solvable = [frozenset(variables) for variables in solvable]
        self.equations_of = transpose(rows, len(rows))
        self.unknown_count = [len(row) for row in rows]
        self.known = [False] * len(rows)
        self.used = [False] * len(rows)
        # How many equations not used yet each variable stands in.
        self.incidences = [len(equations) for equations in self.equations_of]
        self.sequence: list[tuple[int, int]] = []

    def consequences(self, variable: int) -> tuple[list[tuple[int, int]], dict[int, int]]:
        """Assignments that become explicit once `variable` is known, and the changed counts of unknowns."""
        found: list[tuple[int, int]] = []
        counts: dict[int, int] = {}
        newly_known = {variable}
        queue = [variable]
        for known in queue:  # grows while it is read
            for equation in self.equations_of[known]:
                if self.used[equation]:
                    continue
                count = counts.get(equation, self.unknown_count[equation]) - 1
                counts[equation] = count
                if count != 1:
                    continue
                for last in self.rows[equation]:
                    if not self.known[last] and last not in newly_known:
                        if last in self.solvable[equation]:
                            newly_known.add(last)
                            queue.append(last)
                            found.append((equation, last))
                        break
        return found, counts

    def commit(self, variable: int, equation: int | None = None) -> None:
        """Make `variable` known, as a guess or from `equation`, and with it everything that follows."""
        found, counts = self.consequences(variable)
        if equation is not None:
            found.insert(0, (equation, variable))
        self.known[variable] = True
        for touched, count in counts.items():
            self.unknown_count[touched] = count
        for by, assigned in found:
            self.known[assigned] = self.used[by] = True
            for other in self.rows[by]:
                self.incidences[other] -= 1
        self.sequence += found

    def best_candidate(self) -> int | None:
        """The variable to tear next; None when all are known."""
        unknown = [v for v, known in enumerate(self.known) if not known]
        if not unknown:
            return None
        for variable in unknown:
            if not self._obtainable(variable):
                return variable  # sooner or later it must be torn, so it costs nothing
        # Only a variable of an equation with two unknowns makes anything explicit.
        pairs = [row for e, row in enumerate(self.rows) if self.unknown_count[e] == 2 and not self.used[e]]
        fruitful = {v for row in pairs for v in row if not self.known[v]}
        by_incidences = sorted(fruitful or unknown, key=lambda v: (-self.incidences[v], v))
        if not fruitful:
            return by_incidences[0]
        # max keeps the first of equals: most incidences, then the smallest number.
        return max(by_incidences[:CANDIDATES], key=lambda v: len(self.consequences(v)[0]))

    def _obtainable(self, variable: int) -> bool:
        return any(not self.used[e] and variable in self.solvable[e] for e in self.equations_of[variable])
