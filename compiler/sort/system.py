"""Defines the results of the sorting stage: SortedSystem and SolvedSystem."""

from __future__ import annotations

from dataclasses import field
from typing import NamedTuple

from cutset.compiler.diagnostics import Label, Span
from cutset.compiler.expressions.linear import linear_forms
from cutset.compiler.expressions.pool import Expr, Pool
from cutset.compiler.expressions.text import text
from cutset.compiler.expressions.walk import variables_of
from cutset.compiler.flatten.model import Delay, EquationSystem, Origin, Relation, ScalarEquation
from cutset.compiler.instantiate.events.model import Assertion, Restart
from cutset.contract.names import is_made
from cutset.contract.quick_dataclass import dataclass


def is_written(variable: Expr) -> bool:
    """True for a variable of the model itself."""
    return not is_made(str(variable.data))


class Block(NamedTuple):
    """Equations that are solved together for as many unknowns; equations[i] was matched with unknowns[i]."""

    equations: tuple[ScalarEquation, ...]
    unknowns: tuple[Expr, ...]


@dataclass(frozen=True)
class SortedSystem:
    """A system of index 1 in order of evaluation: a block uses states, inputs, its own unknowns and those of earlier
    blocks.

    derivatives[i] is the variable that is the derivative of states[i]. `inputs` may include derivatives of inputs that
    differentiation requires; `differentiated` counts differentiations of equations.

    A system that stays unsolved has no blocks: all its unknowns are states. The last `algebraic` of them are not
    integrated, and their derivatives[i] are the residuals of equations; the last `slopes` of these are derivatives of
    others. In a stabilized system multipliers follow, and their residuals are constraints on the states
    that are integrated; the last of these, as many as there are multipliers, follow from the others. `origins` are
    those of the residuals of unknowns.
    """

    system: EquationSystem
    states: tuple[Expr, ...]
    derivatives: tuple[Expr, ...]
    inputs: tuple[Expr, ...]
    blocks: tuple[Block, ...]
    differentiated: int
    algebraic: int = 0
    slopes: int = 0
    multipliers: int = 0
    origins: tuple[Origin, ...] = ()
    jumps: tuple[Jump, ...] = ()

    def picked(self, state: Expr) -> list[Expr]:
        """The variables from which a state is chosen dynamically; none for a state of the model itself."""
        if is_written(state):
            return []
        residuals = (e.residual for block in self.blocks for e in block.equations)
        speaking = next((v for v in map(variables_of, residuals) if state in v), ())
        return [v for v in speaking if is_written(v)]

    def picks(self, state: Expr) -> dict[Expr, Expr]:
        """For each variable from which a state is chosen, the leaf that is 1 if it is the state, as far as that is
        known."""
        picked = self.picked(state)
        residuals = [e.residual for block in self.blocks for e in block.equations] if picked else []
        for residual in residuals:
            if state in variables_of(residual):
                (form,) = linear_forms(self.system.pool, [residual], picked)
                factors = {v: variables_of(e) for v, e in form.coefficients.items()}
                return {v: leaves[0] for v, leaves in factors.items() if len(leaves) == 1}
        return {}

    def __str__(self) -> str:
        lines = [f"state {s.data}, derivative {text(d)}" for s, d in zip(self.states, self.derivatives, strict=False)]
        for block in self.blocks:
            names = ", ".join(str(u.data) for u in block.unknowns)
            lines.append(f"solve for {names}" if len(block.unknowns) == 1 else f"solve together for {names}")
            lines += [f"  0 = {text(e.residual)}" for e in block.equations]
        return "\n".join(lines)


class Jump(NamedTuple):
    """A constraint that may jump at an event and whose derivatives belong to the system. The last but one of these
    contains the leaf `offset`, the last one its derivative, the leaf `rate`; both are zero except while a run solves a
    jump. They are None where a lower derivative must not jump. `residual` is without them; `held` are the truth values
    in it, which change with the held values."""

    residual: Expr
    origin: Origin
    held: tuple[Expr, ...]
    offset: Expr | None = None
    rate: Expr | None = None


class Assignment(NamedTuple):
    """unknown := value, in terms of states, inputs, parameters and time only. An unknown that `is_torn` is an iteration
    variable: it is solved together with others, and its equation is a residual."""

    unknown: Expr
    value: Expr
    equation: ScalarEquation
    is_torn: bool = False


Pivots = tuple[tuple[Expr, ScalarEquation], ...]


