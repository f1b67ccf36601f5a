"""FlatModel and EquationSystem: the types of the flattening stage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cutset.compiler.diagnostics import Span
from cutset.compiler.expressions.pool import Expr, Pool
from cutset.compiler.expressions.text import text
from cutset.compiler.instantiate.instance import Cut, End, Join, Parameter, TensorEquation, Variable


@dataclass(frozen=True, slots=True)
class ConnectionSet:
    """Ends that meet, in the order of the text, and the joins that brought them together."""

    ends: tuple[End, ...]
    joins: tuple[Join, ...]


@dataclass(frozen=True)
class FlatModel:
    """One level: all parameters, variables and equations by full name, connections turned into equations.

    `places` says where each submodel is declared, `classes` of which class it is; own through variables of the object
    that are declared as input stay in `variables` with kind input. `cuts` are all elementary cuts by (instance, name);
    `set_of` gives for each equation the number of the connection set it comes from, or -1."""

    name: str
    pool: Pool = field(repr=False)
    parameters: tuple[Parameter, ...]
    variables: tuple[Variable, ...]
    equations: tuple[TensorEquation, ...]
    derivatives: Mapping[Expr, Expr]
    folded: Mapping[str, float]
    places: Mapping[str, Span] = field(repr=False)
    classes: Mapping[str, str] = field(repr=False)
    cuts: Mapping[tuple[str, str], Cut] = field(repr=False)
    sets: tuple[ConnectionSet, ...] = field(repr=False)
    set_of: tuple[int, ...] = field(repr=False)

    def __str__(self) -> str:
        lines = [f"{v.kind} {v.name}" for v in self.variables]
        for equation in self.equations:
            left, right = (", ".join(map(text, side.elements)) for side in (equation.left, equation.right))
            lines.append(f"{equation.instance or '(top)'}: {left} = {right}")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an equation comes from: its place in the text and the path of its instance. `reason` is said of those
    that nobody wrote."""

    span: Span
    instance: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ScalarEquation:
    """residual = 0"""

    residual: Expr
    origin: Origin


@dataclass(frozen=True, slots=True)
class Unknown:
    """A scalar that varies in time and is not an input. `start` may use parameters."""

    node: Expr
    start: Expr | None
    preference: int
    span: Span


@dataclass(frozen=True, slots=True)
class Alias:
    """A variable that was eliminated: value is another variable, its negative, or an expression of parameters."""

    name: str
    value: Expr
    origin: Origin


@dataclass(frozen=True)
class EquationSystem:
    """Scalar residuals with as many unknowns, counting x and der(x) as one.

    `derivatives` maps an unknown to the unknown that is its derivative; `count` is the number of scalar equations
    before aliases were eliminated, `mirrored` gives for the lower triangle of symmetric matrices the name in the upper
    one."""

    name: str
    pool: Pool = field(repr=False)
    equations: tuple[ScalarEquation, ...]
    unknowns: tuple[Unknown, ...]
    inputs: tuple[Expr, ...]
    derivatives: Mapping[Expr, Expr]
    aliases: tuple[Alias, ...]
    parameters: tuple[Parameter, ...]
    folded: Mapping[str, float]
    count: int
    places: Mapping[str, Span] = field(repr=False)
    mirrored: Mapping[str, str] = field(default_factory=dict, repr=False)

    def __str__(self) -> str:
        lines = [f"unknown {u.node.data}" for u in self.unknowns]
        lines += [f"input {i.data}" for i in self.inputs]
        lines += [f"alias {a.name} = {text(a.value)}" for a in self.aliases]
        lines += [f"0 = {text(e.residual)}" for e in self.equations]
        return "\n".join(lines)
