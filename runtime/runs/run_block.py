"""Holds the memory of a run in C: its tables, and its numbers in one block. Runs nothing.

What does not depend on a run is set up once for a model: its memory goes from run to run.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from ctypes import addressof, byref, c_long, c_void_p, cast
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from cutset.contract.metadata import ModelInfo, start_parameter
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
from cutset.runtime.given.history import History
from cutset.runtime.given.inputs import Inputs, InputSignal, resolve_inputs
from cutset.runtime.interface import CompiledModel, Values, Vector
from cutset.runtime.runs.event_memory import describe, first_sizes, model_sizes, point_to, point_to_breaks
from cutset.runtime.solvers.c_constants import signal_functions
from cutset.runtime.solvers.tableaus import EXPLICIT
from cutset.runtime.targets.binding import place
from cutset.runtime.targets.c_records import (
    AgainCallback,
    Control,
    Data,
    EventData,
    InputsCallback,
    Limit,
    SignalsData,
    StartData,
    Wanted,
    Written,
    address,
    constant,
    place_memory,
    sizes_of,
)
from cutset.runtime.targets.controllers import Controllers
from cutset.runtime.targets.engine import Engine

_STAGES = max(len(tableau.rows) for tableau in EXPLICIT)


class RunBlock:
    """The memory of a run. The arrays are parts of one block: first what stays in a run and what changes, which are its
    state, then work memory. `part` has them by name; `places` tells where states, held values and inputs begin among
    those that change; `data`, `events` and `start_data` are how C finds them. `errors` are exceptions in functions in
    Python."""

    def __init__(self, model: CompiledModel, engine: Engine):
        self._info: ModelInfo = model.info
        self.model, self.engine, info = model, engine, model.info
        n, sizes = len(info.states), model_sizes(info, _STAGES + 6)
        fixed = {
            **{"p": len(info.parameters), "c": info.n_constants, "s": info.n_starts, "nominals": n},
            **{"first_w": info.n_work, "delays": len(info.delays)},
        }
        changing = {
            **{"w": info.n_work, "u": len(info.inputs) + len(info.delays), "window": 2},
            **{"delay_windows": len(info.delays), "guess_sizes": info.n_guesses},
            **{"crossing_sizes": 2 * len(info.crossings), "history": constant("OF_CROSSING") * len(info.crossings)},
            **{f"now.{name}": size for name, size in sizes_of("cutset_moment", sizes).items()},
        }
        own = {
            **{"given": len(info.parameters), "start_given": n + len(info.discrete)},
            **{"start_value": n + len(info.discrete), "tolerance": n, "begins": info.n_begins, "bad_x": n, "now": 1},
            **{"defaults": len(info.start_checks), "marked": sum(changing.values())},
        }
        self._n_kept = sum(fixed.values()) + sum(changing.values())
        ends = list(accumulate([*fixed.values(), *changing.values(), *own.values()], initial=0))
        self._block = np.zeros(ends[-1] + 1)
        names = (*fixed, *changing, *own)
        self._slices = {name: slice(a, b) for name, (a, b) in zip(names, pairwise(ends), strict=True)}
        first = address(self._block)
        self._places = {name: first + 8 * at.start for name, at in self._slices.items()}
        places = ("x", "now.x"), ("m", "now.m"), ("u", "u")
        self.places = {letter: self._slices[name].start - self._slices["w"].start for letter, name in places}
        self._kept: list[Any] = []
        self.part = {name: self._block[at] for name, at in self._slices.items()}
        self.part["window"][:] = -math.inf, math.inf
        self._describe_data()
        self.history = self._made_history() if info.delays else None
        self._describe_events()
        self._describe_start()
        data, events = self.data, self.events
        search = self.start_data.search
        work = data.watch, data.branch, data.poles, data.growth, data.history, events, events.jumps, events.failure
        self._kept.append(place_memory((*work, events.state, events.before, search, search.best, search.tried), sizes))
        events.changing, events.marked = self._places["w"], self._places["marked"]
        events.n_changing = sum(changing.values())
        self._control = Control()
        self._control.atol = self._places["tolerance"]
        self._past = np.zeros(len(info.assertions), dtype="l")
        events.past = address(self._past)
        self.inputs = Inputs(self.part["u"][: len(info.inputs)], {}, self.history, self.part["window"])
        self.controllers: Controllers | None = None
        self.errors: list[BaseException] = []
        self._connected: Any = None
        self._calls_python = engine.calls_python
        if any(not external.is_c for external in info.externals):
            self._again = AgainCallback(self._repeat)
            events.again = cast(self._again, c_void_p).value
        self._first_sizes = first_sizes(info)
        self._given = self._block[self._slices["given"].start : self._slices["start_value"].stop]
        self._call = byref(self.data), byref(self._control), byref(self.events)

    # --- tables

    def _describe_data(self) -> None:
        info, at = self._info, self._places
        n = len(info.states)
        data = self.data = Data(**signal_functions(), c=at["c"], m=at["now.m"], u=at["u"], w=at["w"], n_states=n)
        data.bad_x, data.now, data.n_rates = at["bad_x"], at["now"], n - info.n_algebraic
        data.n_guesses, data.n_guards = info.n_guesses, info.n_guards
        data.watch.n, data.watch.sizes = len(info.crossings), at["crossing_sizes"]
        data.watch.n_watched, data.watch.places = info.n_watched, info.n_guesses + info.n_guards
        data.branch.n, data.branch.size = info.n_guesses, at["guess_sizes"]
        motions = systems_of_motion(info)
        self._kept += point_to(data.branch, {"motions": motions}, np.dtype(c_long))
        data.branch.n_motions = len(motions) // 2
        data.signals = SignalsData(None, None, None, None, 0, at["window"])

    def _made_history(self) -> History:
        self.data.history.offset = len(self._info.inputs)
        part = self.part
        return History(self.data.history, part["delays"], part["delay_windows"], self.engine.functions)

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

            self.isolation = Isolation(info)
            data.isolation = addressof(self.isolation.data)
            self.data.forcing = data.isolation if info.forcing else None

    def _describe_start(self) -> None:
        info, at = self._info, self._places
        start = self.start_data = StartData()
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

    # --- the values of a run

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
            self.take_inputs(resolve_inputs(info, signals))

    def take(self, values: Values, inputs: Inputs, initial: Mapping[str, float]) -> None:
        """Set values that are bound, and inputs; the values include these start values of the run. RunError for a wrong
        name."""
        self._given[:] = 0.0
        self.part["defaults"][:] = math.nan
        if initial:
            self._place_starts({}, initial)
        for name, numbers in {"p": values.p, "c": values.c, "s": values.s, "nominals": values.n, "w": values.w}.items():
            self.part[name][:] = numbers
        self.controllers, self.events.failure.cause, self.events.ended = values.controllers, 0, 0
        self.errors.clear()
        self.take_inputs(inputs)

    def take_inputs(self, inputs: Inputs) -> None:
        """Let these be the inputs from here on."""
        window, u = self.part["window"], self.part["u"][: len(self._info.inputs)]
        u[:], window[0], window[1] = inputs.constant[: len(u)], -math.inf, math.inf
        self.inputs = Inputs(u, inputs.functions, self.history, window)
        if inputs.functions or self._connected is not None:
            self._calls_python = self.engine.calls_python or bool(self.inputs.scripted)
            self._connected = (
                point_to_breaks(self.events, self.inputs),
                _connected(self.inputs, self.data, self.part["u"], self.errors),
            )

    @cached_property
    def values(self) -> Values:
        """The values of the run, as they are now."""
        p, c, s, w, n = map(self.part.__getitem__, ("p", "c", "s", "w", "nominals"))
        return Values(p, c, s, w, n)

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

    def stop(self, error: BaseException) -> None:
        """A function of the model in Python has raised this."""
        is_interrupt = isinstance(error, KeyboardInterrupt)
        self.errors += [] if is_interrupt else [error]
        self.data.interrupted = 1 if is_interrupt else 2

    def connect(self) -> None:
        """Let the library of the model, in this thread, be that of the run."""
        self.engine.connect(self.controllers, self.stop)

    def _repeat(self, t: float) -> None:
        if self.controllers is not None:
            self.controllers.again_at(t)


def _connected(inputs: Inputs, data: Data, u: Vector, errors: list[BaseException]) -> Any:
    """Let C evaluate the inputs of a run, whose values are in u: polynomials itself, others by a callback, whose
    exceptions go to `errors`. Returns what must be kept."""
    signals = inputs.packed
    data.signals = SignalsData(*map(address, signals), len(signals.sizes) // 5, address(inputs.window))
    data.inputs = None
    if not inputs.scripted:
        return signals

    def fill(t: float, _address: object) -> None:
        if data.interrupted == 2:
            return
        try:
            for index, function in inputs.scripted.items():
                u[index] = function(t)
        except BaseException as error:  # no exception can pass through C: the loop is stopped first
            errors.append(error)
            data.interrupted = 2

    callback = InputsCallback(fill)
    data.inputs = cast(callback, c_void_p).value
    return signals, callback


def _variables(found: list[tuple[int, int, float]]) -> Any:
    return (Written * len(found))(*(Written(*each) for each in found))
