"""Removes terms that cancel in the sums of a residual. Does not expand products."""

from __future__ import annotations

from cutset.compiler.expressions.pool import Expr, Pool

# A sum with shared parts may become very long when it is expanded.
_MOST_PARTS = 1000
_SUMS = frozenset({"add", "sub", "neg"})


def canceled(pool: Pool, residual: Expr) -> Expr:
    """The residual without terms that cancel, as the current of an element with connected ends, which flows into and
    out of its node: a variable should occur only in equations that depend on it. Unchanged if nothing cancels."""
    if _all_differ(residual):
        return residual
    counts: dict[Expr, int] = {}
    parts, waiting = 0, [(residual, 1)]
    while waiting:
        node, sign = waiting.pop()
        if node.op == "add" or node.op == "sub":
            waiting.append((node.args[1], sign if node.op == "add" else -sign))
            waiting.append((node.args[0], sign))
        elif node.op == "neg":
            waiting.append((node.args[0], -sign))
        else:
            counts[node] = counts.get(node, 0) + sign
            parts += 1
            if parts > _MOST_PARTS:
                return residual
    if all(counts.values()):
        return residual
    total = pool.zero
    for node, count in counts.items():
        if count:
            part = node if abs(count) == 1 else pool.mul(pool.constant(float(abs(count))), node)
            total = pool.add(total, part) if count > 0 else pool.sub(total, part)
    return total


def _all_differ(residual: Expr) -> bool:
    """True if no term occurs twice: the usual case, which needs no signs."""
    terms: set[Expr] = set()
    waiting = [residual]
    while waiting:
        node = waiting.pop()
        if node.op in _SUMS:
            waiting += node.args
        elif node in terms:
            return False
        else:
            terms.add(node)
    return True
