"""Keeps a system as it is, for the method bdf (stage 5 instead of solving): SortedSystem -> Unreduced.

Nothing is torn, solved or eliminated: every unknown that the sorted system has is integrated with the others, as the
solution of 0 = F(t, y, y') of index 1. y begins with the states; their equations are x' = v, where v is the variable
that is the derivative of x. The other equations are those of the blocks, each in the place of the unknown that was
matched with it. A. S. Koh, J. P. Park, Object oriented dynamics simulator, Computational Mechanics 14 (1994) 277-287,
section 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cutset.compiler.expressions.pool import Expr
from cutset.compiler.flatten.model import EquationSystem
from cutset.compiler.sort.events import solve_events
from cutset.compiler.sort.system import SolvedEvents, SolvedSystem, SortedSystem, Start
from cutset.contract.quick_dataclass import dataclass


@dataclass(frozen=True)
class Unreduced:
    """A system in which nothing is solved, its start, and its events in terms of all unknowns."""

    solved: SolvedSystem
    start: Start
    events: SolvedEvents

    def __str__(self) -> str:
        return str(self.solved.sorted_system)


def unreduced(sorted_system: SortedSystem, start: Start) -> Unreduced:
    """The system as it is, from the start. ModelError if its events are wrong."""
    system = sorted_system.system
    events = solve_events(SolvedSystem(sorted_system, system.pool, (), (), ()))
    pairs = [pair for b in sorted_system.blocks for pair in zip(b.unknowns, b.equations, strict=True)]
    derived = derivatives_among(system, [unknown for unknown, _ in pairs])
    pairs.sort(key=lambda pair: pair[0] in derived)
    unknowns = [unknown for unknown, _ in pairs]
    whole = replace(
        sorted_system,
        states=(*sorted_system.states, *unknowns),
        derivatives=(*sorted_system.derivatives, *(equation.residual for _, equation in pairs)),
        blocks=(),
        algebraic=len(unknowns),
        slopes=sum(unknown in derived for unknown in unknowns),
        origins=tuple(equation.origin for _, equation in pairs),
    )
    return Unreduced(
        SolvedSystem(whole, system.pool, (), (), ()),
        _with_guesses(start, system, unknowns),
        replace(events, states=(*events.states, *unknowns)),
    )


def derivatives_among(system: EquationSystem, unknowns: Sequence[Expr]) -> set[Expr]:
    """Those unknowns that are derivatives of others, in the model or by differentiation."""
    own = {u.node for u in system.unknowns}
    return {u for u in unknowns if u not in own}.union(system.derivatives.values())


def _with_guesses(start: Start, system: EquationSystem, unknowns: Sequence[Expr]) -> Start:
    """The start with a guess for each of these unknowns; the run solves the equations from there."""
    given, pool, first = {u.node: u.start for u in system.unknowns}, system.pool, len(start.given)
    return replace(
        start,
        given=(*start.given, *(given.get(u) or pool.zero for u in unknowns)),
        values=(*start.values, *(pool.start(first + k) for k in range(len(unknowns)))),
    )
