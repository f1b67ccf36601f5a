"""Compares two commits on this machine: the processor time of processes, translations, runs and evaluations.

    python benchmarks/compare.py [OLD] [NEW] [--rounds N] [--record docs/speed.md]

NEW is the commit that is checked out, and OLD the last one of the page's history, where none are named. Each is checked
out into a folder and a cache of its own, and both take turns; the best round of each counts. --record adds the ratios
as a row to the history.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from rich.console import Console
from sheets import Sheet, processor

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "speed.md"
END = "\n<!-- end of history -->"
_COMMAND = "import sys; from cutset.api.command_line.command import main; sys.exit(main())"
_PROCESSES = {
    "rc.mo, cached": ("kept", "models/rc.mo"),
    "rc.mo, new": ("fresh", "models/rc.mo"),
    "robot, new": ("fresh", "models/r3/r3.mo"),
}


def measured() -> dict[str, float]:
    """The times of calls in this process, whose package is that of one of the commits."""
    import numpy as np

    import cutset

    arm, robot = cutset.load("models/r3_arm.mo"), cutset.load("models/r3/r3.mo")
    clutches = cutset.load("tests/cases/models/shafts.mo", "CoupledClutches")
    x = np.zeros((1000, len(arm.states)))
    return {
        "1000 points": _least(lambda: arm.evaluate(0.0, x), 20),
        "run of 1 us": _least(lambda: arm.simulate(1e-6, points=2), 100),
        "arm, 2 s": _least(lambda: arm.simulate(2.0, method="dopri5"), 20),
        "robot, 1.86 s": _least(lambda: robot.simulate(1.856, points=2), 3),
        "clutches": _least(lambda: clutches.simulate(1.5), 20),
    }


def _least(call: Callable[[], object], repetitions: int) -> float:
    call()
    found = []
    for _ in range(7):
        began = process_time()
        for _ in range(repetitions):
            call()
        found.append((process_time() - began) / repetitions)
    return min(found)


def times_of(tree: Path, folder: Path) -> dict[str, float]:
    """All times of the commit that is checked out in a folder, with caches in another."""
    from robot import cost  # not where an old commit is measured, which lacks what it imports

    (folder / "fresh").mkdir(exist_ok=True)
    own = {"PYTHONPATH": str(tree / "src"), "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}
    environment = {**os.environ, **own, "XDG_CACHE_HOME": str(folder / "kept")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    words = [sys.executable, str(Path(__file__).resolve()), "--measure"]
    done = subprocess.run(words, cwd=tree, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    for what, (cache, model) in _PROCESSES.items():
        command = [sys.executable, "-c", _COMMAND, "simulate", str(tree / model), "--stop", "1"]
        with TemporaryDirectory() as fresh:
            used = environment if cache == "kept" else {**environment, "XDG_CACHE_HOME": fresh}
            found[what] = cost(command, used).processor
    return found


def compared(commits: tuple[str, str], rounds: int) -> tuple[dict[str, float], dict[str, float]]:
    """The best times of both."""
    best: tuple[dict[str, float], dict[str, float]] = {}, {}
    with TemporaryDirectory() as name:
        folder = Path(name)
        try:
            for commit in commits:
                _git("worktree", "add", "--detach", str(folder / commit), commit)
                (folder / f"{commit}.caches").mkdir()
            for _ in range(rounds):
                for commit, found in zip(commits, best, strict=True):
                    for what, time in times_of(folder / commit, folder / f"{commit}.caches").items():
                        found[what] = min(time, found.get(what, time))
        finally:
            for commit in commits:
                _git("worktree", "remove", "--force", str(folder / commit))
    return best


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def with_row(page: str, new: str, old: str, ratios: dict[str, float]) -> str:
    """The page with a further row in its history; the names of the columns are those of the ratios."""
    cells = [new, date.today().isoformat(), processor(), old, *(f"{ratio:.2f}" for ratio in ratios.values())]
    return page.replace(END, f"| {' | '.join(cells)} |\n{END}")


def _last_of(page: str) -> str:
    rows = re.findall(r"^\| ([0-9a-f]{8,}) \|", page.partition(END)[0], re.MULTILINE)
    return rows[-1] if rows else "main"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", nargs="?", default=_last_of(PAGE.read_text(encoding="utf-8")))
    parser.add_argument("new", nargs="?", default="HEAD")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--record", type=Path, metavar="PAGE")
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measured()))
        return 0
    old, new = (_git("rev-parse", "--short=8", commit) for commit in (options.old, options.new))
    if old == new:
        parser.error(f"both commits are {old}: name another one")
    before, after = compared((old, new), options.rounds)
    ratios = {what: after[what] / before[what] for what in after}
    rows = [[what, f"{1e3 * before[what]:.3f}", f"{1e3 * after[what]:.3f}", f"{r:.2f}"] for what, r in ratios.items()]
    note = f"{processor()}, {os.cpu_count()} cores; load {os.getloadavg()[0]:.1f}"
    Console(width=None if sys.stdout.isatty() else 120).print(
        Sheet("CPU time in ms", ("", old, new, "ratio"), rows, note).rich()
    )
    if options.record:
        page = options.record.read_text(encoding="utf-8")
        options.record.write_text(with_row(page, new, old, ratios), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