@dataclass(frozen=True, slots=True)
class Torn:
    """A system of `size` equations, of which `torn` are solved together."""

    size: int
    torn: int


@dataclass(frozen=True)
class SolvedSystem:
    """The solved system: every unknown is assigned exactly once; values share common parts (one DAG). `pivots` are
    expressions of parameters that are finite as long as these pivots are good, each with an equation of its system."""

    sorted_system: SortedSystem
    pool: Pool = field(repr=False)
    assignments: tuple[Assignment, ...]
    linear_systems: tuple[Torn, ...]
    nonlinear_systems: tuple[Torn, ...]
    pivots: Pivots = ()

    def __str__(self) -> str:
        return "\n".join(f"{a.unknown.data} := {text(a.value)}" for a in self.assignments)


class StartCheck(NamedTuple):
    """A start value given to a variable that follows from others: its name, the value, its place, whether it follows
    from states, the given values that determine it, by name, and if there are none, the initial equations."""

    variable: str
    value: Expr
    place: Span
    has_states: bool
    others: tuple[Label, ...]
    equations: tuple[Label, ...]


class StartCondition(NamedTuple):
    """A start condition that follows from others: its text, the others, its residual at the start, and the size of its
    terms."""

    label: Label
    others: tuple[Label, ...]
    rest: Expr
    size: Expr


@dataclass(frozen=True)
class Start:
    """How the states start.

    values      the states at the start, in terms of start leaves, parameters, inputs and modes
    given       the values of the start leaves, in terms of parameters, unless a run overrides them
    systems     the systems that have to be solved
    silent      states (in words) without any start value
    vain        start values that are not used
    guesses     start values that are guesses of iterations
    checks      start values that must agree with others
    defaults    parameters that count more if a run gives them
    weak        states whose start values count more if a run gives them
    conditions  conditions that follow from others
    pivots      as in `SolvedSystem`
    """

    given: tuple[Expr, ...]
    values: tuple[Expr, ...]
    linear_systems: tuple[Torn, ...]
    nonlinear_systems: tuple[Torn, ...]
    silent: tuple[str, ...] = ()
    vain: tuple[Label, ...] = ()
    guesses: tuple[Label, ...] = ()
    checks: tuple[StartCheck, ...] = ()
    defaults: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    conditions: tuple[StartCondition, ...] = ()
    pivots: Pivots = ()

    def __str__(self) -> str:
        lines = [f"start({k}) = {text(e)}" for k, e in enumerate(self.given)]
        return "\n".join([*lines, *(f"state {k} := {text(e)}" for k, e in enumerate(self.values))])


@dataclass(frozen=True)
class SolvedEvents:
    """The values that events need, in the same terms as the assignments, and in terms of leaves 'acting' that tell
    which branches act.

    relations   those of the system
    whens       the number of branches of each; `conditions` are theirs, one after the other
    discrete    the value of each discrete variable after the event
    states      likewise
    competing   restarts of variables that several `when` restart, with the value after the event and the number of the
                branch
    delays      those of the system
    assertions  with the number of the branch that contains them, or -1
    before      the variables that jumping constraints contain; leaves 'acting' after those of the branches hold their
                values before the event
    jumps       for each jumping constraint its residual, with these leaves, and the size of its terms
    motions     with sensitivities, of each relation how fast the difference of its sides changes, and its derivatives
    """

    relations: tuple[Relation, ...]
    whens: tuple[int, ...]
    conditions: tuple[Expr, ...]
    discrete: tuple[Expr, ...]
    states: tuple[Expr, ...]
    competing: tuple[tuple[Restart, int], ...]
    delays: tuple[Delay, ...]
    assertions: tuple[tuple[Assertion, int], ...]
    before: tuple[Expr, ...] = ()
    jumps: tuple[Expr, ...] = ()
    motions: tuple[Expr, ...] = ()

    def __str__(self) -> str:
        lines = [
            f"mode({k}): {r.kind} {text(r.left)} {r.operator or ','} {text(r.right)}"
            for k, r in enumerate(self.relations)
        ]
        lines += [f"condition({k}): {text(e)}" for k, e in enumerate(self.conditions)]
        lines += [f"discrete {k} := {text(e)}" for k, e in enumerate(self.discrete)]
        lines += [f"state {k} := {text(e)}" for k, e in enumerate(self.states)]
        lines += [f"jump {k // 2} := {text(e)}" for k, e in enumerate(self.jumps) if k % 2 == 0]
        return "\n".join([*lines, *(f"{a} (branch {b})" for a, b in self.assertions)])
