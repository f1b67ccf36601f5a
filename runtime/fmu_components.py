"""Advances FMUs that are components of a model, as controllers: time, parameters, inputs -> outputs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cutset.contract.metadata import External
from cutset.runtime.errors import Fault, FunctionFailure
from cutset.runtime.fmu_runner import TO_START, FmuRunner

# The arguments before parameters and inputs: time, step, the limit of time for an answer, and whether it is separate.
_FIRST = 4


class FmuComponent:
    """The FMU of one component in one run; it is loaded at the first call. Raises FunctionFailure."""

    def __init__(self, external: External):
        self._external, self._names = external, external.names
        self.title = Path(external.path).name
        self._runner: FmuRunner | None = None
        self._time, self._step, self._is_separate = math.nan, math.nan, True
        self._kept: dict[str, Any] | None = None
        self._lost = ""

    def __call__(self, given: Sequence[float]) -> list[float]:
        """The outputs at the time given[0], after a step from the time of the call before with the held inputs, which
        are last; at the first call after the initialization with the inputs before these."""
        time, _, limit, separate = given[:_FIRST]
        parameters, inputs, _ = self._names
        numbers = given[_FIRST:]
        now, held = numbers[len(parameters) : -len(inputs) or None], numbers[len(numbers) - len(inputs) :]
        self._is_separate = bool(separate)
        if self._runner is None and self._kept is None:
            self._begin()
            values = dict(zip((*parameters, *inputs), (*numbers[: len(parameters)], *now), strict=True))
            found = self._ask("start", limit, time=time, values=values, outputs=self._names[2])
        else:
            if self._runner is None:
                self._resume()
            values = dict(zip(inputs, held, strict=True))
            found = self._ask(
                "advance", limit, time=self._time, step=time - self._time, values=values, outputs=self._names[2]
            )
        self._time = time
        return [*map(float, found)] or [0.0]

    def __getstate__(self) -> dict[str, Any]:
        """The time and the state of the FMU, as plain data."""
        if self._lost:
            raise FunctionFailure(Fault("E662", self._lost))
        if self._runner is None:
            return self._kept or {}
        state = self._ask("save", TO_START)
        return {"time": self._time, "separate": self._is_separate, "state": state}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Continue from a state that `__getstate__` has returned."""
        self.close()
        self._kept = dict(state) or None

    def rest(self) -> None:
        """Free the instance, and keep its state if it can be saved."""
        if self._runner is not None:
            try:
                self._kept = self.__getstate__()
            except FunctionFailure as error:
                self._lost = str(error)
            self.close()

    def close(self) -> None:
        """End the process of the FMU."""
        if self._runner is not None:
            self._runner.close()
            self._runner = None

    def _resume(self) -> None:
        assert self._kept is not None
        kept, self._kept = self._kept, None
        self._time, self._is_separate = float(kept["time"]), bool(kept["separate"])
        self._begin()
        self._ask("restore", TO_START, saved=kept["state"])

    def _begin(self) -> None:
        self._runner = FmuRunner(Path(self._external.path), self._is_separate, "CoSimulation")

    def _ask(self, do: str, limit: float, **request: Any) -> Any:
        assert self._runner is not None
        return self._runner.ask(do, limit, **request)
