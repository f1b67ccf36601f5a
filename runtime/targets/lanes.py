"""Compiles the form of a model that advances several runs at once: lanes.c -> `Lanes`. c/run/together.h runs it.

Runs go together, one in each lane of the vectors of the processor, if their steps are equal and nothing happens between
them.
"""

from __future__ import annotations

import ctypes
from ctypes import c_long, c_void_p
from dataclasses import replace
from pathlib import Path

import numpy as np

from cutset.contract.metadata import ModelInfo
from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.interface import Vector
from cutset.runtime.processor import vector_flags
from cutset.runtime.targets.c_files import included
from cutset.runtime.targets.c_model import SOURCE as MODEL
from cutset.runtime.targets.c_records import LaneRun, address
from cutset.runtime.targets.toolchain import Compiler, find_compiler, shared_library

SOURCE = "lanes.c"
# Arrays start at multiples of so many numbers.
_ALIGNMENT = 8


@dataclass(frozen=True, eq=False)
class Lanes:
    """A compiled lanes.c: how many runs advance together, and whether these have the same constants."""

    count: int
    constants_are_shared: bool
    _steps: int
    _library: ctypes.CDLL

    def memory(self, info: ModelInfo, rows: int) -> tuple[LaneRun, Vector]:
        """The memory of a thread for a method with so many stages after the first; it is part of the array."""
        n, lanes = len(info.states), self.count
        sizes = {"x": n, "u": len(info.inputs), "w": info.n_work, "z": n, "k": n * (rows + 1), "rise": n, "sound": 1}
        numbers = {name: _rounded(lanes * size) for name, size in sizes.items()}
        numbers["c"] = _rounded(info.n_constants * (1 if self.constants_are_shared else lanes))
        block = np.zeros(sum(numbers.values()) + _ALIGNMENT)
        place = _rounded(address(block) // block.itemsize) * block.itemsize
        run = LaneRun(lanes, n, info.n_guards, len(info.inputs), info.n_constants, info.n_work)
        run.constants_are_shared, run.steps = self.constants_are_shared, self._steps
        for name, size in numbers.items():
            setattr(run, name, place)
            place += size * block.itemsize
        return run, block


def _rounded(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT


def has_vectors() -> bool:
    """True if there is a compiler that knows vectors: gcc and clang, but not tcc. RunError E608 if CC names one that
    does not exist."""
    compiler = find_compiler()
    return compiler is not None and "tcc" not in Path(compiler.command[0]).resolve().name


def lanes_of(text: str, constants_are_shared: bool) -> Lanes:
    """The lanes.c with this text, compiled or taken from the disk cache, by a compiler that `has_vectors`. BuildError
    if it fails."""
    compiler = find_compiler()
    assert compiler is not None, "has_vectors is true"
    # The library has the file in place of that of the model.
    with shared_library({MODEL: text, **included(text)}, _with_vectors(compiler, constants_are_shared)) as path:
        library = ctypes.CDLL(str(path))
    count = library["cutset_lanes"]
    count.restype, count.argtypes = c_long, ()
    steps = ctypes.cast(library["cutset_lane_steps"], c_void_p).value
    assert steps is not None
    return Lanes(count(), constants_are_shared, steps, library)


def _with_vectors(compiler: Compiler, constants_are_shared: bool) -> Compiler:
    """The compiler with flags for the vectors of this processor. Fused operations stay off, so that a run among others
    has the numbers of a single run, but for a sine or a cosine alone."""
    wide, lanes = vector_flags()
    shared = ("-DCUTSET_ONE_FOR_ALL",) if constants_are_shared else ()
    return replace(compiler, flags=(*compiler.flags, "-O2", *wide, f"-DCUTSET_LANES={lanes}", *shared))
