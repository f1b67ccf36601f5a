"""Does the runs of a batch in a compiled library: values of all runs -> results, in threads. Translates nothing."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from ctypes import Structure, byref, c_double, c_long, c_void_p
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cutset.runtime.interface import Vector
from cutset.runtime.threads import blocks_done

# The order of the enum in program.h.
AUTO, EXPLICIT, IMPLICIT, FIXED_STEPS = range(4)
# The statuses of runs that have reached their end, that the model has ended, and that were not done.
_FINISHED, _ENDED, _UNKNOWN = 0, 1, -1
# Runs are given to threads in multiples of the lanes.
_MULTIPLE = 8


class BatchData(Structure):
    """``struct cutset_batch``."""

    _fields_ = [
        *((name, c_long) for name in ("n_times", "n_kept", "n_set")),
        *((name, c_void_p) for name in ("times", "kept", "set", "strides", "values")),
        *((name, c_double) for name in ("rtol", "atol", "step")),
        ("method", c_long),
        *((name, c_void_p) for name in ("results", "status", "is_over")),
    ]


@dataclass(frozen=True, eq=False)
class ProgramRuns:
    """What to run: `n` runs with rows at `times`; the variables to record and to set, by their numbers in the table of
    the program; for each of the latter its values, one for all runs or one for each."""

    n: int
    times: Vector
    kept: Sequence[int]
    variables: Sequence[int]
    values: Sequence[Vector]
    method: int
    rtol: float
    atol: float
    step: float


@dataclass(frozen=True, eq=False)
class Outcomes:
    """`results` (n, n_times, n_kept), NaN where a run did not arrive; and whether each run `has_ended` (n,), by itself
    or by the model. The others must be done again."""

    results: Vector
    has_ended: NDArray[np.bool_]


def do_runs(library: Path, runs: ProgramRuns, workers: int, progress: Callable[[int, int], None]) -> Outcomes:
    """Do all runs in this many threads. `progress` is called with the number of runs done, and of all.
    KeyboardInterrupt ends them. OSError if the library cannot be loaded."""
    loaded = ctypes.CDLL(str(library))
    run, memory = loaded.cutset_batch_run, loaded.cutset_batch_memory
    run.restype, run.argtypes = None, (c_void_p, c_long, c_long, c_void_p)
    memory.restype, memory.argtypes = c_long, (c_void_p,)
    results, status = np.empty((runs.n, len(runs.times), len(runs.kept))), np.full(runs.n, _UNKNOWN, dtype=c_long)
    is_over = c_long(0)
    data, held = _data(runs, results, status, is_over)
    own = threading.local()

    def block(first: int, end: int) -> None:
        if not hasattr(own, "memory"):
            own.memory = np.zeros(memory(byref(data)) // 8 + 1)
        run(byref(data), first, end, own.memory.ctypes.data)

    def stop() -> None:
        is_over.value = 1

    done = 0
    with closing(blocks_done(runs.n, workers, _MULTIPLE, block, stop)) as blocks:
        for first, end in blocks:
            done += end - first
            progress(done, runs.n)
    del held
    return Outcomes(results, (status == _FINISHED) | (status == _ENDED))


def _data(
    runs: ProgramRuns, results: Vector, status: NDArray[np.int_], is_over: c_long
) -> tuple[BatchData, list[object]]:
    """The structure, and what has to live as long as it does."""
    integers = [np.array(numbers, dtype=c_long) for numbers in (runs.kept, runs.variables)]
    values = [np.ascontiguousarray(each, dtype=float) for each in runs.values]
    strides = np.array([int(len(each) > 1) for each in values], dtype=c_long)
    places = np.array([each.ctypes.data for each in values], dtype=np.uintp)
    times = np.ascontiguousarray(runs.times)
    data = BatchData(
        *(len(times), len(runs.kept), len(values)),
        *(array.ctypes.data for array in (times, *integers, strides, places)),
        *(runs.rtol, runs.atol, runs.step, runs.method),
        *(array.ctypes.data for array in (results, status)),
        ctypes.addressof(is_over),
    )
    return data, [integers, values, strides, places, times]
