"""Counts the operations of nodes. Decides nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.sparse import band_of
from cutset.contract.functions import FUNCTIONS


def operations_of(nodes: Sequence[Expr]) -> tuple[int, int, int]:
    """Products and divisions, sums, and functions of these nodes themselves; an iteration counts with one round,
    without its residuals."""
    operations = Counter(n.op for n in nodes)
    systems = [
        (len(n.data), *band_of(n)) if n.op == "solve" else (len(n.data.unknowns),) * 3
        for n in nodes
        if n.op in ("solve", "newton")
    ]
    lu = sum(_lu(*system) for system in systems)
    divisions = sum(n + sum(min(lower, n - 1 - k) for k in range(n)) for n, lower, _ in systems)
    return (
        operations["mul"] + operations["div"] + lu + divisions,
        operations["add"] + operations["sub"] + operations["neg"] + lu,
        sum(count for op, count in operations.items() if op in FUNCTIONS or op == "apply"),
    )


def _lu(n: int, lower: int, upper: int) -> int:
    """The number of products (and of sums) in an LU factorization without exchanges and the substitution; for a full
    matrix n(n-1)(2n+5)/6."""
    total = 0
    for k in range(n):
        below, right = min(lower, n - 1 - k), min(upper, n - 1 - k)
        total += below * right + below + right
    return total
