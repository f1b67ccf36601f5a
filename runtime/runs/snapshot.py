"""Stores the state of a run at its end, so that a copy of the run can continue as if it had not stopped."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cutset.runtime.events.event_state import EventState
from cutset.runtime.given.inputs import Inputs
from cutset.runtime.interface import Vector
from cutset.runtime.solvers.method import Problem


@dataclass(frozen=True, eq=False)
class Snapshot:
    """Everything that determines how a run continues: the `state` after the latest event; guesses and delayed values in
    `problem`; and `origin`, the start time of the run. It shares data with the run: `copy` it before use. A copy with
    other inputs has those `replaced`."""

    problem: Problem
    state: EventState
    origin: float
    replaced: Vector | None = None

    def copy(self, inputs: Inputs | None, span: float) -> Snapshot:
        """A copy that shares no mutable data; `inputs` are the signals from here on, `span` is the length of the
        continued run."""
        problem = self.problem
        followed = problem.inputs if inputs is None else replace(inputs, history=problem.inputs.history)
        followed = followed.copied()
        values = replace(problem.values, w=problem.values.w.copy())
        memory = problem.memory.copy()
        return replace(
            self,
            problem=replace(problem, values=values, inputs=followed, memory=memory, start=self.state.t, span=span),
            replaced=None if inputs is None else problem.inputs.constant,
        )
