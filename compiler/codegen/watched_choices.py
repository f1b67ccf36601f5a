"""Computes numbers by which a run sees that a dynamic choice of states is still good. Changes nothing.

The quality of a choice of columns B of a Jacobian J is q = 1/(largest element of inverse(B)*J), at most 1. If the
elements of J change by E, those of B add up to b = sum |E(k, j)| * largest |inverse(B)(i, k)|, and those of the other
columns, alike, to n. Then no element becomes larger than (1/q + n)/(1 - b), and B stays regular if b < 1. So q stays
above a limit as long as b + limit*n < (q - limit)/q, and need not be computed.
"""

from __future__ import annotations

from collections.abc import Iterable

from cutset.compiler.expressions.pivot_selection import QUALITY
from cutset.compiler.expressions.pool import TIME, Expr, Pool

# The fraction of the allowed change that is used: an implicit method evaluates the elements near the end of a step.
_SAFE = 0.8
_NEVER = 1e300


def watched_numbers(pool: Pool, relations: Iterable[tuple[Expr, Expr]]) -> dict[Expr, Expr]:
    """The elements that vary, each with its weight: as long as the sum of their changes, times their weights, is below
    1, all `relations` (qualities with their limits) keep their values. Empty if one of them is of another kind."""
    found: dict[Expr, Expr] = {}
    for quality, limit in relations:
        call = quality.args[0] if quality.op == "element" else quality
        supplied = call.data.supplied if call.op == "apply" else None
        if supplied is None or supplied.name != QUALITY:
            return {}
        (rows, columns), size = supplied.sizes, pool.call("fabs", quality)
        room = pool.mul(pool.constant(_SAFE), pool.sub(size, limit))
        share = pool.div(size, room)
        has_room = pool.relation(">", size, limit, "noevent")
        rest, of_rows = pool.sub(pool.one, limit), [pool.element(call, 1 + i) for i in range(rows)]
        in_row = [pool.choose(has_room, pool.mul(share, largest), pool.constant(_NEVER)) for largest in of_rows]
        # 1 for the columns of B, the limit for others.
        in_column = [pool.add(limit, pool.mul(rest, chosen)) for chosen in call.args[rows * columns :]]
        for k, element in enumerate(call.args[: rows * columns]):
            if element.level == TIME:
                weight = pool.mul(in_row[k // columns], in_column[k % columns])
                place = element.args[0] if element.op == "neg" else element
                found[place] = pool.add(found[place], weight) if place in found else weight
    return found
