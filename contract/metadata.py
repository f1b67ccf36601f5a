"""Fixes what generated code and the runtime know of each other: the entry points of the code, and the metadata.

A translated model is a set of files, name -> text (`SourceFiles`):

- ``model.json``: the metadata, read into `ModelInfo` (`model_json.py`).
- ``model.c`` or ``model.py``: the functions below, which may call functions of the model (f0, f1, ...). In C their
  names carry the prefix ``cutset_``, all return ``void`` and all arrays are ``double *``; in Python they have the same
  arguments in the same order (indexable sequences, written in place) and call the functions of ``math`` as free names.

============================================  ===============================================================
``bindings(p, given)``                        p[i] := default or binding of parameter i, in order, unless given[i] != 0
``constants(p, c)``                           every expression of parameters alone that the rest needs, once per run
``starts(c, s)``                              what the model says of the start: states, discrete variables, guesses
``start(t, u, c, m, s, w, x)``                the states at the start, out of the initial system
``nominals(c, n)``                            the usual magnitude of each state, 1 where the model gives none
``instants(c, m, te)``                        for each relation of time alone: when it changes, and the sign of its
                                              slope there
``derivatives(t, x, u, c, m, w, dx)``         the right-hand side; w is scratch memory of size n_work
``jacobian(t, x, u, c, m, w, j)``             the derivatives of dx by x in the places of `ModelInfo.jacobian`, where
                                              has_jacobian
``watch(c, m, w, h)``                         the crossings by the watched numbers, then the weights of these; where
                                              there are such numbers
``crossings(t, x, u, c, m, w, g)``            left minus right side of the relations in `ModelInfo.crossings`
``variables(t, x, u, c, m, w, y)``            every other unknown, in the order in which it is solved, and what events
                                              need
``updates(t, x, u, c, m, f, w, e)``           discrete variables and then states after the event at which branch k acts
                                              if f[k]; then what each of `ModelInfo.rivals` gives, 0 where its branch
                                              does not act
``delayed(t, x, u, c, m, w, v)``              for each of `ModelInfo.delays` the value that is delayed, and by what time
============================================  ===============================================================

p parameters, c constants, x states, u inputs and behind them the delayed values, s starts, y variables; time in
seconds.

m is held between events: first the value (0 or 1) of each of `ModelInfo.relations`, then the discrete variables. With
all of m held the model is smooth; the integrator never steps over an event. After the n_variables variables y has two
numbers for each relation, then the condition (0 or 1) of each branch of `ModelInfo.whens` and that of each of
`ModelInfo.assertions`. The two numbers are

- 'state', 'time': left and right side (0 or 1 for a truth value); the relation holds where `operator` is true of them;
- 'edge': whether what must become true is true, and 0; the relation holds in the first pass in which it has become so;
- 'sample': first instant and interval; it holds in the first pass at such an instant.

s has the start values of the states, then those of the discrete variables, those that are to be compared with what
comes out at the start (`start_checks`, `choosing_starts`, `started` of each of `closings`), then the first guesses. w
begins with the n_guesses guesses of the iterations of nonlinear systems: they are set from s before the first call and
stay from call to call; the rest of w may be lost between calls. Those of each are the values of its unknowns, the
orientation of the branch that the solution is on (the sign of the determinant, 0: not known yet), and the nominal
values of its unknowns. Behind all guesses ``derivatives`` leaves n_guards further numbers that have to be finite as dx
has: what is not can make no rate undefined. Behind these it leaves n_watched numbers by which ``watch`` gives all
crossings; the numbers behind these in h are weights: as long as the sum of the changes of the numbers, each times its
weight, is below 1, nothing can have crossed since. A linear system that may leave something open is solved by
``cutset_solve_open`` of open_systems.h, in Python by `solve_open`, which notes its number. A nonlinear system is solved
by ``cutset_newton`` of cutset_support.h, in Python by `newton`. States are chosen by ``cutset_exchange`` of exchange.h,
and judged by ``cutset_quality``, in Python by `exchange` and `quality`. A function of the model that has no value gives
nan and leaves the number of a text of `ModelInfo.faults` (from 1): by
``cutset_fault`` or `cutset_fail` in C, by `fail` in Python. One in Python is called by its number:
`cutset_call_external`, `external`. Both targets evaluate the same operations in the same order; they agree to rounding.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

SourceFiles = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a name finds its value: array 'x', 'u', 'p' or 'y', index there, and the sign of the alias."""

    array: str
    index: int
    sign: int


