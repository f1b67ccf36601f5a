"""A residual -> the same without what cancels in its sums. Multiplies out nothing."""

from __future__ import annotations

from cutset.compiler.expressions.pool import Expr, Pool

# A sum whose parts are shared may have very many when they are written out.
_MOST_PARTS = 1000


def cancelled(pool: Pool, residual: Expr) -> Expr:
    """The current of an element whose ends meet flows into its node and out of it again: that a variable stands in an
    equation should mean that it follows from it. The residual itself where nothing cancels."""
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
