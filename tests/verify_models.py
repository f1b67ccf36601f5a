"""Verifies every object of models/, and with --thorough of tests/cases (`cutset.verify`), several at a time.

Prints a line for each, with the largest violation of a law and the largest differences at points and in runs, in parts
of what is allowed, and the multibody libraries that agree with the one of the model.

    python tests/verify_models.py [--jobs 2] [--points 3] [--stop 1] [--thorough] [PART]

PART selects the files whose names contain it. Exits with 1 if the ways to compute a model differ.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from cases.cases import CASES

from cutset.api.translate.translation import options_of
from cutset.api.verify.comparison import Difference
from cutset.api.verify.subject import LIBRARIES
from cutset.api.verify.verification import Compared, verify
from cutset.compiler.diagnostics import ModelError
from cutset.compiler.pipeline import read_library
from cutset.runtime.errors import RunError

ROOT = Path(__file__).parent.parent
MODELS, PUBLISHED = ROOT / "models", ROOT / "tests" / "cases" / "models"


class Object(NamedTuple):
    """An object of a file, the length of the texts that it is translated from, and the stop time of its published run,
    in s; None if there is none."""

    path: Path
    name: str
    size: int
    stop: float | None


def objects(part: str = "", *folders: Path) -> Iterator[Object]:
    """All objects of models/, or of these folders, in files whose names contain the part."""
    options = options_of(())
    stops = {(case.path, case.model): min(1.0, case.stop) for case in CASES}
    for path in sorted(path for folder in folders or (MODELS,) for path in folder.rglob("*.mo")):
        if part in path.relative_to(ROOT).as_posix():
            library = read_library(path, options)
            size = sum(len(source.text) for source in library.names if not source.shown)
            for name in (declared.name for declared in library.objects):
                yield Object(path, name, size, stops.get((path, name)))


def verified(which: Object, points: int, stop: float | None, thorough: bool = False) -> tuple[bool, str]:
    """True if all ways agree, and what to print."""
    began, stop = time.monotonic(), which.stop if stop is None else stop
    try:
        found = verify(which.path, which.name, points=points, stop=stop, thorough=thorough)
    except (ModelError, RunError) as error:
        return False, f"{_label(which)} {error}"
    others = [row.way for row in found.rows if row.way in LIBRARIES and row.passed and not row.is_refused]
    largest = (max((each.size for each in kind if each), default=0.0) for kind in _kinds(found.rows))
    numbers = " ".join(f"{size:8.1e}" for size in largest)
    line = f"{_label(which)} {numbers} {time.monotonic() - began:5.1f} s  {', '.join(others)}"
    rest = [f"\n    refused: {row.way}: {row.problem}" for row in found.rows if row.is_refused]
    rest += [f"\n    WRONG: {row.way}: {wrong}" for row in found.rows for wrong in (*row.wrong, *_failed(row))]
    rest += [f"\n           {edit}" for row in found.rows for edit in row.edits]
    return found.passed, line + "".join(rest)


def _label(which: Object) -> str:
    return f"{which.path.relative_to(ROOT).as_posix()} {which.name}".ljust(52)


def _kinds(rows: tuple[Compared, ...]) -> Iterator[list[Difference | None]]:
    yield [row.laws for row in rows]
    yield [row.at_points for row in rows]
    yield [row.in_runs for row in rows]


def _failed(row: Compared) -> list[str]:
    return [row.problem] if row.problem and not row.is_refused else []


def main() -> int:
    """Print a line for each object; 1 if one is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", nargs="?", default="")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--points", type=int, default=3)
    parser.add_argument("--stop", type=float)
    parser.add_argument("--thorough", action="store_true")
    arguments = parser.parse_args()
    began = time.monotonic()
    # Each model runs for a short time only: to optimize it would take longer. Without tcc, a compiler that is told so.
    quick = next((command for command in ("tcc", "cc -O0") if shutil.which(command.split()[0])), None)
    if quick:
        os.environ.setdefault("CC", quick)
    folders = (MODELS, PUBLISHED) if arguments.thorough else (MODELS,)
    # The longest first, so that both processes end at about the same time.
    chosen = sorted(objects(arguments.part, *folders), key=lambda which: -which.size)
    print(" " * 52, "    laws   points     runs    time  libraries", flush=True)
    with ProcessPoolExecutor(arguments.jobs) as pool:
        running = [
            pool.submit(verified, which, arguments.points, arguments.stop, arguments.thorough) for which in chosen
        ]
        passed = True
        for future in running:
            is_right, text = future.result()
            passed = passed and is_right
            print(text, flush=True)
    print(f"{len(chosen)} models in {time.monotonic() - began:.0f} s: " + ("all ways agree" if passed else "WRONG"))
    return int(not passed)


if __name__ == "__main__":
    sys.exit(main())
