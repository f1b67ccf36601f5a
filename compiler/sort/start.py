"""Stage 5c. SortedSystem -> Start: which equations determine the states at the start, solved by the same means.

To the sorted equations come those of `initial` and the start values, the strongest first: what has to hold, explicit starts of
states, those of other variables with a derivative, and zero for what is left. Must not solve anything itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cutset.compiler.diagnostics import Diagnostic, Label, ModelError
from cutset.compiler.expressions.pool import Expr, Pool
from cutset.compiler.expressions.walk import variables_of
from cutset.compiler.flatten.model import Origin, ScalarEquation, Unknown
from cutset.compiler.sort import messages
from cutset.compiler.sort.solve import solve
from cutset.compiler.sort.system import Block, SortedSystem, Start
from cutset.compiler.structure.starts import StartPlan, plan_start


def solve_start(sorted_system: SortedSystem) -> Start:
    """Raises ModelError where conditions of the start contradict each other or do not determine the states."""
    system, pool = sorted_system.system, sorted_system.system.pool
    declared = {u.node: u for u in system.unknowns}
    given = tuple(_given(declared.get(state), pool) for state in sorted_system.states)
    direct = tuple(pool.start(k) for k in range(len(given)))
    if not system.initial and not _others(sorted_system, declared):
        return Start(given, direct, (), ())
    return _Search(sorted_system, declared, given, direct).start()


@dataclass(frozen=True, slots=True)
class _Candidate:
    """An equation that may determine the start, or has to; `state` is the number of that whose start value it is, or -1."""

    equation: ScalarEquation
    is_required: bool
    state: int = -1


def _given(unknown: Unknown | None, pool: Pool) -> Expr:
    return pool.zero if unknown is None or unknown.start is None else unknown.start


def _is_firm(unknown: Unknown | None) -> bool:
    return unknown is not None and unknown.start is not None and unknown.fixed


def _others(sorted_system: SortedSystem, declared: dict[Expr, Unknown]) -> list[Unknown]:
    """What has a firm start value and a derivative and is no state, where some state has no firm one."""
    if all(_is_firm(declared.get(state)) for state in sorted_system.states):
        return []
    states, derivatives = set(sorted_system.states), sorted_system.system.derivatives
    return [u for u in declared.values() if _is_firm(u) and u.node in derivatives and u.node not in states]


class _Search:
    def __init__(
        self,
        sorted_system: SortedSystem,
        declared: dict[Expr, Unknown],
        given: tuple[Expr, ...],
        direct: tuple[Expr, ...],
    ):
        self._sorted = sorted_system
        self._pool = sorted_system.system.pool
        self._given, self._direct = given, direct
        self._declared = declared
        self._variables = [*sorted_system.states, *(u for block in sorted_system.blocks for u in block.unknowns)]
        self._index = {v: k for k, v in enumerate(self._variables)}
        self._equations = [e for block in sorted_system.blocks for e in block.equations]
        self._candidates = list(self._in_order())

    def start(self) -> Start:
        rows = [self._row(e) for e in self._equations]
        candidates = [self._row(c.equation) for c in self._candidates]
        required = sum(1 for c in self._candidates if c.is_required)
        plan = plan_start(rows, candidates, required, len(self._variables))
        if plan.refused:
            raise ModelError([self._too_many(plan.refused)])
        chosen = [self._candidates[k] for k in plan.chosen]
        solved = solve(self._system(plan, [*self._equations, *(c.equation for c in chosen)]))
        values = {a.unknown: a.value for a in solved.assignments}
        return Start(
            self._given,
            tuple(values[state] for state in self._sorted.states),
            solved.linear_systems,
            solved.nonlinear_systems,
        )

    def _in_order(self) -> Iterator[_Candidate]:
        """The strongest first."""
        system, states = self._sorted.system, self._sorted.states
        yield from (_Candidate(equation, True) for equation in system.initial)
        firm = [k for k, state in enumerate(states) if _is_firm(self._declared.get(state))]
        yield from (self._of_state(k, True) for k in firm)
        for unknown in _others(self._sorted, self._declared):
            assert unknown.start is not None
            residual = self._pool.sub(unknown.node, unknown.start)
            yield _Candidate(ScalarEquation(residual, Origin(unknown.span, "")), False)
        weak = [k for k in range(len(states)) if k not in set(firm)]
        # A guess is worth more than nothing at all.
        weak.sort(key=lambda k: self._given[k] is self._pool.zero)
        yield from (self._of_state(k, False) for k in weak)

    def _of_state(self, k: int, is_required: bool) -> _Candidate:
        state = self._sorted.states[k]
        residual = self._pool.sub(state, self._direct[k])
        unknown = self._declared.get(state)
        span = unknown.span if unknown else self._equations[0].origin.span
        return _Candidate(ScalarEquation(residual, Origin(span, "")), is_required, k)

    def _row(self, equation: ScalarEquation) -> list[int]:
        return [self._index[v] for v in variables_of(equation.residual) if v in self._index]

    def _system(self, plan: StartPlan, equations: list[ScalarEquation]) -> SortedSystem:
        """The blocks that the states need, as a system of its own."""
        blocks = [
            Block(tuple(equations[e] for e in block), tuple(self._variables[plan.matching[e]] for e in block))
            for block in plan.blocks
        ]
        needed = set(self._sorted.states)
        kept = []
        for block in reversed(blocks):
            if needed.isdisjoint(block.unknowns):
                continue
            kept.append(block)
            needed.update(v for equation in block.equations for v in variables_of(equation.residual))
        return SortedSystem(self._sorted.system, (), (), self._sorted.inputs, tuple(reversed(kept)), 0)

    def _too_many(self, refused: tuple[tuple[int, tuple[int, ...]], ...]) -> Diagnostic:
        positions = dict.fromkeys(k for k, _ in refused)
        positions |= dict.fromkeys(k for _, others in refused for k in others if self._candidates[k].is_required)
        # What is written as an equation is blamed rather than a start value that it comes on top of.
        ordered = sorted(positions, key=lambda k: (k not in dict(refused), self._candidates[k].state >= 0, -k))
        labels = [self._label(self._candidates[k]) for k in ordered]
        states = [str(state.data) for state in self._sorted.states]
        return messages.start_overdetermined(len(refused), states, labels, self._sorted.system.name)

    def _label(self, candidate: _Candidate) -> Label:
        origin = candidate.equation.origin
        if candidate.state >= 0:
            return Label(origin.span, f"'{self._sorted.states[candidate.state].data}' begins at its start value")
        return Label(origin.span, f"an equation of the start, in {origin.instance or self._sorted.system.name}")
