"""Fixes the contract between generated code and the runtime: the functions of the code, and the metadata.

A translated model is a set of files, name -> text (`SourceFiles`):

- ``model.json``: the metadata, read into `ModelInfo` (`model_json.py`).
- ``unreduced_model.json`` and so on: the same model with all equations and unknowns, only if the method bdf needs it.
- ``model.c`` or ``model.py``: the functions below, which may call functions of the model (f0, f1, ...). In C their
  names have the prefix ``cutset_``, they return ``void`` and arrays are ``double *``; in Python they have the same
  arguments in the same order (indexable sequences, written in place) and use the functions of ``math`` as free names.

============================================  ===============================================================
``bindings(p, given)``                        p[i] := default or binding of parameter i, in order, unless given[i] != 0
``constants(p, c)``                           all expressions of parameters that the code needs, once per run
``starts(c, s)``                              start values of the model: states, discrete variables, guesses
``start(t, u, c, m, s, w, x)``                the states at the start, solved from the initial system
``nominals(c, n)``                            the nominal value of each state, 1 if the model gives none
``instants(c, m, te)``                        for each relation of time alone: the time when it changes, and the sign
                                              of its slope there
``derivatives(t, x, u, c, m, w, dx)``         the right-hand side; w is work memory of size n_work. The last
                                              n_algebraic values are residuals of equations, zero in a solution
``jacobian(t, x, u, c, m, w, j)``             the derivatives of dx by x at the places of `ModelInfo.jacobian`, if
                                              has_jacobian
``watch(c, m, w, h)``                         the crossing functions computed from the watched numbers, then the weights
                                              of these; if there are watched numbers
``crossings(t, x, u, c, m, w, g)``            left minus right side of the relations in `ModelInfo.crossings`
``variables(t, x, u, c, m, w, y)``            all other unknowns in the order of evaluation, and what events need
``updates(t, x, u, c, m, f, w, e)``           discrete variables and states after the event at which branch k acts if
                                              f[k]; then the value of each of `ModelInfo.competing_restarts`, 0 if
                                              its branch does not act; then two numbers for each of
                                              `ModelInfo.jumps`, and n_before values
``delayed(t, x, u, c, m, w, v)``              for each of `ModelInfo.delays` the value to delay, and the delay time
============================================  ===============================================================

p parameters, c constants, x states, u inputs followed by the delayed values, s starts, y variables; time in seconds.

m is held between events: first the value (0 or 1) of each of `ModelInfo.relations`, then the discrete variables. While
m is constant the model is smooth; the integrator never steps over an event. After the n_variables variables, y has two
numbers for each relation, then the condition (0 or 1) of each branch of `ModelInfo.whens` and of each of
`ModelInfo.assertions`. The two numbers of a relation are

- 'state', 'time': left and right side (0 or 1 for a truth value); the relation is true if `operator` holds for them;
- 'edge': 1 if its condition is true, and 0; the relation is true only in the first pass in which the condition is;
- 'sample': first instant and interval; the relation is true in the first pass at such an instant.

f has the branches that act, then n_before values as they were before the event. The two numbers of a jump are the
residual of its constraint with these values, and the size of its terms; the n_before values after them are those at x.
The offset of a jump and its rate, in m, are zero except while the runtime solves the jump: its constraint is residual +
offset = 0.

s has the start values of the states, then of the discrete variables, then those that are compared with the computed
start (`start_checks`, `choosing_starts`, `started` of each of `closings`), then the first guesses. w begins with the
n_guesses guesses of the iterations of nonlinear systems: they are set from s before the first call and are kept from
call to call; the rest of w may change between calls. The guesses of a system are the values of its unknowns, the
orientation of the solution's branch (the sign of the determinant, 0 if not yet known), and the nominal values of its
unknowns. After all guesses ``derivatives`` stores n_guards further numbers that must be finite, as dx must: a number
that is not finite does not always make a derivative undefined. After these it stores n_watched numbers from which
``watch`` computes all crossing functions; the following numbers in h are weights: as long as the sum of the changes of
the watched numbers, each times its weight, is below 1, no crossing is possible.

A linear system that may leave unknowns undetermined is solved by ``cutset_solve_open`` of open_systems.h, in Python by
`solve_open`, which records its number. A nonlinear system is solved by ``cutset_newton`` of newton.h, in Python
by `newton`. Dynamic state selection uses ``cutset_exchange`` of exchange.h and ``cutset_quality``, in Python `exchange`
and `quality`. A function of the model that has no value returns nan and records the number of a message of
`ModelInfo.faults` (from 1): by ``cutset_fault`` or `cutset_fail` in C, by `fail` in Python. A Python function is called
by its number: `cutset_call_external`, `external`. Both targets evaluate the same operations in the same order; they
agree to rounding.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from typing import Any

from cutset.contract.fmu_events import STEP
from cutset.contract.names import rpartition
from cutset.contract.quick_dataclass import dataclass

SourceFiles = Mapping[str, str]
# The names of the files of the unreduced model start with this.
UNREDUCED = "unreduced_"


def start_parameter(name: str) -> str:
    """The name of the parameter with which a run gives a variable its start value."""
    return f"{name}(start)"


def sensitivity_name(name: str, parameter: str) -> str:
    """The name of the derivative of a variable by a parameter."""
    return f"d {name} / d {parameter}"


def sensitivity_column(name: str) -> str:
    """The parameter by which there are derivatives: one of this name, or that of a start value, "start of x"."""
    return start_parameter(name.removeprefix("start of ")) if name.startswith("start of ") else name


@dataclass(frozen=True, slots=True)
class Slot:
    """Where the value of a name is: array 'x', 'u', 'p', 'y' or 'm', the index in it, and the sign of the alias."""

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
    each), and the equation or declaration that it comes from: place (file:line:column), the text of the line, the
    column (from 1) and width of the expression in it, and the instance. All of these are empty if the place is
    unknown. It `is_made` if the compiler divides there, to solve an equation, and the model does not."""

    text: str
    parameters: tuple[int, ...] = ()
    constants: tuple[int, ...] = ()
    place: str = ""
    line: str = ""
    column: int = 0
    width: int = 0
    instance: str = ""
    is_made: bool = False


