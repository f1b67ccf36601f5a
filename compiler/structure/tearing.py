"""Tears a block: its rows and solvable variables -> Tearing. Knows nothing of other blocks and solves nothing.

Elmqvist and Otter, Methods for tearing systems of equations in object-oriented modeling, ESM 1994, pp. 326-332. A
minimal set of iteration variables is NP-hard to find; this is a greedy choice with look-ahead: tear the variable after
which most equations become explicit.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from cutset.compiler.structure.matching import transpose

# In larger blocks only this many variables are tried at a time, those with most incidences, to limit the cost.
CANDIDATES = 200


@dataclass(frozen=True)
class Tearing:
    """Guess the tearing variables, compute the others along `sequence`, then the residuals must be zero.

    tearing_variables   the iteration variables, in the order of choice
    residual_equations  ascending, as many
    sequence            (equation, variable) pairs: each equation gives the variable from those before it
    """

    tearing_variables: tuple[int, ...]
    residual_equations: tuple[int, ...]
    sequence: tuple[tuple[int, int], ...]


def tear(
    rows: Sequence[Sequence[int]],
    solvable: Sequence[Collection[int]],
    preferred: Collection[int] = frozenset(),
    first: Sequence[int] = (),
) -> Tearing:
    """Tear one block of as many equations as variables, both numbered from 0.

    rows[e] are the variables of equation e; solvable[e] those of them for which e can always be solved. Of equally good
    variables a `preferred` one is torn. The variables of `first` are torn unless they follow from others.
    """
    block = _Block(rows, solvable)
    elimination = _Elimination(block)
    for equation, row in enumerate(rows):
        if len(row) == 1 and row[0] in block.solvable[equation] and not elimination.known[row[0]]:
            elimination.commit(row[0])
    # A variable for which no equation can be solved must be torn in any case, and helps the choice of the others.
    obtainable: set[int] = set().union(*solvable)
    given = dict.fromkeys(v for v in first if not elimination.known[v])
    tearing_variables = [*given, *(v for v in range(len(rows)) if v not in obtainable and v not in given)]
    elimination.commit_all(tearing_variables)  # together: one of them may follow from others
    while (candidate := elimination.best_candidate(preferred)) is not None:
        tearing_variables.append(candidate)
        elimination.commit(candidate)
    tearing_variables, sequence = _irredundant(block, tearing_variables, preferred)
    used = {equation for equation, _ in sequence}
    residuals = tuple(e for e in range(len(rows)) if e not in used)
    return Tearing(tuple(tearing_variables), residuals, tuple(sequence))


class _Block:
    """`solvable` of each equation as a set, and the equations of each variable."""

    def __init__(self, rows: Sequence[Sequence[int]], solvable: Sequence[Collection[int]]):
        self.rows = rows
        self.solvable = [frozenset(variables) for variables in solvable]
        self.equations_of = transpose(rows, len(rows))


def _irredundant(
    block: _Block, tearing_variables: list[int], preferred: Collection[int]
) -> tuple[list[int], list[tuple[int, int]]]:
    """The tearing variables without those that follow from the others, and the sequence: later choices may make an
    early one explicit. Variables in `preferred` are kept."""
    left = _Dependences(block, tearing_variables, _shortest(block, tearing_variables))
    removable = {v for v in reversed(tearing_variables) if v not in preferred and left.follows_from_others(v)}
    torn = [v for v in tearing_variables if v not in removable]
    return torn, _shortest(block, torn)


class _Dependences:
    """On which of the tearing variables each variable depends: `follows[v]` has one bit for each of them."""

    def __init__(self, block: _Block, torn: Sequence[int], sequence: Sequence[tuple[int, int]]):
        self._block = block
        self._bit = {v: 1 << k for k, v in enumerate(torn)}
        self._follows = dict(self._bit)
        self._assign(sequence)
        self._hopeful = self._hope(range(len(block.rows)))

    def follows_from_others(self, variable: int) -> bool:
        """True if the tearing variable follows from the other ones; it is none from then on."""
        bit = self._bit[variable]
        if not self._hopeful & bit:
            return False
        unknown = {v for v, bits in self._follows.items() if bits & bit}
        found = self._found_again(unknown)
        if unknown:  # once the variable is known, everything follows as before
            return False
        self._assign(found)
        self._hopeful |= self._hope({e for _, v in found for e in self._block.equations_of[v]})
        return True

    def _assign(self, sequence: Sequence[tuple[int, int]]) -> None:
        for equation, variable in sequence:
            bits = 0
            for v in self._block.rows[equation]:
                if v != variable:
                    bits |= self._follows[v]
            self._follows[variable] = bits

    def _hope(self, equations: Iterable[int]) -> int:
        """The tearing variables that may follow from the others: one of these equations depends on them only through a
        variable for which it can be solved."""
        found, follows = 0, self._follows
        for equation in equations:
            once = twice = 0
            for v in self._block.rows[equation]:
                twice |= once & follows[v]
                once |= follows[v]
            once &= ~twice
            for v in self._block.solvable[equation]:
                found |= once & follows[v]
        return found

    def _found_again(self, unknown: set[int]) -> list[tuple[int, int]]:
        """The assignments of those of the unknown variables that follow from the other ones; `unknown` keeps the
        rest."""
        block = self._block
        counts: dict[int, int] = {}
        for v in unknown:
            for equation in block.equations_of[v]:
                counts[equation] = counts.get(equation, 0) + 1
        found: list[tuple[int, int]] = []
        ready = [equation for equation, count in counts.items() if count == 1]
        for equation in ready:  # grows during the loop
            last = next((v for v in block.rows[equation] if v in unknown), None)
            if last is None or last not in block.solvable[equation]:
                continue
            unknown.remove(last)
            found.append((equation, last))
            for other in block.equations_of[last]:
                counts[other] -= 1
                if counts[other] == 1:
                    ready.append(other)
        return found


def _shortest(block: _Block, tearing_variables: Sequence[int]) -> list[tuple[int, int]]:
    """The sequence in which each variable follows as early as possible: a longer way would carry guesses along a chain,
    and make each residual depend on all of them."""
    elimination = _Elimination(block)
    single = [(e, row[0]) for e, row in enumerate(block.rows) if len(row) == 1 and row[0] in block.solvable[e]]
    given = dict.fromkeys(tearing_variables)
    for equation, variable in single:
        if variable not in given:
            given[variable] = None
            elimination.sequence.append((equation, variable))
    elimination.commit_all(list(given))
    return elimination.sequence


class _Elimination:
    """The known variables, and the number of unknowns left in each equation.

    An equation with an unknown left has not been used, so no record of the used ones is needed here.
    """

    def __init__(self, block: _Block):
        self.rows, self.solvable, self.equations_of = block.rows, block.solvable, block.equations_of
        self.unknown_count = [len(row) for row in self.rows]
        self.known = [False] * len(self.rows)
        self.sequence: list[tuple[int, int]] = []

    def consequences(self, *variables: int) -> tuple[list[tuple[int, int]], dict[int, int]]:
        """The assignments that become explicit once these are known, the nearest first, and the changed numbers of
        unknowns."""
        found: list[tuple[int, int]] = []
        counts: dict[int, int] = {}
        newly_known = set(variables)
        queue = list(variables)
        for known in queue:  # grows during the loop
            for equation in self.equations_of[known]:
                counts[equation] = counts.get(equation, self.unknown_count[equation]) - 1
                if counts[equation] != 1:
                    continue
                # None is left if the last one has just become known from another equation.
                last = next((v for v in self.rows[equation] if not self.known[v] and v not in newly_known), None)
                if last in self.solvable[equation]:
                    newly_known.add(last)
                    queue.append(last)
                    found.append((equation, last))
        return found, counts

    def commit(self, variable: int) -> None:
        """Make `variable` known, and everything that follows."""
        self.commit_all([variable])

    def commit_all(self, variables: Sequence[int]) -> None:
        """Make all of them known at once, and everything that follows."""
        found, counts = self.consequences(*variables)
        self.sequence += found
        for known in (*variables, *(assigned for _, assigned in found)):
            self.known[known] = True
        for touched, count in counts.items():
            self.unknown_count[touched] = count

    def best_candidate(self, preferred: Collection[int]) -> int | None:
        """The variable to tear next; None when all are known."""
        unknown = [v for v, known in enumerate(self.known) if not known]
        # Only a variable of an equation with two unknowns makes another one explicit.
        pairs = [row for row, count in zip(self.rows, self.unknown_count, strict=True) if count == 2]
        fruitful = {v for row in pairs for v in row if not self.known[v]}
        by_incidences = sorted(fruitful or unknown, key=lambda v: (-len(self.equations_of[v]), v))
        tried = by_incidences[: CANDIDATES if fruitful else 1]
        wanted = any(v in preferred for v in tried)
        best, merit = None, (-1, False)
        for v in tried:
            # The first of equals: most incidences, then the smallest number.
            own = len(self.consequences(v)[0]), v in preferred
            if own > merit:
                best, merit = v, own
            if merit == (len(unknown) - 1, wanted):
                break  # no other makes more equations explicit
        return best
