"""Advances one instance of an FMU by the functions of its library, through FMPy.

It runs foreign code: a crash ends the process.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from ctypes import byref
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from cutset.contract.fmu_elements import MOST_ELEMENTS, element_names, size_of

# Levels of severity in both versions: OK, warning, discard, error, fatal.
_WARNING, _DISCARD = 1, 2
# The limit on halvings of a step that the FMU discards.
_MOST_HALVINGS = 30
# What FMUs have reported during the last call of a function of one.
_HEARD = deque[str](maxlen=5)
# The limit on tries in a row that may fail in a step that the FMU has made with other inputs.
_MOST_FAILURES = 8
REALS = frozenset({"Real", "Float64", "Float32"})


class FmuFailure(Exception):
    """A function of the FMU failed; the message names it, with what the FMU has reported."""


class FmuInstance:
    """An instance of the FMU that is extracted in `folder`, for co-simulation or model exchange. `before` is called
    with the name of each function of the FMU before the function. FmuFailure if it cannot be loaded or instantiated,
    as in the other operations."""

    interface = ""
    uses_events = False  # in co-simulation

    def __init__(self, folder: Path, before: Callable[[str], None]):
        from fmpy import read_model_description

        self._before = before
        self._description = description = read_model_description(str(folder), validate=False)
        self._of = _elements(description.modelVariables)
        self._is_open = False  # its initialization has begun
        self._is_2 = description.fmiVersion == "2.0"
        self._fmu = self._called("instantiate", self._instantiated, folder)

    def _instantiated(self, folder: Path) -> Any:
        from fmpy import instantiate_fmu

        options: dict[str, Any] = {"fmi_type": self.interface, "debug_logging": False}
        options |= {"logger": None if self._is_2 and _listens() else _hear, "event_mode_used": self.uses_events}
        return instantiate_fmu(str(folder), self._description, **options)

    def _initialize(self, time: float, parameters: Mapping[str, float], inputs: Mapping[str, float]) -> None:
        self._open(time, parameters, inputs)
        self._called("exitInitializationMode", self._fmu.exitInitializationMode)

    def _open(self, time: float, parameters: Mapping[str, float], inputs: Mapping[str, float]) -> None:
        """Enter the initialization, unless it has begun: then with these inputs from now on."""
        fmu = self._fmu
        if self._is_open:
            self._set(inputs)
        elif self._is_2:
            self._called("setupExperiment", lambda: fmu.setupExperiment(startTime=time))
            self._set({**parameters, **inputs})
            self._called("enterInitializationMode", fmu.enterInitializationMode)
        else:
            self._set(parameters)
            self._called("enterInitializationMode", lambda: fmu.enterInitializationMode(startTime=time))
            self._set(inputs)
        self._is_open = True

    def _state(self) -> Any:
        """The state of the FMU; it is freed by `_release`."""
        return self._called("getFMUState", self._fmu.getFMUstate if self._is_2 else self._fmu.getFMUState)

    def _go_to(self, state: Any) -> None:
        put = self._fmu.setFMUstate if self._is_2 else self._fmu.setFMUState
        self._called("setFMUState", lambda: put(state))

    def _release(self, state: Any) -> None:
        (self._fmu.freeFMUstate if self._is_2 else self._fmu.freeFMUState)(state)

    def _bytes(self, state: Any) -> bytes:
        serialize = self._fmu.serializeFMUstate if self._is_2 else self._fmu.serializeFMUState
        return bytes(self._called("serializeFMUState", lambda: serialize(state)))

    def _state_of(self, data: bytes) -> Any:
        read = self._fmu.deSerializeFMUstate if self._is_2 else self._fmu.deserializeFMUState
        return self._called("deserializeFMUState", lambda: read(data))

    def end(self) -> None:
        """Terminate the instance and unload the library."""
        self._called("terminate", self._fmu.terminate)
        self._called("freeInstance", self._fmu.freeInstance)

    def _set(self, values: Mapping[str, float]) -> None:
        given: dict[Any, dict[int, float]] = {}
        for name, value in values.items():
            variable, place = self._of[name]
            given.setdefault(variable, {})[place] = value
        for kind, variables in _by_type(given).items():
            listed = [value for v in variables for _, value in sorted(given[v].items())]
            numbers: Any = listed if kind in REALS else [int(n) for n in listed]
            function = getattr(self._fmu, f"set{self._suffix(kind)}")
            self._called(f"set{kind}", lambda f=function, n=variables, g=numbers: f([v.valueReference for v in n], g))

    def _values(self, names: Sequence[str]) -> list[float]:
        found: dict[Any, list[float]] = {}
        for kind, variables in _by_type(self._variables(names)).items():
            numbers = map(float, self._numbers(kind, variables))
            found.update({v: list(islice(numbers, size_of(v.shape or ()))) for v in variables})
        return [found[variable][place] for variable, place in map(self._of.__getitem__, names)]

    def _numbers(self, kind: str, variables: Sequence[Any]) -> Sequence[float]:
        function, references = getattr(self._fmu, f"get{self._suffix(kind)}"), [v.valueReference for v in variables]
        if self._is_2:
            found = self._called(f"get{kind}", lambda: function(references))
        else:
            size = sum(size_of(v.shape or ()) for v in variables)
            found = self._called(f"get{kind}", lambda: function(references, size))
        return list(found)

    def _variables(self, names: Iterable[str]) -> list[Any]:
        """The variables to which these numbers belong, each once; the numbers of an array stand together."""
        return list(dict.fromkeys(self._of[name][0] for name in names))

    def _suffix(self, kind: str) -> str:
        """The end of the names of functions that get and set variables of a type."""
        return ("Integer" if self._is_2 else "Int64") if kind == "Enumeration" else kind

    def _called(self, name: str, function: Any, *arguments: Any) -> Any:
        self._before(name)
        _HEARD.clear()
        try:
            return function(*arguments)
        except Exception as error:  # FMPy raises plain exceptions, too
            raise self._failure(name, error) from error

    def _failure(self, name: str, error: Exception) -> FmuFailure:
        told = "; ".join(_HEARD) or " ".join(str(error).split())[:500]
        return FmuFailure(f"{name} failed: {told}")


def _hear(*arguments: Any) -> None:
    """Called by an FMU: (environment, [name in FMI 2,] status, category, message)."""
    status, text = arguments[-3], arguments[-1]
    if status >= _WARNING and text:
        words = text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
        _HEARD.append(" ".join(words.split())[:500])


@cache
def _logger() -> Any:
    from fmpy.fmi2 import fmi2CallbackLoggerTYPE

    return fmi2CallbackLoggerTYPE(_hear)


def _listens() -> bool:
    """Have FMPy hand on the messages of FMUs of version 2. False if its library for that is missing here.

    The library has one logger for all FMUs of a process, the last one that it got, so this one is never freed."""
    from fmpy.fmi2 import fmi2CallbackFunctions

    try:
        from fmpy.logging import addLoggerProxy
    except OSError:
        return False
    callbacks = fmi2CallbackFunctions()
    callbacks.logger = _logger()
    addLoggerProxy(byref(callbacks))
    return True


class CoSimulationInstance(FmuInstance):
    """An instance that steps from one communication point to the next. Behind outputs, 1 or 0 tells whether the FMU has
    ended the run."""

    interface = "CoSimulation"

    def __init__(self, folder: Path, before: Callable[[str], None]):
        super().__init__(folder, before)
        self._mark: Any = None  # the state at the start of a step that may be repeated
        self._failures = 0  # how many more tries of this step may fail
        self.ends = False  # the FMU has ended the run in its latest step

    def facts(self, outputs: Sequence[str]) -> dict[str, Any]:
        """Whether a step can be repeated, and the numbers of the outputs that are not real numbers."""
        discrete = [k for k, name in enumerate(outputs) if self._of[name][0].type not in REALS]
        interface: Any = self._description.coSimulation
        repeats = bool(interface.canGetAndSetFMUstate)
        return {"repeats": repeats, "discrete": discrete, "clocks": False}

    def start(self, time: float, values: Mapping[str, float], outputs: Sequence[str]) -> list[float]:
        """Initialize at this time with values of parameters and inputs; the outputs there."""
        self._initialize(time, *self._parted(values))
        return self._outputs(outputs)

    def open(self, time: float, values: Mapping[str, float], outputs: Sequence[str]) -> list[float]:
        """As `start`, but other inputs may follow until `begin`."""
        self._open(time, *self._parted(values))
        return self._outputs(outputs)

    def reopen(self, values: Mapping[str, float], outputs: Sequence[str]) -> list[float]:
        """The outputs at the start for other inputs."""
        self._set(values)
        return self._outputs(outputs)

    def begin(self, outputs: Sequence[str]) -> list[float]:
        """End the initialization; the outputs after it."""
        self._called("exitInitializationMode", self._fmu.exitInitializationMode)
        return self._outputs(outputs)

    def _outputs(self, names: Sequence[str]) -> list[float]:
        return [*self._values(names), float(self.ends)]

    def _parted(self, values: Mapping[str, float]) -> tuple[dict[str, float], dict[str, float]]:
        inputs = {name: value for name, value in values.items() if self._of[name][0].causality == "input"}
        return {name: value for name, value in values.items() if name not in inputs}, inputs

    def _drop_mark(self) -> None:
        if self._mark is not None:
            self._release(self._mark)
            self._mark = None

    def end(self) -> None:
        """As `FmuInstance.end`."""
        self._drop_mark()
        super().end()

    def tried(
        self, first: bool, time: float, step: float, values: Mapping[str, float], outputs: Sequence[str]
    ) -> list[float]:
        """As `advance`, from the state before the `first` try of a step. If the FMU has made the step with other
        inputs, and cannot with these, all outputs are nan: it returns and has others, a few times."""
        if first:
            self._drop_mark()
            self._mark, self._failures = self._state(), 0
        else:
            self._go_to(self._mark)
        try:
            found = self.advance(time, step, values, outputs)
        except FmuFailure:
            self._failures -= 1
            if self._failures < 0:
                raise
            return [*[math.nan] * len(outputs), float(self.ends)]
        self._failures = _MOST_FAILURES
        return found

    def advance(self, time: float, step: float, values: Mapping[str, float], outputs: Sequence[str]) -> list[float]:
        """Step from `time` with these inputs. The outputs at the end of the step, or where the FMU ends the run."""
        self._set(values)
        self.ends, until, shorter = False, time + step, 0
        while time < until and not self.ends:
            following = until if not shorter else min(time + step / 2**shorter, until)
            _, self.ends, _, reached = self._stepped(time, following - time)
            if reached <= time and not self.ends:
                shorter += 1
                if shorter > _MOST_HALVINGS:
                    raise FmuFailure(f"doStep discards each step at time {time!r}, however short")
                if self._mark is not None and time == until - step:
                    self._go_to(self._mark)
                    self._set(values)
            time = max(time, reached)
        return self._outputs(outputs)

    def _stepped(self, time: float, step: float) -> tuple[bool, bool, bool, float]:
        """What a step tells: whether there is an event, whether the FMU ends the run, whether it returned early, and
        the time that it has reached. That of a step which it discards without effect is the time before."""
        from fmpy.fmi1 import FMICallException

        self._before("doStep")
        _HEARD.clear()
        try:
            told = self._fmu.doStep(time, step)
        except FMICallException as error:
            if error.status == _DISCARD:
                return self._discarded(time, step)
            raise self._failure("doStep", error) from error
        except Exception as error:  # FMPy raises plain exceptions, too
            raise self._failure("doStep", error) from error
        if told is None:
            return False, False, False, time + step
        event, ends, early, reached = told
        return event, ends, early, reached if early or event or ends else time + step

    def _discarded(self, time: float, step: float) -> tuple[bool, bool, bool, float]:
        """What the status of FMI 2 tells of a step that was discarded; in FMI 3 it had no effect."""
        from fmpy.fmi2 import fmi2LastSuccessfulTime, fmi2Terminated

        if not self._is_2:
            return False, False, False, time
        ends, reached = False, time
        with suppress(Exception):  # an FMU need not know its status
            ends = bool(self._fmu.getBooleanStatus(fmi2Terminated))
        with suppress(Exception):
            reached = self._fmu.getRealStatus(fmi2LastSuccessfulTime)
        return False, ends, False, reached if time < reached < time + step else time

    def save(self) -> bytes:
        """The state as bytes. FmuFailure if the FMU cannot give it."""
        interface = self._description.coSimulation
        if interface is None or not interface.canSerializeFMUstate:
            raise FmuFailure("the FMU cannot serialize its state (canSerializeFMUstate is false)")
        state = self._state()
        found = self._bytes(state)
        self._release(state)
        return found

    def restore(self, saved: bytes) -> None:
        """Continue from a state that `save` has returned."""
        state = self._state_of(saved)
        self._go_to(state)
        self._release(state)


def _elements(variables: Sequence[Any]) -> dict[str, tuple[Any, int]]:
    """By the name of each number: the scalar or array to which it belongs, and its place there."""
    found = {v.name: (v, 0) for v in variables}
    for v in variables:
        if v.shape and 0 <= size_of(v.shape) <= MOST_ELEMENTS:
            for place, name in enumerate(element_names(v.name, v.shape)):
                found.setdefault(name, (v, place))
    return found


def _by_type(variables: Iterable[Any]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for variable in variables:
        found.setdefault(variable.type, []).append(variable)
    return found
