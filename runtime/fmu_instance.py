"""Advances one instance of an FMU by the functions of its library, through FMPy.

It runs foreign code: a crash ends the process.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

# Levels of severity in both versions: OK, warning, discard, error, fatal.
_WARNING = 1
_MOST_MESSAGES = 5


class FmuFailure(Exception):
    """A function of the FMU failed; the message names it, with what the FMU has reported."""


class FmuInstance:
    """An instance for co-simulation of the FMU that is extracted in `folder`. `outputs` are the names of what `advance`
    returns; `before` is called with the name of each function of the FMU before the function. FmuFailure if it cannot
    be loaded or instantiated, as in the other operations."""

    def __init__(self, folder: Path, outputs: Sequence[str], before: Any = None):
        from fmpy import read_model_description

        self._messages: list[str] = []
        self._before = before or (lambda name: None)
        self._description = description = read_model_description(str(folder), validate=False)
        self._of = {v.name: v for v in description.modelVariables}
        self._outputs, self._is_2 = [self._of[name] for name in outputs], description.fmiVersion == "2.0"
        self._fmu = self._called("instantiate", self._instantiated, folder)

    def _instantiated(self, folder: Path) -> Any:
        from fmpy import instantiate_fmu

        options: dict[str, Any] = {"fmi_type": "CoSimulation", "logger": self._log, "debug_logging": False}
        return instantiate_fmu(str(folder), self._description, **options)

    def start(self, time: float, values: Mapping[str, float]) -> list[float]:
        """Initialize at this time with values of parameters and inputs; the outputs there."""
        fmu = self._fmu
        if self._is_2:
            self._called("setupExperiment", lambda: fmu.setupExperiment(startTime=time))
            self._set(values)
            self._called("enterInitializationMode", fmu.enterInitializationMode)
        else:
            self._set({name: value for name, value in values.items() if self._of[name].causality == "parameter"})
            self._called("enterInitializationMode", lambda: fmu.enterInitializationMode(startTime=time))
            self._set({name: value for name, value in values.items() if self._of[name].causality == "input"})
        self._called("exitInitializationMode", fmu.exitInitializationMode)
        return self._values()

    def advance(self, time: float, step: float, inputs: Mapping[str, float]) -> list[float]:
        """Step from `time` with these inputs. The outputs at the end of the step."""
        self._set(inputs)
        reached = self._called("doStep", lambda: self._fmu.doStep(time, step))
        if reached is not None and reached[1]:
            raise FmuFailure("the FMU ends the simulation in doStep")
        return self._values()

    def saved(self) -> bytes:
        """The state as bytes. FmuFailure if the FMU cannot give it."""
        interface = self._description.coSimulation
        if interface is None or not interface.canSerializeFMUstate:
            raise FmuFailure("the FMU cannot serialize its state (canSerializeFMUstate is false)")
        fmu = self._fmu
        get, release = (fmu.getFMUstate, fmu.freeFMUstate) if self._is_2 else (fmu.getFMUState, fmu.freeFMUState)
        state = self._called("getFMUState", get)
        serialize = fmu.serializeFMUstate if self._is_2 else fmu.serializeFMUState
        found = self._called("serializeFMUState", lambda: serialize(state))
        release(state)
        return bytes(found)

    def restore(self, data: bytes) -> None:
        """Continue from a state that `saved` has returned."""
        fmu = self._fmu
        read = fmu.deSerializeFMUstate if self._is_2 else fmu.deserializeFMUState
        put, release = (fmu.setFMUstate, fmu.freeFMUstate) if self._is_2 else (fmu.setFMUState, fmu.freeFMUState)
        state = self._called("deserializeFMUState", lambda: read(data))
        self._called("setFMUState", lambda: put(state))
        release(state)

    def end(self) -> None:
        """Terminate the instance and unload the library."""
        self._called("terminate", self._fmu.terminate)
        self._called("freeInstance", self._fmu.freeInstance)

    def _set(self, values: Mapping[str, float]) -> None:
        for kind, names in _by_type([self._of[name] for name in values]).items():
            numbers = [values[v.name] for v in names]
            given: Any = numbers if kind in ("Real", "Float64", "Float32") else [int(n) for n in numbers]
            function = getattr(self._fmu, f"set{self._suffix(kind)}")
            self._called(f"set{kind}", lambda f=function, n=names, g=given: f([v.valueReference for v in n], g))

    def _values(self) -> list[float]:
        found: dict[str, float] = {}
        for kind, variables in _by_type(self._outputs).items():
            function = getattr(self._fmu, f"get{self._suffix(kind)}")
            numbers = self._called(f"get{kind}", lambda f=function, n=variables: f([v.valueReference for v in n]))
            found.update(zip((v.name for v in variables), map(float, numbers), strict=True))
        return [found[v.name] for v in self._outputs]

    def _suffix(self, kind: str) -> str:
        """The end of the names of functions that get and set variables of a type."""
        return ("Integer" if self._is_2 else "Int64") if kind == "Enumeration" else kind

    def _log(self, *arguments: Any) -> None:
        """Called by the FMU: (environment, [name in FMI 2,] status, category, message)."""
        status, text = arguments[-3], arguments[-1]
        if status >= _WARNING and text:
            words = text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
            self._messages = [*self._messages, " ".join(words.split())[:500]][-_MOST_MESSAGES:]

    def _called(self, name: str, function: Any, *arguments: Any) -> Any:
        self._before(name)
        self._messages.clear()
        try:
            return function(*arguments)
        except Exception as error:  # FMPy raises plain exceptions, too
            told = "; ".join(self._messages) or " ".join(str(error).split())[:500]
            raise FmuFailure(f"{name} failed: {told}") from error


def _by_type(variables: Sequence[Any]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for variable in variables:
        found.setdefault(variable.type, []).append(variable)
    return found
