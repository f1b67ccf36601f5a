"""Orders start values by strength: SortedSystem -> candidates for the equations of the start, the strongest first.

A value given by the model precedes one of a class, and that the default of a parameter; the start value of a state
precedes that of another variable. A given value of a variable that is not a state determines states only if it does so
at the start values: an angle at a dead center does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from cutset.compiler.expressions.differentiate import partial_derivative
from cutset.compiler.expressions.linear import Nonlinear, linear_forms
from cutset.compiler.expressions.pool import PARAMETER, Expr, Undefined
from cutset.compiler.expressions.random_evaluation import RandomPoint
from cutset.compiler.expressions.user_function import NotDifferentiable
from cutset.compiler.expressions.walk import reachable, variables_of
from cutset.compiler.flatten.model import ScalarEquation, Unknown
from cutset.compiler.instantiate.instance import Strength, parameter_numbers
from cutset.compiler.sort.iteration_starts import IterationStarts
from cutset.compiler.sort.system import Block, SortedSystem
from cutset.compiler.structure.matching import greedy_transversal

# A block is singular if a pivot is this small relative to its row.
_SMALL = 1e-9
# The limit on the unknowns of a block to analyze.
_LARGEST = 1000


def is_firm(unknown: Unknown | None) -> bool:
    """True if its start value is more than a guess."""
    return unknown is not None and unknown.start is not None and unknown.fixed


def is_written(unknown: Unknown | None) -> bool:
    """True if the model or its run gives its start value."""
    return unknown is not None and is_firm(unknown) and unknown.strength >= Strength.MODEL


class Started:
    """The variables with start values, and the strength of these. `declared` holds the unknowns by their leaves."""

    def __init__(self, sorted_system: SortedSystem):
        self._sorted, system = sorted_system, sorted_system.system
        self.declared = {u.node: u for u in system.unknowns}
        self._integral = {d: v for v, d in system.derivatives.items()}
        self._found: dict[Expr, set[Expr]] = {}
        self._occurring: dict[int, set[Expr]] = {}

    @cached_property
    def has_initial_equations(self) -> bool:
        """True if the model has initial equations. Those that stand for a dynamic choice of states have the place of an
        equation that they come from."""
        places = {e.origin.span for e in self._sorted.system.equations}
        return any(e.origin.span not in places for e in self._sorted.system.initial)

    def state(self, k: int) -> Unknown | None:
        """The declaration of a state; None if no model declares it."""
        return self.declared.get(self._sorted.states[k])

    @cached_property
    def others(self) -> list[Unknown]:
        """The variables with a firm start value and a derivative that are not states."""
        states, derivatives = set(self._sorted.states), self._sorted.system.derivatives
        return [u for u in self.declared.values() if is_firm(u) and u.node in derivatives and u.node not in states]

    def led_by(self) -> list[Unknown]:
        """Those of the others that may determine a state whose own start value is not given."""
        if all(is_written(self.state(k)) for k in range(len(self._sorted.states))):
            return []
        written = [u for u in self.others if is_written(u)]
        return [u for u in written if not (self.is_guess(u.node) and self._depends_on_a_preference(u.node))]

    def left_without_state(self, leading: Sequence[Unknown]) -> list[Unknown]:
        """The given velocities that can determine no state beside the stronger ones: a velocity determines none from
        which its position follows."""
        velocities = [u for u in leading if u.node in self._integral]
        led: dict[Expr, list[int]] = {}
        for k, unknown in enumerate(velocities):
            positions = self._behind(self._integral[unknown.node])
            for s in self.roots(unknown.node):
                if s not in positions and not is_written(self.declared.get(s)):
                    led.setdefault(s, []).append(k)
        leaders = greedy_transversal(list(led.values()), range(len(velocities)))
        return [u for k, u in enumerate(velocities) if k not in leaders]

    def is_guess(self, variable: Expr) -> bool:
        """True if it follows from equations with several solutions, among which its start value chooses. A velocity
        follows from others without such equations, by differentiation, whatever its position follows from."""
        if not self._behind(variable).isdisjoint(self._integral):
            return variable in self.iterated
        return not self.iterated.isdisjoint(self._behind(variable))

    def is_driven(self, variable: Expr) -> bool:
        """True if it follows from what a run prescribes in place of the model: then it does not start at its own start
        value."""
        prescribes = bool(self._sorted.system.prescribed)
        return prescribes and not self._behind(variable).isdisjoint(self._sorted.inputs)

    def hangs_on_relations(self, variable: Expr) -> bool:
        """True if it follows from equations in which 'state' relations choose, so that its start value chooses among
        them."""
        relations = {k for k, r in enumerate(self._sorted.system.relations) if r.kind == "state"}
        blocks = {self._block_of[v] for v in self._behind(variable) if v in self._block_of} if relations else set()
        residuals = [e.residual for k in blocks for e in self._sorted.blocks[k].equations]
        return any(node.op == "mode" and node.data in relations for node in reachable(residuals))

    @cached_property
    def iterated(self) -> set[Expr]:
        """The unknowns of nonlinear equations: their start values choose among several solutions."""
        return {v for block in self._sorted.blocks if not is_linear(self._sorted, block) for v in block.unknowns}

    @cached_property
    def _block_of(self) -> dict[Expr, int]:
        return {v: k for k, block in enumerate(self._sorted.blocks) for v in block.unknowns}

    def roots(self, variable: Expr) -> list[Expr]:
        """The states from which the variable follows."""
        behind = self._behind(variable)
        return [s for s in self._sorted.states if s in behind]

    def _behind(self, variable: Expr) -> set[Expr]:
        """Everything from which it follows, including itself, up to states."""
        if variable not in self._found:
            waiting, seen, passed = [variable], {variable}, set[int]()
            while waiting:
                block = self._block_of.get(waiting.pop(), -1)
                if block >= 0 and block not in passed:
                    passed.add(block)
                    near = self._variables_in(block) - seen
                    seen |= near
                    waiting += near
            self._found[variable] = seen
        return self._found[variable]

    def _variables_in(self, block: int) -> set[Expr]:
        if block not in self._occurring:
            residuals = [e.residual for e in self._sorted.blocks[block].equations]
            self._occurring[block] = {v for residual in residuals for v in variables_of(residual)}
        return self._occurring[block]

    def is_preferred(self, v: Expr) -> bool:
        """True if the model prefers it, or the variable that it is the derivative of, as a state."""
        while True:
            if v in self.declared and self.declared[v].preference > 0:
                return True
            if v not in self._integral:
                return False
            v = self._integral[v]

    def _depends_on_a_preference(self, variable: Expr) -> bool:
        """True if it follows from states that the model prefers, and from no other one whose value is not given. Then
        their values count, and this one is a guess."""
        roots = self.roots(variable)
        free = [s for s in roots if not is_written(self.declared.get(s))]
        return all(map(self.is_preferred, free)) if free else any(map(self.is_preferred, roots))


def is_linear(sorted_system: SortedSystem, block: Block) -> bool:
    """True if the equations are linear in the unknowns."""
    try:
        linear_forms(sorted_system.system.pool, [e.residual for e in block.equations], block.unknowns)
    except (Nonlinear, Undefined):
        return False
    return True


class AtStart:
    """Blocks of equations evaluated numerically at the start values of the model."""

    def __init__(self, sorted_system: SortedSystem):
        system = sorted_system.system
        self._pool, self._guesses = system.pool, IterationStarts(system)
        known: dict[Expr, float] = {
            **parameter_numbers(system.parameters),
            self._pool.time: 0.0,
            **dict.fromkeys(system.inputs, 0.0),
        }
        self._probe = RandomPoint(known | {self._pool.mode(k): 0.0 for k in range(len(system.relations))})
        self._known: set[Expr] = set()

    def are_singular(self, equations: Sequence[ScalarEquation], unknowns: Sequence[Expr]) -> bool:
        """True if the equations do not determine the unknowns there; False if that is unknown."""
        if len(unknowns) > _LARGEST:
            return False
        try:
            rows = [self._row(e.residual, unknowns) for e in equations]
        except (NotDifferentiable, Undefined):
            return False
        finite = all(abs(x) < float("inf") for row in rows for x in row.values())
        return finite and not _has_full_rank(rows)

    def _row(self, residual: Expr, unknowns: Iterable[Expr]) -> dict[int, float]:
        present = set(variables_of(residual))
        slopes = {k: partial_derivative(self._pool, residual, v) for k, v in enumerate(unknowns) if v in present}
        # Only variables on which the slopes depend are evaluated: finding guesses takes time.
        for v in (v for slope in slopes.values() if slope.level > PARAMETER for v in variables_of(slope)):
            if v not in self._known:
                self._known.add(v)
                self._probe.know(v, self._probe.value(self._guesses.get(v, self._pool.zero)))
        return {k: x for k, slope in slopes.items() if (x := self._probe.value(slope)) != 0.0}


def _has_full_rank(rows: list[dict[int, float]]) -> bool:
    """True if Gaussian elimination, with the largest element of each row as its pivot, finds no dependent row."""
    sizes = [max(map(abs, row.values()), default=0.0) for row in rows]
    waiting = {k: dict(row) for k, row in enumerate(rows)}
    while waiting:
        best = max(waiting, key=lambda k: max(map(abs, waiting[k].values()), default=0.0) / (sizes[k] or 1.0))
        row = waiting.pop(best)
        column = max(row, key=lambda j: abs(row[j]), default=-1)
        if column < 0 or abs(row[column]) <= _SMALL * sizes[best]:
            return False
        for other in waiting.values():
            factor = other.pop(column, 0.0) / row[column]
            if factor:
                other.update({j: other.get(j, 0.0) - factor * x for j, x in row.items() if j != column})
    return True
