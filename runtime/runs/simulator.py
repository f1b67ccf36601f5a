"""Advances a run step by step: CompiledModel, Experiment -> `Simulator`. Knows no integration method.

A step that fails changes nothing: C returns to where it began.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import Any
from weakref import finalize

import numpy as np

from cutset.contract.metadata import ModelInfo
from cutset.runtime.description import Description
from cutset.runtime.errors import RunError, unknown_name
from cutset.runtime.given.given_starts import bound
from cutset.runtime.given.inputs import Inputs, InputSignal, derivative_of, resolve_inputs
from cutset.runtime.interface import CompiledModel, Values, Vector
from cutset.runtime.results.result import Result, Statistics
from cutset.runtime.runs import saved_state
from cutset.runtime.runs.event_memory import events_of
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.runs.opened import opened, settings_of
from cutset.runtime.runs.run import AT_STOP, INTERRUPTED, RUN_FAILED, Settings
from cutset.runtime.runs.simulate import begun
from cutset.runtime.runs.snapshot import Snapshot
from cutset.runtime.runs.texts import with_values
from cutset.runtime.solvers import UNREDUCED, find_method
from cutset.runtime.targets.binding import finite_number
from cutset.runtime.trajectory import Trajectory

# The numbers of a run that need no evaluation, by the arrays of the contract.
_PARTS = {"x": "now.x", "m": "now.m", "u": "u", "p": "p"}
_NO_SIGNALS: Mapping[str, InputSignal] = {}
_NO_NUMBERS: Mapping[int, float] = {}


class Simulator:
    """A run that advances in steps of any length, made by `Model.simulator`.

    Between steps, inputs, states, discrete variables and parameters may change, and the whole state can be saved and
    restored. Steps give the same trajectory as one run: to rounding if the method has steps of constant length that end
    there, otherwise to the tolerance.
    """

    def __init__(
        self,
        model: CompiledModel,
        experiment: Experiment,
        description: Description = Description(),
        expand: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict,
        signals: Callable[[Mapping[str, Any]], Mapping[str, InputSignal]] = dict,
    ):
        """`expand` gives the elements of vectors by name, `signals` those of inputs that may be tables; `remake`, set
        by who makes it, makes another one with these inputs."""
        if experiment.method == UNREDUCED.name or model.info.n_algebraic:
            hint = "take another method, such as cvode-bdf or ida"
            raise RunError("E605", "the method bdf cannot advance step by step", hint)
        self._model, self._experiment, self._description = model, experiment, description
        self._expand, self._signals_of = expand, signals
        self.remake: Callable[[Mapping[str, InputSignal]], Simulator] | None = None
        self._signals: dict[str, InputSignal] = dict(experiment.inputs)
        self._parameters = dict(experiment.parameters)
        self._ending = ""
        self._past: Counter[str] = Counter()
        self._now: Result | None = None
        self._run = opened(model, experiment)
        finalize(self, self._run.free)
        self._steps_inputs = any(derivative_of(name) in model.info.inputs for name in model.info.inputs)
        at_start = replace(experiment, stop=experiment.start, points=None, interval=None, times=None)
        settings = replace(settings_of(self._run, at_start), finishes=False)
        self._check(begun(self._run, settings, at_start), settings)

    @property
    def time(self) -> float:
        """The current time in s."""
        return self._run.time

    @property
    def info(self) -> ModelInfo:
        """The metadata of the model."""
        return self._model.info

    @property
    def events(self) -> Counter[str]:
        """The number of instants with events so far by kind: 'state', 'time' or 'sample'."""
        return self._past + events_of(self._run.events.tally)

    @property
    def outputs(self) -> dict[str, float]:
        """The current values of the outputs of the model, by name."""
        return {name: self[name] for name in self._model.info.outputs}

    @property
    def terminated(self) -> str:
        """The text with which the model ended the run; empty if it has not. Then `step` and `set` raise RunError."""
        return self._ending

    def step(self, dt: float, inputs: Mapping[str, InputSignal] | None = None) -> float:
        """Advance by `dt` s and return the new time. `inputs` are numbers, functions of time or tables by name; they
        stay until they are given again. If the model ends the run in between, the time is that instant.

        RunError E605 for a step that is not positive, E602 and E604 for wrong names, and as in `Model.simulate` if the
        step fails: then the simulator is as it was before.
        """
        finite_number("the step", dt)
        run = self._run
        start = run.time
        stop = start + dt
        if not stop > start:
            raise RunError("E605", f"the step must be a time greater than 0 s, not {dt!r}")
        if self._ending:
            self._require_going()
        if run.controllers is not None:
            with self._controlling():
                return self._step(start, stop, inputs)
        return self._step(start, stop, inputs)

    def _step(self, start: float, stop: float, inputs: Mapping[str, InputSignal] | None) -> float:
        run, given, numbers = self._run, _NO_SIGNALS, _NO_NUMBERS
        if inputs:
            given, found = inputs, self._numbers(inputs) if type(inputs) is dict else None
            if found is None:
                given = self._signals_of(inputs)
                found = self._numbers(given)
            if found is None:
                return self._go_on(stop, {**self._signals, **given})
            numbers = found
        if run.inputs.functions:
            run.inputs.require(start, stop)
        try:
            status = run.step(stop, self._experiment.max_step, numbers)
            if status != AT_STOP:
                self._check(status, replace(self._settings, outputs=np.array([start, stop])))
        except BaseException:
            run.back()
            raise
        if inputs:
            self._signals.update(given)
        self._now = None
        return run.time

    def _go_on(self, stop: float, signals: Mapping[str, InputSignal]) -> float:
        """A step from where these signals drive the inputs."""
        before = self._run.snapshot()
        self._continue(before, before, stop, resolve_inputs(self._model.info, signals))
        self._signals = dict(signals)
        return self._run.time

    def _continue(self, before: Snapshot, state: Snapshot, stop: float, inputs: Inputs | None) -> None:
        """Continue from this state to the stop, or from `before` if that fails."""
        run, self._past, self._now = self._run, self._past + before.events, None
        times = np.array([state.t, stop] if stop > state.t else [state.t])
        settings = replace(self._settings, outputs=times, origin=state.origin, finishes=False)
        try:
            self._check(run.resume(state, settings, inputs), settings)
        except BaseException:
            self._enter(before)
            raise

    def _enter(self, state: Snapshot) -> None:
        settings = replace(self._settings, outputs=np.array([state.t]), origin=state.origin)
        self._run.enter(state, settings)
        self._now = None

    def _check(self, status: int, settings: Settings) -> None:
        """Note how the run has ended. RunError or KeyboardInterrupt if it has failed."""
        run = self._run
        if status == INTERRUPTED:
            raise KeyboardInterrupt
        end = run.snapshot()
        if status == RUN_FAILED:
            from cutset.runtime.runs.run_failures import failed

            failure, _ = failed(end, run.rows(), status, settings)
            assert failure is not None, "the run has failed"
            raise failure.error()
        self._ending = "" if end.ending is None else with_values(end.ending.text, end)

    @contextmanager
    def _controlling(self) -> Iterator[None]:
        """Take the controllers back if the block fails. RunError E658 if one cannot be taken back."""
        controllers = self._run.controllers
        if controllers is None:
            yield
            return
        saved = controllers.saved()
        controllers.hold()
        try:
            yield
        except BaseException:
            controllers.put_back(saved)
            raise
        controllers.release()

    @property
    def x(self) -> Vector:
        """The current states, in the order of `Model.states`: a new array (n_states,)."""
        return self._run.part["now.x"].copy()

    @property
    def u(self) -> Vector:
        """The current inputs, in the order of `Model.inputs`: a new array (n_inputs,)."""
        return self._run.inputs.given_at(self.time)

    def get(self, *names: str) -> float | tuple[float, ...]:
        """The current value of a variable or parameter, or of several. UnknownName E607 for another name."""
        found = tuple(self[name] for name in names)
        return found[0] if len(found) == 1 else found

    def __getitem__(self, name: str) -> float:
        """The current value of a variable or parameter."""
        slot, run = self._model.info.names.get(name), self._run
        part = _PARTS.get(slot.array) if slot is not None else None
        if slot is None or part is None or (part == "u" and run.inputs.functions):
            return float(self._values[name][-1])
        return float(slot.sign * run.part[part][slot.index])

    def set(self, values: Mapping[str, float]) -> None:
        """Give states, discrete variables, parameters or inputs new values, by name. Relations and the variables that
        depend on them follow as at an event. RunError E602 for an unknown name, E604 for a variable that others
        determine; then nothing changes."""
        self._require_going()
        names, run = self._model.info.names, self._run
        numbers, inputs = dict[int, float](), dict[int, float]()
        parameters, signals = dict[str, float](), dict[str, float]()
        for name, value in (values if names.keys() >= values.keys() else self._expand(values)).items():
            number = finite_number(f"the value of '{name}'", value)
            slot = names.get(name)
            if name in self._model.info.folded or (slot is not None and slot.array == "p"):
                parameters[name] = number
            elif slot is None:
                raise RunError("E602", *unknown_name("variable", name, tuple(names)))
            elif slot.array == "u":
                signals[name] = number
                inputs[run.places["u"] + slot.index] = slot.sign * number
            elif slot.array in ("x", "m"):
                numbers[run.places[slot.array] + slot.index] = slot.sign * number
            else:
                hint = "set a state, a discrete variable, a parameter or an input"
                raise RunError("E604", f"'{name}' cannot be set: other variables determine it", hint)
        if parameters:
            parameters = {**self._parameters, **parameters}
        if (signals and self._steps_inputs) or not run.change({**numbers, **inputs}, parameters, self._experiment.atol):
            self._set(numbers, parameters, {**self._signals, **signals})
        self._parameters, self._now = parameters or self._parameters, None
        self._signals.update(signals)

    def _set(self, numbers: Mapping[int, float], parameters: Mapping[str, float], signals: Mapping[str, Any]) -> None:
        """The same by a start from the changed state."""
        before = self._run.snapshot()
        parts: dict[str, Any] = {"now.reach": -1.0, "now.widths": -1.0}
        if parameters:
            own = bound(self._model, parameters, self._experiment.initial)
            self._require_same_delays(own)
            parts |= {"p": own.p, "c": own.c, "s": own.s, "nominals": own.n}
        with self._controlling():
            state = before.changed(numbers, **parts)
            self._continue(before, state, before.t, resolve_inputs(self._model.info, signals))

    def _require_same_delays(self, values: Values) -> None:
        """RunError if a delay has another length with these values: the history holds what the present ones need."""
        info, present = self._model.info, bound(self._model, self._parameters, self._experiment.initial)
        if not info.delays:
            return
        x, u, m = np.zeros(len(info.states)), np.zeros(len(info.inputs) + len(info.delays)), np.zeros(info.n_modes)
        now, then = (self._model.delayed(0.0, x, u, each, m)[:, 1] for each in (present, values))
        for k in np.flatnonzero(now != then):
            change = f"the time of a delay cannot change from {now[k]:g} to {then[k]:g} s during a run"
            hint = "begin a new run, or choose between two delays: if long then delay(x, T1) else delay(x, T2)"
            raise RunError("E605", f"{info.delays[k]}: {change}", hint)

    def __reduce__(self) -> tuple[Callable[..., Simulator], tuple[Any, ...]]:
        """A pickle has the model, the settings and the state."""
        first = self._experiment.parameters
        changed = {name: value for name, value in self._parameters.items() if first.get(name) != value}
        return _again, (self.remake, self._signals, changed, self.state())

    def state(self) -> bytes:
        """The state of the run: states, discrete variables, modes, delayed values, guesses, the memory of the method
        and the time. Functions of time that drive inputs are not part of it."""
        return saved_state.to_bytes(self._run.snapshot(), self._fingerprint)

    def restore(self, state: bytes) -> None:
        """Continue from a state that `state` has returned, in this or another process. RunError E605 if it is not a
        state of this model with these values of parameters."""
        self.take(saved_state.from_bytes(state, self._run.snapshot(), self._fingerprint))

    def snapshot(self) -> Snapshot:
        """The state in memory."""
        return self._run.snapshot()

    def take(self, found: Snapshot) -> None:
        """Continue from a state of the same model, with its values of parameters."""
        self._past += events_of(self._run.events.tally)
        self._enter(found)
        for index, name in enumerate(self._model.info.inputs):
            if not callable(self._signals.get(name)):
                self._signals[name] = float(found.inputs.constant[index])
        self._ending = ""

    def _numbers(self, inputs: Mapping[str, InputSignal]) -> dict[int, float] | None:
        """The inputs by their numbers; None if one of them is not a number, takes the place of a function, or may be an
        impulse since it steps."""
        found, info, first = {}, self._model.info, self._run.places["u"]
        for name, value in inputs.items():
            slot = info.names.get(name)
            if slot is None or slot.array != "u" or not isinstance(value, float | int):
                return None
            is_driven = callable(self._signals.get(name))
            if is_driven or (self._steps_inputs and derivative_of(info.inputs[slot.index]) in info.inputs):
                return None
            found[first + slot.index] = slot.sign * finite_number(f"the input '{name}'", value)
        return found

    @cached_property
    def _fingerprint(self) -> str:
        return saved_state.fingerprint(self._model.info)

    @property
    def _settings(self) -> Settings:
        given = self._experiment
        limits = given.rtol, given.atol, given.max_steps, given.max_step
        return Settings(np.array([self.time]), *limits, find_method(given.method))

    @property
    def _values(self) -> Result:
        if self._now is None:
            state, n = self._run.snapshot(), self._model.info.n_guesses
            t, guesses = np.array([state.t]), state.values.w[None, :n].copy()
            rows = Trajectory(t, state.x[None, :], state.inputs.over(t), state.m[None, :], guesses)
            statistics = Statistics("", 0, 0, 0, 0.0)
            self._now = Result(self._model, state.values, rows, statistics, None, None, self._description)
        return self._now

    def _require_going(self) -> None:
        if self._ending:
            raise RunError("E605", f"the model has ended the run: {self._ending}", "restore an earlier state")


def _again(
    remake: Callable[[Mapping[str, InputSignal]], Simulator],
    signals: Mapping[str, InputSignal],
    parameters: Mapping[str, float],
    state: bytes,
) -> Simulator:
    sim = remake(signals)
    if parameters:
        sim.set(parameters)
    sim.restore(state)
    return sim