@dataclass(frozen=True, slots=True)
class Origin:
    """The equation that determines a variable: its text, its place (file:line:column) and its instance path."""

    variable: str
    equation: str
    place: str
    instance: str


@dataclass(frozen=True, slots=True)
class ExpressionOrigin:
    """An expression of parameters: its text, the numbers of its parameters and of the constants in it (the first six of
    each), and the equation or declaration that it comes from: place (file:line:column), the line of the text, where in
    that line it begins (from 1) and how wide it is, and its instance. Without a place nothing is known of these."""

    text: str
    parameters: tuple[int, ...] = ()
    constants: tuple[int, ...] = ()
    place: str = ""
    line: str = ""
    column: int = 0
    width: int = 0
    instance: str = ""


@dataclass(frozen=True, slots=True)
class External:
    """A function in Python that the model calls: its name in the model, pkg.mod.f, the shapes of its arguments ([] for
    a number), the elements of each (None for those that the code passes, in order), and the shape of its result."""

    name: str
    target: str
    shapes: tuple[tuple[int, ...], ...]
    constants: tuple[tuple[float | None, ...], ...]
    result: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """One of the values in m that change at events alone: its text, '<', '<=', '>', '>=', '==', '<>' or '' as its
    operator, its kind ('state', 'time', 'edge' or 'sample'), and the place and instance of the equation it stands in.
    One `at_ends` is looked at where steps end alone."""

    text: str
    operator: str
    kind: str
    place: str
    instance: str
    at_ends: bool = False


@dataclass(frozen=True, slots=True)
class TimeCrossing:
    """A relation whose sides depend on time alone, and on what is held: its number in `ModelInfo.relations`, and where
    its left and right sides are on the tape. An entry of that is an operator with the places of its arguments,
    ('time',), ('number', value), ('c', index), ('m', index), or a table: ('points', xs, ys), ('points of c', index,
    size)."""

    relation: int
    left: int
    right: int
    tape: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, slots=True)
class Assertion:
    """What must hold or, where it `terminates`, ends the run well as soon as it holds: always, or at the event at which
    branch number `branch` acts (-1: always). `constant` is where in c its condition lies, if it is one of parameters
    alone (-1: it is not). One `of_wish` says that the states that the model prefers are good: translated without its
    wishes the model can choose others. One that is `held` depends on nothing but parameters and relations `at_ends`, so
    that outputs need no look at it."""

    text: str
    terminates: bool
    branch: int
    place: str
    instance: str
    constant: int
    of_wish: bool = False
    held: bool = False


@dataclass(frozen=True, slots=True)
class StartCheck:
    """A start value that the model writes of a variable that follows from others: its name, the place of the value, the
    numbers of the states from which the variable follows, and (name, place) of the values that determine these."""

    variable: str
    place: str
    states: tuple[int, ...]
    others: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class StartCondition:
    """A condition of the start that follows from others: in words, its place, whether it is a start value, and (words,
    place) of the others."""

    text: str
    place: str
    is_value: bool
    others: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Rival:
    """One of the `init` of a variable in several `when`: its name, the branch in which it stands, its place and
    instance."""

    variable: str
    branch: int
    place: str
    instance: str


@dataclass(frozen=True, slots=True)
class Limit:
    """Between what p[parameter] has to lie, None where nothing is said, and the place (file:line:column) of its
    declaration."""

    parameter: int
    minimum: float | None
    maximum: float | None
    place: str


@dataclass(frozen=True, slots=True)
class Closing:
    """A nonlinear system: the names of its unknowns; the submodels of its equations, empty for one that decides which
    variable is a state; and the variables with a start value that follow from it, each with whether the model or its
    run gives that start value."""

    unknowns: tuple[str, ...]
    instances: tuple[str, ...]
    started: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, kw_only=True)