@dataclass(frozen=True, slots=True)
class External:
    """A Python or C function that the model calls: its name in the model, python:pkg.mod.f or c:file.c, the shapes of
    its arguments ([] for a scalar), the elements of each (None for those that the code passes, in order), the shape of
    its result, and its file if that is beside the model. To a controller the code passes two more arguments, before the
    others: whether it acts, and time. An FMU, fmu:file.fmu, has the names of its parameters, inputs and outputs; for
    co-simulation those of the inputs that act directly on outputs, and the same again if it cannot repeat a step. Its
    `instance` is the component; `cyclic` are the outputs that act on its own inputs at the same instant."""

    name: str
    target: str
    shapes: tuple[tuple[int, ...], ...]
    constants: tuple[tuple[float | None, ...], ...]
    result: tuple[int, ...]
    path: str = ""
    is_controller: bool = False
    names: tuple[tuple[str, ...], ...] = ()
    instance: str = ""
    cyclic: tuple[str, ...] = ()

    @property
    def is_fmu(self) -> bool:
        """True for an FMU."""
        return self.target.startswith("fmu:")

    @property
    def is_exchange(self) -> bool:
        """True for a function of an FMU for model exchange."""
        return self.is_fmu and self.name != STEP

    @property
    def is_c(self) -> bool:
        """True for a function in C."""
        return self.target.startswith("c:")


@dataclass(frozen=True, slots=True)
class Relation:
    """A value in m that changes only at events: its text, its operator ('<', '<=', '>', '>=', '==', '<>' or ''), its
    kind ('state', 'time', 'edge' or 'sample'), and the place and instance of its equation. A relation `at_ends` is
    evaluated only at the ends of steps. The sides of a '<' or '>' with an `opposite`, the number of a relation, are
    equal while both are false."""

    text: str
    operator: str
    kind: str
    place: str
    instance: str
    at_ends: bool = False
    opposite: int = -1


@dataclass(frozen=True, slots=True)
class TimeCrossing:
    """A relation whose sides depend only on time and held values: its number in `ModelInfo.relations`, and the entries
    of its left and right sides on the tape. An entry is an operator with the entries of its arguments, ('time',),
    ('number', value), ('c', index), ('m', index), or a table: ('points', xs, ys), ('points of c', index, size)."""

    relation: int
    left: int
    right: int
    tape: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, slots=True)
class Assertion:
    """A condition that must hold or, with `terminates`, ends the run successfully as soon as it holds: always, or at
    the event at which branch number `branch` acts (-1: always). `constant` is the index in c of a condition that
    contains only parameters (-1 otherwise). With `of_preference` the condition states that the preferred states are
    valid: translated without its preferences, the model may choose other states. With `held` the condition depends
    only on parameters and on relations `at_ends`, so outputs need not evaluate it."""

    text: str
    terminates: bool
    branch: int
    place: str
    instance: str
    constant: int
    of_preference: bool = False
    held: bool = False


@dataclass(frozen=True, slots=True)
class StartCheck:
    """A start value given to a variable that depends on others: its name, the place of the value, (name, place) of the
    values that determine it, and if there are none, (text, place) of the initial equations."""

    variable: str
    place: str
    others: tuple[tuple[str, str], ...]
    equations: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class StartCondition:
    """A start condition that follows from others: its text, its place, and (text, place) of the others."""

    text: str
    place: str
    others: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class CompetingRestart:
    """One of the `init` of a variable in several `when`: the variable, the branch that contains it, its place and
    instance."""

    variable: str
    branch: int
    place: str
    instance: str


