"""Walks over the expression DAG: order, substitution, leaves. Iterative, for a DAG may be as deep as a model is long."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from cutset.compiler.expressions.pool import TIME, Expr, Pool, Undefined
from cutset.compiler.expressions.text import text


def variables_of(root: Expr) -> list[Expr]:
    """The variables under `root`, each once, in the order of their making."""
    found: list[Expr] = []
    seen = {root}
    stack = [root]
    while stack:
        node = stack.pop()
        if node.op == "variable":
            found.append(node)
            continue
        for a in node.args:
            if a.level == TIME and a not in seen:
                seen.add(a)
                stack.append(a)
    return sorted(found, key=lambda n: n.id)


def reachable(roots: Iterable[Expr], enter: Callable[[Expr], bool] = lambda node: True) -> list[Expr]:
    """Every node under `roots` (they included) in topological order, children first; below a node that
    `enter` refuses nothing is visited, the node itself is."""
    seen = set(roots)
    stack = list(seen)
    while stack:
        node = stack.pop()
        if enter(node):
            for a in node.args:
                if a not in seen:
                    seen.add(a)
                    stack.append(a)
    return sorted(seen, key=lambda n: n.id)


class Substitution:
    """Replaces variables by expressions and folds anew; results are kept, so the mapping must not change
    for a variable that has been met."""

    def __init__(self, pool: Pool, mapping: dict[Expr, Expr]):
        self._pool = pool
        self._done: dict[Expr, Expr] = {}
        self.mapping = mapping

    def __call__(self, root: Expr) -> Expr:
        if root.level < TIME:
            return root
        done, mapping, rebuild = self._done, self.mapping, self._pool.rebuild
        result = done.get(root)
        if result is not None:
            return result
        stack = [root]
        while stack:
            node = stack[-1]
            if node in done:
                stack.pop()
                continue
            args = node.args
            if not args:
                done[node] = mapping.get(node, node)
                stack.pop()
                continue
            waiting = [a for a in args if a.level == TIME and a not in done]
            if waiting:
                stack += waiting
                continue
            stack.pop()
            new = [done[a] if a.level == TIME else a for a in args]
            if all(x is y for x, y in zip(new, args)):
                done[node] = node
                continue
            try:
                done[node] = rebuild(node, new)
            except Undefined as error:
                where = f"{text(args[1])} is zero" if node.op == "div" else f"in {text(node)}"
                raise Undefined(f"{error}: {where}") from error
        return done[root]


def rewrite(pool: Pool, roots: Iterable[Expr], rule: Callable[[Expr, Sequence[Expr]], Expr | None]) -> dict[Expr, Expr]:
    """Every node under `roots` and what becomes of it: rule(node, new arguments), or the node with its
    new arguments where the rule says None."""
    done: dict[Expr, Expr] = {}
    for node in reachable(roots):
        args = [done[a] for a in node.args]
        new = rule(node, args)
        if new is None:
            new = node if all(x is y for x, y in zip(args, node.args)) else pool.rebuild(node, args)
        done[node] = new
    return done
