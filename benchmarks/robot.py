"""Measures the complete robot of models/r3 from source to result: without a cache, with it, and the run alone.

    python benchmarks/robot.py [--markdown FILE] [--rounds N]

Each time is that of a separate process and of all its children, such as the C compiler, with its maximal memory.
Python's bytecode exists already, as after an installation. The run is that of the reference: 1.856 s, tolerance 1e-6.

Rumoca, if installed (pip install rumoca), simulates only the mechanics, the arm that falls for 2 s.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from cutset_side import compile_seconds, translate
from sheets import Sheet, report

import cutset
from cutset.compiler.pipeline import emit

try:
    import rumoca_peer
except ImportError:
    rumoca_peer = None

_MODELS = Path(__file__).parents[1] / "models"
_ROBOT = _MODELS / "r3" / "r3.mo"
_STOP, _TOLERANCE = 1.8560450019, 1e-6
_SETTINGS = ["--stop", str(_STOP), "--rtol", str(_TOLERANCE), "--atol", str(_TOLERANCE)]
_REPETITIONS = 9
_ARM, _FALL, _POINTS = _MODELS / "r3_arm.mo", 2.0, 501


@dataclass(frozen=True)
class Cost:
    """The cost of a process and its children: wall time and CPU time in s, memory in megabytes."""

    seconds: float
    processor: float
    memory: float

    def cells(self) -> list[str]:
        """The cells of a table."""
        return [f"{self.seconds:.2f} s", f"{self.processor:.2f} s", f"{self.memory:.0f} MB"]


def cost(command: list[str], environment: dict[str, str]) -> Cost:
    """Run a command to its end. CalledProcessError if it fails."""
    began = perf_counter()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    seconds = perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return Cost(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def middle(costs: list[Cost]) -> Cost:
    """The median of each."""
    return Cost(*(median(values) for values in zip(*((c.seconds, c.processor, c.memory) for c in costs), strict=True)))


def whole(rounds: int) -> list[list[str]]:
    """Text to result: a row without a cache and one with it, each with selected variables and with all variables
    written."""
    with TemporaryDirectory() as folder:
        # The folder for Python's bytecode, whatever the settings of this process are.
        environment = {
            name: value for name, value in os.environ.items() if name not in ("PYTHONDONTWRITEBYTECODE", "CUTSET_CACHE")
        }
        environment["PYTHONPYCACHEPREFIX"] = f"{folder}/bytecode"

        def run(cache: str, outputs: list[str]) -> Cost:
            command = [
                sys.executable,
                "-c",
                "import sys; from cutset.api.command_line.command import main; sys.exit(main())",
                "simulate",
                str(_ROBOT),
            ]
            command += [*_SETTINGS, *outputs, "-o", f"{folder}/r3.npz"]
            return cost(command, environment | {"XDG_CACHE_HOME": f"{folder}/{cache}"})

        some = ["--outputs", "arm.r*.q", "arm.r*.qd", "m*.La.i"]
        run("first", some)
        fresh = middle([run(f"fresh{k}", some) for k in range(rounds)])
        kept = middle([run("first", some) for _ in range(rounds)])
        everything = middle([run("first", []) for _ in range(rounds)])
    return [
        ["source to result, nothing cached", *fresh.cells()],
        ["source to result, from the cache", *kept.cells()],
        ["the same, all variables written", *everything.cells()],
    ]


def the_run() -> list[str]:
    """The run alone, in a process that has loaded the model."""
    model = cutset.load(_ROBOT)

    def once() -> tuple[float, float]:
        began, used = perf_counter(), process_time()
        model.simulate(_STOP, rtol=_TOLERANCE, atol=_TOLERANCE)
        return perf_counter() - began, process_time() - used

    once()
    seconds, processor = (median(values) for values in zip(*(once() for _ in range(_REPETITIONS)), strict=True))
    return ["the run alone", f"{seconds:.2f} s", f"{processor:.2f} s", "-"]


def mechanics(rounds: int) -> Sheet:
    """The arm, compared with Rumoca. AssertionError if the two end in different positions."""
    program, stages = translate(_ARM, "R3arm", rounds)
    compiling = compile_seconds(emit(program, "c"), rounds)
    model = cutset.load(_ARM)
    begun = model.simulate(1e-9, points=2)
    last = {}

    def run() -> None:
        result = model.simulate(_FALL, points=_POINTS, rtol=_TOLERANCE, atol=_TOLERANCE)
        last.update({name: result[name][-1] for name in model.states})

    rows = [["cutset", f"{sum(stages.values()):.2f} s", f"{compiling:.2f} s", _short(least(run, _REPETITIONS))]]
    if rumoca_peer:
        starts = {name: float(begun[name][0]) for name in model.states}
        modelica = rumoca_peer.Modelica(_ARM, "R3arm", model.parameters, starts)
        peer = rumoca_peer.RumocaRun(modelica, _FALL, _POINTS, _TOLERANCE, _TOLERANCE)
        row = [
            "Rumoca, from Cutset's scalar equations",
            f"{least(peer.translate, rounds):.2f} s",
            "-",
            _short(least(peer.run, rounds)),
        ]
        worst = max(abs(peer.last[name] - last[name]) for name in model.states)
        assert worst < 1e-2, f"Rumoca ends elsewhere, by {worst:.1e}"
        rows.append(row)
    note = "Seconds of the processor, the least of several." + (
        "" if rumoca_peer else " Rumoca is not installed: pip install rumoca."
    )
    columns = ["models/r3_arm.mo, 2 s of motion", "translation", "C compiler", "the run, 501 output times"]
    return Sheet("The mechanics alone", columns, rows, note)


def least(work: Callable[[], object], rounds: int) -> float:
    """The smallest CPU time of this process in s."""
    seconds = []
    for _ in range(rounds):
        before = process_time()
        work()
        seconds.append(process_time() - before)
    return min(seconds)


def _short(seconds: float) -> str:
    return f"{seconds * 1e3:.1f} ms"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3, help="processes for each row (default: 3)")
    return report(
        parser, lambda options, compiler: (sheets(options.rounds), [f"load of the machine: {os.getloadavg()[0]:.1f}"])
    )


def sheets(rounds: int) -> list[Sheet]:
    columns = ["models/r3/r3.mo", "wall time", "CPU time", "memory"]
    return [Sheet("The whole robot", columns, [*whole(rounds), the_run()]), mechanics(rounds)]


if __name__ == "__main__":
    sys.exit(main())
