"""SortedSystem and SolvedSystem: the types of the sorting stage."""

from __future__ import annotations

from dataclasses import dataclass, field

from cutset.compiler.expressions.pool import Expr, Pool
from cutset.compiler.expressions.text import text
from cutset.compiler.flatten.model import EquationSystem, ScalarEquation


@dataclass(frozen=True, slots=True)
class Block:
    """Equations to be solved together for as many unknowns; equations[i] was matched with unknowns[i]."""

    equations: tuple[ScalarEquation, ...]
    unknowns: tuple[Expr, ...]


@dataclass(frozen=True)
class SortedSystem:
    """Index 1, in order of evaluation: a block uses states, inputs, its own unknowns and those of blocks before it.

    derivatives[i] is the variable that is the derivative of states[i]. `inputs` may hold derivatives of inputs
    that differentiation asked for; `differentiated` counts differentiations of equations."""

    system: EquationSystem
    states: tuple[Expr, ...]
    derivatives: tuple[Expr, ...]
    inputs: tuple[Expr, ...]
    blocks: tuple[Block, ...]
    differentiated: int

    def __str__(self) -> str:
        lines = [f"state {s.data}, derivative {d.data}" for s, d in zip(self.states, self.derivatives)]
        for block in self.blocks:
            names = ", ".join(str(u.data) for u in block.unknowns)
            lines.append(f"solve for {names}" if len(block.unknowns) == 1 else f"solve together for {names}")
            lines += [f"  0 = {text(e.residual)}" for e in block.equations]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Assignment:
    """unknown := value, in terms of states, inputs, parameters and time alone."""

    unknown: Expr
    value: Expr
    equation: ScalarEquation


@dataclass(frozen=True, slots=True)
class Torn:
    """A system of `size` equations, reduced to `torn` that are solved together."""

    size: int
    torn: int


@dataclass(frozen=True)
class SolvedSystem:
    """Every unknown is assigned exactly once; values share their common parts (one DAG)."""

    sorted_system: SortedSystem
    pool: Pool = field(repr=False)
    assignments: tuple[Assignment, ...]
    linear_systems: tuple[Torn, ...]

    def __str__(self) -> str:
        return "\n".join(f"{a.unknown.data} := {text(a.value)}" for a in self.assignments)
