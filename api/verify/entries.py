"""Runs a model by all entries but one call of `simulate`.

In pieces, in steps, by a sweep and a batch, as a program in C and as an FMU.
"""

from __future__ import annotations

import csv
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cutset.runtime.interface import Vector
from cutset.runtime.targets.toolchain import compile_with, find_compiler

if TYPE_CHECKING:
    from cutset.api.model import Model

# The times of rows, and the values of variables there by name.
Rows = tuple[Vector, Mapping[str, Vector]]
Entry = Callable[[], Rows]
Numbers = Mapping[str, float]
# The rows in an interval of a run with many, and the longest time in s that a program may take.
_MANY, _PATIENCE = 52, 60


def entries(model: Model, times: Vector, given: Numbers, starts: Numbers) -> dict[str, Entry]:
    """The entries by name: each returns rows at some of these equidistant times from zero, with the default settings
    and the given values of parameters and start values. RunError, SubprocessError or OSError if one fails."""
    of_run, many = (model, given, starts), _MANY * (len(times) - 1) + 1
    found: dict[str, Entry] = {
        "with 2 output times": partial(_with_points, *of_run, times[[0, -1]], 2),
        f"with {many} output times": partial(_with_points, *of_run, times, many),
        "in two pieces": partial(_in_pieces, *of_run, times),
        "by the simulator": partial(_in_steps, *of_run, times),
    }
    if given or starts:
        found["by a sweep"] = partial(_in_sweep, *of_run, times)
        found["by a batch"] = partial(_in_batch, *of_run, times)
    if find_compiler() is not None:
        found["as a program in C"] = partial(_as_program, *of_run, times)
        if find_spec("fmpy") is not None:
            found["as an FMU (FMI 2)"] = partial(_as_fmu, *of_run, times, 2)
            found["as an FMU (FMI 3)"] = partial(_as_fmu, *of_run, times, 3)
    return found


def _with_points(model: Model, given: Numbers, starts: Numbers, times: Vector, points: int) -> Rows:
    run = model.simulate(float(times[-1]), start=0.0, points=points, parameters=given, initial=starts)
    rows = np.searchsorted(run.time, times * (1 + 1e-12), side="right") - 1
    return times, {name: run[name][rows] for name in run.names()}


def _in_pieces(model: Model, given: Numbers, starts: Numbers, times: Vector) -> Rows:
    half = float(times[len(times) // 3])
    first = model.simulate(half, start=0.0, points=2, parameters=given, initial=starts)
    second = model.simulate(float(times[-1]), start=half, points=2, parameters=given, start_from=first)
    return times[-1:], {name: second[name][-1:] for name in second.names()}


def _in_steps(model: Model, given: Numbers, starts: Numbers, times: Vector) -> Rows:
    simulator = model.simulator(given, start=0.0, initial=starts)
    names = [name for name in model.translated.info.names if "$" not in name]
    rows = [simulator.get(*names, "time")]
    for before, after in pairwise(times):
        simulator.step(after - before)
        rows.append(simulator.get(*names, "time"))
    return times, dict(zip(names, np.array(rows, float).T, strict=False))


def _in_sweep(model: Model, given: Numbers, starts: Numbers, times: Vector) -> Rows:
    names = {name: name for name in model.translated.info.names if "$" not in name}
    swept = model.sweep([{**given, **starts}], names, float(times[-1]), start=0.0, points=2)
    (row,) = swept.rows
    if row.reason:
        raise OSError(row.reason)
    return times[-1:], {name: np.array([float(value)]) for name, value in zip(names, row.values, strict=True)}


def _in_batch(model: Model, given: Numbers, starts: Numbers, times: Vector) -> Rows:
    columns, initial = ({name: np.array([x, x]) for name, x in each.items()} for each in (given, starts))
    found = model.batch(float(times[-1]), start=0.0, times=times, parameters=columns, initial=initial, outputs=["*"])
    if found.failed:
        raise OSError(next(iter(found.failed.values())))
    return times, {name: found[name][-1] for name in found.names}


def _as_program(model: Model, given: Numbers, starts: Numbers, times: Vector) -> Rows:
    with tempfile.TemporaryDirectory() as folder:
        model.export_c(folder, list(given))
        compiler = find_compiler()
        assert compiler is not None
        sources = sorted(path.name for path in Path(folder).glob("*.c"))
        compile_with((*compiler.command, "-ffp-contract=off", *sources, "-lm", "-o", "run"), Path(folder), "run")
        settings = [repr(float(times[-1])), repr(float(times[-1]) / (len(times) - 1))]
        values = [f"{name}={value!r}" for name, value in {**given, **starts}.items()]
        command = [str(Path(folder) / "run"), *settings, *values]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=_PATIENCE)
        names, *lines = csv.reader(done.stdout.splitlines())
        table = np.array(lines, float)
        rows = np.searchsorted(table[:, 0], times * (1 + 1e-12), side="right") - 1
        return times, dict(zip(names, table[rows].T, strict=True))


def _as_fmu(model: Model, given: Numbers, starts: Numbers, times: Vector, version: int) -> Rows:
    import fmpy

    with tempfile.TemporaryDirectory() as folder:
        path = model.export_fmu(Path(folder) / "model.fmu", version=version, changeable=list(given))
        known = {each.name: each.initial for each in fmpy.read_model_description(str(path)).modelVariables}
        if not all(known.get(name) == "exact" for name in starts):
            return times, {}  # a start value that follows from parameters
        names = [name for name in model.translated.info.names if name in known]
        stop = float(times[-1])
        found = fmpy.simulate_fmu(
            str(path), fmi_type="CoSimulation", stop_time=stop, output_interval=stop / (len(times) - 1), output=names,
            start_values={**given, **starts}, record_events=False, timeout=_PATIENCE,
        )  # fmt: skip
        return times, {name: np.asarray(found[name], float) for name in names}
