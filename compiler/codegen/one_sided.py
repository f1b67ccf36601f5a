"""Gives values beyond a crossing to branches that have them on one side only: `if x > 0 then sqrt(x)`, `sin(x)/x`.

A relation keeps its value between events, but stages of steps, iterations and the point just after a crossing lie on
its other side. A value that is not finite with the held relations is computed with the present ones, and if these have
none either, because rounding decides them, on the other side; no other value changes. An iteration without a solution
has that of the present relations between its unknowns, which so change together: the flows through orifices in a row.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from cutset.compiler.codegen.time_tapes import step_of
from cutset.compiler.expressions.bounds import Bounds, Interval
from cutset.compiler.expressions.differentiate import partial_derivative
from cutset.compiler.expressions.pool import TIME, Expr, Pool, Undefined
from cutset.compiler.expressions.walk import Substitution, reachable, rewrite, terms_of, varying
from cutset.compiler.flatten.model import Relation
from cutset.compiler.sort.system import SolvedEvents, SortedSystem
from cutset.contract.quick_dataclass import dataclass

# Functions that have values for first arguments in a range only; a function of the user may be one.
_RANGES = {op: (0.0, math.inf) for op in ("sqrt", "log", "log10", "pow")} | {op: (-1.0, 1.0) for op in ("asin", "acos")}
_SYSTEMS = frozenset({"newton", "solve"})
# What is computed once, with the held relations.
_OPAQUE = _SYSTEMS | {"element", "apply", "delay"}
# A divisor that depends on more leaves is not examined; nor are unknowns that follow from each other over more steps.
_MOST_LEAVES, _MOST_STEPS = 4, 8
_Leaves = frozenset[Expr]
# The distance of the sides of a relation at its crossing, relative to their terms.
_CROSSING = 1e-9


@dataclass(frozen=True)
class _Held:
    """What held leaves stand for: relations, whole numbers, and truth values that follow from these as unknowns of a
    system that is not solved; `solved` are all unknowns that such a system gives explicitly."""

    relations: Mapping[Expr, Relation]
    steps: Mapping[Expr, Expr]
    truths: Mapping[Expr, Expr]
    solved: Mapping[Expr, Expr]

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
    solved = _solved(system.states, rates)
    truths = {state: e for state, e in solved.items() if e.op in ("mode", "and", "or", "not")}
    held = _Held(relations, steps, truths, solved)
    points, freed = _points(nodes, held), _freed(nodes, relations)
    if not points and not freed:
        return {e: e for e in roots}
    return _BothSides(pool, held, points, freed, nodes).of(roots)


def _freed(nodes: Sequence[Expr], relations: Mapping[Expr, Relation]) -> dict[Expr, list[Expr]]:
    """The relations between unknowns of an iteration, by the iteration whose equations have them."""
    bits = {node: 1 << k for k, node in enumerate(node for node in nodes if node.op == "newton")}
    used: dict[Expr, int] = {}  # the iterations on which a node depends
    for node in nodes if bits else ():
        bit = bits.get(node, 0)
        for a in node.args if not bit else ():
            bit |= used.get(a, 0)
        used[node] = bit
    freed: dict[Expr, list[Expr]] = {}
    for system, bit in bits.items():
        for leaf in reachable(system.args, set(bits)):
            r = relations.get(leaf)
            if r is not None and bit & (used.get(r.left, 0) | used.get(r.right, 0)):
                freed.setdefault(system, []).append(leaf)
    return freed


def _solved(states: Sequence[Expr], rates: Sequence[Expr]) -> dict[Expr, Expr]:
    """The values of unknowns whose equations have the form unknown - value."""
    pairs = zip(states, rates, strict=False)
    return {state: e.args[1] for state, e in pairs if e.op == "sub" and e.args[0] is state}


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
        every = self._given(frozenset[Expr]().union(*sides))
        return any(self._given(leaves) <= every for leaves in divisors)

    def _given(self, leaves: _Leaves) -> _Leaves:
        """What the leaves follow from."""
        for _ in range(_MOST_STEPS):
            below = (self._below.get(self._held.solved.get(leaf, leaf)) or (leaf,) for leaf in leaves)
            before, leaves = leaves, frozenset[Expr]().union(*below)
            if leaves == before:
                break
        return leaves


class _Values(NamedTuple):
    """The present value of each held leaf, its other value if it is at its crossing, and the difference of the sides of
    each relation."""

    present: Mapping[Expr, Expr]
    turned: Mapping[Expr, Expr]
    differences: Mapping[Expr, Expr]


class _BothSides:
    """Replaces the `points` among the nodes, and the relations `freed` in each iteration."""

    def __init__(
        self, pool: Pool, held: _Held, points: set[Expr], freed: Mapping[Expr, Sequence[Expr]], nodes: Sequence[Expr]
    ):
        self._pool, self._held, self._points, self._freed = pool, held, points, freed
        systems = [node for node in nodes if node.op in _SYSTEMS]
        every = set(systems)
        # Systems with such points or relations in their equations, in order, and those that are made again already.
        self._changing = [s for s in systems if s in freed or not points.isdisjoint(reachable(s.args, every))]
        self._made: dict[Expr, Expr] = {}
        # What is below a point, where other values of the leaves are needed.
        self._below = set(reachable(points, {n for n in nodes if n.op in _OPAQUE}))

    def of(self, roots: Sequence[Expr]) -> dict[Expr, Expr]:
        for system in self._changing:
            self._made[system] = self._system(system)
        return self._rewritten(roots, self._leaves(None))

    def _system(self, system: Expr) -> Expr:
        pool, leaves = self._pool, self._leaves(system)
        made = self._rewritten(system.args, leaves)
        if system.op == "solve":
            return pool.rebuild(system, [made[a] for a in system.args])
        unknowns = system.data.unknowns
        residuals, data = [made[a] for a in system.args[: len(unknowns)]], system.data
        relations = [leaf for leaf in self._freed.get(system, ()) if leaf in leaves.differences]
        if relations:
            data, values = replace(data, has_held=pool.iterate("held")), dict[Expr, Expr]()
            for leaf in _in_order(relations, leaves.differences):
                now = Substitution(pool, values)(leaves.present[leaf])
                difference = leaves.differences[leaf]
                is_smooth = self._is_smooth(leaf, made.get(difference, difference), residuals, unknowns)
                values[leaf] = now if is_smooth else pool.choose(pool.finite(data.has_held), leaf, now)
            residuals = [Substitution(pool, values)(r) for r in residuals]
        jacobian = [[partial_derivative(pool, r, unknown) for unknown in unknowns] for r in residuals]
        return pool.newton(data, residuals, jacobian)[0].args[0]

    def _is_smooth(self, leaf: Expr, difference: Expr, residuals: Sequence[Expr], unknowns: Sequence[Expr]) -> bool:
        """True if neither the equations nor their slopes depend on the relation where the difference of its sides is
        zero, or if slopes are infinite there, or if the size of the difference counts: with a held relation
        sign(x)*sqrt(abs(x)) and `if x > 0 then x^2 else -x^2` would have two solutions."""
        pool = self._pool
        zero = {difference, pool.neg(difference)}
        if difference.op == "sub":
            zero.add(pool.sub(*reversed(difference.args)))

        def matters(equations: Sequence[Expr]) -> bool:
            crossed = rewrite(pool, equations, lambda node, _: pool.zero if node in zero else None)
            return leaf in reachable(crossed[e] for e in equations)

        own = [r for r in residuals if leaf in reachable([r])]
        try:
            if matters(own):
                return False
        except Undefined:
            return False
        try:
            return any(node.op == "fabs" and node.args[0] in zero for node in reachable(own)) or not matters(
                [partial_derivative(pool, r, unknown) for r in own for unknown in unknowns]
            )
        except Undefined:
            return True

    def _rewritten(self, roots: Sequence[Expr], leaves: _Values) -> dict[Expr, Expr]:
        """The replacement of each node below the roots, with the values of held leaves there."""
        pool = self._pool
        done: dict[Expr, Expr] = {}
        now, other = dict(leaves.present), dict(leaves.turned)
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

    def _leaves(self, own: Expr | None) -> _Values:
        """The values of held leaves for equations of the system `own` in terms of its unknowns, or outside of all
        systems, as far as no system is needed that follows."""
        pool, held = self._pool, self._held
        later = {system for system in self._changing if system not in self._made}
        unknowns = {} if own is None or own.op == "solve" else dict(enumerate(own.data.unknowns))

        def inside(node: Expr, args: Sequence[Expr]) -> Expr | None:
            if node.op == "element" and node.args[0] is own:
                return unknowns.get(node.data)
            return self._made.get(node)

        sides = [e for r in held.relations.values() for e in (r.left, r.right)]
        made = rewrite(pool, [*sides, *held.steps.values()], inside)
        for node in reachable(made.values()) if later else ():
            if not later.isdisjoint(node.args):
                later.add(node)
        known = set(made.values()) - later
        present: dict[Expr, Expr] = {}
        turned: dict[Expr, Expr] = {}
        differences: dict[Expr, Expr] = {}
        for leaf, step in held.steps.items():
            if made[step] in known:
                u = made[step].args[0]
                nearest = pool.call("floor", pool.add(u, pool.constant(0.5)), quiet="noevent")
                present[leaf] = made[step]
                turned[leaf] = pool.choose(self._meet(u, nearest), nearest, made[step])
        for leaf, r in held.relations.items():
            left, right = made[r.left], made[r.right]
            if left in known and right in known:
                differences[leaf] = pool.sub(left, right)
                has_sides = pool.finite(differences[leaf])
                present[leaf] = pool.choose(has_sides, pool.relation(r.operator, left, right, "noevent"), leaf)
                turned[leaf] = pool.choose(self._meet(left, right), pool.logical("not", leaf), leaf)
        for truth, e in held.truths.items():
            for values in (present, turned):
                values[truth] = Substitution(pool, values)(e)
        return _Values(present, turned, differences)

    def _meet(self, left: Expr, right: Expr) -> Expr:
        """True if both are equal up to the error of a crossing."""
        pool = self._pool
        reach = pool.zero
        for term, _ in (*terms_of(left), *terms_of(right)):
            reach = pool.add(reach, pool.call("fabs", term))
        gap, reach = pool.call("fabs", pool.sub(left, right)), pool.mul(pool.constant(_CROSSING), reach)
        return pool.relation("<=", gap, reach, "noevent")


def _in_order(leaves: Sequence[Expr], sides: Mapping[Expr, Expr]) -> list[Expr]:
    """The relations, those first on which the sides of others depend, as far as they do not depend on each other."""
    left, ordered = list(leaves), list[Expr]()
    while left:
        waiting = set(left)
        free = [leaf for leaf in left if waiting.isdisjoint({*reachable([sides[leaf]])} - {leaf})]
        ordered += free or left
        left = [leaf for leaf in left if free and leaf not in free]
    return ordered


def _with(pool: Pool, node: Expr, args: Sequence[Expr]) -> Expr:
    return node if all(x is y for x, y in zip(args, node.args, strict=True)) else pool.rebuild(node, args)
