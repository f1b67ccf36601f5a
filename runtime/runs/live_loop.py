"""Advances a run in C step by step: an `EventLoop` that keeps the state between calls. Contains no steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from cutset.runtime.events.time_event_queue import TimeEventQueue
from cutset.runtime.given.inputs import Inputs
from cutset.runtime.runs import delays
from cutset.runtime.runs.event_loop import EventLoop
from cutset.runtime.runs.snapshot import Snapshot
from cutset.runtime.solvers.method import Method, longest_step


def can_step(snapshot: Snapshot, method: Method) -> bool:
    """True if the loop can go on from the snapshot."""
    return not snapshot.problem.model.info.n_algebraic and (method.tableau is not None or method.family is not None)


class LiveLoop:
    """The loop of a run that continues from the snapshot, of which it is independent. `max_step` is the longest
    step."""

    def __init__(self, snapshot: Snapshot, method: Method, max_step: float):
        inputs = snapshot.problem.inputs
        own = Inputs(inputs.constant.copy(), inputs.functions)
        self._before = snapshot.copy(own, snapshot.state.t - snapshot.origin)
        problem, info = self._before.problem, snapshot.problem.model.info
        self._info, self._method, self._max_step, self._inputs = info, method, max_step, own
        queue = TimeEventQueue(np.array([snapshot.state.t, snapshot.state.t + 1.0]), snapshot.origin)
        if problem.inputs.history is not None:
            delays.set_up(problem, method, queue.span)
            problem.inputs.history.enter_just_after(snapshot.state.t)
        self._loop = EventLoop(problem, method, queue, max_step)
        self._loop.enter(self._before.state, snapshot.state.t)

    @property
    def time(self) -> float:
        """The time that the run has reached."""
        return self._loop.time

    def step(self, stop: float, inputs: Mapping[int, float]) -> bool:
        """Go on to `stop` after giving these inputs, by number, new values. False if that needs Python: then nothing
        has changed. KeyboardInterrupt, by Ctrl-C, changes nothing."""
        span = stop - self._before.origin
        longest = longest_step(self._info, self._method, self._inputs, span, self._max_step)
        before = {index: float(self._inputs.constant[index]) for index in inputs}
        for index, value in inputs.items():
            self._inputs.constant[index] = value
        done = False
        try:
            done = self._loop.step(stop, span, longest, inputs)
        finally:
            if not done:
                for index, value in before.items():
                    self._inputs.constant[index] = value
        return done

    def snapshot(self) -> tuple[Snapshot, Counter[str]]:
        """The current state, which shares data with the loop, and the number of events since its start by kind."""
        done = self._loop.leave(self._before.state)
        return replace(self._before, state=done.now), done.events

    def close(self) -> None:
        """Free its memory."""
        self._loop.close()
