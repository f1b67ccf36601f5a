"""Turns floor(u) and ceil(u) of continuous arguments into discrete variables, and sign(u) into relations (stage 3e).

The discrete variables change when u passes a whole number: an event, as in Modelica (Modelica Language Specification
3.6, section 3.7.2). sign(u) becomes a choice between relations. This happens before relations are numbered.

A variable n represents floor(u), and the relations u >= n + 1 and u < n cause events, at which n becomes at least the
next whole number, even if rounding keeps u from it. Functions inside `noevent`, and those that are only computed at
events, are not changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.text import text
from cutset.compiler.expressions.walk import reachable, rewrite, varying
from cutset.compiler.flatten.model import Discrete, EquationSystem, Origin, roots_of
from cutset.compiler.flatten.relations import FLOOR, actions_of
from cutset.compiler.instantiate.events.model import Update
from cutset.contract.functions import STEPS

# The length of an argument that names show.
_LONGEST = 60


def with_discrete_steps(system: EquationSystem) -> EquationSystem:
    """The system; unchanged if it has no such functions."""
    left = set(actions_of(system))
    origins = {root: origin for root, origin in reversed(list(roots_of(system))) if root not in left}
    if not any(node.op in STEPS for node in reachable(origins)):
        return system
    steps = _Steps(system, origins)
    held = system.rewritten(rewrite(system.pool, origins, steps.rule))
    events = replace(held.events, updates=(*held.events.updates, *steps.updates))
    return replace(held, events=events, discrete=(*system.discrete, *steps.discrete))


class _Steps:
    """`rule` is for `rewrite`: it creates one discrete variable for each floor or ceil of an argument."""

    def __init__(self, system: EquationSystem, origins: dict[Expr, Origin]):
        self._pool = system.pool
        self._known = {leaf for d in system.discrete for leaf in (d.node, d.after)}
        self._after = {d.after for d in system.discrete}
        self._origin: dict[Expr, Origin] = {}
        for root, origin in origins.items():
            for node in reachable([root], self._origin):
                self._origin.setdefault(node, origin)
        self._made: dict[Expr, Expr] = {}
        self.discrete: list[Discrete] = []
        self.updates: list[Update] = []

    def rule(self, node: Expr, args: Sequence[Expr]) -> Expr | None:
        if node.op not in STEPS or node.data is not None or not self._varies(args[0]):
            return None
        if node.op == "sign":
            return self._sign(args[0])
        if node.op == "ceil":  # -floor(-u)
            return self._pool.neg(self._floor(self._pool.neg(args[0]), self._origin[node]))
        return self._floor(args[0], self._origin[node])

    def _sign(self, u: Expr) -> Expr:
        pool = self._pool
        side = pool.choose(pool.relation(">", u, pool.zero), pool.one, pool.minus_one)
        return pool.choose(pool.relation("<>", u, pool.zero), side, pool.zero)

    def _varies(self, u: Expr) -> bool:
        """True if u varies between events; a value after an event does not."""
        leaves = [n for n in varying([u]) if n.op in ("variable", "time")]
        return self._after.isdisjoint(leaves) and not self._known.issuperset(leaves)

    def _name(self, u: Expr) -> str:
        """Messages show it as what it stands for."""
        shown, taken = text(u), {str(d.node.data) for d in self.discrete}
        name = f"{FLOOR}({shown if len(shown) <= _LONGEST else '...'})"
        return name if name not in taken else f"{FLOOR}{len(taken) + 1}{name.removeprefix(FLOOR)}"

    def _floor(self, u: Expr, origin: Origin) -> Expr:
        if u not in self._made:
            pool, name = self._pool, self._name(u)
            n, after = pool.variable(name), pool.variable(f"new({name})")
            self._known |= {n, after}
            whole = pool.call("floor", u, quiet="noevent")
            above, below = pool.add(n, pool.one), pool.sub(n, pool.one)
            higher = pool.choose(pool.relation(">", whole, above, "noevent"), whole, above)
            lower = pool.choose(pool.relation("<", whole, below, "noevent"), whole, below)
            falls = pool.choose(pool.relation("<", u, n), lower, n)
            value = pool.choose(pool.relation(">=", u, above), higher, falls)
            self.discrete.append(Discrete(n, after, None, False, origin.span))
            self.updates.append(Update(n, value, origin.span, origin.instance))
            self._made[u] = n
        return self._made[u]
