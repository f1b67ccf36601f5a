"""Stabilizes a tearing: numbers of a linear block, Tearing -> a Tearing with small rounding errors.

A chain of explicit equations is an elimination without pivoting. In a ladder of resistors each section doubles the
error of the one before, so that nothing is correct after 50 sections. Where errors have grown too much another variable
is torn: the factorization that solves for it uses pivoting (multiple shooting: D. D. Morrison et al., Comm. ACM 5
(1962), pp. 613-614). Sees no expressions.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from random import Random

from cutset.compiler.structure.tearing import Tearing

# Ten of sixteen digits remain.
_MOST = 1e6
_MOST_BESIDE = 1e4
_ROUNDS = 4
_SAMPLES = 8


def limit_error_growth(rows: Sequence[Mapping[int, float]], tearing: Tearing) -> Tearing:
    """`rows[e]` has the coefficients of the equations at a possible point of the model. Additional tearing variables
    follow the previous ones, their equations become residuals.

    Random rounding errors are drawn several times, and each draw is followed along the sequence in multiples of the
    unit of rounding, at a random solution. Bounds for each error would not do: along a chain of rotations a bound grows
    by up to sqrt(2) per link, while no error grows. Unknowns and equations are scaled, so that units of measurement
    have no influence.
    """
    numbers = [{k: a if math.isfinite(a) and a else 1.0 for k, a in row.items()} for row in rows]
    scaled = _scaled(numbers)
    generator = Random(len(rows))
    solution = [generator.choice((-1.0, 1.0)) * generator.uniform(0.5, 1.5) for _ in rows]
    errors = [_rounding(generator, abs(x)) for x in solution]
    size, since = [abs(x) for x in solution], [0] * len(rows)
    torn, residuals, sequence = list(tearing.tearing_variables), list(tearing.residual_equations), []
    for e, k in tearing.sequence:
        row = scaled[e]
        found, grown = _followed(row, k, solution, errors, generator)
        others = [j for j in row if j != k]
        since[k] = max((since[j] for j in others), default=0)
        # A chain parallel to one that has just been cut is cut too, or its errors would spoil that again at once.
        is_outweighed = grown > _MOST_BESIDE and since[max(others, key=lambda j: abs(row[j]) * size[j])] < since[k]
        if grown > _MOST or is_outweighed:
            torn.append(k)
            residuals.append(e)
            since[k] = len(torn)
        else:
            errors[k] = found
            size[k] *= max(grown, 1.0)
            sequence.append((e, k))
    if len(torn) == len(tearing.tearing_variables):
        return tearing
    return Tearing(tuple(torn), tuple(sorted(residuals)), tuple(sequence))


def _followed(
    row: Mapping[int, float], k: int, solution: Sequence[float], errors: Sequence[Sequence[float]], generator: Random
) -> tuple[list[float], float]:
    """The errors with which the equation `row` gives unknown k, and their root mean square relative to it."""
    rest = sum(a * solution[j] for j, a in row.items())
    rounded = abs(rest) + sum(abs(a * solution[j]) for j, a in row.items() if j != k)
    found = _rounding(generator, rounded)
    for j, a in row.items():
        if j != k:
            found = [x + a * y for x, y in zip(found, errors[j], strict=False)]
    found = [-x / row[k] for x in found]
    return found, math.sqrt(sum(x * x for x in found) / _SAMPLES) / abs(solution[k])


def _rounding(generator: Random, size: float) -> list[float]:
    """Random rounding errors of a number of that size."""
    return [generator.uniform(-size, size) for _ in range(_SAMPLES)]


def _scaled(rows: list[dict[int, float]]) -> list[dict[int, float]]:
    """Rows and columns divided by the roots of their largest elements, several times (D. Ruiz, RAL-TR-2001-034)."""
    for _ in range(_ROUNDS):
        of_rows = [math.sqrt(max(map(abs, row.values()))) for row in rows]
        largest: dict[int, float] = {}
        for row in rows:
            for k, a in row.items():
                largest[k] = max(largest.get(k, 0.0), abs(a))
        rows = [
            {k: a / (r * math.sqrt(largest[k])) for k, a in row.items()} for r, row in zip(of_rows, rows, strict=False)
        ]
    return rows
