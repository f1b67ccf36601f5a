"""Runs a model in Python by the loops in C: c/scripted.h calls the functions that are evaluated here."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from ctypes import c_double, c_void_p, cast
from dataclasses import field
from typing import Any

import numpy as np

from cutset.contract.metadata import ModelInfo
from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.interface import Vector
from cutset.runtime.targets.c_functions import Functions, required_compiler, scripted_functions
from cutset.runtime.targets.c_records import ScriptedCallback, constant
from cutset.runtime.targets.controllers import Controllers
from cutset.runtime.targets.engine import Engine, Memories, Stop
from cutset.runtime.targets.externals import PENDING, Faults
from cutset.runtime.targets.newton import Care


class Script(ABC):
    """A model in Python: its metadata, how its systems are solved, and why functions had no value."""

    info: ModelInfo
    care: Care
    faults: Faults

    @abstractmethod
    def write(self, name: str, t: float | None, arrays: list[Vector]) -> None:
        """Write the result of a function into the last array, and the guesses into the one before; a function without
        time or work memory has t or them not."""

    @abstractmethod
    def use(self, controllers: Controllers | None) -> None:
        """As `CompiledModel.use`."""


@dataclass(eq=False)
class ScriptedEngine(Engine):
    """`Engine` for a model in Python."""

    info: ModelInfo
    functions: Functions
    callback: Any
    _script: Script
    _stopping: list[Stop | None]
    memories: Memories = field(default_factory=Memories)
    has_threads: bool = False
    calls_python: bool = True

    def connect(self, controllers: Controllers | None = None, stop: Stop | None = None) -> None:
        """As `Engine.connect`."""
        self.functions.scripted.value = cast(self.callback, c_void_p).value
        self._stopping[0] = stop
        if controllers is not None:
            self._script.use(controllers)


def engine_of(script: Script) -> ScriptedEngine:
    """The engine of a model. RunError E608 without a compiler."""
    required_compiler()
    stopping: list[Stop | None] = [None]
    return ScriptedEngine(
        script.info, scripted_functions(), ScriptedCallback(_called(script, stopping)), script, stopping
    )


def _arguments(info: ModelInfo) -> list[tuple[str, bool, list[int]]]:
    """The name of each function, whether time is its first argument, and the sizes of its arrays."""
    n, u, c, m, w = len(info.states), len(info.inputs) + len(info.delays), info.n_constants, info.n_modes, info.n_work
    p, s, crossings = len(info.parameters), info.n_starts, len(info.crossings)
    point = [n, u, c, m]
    return [
        ("derivatives", True, [*point, w, info.n_rates]),
        ("variables", True, [*point, w, info.n_results]),
        ("jacobian", True, [*point, w, sum(map(len, info.jacobian))]),
        ("updates", True, [*point, sum(info.whens) + info.n_before, w, info.n_updates]),
        ("time_events", False, [c, m, 2 * len(info.time_events)]),
        ("delayed", True, [*point, w, 2 * len(info.delays)]),
        ("watch", False, [c, m, w, crossings + info.n_watched]),
        ("crossings", True, [*point, w, crossings]),
        ("bindings", False, [p, p]),
        ("constants", False, [p, c]),
        ("starts", False, [c, s]),
        ("nominals", False, [c, n]),
        ("start", True, [u, c, m, s, w, info.n_begins]),
    ]


def _called(script: Script, stopping: list[Stop | None]) -> Callable[..., None]:
    """What C calls. After an exception, which `stop` is told, nothing is evaluated any more: results are nan."""
    care, faults, fault = script.care, script.faults, scripted_functions().fault
    arguments = _arguments(script.info)
    table = {constant(name.upper()): (name, has_time, [*map(_view_of, sizes)]) for name, has_time, sizes in arguments}

    def call(function: int, t: float, places: Any, flags: Any) -> None:
        name, has_time, views = table[function]
        arrays = [view(places[k]) for k, view in enumerate(views)]
        care.careful, care.lost, care.beyond = flags[0], 0, False
        before = faults.count
        try:
            script.write(name, t if has_time else None, arrays)
            if faults.count != before:
                fault.value = PENDING
        except BaseException as error:  # no exception can pass through C
            arrays[0 if name == "bindings" else -1].fill(math.nan)
            if stopping[0] is not None:
                stopping[0](error)
        flags[1], flags[2] = care.lost, care.beyond
        care.careful = 0

    return call


def _view_of(n: int) -> Callable[[int | None], Vector]:
    """What makes an array of n numbers of an address."""
    if n == 0:
        none = np.zeros(0)
        return lambda _: none
    kind = c_double * n

    def view(place: int | None) -> Vector:
        numbers: Any = kind.from_address(place or 0)
        return np.frombuffer(numbers)

    return view
