"""The equations of the start: rows of a regular system, rows to choose from -> a square system. Sees integers only.

Sets of equations that can be matched together are the independent sets of a transversal matroid (Edmonds and
Fulkerson, J. Res. NBS 69B (1965), pp. 147-153): taking each that still fits, the strongest first, leaves out none that could stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cutset.compiler.structure.blocks import strong_blocks
from cutset.compiler.structure.matching import greedy_transversal


@dataclass(frozen=True)
class StartPlan:
    """What determines the start.

    chosen    positions of the candidates that are used, ascending
    refused   (candidate, others): the first `required` ones that do not fit, and the candidates that determine what they speak of
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
    """As many of the candidates as there are variables more than rows, the first ones first; the first `required` have to be
    among them. `rows` can be matched; with the candidates there are enough for all variables. Where some are refused, matching and
    blocks are empty."""
    every = [*rows, *candidates]
    equations_of: list[list[int]] = [[] for _ in range(variable_count)]
    for equation, variables in enumerate(every):
        for v in variables:
            equations_of[v].append(equation)
    variable_of = greedy_transversal(equations_of, range(len(every)))
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
