"""Measures how translation, compiler and run grow with a model: ladders, rows of clutches, chains of links.

    python benchmarks/large.py [--markdown FILE] [--quick]

Each size is translated and run in a separate process, whose CPU time and maximal memory are shown. The time of the C
compiler is that without a cached model.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from chain import chain_text
from long_models import clutches_text, ladder_text, resistors_text
from sheets import Sheet, report

from cutset.compiler.pipeline import compile_model, emit
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.runs.simulate import simulate
from cutset.runtime.targets.build import build

# Model text, sizes, and the simulated time.
SUBJECTS = {
    "ladder of R and C": (ladder_text, (125, 250, 500, 1000, 2000), 0.05),
    "ladder of R": (resistors_text, (125, 250, 500, 1000, 2000), 0.05),
    "row of clutches": (clutches_text, (50, 125, 250, 500), 0.1),
    "chain of links": (chain_text, (30, 100, 300, 1000), 0.02),
}
_QUICK = 300


def measured(name: str, size: int) -> dict[str, float]:
    """CPU times of this process and of the compiler in s, memory of this process in megabytes."""
    text, _, stop = SUBJECTS[name]
    with TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        path = Path(folder) / "model.mo"
        path.write_text(ladder_text(1), encoding="utf-8")
        build(emit(compile_model(path, None), "c"), "c")  # compiles the code shared by all models
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        path.write_text(text(size), encoding="utf-8")
        began = process_time()
        program = compile_model(path, None)
        files = emit(program, "c")
        translated = process_time()
        model = build(files, "c")
        compiled = resource.getrusage(resource.RUSAGE_CHILDREN)
        built = process_time()
        result = simulate(model, Experiment(stop=stop, points=101))
        return {
            "equations": program.statistics.equations,
            "torn": sum(torn for _, torn in program.statistics.linear_systems),
            "code": len(files["model.c"]) / 1e3,
            "translation": translated - began,
            "compiler": compiled.ru_utime + compiled.ru_stime - before.ru_utime - before.ru_stime,
            "run": process_time() - built,
            "steps": result.statistics.steps,
            "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        }


def sheet(quick: bool) -> Sheet:
    columns = ["model", "size", "equations", "torn", "code", "translation", "C compiler", "run", "steps", "memory"]
    rows = []
    for name, (_, sizes, _) in SUBJECTS.items():
        for size in sizes:
            if quick and size > _QUICK:
                continue
            command = [sys.executable, __file__, "--one", name, str(size)]
            found = json.loads(
                subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1]
            )
            rows.append([
                name, str(size), f"{found['equations']:.0f}", f"{found['torn']:.0f}", f"{found['code']:.0f} kB",
                *(f"{found[what]:.2f} s" for what in ("translation", "compiler", "run")), f"{found['steps']:.0f}",
                f"{found['memory']:.0f} MB",
            ])  # fmt: skip
            print(" | ".join(rows[-1]), file=sys.stderr)
    return Sheet("Growth", columns, rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small sizes only")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    one = parser.parse_known_args()[0].one
    if one:
        print(json.dumps(measured(one[0], int(one[1]))))
        return 0
    return report(parser, lambda options, compiler: ([sheet(options.quick)], []))


if __name__ == "__main__":
    sys.exit(main())
