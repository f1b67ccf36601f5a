"""Where a run stands at its end, and a copy of it from which the run goes on as if it had not stopped. Integrates
nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cutset.runtime.chatter import Chatter
from cutset.runtime.events import EventState
from cutset.runtime.inputs import Inputs
from cutset.runtime.solvers.method import Problem


@dataclass(frozen=True, eq=False)
class Snapshot:
    """All that decides how a run goes on: the states, what is held and what the latest event has left in the `state`,
    guesses and delayed values in the `problem`, what has crossed how often, the instant of the `latest_event`, `care`,
    the part of the tolerances that is used, and `origin`, where the run began. It is the run's own: `copy` it first."""

    problem: Problem
    state: EventState
    chatter: Chatter
    latest_event: float
    care: float
    origin: float

    def copy(self, inputs: Inputs | None = None, span: float = 0.0) -> Snapshot:
        """One that shares nothing that changes with this one; `inputs` are other signals from here on, `span` the
        length of the run."""
        problem = self.problem
        history = problem.inputs.history
        followed = replace(inputs or problem.inputs, history=None if history is None else history.copy())
        values = replace(problem.values, w=problem.values.w.copy())
        memory = problem.memory.copy()
        return replace(
            self,
            problem=replace(problem, values=values, inputs=followed, memory=memory),
            chatter=self.chatter.copy(span),
        )
