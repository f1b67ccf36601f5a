"""Runs a model in C, from its parameters, from where a run has ended, or in steps: c/run/whole.h. Integrates nothing.

C returns when it needs more room, or a solver for stiff models: it gets them and goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from ctypes import addressof, byref, c_double, c_long, c_void_p, cast
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.events.event_tables import steppable
from cutset.runtime.given.history import most_levels
from cutset.runtime.given.inputs import InputFailure, Inputs
from cutset.runtime.interface import CompiledModel, Vector
from cutset.runtime.runs.event_memory import ROOM, rows_for
from cutset.runtime.runs.failures import Reason, reason
from cutset.runtime.runs.rows import Chunk, joined
from cutset.runtime.runs.run_block import RunBlock
from cutset.runtime.runs.snapshot import Snapshot
from cutset.runtime.solvers.c_constants import tableau_in_c
from cutset.runtime.solvers.method import NEAREST, Method, least_steps
from cutset.runtime.solvers.tableaus import RK4
from cutset.runtime.targets.binding import place
from cutset.runtime.targets.c_records import NoiseCallback, Tally, address, constant, numbers_at
from cutset.runtime.targets.engine import Engine
from cutset.runtime.targets.interrupts import noted

if TYPE_CHECKING:
    from cutset.runtime.runs.outside_methods import OutsideMethod
    from cutset.runtime.solvers.implicit import ImplicitSolver
    from cutset.runtime.solvers.part import Part

AT_STOP, NOT_DEFINED, ROWS_FULL, INTERRUPTED = map(constant, ("AT_STOP", "NOT_DEFINED", "ROWS_FULL", "RUN_INTERRUPTED"))
NEEDS_SOLVER, RUN_ENDED, HISTORY_FULL, RUN_FAILED, OUTGROWN = map(
    constant, ("NEEDS_SOLVER", "RUN_ENDED", "HISTORY_FULL", "RUN_FAILED", "RUN_OUTGROWN")
)
_NEEDS = ROWS_FULL, NEEDS_SOLVER, HISTORY_FULL
# The most numbers in rows that are kept for the next run, and of one of many runs.
_MOST_KEPT, _MOST_ROWS = 1 << 18, 1 << 23
# What follows from parameters.
_OF_PARAMETERS = "p", "given", "c", "s", "nominals", "tolerance"
# How often a run is repeated with smaller tolerances.
_REPETITIONS = 3
# For what no tolerance decides.
_ATOL = 1e-8


@dataclass(eq=False)
class Settings:
    """The settings of a run, as those of `Experiment`; `now` (1,) receives the current time. `origin` is when the run
    began, if not at the first output. With `finishes` it ends at the last one, and does not go on from there."""

    outputs: Vector
    rtol: float
    atol: float
    max_steps: int
    max_step: float
    method: Method
    now: Vector | None = None
    origin: float | None = None
    finishes: bool = True

    @property
    def span(self) -> float:
        """The length of the run."""
        return float(self.outputs[-1]) - (float(self.outputs[0]) if self.origin is None else self.origin)


class Run(RunBlock):
    """A run, which starts, goes on, or continues another one; then the other attributes and methods tell what it did,
    until the next one."""

    def __init__(self, model: CompiledModel, engine: Engine):
        super().__init__(model, engine)
        info = model.info
        self._capacity, self._outputs, self._asked = 0, np.zeros(0), ()
        self._chunks: list[Chunk] = []
        self._width = 1 + len(info.states) + info.n_modes + info.n_guesses + len(info.inputs) + len(info.delays)
        self._solver: ImplicitSolver | None = None
        self._outside: OutsideMethod | None = None
        self._implicit, self._stiff_before, self._origin = "", 0, 0.0
        self._steps: tuple[Vector, NDArray[Any]] | None = None
        self._moment = self.events.now
        most = len(info.states) + info.n_modes + len(info.inputs)
        self._numbers = (c_long * most)(), (c_double * most)()

    def free(self) -> None:
        """Let another run use the memory."""
        self.engine.memories.free.append(self)

    # --- what C does

    def start(self, settings: Settings) -> int:
        """Run with the values that are placed: the status, as in driver.h. A run in which states have outgrown their
        tolerances is repeated with smaller ones, if nothing outside takes part."""
        *arguments, atol = self.arguments(settings)
        if self.inputs.functions:
            self.inputs.require(float(settings.outputs[0]), float(settings.outputs[-1]))
        self.data.growth.is_repeated = 0
        status = self._from_start(arguments, atol)
        for _ in range(_REPETITIONS):
            if status == OUTGROWN and self.controllers is None:
                self.data.growth.is_repeated = 1
                status = self._from_start(arguments, atol)
        if self.data.growth.is_repeated and status not in (AT_STOP, RUN_ENDED, OUTGROWN):
            self.data.growth.is_repeated = 0
            status = self._from_start(arguments, atol)
        return status if status != OUTGROWN else self._end

    def _from_start(self, arguments: Sequence[Any], atol: float) -> int:
        self._chunks.clear()
        if self._info.crossings:
            self.part["crossing_sizes"][:] = self._first_sizes
        self.errors.clear()
        functions = self.engine.functions
        return self._done(partial(functions.whole, *arguments, atol), functions.go_on)

    def find_start(self, t: float, span: float, rtol: float) -> bool:
        """Find the start of a run of `span` seconds at the time t, with the values that were taken."""
        events = self.events
        self.errors.clear()
        self.connect()
        if self._info.crossings:
            self.part["crossing_sizes"][:] = self._first_sizes
        events.span, events.run_span, self._origin = span, span or 1.0, t
        self.data.now, self._control.rtol, self.data.history.rtol = self._places["now"], rtol, rtol
        data, control, its_events = self._call
        events.has_start = self.engine.functions.find_start(data, control, its_events, t, _ATOL)
        return self.has_started

    def enter(self, snapshot: Snapshot, settings: Settings, inputs: Inputs | None = None) -> tuple[Any, ...]:
        """Be in the state of the snapshot, at the first output; these inputs, if given, replace its own. Returns the
        arguments with which C goes on."""
        start, signals = float(settings.outputs[0]), snapshot.inputs if inputs is None else inputs
        signals.require(start, float(settings.outputs[-1]))
        self._block[: self._n_kept] = snapshot.block
        self.controllers = snapshot.controllers
        if self.history is not None and snapshot.history is not None:
            self.history.take(snapshot.history)
        self.take_inputs(signals)
        *arguments, atol = self.arguments(settings)
        events = self.events
        events.tally, events.now.t, events.now.acted = snapshot.tally, start, snapshot.acted
        events.inputs_changed, self.data.watch.pace, self.data.interrupted = inputs is not None, snapshot.pace, 0
        self._origin, self._control.nearest, self._implicit = snapshot.origin, snapshot.nearest, snapshot.implicit
        self._stiff_before = snapshot.tally.stiff_segments
        self.errors.clear()
        if inputs is not None:
            self._step_inputs(snapshot.part("u"))
        self.engine.functions.enter(*self._call, atol)
        return tuple(arguments)

    def resume(self, snapshot: Snapshot, settings: Settings, inputs: Inputs | None = None) -> int:
        """Continue from the snapshot to the stop, from where these inputs, if given, replace its own: the status."""
        arguments = self.enter(snapshot, settings, inputs)
        functions = self.engine.functions
        status = self._done(partial(functions.resume, *arguments), functions.go_on)
        return status if status != OUTGROWN else self._end

    def step(self, until: float, max_step: float, numbers: Mapping[int, float]) -> int:
        """Go on to `until` after giving these numbers, by their `places`, new values: the status. `back` undoes it."""
        n, span = self._found(numbers), until - self._origin
        if self._least_steps:
            max_step = min(max_step, span / self._least_steps)
        self.events.max_step = max_step
        if self.history is not None:
            self._marked = self.history.copy(self.part["delays"], self.part["delay_windows"])
        step, again = self.engine.functions.step, self.engine.functions.advance
        self._chunks.clear()
        self.errors.clear()
        self.connect()
        if self._calls_python:
            return self._done(partial(step, *self._arguments, until, span, n, *self._numbers), again)
        status: int = step(*self._arguments, until, span, n, *self._numbers)
        return self._done(lambda: status, again) if status in _NEEDS else status

    def _found(self, numbers: Mapping[int, float]) -> int:
        """Let C find these numbers by their places: how many there are."""
        places, values = self._numbers
        n = 0
        for number, value in numbers.items():
            places[n], values[n] = number, value
            n += 1
        return n

    def back(self) -> None:
        """Return to where the latest step began."""
        self.engine.functions.step_back(self._call[0], self._call[2])
        self.errors.clear()
        if self.history is not None:
            self.history.take(self._marked)

    def change(self, numbers: Mapping[int, float], parameters: Mapping[str, float], atol: float) -> bool:
        """Give these numbers, by their `places`, and these parameters new values in C, and let relations follow. False
        if that needs more; then nothing has changed. RunError for a wrong name or value."""
        if self._calls_python or self.history is not None or self.inputs.functions:
            return False
        kept = [(part, part.copy()) for part in map(self.part.__getitem__, _OF_PARAMETERS)] if parameters else []
        if parameters:
            place(self._info, parameters, self.part["p"], self.part["given"])
        n, span = self._found(numbers), self.time - self._origin
        self._chunks.clear()
        self.connect()
        set_numbers = self.engine.functions.set
        if set_numbers(*self._arguments, atol, span, n, *self._numbers, bool(parameters)) == AT_STOP:
            return True
        self.back()
        for part, numbers_before in kept:
            part[:] = numbers_before
        return False

    def settle(self, before: Snapshot, x: Vector) -> int:
        """Settle an event at the moment of the snapshot, with these states, at which no sample is due: the status."""
        first = self._slices["history"].start
        self._block[first : self._n_kept] = before.block[first:]
        self.part["now.x"][:] = x
        tally, events = before.tally, self.events
        events.tally = Tally(tally.calm_step, tally.calm_until, before.t, 1.0)
        events.now.t, events.inputs_changed, events.ended, events.failure.cause = before.t, 1, 0, 0
        self.data.interrupted = 0
        self.errors.clear()
        return self._done(partial(self.engine.functions.run, *self._arguments), self.engine.functions.run)

    def _done(self, call: Callable[[], int], again: Callable[..., int]) -> int:
        """Call C, then `again` as long as it needs something: the status. Exceptions of functions in Python."""
        if self._calls_python:
            with noted(self.stop):
                status = self._through(call, again)
        else:
            status = self._through(call, again)
        if self.errors:
            error = self.errors[0]
            if not isinstance(error, InputFailure | KeyboardInterrupt):
                raise error
            if self.has_started:
                return INTERRUPTED if isinstance(error, KeyboardInterrupt) else RUN_FAILED
        return status

    def _through(self, call: Callable[[], int], again: Callable[..., int]) -> int:
        status = call()
        while True:
            if status != AT_STOP and self.controllers is not None:
                self.controllers.again_after(self.events.now.t)
            if status == ROWS_FULL:
                self._make_room_for_rows()
            elif status == HISTORY_FULL:
                assert self.history is not None, "only delayed signals have a history"
                self.history.make_room()
            elif status == NEEDS_SOLVER:
                self._open_solver()
            else:
                return status
            status = again(*self._arguments)

    def _step_inputs(self, was: Vector) -> None:
        """Inputs step from these values at the next event: those whose derivative is an input too, and zero."""
        pairs, now, functions = steppable(self._info), self.inputs.constant, self.inputs.functions
        self._steps = steps, places = np.zeros((len(pairs), 2)), np.array(pairs, dtype=np.dtype(c_long)).ravel()
        for i, (k, d) in enumerate(pairs):
            if now[d] == was[d] == 0.0 and not {k, d} & set(functions):
                steps[i, 0] = now[k] - was[k]
        jumps = self.events.jumps
        jumps.n_stepped, jumps.step, jumps.stepped = len(pairs), address(steps), address(places)

    # --- methods

    def find_solver(self, method: Method) -> bool:
        """Let C integrate by SUNDIALS with this method, also the next runs; False if that is not possible."""
        from cutset.runtime.solvers.implicit import solver_for

        solver = self._solver = solver_for(self.engine, method.family, self.data, self.part["nominals"])
        self.events.solver = None if solver is None else addressof(solver.record)
        return solver is not None

    def _open_solver(self) -> None:
        method, family = self._settings.method, self._settings.method.family
        if not self.find_solver(method):
            from cutset.runtime.solvers.cvode import integrate

            assert family is not None, "only a method of a family needs a solver"
            self._integrate_outside(partial(integrate, family))

    def _integrate_outside(self, integrate: Callable[[Part], int]) -> None:
        from cutset.runtime.runs.outside_methods import OutsideMethod

        self._outside = OutsideMethod(integrate, self)
        self.events.segment = cast(self._outside.callback, c_void_p).value

    def _find_noise(self) -> None:
        from cutset.runtime.runs.crossing_noise import CrossingNoise

        noise, info = CrossingNoise(self, self._settings.rtol), self._info

        def write(t: float, x: int, m: int, found: int) -> None:
            try:
                known = numbers_at(x, len(info.states)).copy(), numbers_at(m, info.n_modes).copy()
                numbers_at(found, len(info.crossings))[:] = noise.at(t, *known)
            except BaseException as error:  # no exception can pass through C
                self.stop(error)
            self.connect()

        self._noise = NoiseCallback(write)
        self.events.find_noise = cast(self._noise, c_void_p).value

    # --- settings

    def outputs(self, asked: tuple[Any, ...], make: Callable[[], Vector]) -> Vector:
        """The output times of a run that asks for these, as the latest run has them or as they are made."""
        if asked != self._asked:
            self._asked, self._outputs = asked, make()
        return self._outputs

    def arguments(self, settings: Settings) -> tuple[Any, ...]:
        """The arguments with which C runs with these settings, in the calling thread, and the absolute tolerance."""
        self.connect()
        events, control, method, outputs = self.events, self._control, settings.method, settings.outputs
        if self._capacity < len(outputs) + ROOM:
            self._make_rows(len(outputs) + ROOM)
        has_states = bool(self._info.states)
        is_explicit = method.tableau is not None or not has_states
        if self._solver is not None and method.family is not self._solver.family and (method.family or not is_explicit):
            self._solver.free()
            self._solver, events.solver = None, None
        self._settings = settings
        self.data.now = self._places["now"] if settings.now is None else address(settings.now)
        events.outputs, events.n_outputs = address(outputs), len(outputs)
        events.finishes = settings.finishes
        events.span = span = settings.span
        events.run_span = span or 1.0
        self._origin = float(outputs[0]) if settings.origin is None else settings.origin
        self._least_steps = least_steps(self._info, method, self.inputs)
        events.max_step = settings.max_step
        if self._least_steps and span > 0.0:
            events.max_step = min(settings.max_step, span / self._least_steps)
        events.is_automatic = control.detect_stiffness = method.detects_stiffness
        events.is_implicit = method.tableau is None
        self.data.history.rtol = settings.rtol
        self.data.history.most_levels = most_levels(len(self._info.delays), method.tableau is not None)
        control.rtol, control.max_steps, control.nearest = settings.rtol, settings.max_steps, NEAREST * span
        tableau = method.tableau if method.tableau is not None and has_states else RK4
        data, its_control, its_events = self._call
        self._arguments = data, its_control, byref(tableau_in_c(tableau)), its_events
        self._chunks.clear()
        if self._steps is not None:
            self._steps, events.jumps.n_stepped = None, 0
        self._implicit, self._stiff_before = "", 0
        self._choose_method(method, is_explicit)
        return *self._arguments, settings.atol

    def _choose_method(self, method: Method, is_explicit: bool) -> None:
        if self._outside is not None:
            self._outside, self.events.segment = None, None
        if not is_explicit and method.integrate is not None:
            self._integrate_outside(method.integrate)
        elif not is_explicit and self._solver is None:
            self.find_solver(method)
        if self._info.n_algebraic and self._info.crossings:
            self._find_noise()

    # --- rows

    def _make_rows(self, capacity: int) -> None:
        self._rows, self._capacity = rows_for(self._info, self.events, capacity), capacity

    def _make_room_for_rows(self) -> None:
        if self.events.tally.rows:
            self._take_rows()
        else:
            self._make_rows(2 * self._capacity)

    def enlarge_rows(self) -> bool:
        """Make room for twice as many rows; False if that is too much."""
        if 2 * self._capacity * self._width > _MOST_ROWS:
            return False
        self._make_rows(2 * self._capacity)
        return True

    def _take_rows(self) -> None:
        """Keep the rows, and let C begin with none again."""
        n, arrays = self.events.tally.rows, self._rows
        if self._is_large:  # these arrays are kept
            self._make_rows(len(self._settings.outputs) + ROOM)
            t, x, m, guesses, u = (array[:n] for array in arrays)
        else:
            t, x, m, guesses, u = (array[:n].copy() for array in arrays)
        self._chunks.append((t.ravel(), x, m, guesses, u))
        self.events.last_row, self.events.tally.rows = float(t[-1, 0]), 0

    @property
    def _is_large(self) -> bool:
        return self._capacity * self._width > _MOST_KEPT

    def rows(self) -> Chunk:
        """The rows of the run: times, states, held values, guesses, u values."""
        n, (t, x, m, guesses, u) = self.events.tally.rows, self._rows
        if not self._chunks and not (n and self._is_large):
            return t[:n, 0].copy(), x[:n].copy(), m[:n].copy(), guesses[:n].copy(), u[:n].copy()
        if n:
            self._take_rows()
        return joined(self._chunks)

    # --- what the run has done

    @property
    def _end(self) -> int:
        """The status of a run that is at its end."""
        return RUN_ENDED if self.events.ended else AT_STOP

    @property
    def outgrown(self) -> list[int]:
        """The states that have grown by themselves from where their tolerance was large."""
        growth = self.data.growth
        if not growth.has_grown:
            return []
        sizes = numbers_at(getattr(growth, "from"), len(self._info.states))
        return np.flatnonzero(2.0 * self._settings.rtol * sizes < self.part["tolerance"]).tolist()

    @property
    def has_started(self) -> bool:
        """False if there is no start."""
        return bool(self.events.has_start)

    @property
    def has_rows(self) -> bool:
        """False if there is no row."""
        return bool(self._chunks or self.events.tally.rows)

    @property
    def has_large_states(self) -> bool:
        """True if a state has exceeded 1e12 times its nominal value."""
        return bool(self.start_data.has_large_states)

    @property
    def evaluates(self) -> CompiledModel:
        """The model that results have."""
        if not self._info.n_algebraic:
            return self.model
        from cutset.runtime.solvers.solved_unknowns import integrated

        return integrated(self.model)

    @property
    def time(self) -> float:
        """The time that the run has reached."""
        return float(self._moment.t)

    def snapshot(self) -> Snapshot:
        """The state of the run, as far as C went."""
        events = self.events
        tally, pace, acted = Tally.from_buffer_copy(events.tally), self.data.watch.pace, bool(events.now.acted)
        block, history = self._block[: self._n_kept].copy(), None
        if self.history is not None:
            history = self.history.copy(block[self._slices["delays"]], block[self._slices["delay_windows"]])
        ending = self._info.assertions[events.ended - 1] if events.ended else None
        t = events.now.t
        why: Reason = self.errors[0] if self.errors and isinstance(self.errors[0], InputFailure) else None
        if why is None and events.failure.cause:
            why = reason(self.model, events.failure, events.span)
        own = self.model, block, self._slices, self.inputs, history, self._origin, self._control.nearest
        return Snapshot(*own, tally, t, acted, pace, self._used(tally), self.controllers, ending, why)

    def _used(self, tally: Tally) -> str:
        """The name of the method of SUNDIALS, or outside, that the run has used."""
        if self._outside is not None:
            return self._outside.name or self._implicit
        if self._solver and (self.events.is_implicit or tally.stiff_segments > self._stiff_before):
            return self._solver.name
        return self._implicit
