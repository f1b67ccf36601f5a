"""Calls Python functions of a model, and records why a function of a model had no value.

It imports the modules that the model names; the compiler rejects these unless the user has allowed them.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from cutset.contract.metadata import External, ModelInfo
from cutset.runtime.errors import Fault, FunctionFailure, RunError
from cutset.runtime.targets.controllers import Controllers

if TYPE_CHECKING:
    from cutset.runtime.fmu.exchange import ExchangeFmus


_MOST_SHOWN = 6
# Tells C that a Python function had no value: not the number of a message.
PENDING = 1 << 30
# Of a controller: whether it acts, and time.
_BEFORE_ARGUMENTS = 2

# A function in C: the number of its elements -> the elements of its result.
InC = Callable[[int, Sequence[float], int], list[float]]


class Faults:
    """Records the latest reason why a function of the model had no value; `externals` are its external functions, of
    which `in_c` calls those in C if the code of the target does not.

    RunError E624 if a Python function does not exist.
    """

    def __init__(self, info: ModelInfo, in_c: InC | None = None):
        self._texts, self._in_c = info.faults, in_c
        self._latest: Fault | None = None
        self.count = 0  # of faults so far
        self._controllers: Controllers | None = None
        self._outside: ExchangeFmus | None = None  # of evaluations outside of runs
        functions = functions_of(info.externals)
        self.externals = [ExternalFunction(*pair) for pair in zip(info.externals, functions, strict=True)]

    def take(self, number: int = 0) -> Fault | None:
        """Return and clear the latest fault: that of a message by its number (from 1; negative for a system of
        equations that was not solved), else that of a Python function."""
        latest, self._latest = self._latest, None
        return self._of(number) if number not in (0, PENDING) else latest

    def fail(self, number: int) -> float:
        """Record a message by its number; returns nan."""
        self.note(self._of(number))
        return math.nan

    def note(self, fault: Fault | None) -> None:
        """Record a fault, if it is one."""
        if fault is not None:
            self._latest = fault
            self.count += 1

    def _of(self, number: int) -> Fault:
        text = self._texts[abs(number) - 1]
        return Fault("E623", text) if number > 0 else Fault("E633", text)

    def fresh_controllers(self) -> Controllers | None:
        """The controllers for a new run; None if the model has none. RunError E625 if one cannot be made."""
        own = {k: each for k, each in enumerate(self.externals) if each.is_controller and not each.is_exchange}
        exchange = self._fresh_exchange() if any(each.is_exchange for each in self.externals) else None
        return Controllers(own, exchange) if own or exchange is not None else None

    def _fresh_exchange(self) -> ExchangeFmus:
        from cutset.runtime.fmu.exchange import ExchangeFmus

        return ExchangeFmus([each.declared for each in self.externals if each.is_exchange])

    def use(self, controllers: Controllers | None) -> None:
        """Call these controllers from now on."""
        self._controllers = controllers

    def external(self, k: int, given: Sequence[float]) -> list[float]:
        """The result of function k for the elements that the code passes; all nan if it fails."""
        external = self.externals[k]
        if external.is_exchange:
            return self._exchanged(external, given)
        if external.is_controller:
            return self._controlled(k, given)
        if external.function is None:
            assert self._in_c is not None
            result = self._in_c(k, given, external.size)
            if any(map(math.isnan, result)):
                self.note(Fault("E623", f"the external function {external.title} has no value"))
            return result
        result, fault = external.outcome(external.function, given)
        self.note(fault)
        return result

    def _exchanged(self, external: ExternalFunction, given: Sequence[float]) -> list[float]:
        exchange = self._controllers.exchange if self._controllers is not None else None
        if exchange is None:
            exchange = self._outside = self._outside or self._fresh_exchange()
        own = given[_BEFORE_ARGUMENTS:] if external.is_controller else given
        result, fault = external.outcome(partial(exchange.call, external.declared), own)
        self.note(fault)
        return result

    def _controlled(self, k: int, given: Sequence[float]) -> list[float]:
        assert self._controllers is not None, "a run has controllers"
        result, fault = self._controllers.call(k, given[1], given[_BEFORE_ARGUMENTS:])
        self.note(fault)
        return result


class _WrongResult(Exception):
    """A result that is not a number or array of the declared shape."""


class ExternalFunction:
    """One function, or the class of one: its elements -> the elements of its result."""

    def __init__(self, external: External, function: Callable[..., Any] | None):
        self.declared = external
        self.function = function
        self.is_exchange = external.is_exchange
        self.title = f"'{external.name}' ({external.target.removeprefix('python:')})"
        self.size = math.prod(external.result)
        self.is_controller = external.is_controller

    @property
    def has_state(self) -> bool:
        """As `Implementation.has_state`."""
        return self.declared.is_fmu or isinstance(self.function, type)

    def make(self, others: Sequence[Any]) -> Any:
        """As `Implementation.make`."""
        if self.declared.is_fmu:
            from cutset.runtime.fmu.components import joined_fmu

            return joined_fmu(self.declared, others)
        if self.function is None or not self.has_state:
            return self.function
        try:
            made = self.function()
        except Exception as error:  # a constructor may raise anything
            what = f"the controller {self.title} cannot be made: {type(error).__name__}: {error}"
            raise RunError(
                "E625", what, "a run makes one with no arguments: give those of __init__ defaults"
            ) from error
        if not callable(made):
            raise RunError("E624", f"the controller {self.title} cannot be called", "define __call__ in its class")
        return made

    def rest(self, made: Any) -> str:
        """As `Implementation.rest`."""
        return str(made.rest()) if self.declared.is_fmu else ""

    def outcome(self, function: Callable[..., Any], given: Sequence[float]) -> tuple[list[float], Fault | None]:
        """The elements of the result, all nan if there is a fault: the reason why it has none."""
        what = "controller" if self.is_controller else "external function"
        try:
            if self.declared.is_fmu:
                return function(self._numbers(given)), None
            return self._call(function, given), None
        except FunctionFailure as error:
            own = self._inputs(given) if self.is_exchange else ()
            fault = replace(error.fault, notes=(*error.fault.notes, *own))
        except _WrongResult as error:
            fault = Fault("E626", f"the {what} {self.title} returns {error}", (self._called_with(given),))
        except Exception as error:  # any exception ends the run with a message and keeps the rows so far
            reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            fault = Fault("E625", f"the {what} {self.title} failed with {reason}", (self._called_with(given),))
        return [math.nan] * self.size, fault

    def _call(self, function: Callable[..., Any], given: Sequence[float]) -> list[float]:
        result = function(*self._arguments(given))
        try:
            array = np.asarray(result, dtype=float)
        except (TypeError, ValueError) as error:
            raise _WrongResult(f"{type(result).__name__}, which is not a number") from error
        if array.shape != self.declared.result:
            raise _WrongResult(f"{_shape(array.shape)} instead of {_shape(self.declared.result)}")
        numbers: list[float] = array.ravel().tolist()
        return numbers

    def _arguments(self, given: Sequence[float]) -> list[Any]:
        numbers = iter(given)
        arguments: list[Any] = []
        for shape, constants in zip(self.declared.shapes, self.declared.constants, strict=False):
            elements = [float(next(numbers)) if c is None else c for c in constants]
            arguments.append(np.array(elements).reshape(shape) if shape else elements[0])
        return arguments

    def _numbers(self, given: Sequence[float]) -> list[float]:
        """All arguments of a function of scalars."""
        numbers = iter(given)
        return [next(numbers) if c is None else c for constants in self.declared.constants for c in constants]

    def _inputs(self, given: Sequence[float]) -> tuple[str, ...]:
        """The values of the inputs of an FMU."""
        inputs = self.declared.names[1]
        values = self._numbers(given)[-len(inputs) :] if inputs else []
        return tuple(f"its input {name} = {value!r}" for name, value in zip(inputs[:8], values, strict=False))

    def _called_with(self, given: Sequence[float]) -> str:
        words = [np.array2string(a, threshold=_MOST_SHOWN, separator=", ") if isinstance(a, np.ndarray) else repr(a)
                 for a in self._arguments(given)]  # fmt: skip
        return f"it was called with {', '.join(words) or 'no arguments'}"


def _shape(shape: tuple[int, ...]) -> str:
    return f"an array ({','.join(map(str, shape))})" if shape else "a number"


def number_of_arguments(external: External) -> int:
    """How many numbers the code passes to a function."""
    varying = sum(c is None for constants in external.constants for c in constants)
    return varying + (_BEFORE_ARGUMENTS if external.is_controller else 0)


# --- foreign modules ------------------------------------------------------------------------------

# A module beside the model is loaded anew for each translation that is built, under a name of its own: two models may
# have modules of the same name.


def functions_of(externals: Sequence[External]) -> list[Callable[..., Any] | None]:
    """The functions or classes, None for those in C and for FMUs. RunError E624 if one does not exist, or if its module
    raises an exception."""
    loaded: dict[str, ModuleType] = {}
    return [None if external.is_c or external.is_fmu else _function(external, loaded) for external in externals]


def _function(external: External, packages: dict[str, ModuleType]) -> Callable[..., Any]:
    target = external.target.removeprefix("python:")
    module, _, name = target.rpartition(".")
    what = "controller" if external.is_controller else "external function"
    try:
        loaded = _beside(Path(external.path), module, packages) if external.path else importlib.import_module(module)
        function = getattr(loaded, name)
    except Exception as error:  # a module may raise any exception when it is imported
        root = module.partition(".")[0]
        raise RunError(
            "E624",
            f"the {what} '{external.name}' does not exist: {target}",
            f"check the name; put {root}.py into the folder of the model or of PYTHONPATH, or install its package",
            [f"{type(error).__name__}: {error}"],
        ) from error
    if not callable(function):
        raise RunError("E624", f"the {what} '{external.name}' does not exist: {target} is not a function")
    return function  # type: ignore[no-any-return]


def _beside(path: Path, module: str, packages: dict[str, ModuleType]) -> ModuleType:
    """The module of a file or package beside the model; `module` may name a part of the package. `packages` holds what
    is loaded, by its name."""
    is_package = path.name == "__init__.py"
    folder = str(path.parent.parent if is_package else path.parent)
    root, dot, inner = module.partition(".")
    own = f"cutset_of_{hashlib.sha256(folder.encode()).hexdigest()[:16]}_{root}"
    with _first_on_path(folder):
        if own not in packages:
            packages[own] = _loaded(own, path, is_package)
        return importlib.import_module(f"{own}.{inner}") if dot else packages[own]


def _loaded(own: str, path: Path, is_package: bool) -> ModuleType:
    for name in [each for each in sys.modules if each == own or each.startswith(f"{own}.")]:
        del sys.modules[name]
    inside = [str(path.parent)] if is_package else None
    spec = importlib.util.spec_from_file_location(own, path, submodule_search_locations=inside)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a module of Python")
    made = importlib.util.module_from_spec(spec)
    sys.modules[own] = made
    spec.loader.exec_module(made)
    return made


@contextmanager
def _first_on_path(folder: str) -> Iterator[None]:
    """Lets the module import others beside it."""
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        sys.path.remove(folder)
