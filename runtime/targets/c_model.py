"""Runs the target c: generated C code, compiled into a library and called by ctypes. Integrates nothing."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from ctypes import c_long, c_void_p
from dataclasses import field
from typing import Any

import numpy as np

from cutset.contract.metadata import ModelInfo, SourceFiles
from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.errors import Fault
from cutset.runtime.interface import CompiledModel, Values, Vector
from cutset.runtime.targets.binding import bind
from cutset.runtime.targets.c_functions import SOURCE, Functions, OfThread, compiled
from cutset.runtime.targets.c_records import ExternalCallback, address
from cutset.runtime.targets.controllers import Controllers
from cutset.runtime.targets.engine import Engine, Memories, Stop
from cutset.runtime.targets.externals import PENDING, Faults, number_of_arguments
from cutset.runtime.targets.foreign_library import foreign_files, not_found
from cutset.runtime.targets.toolchain import find_compiler

__all__ = ["SOURCE", "CModel", "is_available", "load"]


@dataclass(frozen=True)
class CModel(CompiledModel, Engine):
    """`CompiledModel` for a library that contains model.c and driver.c."""

    info: ModelInfo
    functions: Functions
    faults: Faults
    external: Any = None
    target: str = "c"
    unreduced: CompiledModel | None = None
    memories: Memories = field(default_factory=Memories)
    calls_python: bool = False
    has_threads: bool = False

    def bind(self, given: Mapping[str, float]) -> Values:
        """As `CompiledModel.bind`."""
        self.connect()
        return bind(self.info, self.functions.once, given, self.fault)

    @property
    def engine(self) -> CModel:
        """As `CompiledModel.engine`: the model itself."""
        return self

    def connect(self, controllers: Controllers | None = None, stop: Stop | None = None) -> None:
        """As `Engine.connect`: registers the Python functions of this model with the library."""
        if self.external is not None:
            self.functions.external.value = ctypes.cast(self.external, c_void_p).value
            if controllers is not None:
                self.faults.use(controllers)

    def fault(self) -> Fault | None:
        """As `CompiledModel.fault`."""
        number, self.functions.fault.value = self.functions.fault.value, 0
        return self.faults.take(number)

    def left_open(self) -> int:
        """As `CompiledModel.left_open`."""
        seen, self.functions.open.value = self.functions.open.value, 0
        return int(seen)

    def time_events(self, values: Values, modes: Vector) -> Vector:
        """As `CompiledModel.time_events`: shape (n, 2)."""
        self.connect(values.controllers)
        modes, times = _contiguous(modes), np.zeros((len(self.info.time_events), 2))
        self.functions.time_events(values.addresses[0], address(modes), address(times))
        return times

    def _evaluate(
        self, name: str, size: int, values: Values, t: float, before: Sequence[Vector], after: Sequence[Vector]
    ) -> Vector:
        if self.external is not None:
            self.connect(values.controllers)
        (c, w), result = values.addresses, np.zeros(size)
        held = [np.ascontiguousarray(a, dtype=float) for a in (*before, *after)]
        places = list(map(address, held))
        places.insert(len(before), c)
        getattr(self.functions, name)(t, *places, w, address(result))
        return result

    def variables(
        self, t: Vector, x: Vector, u: Vector, values: Values, modes: Vector, guesses: Vector | None = None
    ) -> Vector:
        """As `CompiledModel.variables`: shape (n, n_results)."""
        self.connect(values.controllers)
        t, x, u, modes = _contiguous(t), _contiguous(x), _contiguous(u), _contiguous(modes)
        info, begins = self.info, None if guesses is None else _contiguous(guesses)
        y, (c, w) = np.zeros((len(t), info.n_results)), values.addresses
        widths = (len(info.states), len(info.inputs) + len(info.delays), info.n_modes, info.n_results, info.n_guesses)
        start = None if begins is None else address(begins)
        arrays = address(t), address(x), address(u), c, address(modes), start, w, address(y)
        self.functions.batch(len(t), (c_long * 5)(*widths), *arrays)
        return y


def _contiguous(array: Vector) -> Vector:
    # Solvers pass views of columns; C would silently read past them.
    return np.ascontiguousarray(array, dtype=float)


def is_available() -> bool:
    """True if a C compiler is found. RunError E608 if CC names one that does not exist."""
    return find_compiler() is not None


def load(info: ModelInfo, files: SourceFiles, unreduced: CompiledModel | None = None) -> CModel:
    """The model in `files`, beside the unreduced one. Errors as those of `compiled`."""
    foreign = foreign_files(files)
    try:
        functions = compiled(files[SOURCE], foreign)
    except OSError as error:
        if not foreign:
            raise
        raise not_found(info, error) from error
    faults = Faults(info)
    callback = _external_callback(info, faults, functions.fault)
    has_threads, calls_python = bool(functions.has_threads()), callback is not None
    return CModel(
        info, functions, faults, callback, unreduced=unreduced, calls_python=calls_python, has_threads=has_threads
    )


def _external_callback(info: ModelInfo, faults: Faults, fault: OfThread) -> Any:
    """The callback with which C calls a Python function; None if the model has none. A fault is told to C."""
    if all(external.is_c for external in info.externals):
        return None
    counts = [number_of_arguments(each) for each in info.externals]

    def call(k: int, arguments: Any, results: Any) -> None:
        before = faults.count
        for i, value in enumerate(faults.external(k, arguments[: counts[k]])):
            results[i] = value
        if faults.count != before and not fault.value:
            fault.value = PENDING

    return ExternalCallback(call)
