"""Gives values beyond a crossing to branches that have them on one side only: `if x > 0 then sqrt(x)`, `sin(x)/x`.

A relation keeps its value between events, but stages of steps, iterations and the point just after a crossing lie on
its other side. A value that is not finite with the held relations is computed with the present ones, and if these have
none either, because rounding decides them, on the other side; no other value changes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from cutset.compiler.codegen.time_tapes import step_of
from cutset.compiler.expressions.bounds import Bounds, Interval
from cutset.compiler.expressions.differentiate import partial_derivative
from cutset.compiler.expressions.pool import TIME, Expr, Pool
from cutset.compiler.expressions.walk import Substitution, reachable, rewrite, terms_of, varying
from cutset.compiler.flatten.model import Relation
from cutset.compiler.sort.system import SolvedEvents, SortedSystem
from cutset.contract.quick_dataclass import dataclass

# Functions that have values for first arguments in a range only; a function of the user may be one.
_RANGES = {op: (0.0, math.inf) for op in ("sqrt", "log", "log10", "pow")} | {op: (-1.0, 1.0) for op in ("asin", "acos")}
_SYSTEMS = frozenset({"newton", "solve"})
# What is computed once, with the held relations.
_OPAQUE = _SYSTEMS | {"element", "apply", "delay"}
# A divisor that depends on more leaves is not examined.
_MOST_LEAVES = 4
_Leaves = frozenset[Expr]
# The distance of the sides of a relation at its crossing, relative to their terms.
_CROSSING = 1e-9


@dataclass(frozen=True)
class _Held:
    """What held leaves stand for: relations, whole numbers, and truth values that follow from these as unknowns of a
    system that is not solved."""

    relations: Mapping[Expr, Relation]
    steps: Mapping[Expr, Expr]
    truths: Mapping[Expr, Expr]

    def leaves(self) -> set[Expr]:
        return {*self.relations, *self.steps, *self.truths}


def with_both_sides(
    pool: Pool, events: SolvedEvents, system: SortedSystem, rates: Sequence[Expr], roots: Sequence[Expr]
) -> dict[Expr, Expr]:
    """Each of `roots` with its replacement; `rates`, among them, are the derivatives of the states."""
    nodes = varying(roots) if pool.has_events else []
    leaves = [d.node for d in system.system.discrete]
    steps = {leaf: step for leaf, after in zip(leaves, events.discrete, strict=True) if (step := step_of(after))}
    relations = {pool.mode(k): r for k, r in enumerate(events.relations) if r.kind in ("state", "time")}
    held = _Held(relations, steps, _truths(system.states, rates))
    points = _points(nodes, held)
    if not points:
        return {e: e for e in roots}
    return _BothSides(pool, held, points, nodes).of(roots)


def _truths(states: Sequence[Expr], rates: Sequence[Expr]) -> dict[Expr, Expr]:
    """The values of unknowns whose equations have the form unknown - truth value."""
    pairs = (
        (state, e.args[1]) for state, e in zip(states, rates, strict=False) if e.op == "sub" and e.args[0] is state
    )
    return {state: e for state, e in pairs if e.op in ("mode", "and", "or", "not")}


def _points(nodes: Sequence[Expr], held: _Held) -> set[Expr]:
    """The nodes (children first) that may have no value at or beyond the crossing of a held leaf."""
    points: set[Expr] = set()
    following, bounded, bounds = held.leaves(), set[Expr](), Bounds()
    poles = _Poles(nodes, held, bounds)
    for node in nodes:
        may_end = node.op in _RANGES and _may_leave(bounds.of(node.args[0]), _RANGES[node.op])
        if may_end or node.op == "apply" or (node.op != "newton" and any(a in bounded for a in node.args)):
            bounded.add(node)
        if node.op in _OPAQUE or following.isdisjoint(node.args):
            continue
        following.add(node)
        branches = node.args[1:] if node.op == "if" and node.args[0] in following else ()
        if may_end or any(a in bounded or poles.are_crossed(node.args[0], a) for a in branches):
            points.add(node)
    return points


def _may_leave(values: Interval, allowed: Interval) -> bool:
    return not (allowed[0] <= values[0] and values[1] <= allowed[1])


class _Poles:
    """Finds divisions by what is zero where relations cross, as in `if x > 0 then sin(x)/x`: divisors that depend on
    what the sides depend on, and on nothing else. Both depend on a few leaves only."""

    def __init__(self, nodes: Sequence[Expr], held: _Held, bounds: Bounds):
        none: _Leaves = frozenset()
        self._held = held
        self._below: dict[Expr, _Leaves | None] = {}
        self._divisors: dict[Expr, frozenset[_Leaves]] = {}
        for node in nodes:
            args = [a for a in node.args if a.level == TIME]
            below = [self._below.get(a) for a in args]
            found = none.union(*(b for b in below if b is not None)) if args else frozenset((node,))
            is_large = node.op in _OPAQUE or None in below or len(found) > _MOST_LEAVES
            self._below[node] = None if is_large else none if node.op == "mode" else found
            divisors = frozenset[_Leaves]().union(*(self._divisors[a] for a in args))
            own = self._below.get(node.args[1]) if node.op == "div" and node.args[1].level == TIME else None
            self._divisors[node] = divisors | {own} if own and not bounds.stays_from_zero(node.args[1]) else divisors

    def are_crossed(self, condition: Expr, branch: Expr) -> bool:
        """True if the branch may have such a division when the condition changes."""
        divisors = self._divisors.get(branch)
        if not divisors:
            return False
        relations = [r for leaf in varying([condition]) if (r := self._held.relations.get(leaf)) is not None]
        sides = [self._below.get(e) or frozenset() for r in relations for e in (r.left, r.right)]
        every = frozenset[Expr]().union(*sides)
        return any(leaves <= every for leaves in divisors)


class _BothSides:
    """Replaces the `points` among the nodes."""

    def __init__(self, pool: Pool, held: _Held, points: set[Expr], nodes: Sequence[Expr]):
        self._pool, self._held, self._points = pool, held, points
        systems = [node for node in nodes if node.op in _SYSTEMS]
        every = set(systems)
        # Systems with such points in their equations, in order, and those that are made again already.
        self._changing = [s for s in systems if not points.isdisjoint(reachable(s.args, every))]
        self._made: dict[Expr, Expr] = {}
        # What is below a point, where other values of the leaves are needed.
        self._below = set(reachable(points, {n for n in nodes if n.op in _OPAQUE}))

    def of(self, roots: Sequence[Expr]) -> dict[Expr, Expr]:
        for system in self._changing:
            self._made[system] = self._system(system)
        return self._rewritten(roots, None)

    def _system(self, system: Expr) -> Expr:
        pool = self._pool
        made = self._rewritten(system.args, system)
        if system.op == "solve":
            return pool.rebuild(system, [made[a] for a in system.args])
        unknowns = system.data.unknowns
        residuals = [made[a] for a in system.args[: len(unknowns)]]
        jacobian = [[partial_derivative(pool, r, unknown) for unknown in unknowns] for r in residuals]
        return pool.newton(system.data, residuals, jacobian)[0].args[0]

    def _rewritten(self, roots: Sequence[Expr], own: Expr | None) -> dict[Expr, Expr]:
        """The replacement of each node below the roots, which are equations of the system `own` or outside of all."""
        pool, (present, turned) = self._pool, self._leaves(own)
        done: dict[Expr, Expr] = {}
        now, other = dict(present), dict(turned)
        for node in reachable(roots, self._made):
            if node in self._made:
                done[node] = self._made[node]
                continue
            held = done[node] = _with(pool, node, [done[a] for a in node.args])
            if node in self._below and node.op not in _OPAQUE and node.args:
                now[node], other[node] = (
                    _with(pool, node, [w.get(a, done[a]) for a in node.args]) for w in (now, other)
                )
            if node in self._points and now[node] is not held:
                beyond = pool.choose(pool.finite(now[node]), now[node], other[node])
                done[node] = pool.choose(pool.finite(held), held, beyond)
        return done

    def _leaves(self, own: Expr | None) -> tuple[dict[Expr, Expr], dict[Expr, Expr]]:
        """The present value of each held leaf, and its other value if it is at its crossing, for equations of the
        system `own` in terms of its unknowns, as far as no system is needed that follows."""
        pool, held = self._pool, self._held
        later = {system for system in self._changing if system not in self._made}
        unknowns = {} if own is None or own.op == "solve" else dict(enumerate(own.data.unknowns))

        def inside(node: Expr, args: Sequence[Expr]) -> Expr | None:
            if node.op == "element" and node.args[0] is own:
                return unknowns.get(node.data)
            return self._made.get(node)

        sides = [e for r in held.relations.values() for e in (r.left, r.right)]
        made = rewrite(pool, [*sides, *held.steps.values()], inside)
        known = {e for e in made.values() if later.isdisjoint(reachable([e]))}
        present: dict[Expr, Expr] = {}
        turned: dict[Expr, Expr] = {}
        for leaf, step in held.steps.items():
            if made[step] in known:
                u = made[step].args[0]
                nearest = pool.call("floor", pool.add(u, pool.constant(0.5)), quiet="noevent")
                present[leaf] = made[step]
                turned[leaf] = pool.choose(self._meet(u, nearest), nearest, made[step])
        for leaf, r in held.relations.items():
            left, right = made[r.left], made[r.right]
            if left in known and right in known:
                has_sides = pool.finite(pool.sub(left, right))
                present[leaf] = pool.choose(has_sides, pool.relation(r.operator, left, right, "noevent"), leaf)
                turned[leaf] = pool.choose(self._meet(left, right), pool.logical("not", leaf), leaf)
        for truth, e in held.truths.items():
            for values in (present, turned):
                values[truth] = Substitution(pool, values)(e)
        return present, turned

    def _meet(self, left: Expr, right: Expr) -> Expr:
        """True if both are equal up to the error of a crossing."""
        pool = self._pool
        reach = pool.zero
        for term, _ in (*terms_of(left), *terms_of(right)):
            reach = pool.add(reach, pool.call("fabs", term))
        gap, reach = pool.call("fabs", pool.sub(left, right)), pool.mul(pool.constant(_CROSSING), reach)
        return pool.relation("<=", gap, reach, "noevent")


def _with(pool: Pool, node: Expr, args: Sequence[Expr]) -> Expr:
    return node if all(x is y for x, y in zip(args, node.args, strict=True)) else pool.rebuild(node, args)
