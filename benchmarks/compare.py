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
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from robot import cost
from sheets import Sheet, processor

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "speed.md"
MEASURED = Path(__file__).with_name("measured.py")
END = "\n<!-- end of history -->"
_COMMAND = "import sys; from cutset.api.command_line.command import main; sys.exit(main())"
_PROCESSES = {
    "rc.mo, cached": ("kept", "models/rc.mo"),
    "rc.mo, new": ("fresh", "models/rc.mo"),
    "robot, new": ("fresh", "models/r3/r3.mo"),
}


def times_of(tree: Path, folder: Path) -> dict[str, float]:
    """All times of the commit that is checked out in a folder, with caches in another."""
    (folder / "fresh").mkdir(exist_ok=True)
    own = {"PYTHONPATH": str(tree / "src"), "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}
    environment = {**os.environ, **own, "XDG_CACHE_HOME": str(folder / "kept")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    words = [sys.executable, str(MEASURED)]
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
    options = parser.parse_args()
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
