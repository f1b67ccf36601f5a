"""FlatModel and EquationSystem: the types of the flattening stage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from cutset.compiler.diagnostics import Label, Span
from cutset.compiler.expressions.pool import Expr, Pool
from cutset.compiler.expressions.text import text
from cutset.compiler.expressions.walk import variables_of
from cutset.compiler.instantiate.events.model import Events
from cutset.compiler.instantiate.instance import (
    ArrayEquation,
    Cut,
    End,
    External,
    InactiveBranches,
    Join,
    Parameter,
    Strength,
    Variable,
)


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
    `set_of` gives for each equation the number of the connection set it comes from, or -1. `after` maps the leaf of
    each discrete variable to that of its value after an event; `initial` are the equations of the start.
    `inactive_branches` takes part in no equation: it says of messages why one is missing."""

    name: str
    pool: Pool = field(repr=False)
    parameters: tuple[Parameter, ...]
    variables: tuple[Variable, ...]
    externals: tuple[External, ...]
    equations: tuple[ArrayEquation, ...]
    derivatives: Mapping[Expr, Expr]
    folded: Mapping[str, float]
    places: Mapping[str, Span] = field(repr=False)
    classes: Mapping[str, str] = field(repr=False)
    cuts: Mapping[tuple[str, str], Cut] = field(repr=False)
    sets: tuple[ConnectionSet, ...] = field(repr=False)
    set_of: tuple[int, ...] = field(repr=False)
    events: Events = Events()
    initial: tuple[ArrayEquation, ...] = ()
    after: Mapping[Expr, Expr] = field(default_factory=dict)
    inactive_branches: tuple[InactiveBranches, ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        lines = [f"{v.kind} {v.name}" for v in self.variables]
        lines += [f"external {e.name} is {e.internal}" for e in self.externals]
        lines += [f"discrete {v.data}" for v in self.after]
        lines += map(_equation, self.equations)
        lines += [f"initial {_equation(equation)}" for equation in self.initial]
        return "\n".join([*lines, *self.events.lines()])


def _equation(equation: ArrayEquation) -> str:
    left, right = (", ".join(map(text, side.elements)) for side in (equation.left, equation.right))
    origin = f"  ({equation.default_of})" if equation.default_of else ""
    return f"{equation.instance or '(top)'}: {left} = {right}{origin}"


class Origin(NamedTuple):
    """Where an equation comes from: its place in the text and the path of its instance. `reason` is said of those
    that nobody wrote."""

    span: Span
    instance: str
    reason: str = ""


class ScalarEquation(NamedTuple):
    """residual = 0"""

    residual: Expr
    origin: Origin


class MotionVariables(NamedTuple):
    """The names of positions and of velocities that have a derivative."""

    positions: tuple[str, ...]
    velocities: tuple[str, ...]


class Unknown(NamedTuple):
    """A scalar that varies in time and is neither an input nor discrete. `start` may use parameters; it is a guess
    alone where it is not `fixed`, and counts by its `strength`; `start_place` is where it is given, `defaults` are the
    parameters whose defaults it uses. `nominal` is its usual magnitude, which may use parameters."""

    node: Expr
    start: Expr | None
    preference: int
    span: Span
    fixed: bool = True
    nominal: Expr | None = None
    strength: Strength = Strength.CLASS
    start_place: Span | None = None
    defaults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Discrete:
    """A scalar that keeps its value between events: known to the equations. `after` is the leaf of its value after an
    event, which the updates of `events` give; `start` as for an unknown."""

    node: Expr
    after: Expr
    start: Expr | None
    fixed: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Relation:
    """What changes its truth at instants alone, where a leaf 'mode' with its number stands for it. `kind` is

    'state'   left `operator` right, which changes where the two cross (never looked for where they are only equal or
              not)
    'time'    the same, of time alone: it changes at `instant`, and the side on which it then is has the sign of `slope`
    'edge'    `left` has just become true
    'sample'  the first instant is left, the interval right

    `text` is what the model says. One `at_ends` is looked at where a step ends, and not resolved within it."""

    kind: str
    operator: str
    left: Expr
    right: Expr
    text: str
    origin: Origin
    instant: Expr | None = None
    slope: Expr | None = None
    at_ends: bool = False


@dataclass(frozen=True, slots=True)
class Delay:
    """The leaf `node` is the value that the expression `value` had `time` (an expression of parameters) ago."""

    node: Expr
    value: Expr
    time: Expr


class Alias(NamedTuple):
    """A variable that was eliminated: value is another variable, its negative, or an expression of parameters."""

    name: str
    value: Expr
    origin: Origin


@dataclass(frozen=True)
class EquationSystem:
    """Scalar residuals with as many unknowns, counting x and der(x) as one. Known to them are inputs, discrete
    variables and the leaves of delays.

    `events` speak of unknowns, of what is known, and of the leaves for values after an event; their restarts give
    unknowns that have a derivative. `initial` are the residuals of the start. In all of them modes stand for the
    `relations`.

    `derivatives` maps an unknown to the unknown that is its derivative; `count` is the number of scalar equations
    before aliases were eliminated, `synonyms` gives for the lower triangle of symmetric matrices the name in the
    upper one, and for what is external the name that it has as internal. `outputs` are the names of those of the
    object. `missing` is how many equations fewer than unknowns the model has as it is written; of those `repeated` 0 =
    0 is left. `notes` are what is said of equations that were left out as they say nothing new."""

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
    synonyms: Mapping[str, str] = field(default_factory=dict, repr=False)
    discrete: tuple[Discrete, ...] = ()
    delays: tuple[Delay, ...] = ()
    events: Events = Events()
    initial: tuple[ScalarEquation, ...] = ()
    relations: tuple[Relation, ...] = ()
    outputs: tuple[str, ...] = ()
    motion_variables: MotionVariables = field(default_factory=lambda: MotionVariables((), ()))
    missing: int = 0
    repeated: tuple[Origin, ...] = ()
    notes: tuple[Label, ...] = ()

    @property
    def known(self) -> tuple[Expr, ...]:
        """The leaves that vary in time and are not computed by the equations."""
        return (*self.inputs, *(d.node for d in self.discrete), *(d.node for d in self.delays))

    def user_of(self, delay: Delay) -> Origin:
        """Where the delayed value is used: an equation, the first where none does."""
        user = next((e for e in self.equations if delay.node in variables_of(e.residual)), None)
        return user.origin if user else Origin(self.equations[0].origin.span, "")

    def __str__(self) -> str:
        lines = [f"unknown {u.node.data}" for u in self.unknowns]
        lines += [f"input {i.data}" for i in self.inputs]
        lines += [f"discrete {d.node.data}" + (f", start {text(d.start)}" if d.start else "") for d in self.discrete]
        lines += [f"delay {d.node.data} = {text(d.value)}, {text(d.time)} ago" for d in self.delays]
        lines += [f"mode({k}) is {r.kind} {r.text}" for k, r in enumerate(self.relations)]
        lines += [f"alias {a.name} = {text(a.value)}" for a in self.aliases]
        lines += [f"0 = {text(e.residual)}" for e in self.equations]
        lines += [f"initial 0 = {text(e.residual)}" for e in self.initial]
        return "\n".join([*lines, *self.events.lines()])
