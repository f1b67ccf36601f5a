"""Numbers relations (stage 3e): a value that changes only at events becomes a mode, a leaf that is held between events.

This happens before equations are solved for each other, so that modes are known to all of them. Relations of values
that change at events only, of values after an event, in actions of a `when`, and inside `noevent` are not changed.
Orders nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cutset.compiler.expressions.linear import Nonlinear, linear_forms
from cutset.compiler.expressions.pool import TIME, Expr, Undefined
from cutset.compiler.expressions.text import text
from cutset.compiler.expressions.walk import reachable, rewrite, varying
from cutset.compiler.flatten.model import EquationSystem, Origin, Relation, ScalarEquation, roots_of
from cutset.contract.functions import RELATIONS, STEPS

# What an expression depends on, the highest counts: events only; time too; continuous variables; a value after an
# event.
_EVENTS, _TIME, _CONTINUOUS, _AFTER = range(4)
_OF_INSTANTS = frozenset((*RELATIONS, *STEPS, "edge", "sample"))

# How the names of discrete variables begin that stand for floor(u).
FLOOR = "$floor"


def has_events(system: EquationSystem) -> bool:
    """True if a relation or a whole-number value can change at events."""
    if not system.pool.has_events:
        return False
    nodes = varying(root for root, _ in roots_of(system))
    return any(node.op in _OF_INSTANTS and node.data is None for node in nodes)


def with_relation_memory(system: EquationSystem) -> EquationSystem:
    """The system with its relations numbered, in the order of creation."""
    numbering = _Numbering(system)
    actions = actions_of(system)
    edges = [node for node in reachable(actions) if node.op == "edge"]
    asked = [root for root, _ in roots_of(system) if root not in set(actions)]
    made = rewrite(system.pool, [*asked, *edges], numbering.rule)
    done = rewrite(system.pool, actions, lambda node, args: made[node] if node.op == "edge" else None)
    made |= {root: done[root] for root in actions if root not in made}

    def equations(given: tuple[ScalarEquation, ...]) -> tuple[ScalarEquation, ...]:
        return tuple(ScalarEquation(made[e.residual], e.origin) for e in given)

    return replace(
        system,
        equations=equations(system.equations),
        initial=equations(system.initial),
        events=system.events.map(made.__getitem__, lambda restart: restart),
        delays=tuple(replace(d, value=made[d.value]) for d in system.delays),
        relations=tuple(numbering.relations),
    )


def actions_of(system: EquationSystem) -> list[Expr]:
    """Expressions that are computed only when a branch acts: their relations need not be watched."""
    roots = [root for root, _ in roots_of(system)]
    watched = {e.residual for e in (*system.equations, *system.initial)}
    watched |= {u.value for u in system.events.updates} | {b.condition for b in system.events.branches()}
    watched |= {a.condition for a in system.events.assertions} | {d.value for d in system.delays}
    return [root for root in dict.fromkeys(roots) if root not in watched]


class _Numbering:
    """`rule` is for `rewrite`: nodes come children first, and their arguments have their modes already."""

    def __init__(self, system: EquationSystem):
        self._pool = system.pool
        self.relations: list[Relation] = []
        self._origin = _origins(system)
        self._kind: dict[Expr, int] = {d.node: _EVENTS for d in system.discrete}
        self._kind |= {d.after: _AFTER for d in system.discrete}

    def rule(self, node: Expr, args: Sequence[Expr]) -> Expr | None:
        if node.level < TIME:
            return None
        if node.op == "edge":
            return self._mode(node, "edge", args[0], self._pool.zero)
        if node.op == "sample":
            return self._mode(node, "sample", *args)
        if node.op not in RELATIONS or node.data is not None:
            return None
        left, right = args
        depends = max(self._depends(left), self._depends(right))
        if depends in (_EVENTS, _AFTER):
            return None
        if depends == _TIME:
            instant = self._instant(args)
            if instant is not None:
                return self._mode(node, "time", left, right, *instant)
        return self._mode(node, "state", left, right)

    def _mode(
        self, node: Expr, kind: str, left: Expr, right: Expr, instant: Expr | None = None, slope: Expr | None = None
    ) -> Expr:
        operator = node.op if node.op in RELATIONS else ""
        shown = text(node).replace(FLOOR, "floor")
        self.relations.append(Relation(kind, operator, left, right, shown, self._origin[node], instant, slope))
        return self._pool.mode(len(self.relations) - 1)

    def _depends(self, root: Expr) -> int:
        kinds = self._kind
        if root.level < TIME:
            return _EVENTS
        for node in varying([root], kinds):
            kinds[node] = self._depends_itself(node)
        return kinds[root]

    def _depends_itself(self, node: Expr) -> int:
        if node.op == "variable":
            return _CONTINUOUS
        if node.op == "time":
            return _TIME
        return max((self._kind.get(a, _EVENTS) for a in node.args), default=_EVENTS)

    def _instant(self, sides: Sequence[Expr]) -> tuple[Expr, Expr] | None:
        """The instant at which the sides meet, and the slope of their difference; None if that is not known in
        advance."""
        pool = self._pool
        try:
            (form,) = linear_forms(pool, [pool.sub(*sides)], [pool.time])
            slope = form.coefficients[pool.time]
            return pool.div(pool.neg(form.rest), slope), slope
        except (Nonlinear, Undefined, KeyError):
            return None


def _origins(system: EquationSystem) -> dict[Expr, Origin]:
    """The first origin of each node."""
    found: dict[Expr, Origin] = {}
    for root, origin in roots_of(system):
        for node in reachable([root], found):
            found.setdefault(node, origin)
    return found
