"""The contract between generated code and the runtime. Neither half knows more of the other than this file.

A translated model is a set of texts, name -> text (`SourceFiles`):

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

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from cutset.runtime.closings import Closing

Vector = NDArray[np.float64]
SourceFiles = Mapping[str, str]


@dataclass(frozen=True)
class Slot:
    """Where a name finds its value: array 'x', 'u', 'p' or 'y', index there, and the sign of the alias."""

    array: str
    index: int
    sign: int


@dataclass(frozen=True)
class Origin:
    """The equation that determines a variable: its text, its place (file:line:column) and its instance path."""

    variable: str
    equation: str
    place: str
    instance: str


@dataclass(frozen=True)
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


@dataclass(frozen=True)
class External:
    """A function in Python that the model calls: its name in the model, pkg.mod.f, the shapes of its arguments ([] for
    a number), the elements of each (None for those that the code passes, in order), and the shape of its result."""

    name: str
    target: str
    shapes: tuple[tuple[int, ...], ...]
    constants: tuple[tuple[float | None, ...], ...]
    result: tuple[int, ...]


@dataclass(frozen=True)
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


@dataclass(frozen=True)
class TimeCrossing:
    """A relation whose sides depend on time alone, and on what is held: its number in `ModelInfo.relations`, and where
    its left and right sides are on the tape. An entry of that is an operator with the places of its arguments,
    ('time',), ('number', value), ('c', index), ('m', index), or a table: ('points', xs, ys), ('points of c', index,
    size)."""

    relation: int
    left: int
    right: int
    tape: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
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


@dataclass(frozen=True)
class StartCheck:
    """A start value that the model writes of a variable that follows from others: its name, the place of the value, the
    numbers of the states from which the variable follows, and (name, place) of the values that determine these."""

    variable: str
    place: str
    states: tuple[int, ...]
    others: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class StartCondition:
    """A condition of the start that follows from others: in words, its place, whether it is a start value, and (words,
    place) of the others."""

    text: str
    place: str
    is_value: bool
    others: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Rival:
    """One of the `init` of a variable in several `when`: its name, the branch in which it stands, its place and
    instance."""

    variable: str
    branch: int
    place: str
    instance: str


@dataclass(frozen=True)
class Fault:
    """Why a function of the model had no value: the code of the error, what happened, and further facts."""

    code: str
    text: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Limit:
    """Between what p[parameter] has to lie, None where nothing is said, and the place (file:line:column) of its
    declaration."""

    parameter: int
    minimum: float | None
    maximum: float | None
    place: str


@dataclass(frozen=True)
class ModelInfo:
    """What ``model.json`` says. `names` holds every variable and parameter by its full name, aliases included;
    `origins` has one entry per y. `folded` are parameters whose value stands in the code, with that value.
    `constant_origins` has, for each c that has to be finite, what is said of it in messages, and None for those that
    stand in a branch alone, or lead to others; `parameter_origins` the same for each p that is computed from others.
    `limits` are those of parameters that have some. `faults` are the reasons for which functions of the model may have
    no value, `open_systems` say what linear systems leave open at times, `externals` are its functions in Python.

    `iterations` has the number of unknowns of each nonlinear system, `closings` what there is to say of it. `discrete`
    are the names of the discrete variables, m[len(relations)] and on. `crossings` are the relations of kind 'state'
    whose change the integrator looks for, `instants` those of kind 'time' in the order of te, which has (instant, sign
    of the slope) for each; `isolated` are those of kind 'state' that depend on time alone, whose instants the run finds
    before. `whens` has the number of branches of each `when`; branches are numbered through all of them. Of the
    branches of a `when` whose conditions become true the first acts; of the `rivals` of one variable all those that act
    give it the same value. `jacobian` has for each state, in ascending order, the states that its derivative may depend
    on; where `has_jacobian`, the function of that name gives the slopes, row by row. `continuous` are the numbers of
    those y that may not jump at an event at which the states go on: prescribed positions and velocities; `moving` those
    of y that have a derivative and follow from states by iterations: these go on continuously, too. `start_checks` are
    start values that have to agree with others, which lie in s behind those of the discrete variables;
    `start_conditions` are those that follow from others; `choosing_starts` are variables that follow from relations of
    states, whose start values, behind these in s, choose among several solutions; `default_starts` are parameters whose
    defaults determine the start as long as no run gives them; `remarks` are said of each run: equations that are left
    out, start values that are not used. `picked` has for the number of each state that is chosen in the run the
    variables that it is chosen from, by name, with the number of the discrete variable that is 1 where it is that
    one."""

    name: str
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    parameters: tuple[str, ...]
    names: Mapping[str, Slot]
    origins: tuple[Origin, ...]
    folded: Mapping[str, float]
    n_constants: int
    n_work: int
    iterations: tuple[int, ...]
    n_variables: int
    constant_origins: tuple[ExpressionOrigin | None, ...]
    parameter_origins: tuple[ExpressionOrigin | None, ...]
    limits: tuple[Limit, ...]
    faults: tuple[str, ...]
    open_systems: tuple[str, ...]
    externals: tuple[External, ...]
    relations: tuple[Relation, ...] = ()
    discrete: tuple[str, ...] = ()
    crossings: tuple[int, ...] = ()
    instants: tuple[int, ...] = ()
    whens: tuple[int, ...] = ()
    rivals: tuple[Rival, ...] = ()
    assertions: tuple[Assertion, ...] = ()
    delays: tuple[str, ...] = ()
    continuous: tuple[int, ...] = ()
    jacobian: tuple[tuple[int, ...], ...] = ()
    has_jacobian: bool = False
    guards: tuple[tuple[int, str], ...] = ()
    start_checks: tuple[StartCheck, ...] = ()
    start_conditions: tuple[StartCondition, ...] = ()
    moving: tuple[int, ...] = ()
    choosing_starts: tuple[str, ...] = ()
    default_starts: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    picked: tuple[tuple[int, tuple[tuple[str, int], ...]], ...] = ()
    closings: tuple[Closing, ...] = ()
    isolated: tuple[TimeCrossing, ...] = ()
    n_watched: int = 0

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
    def n_begins(self) -> int:
        """How many numbers `start` gives."""
        return len(self.states) + 2 * len(self.start_conditions)

    @cached_property
    def n_modes(self) -> int:
        """The size of m."""
        return len(self.relations) + len(self.discrete)

    def shown(self, modes: Vector) -> tuple[str, ...]:
        """The names of the states for messages: one that is chosen in the run is called by the variable that it is at
        present."""
        names, held = list(self.states), modes[len(self.relations) :]
        for k, chosen in self.picked:
            names[k] = next((name for name, number in chosen if held[number] == 1.0), names[k])
        return tuple(names)

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
    def places_of_relations(self) -> Mapping[str, NDArray[np.intp]]:
        """The numbers of the relations by their operator, of those of kind 'edge' and 'sample', and of each
        'crossing'."""
        found: dict[str, list[int]] = {name: [] for name in ("<", "<=", ">", ">=", "==", "<>", "", "edge", "sample")}
        for k, relation in enumerate(self.relations):
            found[relation.operator].append(k)
            if relation.kind in ("edge", "sample"):
                found[relation.kind].append(k)
        return {name: np.array(places, dtype=np.intp) for name, places in found.items()} | {
            "crossing": np.array(self.crossings, dtype=np.intp)
        }


@dataclass(frozen=True, eq=False)
class Values:
    """What stays fixed during one run: parameters p, constants c, starts s, the nominal values n of the states, all of
    them positive; and the scratch memory w, whose guesses go on changing."""

    p: Vector
    c: Vector
    s: Vector
    w: Vector
    n: Vector


def all_finite(info: ModelInfo, dx: Vector, values: Values) -> bool:
    """Whether the derivatives have values, and with them all that was evaluated for these."""
    first = info.n_guesses
    return bool(np.isfinite(dx).all() and np.isfinite(values.w[first : first + info.n_guards]).all())


class CompiledModel(Protocol):
    """A model that can be evaluated. Nothing here raises for arithmetic: what cannot be computed is inf or nan. All
    results are new arrays."""

    @property
    def info(self) -> ModelInfo: ...

    @property
    def target(self) -> str:
        """'c' or 'python'."""
        ...

    def bind(self, given: Mapping[str, float]) -> Values:
        """The values of one run; `given` holds parameters by name. RunError for a name that is no parameter and
        for a parameter expression that is not finite, FoldedParameter for one whose value stands in the code."""
        ...

    def start(self, t: float, u: Vector, values: Values, modes: Vector) -> Vector:
        """The states at the start, with what is held and the inputs at that instant, and behind them for each of
        `ModelInfo.start_conditions` what is left of it and how large its terms are: shape (n_begins,)."""
        ...

    def instants(self, values: Values, modes: Vector) -> Vector:
        """(instant, sign of the slope) of each relation of `ModelInfo.instants`: shape (n, 2)."""
        ...

    def derivatives(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector) -> Vector:
        """dx/dt: shape (n_states,)."""
        ...

    def careful_derivatives(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector) -> tuple[Vector, bool]:
        """The same with the solutions of nonlinear systems that lie near their guesses, on the same branch; and whether
        there are such."""
        ...

    def slopes(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector) -> Vector:
        """The derivatives of dx/dt by x in the places of `ModelInfo.jacobian`, row by row; only where
        `has_jacobian`."""
        ...

    def jacobian(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector) -> Vector:
        """The same as a whole matrix: shape (n_states, n_states)."""
        ...

    def crossings(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector) -> Vector:
        """Left minus right side of each relation of `ModelInfo.crossings`."""
        ...

    def variables(
        self, t: Vector, x: Vector, u: Vector, values: Values, modes: Vector, guesses: Vector | None = None
    ) -> Vector:
        """The other unknowns, and behind them what events need, at n points: t (n,), x (n, n_states), u (n, n_inputs),
        modes (n, n_modes); gives (n, n_results). `guesses` (n, n_guesses) are what the iterations begin with at each;
        where None, they begin with what they have found before."""
        ...

    def updates(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector, acting: Vector) -> Vector:
        """The discrete variables, the states and what each of `ModelInfo.rivals` gives after an event; acting[k] is 1
        where branch k acts, else 0."""
        ...

    def delayed(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector) -> Vector:
        """(what is delayed, by what time) of each of `ModelInfo.delays`: shape (n, 2)."""
        ...

    def left_open(self) -> int:
        """Which of `ModelInfo.open_systems` have left something open in an evaluation since this was asked last: bit k
        for the k-th, the last bit for all from the 31st on."""
        ...

    def fault(self) -> Fault | None:
        """Why a function of the model had no value in an evaluation since this was asked last. It may have been in a
        branch that was not taken: only where a result is not finite it is the reason."""
        ...
