"""Measures Cutset for the comparisons: translation by stage, the C compiler, the generated C in plain loops."""

from __future__ import annotations

import ctypes
import os
import resource
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import thread_time

import numpy as np

from cutset.compiler.codegen.program import Program
from cutset.compiler.pipeline import Observer, Options, compile_model, emit
from cutset.runtime.runs.initialize import starting
from cutset.runtime.targets.build import build
from cutset.runtime.targets.c_files import included
from cutset.runtime.targets.c_model import CModel
from cutset.runtime.targets.c_records import address
from cutset.runtime.targets.toolchain import Compiler, shared_library

_HERE = Path(__file__).parent


class StageClock:
    """An observer of the pipeline: `seconds` is the CPU time of each stage, from the creation of the clock."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = thread_time()

    def __call__(self, stage, result):
        now = thread_time()
        self.seconds[stage] = now - self._last
        self._last = now
        return result


def translate(path: Path, name: str | None, repetitions: int) -> tuple[Program, dict[str, float]]:
    """The program, and the smallest CPU time of each stage in s, with the printing of C as the last one."""
    runs = []
    for _ in range(repetitions):
        clock = StageClock()
        program = compile_model(path, name, Options(), Observer([clock]))
        clock("emit C", emit(program, "c"))
        runs.append(clock.seconds)
    return program, {stage: min(run[stage] for run in runs) for stage in runs[0]}


@contextmanager
def empty_cache():
    """A new cache of compiled models; the user's own is not used."""
    before = os.environ.get("XDG_CACHE_HOME")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        try:
            yield
        finally:
            del os.environ["XDG_CACHE_HOME"]
            if before is not None:
                os.environ["XDG_CACHE_HOME"] = before


def compile_seconds(files: Mapping[str, str], repetitions: int) -> float:
    """The smallest CPU time of the C compiler in s without a cache: the model, the driver and linking."""
    seconds = []
    for _ in range(repetitions):
        with empty_cache():
            before = _children()
            build(files, "c")
            seconds.append(_children() - before)
    return min(seconds)


def _children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class GeneratedCode:
    """The generated C in a library with two loops of the benchmarks: `repeat`, and `dopri5`. `start` are the start
    states."""

    def __init__(self, files: Mapping[str, str], model: CModel, compiler: Compiler):
        headers = included(files["model.c"])
        own = {name: (_HERE / name).read_text(encoding="utf-8") for name in ("repeat_cutset.c", "dopri5.c")}
        texts = {"model.c": files["model.c"], **headers, **own}
        with shared_library(texts, compiler) as path:
            library = ctypes.CDLL(str(path))
        pointer, number, real = ctypes.c_void_p, ctypes.c_long, ctypes.c_double
        self._repeat, self._dopri5 = library.bench_repeat, library.bench_dopri5
        self._repeat.argtypes = (number, number, number, number, *[pointer] * 5)
        self._dopri5.restype, self._dopri5.argtypes = number, (real, real, pointer, number, *[pointer] * 4, real, real)
        self.values = model.bind({})
        self._modes, self._work = np.zeros(model.info.n_modes), np.zeros(model.info.n_work)
        self._sizes = len(model.info.states), len(model.info.inputs)
        self.dx = np.zeros(self._sizes[0])
        self.start = starting(model, self.values, 0.0, np.zeros(self._sizes[1])).x

    def repeat(self, number: int, rows: np.ndarray) -> None:
        """Evaluate `number` times at the rows (x, u) in turn; `dx` holds the last result."""
        arrays = (rows, self.values.c, self._modes, self._work, self.dx)
        self._repeat(number, len(rows), *self._sizes, *map(address, arrays))

    def dopri5(self, stop: float, rtol: float, atol: float) -> tuple[np.ndarray, int]:
        """The states at `stop` from the model's start with all inputs 0, and the number of evaluations."""
        x, u = self.start.copy(), np.zeros(self._sizes[1])
        arrays = map(address, (u, self.values.c, self._modes, self._work))
        return x, self._dopri5(0.0, stop, address(x), len(x), *arrays, rtol, atol)


def joint_order(states: Sequence[str], joints: int) -> list[int]:
    """For each state its position in (q1, ..., qn, qd1, ..., qdn), by names that end in r1.q, r1.qd, ..."""
    plain = [f"r{k + 1}.{kind}" for kind in ("q", "qd") for k in range(joints)]
    return [plain.index(".".join(name.split(".")[-2:])) for name in states]
