"""Numbers of a linear block and its tearing -> a tearing along which rounding errors stay small. Sees no expressions.

A chain of explicit equations is an elimination without a choice of pivots. In a ladder of resistors each section doubles what was
wrong in the one before, so that after 50 of them nothing is right. Where the errors have grown too far one more variable is torn: the
factorisation that finds it chooses its pivots (multiple shooting: D. D. Morrison et al., Comm. ACM 5 (1962), pp. 613-614).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from random import Random

from cutset.compiler.structure.tearing import Tearing

# Of sixteen digits ten are left.
_MOST = 1e6
_MOST_BESIDE = 1e2
_ROUNDS = 4


def steadied(rows: Sequence[Mapping[int, float]], tearing: Tearing) -> Tearing:
    """`rows[e]` has the coefficients of the equations, or numbers of their size. What is torn more comes behind what was torn, its equations
    among the residuals.

    Errors are followed in multiples of the unit of rounding, at a solution drawn at random, after the unknowns and equations are
    scaled so that units of measurement play no part.
    """
    scaled = _scaled([{k: abs(a) if math.isfinite(a) and a else 1.0 for k, a in row.items()} for row in rows])
    signs = [{k: math.copysign(scaled[e][k], a) for k, a in row.items()} for e, row in enumerate(rows)]
    generator = Random(len(rows))
    solution = [generator.choice((-1.0, 1.0)) * generator.uniform(0.5, 1.5) for _ in rows]
    error, since = [abs(x) for x in solution], [0] * len(rows)
    torn, residuals, sequence = list(tearing.tearing_variables), list(tearing.residual_equations), []
    for e, k in tearing.sequence:
        parts = {j: a * error[j] for j, a in scaled[e].items() if j != k}
        rest = sum(a * solution[j] for j, a in signs[e].items())
        grown = (abs(rest) + sum(parts.values())) / (scaled[e][k] * abs(solution[k]))
        since[k] = max((since[j] for j in parts), default=0)
        # What runs beside a chain that has just been cut is cut too, or its errors would spoil that again at once.
        beside = grown > _MOST_BESIDE and since[max(parts, key=parts.__getitem__)] < since[k]
        if grown > _MOST or beside:
            torn.append(k)
            residuals.append(e)
            since[k] = len(torn)
        else:
            error[k] *= max(grown, 1.0)
            sequence.append((e, k))
    if len(torn) == len(tearing.tearing_variables):
        return tearing
    return Tearing(tuple(torn), tuple(sorted(residuals)), tuple(sequence))


def _scaled(rows: list[dict[int, float]]) -> list[dict[int, float]]:
    """Rows and columns divided by the roots of their largest elements, some times over (D. Ruiz, RAL-TR-2001-034)."""
    for _ in range(_ROUNDS):
        of_rows = [math.sqrt(max(row.values())) for row in rows]
        largest: dict[int, float] = {}
        for row in rows:
            for k, a in row.items():
                largest[k] = max(largest.get(k, 0.0), a)
        rows = [{k: a / (r * math.sqrt(largest[k])) for k, a in row.items()} for r, row in zip(of_rows, rows)]
    return rows
