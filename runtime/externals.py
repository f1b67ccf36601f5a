"""Calls Python functions of a model, and records why a function of a model had no value.

It imports the modules that the model names; the compiler rejects these unless the user has allowed them.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cutset.contract.metadata import External, ModelInfo
from cutset.runtime.errors import RunError
from cutset.runtime.interface import Fault

_MOST_SHOWN = 6


class Faults:
    """Records the latest reason why a function of the model had no value; `externals` are its Python functions.

    RunError E624 if one of these does not exist.
    """

    def __init__(self, info: ModelInfo):
        self._texts = info.faults
        self._latest: Fault | None = None
        self.externals = [_External(external, _find(external)) for external in info.externals]

    def take(self, number: int = 0) -> Fault | None:
        """Return and clear the latest fault: that of a message by its number (from 1; negative for a system of
        equations that was not solved), else that of a Python function."""
        latest, self._latest = self._latest, None
        return self._of(number) if number else latest

    def fail(self, number: int) -> float:
        """Record a message by its number; returns nan."""
        self._latest = self._of(number)
        return math.nan

    def _of(self, number: int) -> Fault:
        text = self._texts[abs(number) - 1]
        return Fault("E623", text) if number > 0 else Fault("E633", text)

    def external(self, k: int, given: Sequence[float]) -> list[float]:
        """The result of function k for the elements that the code passes; all nan if it fails."""
        external = self.externals[k]
        try:
            return external.call(given)
        except _WrongResult as error:
            self._latest = Fault("E626", f"the external function {external.title} returns {error}")
        except Exception as error:  # any exception ends the run with a message and keeps the rows so far
            what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            text = f"the external function {external.title} failed with {what}"
            self._latest = Fault("E625", text, (f"it was called with {external.shown(given)}",))
        return [math.nan] * external.size


class _WrongResult(Exception):
    """A result that is not a number or array of the declared shape."""


class _External:
    """One function: its elements -> the elements of its result."""

    def __init__(self, external: External, function: Callable[..., Any]):
        self._external, self._function = external, function
        self.title = f"'{external.name}' ({external.target})"
        self.size = math.prod(external.result)

    def call(self, given: Sequence[float]) -> list[float]:
        result = self._function(*self._arguments(given))
        try:
            array = np.asarray(result, dtype=float)
        except (TypeError, ValueError) as error:
            raise _WrongResult(f"{type(result).__name__}, which is not a number") from error
        if array.shape != self._external.result:
            raise _WrongResult(f"{_shape(array.shape)} instead of {_shape(self._external.result)}")
        numbers: list[float] = array.ravel().tolist()
        return numbers

    def _arguments(self, given: Sequence[float]) -> list[Any]:
        numbers = iter(given)
        arguments: list[Any] = []
        for shape, constants in zip(self._external.shapes, self._external.constants, strict=False):
            elements = [float(next(numbers)) if c is None else c for c in constants]
            arguments.append(np.array(elements).reshape(shape) if shape else elements[0])
        return arguments

    def shown(self, given: Sequence[float]) -> str:
        """The arguments as text."""
        words = [np.array2string(a, threshold=_MOST_SHOWN, separator=", ") if isinstance(a, np.ndarray) else repr(a)
                 for a in self._arguments(given)]  # fmt: skip
        return ", ".join(words) or "no arguments"


def _shape(shape: tuple[int, ...]) -> str:
    return f"an array ({','.join(map(str, shape))})" if shape else "a number"


def _find(external: External) -> Callable[..., Any]:
    module, _, name = external.target.rpartition(".")
    try:
        function = getattr(importlib.import_module(module), name)
    except Exception as error:  # a module may raise any exception when it is imported
        raise RunError(
            "E624",
            f"the external function '{external.name}' does not exist: {external.target}",
            "check the name; put the folder of the module on PYTHONPATH, or install its package",
            [f"{type(error).__name__}: {error}"],
        ) from error
    if not callable(function):
        raise RunError(
            "E624", f"the external function '{external.name}' does not exist: {external.target} is not a function"
        )
    return function  # type: ignore[no-any-return]
