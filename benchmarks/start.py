"""Measures what a process, a run and an evaluation cost before the model costs anything.

    python benchmarks/start.py [--markdown FILE] [--rounds N]

A process simulates models/rc.mo, with nothing cached and from the disk cache; Python with numpy alone is the least that
it can take. The whole robot goes from text to result. The calls are those of a script with a loaded model. Times are
CPU time, of processes with their children. Rumoca, if installed (pip install rumoca), charges a capacitor too.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np
from robot import cost
from sheets import Sheet, report

import cutset

_MODELS = Path(__file__).parents[1] / "models"
_NUMPY = "Python with numpy"
_COMMAND = "import sys; from cutset.api.command_line.command import main; sys.exit(main())"
_RUMOCA = """
import rumoca
rumoca.Session().loads('''model M
  Real x(start=0, fixed=true);
equation
  der(x) = (10 - x)/0.1;
end M;
''', model="M").simulate((0.0, 1.0), dt=0.002)
"""


def processes(rounds: int) -> Sheet:
    """Processes, which take turns: the median of the rounds."""
    with TemporaryDirectory() as folder:
        environment = {name: v for name, v in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = f"{folder}/bytecode"

        def used(code: str, cache: str, *arguments: str) -> float:
            own = environment | {"XDG_CACHE_HOME": f"{folder}/{cache}"}
            return cost([sys.executable, "-c", code, *arguments], own).processor

        rc, robot = ("simulate", str(_MODELS / "rc.mo")), ("simulate", str(_MODELS / "r3" / "r3.mo"), "--stop", "1.856")
        kinds = [
            (_NUMPY, False, ("import numpy",)),
            ("rc.mo, from the cache", False, (_COMMAND, *rc)),
            ("rc.mo, nothing cached", True, (_COMMAND, *rc)),
            ("the whole robot, from the cache", False, (_COMMAND, *robot)),
            ("the whole robot, nothing cached", True, (_COMMAND, *robot)),
        ]
        if find_spec("rumoca"):
            kinds.append(("Rumoca, the equations of rc.mo", False, (_RUMOCA,)))
        for _, _, words in kinds:
            used(words[0], "kept", *words[1:])
        found: dict[str, list[float]] = {title: [] for title, _, _ in kinds}
        for k in range(rounds):
            for title, fresh, words in kinds:
                found[title].append(used(words[0], f"fresh{title}{k}" if fresh else "kept", *words[1:]))
    numbers = {title: median(each) for title, each in found.items()}
    rows = [[title, f"{number:.2f} s", f"{number / numbers[_NUMPY]:.1f}"] for title, number in numbers.items()]
    return Sheet("Processes", ("process", "CPU time", "/ Python with numpy"), rows)


def calls() -> Sheet:
    """Calls in a process that has loaded the models, the best of several series."""
    model = cutset.load(_MODELS / "r3_arm.mo")
    x = np.zeros((1000, len(model.states)))
    one, circuit = x[0], cutset.load(_MODELS / "rc.mo")
    rows = [
        ["simulate, a run of 1 us", _least(lambda: model.simulate(1e-6, points=2), 100)],
        ["evaluate, one point", _least(lambda: model.evaluate(0.0, one), 1000)],
        ["evaluate, 1000 points, each", _least(lambda: model.evaluate(0.0, x), 10, 1000)],
        ["evaluate, one point of rc.mo, with a relation", _least(lambda: circuit.evaluate(0.0, [0.0]), 1000)],
    ]
    return Sheet("Calls", ("call", "CPU time"), rows)


def _least(call: Callable[[], object], repetitions: int, parts: int = 1) -> str:
    call()
    found = []
    for _ in range(9):
        began = process_time()
        for _ in range(repetitions):
            call()
        found.append(process_time() - began)
    return f"{1e6 * min(found) / repetitions / parts:.2f} us"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="processes for each row (default: 5)")
    return report(
        parser,
        lambda options, compiler: (
            [processes(options.rounds), calls()],
            [f"load of the machine: {os.getloadavg()[0]:.1f}"],
        ),
    )


if __name__ == "__main__":
    sys.exit(main())
