"""Runs a model in C from its parameters to the stop, in one call: c/run/whole.h. Contains no steps.

What does not depend on a run is set up once for a model: its memory goes from run to run. A run that cannot start here
starts in Python; one that needs Python later goes on there from the moment that it has reached.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from ctypes import Array, addressof, byref, c_long
from functools import cached_property
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cutset.contract.metadata import Assertion, ModelInfo, start_parameter
from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.events.start_tables import (
    SHIFTS,
    chosen_starts,
    copied_guesses,
    limits,
    search_tables,
    shifts,
    systems_of_motion,
    used_constants,
    wanted_starts,
    written_starts,
)
from cutset.runtime.given.given_starts import check_names, gives_all_states
from cutset.runtime.given.history import Stored, most_levels, stretches
from cutset.runtime.given.inputs import InputFailure, Inputs, InputSignal, resolve_inputs
from cutset.runtime.interface import CompiledModel, Values, Vector
from cutset.runtime.results.result import Statistics
from cutset.runtime.runs.event_memory import (
    OF_CROSSING,
    ROOM,
    describe,
    events_of,
    model_sizes,
    point_to,
    point_to_breaks,
    rows_for,
)
from cutset.runtime.runs.failures import Point, Reason, reason
from cutset.runtime.runs.rows import Chunk
from cutset.runtime.solvers.c_constants import signal_functions, tableau_in_c
from cutset.runtime.solvers.c_loops import connect
from cutset.runtime.solvers.memory import Memory, Stiffness, first_sizes
from cutset.runtime.solvers.method import Counts, Method, longest_step
from cutset.runtime.solvers.tableaus import EXPLICIT, RK4
from cutset.runtime.targets.binding import place
from cutset.runtime.targets.c_records import (
    Control,
    Data,
    EventData,
    Limit,
    SignalsData,
    StartData,
    Tally,
    Wanted,
    Written,
    address,
    place_memory,
    sizes_of,
)
from cutset.runtime.targets.controllers import Controllers
from cutset.runtime.targets.engine import Engine
from cutset.runtime.targets.interrupts import noted

if TYPE_CHECKING:
    from cutset.runtime.solvers.implicit import ImplicitSolver

# As in run.h.
AT_STOP, INTERRUPTED, NEEDS_SOLVER, RUN_FAILED = 0, 3, 4, 8
# The most numbers in rows that are kept for the next run, and of one of
# many runs.
_MOST_KEPT, _MOST_ROWS = 1 << 18, 1 << 23
# For what no tolerance decides.
_ATOL = 1e-8
_STAGES = max(len(tableau.rows) for tableau in EXPLICIT)


@dataclass(frozen=True)
class Settings:
    """The settings of a run, as those of `Experiment` and of `Problem`; `now` (1,) receives the current time."""

    outputs: Vector
    rtol: float
    atol: float
    max_steps: int
    max_step: float
    nearest: float
    method: Method
    now: Vector | None


def memory_for(model: CompiledModel, engine: Engine | None = None) -> WholeRun:
    """Memory for a run of the model by its engine, or by this one, which the run has alone until it is free again."""
    engine = engine or model.engine
    try:
        run: WholeRun = engine.memories.free.pop()
    except IndexError:
        run = WholeRun(model, engine)
    return run


class WholeRun:
    """The memory of a run. `run` does one, then the other attributes and methods tell what it did, until the next one.

    The arrays are parts of one block: first what a result keeps, then work memory. `part` has them by name; `data`,
    `events` and `start` are the structures with which C finds them. `errors` are exceptions in functions of inputs."""

    def __init__(self, model: CompiledModel, engine: Engine):
        self._info: ModelInfo = model.info
        self.engine = engine
        self._function = self.engine.functions.whole
        self.model, info = model, model.info
        n, sizes = len(info.states), model_sizes(info, _STAGES + 6)
        kept = {
            **{"p": len(info.parameters), "c": info.n_constants, "s": info.n_starts, "nominals": n},
            **{"first_w": info.n_work, "w": info.n_work, "u": len(info.inputs) + len(info.delays)},
            **{"history": OF_CROSSING * len(info.crossings), "crossing_sizes": 2 * len(info.crossings)},
            **{"guess_sizes": info.n_guesses, "delays": len(info.delays), "delay_windows": len(info.delays)},
            **{f"now.{name}": size for name, size in sizes_of("cutset_moment", sizes).items()},
        }
        own = {
            **{"given": len(info.parameters), "start_given": n + len(info.discrete)},
            **{"start_value": n + len(info.discrete), "tolerance": n, "begins": info.n_begins, "bad_x": n, "now": 1},
            **{"window": 2, "defaults": len(info.start_checks)},
        }
        self._n_kept = sum(kept.values())
        ends = list(accumulate([*kept.values(), *own.values()], initial=0))
        self._block = np.zeros(ends[-1] + 1)
        self._slices = {name: slice(a, b) for name, (a, b) in zip((*kept, *own), pairwise(ends), strict=True)}
        first = address(self._block)
        self._places = {name: first + 8 * at.start for name, at in self._slices.items()}
        self._kept: list[Any] = []
        self._describe_data()
        self._describe_events()
        self._describe_start()
        data, events = self.data, self.events
        search = self.start.search
        work = data.watch, data.branch, data.poles, data.history, events, events.jumps, events.failure
        self._kept.append(place_memory((*work, events.state, events.before, search, search.best, search.tried), sizes))
        self._control = Control()
        self._control.atol = self._places["tolerance"]
        self._capacity, self._outputs, self._asked = 0, np.zeros(0), ()
        self.inputs = Inputs(np.zeros(len(info.inputs)), {})
        self.controllers: Controllers | None = None
        self.errors: list[BaseException] = []
        self._connected: Any = None
        self._solver: ImplicitSolver | None = None
        self._width = 1 + n + info.n_modes + info.n_guesses + len(info.delays)
        self._ends = first_sizes(info)
        self.part = {name: self._block[at] for name, at in self._slices.items()}
        self._given = self._block[self._slices["given"].start : self._slices["start_value"].stop]
        self._call = byref(self.data), byref(self._control), byref(self.events)

    # --- tables

    def _describe_data(self) -> None:
        info, at = self._info, self._places
        n = len(info.states)
        data = self.data = Data(**signal_functions(), c=at["c"], m=at["now.m"], u=at["u"], w=at["w"], n_states=n)
        data.bad_x, data.now, data.n_rates = at["bad_x"], at["now"], n
        data.n_guesses, data.n_guards = info.n_guesses, info.n_guards
        data.watch.n, data.watch.sizes = len(info.crossings), at["crossing_sizes"]
        data.watch.n_watched, data.watch.places = info.n_watched, info.n_guesses + info.n_guards
        data.branch.n, data.branch.size = info.n_guesses, at["guess_sizes"]
        motions = systems_of_motion(info)
        self._kept += point_to(data.branch, {"motions": motions}, np.dtype(c_long))
        data.branch.n_motions = len(motions) // 2
        data.signals = SignalsData(None, None, None, 0, at["window"])
        if info.delays:
            self._make_history()

    def _make_history(self) -> None:
        info, at, n = self._info, self._places, len(self._info.delays)
        self._stretches = stretches(n)
        history = self.data.history
        for name, stored in zip(
            ("starts", "ends", "pieces", "roots", "levels", "values"), self._stretches, strict=True
        ):
            setattr(history, name, address(stored))
        history.delays, history.window = at["delays"], at["delay_windows"]
        history.count, history.offset, history.capacity = n, len(info.inputs), len(self._stretches[0])

    def _describe_events(self) -> None:
        info, at = self._info, self._places
        data = self.events = EventData()
        self._kept += describe(info, data)
        self._kept += point_to(data, {"breaks": [], "break_jumps": []}, np.dtype(float))
        for name in sizes_of("cutset_moment", model_sizes(info, 0)):
            setattr(data.now, name, at[f"now.{name}"])
        data.history = at["history"]
        if info.isolated or info.forcing:
            from cutset.runtime.events.isolation import Isolation

            self._isolation = Isolation(self.engine, 0.0, 1.0)
            data.isolation = addressof(self._isolation.data)
            self.data.forcing = data.isolation if info.forcing else None

    def _describe_start(self) -> None:
        info, at = self._info, self._places
        start = self.start = StartData()
        own = "tolerance", "begins", "first_w", "start_given", "start_value", "defaults"
        for name in ("p", "given", "c", "s", "nominals", *own):
            setattr(start, name, at[name])
        tables = {"used": used_constants(info), "iterations": info.iterations, "copies": copied_guesses(info)}
        bounds = (Limit * len(info.limits))(*(Limit(*each) for each in limits(info)))
        written, choosing = _variables(written_starts(info)), _variables(chosen_starts(info))
        found = [Wanted(Written(*variable), *rest) for variable, *rest in wanted_starts(info)]
        wanted = (Wanted * len(found))(*found)
        if found:
            tables |= search_tables(info)
            numbers = shifts(info)
            self._kept += point_to(start, {"shifts": numbers}, np.dtype(float))
            start.n_groups, start.n_unknowns = 1 + max(tables["groups"]), len(numbers) // SHIFTS
        self._kept += [*point_to(start, tables, np.dtype(c_long)), bounds, written, choosing, wanted]
        start.limits, start.written, start.wanted = addressof(bounds), addressof(written), addressof(wanted)
        start.choosing, start.n_choosing, start.n_compared = addressof(choosing), len(choosing), info.n_started
        start.n_parameters, start.n_used, start.n_limits = len(info.parameters), len(tables["used"]), len(info.limits)
        start.n_starts, start.n_startable = info.n_starts, len(info.states) + len(info.discrete)
        start.n_conditions, start.n_iterations = len(info.start_conditions), len(info.iterations)
        start.n_copies, start.n_written = len(tables["copies"]) // 4, len(info.start_checks)
        start.n_wanted = len(found)
        self.events.start = addressof(start)

    def _make_rows(self, capacity: int) -> None:
        self._rows, self._capacity = rows_for(self._info, self.events, capacity), capacity

    # --- a run

    def place(
        self, parameters: Mapping[str, float], initial: Mapping[str, float], signals: Mapping[str, InputSignal]
    ) -> None:
        """Set the parameters, start values and inputs of the next run. RunError for a wrong name or value."""
        info, part = self._info, self.part
        if info.externals:
            self.controllers = self.model.fresh_controllers()
            self.model.use(self.controllers)
        self._given[:] = 0.0
        part["defaults"][:] = math.nan
        if initial:
            parameters = self._place_starts(parameters, initial)
        if parameters:
            place(info, parameters, part["p"], part["given"])
        if info.inputs or signals:
            self.inputs = resolve_inputs(info, signals)
            part["u"][: len(info.inputs)] = self.inputs.constant
            if self.inputs.functions or self._connected is not None:
                self._connect()

    def take(self, values: Values, inputs: Inputs, initial: Mapping[str, float]) -> None:
        """Set values that are bound, and inputs; the values include these start values of the run. RunError for a wrong
        name."""
        self._given[:] = 0.0
        self.part["defaults"][:] = math.nan
        if initial:
            self._place_starts({}, initial)
        for name, numbers in {"p": values.p, "c": values.c, "s": values.s, "nominals": values.n}.items():
            self.part[name][:] = numbers
        self.inputs, self.controllers, n = inputs, values.controllers, len(self._info.inputs)
        self.part["u"][:n] = inputs.constant[:n]
        if inputs.functions or self._connected is not None:
            self._connect()

    def find_start(self, t: float, span: float, rtol: float) -> bool:
        """Find the start of a run of `span` seconds at the time t, with the values that were taken."""
        events = self.events
        self.errors.clear()
        self.engine.connect(self.controllers, self._stop)
        if self._info.crossings:
            self.part["crossing_sizes"][:] = self._ends
        events.span, events.run_span = span, span or 1.0
        self.data.now, self._control.rtol, self.data.history.rtol = self._places["now"], rtol, rtol
        data, control, its_events = self._call
        events.has_start = self.engine.functions.find_start(data, control, its_events, t, _ATOL)
        return self.has_started

    def _place_starts(self, parameters: Mapping[str, float], initial: Mapping[str, float]) -> Mapping[str, float]:
        """Set the start values. Returns the parameters with those that have start values."""
        info, part, own = self._info, self.part, dict[str, float]()
        check_names(info, initial)
        for name, value in initial.items():
            slot = info.names[name]
            if name in info.given_starts:
                own[start_parameter(name)] = value
                continue
            k = slot.index if slot.array == "x" else len(info.states) + slot.index - len(info.relations)
            part["start_value"][k], part["start_given"][k] = slot.sign * value, 1.0
        if info.start_checks and gives_all_states(info, initial):  # those that only the model gives are not used
            first = len(info.states) + len(info.discrete)
            defaults = self.model.bind({}).s[first : first + len(info.start_checks)]
            is_given = [check.variable in initial for check in info.start_checks]
            part["defaults"][:] = np.where(is_given, math.nan, defaults)
        return {**parameters, **own}

    def _connect(self) -> None:
        """Let C evaluate the inputs that are functions of time."""
        inputs, events = self.inputs, self.events
        self._connected = point_to_breaks(events, inputs), connect(inputs, self.data, self.part["u"], self.errors)

    def outputs(self, asked: tuple[Any, ...], make: Callable[[], Vector]) -> Vector:
        """The output times of a run that asks for these, as the latest run has them or as they are made."""
        if asked != self._asked:
            self._asked, self._outputs = asked, make()
            self.events.outputs, self.events.n_outputs = address(self._outputs), len(self._outputs)
        return self._outputs

    def run(self, settings: Settings) -> int:
        """Run with the values that are placed: the status, as in run.h."""
        if self._connected is not None:
            self.inputs.require(float(settings.outputs[0]), float(settings.outputs[-1]))
        arguments = self.arguments(settings)
        self.errors.clear()
        with noted(self._stop, self.engine.calls_python or self._connected is not None):
            status = self._function(*arguments)
            if status == NEEDS_SOLVER and settings.method.tableau is not None and self.find_solver(settings.method):
                status = self.engine.functions.go_on(*arguments[:4])
        if status != AT_STOP and self.controllers is not None:
            self.controllers.again_after(self.events.now.t)
        if self.errors:
            error = self.errors[0]
            if not isinstance(error, InputFailure | KeyboardInterrupt):
                raise error
            if self.has_started:
                return INTERRUPTED if isinstance(error, KeyboardInterrupt) else RUN_FAILED
        return status

    def _stop(self, error: BaseException) -> None:
        """A function of the model in Python has raised this."""
        is_interrupt = isinstance(error, KeyboardInterrupt)
        self.errors += [] if is_interrupt else [error]
        self.data.interrupted = 1 if is_interrupt else 2

    def find_solver(self, method: Method) -> bool:
        """Let C integrate by SUNDIALS with this method, also the next runs; False if that is not possible."""
        from cutset.runtime.solvers.implicit import solver_for

        solver = self._solver = solver_for(self.engine, method.family, self.data, self.part["nominals"])
        self.events.solver = None if solver is None else addressof(solver.record)
        return solver is not None

    def arguments(self, settings: Settings) -> tuple[Any, ...]:
        """The arguments of `cutset_whole` for a run with these settings, in the calling thread."""
        self.engine.connect(self.controllers, self._stop)
        events, control, method, outputs = self.events, self._control, settings.method, settings.outputs
        if self._capacity < len(outputs) + ROOM:
            self._make_rows(len(outputs) + ROOM)
        if self._info.crossings:
            self.part["crossing_sizes"][:] = self._ends
        has_states = bool(self._info.states)
        is_explicit = method.tableau is not None or not has_states
        if self._solver is not None and method.family is not self._solver.family and (method.family or not is_explicit):
            self._solver.free()
            self._solver, events.solver = None, None
        if method.family is not None and method.tableau is None and has_states and self._solver is None:
            self.find_solver(method)
        self._now = settings.now
        self.data.now = self._places["now"] if settings.now is None else address(settings.now)
        events.span = span = float(outputs[-1]) - float(outputs[0])
        events.run_span = span or 1.0
        events.max_step = longest_step(self._info, method, self.inputs, span, settings.max_step)
        events.is_automatic = control.detect_stiffness = method.detects_stiffness
        events.is_implicit = method.tableau is None
        self.data.history.rtol = settings.rtol
        self.data.history.most_levels = most_levels(len(self._info.delays), method.tableau is not None)
        control.rtol, control.max_steps, control.nearest = settings.rtol, settings.max_steps, settings.nearest
        tableau = method.tableau if method.tableau is not None and has_states else RK4
        data, its_control, its_events = self._call
        return data, its_control, byref(tableau_in_c(tableau)), its_events, settings.atol

    def enlarge_rows(self) -> bool:
        """Make room for twice as many rows; False if that is too much."""
        if 2 * self._capacity * self._width > _MOST_ROWS:
            return False
        self._make_rows(2 * self._capacity)
        return True

    def rows(self) -> Chunk:
        """The rows of the run: times, states, held values, guesses, delayed values."""
        n, (t, x, m, guesses, delayed) = self.events.tally.rows, self._rows
        if self._capacity * self._width > _MOST_KEPT:  # not kept for the next run
            self._capacity = 0
            return t[:n, 0], x[:n], m[:n], guesses[:n], delayed[:n]
        return t[:n, 0].copy(), x[:n].copy(), m[:n].copy(), guesses[:n].copy(), delayed[:n].copy()

    def free(self) -> None:
        """Let another run use the memory."""
        self.engine.memories.free.append(self)

    @property
    def has_started(self) -> bool:
        """False if there is no start."""
        return bool(self.events.has_start)

    @property
    def has_large_states(self) -> bool:
        """True if a state has exceeded 1e12 times its nominal value."""
        return bool(self.start.has_large_states)

    def ended(self) -> EndedRun:
        """What the run leaves behind, as far as C went."""
        events = self.events
        tally, pace, acted = Tally.from_buffer_copy(events.tally), self.data.watch.pace, bool(events.now.acted)
        block, history = self._block[: self._n_kept].copy(), None
        if self._info.delays:
            history = Stored.of(self.data.history, self._stretches)
        moment = Point(events.now.t, block[self._slices["now.x"]])
        ending = self._info.assertions[events.ended - 1] if events.ended else None
        failure: Reason = self.errors[0] if self.errors and isinstance(self.errors[0], InputFailure) else None
        if failure is None and events.failure.cause:
            failure = reason(self.model, events.failure, moment, events.span)
        implicit = self._solver.name if self._solver and (events.is_implicit or tally.stiff_segments) else ""
        own = self.inputs, self.controllers
        known = tally, moment.t, acted, pace, history, implicit, *own, ending, failure
        return EndedRun(self.model, block, self._slices, *known)


def _variables(found: list[tuple[int, int, float]]) -> Array[Written]:
    return (Written * len(found))(*(Written(*each) for each in found))


@dataclass(frozen=True, eq=False)
class EndedRun:
    """The moment at which a run in C has ended, with everything from which it can continue; `implicit` is the name of
    the method of SUNDIALS that it used."""

    model: CompiledModel
    _block: NDArray[np.float64]
    _slices: dict[str, slice]
    tally: Tally
    t: float
    acted: bool
    pace: float
    history: Stored | None
    implicit: str
    inputs: Inputs
    controllers: Controllers | None
    ending: Assertion | None
    failure: Reason

    def part(self, name: str) -> Vector:
        """The numbers of this name, as `WholeRun` lists them."""
        return self._block[self._slices[name]]

    @cached_property
    def first_values(self) -> Values:
        """The values of the run, with the guesses of its start."""
        p, c, s, w, n = map(self.part, ("p", "c", "s", "first_w", "nominals"))
        return Values(p, c, s, w, n, self.controllers)

    @property
    def counts(self) -> Counts:
        """The work of the run."""
        return Counts(self.tally.steps, self.tally.evaluations, self.tally.rejected)

    @property
    def events(self) -> Counter[str]:
        """How many events of each kind there were."""
        return events_of(self.tally)

    def stiffness(self) -> Stiffness:
        """Where the model has proved stiff."""
        tally = self.tally
        since = None if math.isnan(tally.stiff_since) else tally.stiff_since
        counts = tally.segments, tally.stiff_segments
        return Stiffness(tally.stiff, tally.gentle, since, *counts, self.implicit, tally.trust, tally.left)

    def inputs_over(self, delayed: Vector) -> Vector:
        """The inputs, and the delayed values, in so many rows as these."""
        n, u = len(self.model.info.inputs), self.part("u")
        return np.concatenate([np.tile(u[:n], (len(delayed), 1)), delayed], axis=1) if len(u) else delayed

    def statistics(self, method: Method, seconds: float) -> Statistics:
        """The cost of the run, which took so many seconds."""
        counts = self.counts
        work = counts.steps, counts.evaluations, counts.error_test_failures
        return Statistics(self.name_of(method), *work, seconds, dict(self.events))

    def name_of(self, method: Method) -> str:
        """The full name of the method that has integrated."""
        if not self.model.info.states:
            return "none (no states)"
        if method.full_name is not None and self.tally.advances:
            return method.full_name(Memory(stiffness=self.stiffness()))
        return self.implicit or method.name
