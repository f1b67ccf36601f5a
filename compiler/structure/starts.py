"""Selects the equations of the start: rows of a regular system, candidate rows -> a square system. Integers only.

Sets of equations that can be matched together are the independent sets of a transversal matroid (Edmonds and Fulkerson,
J. Res. NBS 69B (1965), pp. 147-153): taking each that still fits, the strongest first, omits none that could be kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cutset.compiler.structure.blocks import strong_blocks
from cutset.compiler.structure.matching import greedy_transversal, transpose

# The limit on visits of variables, over all conditions; beyond it the remaining ones keep their order.
_MOST_VISITS = 500_000


@dataclass(frozen=True)
class StartPlan:
    """The equations that determine the start.

    chosen    positions of the candidates that are used, ascending
    refused   (candidate, others): the first `required` ones that do not fit, and the candidates that determine their
              variables
    matching  matching[i] is the variable that row i determines: the given rows, then the chosen candidates
    blocks    of those rows, in the order of evaluation
    """

    chosen: tuple[int, ...]
    refused: tuple[tuple[int, tuple[int, ...]], ...]
    matching: tuple[int, ...]
    blocks: tuple[tuple[int, ...], ...]


def plan_start(
    rows: Sequence[Sequence[int]], candidates: Sequence[Sequence[int]], required: int, variable_count: int
) -> StartPlan:
    """Choose one candidate for each variable without a row, the first ones first; the first `required` must be among
    them. `rows` can be matched; with the candidates there are enough for all variables. If some are refused, matching
    and blocks are empty."""
    every = [*rows, *candidates]
    variable_of = greedy_transversal(transpose(every, variable_count), range(len(every)))
    chosen = tuple(k for k in range(len(candidates)) if len(rows) + k in variable_of)
    refused = [k for k in range(required) if len(rows) + k not in variable_of]
    if refused:
        reached = tuple((k, _determining(k, every, variable_of, len(rows))) for k in refused)
        return StartPlan(chosen, reached, (), ())
    used = [*range(len(rows)), *(len(rows) + k for k in chosen)]
    matching = tuple(variable_of[e] for e in used)
    return StartPlan(chosen, (), matching, strong_blocks([every[e] for e in used], matching))


def _determining(
    candidate: int, every: Sequence[Sequence[int]], variable_of: dict[int, int], first: int
) -> tuple[int, ...]:
    """The candidates among the equations that determine all variables of a refused one."""
    owner = {v: e for e, v in variable_of.items()}
    waiting, seen = [first + candidate], {first + candidate}
    while waiting:
        for v in every[waiting.pop()]:
            equation = owner.get(v)
            if equation is not None and equation not in seen:
                seen.add(equation)
                waiting.append(equation)
    return tuple(sorted(e - first for e in seen if e >= first and e != first + candidate))


def claimed(
    rows: Sequence[Sequence[int]], conditions: Iterable[Sequence[int]], weak: Sequence[int], variable_count: int
) -> tuple[int, ...]:
    """The variables of `weak` that conditions should determine where the structure leaves a choice: each condition
    takes the nearest one left, counted in rows on the way, conditions with the shortest way first. So a start condition
    of an axis determines the states of that axis. The first in `weak` wins a tie."""
    rows_of = transpose(rows, variable_count)
    rank = {v: k for k, v in enumerate(weak)}
    searches = [_Spreading(rows, rows_of, list(condition)) for condition in conditions]
    taken: dict[int, None] = {}
    visits = 0
    while searches and visits < _MOST_VISITS and len(taken) < len(weak):
        waiting = []
        for search in searches:
            found = min((rank[v] for v in search.border if v in rank and v not in taken), default=None)
            if found is not None:
                taken[weak[found]] = None
                continue
            visits += len(search.border)
            if search.spread():
                waiting.append(search)
        searches = waiting
    return tuple(taken)


class _Spreading:
    """Spreads from some variables, row by row; `border` was reached last."""

    def __init__(self, rows: Sequence[Sequence[int]], rows_of: Sequence[Sequence[int]], border: list[int]):
        self._rows, self._rows_of = rows, rows_of
        self._seen, self._used = set(border), set[int]()
        self.border = border

    def spread(self) -> bool:
        """Advance by one row; False if nothing new is reached."""
        crossed = {row for v in self.border for row in self._rows_of[v]} - self._used
        self._used |= crossed
        self.border = sorted({v for row in crossed for v in self._rows[row]} - self._seen)
        self._seen.update(self.border)
        return bool(self.border)
