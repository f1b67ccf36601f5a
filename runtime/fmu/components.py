"""Advances FMUs that are components of a model, as controllers: time, parameters, inputs -> outputs.

At a communication point an FMU that repeats its step starts it with the inputs at its end, which depend on its outputs
there: in rounds it goes back and starts again, until they agree, see `coupling`. An FMU that does not makes its step
once, with the inputs at the start of the step.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cutset.contract.fmu_events import EVEN_ROUND, ODD_ROUND, REST
from cutset.contract.metadata import External
from cutset.runtime.errors import Fault, FunctionFailure
from cutset.runtime.fmu.coupling import Coupling, Disagreement, Kinds
from cutset.runtime.fmu.exchange import ExchangeFmus
from cutset.runtime.fmu.openings import disagreement, kinds_of
from cutset.runtime.fmu.runner import TO_START, FmuRunner

# The arguments before parameters and inputs: time, step, the limit of time for an answer, whether it is separate and
# whether it repeats its step, and the number of the call at this instant.
_FIRST = 6
_MOST_SHOWN = 6


def joined_fmu(external: External, others: Sequence[Any]) -> FmuComponent:
    """The FMU of one component, which seeks values together with those among the other controllers of the run."""
    known = (other.coupling for other in others if isinstance(other, FmuComponent))
    exchange = next((other for other in others if isinstance(other, ExchangeFmus)), None)
    return FmuComponent(external, next(known, None) or Coupling(), exchange)


class FmuComponent:
    """The FMU of one component in one run, with those that it is connected to; it is loaded at the first call. Raises
    FunctionFailure."""

    def __init__(self, external: External, coupling: Coupling, exchange: ExchangeFmus | None = None):
        self.external, self.coupling, self._exchange = external, coupling, exchange
        self._parameters, self._inputs, self._outputs = external.names[:3]
        self.title = Path(external.path).name
        self._runner: FmuRunner | None = None
        self._is_separate, self._limit = True, TO_START
        self._kinds, self._has_clocks = Kinds(), False
        self._kept: dict[str, Any] | None = None
        self._lost = ""
        self._begin_again()

    def _begin_again(self) -> None:
        """Be as before the first call."""
        self._time, self._is_starting = math.nan, False
        self._held: dict[str, float] = {}  # the inputs of the next step, for an FMU that does not repeat it
        self._shown = [0.0] * len(self._outputs)  # the outputs that the model has
        self._ends = False  # the FMU ends the run
        self._found = self._shown
        self._tried: dict[str, float] | None = None  # the inputs of the latest try

    def __call__(self, given: Sequence[float]) -> list[float]:
        """The outputs after this call at the time given[0], what comes next, the number of the next call, and whether
        the FMU ends the run."""
        time, _, self._limit, separate, iterates, number = given[:_FIRST]
        numbers = given[_FIRST:]
        parameters = dict(zip(self._parameters, numbers, strict=False))
        inputs = dict(zip(self._inputs, numbers[len(parameters) :], strict=True))
        if number == 0:
            self._prepare(time, list(parameters.values()), bool(separate), bool(iterates))
            self._step(time, parameters, inputs, bool(iterates))
            self.coupling.join(self, time, self._shown, bool(iterates and inputs), self._kinds)
            if self._has_clocks:
                self.coupling.let_tick()
            return self._answer(bool(inputs) or self._has_clocks, 0)
        if self.coupling.ticks_in(number):
            if self._has_clocks:
                self._shown = self._numbers("tick", inputs, time=time, values=inputs)
                self.coupling.change(self, self._shown)
            return self._answer(True, number)
        if number % 2 and self.coupling.iterates:
            if iterates:
                self.coupling.tell(self, self._tried_with(time, inputs))
            return self._answer(True, number)
        return self._settled(time, number, inputs)

    def _settled(self, time: float, number: float, inputs: dict[str, float]) -> list[float]:
        """The answer after a round, in which all FMUs have made their steps."""
        try:
            self._shown, agrees = self.coupling.following(self, number)
        except Disagreement as error:
            raise FunctionFailure(disagreement(error)) from error
        if agrees:
            self._time, self._held, self._tried = time, inputs, None
            if self._is_starting:
                self._shown = self._numbers("begin")
                self._is_starting = False
        return self._answer(not agrees, number)

    def _answer(self, goes_on: bool, number: float) -> list[float]:
        following = REST if not goes_on else EVEN_ROUND if number % 2 else ODD_ROUND
        return [*self._shown, float(following), number + 1 if goes_on else 0.0, float(self._ends)]

    def _prepare(self, time: float, parameters: list[float], separate: bool, iterates: bool) -> None:
        if self._runner is None:
            self._is_separate = separate
            if self._kept is not None:
                self._resume()
            elif self._exchange is not None:
                self._runner = self._exchange.openings.take(self.external.instance, time, parameters)
            if self._runner is None:
                self._load()
            facts = self._ask("facts", outputs=self._outputs)
            self._kinds = kinds_of(self.external, facts)
            self._has_clocks = bool(facts["clocks"])
            if iterates and (self._has_clocks or not facts["repeats"]):
                what = f"the FMU {self.title} cannot go back to the start of a step, which iterate=true requires"
                reason = "it has input clocks" if self._has_clocks else "its canGetAndSetFMUState is false"
                raise FunctionFailure(Fault("E665", what, (reason,)))

    def _step(self, time: float, parameters: dict[str, float], inputs: dict[str, float], iterates: bool) -> None:
        """Make the step to this time, or let rounds make it. Before the first one the FMU starts with these values."""
        if math.isnan(self._time):
            self._is_starting, self._tried = iterates and bool(inputs), inputs
            do, values = "open" if self._is_starting else "start", {**parameters, **inputs}
            self._shown = self._found = self._numbers(do, inputs, time=time, values=values)
        elif not iterates or not inputs:
            length = time - self._time
            self._shown = self._numbers("advance", self._held, time=self._time, step=length, values=self._held)
        else:
            return
        self._time = time

    def _tried_with(self, time: float, inputs: dict[str, float]) -> list[float]:
        """The outputs if the step to this time has these inputs."""
        if self._tried != inputs:
            if self._is_starting:
                self._found = self._numbers("reopen", inputs, values=inputs)
            else:
                first, length = self._tried is None, time - self._time
                self._found = self._numbers("tried", inputs, time=self._time, step=length, values=inputs, first=first)
            self._tried = inputs
        return self._found

    def _numbers(self, do: str, inputs: dict[str, float] | None = None, **request: Any) -> list[float]:
        """The outputs after a request; a failure shows these inputs."""
        try:
            *found, ends = map(float, self._ask(do, outputs=self._outputs, **request))
            self._ends = ends > 0.0
            return found
        except FunctionFailure as error:
            shown = list((inputs or {}).items())[:_MOST_SHOWN]
            notes = tuple(f"its input {name} = {value!r}" for name, value in shown)
            raise FunctionFailure(Fault(error.fault.code, error.fault.text, (*error.fault.notes, *notes))) from error

    def __getstate__(self) -> dict[str, Any]:
        """The time, the inputs and outputs, and the state of the FMU, as plain data."""
        if self._lost:
            raise FunctionFailure(Fault("E662", self._lost))
        if self._runner is None:
            return self._kept or {}
        state = self._ask("save")
        own = {"time": self._time, "separate": self._is_separate, "held": self._held, "shown": self._shown}
        return {**own, "state": state}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Continue from a state that `__getstate__` has returned."""
        self.close()
        self._begin_again()
        self._kept = dict(state) or None

    def rest(self) -> str:
        """Free the instance, and keep its state if it can be saved. What went wrong, '' if nothing."""
        if self._runner is not None:
            try:
                self._kept = self.__getstate__()
            except FunctionFailure as error:
                self._lost = str(error)
            return self.close()
        return ""

    def close(self) -> str:
        """End the process of the FMU. What went wrong, '' if nothing."""
        runner, self._runner = self._runner, None
        return "" if runner is None else runner.close()

    def _load(self) -> None:
        self._runner = FmuRunner(Path(self.external.path), self._is_separate, "CoSimulation")

    def _resume(self) -> None:
        assert self._kept is not None
        kept, self._kept = self._kept, None
        self._time, self._is_separate = float(kept["time"]), bool(kept["separate"])
        self._held = {str(name): float(value) for name, value in kept["held"].items()}
        self._shown = list(map(float, kept["shown"]))
        self._load()
        self._ask("restore", saved=kept["state"])

    def _ask(self, do: str, **request: Any) -> Any:
        assert self._runner is not None
        return self._runner.ask(do, self._limit, **request)
