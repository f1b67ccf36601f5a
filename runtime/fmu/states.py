"""Evaluates one instance of an FMU for model exchange at any point, with any of its discrete states."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from ctypes import c_double
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cutset.contract.fmu_elements import size_of
from cutset.runtime.fmu.instance import FmuFailure, FmuInstance

# The distances in time from a crossing at which the signs of indicators are sought: powers of ten.
_NEAREST, _FARTHEST = -15, -9
# The step of differences, relative to the size of the largest number.
_STEP = 6e-6
# The limit on updates of the discrete states in one event.
_UPDATES = 1000
# What may help an FMU that is told of the steps of its importer.
_STEPS = (
    "; it may change its equations in completedIntegratorStep, which is not called here: then select co-simulation, "
    '(fmu "cosimulation:...")'
)


@dataclass(frozen=True)
class Direction:
    """How time, states, and inputs change; other inputs do not."""

    time: float
    states: Sequence[float]
    inputs: Mapping[str, float]


@dataclass(frozen=True)
class Point:
    """The number of a discrete state, the time, the states, and the inputs."""

    state: int
    time: float
    states: Sequence[float]
    inputs: Mapping[str, float]

    def ahead(self, time: float, along: Direction) -> Point:
        """The point that follows along a direction after this time."""
        states = [x + time * slope for x, slope in zip(self.states, along.states, strict=True)]
        inputs = {name: u + time * along.inputs.get(name, 0.0) for name, u in self.inputs.items()}
        return Point(self.state, self.time + time * along.time, states, inputs)


class ExchangeInstance(FmuInstance):
    """An instance whose discrete states have numbers."""

    interface = "ModelExchange"

    def __init__(self, folder: Path, before: Callable[[str], None]):
        super().__init__(folder, before)
        description: Any = self._description
        offers = description.modelExchange
        self._can_return = bool(offers.canGetAndSetFMUstate)
        self._can_save = self._can_return and bool(offers.canSerializeFMUstate)
        rates = [unknown.variable for unknown in description.derivatives]
        self._n = sum(size_of(rate.shape or ()) for rate in rates)
        indicators = sum(size_of(unknown.variable.shape or ()) for unknown in description.eventIndicators)
        self._indicators = indicators or int(description.numberOfEventIndicators or 0)
        self._advice = _STEPS if offers.needsCompletedIntegratorStep and description.coSimulation is not None else ""
        self._has_slopes = bool(offers.providesDirectionalDerivative)
        self._rates = [rate.valueReference for rate in rates]
        self._state_references = [rate.derivative.valueReference for rate in rates]
        self._states: list[Any] = []
        self._current = -1
        self._point: Point | None = None

    def begin(
        self, time: float, parameters: Mapping[str, float], inputs: Mapping[str, float], outputs: Sequence[str]
    ) -> dict[str, Any]:
        """Initialize at this time. The first discrete state, as `event` returns it."""
        self._initialize(time, parameters, inputs)
        return self._settled(time, outputs)

    def event(self, point: Point, signs: Sequence[bool], outputs: Sequence[str]) -> dict[str, Any]:
        """The discrete state after an event at this point: its number, whether the FMU ends the run, whether it has a
        next time event and its instant, the continuous states, these outputs, and whether its indicators had these
        `signs`. Where they have not, the event is a little later on the path of the states."""
        agrees = self._crossed(point, signs)
        self._called("enterEventMode", self._fmu.enterEventMode)
        self._set(point.inputs)
        return {**self._settled(point.time, outputs), "agrees": agrees}

    def _crossed(self, point: Point, signs: Sequence[bool]) -> bool:
        """Take the FMU to this point, or a little farther, until the indicators have these signs; False if they do not.
        Then it is at the point itself."""
        for ahead in (0.0, *(10.0**k for k in range(_NEAREST, _FARTHEST))):
            rates = self.evaluate(point, "rates", ()) if ahead else [0.0] * self._n
            later = point.ahead(ahead * max(1.0, abs(point.time)), Direction(1.0, rates, {}))
            indicators = self.evaluate(later, "indicators", ())
            if all((z > 0.0) == sign for z, sign in zip(indicators, signs, strict=False)):
                return True
        self._go(point)
        return False

    def evaluate(self, point: Point, what: str, outputs: Sequence[str]) -> list[float]:
        """What an FMU gives at this point: 'rates', 'indicators', or 'outputs'."""
        self._go(point)
        if what == "outputs":
            return self._values(outputs)
        fmu, n = self._fmu, self._n if what == "rates" else self._indicators
        numbers = (c_double * n)()
        if what == "indicators":
            self._called("getEventIndicators", lambda: fmu.getEventIndicators(numbers, n))
        else:
            get = fmu.getDerivatives if self._is_2 else fmu.getContinuousStateDerivatives
            try:
                self._called("getDerivatives", lambda: get(numbers, n))
            except FmuFailure as error:
                raise FmuFailure(f"{error}{self._advice}") from error
        return list(numbers)

    def slope(self, point: Point, what: str, outputs: Sequence[str], along: Direction) -> list[float]:
        """The directional derivative of what `evaluate` gives: that of the FMU if it has one, else by differences."""
        if self._has_slopes and along.time == 0.0:
            self._go(point)
            asked = [v.valueReference for v in self._variables(outputs)]
            unknowns, size = (self._rates, self._n) if what == "rates" else (asked, len(outputs))
            knowns = [*self._state_references, *(v.valueReference for v in self._variables(along.inputs))]
            given = (unknowns, knowns, [*along.states, *along.inputs.values()], *(() if self._is_2 else (size,)))
            function = self._fmu.getDirectionalDerivative
            return list(self._called("getDirectionalDerivative", lambda: function(*given)))
        largest = max(map(abs, (along.time, *along.states, *along.inputs.values())), default=0.0)
        if largest == 0.0:
            return [0.0] * len(self.evaluate(point, what, outputs))
        step = _STEP * max(1.0, abs(point.time), *map(abs, (*point.states, *point.inputs.values()))) / largest
        before, after = (self.evaluate(point.ahead(h, along), what, outputs) for h in (-step, step))
        return [(high - low) / (2.0 * step) for low, high in zip(before, after, strict=True)]

    def save(self, state: int) -> bytes:
        """A discrete state as bytes. FmuFailure if the FMU cannot give it."""
        if not self._can_save:
            raise FmuFailure("the FMU cannot serialize its state (canSerializeFMUState is false)")
        return self._bytes(self._states[state])

    def restore(self, saved: bytes) -> int:
        """The number of the discrete state that `save` has returned."""
        self._states.append(self._state_of(saved))
        return len(self._states) - 1

    def end(self) -> None:
        """As `FmuInstance.end`."""
        for state in self._states:
            if self._can_return:
                self._release(state)
        self._states.clear()
        super().end()

    def _go(self, point: Point) -> None:
        """Take the FMU to this point. The inputs that are discrete belong to the discrete state."""
        if point.state != self._current:
            if not self._can_return:
                raise FmuFailure("the FMU cannot go back to an earlier state (canGetAndSetFMUState is false)")
            self._go_to(self._states[point.state])
            self._current, self._point = point.state, None
        if point == self._point:
            return
        fmu, n = self._fmu, self._n
        self._called("setTime", lambda: fmu.setTime(point.time))
        if n:
            self._called("setContinuousStates", lambda: fmu.setContinuousStates((c_double * n)(*point.states), n))
        self._set(
            {name: value for name, value in point.inputs.items() if self._of[name][0].variability == "continuous"}
        )
        self._point = point

    def _settled(self, time: float, outputs: Sequence[str]) -> dict[str, Any]:
        """Update the discrete states until they rest."""
        fmu, ends = self._fmu, False
        name, update = (
            ("newDiscreteStates", fmu.newDiscreteStates)
            if self._is_2
            else ("updateDiscreteStates", fmu.updateDiscreteStates)
        )
        for _ in range(_UPDATES):
            needed, terminates, _, _, is_timed, instant = self._called(name, update)
            ends = ends or bool(terminates)
            is_timed = bool(is_timed)
            if not needed and not (is_timed and instant <= time):
                break
        else:
            raise FmuFailure(f"{name} asks for more than {_UPDATES} updates at one instant")
        found = self._values(outputs)
        self._called("enterContinuousTimeMode", fmu.enterContinuousTimeMode)
        states = (c_double * self._n)()
        if self._n:
            self._called("getContinuousStates", lambda: fmu.getContinuousStates(states, self._n))
        self._states.append(self._state() if self._can_return else None)
        self._current, self._point = len(self._states) - 1, None
        own = {"state": self._current, "ends": ends, "is_timed": is_timed, "next": float(instant) if is_timed else 0.0}
        return {**own, "states": list(states), "outputs": found}
