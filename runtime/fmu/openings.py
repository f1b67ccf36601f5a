"""Finds the outputs of FMUs for co-simulation while they are initialized, with the initial equations of the model.

The outputs are discrete variables. The search for the start solves the model for them, and calls each FMU for the
inputs that follow, until nothing changes: in rounds, as at communication points, see `coupling`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cutset.contract.metadata import External
from cutset.runtime.errors import Fault, FunctionFailure
from cutset.runtime.fmu.coupling import Coupling, Disagreement, Kinds
from cutset.runtime.fmu.runner import FmuRunner

_MOST_SHOWN = 6
# Outputs that differ by this much, relative to their size, agree.
_SAME = 1e-6


class _Opening:
    """The FMU of one component with these parameters while it is initialized at `time`; `agreed` are the outputs that
    were found, and `runner` is None once the FMU makes steps."""

    def __init__(self, external: External, time: float, parameters: Sequence[float], is_separate: bool, limit: float):
        self.external, self.time, self.parameters, self._limit = external, time, tuple(parameters), limit
        self.agreed: list[float] | None = None
        self.runner: FmuRunner | None = FmuRunner(Path(external.path), is_separate, "CoSimulation")
        self.kinds = kinds_of(external, self.runner.ask("facts", limit, outputs=external.names[2]))
        self._is_open = False

    def found(self, inputs: Sequence[float]) -> list[float]:
        """The outputs for these inputs."""
        assert self.runner is not None
        parameters, names, outputs = self.external.names
        request: dict[str, Any] = {"values": dict(zip(names, inputs, strict=True)), "outputs": outputs}
        do = "reopen" if self._is_open else "open"
        if not self._is_open:
            request["values"].update(zip(parameters, self.parameters, strict=True))
            request["time"] = self.time
        self._is_open = True
        return list(map(float, self.runner.ask(do, self._limit, **request)[: len(outputs)]))

    def close(self) -> None:
        """Free the instance, unless it makes steps."""
        if self.runner is not None:
            self.runner.close()
            self.runner = None


class Openings:
    """The FMUs for co-simulation of one run, by their components. Raises FunctionFailure."""

    def __init__(self) -> None:
        self._of: dict[str, _Opening] = {}
        self._coupling = Coupling()
        self.failure: FunctionFailure | None = None  # why there is no start

    def call(self, external: External, given: Sequence[float]) -> list[float]:
        """The outputs of an FMU for its inputs, and the number of the next call. The arguments are whether it makes
        steps, time, the limit of time for an answer, whether it is separate, its outputs and the number of this call
        as the model has them, and parameters and inputs."""
        moved, time, limit, separate, *rest = given
        parameters, inputs, outputs = external.names
        shown, number = rest[: len(outputs)], rest[len(outputs)]
        values = rest[len(outputs) + 1 : len(outputs) + 1 + len(parameters)]
        if moved:
            return [*shown, number]
        if self.failure is not None:
            raise self.failure
        opening = self._opening(external, time, values, bool(separate), limit)
        if opening.runner is None:
            return [*shown, number]
        try:
            return self._called(opening, number, shown, rest[len(rest) - len(inputs) :])
        except Disagreement as error:
            self.failure = FunctionFailure(disagreement(error))
            raise self.failure from error

    def _opening(
        self, external: External, time: float, parameters: Sequence[float], is_separate: bool, limit: float
    ) -> _Opening:
        known = self._of.get(external.instance)
        if known is None or (known.time, known.parameters) != (time, tuple(parameters)):
            if known is not None:
                known.close()
            known = self._of[external.instance] = _Opening(external, time, parameters, is_separate, limit)
        return known

    def _called(self, opening: _Opening, number: float, shown: list[float], inputs: list[float]) -> list[float]:
        if number and number % 2 == 0 and self._coupling.includes(opening):
            outputs, agrees = self._coupling.following(opening, number)
            opening.agreed = outputs if agrees else None
            return [*outputs, 0.0 if agrees else number + 1]
        found = opening.found(inputs)
        if number and self._coupling.includes(opening):
            self._coupling.tell(opening, found)
            return [*shown, number + 1]
        if opening.agreed == shown:
            differing = [k for k, pair in enumerate(zip(shown, found, strict=True)) if not _are_near(*pair)]
            if not differing:
                return [*shown, 0.0]
            # They are in a loop with initial equations.
            opening.kinds = Kinds(
                opening.kinds.sought | (set(differing) - opening.kinds.discrete), opening.kinds.discrete
            )
        if not inputs:
            opening.agreed = found
            return [*found, 0.0]
        self._coupling.join(opening, opening.time, found, True, opening.kinds)
        return [*found, 1.0]

    def take(self, instance: str, time: float, parameters: Sequence[float]) -> FmuRunner | None:
        """The FMU of a component, for its steps, if it is initialized at this time with these parameters.
        FunctionFailure."""
        if self.failure is not None:
            raise self.failure
        opening = self._of.get(instance)
        if opening is None or (opening.time, opening.parameters) != (time, tuple(parameters)):
            return None
        runner, opening.runner = opening.runner, None
        return runner

    def close(self) -> None:
        """Free the instances that make no steps."""
        for opening in self._of.values():
            opening.close()
        self._of.clear()


def kinds_of(external: External, facts: Mapping[str, Any]) -> Kinds:
    """The kinds of the outputs of an FMU that tells these facts."""
    discrete = frozenset(map(int, facts["discrete"]))
    cyclic = {k for k, name in enumerate(external.names[2]) if name in external.cyclic}
    return Kinds(frozenset(cyclic - discrete), discrete)


def _title_of(external: External, output: int) -> str:
    """An output for a message."""
    return f"the output {external.names[2][output]} of {external.instance} ({Path(external.path).name})"


def disagreement(error: Disagreement) -> Fault:
    """Why the run ends."""
    what = f"the outputs of FMUs do not agree with the inputs that depend on them, after {error.rounds} rounds"
    changing = error.outputs[:_MOST_SHOWN]
    return Fault(
        "E664", what, tuple(f"{_title_of(f.external, k)} was {a!r}, and {b!r} after a round" for f, k, a, b in changing)
    )


def _are_near(shown: float, found: float) -> bool:
    return abs(shown - found) <= _SAME * (1.0 + abs(found))
