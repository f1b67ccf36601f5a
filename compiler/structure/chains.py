"""Follows chains of derivatives x, der(x), ...: integrals, lowest members, rows of differentiated equations.

Decides nothing: Pantelides' algorithm decides which equations are differentiated.
"""

from __future__ import annotations

from collections.abc import Sequence

NONE = -1


def integrals(derivative: Sequence[int]) -> list[int]:
    """For each variable, the variable of which it is the derivative, or NONE."""
    integral = [NONE] * len(derivative)
    for variable, its_derivative in enumerate(derivative):
        if its_derivative != NONE:
            integral[its_derivative] = variable
    return integral


def lowest_members(derivative: Sequence[int]) -> list[int]:
    """For each variable, the member of order zero of its chain: x for x, der(x), der(der(x))."""
    lowest = list(range(len(derivative)))
    for start, integral in enumerate(integrals(derivative)):
        if integral == NONE:
            variable = start
            while variable != NONE:
                lowest[variable] = start
                variable = derivative[variable]
    return lowest


def extended_rows(
    rows: Sequence[Sequence[int]], derivative: Sequence[int], equations: Sequence[tuple[int, int]]
) -> tuple[tuple[int, ...], ...]:
    """The variables that may occur in each (e, k): those of (e, k-1) and their derivatives.

    A superset: incidence does not show which terms cancel or are linear. `derivative` and `equations` are a plan's;
    every derivative that is needed exists there.
    """
    extended = []
    for equation, k in equations:
        variables = set(rows[equation])
        for _ in range(k):
            variables |= {derivative[v] for v in variables}
        extended.append(tuple(sorted(variables)) if k else tuple(rows[equation]))
    return tuple(extended)