class ModelInfo:
    """The metadata of a model: all that the runtime knows of it besides its functions."""

    name: str
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    parameters: tuple[str, ...]
    # Every variable and parameter by its full name, aliases included.
    names: Mapping[str, Slot]
    # One for each y.
    origins: tuple[Origin, ...]
    # Parameters whose value stands in the code, with that value.
    folded: Mapping[str, float]
    # For each c that has to be finite what messages say of it; None for one in a branch alone, or that leads to others.
    constant_origins: tuple[ExpressionOrigin | None, ...]
    # For each p that is computed from others; None for a number.
    parameter_origins: tuple[ExpressionOrigin | None, ...]
    limits: tuple[Limit, ...]

    # --- sizes
    n_constants: int
    n_work: int
    n_variables: int
    n_watched: int = 0

    # --- functions and systems of equations
    # Why functions of the model may have no value.
    faults: tuple[str, ...]
    # What linear systems leave open at times.
    open_systems: tuple[str, ...]
    externals: tuple[External, ...]
    # The number of unknowns of each nonlinear system, and more of each.
    iterations: tuple[int, ...]
    closings: tuple[Closing, ...] = ()
    # (number of a variable in y, its name in messages) of each number that has to be finite as the derivatives have.
    guards: tuple[tuple[int, str], ...] = ()
    # For each state, in ascending order, the states that its derivative may depend on.
    jacobian: tuple[tuple[int, ...], ...] = ()
    has_jacobian: bool = False
    # What is delayed, by name.
    delays: tuple[str, ...] = ()

    # --- events
    relations: tuple[Relation, ...] = ()
    # The discrete variables, m[len(relations)] and on.
    discrete: tuple[str, ...] = ()
    # The relations of kind 'state' whose change the integrator looks for.
    crossings: tuple[int, ...] = ()
    # The relations of kind 'time', in the order of te, which has (instant, sign of the slope) for each.
    instants: tuple[int, ...] = ()
    # The relations of kind 'state' that depend on time alone: the run finds their instants before.
    isolated: tuple[TimeCrossing, ...] = ()
    # The number of branches of each `when`; branches are numbered through all of them. Of the branches of a `when`
    # whose conditions become true the first acts.
    whens: tuple[int, ...] = ()
    # Of the rivals of one variable all those that act give it the same value.
    rivals: tuple[Rival, ...] = ()
    assertions: tuple[Assertion, ...] = ()
    # The numbers of those y that must not jump at an event at which the states continue: prescribed positions and
    # velocities.
    continuous: tuple[int, ...] = ()
    # The numbers of those y that have a derivative and follow from states by iterations: these continue, too.
    moving: tuple[int, ...] = ()
    # For the number of each state that is chosen in the run the variables that it is chosen from, by name, with the
    # number of the discrete variable that is 1 where it is that one.
    picked: tuple[tuple[int, tuple[tuple[str, int], ...]], ...] = ()

    # --- the start
    # Start values that have to agree with others; they lie in s behind those of the discrete variables.
    start_checks: tuple[StartCheck, ...] = ()
    start_conditions: tuple[StartCondition, ...] = ()
    # Variables that follow from relations of states, whose start values, behind these in s, choose among several
    # solutions.
    choosing_starts: tuple[str, ...] = ()
    # Parameters whose defaults determine the start as long as no run gives them.
    default_starts: tuple[str, ...] = ()
    # Said of each run: equations that are left out, start values that are not used.
    remarks: tuple[str, ...] = ()

    @property
    def n_guards(self) -> int:
        return len(self.guards)

    @cached_property
    def n_guesses(self) -> int:
        """How many numbers the iterations of nonlinear systems have in s and in w."""
        return sum(2 * n + 1 for n in self.iterations)

    @property
    def n_started(self) -> int:
        """How many start values say which of the solutions of nonlinear systems are meant."""
        return sum(len(closing.started) for closing in self.closings)

    @property
    def n_starts(self) -> int:
        """How many numbers `starts` gives."""
        given = len(self.states) + len(self.discrete) + len(self.start_checks) + len(self.choosing_starts)
        return given + self.n_started + self.n_guesses

    @property
    def n_begins(self) -> int:
        """How many numbers `start` gives."""
        return len(self.states) + 2 * len(self.start_conditions)

    @cached_property
    def n_modes(self) -> int:
        """The size of m."""
        return len(self.relations) + len(self.discrete)

    @cached_property
    def timed(self) -> tuple[int, ...]:
        """The relations that change at instants which are known before: those of `instants`, then those of
        `isolated`."""
        return (*self.instants, *(crossing.relation for crossing in self.isolated))

    @cached_property
    def n_results(self) -> int:
        """The size of y, with what events need."""
        return self.n_variables + 2 * len(self.relations) + sum(self.whens) + len(self.assertions)

    @cached_property
    def places_of_relations(self) -> Mapping[str, array[int]]:
        """The numbers of the relations by their operator, of those of kind 'edge' and 'sample', and of each
        'crossing'."""
        found: dict[str, list[int]] = {name: [] for name in ("<", "<=", ">", ">=", "==", "<>", "", "edge", "sample")}
        for k, relation in enumerate(self.relations):
            found[relation.operator].append(k)
            if relation.kind in ("edge", "sample"):
                found[relation.kind].append(k)
        return {name: array("q", numbers) for name, numbers in found.items()} | {"crossing": array("q", self.crossings)}
