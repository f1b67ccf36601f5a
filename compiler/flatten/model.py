"""Defines the results of the flattening stage: FlatModel and EquationSystem."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from typing import NamedTuple

from cutset.compiler.diagnostics import Label, Span
from cutset.compiler.expressions.pool import Expr, Pool
from cutset.compiler.expressions.text import text
from cutset.compiler.expressions.walk import reachable, variables_of
from cutset.compiler.instantiate.events.model import Assertion, Events
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
from cutset.contract.names import rpartition
from cutset.contract.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class ConnectionSet:
    """Connected ends in the order of the text, and the joins that connect them."""

    ends: tuple[End, ...]
    joins: tuple[Join, ...]


@dataclass(frozen=True)
class FlatModel:
    """A model without hierarchy: all parameters, variables and equations by full name, connections turned into
    equations.

    places             the declaration of each submodel
    classes            the class of each submodel
    variables          include, with kind input, through variables of the object that it declares as input
    cuts               all elementary cuts by (instance, name)
    set_of             for each equation the number of its connection set, or -1
    after              maps the leaf of each discrete variable to that of its value after an event
    initial            the initial equations
    closed             the solutions of loops
    inactive_branches  for messages: branches whose equations are not part of the model
    given_starts       maps leaves to the parameters with which runs give their start values
    given              the names of parameters that runs give
    prescribed         further inputs: quantities that a run prescribes
    freed              inputs of the object that are unknowns instead
    found              the names of what is found instead, the outputs of such a problem
    notes              remarks on names of the model
    """

    name: str
    pool: Pool = field(repr=False)
    parameters: tuple[Parameter, ...]
    variables: tuple[Variable, ...]
    externals: tuple[External, ...]
    equations: tuple[ArrayEquation, ...]
    derivatives: Mapping[Expr, Expr]
    folded: Mapping[str, float | str]
    places: Mapping[str, Span] = field(repr=False)
    classes: Mapping[str, str] = field(repr=False)
    cuts: Mapping[tuple[str, str], Cut] = field(repr=False)
    sets: tuple[ConnectionSet, ...] = field(repr=False)
    set_of: tuple[int, ...] = field(repr=False)
    events: Events = Events()
    initial: tuple[ArrayEquation, ...] = ()
    closed: tuple[ArrayEquation, ...] = ()
    after: Mapping[Expr, Expr] = field(default_factory=dict)
    inactive_branches: tuple[InactiveBranches, ...] = field(default=(), repr=False)
    given_starts: Mapping[Expr, Expr] = field(default_factory=dict)
    given: frozenset[str] = frozenset()
    prescribed: tuple[Expr, ...] = ()
    freed: tuple[Expr, ...] = ()
    found: tuple[str, ...] = ()
    notes: tuple[Label, ...] = ()

    def written(self, path: str) -> str:
        """The submodel as the user knows it: the innermost one on the path that no file of the standard library
        declares."""
        while path and self.places[path].source.is_shipped:
            path = rpartition(path)[0]
        return path

    def __str__(self) -> str:
        lines = [f"{v.kind} {v.name}" for v in self.variables]
        lines += [f"external {e.name} is {e.internal}" for e in self.externals]
        lines += [f"discrete {v.data}" for v in self.after]
        lines += map(_equation, self.equations)
        lines += [f"initial {_equation(equation)}" for equation in self.initial]
        lines += [f"closed {_equation(equation)}" for equation in self.closed]
        return "\n".join([*lines, *self.events.lines()])


def _equation(equation: ArrayEquation) -> str:
    left, right = (", ".join(map(text, side.elements)) for side in (equation.left, equation.right))
    origin = f"  ({equation.default_of})" if equation.default_of else ""
    return f"{equation.instance or '(top)'}: {left} = {right}{origin}"


class Origin(NamedTuple):
    """The origin of an equation: its place in the text and the path of its instance. `reason` explains an equation that
    is not in the text."""

    span: Span
    instance: str
    reason: str = ""


class ScalarEquation(NamedTuple):
    """residual = 0"""

    residual: Expr
    origin: Origin


class Unknown(NamedTuple):
    """A scalar that varies in time and is neither an input nor discrete.

    start        the start value, which may depend on parameters; only a guess unless `fixed`
    strength     the priority of the start value
    start_place  where it is given
    defaults     the parameters whose defaults it uses
    start_parameters  those in start values of aliases, and in its own: they count more if a run gives them
    alternatives its own start value and those of aliases, if there are several
    nominal      the nominal value, which may depend on parameters
    """

    node: Expr
    start: Expr | None
    preference: int
    span: Span
    fixed: bool = True
    nominal: Expr | None = None
    strength: Strength = Strength.CLASS
    start_place: Span | None = None
    defaults: tuple[str, ...] = ()
    start_parameters: tuple[str, ...] = ()
    alternatives: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Discrete:
    """A scalar that keeps its value between events, so that equations know it. `after` is the leaf of its value after
    an event, which the updates of `events` define; `start` as for an unknown."""

    node: Expr
    after: Expr
    start: Expr | None
    fixed: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Relation:
    """A value that changes only at events, represented by a leaf 'mode' with its number. `kind` is

    'state'   left `operator` right, which changes where the two cross; the sides of == and <> change at events only
    'time'    the same, depending on time only: it changes at `instant`, and the sign of `slope` is the side of the
              crossing that follows
    'edge'    `left` has just become true
    'sample'  left is the first instant, right the interval

    `text` is its text in the model. A relation `at_ends` is evaluated at the ends of steps only, not located within.
    `opposite` is the number of the relation `>` of a `<`, or the reverse, if both being false states that the sides are
    equal; else -1. `equality` is the text of the == or <> in an equation of which it is the `<`; else "".
    """

    kind: str
    operator: str
    left: Expr
    right: Expr
    text: str
    origin: Origin
    instant: Expr | None = None
    slope: Expr | None = None
    at_ends: bool = False
    opposite: int = -1
    equality: str = ""


@dataclass(frozen=True, slots=True)
class Delay:
    """The leaf `node` is the value of the expression `value`, `time` (an expression of parameters) earlier."""

    node: Expr
    value: Expr
    time: Expr


class Alias(NamedTuple):
    """An eliminated variable; value is another variable, its negative, or an expression of parameters."""

    name: str
    value: Expr
    origin: Origin


class LoopSolution(NamedTuple):
    """The equation that gives a variable, which the model calls `name`, as the solution of a loop."""

    variable: Expr
    name: str
    equation: ScalarEquation


@dataclass(frozen=True)
class EquationSystem:
    """Scalar residuals with as many unknowns, where x and der(x) count as one. Inputs, discrete variables and the
    leaves of delays are known.

    `events` contain unknowns, known leaves, and the leaves for values after an event; their restarts set unknowns that
    have a derivative. `initial` are the residuals of the start. In all of them modes replace the `relations`.

    derivatives   maps an unknown to the unknown that is its derivative
    count         the number of scalar equations before aliases were eliminated
    synonyms      for the lower triangle of a symmetric matrix the name in the upper one; for an external variable the
                  name of the internal one
    outputs       the names of the outputs of the object
    positions     the names of positions that have a derivative
    missing       by how many the equations of the model are fewer than its unknowns
    repeated      equations of the model with 0 = 0 left
    notes         remarks on equations that were removed as redundant
    given_starts  variables whose start values are given by runs, as named before aliases were eliminated
    prescribed    inputs that are variables of the model
    pinned        eliminated variables with a derivative, whose values are those of parameters
    pivots        expressions of parameters that are finite while the states are a good choice, each with an equation
    solutions     those of loops, until they replace equations
    slopes        the derivative of a residual, where the model gives it
    sensitivities  the parameters by which all variables have derivatives, once these are added
    """

    name: str
    pool: Pool = field(repr=False)
    equations: tuple[ScalarEquation, ...]
    unknowns: tuple[Unknown, ...]
    inputs: tuple[Expr, ...]
    derivatives: Mapping[Expr, Expr]
    aliases: tuple[Alias, ...]
    parameters: tuple[Parameter, ...]
    folded: Mapping[str, float | str]
    count: int
    places: Mapping[str, Span] = field(repr=False)
    synonyms: Mapping[str, str] = field(default_factory=dict, repr=False)
    discrete: tuple[Discrete, ...] = ()
    delays: tuple[Delay, ...] = ()
    events: Events = Events()
    initial: tuple[ScalarEquation, ...] = ()
    relations: tuple[Relation, ...] = ()
    outputs: tuple[str, ...] = ()
    positions: tuple[str, ...] = ()
    missing: int = 0
    repeated: tuple[Origin, ...] = ()
    notes: tuple[Label, ...] = ()
    given_starts: tuple[Expr, ...] = ()
    prescribed: tuple[Expr, ...] = ()
    pinned: tuple[Unknown, ...] = ()
    pivots: tuple[tuple[Expr, ScalarEquation], ...] = ()
    solutions: tuple[LoopSolution, ...] = ()
    slopes: Mapping[Expr, ScalarEquation] = field(default_factory=dict)
    sensitivities: tuple[str, ...] = ()

    @property
    def known(self) -> tuple[Expr, ...]:
        """The leaves that vary in time and are not computed by the equations."""
        return (*self.inputs, *(d.node for d in self.discrete), *(d.node for d in self.delays))

    def rewritten(self, made: Mapping[Expr, Expr]) -> EquationSystem:
        """The system with other expressions in its equations, events and delays: those that `made` has for them."""

        def equations(given: tuple[ScalarEquation, ...]) -> tuple[ScalarEquation, ...]:
            return tuple(ScalarEquation(made.get(e.residual, e.residual), e.origin) for e in given)

        events = self.events.map(lambda e: made.get(e, e), lambda restart: restart)
        delays = tuple(replace(delay, value=made.get(delay.value, delay.value)) for delay in self.delays)
        regular, initial = equations(self.equations), equations(self.initial)
        slopes = {made.get(e, e): equations((slope,))[0] for e, slope in self.slopes.items()}
        return replace(self, equations=regular, initial=initial, events=events, delays=delays, slopes=slopes)

    def user_of(self, delay: Delay) -> Origin:
        """The first statement that uses the delayed value, or any if another delay uses it."""
        first = next(origin for _, origin in _stated(self))
        return next((origin for e, origin in _stated(self) if delay.node in variables_of(e)), Origin(first.span, ""))

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


def roots_of(system: EquationSystem) -> Iterator[tuple[Expr, Origin]]:
    """All expressions of the equations and events, with their origins."""
    yield from _stated(system)
    for delay in system.delays:
        yield delay.value, system.user_of(delay)


def _stated(system: EquationSystem) -> Iterator[tuple[Expr, Origin]]:
    for equation in (*system.equations, *system.initial):
        yield equation.residual, equation.origin
    for update in system.events.updates:
        yield update.value, Origin(update.span, update.instance)
    for when in system.events.whens:
        for branch in when.branches:
            yield branch.condition, Origin(branch.span, when.instance)
            for action in branch.actions():
                value = action.condition if isinstance(action, Assertion) else action.value
                yield value, Origin(action.span, action.instance)
    for assertion in system.events.assertions:
        yield assertion.condition, Origin(assertion.span, assertion.instance)


def bindings_of(parameters: Iterable[Parameter]) -> dict[Expr, Expr]:
    """The binding of each scalar parameter."""
    pairs = (zip(p.value.elements, p.binding.elements, strict=False) for p in parameters)
    return {leaf: binding for several in pairs for leaf, binding in several}


def parameters_under(bindings: Mapping[Expr, Expr], value: Expr) -> list[Expr]:
    """The parameters on which a value depends, directly or through others."""
    found: dict[Expr, None] = {}
    waiting = [value]
    while waiting:
        leaves = [e for e in reachable(waiting) if e.op == "parameter" and e not in found]
        found |= dict.fromkeys(leaves)
        waiting = [bindings[leaf] for leaf in leaves if leaf in bindings]
    return list(found)
