"""Advances a run step by step: CompiledModel, Experiment -> `Simulator`. Knows no integration method.

Every step continues the run from a snapshot, so that a step that fails changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from cutset.runtime.description import Description
from cutset.runtime.errors import RunError, unknown_name
from cutset.runtime.events.event_state import EventState
from cutset.runtime.events.time_event_queue import TimeEventQueue
from cutset.runtime.given.given_starts import bound
from cutset.runtime.given.inputs import InputFailure, Inputs, InputSignal, derivative_of, resolve_inputs
from cutset.runtime.interface import CompiledModel
from cutset.runtime.results.result import Result, Statistics
from cutset.runtime.runs import saved_state
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.runs.live_loop import LiveLoop, can_step
from cutset.runtime.runs.python_run import begun_run
from cutset.runtime.runs.run import Run, Stopped
from cutset.runtime.runs.snapshot import Snapshot
from cutset.runtime.solvers import UNREDUCED, find_method
from cutset.runtime.solvers.method import Problem
from cutset.runtime.targets.binding import finite_number
from cutset.runtime.trajectory import Trajectory

# After a step that the loop in C could not do, this many steps at most are not tried with it.
_MOST_PATIENCE = 32


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
        """`expand` gives the elements of vectors by name, `signals` those of inputs that may be tables."""
        if experiment.method == UNREDUCED.name or model.info.n_algebraic:
            hint = "take another method, such as cvode-bdf or ida"
            raise RunError("E605", "the method bdf cannot advance step by step", hint)
        self._model, self._experiment, self._description = model, experiment, description
        self._expand, self._signals_of = expand, signals
        self._signals: dict[str, InputSignal] = dict(experiment.inputs)
        self._parameters = dict(experiment.parameters)
        self._ending = ""
        self._live: LiveLoop | None = None
        self._waiting = self._patience = 0
        self._past: Counter[str] = Counter()
        at_start = replace(experiment, stop=experiment.start, points=None, interval=None, times=None)
        run, begin = begun_run(model, at_start)
        self._stored = self._after(run, begin)
        self._now: Result | None = None

    @property
    def time(self) -> float:
        """The current time in s."""
        return self._stored.state.t if self._live is None else self._live.time

    @property
    def events(self) -> Counter[str]:
        """The number of instants with events so far by kind: 'state', 'time' or 'sample'."""
        return self._past if self._live is None else self._past + self._live.snapshot()[1]

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
        start, stop = self.time, self.time + dt
        if not stop > start:
            raise RunError("E605", f"the step must be a time greater than 0 s, not {dt!r}")
        self._require_going()
        with self._controlling():
            return self._step(start, stop, inputs)

    def _step(self, start: float, stop: float, inputs: Mapping[str, InputSignal] | None) -> float:
        given_now = {} if inputs is None else self._signals_of(inputs)
        if self._goes_on(stop, given_now):
            return stop
        signals = {**self._signals, **given_now}
        given = None if inputs is None else resolve_inputs(self._model.info, signals)
        copied = self._snapshot.copy(given, stop - self._snapshot.origin)
        run = self._run(copied.problem, TimeEventQueue(np.array([start, stop]), copied.origin))
        self._store(self._after(run, lambda: run.resume(copied, inputs is not None)))
        self._signals = signals
        return self.time

    @contextmanager
    def _controlling(self) -> Iterator[None]:
        """Take the controllers back if the block fails. RunError E658 if one cannot be taken back."""
        controllers = self._stored.problem.controllers
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

    def get(self, *names: str) -> float | tuple[float, ...]:
        """The current value of a variable or parameter, or of several. UnknownName E607 for another name."""
        now = self._values
        found = tuple(float(now[name][-1]) for name in names)
        return found[0] if len(found) == 1 else found

    def __getitem__(self, name: str) -> float:
        """The current value of a variable or parameter."""
        return float(self._values[name][-1])

    def set(self, values: Mapping[str, float]) -> None:
        """Give states, discrete variables, parameters or inputs new values, by name. Relations and the variables that
        depend on them follow as at an event. RunError E602 for an unknown name, E604 for a variable that others
        determine; then nothing changes."""
        self._require_going()
        parameters, signals = dict(self._parameters), dict(self._signals)
        state = self._snapshot.state
        x, m = state.x.copy(), state.m.copy()
        for name, value in self._expand(values).items():
            number = finite_number(f"the value of '{name}'", value)
            slot = self._model.info.names.get(name)
            if name in self._model.info.folded or (slot is not None and slot.array == "p"):
                parameters[name] = number
            elif slot is None:
                raise RunError("E602", *unknown_name("variable", name, tuple(self._model.info.names)))
            elif slot.array == "u":
                signals[name] = number
            elif slot.array in ("x", "m"):
                (x if slot.array == "x" else m)[slot.index] = slot.sign * number
            else:
                hint = "set a state, a discrete variable, a parameter or an input"
                raise RunError("E604", f"'{name}' cannot be set: other variables determine it", hint)
        no_rule = np.full_like(state.reach, -1.0), np.full_like(state.widths, -1.0)
        with self._controlling():
            self._change(replace(state, x=x, m=m, reach=no_rule[0], widths=no_rule[1]), parameters, signals)

    def state(self) -> bytes:
        """The state of the run: states, discrete variables, modes, delayed values, guesses, the memory of the method
        and the time. Functions of time that drive inputs are not part of it."""
        return saved_state.to_bytes(self._snapshot, self._fingerprint)

    def restore(self, state: bytes) -> None:
        """Continue from a state that `state` has returned, in this or another process. RunError E605 if it is not a
        state of this model with these values of parameters."""
        self._store(saved_state.from_bytes(state, self._snapshot.problem, self._fingerprint))
        constant = self._snapshot.problem.inputs.constant
        for index, name in enumerate(self._model.info.inputs):
            if not callable(self._signals.get(name)):
                self._signals[name] = float(constant[index])
        self._ending = ""

    @property
    def _snapshot(self) -> Snapshot:
        """The state of the run now, which must be copied before use."""
        return self._stored if self._live is None else self._live.snapshot()[0]

    def _store(self, snapshot: Snapshot) -> None:
        """Continue from the snapshot. The loop in C, if there is one, has done its part."""
        if self._live is not None:
            self._past += self._live.snapshot()[1]
            self._live.close()
        self._stored, self._live, self._now = snapshot, None, None

    def _goes_on(self, stop: float, inputs: Mapping[str, InputSignal]) -> bool:
        """Do the step in C alone; False if that is not possible, and nothing has changed."""
        numbers = self._numbers(inputs)
        names = self._model.info.inputs
        if numbers and any(derivative_of(names[k]) in names for k in numbers):
            return False  # a step of such an input is an impulse
        if numbers is None or self._waiting:
            self._waiting = max(self._waiting - 1, 0)
            return False
        method = find_method(self._experiment.method)
        self._stored.problem.inputs.require(self.time, stop)
        if self._live is None:
            if not can_step(self._stored, method):
                return False
            self._live = LiveLoop(self._stored, method, self._experiment.max_step)
        if not self._live.step(stop, numbers):
            self._patience = min(2 * self._patience + 1, _MOST_PATIENCE)
            self._waiting = self._patience
            return False
        self._signals.update(inputs)
        self._patience, self._now = 0, None
        return True

    def _numbers(self, inputs: Mapping[str, InputSignal]) -> dict[int, float] | None:
        """The inputs by their numbers; None if one of them is not a number, or takes the place of a function."""
        found, info = {}, self._model.info
        for name, value in inputs.items():
            slot = info.names.get(name)
            if slot is None or slot.array != "u" or callable(value) or callable(self._signals.get(name)):
                return None
            found[slot.index] = slot.sign * finite_number(f"the input '{name}'", value)
        return found

    @cached_property
    def _fingerprint(self) -> str:
        return saved_state.fingerprint(self._model.info)

    @property
    def _values(self) -> Result:
        if self._now is None:
            problem, state = self._snapshot.problem, self._snapshot.state
            t, guesses = np.array([state.t]), problem.values.w[None, : self._model.info.n_guesses].copy()
            rows = Trajectory(t, state.x[None, :], problem.inputs.over(t), state.m[None, :], guesses)
            values = replace(problem.values, w=problem.values.w.copy())
            self._now = Result(self._model, values, rows, Statistics("", 0, 0, 0, 0.0), None, None, self._description)
        return self._now

    def _require_going(self) -> None:
        if self._ending:
            raise RunError("E605", f"the model has ended the run: {self._ending}", "restore an earlier state")

    def _run(self, problem: Problem, queue: TimeEventQueue) -> Run:
        return Run(problem, find_method(self._experiment.method), queue, self._experiment.max_step)

    def _after(self, run: Run, begin: Callable[[], None]) -> Snapshot:
        """Do the run, which starts with `begin`; the snapshot at its end."""
        try:
            begin()
            run.finish()
        except Stopped as end:
            raise end.failure.error() from end
        except InputFailure as error:
            raise run.input_failed(error).error() from error
        finally:
            run.close()
        self._past.update(run.events)
        self._ending = run.ending.text if run.ending is not None else ""
        return run.snapshot()

    def _change(self, state: EventState, parameters: Mapping[str, float], signals: Mapping[str, InputSignal]) -> None:
        """Continue with these values at the same time, as after an event."""
        inputs: Inputs = resolve_inputs(self._model.info, signals)
        span = self.time - self._snapshot.origin
        copied = replace(self._snapshot, state=state).copy(inputs, span)
        if parameters != self._parameters:
            values = bound(self._model, parameters, self._experiment.initial)
            values.w[:] = copied.problem.values.w
            copied = replace(copied, problem=replace(copied.problem, values=values))
        queue = TimeEventQueue(np.array([self.time]), copied.origin if span > 0.0 else None)
        run = self._run(copied.problem, queue)
        self._store(self._after(run, lambda: run.resume(copied, True)))
        self._parameters, self._signals = dict(parameters), dict(signals)
