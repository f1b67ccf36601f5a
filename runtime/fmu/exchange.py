"""Evaluates the FMUs for model exchange of a run, each with any of its discrete states, and others while they start.

A discrete state is what an FMU keeps between two of its events. It has a number in the run, and never changes; an event
makes a new one. So every function can be evaluated at any point again, with the discrete state that belongs to it.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cutset.contract.fmu_events import DIGITS, OPEN
from cutset.contract.metadata import External
from cutset.runtime.errors import Fault, FunctionFailure
from cutset.runtime.fmu.openings import Openings
from cutset.runtime.fmu.runner import FmuRunner

# The discrete states of each component that are saved with the state of a run: events may be computed again.
_SAVED = 4
# The first distance of an event after one at which the FMU did not see the crossing, relative to the time; it grows
# tenfold.
_SOON, _TRIES = 1e-10, 5
# Inputs that differ by this much, relative to their size, are the same at the start.
_ROUNDING = 1e-9
# An instant this close to that of the next time event, relative to it, is the same.
_SAME = 1e-13
# The distance of two slopes whose difference gives a second derivative, relative to the sizes of what moves. Slopes
# over time are differences, too, with an error of 1e-11.
_STEP = 3e-4


@dataclass(frozen=True)
class _Discrete:
    """A discrete state: the instance of its FMU, its number there, and the elements that an event returns after the
    number, see `fmu_events`. `tries` counts the events at which the signs of the indicators did not yet agree."""

    instance: _Instance
    state: int
    values: tuple[float, ...]
    tries: int = 0


@dataclass(eq=False)
class _Instance:
    """An instance of an FMU: the number of its file, the parameters that it was made with, and what runs it."""

    file: int
    parameters: dict[str, float]
    limit: float
    runner: FmuRunner


@dataclass(frozen=True)
class _Start:
    """When an FMU has begun, with which inputs, and the number of its discrete state before."""

    time: float
    inputs: tuple[float, ...]
    origin: float

    def is_that(self, time: float, inputs: Sequence[float]) -> bool:
        """True at a later time, since an FMU begins once, and if the inputs differ by rounding only."""
        pairs = zip(inputs, self.inputs, strict=True)
        same = all(abs(a - b) <= _ROUNDING * (1.0 + abs(b)) for a, b in pairs)
        return time > self.time or (time == self.time and same)


class ExchangeFmus:
    """The FMUs for model exchange of one run, `externals` are their functions. Raises FunctionFailure."""

    def __init__(self, externals: Sequence[External]):
        self._externals = externals
        self._files = tuple(dict.fromkeys(external.path for external in externals))
        self._states: dict[int, _Discrete] = {}
        self._last = 0  # the largest number
        self._known: dict[tuple[str, str, bytes], int] = {}
        self._starts: dict[int, _Start] = {}
        self._before: dict[int, int] = {}  # an event -> that which it has replaced
        self._saved: Mapping[str, Any] = {}
        self.openings = Openings()

    def call(self, external: External, given: Sequence[float]) -> list[float]:
        """The elements of the result of a function for those of its arguments."""
        if external.name == OPEN:
            return self.openings.call(external, given)
        what = external.name.removeprefix("fmu_")
        if what not in ("start", "begin", "event"):
            return self._evaluated(external, given)
        start = self._starts.get(int(given[0])) if what == "begin" else None
        if start is not None and start.is_that(given[1], given[2:]):
            return self._result(int(given[0]))
        if start is not None:
            given = [start.origin, *given[1:]]
        key = external.path, what, array("d", given).tobytes()
        if key not in self._known:
            made = self._made(external, what, given)
            self._last += 1
            self._known[key], self._states[self._last] = self._last, made
            if what == "event":
                self._before[self._last] = int(given[0])
            if what == "begin":
                self._starts[self._last] = _Start(given[1], tuple(given[2:]), given[0])
        return self._result(self._known[key])

    def _result(self, number: int) -> list[float]:
        return [float(number), *self._states[number].values]

    def _made(self, external: External, what: str, given: Sequence[float]) -> _Discrete:
        """The discrete state after the initialization or after an event."""
        parameters, inputs, outputs = external.names
        if what == "start":
            values = dict(zip(parameters, given[2:], strict=True))
            instance = self._instance(self._files.index(external.path), values, given[0], bool(given[1]))
            request = {"time": 0.0, "parameters": values, "inputs": {}, "outputs": outputs}
            return _discrete(instance, _ask(instance, "begin", **request))
        before = self._of(external, given[0])
        if what == "event":
            return _after_event(before, external, given)
        if not inputs and given[1] == 0.0:
            return before
        old = before.instance
        instance = self._instance(old.file, old.parameters, old.limit, old.runner.is_separate)
        values = dict(zip(inputs, given[2:], strict=True))
        request = {"time": given[1], "parameters": old.parameters, "inputs": values, "outputs": outputs}
        return _discrete(instance, _ask(instance, "begin", **request))

    def _instance(self, file: int, parameters: dict[str, float], limit: float, is_separate: bool) -> _Instance:
        runner = FmuRunner(Path(self._files[file]), is_separate, "ModelExchange")
        return _Instance(file, parameters, limit, runner)

    def _evaluated(self, external: External, given: Sequence[float]) -> list[float]:
        """What the FMU gives at a point, or how this changes along a direction, which the next arguments are, or how
        that changes while point and direction change as the last arguments say."""
        inputs, reals = (len(external.names[k]) if k < len(external.names) else 0 for k in (1, 3))
        if external.name.endswith("_along_twice"):
            number = (len(given) - inputs + reals) // 4
            point, direction, way, turn = (given[: number + inputs - reals], *_parts(given, number))
            return self._turning(external, point, direction, way, turn)
        if external.name.endswith("_along"):
            number = (len(given) - inputs + reals) // 2
            return self._slope(external, given[:-number], given[-number:])
        return self._asked(external, "evaluate", given, {})

    def _turning(
        self,
        external: External,
        point: Sequence[float],
        direction: Sequence[float],
        way: Sequence[float],
        turn: Sequence[float],
    ) -> list[float]:
        """How a slope changes while its point moves this way and its direction turns so; an FMU has first derivatives
        only, so the first part is the difference of two slopes."""
        found = self._slope(external, point, direction=turn)
        steps = dict(zip(_moving(external, len(point)), way, strict=True))
        fastest = max(abs(step) / (1.0 + abs(point[k])) for k, step in steps.items())
        if fastest == 0.0:
            return found
        h = _STEP / fastest
        beside = ([x + side * h * steps.get(k, 0.0) for k, x in enumerate(point)] for side in (1.0, -1.0))
        after, before = (self._slope(external, at, direction) for at in beside)
        return [y + (b - a) / (2.0 * h) for y, a, b in zip(found, before, after, strict=True)]

    def _slope(self, external: External, point: Sequence[float], direction: Sequence[float]) -> list[float]:
        """How what the FMU gives at a point changes along a direction."""
        reals = external.names[3]
        _, time, *rest = direction
        states, inputs = rest[: len(rest) - len(reals)], rest[len(rest) - len(reals) :]
        along = {"time": time, "states": states, "inputs": dict(zip(reals, inputs, strict=True))}
        return self._asked(external, "slope", point, {"along": along})

    def _asked(self, external: External, do: str, point: Sequence[float], request: Mapping[str, Any]) -> list[float]:
        found, what = self._of(external, point[0]), external.name.removeprefix("fmu_").partition("_")[0]
        states, values = _split(external, point)
        at = {"state": found.state, "time": point[1], "states": states, "inputs": values}
        return list(map(float, _ask(found.instance, do, what=what, outputs=external.names[2], **at, **request)))

    def _of(self, external: External, number: float) -> _Discrete:
        found = self._states.get(int(number)) if math.isfinite(number) else None
        if found is None:
            file = Path(external.path).name
            raise FunctionFailure(Fault("E662", f"the FMU {file} has no discrete state {number:g} in this run"))
        return found

    def close(self) -> list[str]:
        """End the instances; the latest discrete states can still be saved. What went wrong."""
        try:
            self._saved = self.data()
        except FunctionFailure as error:
            self._saved = {"lost": str(error)}
        return self._forget()

    def _forget(self) -> list[str]:
        instances = {id(found.instance): found.instance for found in self._states.values()}.values()
        found = [instance.runner.close() for instance in instances]
        self.openings.close()
        self._states.clear()
        self._known.clear()
        self._starts.clear()
        self._before.clear()
        return [what for what in found if what]

    def data(self) -> Mapping[str, Any]:
        """The latest discrete states of each instance as plain data. FunctionFailure if an FMU cannot save one."""
        if not self._states:
            if "lost" in self._saved:
                raise FunctionFailure(Fault("E662", str(self._saved["lost"])))
            return self._saved
        of: dict[int, list[int]] = {}
        for number in self._latest():
            of.setdefault(id(self._states[number].instance), []).append(number)
        instances = []
        for numbers in of.values():
            instance = self._states[numbers[0]].instance
            kept = [(n, self._states[n]) for n in numbers]
            states = [[n, s.tries, list(s.values), _ask(instance, "save", state=s.state)] for n, s in kept]
            own = {"file": instance.file, "parameters": instance.parameters, "limit": instance.limit}
            instances.append({**own, "separate": instance.runner.is_separate, "states": states})
        starts = [[number, s.time, list(s.inputs), s.origin] for number, s in self._starts.items()]
        return {"instances": instances, "starts": starts}

    def _latest(self) -> list[int]:
        """The discrete states that no event has replaced, those before them, and those of the starts."""
        found, replaced = set(self._starts), {before for before in self._before.values()}
        for number in self._states.keys() - replaced:
            for _ in range(_SAVED):
                found.add(number)
                number = self._before.get(number, number)
        return sorted(found)

    def copy(self) -> ExchangeFmus:
        """The FMUs of another run with the latest discrete states of this one."""
        made = ExchangeFmus(self._externals)
        made.restore(self.data())
        return made

    def restore(self, data: Mapping[str, Any]) -> None:
        """Have these discrete states, those of `data`, instead of the current ones."""
        self._forget()
        self._saved, self._last = data, 0
        for number, time, inputs, origin in data.get("starts", ()):
            self._starts[int(number)] = _Start(float(time), tuple(map(float, inputs)), float(origin))
        for told in data.get("instances", ()):
            parameters = {str(name): float(value) for name, value in told["parameters"].items()}
            instance = self._instance(int(told["file"]), parameters, float(told["limit"]), bool(told["separate"]))
            for number, tries, values, state in told["states"]:
                own = int(_ask(instance, "restore", saved=str(state)))
                self._states[int(number)] = _Discrete(instance, own, tuple(map(float, values)), int(tries))
                self._last = max(self._last, int(number))


def _after_event(before: _Discrete, external: External, given: Sequence[float]) -> _Discrete:
    """The discrete state after an event at the time given[1]; the signs of the indicators are the next argument."""
    time, (_, is_timed, following) = given[1], before.values[:3]
    if is_timed and abs(time - following) <= _SAME * max(abs(time), abs(following)):
        time = following
    count = math.prod(external.shapes[2])
    states, inputs = _split(external, [*given[:2], *given[2 + count :]])
    request = {"state": before.state, "time": time, "states": states, "inputs": inputs}
    digits = [bool(int(number) >> k & 1) for number in given[2 : 2 + count] for k in range(DIGITS)]
    answer = _ask(before.instance, "event", signs=digits, outputs=external.names[2], **request)
    after = _discrete(before.instance, answer)
    return after if answer["agrees"] or before.tries >= _TRIES else _again(after, time, before.tries)


def _parts(given: Sequence[float], number: int) -> tuple[Sequence[float], Sequence[float], Sequence[float]]:
    """The last three parts of the arguments, of as many elements each."""
    return given[-3 * number : -2 * number], given[-2 * number : -number], given[-number:]


def _moving(external: External, size: int) -> list[int]:
    """The places in a point of this size of what has a derivative: all but the inputs that are no Real."""
    inputs, reals = external.names[1], external.names[3]
    first = size - len(inputs)
    return [*range(first), *(first + inputs.index(name) for name in reals)]


def _split(external: External, given: Sequence[float]) -> tuple[list[float], dict[str, float]]:
    """The states and the inputs of a point, from the arguments of a function."""
    inputs = external.names[1]
    states = given[2 : len(given) - len(inputs)]
    return list(states), dict(zip(inputs, given[len(given) - len(inputs) :], strict=True))


def _discrete(instance: _Instance, answer: Mapping[str, Any]) -> _Discrete:
    first = (float(answer["ends"]), float(answer["is_timed"]), float(answer["next"]))
    return _Discrete(instance, int(answer["state"]), (*first, *answer["states"], *answer["outputs"]))


def _again(after: _Discrete, time: float, tries: int) -> _Discrete:
    """The discrete state with a time event a little later: the indicators have not quite crossed zero, so that the FMU
    may not have noticed it."""
    ends, is_timed, following, *rest = after.values
    soon = time + _SOON * 10.0**tries * max(1.0, abs(time))
    instant = min(following, soon) if is_timed else soon
    return replace(after, values=(ends, 1.0, instant, *rest), tries=tries + 1)


def _ask(instance: _Instance, do: str, **request: Any) -> Any:
    return instance.runner.ask(do, instance.limit, **request)