@dataclass(frozen=True, slots=True)
class Jump:
    """A constraint that may jump at an event: the discrete variables (by number) that are its offset and the rate of
    this, -1 if it must not jump because a second derivative of it belongs to the model; its text, place and
    instance."""

    offset: int
    rate: int
    text: str
    place: str
    instance: str


@dataclass(frozen=True, slots=True)
class Limit:
    """The range of p[parameter], None where it has no limit, and the place (file:line:column) of the declaration."""

    parameter: int
    minimum: float | None
    maximum: float | None
    place: str


@dataclass(frozen=True, slots=True)
class Closing:
    """A nonlinear system: the names of its unknowns; the submodels of its equations (none for a system that selects
    states); and the variables with a start value that are computed from it, each with whether that value is given by
    the model or the run."""

    unknowns: tuple[str, ...]
    instances: tuple[str, ...]
    started: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, kw_only=True)
class ModelInfo:
    """The metadata of a model: everything that the runtime knows of it besides its functions."""

    name: str
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    parameters: tuple[str, ...]
    # Every variable and parameter by its full name, aliases included.
    names: Mapping[str, Slot]
    # One for each y.
    origins: tuple[Origin, ...]
    # Parameters whose value is part of the code, with that value.
    folded: Mapping[str, float]
    # For each c that must be finite, its description for messages; None for one used in a branch only, or in others.
    constant_origins: tuple[ExpressionOrigin | None, ...]
    # For each p that is computed from others, its expression; None for a number.
    parameter_origins: tuple[ExpressionOrigin | None, ...]
    limits: tuple[Limit, ...]

    # --- sizes
    n_constants: int
    n_work: int
    n_variables: int
    n_watched: int = 0
    # How many states at the end are not integrated: `derivatives` gives the residual of an equation for each of them.
    # The last n_slopes of these are derivatives of others, except for n_multipliers after them: their residuals are
    # constraints on the states that are integrated. As many of these, the last ones, follow from the others.
    n_algebraic: int = 0
    n_slopes: int = 0
    n_multipliers: int = 0
    # The equations of these residuals, each with the unknown in its place, except for those of multipliers.
    residual_origins: tuple[Origin, ...] = ()
    # The names of the outputs of the model, of the scalars of arrays.
    outputs: tuple[str, ...] = ()
    # The number of outputs of a function, which `derivatives` gives; a function has no states.
    n_outputs: int = 0

    # The parameters by which all variables have derivatives (`sensitivity_name`): the states are followed by theirs by
    # the first of them, and so on; of a model with relations the last discrete variables are those of an instant.
    sensitivities: tuple[str, ...] = ()

    # Why functions of the model may have no value.
    faults: tuple[str, ...]
    # Descriptions of the linear systems that may leave unknowns undetermined.
    open_systems: tuple[str, ...]
    externals: tuple[External, ...]
    # The number of unknowns of each nonlinear system; `closings` has the details.
    iterations: tuple[int, ...]
    closings: tuple[Closing, ...] = ()
    # (number of a variable in y, its name in messages) of each guarded number: it must be finite as derivatives must.
    guards: tuple[tuple[int, str], ...] = ()
    # For each state, in ascending order, the states that its derivative may depend on.
    jacobian: tuple[tuple[int, ...], ...] = ()
    has_jacobian: bool = False
    # The delayed quantities, by name.
    delays: tuple[str, ...] = ()

    # --- events
    relations: tuple[Relation, ...] = ()
    # The discrete variables, m[len(relations)] and on.
    discrete: tuple[str, ...] = ()
    # Each '==' and '<>' in an equation that is located: the number of its relation '<', which has an opposite, and its
    # text.
    equalities: tuple[tuple[int, str], ...] = ()
    # The relations of kind 'state' whose crossings the integrator locates.
    crossings: tuple[int, ...] = ()
    # The relations of kind 'time', in the order of te, which has (instant, sign of the slope) for each.
    time_events: tuple[int, ...] = ()
    # The relations of kind 'state' that depend only on time: the run computes their instants in advance.
    isolated: tuple[TimeCrossing, ...] = ()
    # The functions of time that drive the states: the left side is a sine or cosine, and the right one its phase; or
    # the left side is the slope of a function, and the right one 0.
    forcing: tuple[TimeCrossing, ...] = ()
    # Whether functions of time without bounds drive the states: those of users that are computed during a run.
    has_opaque_forcing: bool = False
    # The number of branches of each `when`; branches are numbered through all of them. Of the branches of a `when`
    # whose conditions become true, the first acts.
    whens: tuple[int, ...] = ()
    # The place of each branch; empty in the standard library.
    when_places: tuple[str, ...] = ()
    # All restarts of one variable that act at an event must give the same value.
    competing_restarts: tuple[CompetingRestart, ...] = ()
    assertions: tuple[Assertion, ...] = ()
    # The constraints whose jumps are solved, and the number of variables that they contain.
    jumps: tuple[Jump, ...] = ()
    n_before: int = 0
    # The branches in which co-simulated FMUs seek values that agree with those of the model, and the numbers of the
    # discrete variables that they assign. In a pass in which one of them acts, nothing else happens.
    rounds: tuple[int, ...] = ()
    settled: tuple[int, ...] = ()
    # The numbers of those y that must not jump at an event if the states do not: prescribed positions and velocities.
    continuous: tuple[int, ...] = ()
    # The numbers of those y that have a derivative and are computed from states by iteration: these must not jump, too.
    moving: tuple[int, ...] = ()
    # For each state that is chosen dynamically: its number, and the variables that it is chosen from, by name, with the
    # number of the discrete variable that is 1 if that variable is the state.
    picked: tuple[tuple[int, tuple[tuple[str, int], ...]], ...] = ()

    # --- the start
    # Start values that must agree with others; in s they follow those of the discrete variables.
    start_checks: tuple[StartCheck, ...] = ()
    start_conditions: tuple[StartCondition, ...] = ()
    # Variables that are determined by constraints between states. Their start values, which follow in s, choose among
    # several solutions.
    choosing_starts: tuple[str, ...] = ()
    # Parameters whose defaults determine the start unless a run gives them.
    default_starts: tuple[str, ...] = ()
    # States whose start values count more if the model is translated for a run that gives them.
    weak_starts: tuple[str, ...] = ()
    # Variables whose start values are given by runs, with a parameter each (`start_parameter`).
    given_starts: tuple[str, ...] = ()
    # For states that are several variables in one: a parameter that a program may give, the parameter that is then the
    # start value, the number of the state, and the sign. Runs are translated for what they give.
    alternative_starts: tuple[tuple[int, int, int, int], ...] = ()
    # Remarks for each run: equations that are ignored, start values that are not used.
    remarks: tuple[str, ...] = ()
    # Parameters that are texts, which are part of the code.
    texts: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def arrays(self) -> Mapping[str, tuple[str, ...]]:
        """The names of the elements of each vector and matrix, in their order."""
        found: dict[str, dict[tuple[int, ...], str]] = {}
        for name in (*self.names, *self.folded):
            if name.endswith(")"):
                array, _, indices = rpartition(name[:-1], "(")
                numbers = indices.split(",")
                if array and all(map(str.isdecimal, numbers)):
                    found.setdefault(array, {})[tuple(map(int, numbers))] = name
        return {array: tuple(own[place] for place in sorted(own)) for array, own in found.items()}

    @property
    def n_rates(self) -> int:
        """The number of values that `derivatives` writes."""
        return len(self.states) or self.n_outputs

    @property
    def n_guards(self) -> int:
        """The number of guarded values."""
        return len(self.guards)

    @cached_property
    def n_guesses(self) -> int:
        """The number of guesses of nonlinear systems, in s and in w."""
        return sum(2 * n + 1 for n in self.iterations)

    @property
    def n_started(self) -> int:
        """The number of start values that choose among the solutions of nonlinear systems."""
        return sum(len(closing.started) for closing in self.closings)

    @property
    def n_updates(self) -> int:
        """The size of e."""
        of_jumps = 2 * len(self.jumps) + self.n_before
        of_motions = len(self.relations) * (1 + len(self.sensitivities)) if self.sensitivities else 0
        return len(self.discrete) + len(self.states) + len(self.competing_restarts) + of_jumps + of_motions

    @property
    def n_starts(self) -> int:
        """The number of values that `starts` writes."""
        given = len(self.states) + len(self.discrete) + len(self.start_checks) + len(self.choosing_starts)
        return given + self.n_started + self.n_guesses

    @property
    def n_begins(self) -> int:
        """The number of values that `start` writes."""
        return len(self.states) + 2 * len(self.start_conditions)

    @cached_property
    def n_modes(self) -> int:
        """The size of m."""
        return len(self.relations) + len(self.discrete)

    @cached_property
    def timed(self) -> tuple[int, ...]:
        """The relations that change at instants known in advance: those of `instants`, then those of `isolated`."""
        return (*self.time_events, *(crossing.relation for crossing in self.isolated))

    @cached_property
    def n_results(self) -> int:
        """The size of y, including the values for events."""
        return self.n_variables + 2 * len(self.relations) + sum(self.whens) + len(self.assertions)
