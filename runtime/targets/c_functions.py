"""Loads a compiled library and declares its functions: the loops, and those of the model in it. Calls none of them."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from ctypes import POINTER, addressof, c_char, c_double, c_int, c_long, c_ulong, c_void_p
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cutset.contract.metadata import SourceFiles
from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.errors import RunError
from cutset.runtime.targets.c_files import c_files
from cutset.runtime.targets.c_records import (
    Control,
    Data,
    Report,
    ResidualsCallback,
    Solver,
    StateCallback,
    TableauData,
    address,
)
from cutset.runtime.targets.toolchain import Compiler, find_compiler, for_one_model, shared_library

SOURCE = "model.c"
Vector = NDArray[np.float64]

# In the order of `cutset_own`.
_OF_THREAD = {
    "fault": c_int,
    "open": c_ulong,
    "external": c_void_p,
    "scripted": c_void_p,
}


@dataclass(frozen=True)
class OnceFunctions:
    """The functions of a model that run once per run, in place on arrays; arithmetic raises no exception."""

    bindings: Callable[[Vector, Vector], None]
    constants: Callable[[Vector, Vector], None]
    starts: Callable[[Vector, Vector], None]
    nominals: Callable[[Vector, Vector], None]


class OfThread:
    """A variable of the library of which each thread has its own."""

    def __init__(self, place: Callable[[int], int], number: int, kind: Any):
        self._place, self._number, self._kind = place, number, kind

    @property
    def value(self) -> Any:
        """Its value in the calling thread."""
        return self._kind.from_address(self._place(self._number)).value

    @value.setter
    def value(self, value: Any) -> None:
        """Set it for the calling thread."""
        self._kind.from_address(self._place(self._number)).value = value


@dataclass(frozen=True)
class Functions:
    """The entry points of the library, with their argument types set."""

    once: OnceFunctions
    start: Callable[..., None]
    time_events: Callable[..., None]
    derivatives: Callable[..., None]
    jacobian: Callable[..., None]
    crossings: Callable[..., None]
    delayed: Callable[..., None]
    updates: Callable[..., None]
    batch: Callable[..., None]
    rates: Callable[..., None]
    held: Callable[..., None]
    repeat: Callable[..., None]
    map: Callable[..., None]
    definition: int
    capsule: Any
    index_size: Callable[..., int]
    close: Callable[..., None]
    implicit: Callable[..., int]
    begin: Callable[..., None]
    hosted_rates: Callable[..., int]
    hosted_slopes: Callable[..., int]
    ends_here: Callable[..., int]
    longest: Callable[..., float]
    accept: Callable[..., int]
    run: Callable[..., int]
    whole: Callable[..., int]
    find_start: Callable[..., int]
    enter: Callable[..., None]
    resume: Callable[..., int]
    step: Callable[..., int]
    advance: Callable[..., int]
    restart_part: Callable[..., None]
    step_back: Callable[..., None]
    go_on: Callable[..., int]
    many: Callable[..., int]
    together: Callable[..., int]
    has_threads: Callable[[], int]
    recall: Callable[..., None]
    restart_history: Callable[..., None]
    fault: OfThread
    open: OfThread
    external: OfThread
    scripted: OfThread
    scripted_newton: Callable[..., int] | None


def functions_in(path: str) -> Functions:
    """Those of the library at `path`. OSError if it cannot be loaded, AttributeError if a function is missing."""
    library = ctypes.CDLL(path)

    def entry(name: str, result: Any, *arguments: Any) -> Any:
        function = library[f"cutset_{name}"]
        function.restype, function.argtypes = result, arguments
        return function

    pointer, report = c_void_p, POINTER(Report)
    data, control = POINTER(Data), POINTER(Control)
    trajectory = (c_double, pointer, c_long, pointer, pointer, pointer, report)
    return Functions(
        once=OnceFunctions(
            *(_on_arrays(entry(name, None, pointer, pointer)) for name in OnceFunctions.__dataclass_fields__)
        ),
        start=entry("start", None, c_double, *[pointer] * 6),
        time_events=entry("time_events", None, *[pointer] * 3),
        derivatives=entry("derivatives", None, c_double, *[pointer] * 6),
        jacobian=entry("jacobian", None, c_double, *[pointer] * 6),
        crossings=entry("crossings", None, c_double, *[pointer] * 6),
        delayed=entry("delayed", None, c_double, *[pointer] * 6),
        updates=entry("updates", None, c_double, *[pointer] * 7),
        batch=entry("batch", None, c_long, pointer, *[pointer] * 8),
        rates=entry("rates", None, c_long, pointer, *[pointer] * 8),
        held=entry("held", None, pointer, pointer, c_long, *[pointer] * 3, c_long, *[pointer] * 3),
        repeat=entry("repeat", None, c_long, c_double, *[pointer] * 6),
        map=entry("map", None, c_void_p),
        definition=addressof(c_char.in_dll(library, "cutset_definition")),
        capsule=c_void_p.in_dll(library, "cutset_capsule"),
        index_size=entry("index_size", c_long, pointer),
        close=entry("close", None, pointer),
        implicit=entry("implicit", c_int, POINTER(Solver), control, *trajectory[:-2], report),
        begin=entry("begin", None, data, c_double, pointer),
        hosted_rates=entry("hosted_rates", c_int, data, c_double, pointer, pointer),
        hosted_slopes=entry("hosted_slopes", c_int, data, pointer, c_double, pointer),
        ends_here=entry("ends_here", c_int, data, control),
        longest=entry("longest", c_double, data, control, *[c_double] * 3, pointer),
        accept=entry("accept", c_int, data, StateCallback, c_double, *[pointer] * 3, c_long, pointer, pointer, report),
        recall=entry("recall", None, pointer, c_double, pointer),
        restart_history=entry("restart_history", None, pointer, c_double, pointer),
        run=entry("run", c_int, data, control, POINTER(TableauData), pointer),
        whole=entry("whole", c_int, *[pointer] * 4, c_double),
        find_start=entry("find_start", c_int, *[pointer] * 3, c_double, c_double),
        enter=entry("enter", None, *[pointer] * 3, c_double),
        resume=entry("resume", c_int, *[pointer] * 4),
        step=entry("step", c_int, *[pointer] * 4, c_double, c_double, c_long, pointer, pointer),
        advance=entry("advance", c_int, *[pointer] * 4),
        restart_part=entry("restart_part", None, pointer, pointer, c_long),
        step_back=entry("step_back", None, pointer, pointer),
        go_on=entry("go_on", c_int, *[pointer] * 4),
        many=entry("many", c_long, *[pointer] * 4, c_double, pointer, pointer, c_long, c_long),
        together=entry("together", c_long, *[pointer] * 4, c_double, pointer, pointer, c_long, c_long, pointer),
        has_threads=entry("has_threads", c_int),
        scripted_newton=entry("scripted_newton", c_int, c_int, ResidualsCallback, pointer, pointer, c_int)
        if hasattr(library, "cutset_scripted_newton")
        else None,
        **_of_thread(entry("own", c_void_p, c_long)),
    )


def _of_thread(place: Callable[[int], int]) -> dict[str, Any]:
    return {name: OfThread(place, k, kind) for k, (name, kind) in enumerate(_OF_THREAD.items())}


def _on_arrays(function: Callable[[int, int], None]) -> Callable[[Vector, Vector], None]:
    return lambda first, second: function(address(first), address(second))


def required_compiler() -> Compiler:
    """The compiler. RunError E608 if there is none."""
    compiler = find_compiler()
    if compiler is None:
        hint = "pip install 'cutset[zig]' brings one; or install gcc, clang or tcc"
        raise RunError("E608", "no C compiler was found", hint)
    return compiler


def compiled(source: str, foreign: SourceFiles) -> Functions:
    """The functions of the model in C with this source and these further files, compiled or taken from the disk cache.
    RunError E608 without a compiler, BuildError if the compiler fails, OSError if it uses a library that is absent."""
    compiler, texts = for_one_model(required_compiler()), {SOURCE: source, **c_files(), **foreign}
    try:
        with shared_library(texts, compiler) as path:
            return functions_in(str(path))
    except OSError:  # a damaged file in the cache
        with shared_library(texts, compiler, fresh=True) as path:
            return functions_in(str(path))


@functools.cache
def scripted_functions() -> Functions:
    """The functions of the library for models in Python. Errors as those of `compiled`."""
    return compiled('#include "scripted.h"\n', {})
