"""Numbers relations (stage 3e): a value that changes only at events becomes a mode, a leaf that is held between events.

This happens before equations are solved for each other, so that modes are known to all of them. Relations of values
that change at events only, of values after an event, in actions of a `when`, and inside `noevent` are not changed.
Orders nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
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


def with_relation_memory(system: EquationSystem, whole: Collection[Expr] = ()) -> EquationSystem:
    """The system with its relations numbered, in the order of creation. The variables `whole` are Boolean, Integer or
    of an enumeration: they change at events only."""
    numbering = _Numbering(system, frozenset(whole))
    actions = actions_of(system)
    edges = [node for node in reachable(actions) if node.op == "edge"]
    others = [root for root, _ in roots_of(system) if root not in set(actions)]
    made = rewrite(system.pool, [*others, *edges], numbering.rule)
    done = rewrite(system.pool, actions, lambda node, args: made[node] if node.op == "edge" else None)
    made |= {root: done[root] for root in actions if root not in made}

    held = system.rewritten(made)
    numbering.note_equalities(held.equations)
    return replace(held, relations=tuple(numbering.relations))


def actions_of(system: EquationSystem) -> list[Expr]:
    """Expressions that are computed only when a branch acts: their relations need not be watched."""
    roots = [root for root, _ in roots_of(system)]
    watched = {e.residual for e in (*system.equations, *system.initial)}
    watched |= {u.value for u in system.events.updates} | {b.condition for b in system.events.branches()}
    watched |= {a.condition for a in system.events.assertions} | {d.value for d in system.delays}
    return [root for root in dict.fromkeys(roots) if root not in watched]


class _Numbering:
    """`rule` is for `rewrite`: nodes come children first, and their arguments have their modes already."""

    def __init__(self, system: EquationSystem, whole: frozenset[Expr]):
        self._pool, self._whole = system.pool, whole
        self.relations: list[Relation] = []
        self._numbers: dict[tuple[str, Expr, Expr], int] = {}
        self._equalities: dict[int, str] = {}
        self._origin = _origins(system)
        self._kind: dict[Expr, int] = {d.node: _EVENTS for d in system.discrete}
        self._kind |= {d.after: _AFTER for d in system.discrete}

    def rule(self, node: Expr, args: Sequence[Expr]) -> Expr | None:
        if node.level < TIME:
            return None
        if node.op == "edge":
            return self._mode(node, "edge", args[0], args[1] if len(args) == 2 else self._pool.zero)
        if node.op == "sample":
            return self._mode(node, "sample", args[0], args[1])
        if node.op == "if" and self._is_sign(*args):
            self._equalities.pop(args[0].args[0].data, None)
        if node.op not in RELATIONS or node.data is not None:
            return None
        left, right = args
        depends = max(self._depends(left), self._depends(right))
        if depends in (_EVENTS, _AFTER):
            return None
        kind, instant, slope = "state", None, None
        if depends == _TIME:
            instant, slope = self._instant(args) or (None, None)
            kind = "state" if instant is None else "time"
        if node.op not in ("==", "<>") or self._is_whole(args):
            return self._mode(node, kind, left, right, instant, slope)
        # Neither side is the larger one: both are located.
        below, above = (self._mode(node, kind, left, right, instant, slope, operator) for operator in ("<", ">"))
        self._oppose(below, above)
        self._equalities[below.data] = _shown(node)
        unequal = self._pool.logical("or", below, above)
        return unequal if node.op == "<>" else self._pool.logical("not", unequal)

    def _is_sign(self, unequal: Expr, side: Expr, equal: Expr) -> bool:
        """True for the choice that stands for a sign: nobody has written its relations."""
        pool = self._pool
        is_pair = unequal.op == "or" and equal is pool.zero
        return is_pair and side is pool.choose(unequal.args[1], pool.one, pool.minus_one)

    def _mode(
        self,
        node: Expr,
        kind: str,
        left: Expr,
        right: Expr,
        instant: Expr | None = None,
        slope: Expr | None = None,
        operator: str = "",
    ) -> Expr:
        operator = operator or (node.op if node.op in RELATIONS else "")
        number = self._numbers.setdefault((operator or kind, left, right), len(self.relations))
        if number == len(self.relations):
            written = node if operator in ("", node.op) else self._pool.relation(operator, node.args[0], node.args[1])
            self.relations.append(
                Relation(kind, operator, left, right, _shown(written), self._origin[node], instant, slope)
            )
        return self._pool.mode(number)

    def _oppose(self, below: Expr, above: Expr) -> None:
        for one, other in ((below.data, above.data), (above.data, below.data)):
            self.relations[one] = replace(self.relations[one], opposite=other)

    def note_equalities(self, equations: Sequence[ScalarEquation]) -> None:
        """Give the relations that these equations contain as half of an == or <> its text."""
        if self._equalities:
            for node in varying([e.residual for e in equations]):
                if node.op == "mode" and node.data in self._equalities:
                    relation = replace(self.relations[node.data], equality=self._equalities[node.data])
                    self.relations[node.data] = relation

    def _is_whole(self, sides: Sequence[Expr]) -> bool:
        """True if both sides change at events only, whatever the equations of these variables."""
        leaves = [node for node in varying(sides) if node.op in ("variable", "time")]
        return all(leaf in self._whole or self._kind.get(leaf) == _EVENTS for leaf in leaves)

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


def _shown(relation: Expr) -> str:
    return text(relation).replace(FLOOR, "floor")


def _origins(system: EquationSystem) -> dict[Expr, Origin]:
    """The first origin of each node."""
    found: dict[Expr, Origin] = {}
    for root, origin in roots_of(system):
        for node in reachable([root], found):
            found.setdefault(node, origin)
    return found
