"""Gives relations and steps of time alone inside `noevent` their events (stage 3e): a step of a method hides no jump.

Their instants are known before the run, so that they cost a stop each. Those of states in `noevent`, and all in
`smooth`, are not changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from cutset.compiler.expressions.pool import TIME, Expr
from cutset.compiler.expressions.walk import reachable, rewrite, variables_of, varying
from cutset.compiler.flatten.model import EquationSystem, ScalarEquation
from cutset.contract.functions import RELATIONS, STEPS


def with_events_of_time(system: EquationSystem) -> EquationSystem:
    """The system; unchanged if it has no such relations."""
    residuals = [e.residual for e in system.equations]
    quiet = [n for n in varying(residuals) if n.op in (*RELATIONS, *STEPS) and n.data == "noevent"]
    if not quiet:
        return system
    timed = _timed({u.node for u in system.unknowns}, residuals)
    held = {d.node for d in system.discrete}

    def is_timed(node: Expr) -> bool:
        leaves = [n for n in reachable([node]) if not n.args and n.level == TIME]
        return any(n not in held for n in leaves) and all(n.op == "time" or n in timed or n in held for n in leaves)

    changed = {node for node in quiet if is_timed(node)}
    pool = system.pool

    def rule(node: Expr, args: Sequence[Expr]) -> Expr | None:
        if node not in changed:
            return None
        return pool.call(node.op, *args) if node.op in STEPS else pool.relation(node.op, args[0], args[1])

    made = rewrite(pool, residuals, rule) if changed else {e: e for e in residuals}
    equations = tuple(ScalarEquation(made[e.residual], e.origin) for e in system.equations)
    return replace(system, equations=equations)


def _timed(unknowns: set[Expr], residuals: Iterable[Expr]) -> set[Expr]:
    """The unknowns that equations determine from time and each other."""
    users: dict[Expr, list[int]] = {}
    left: list[set[Expr]] = []
    for k, residual in enumerate(residuals):
        left.append(set(variables_of(residual)))
        for variable in left[-1]:
            users.setdefault(variable, []).append(k)
    found: set[Expr] = set()
    ready = [k for k, variables in enumerate(left) if len(variables) == 1]
    while ready:
        for variable in left[ready.pop()] & unknowns:
            found.add(variable)
            for k in users[variable]:
                left[k].discard(variable)
                if len(left[k]) == 1:
                    ready.append(k)
    return found
