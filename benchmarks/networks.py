"""Measures where the method bdf overtakes the solved equations: ladders and grids of resistors and capacitors.

    python benchmarks/networks.py [--markdown FILE] [--quick]

Each network is translated, compiled and run twice, in processes of their own: with solved equations by cvode-bdf, and
unsolved by bdf. A process that takes longer than the limit is stopped.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from long_models import grid_text, ladder_text, resistors_text
from sheets import Sheet, report

from cutset.compiler.options import Options
from cutset.compiler.pipeline import compile_model, emit
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.runs.simulate import simulate
from cutset.runtime.targets.build import build

# Model text and sizes.
SUBJECTS: dict[str, tuple[Callable[[int], str], tuple[int, ...]]] = {
    "grid, C on the main diagonal": (lambda n: grid_text(n, 0), (10, 20, 30, 60, 92)),
    "grid, C at each fourth diagonal": (lambda n: grid_text(n, 4), (10, 20, 30, 60)),
    "grid, C at each node": (lambda n: grid_text(n, 1), (10, 30, 60)),
    "ladder of R and C": (ladder_text, (125, 1250, 4000)),
    "ladder of R": (resistors_text, (125, 1250, 4000)),
}
_QUICK, _LIMIT, _STOP = 130, 150.0, 2e-3


def measured(name: str, size: int, method: str) -> dict[str, float]:
    """Seconds of translation, C compiler and run, and a value at the end."""
    text, _ = SUBJECTS[name]
    with TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        path = Path(folder) / "model.mo"
        path.write_text(ladder_text(1), encoding="utf-8")
        build(emit(compile_model(path, None), "c"), "c")  # compiles the code shared by all models
        path.write_text(text(size), encoding="utf-8")
        began = perf_counter()
        program = compile_model(path, None, Options(solved=method != "bdf"))
        files = emit(program, "c")
        translated = perf_counter()
        model = build(files, "c")
        built = perf_counter()
        result = simulate(model, Experiment(stop=_STOP, points=21, method=method))
        ended = perf_counter()
        assert result.failure is None, result.failure
        return {
            "equations": program.statistics.equations,
            "translation": translated - began,
            "compiler": built - translated,
            "run": ended - built,
            "value": float(np.sum(result["source.i"])),
        }


def row(name: str, size: int) -> list[str]:
    """The cells of one network."""
    found = [_in_a_process(name, size, method) for method in ("cvode-bdf", "bdf")]
    solved, unsolved = found
    if solved and unsolved:
        assert abs(solved["value"] - unsolved["value"]) < 1e-3 * abs(solved["value"]), (name, size, found)
    cells = [name, str(size), f"{unsolved['equations']:.0f}" if unsolved else "-"]
    for each in found:
        cells += [f"{each[what]:.2f} s" for what in ("translation", "compiler", "run")] if each else ["-"] * 3
    total = [sum(each[what] for what in ("translation", "compiler", "run")) if each else 0.0 for each in found]
    return [*cells, f"{total[0] / total[1]:.2f}" if all(total) else f"> {_LIMIT / total[1]:.0f}" if total[1] else "-"]


def _in_a_process(name: str, size: int, method: str) -> dict[str, float] | None:
    command = [sys.executable, __file__, "--one", name, str(size), method]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=_LIMIT)
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
        return None
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def sheet(quick: bool) -> Sheet:
    parts = ("translation", "C compiler", "run")
    columns = [
        "network",
        "size",
        "equations",
        *(f"{m}: {part}" for m in ("cvode-bdf", "bdf") for part in parts),
        "ratio",
    ]
    rows = []
    for name, (_, sizes) in SUBJECTS.items():
        for size in sizes:
            if not quick or (size <= _QUICK and (size <= 10 or "ladder" in name)):
                rows.append(row(name, size))
                print(" | ".join(rows[-1]), file=sys.stderr, flush=True)
    return Sheet("Solved equations and bdf", columns, rows, f"The ratio is that of the sums. Limit: {_LIMIT:.0f} s.")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small sizes only")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    one = parser.parse_known_args()[0].one
    if one:
        print(json.dumps(measured(one[0], int(one[1]), one[2])))
        return 0
    return report(parser, lambda options, compiler: ([sheet(options.quick)], []))


if __name__ == "__main__":
    sys.exit(main())
