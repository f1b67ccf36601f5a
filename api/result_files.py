"""Writes results to files: the kinds of files, and the messages where writing fails. Light to import."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cutset.exit_errors import CommandFailed, UsageError

if TYPE_CHECKING:
    from cutset.runtime.linearize import Linearization
    from cutset.runtime.plot import Trajectories
    from cutset.runtime.result import Result

# A kind of table is a method of Result, and joins the commands by standing here.
TABLES = {".csv": "to_csv", ".npz": "to_npz", ".mat": "to_mat", ".parquet": "to_parquet"}
# The same for a linear model.
MATRICES = {".npz": "to_npz", ".mat": "to_mat"}
PICTURES = (".png", ".svg", ".pdf")
ANIMATIONS = (".html", ".glb")


def check_table(path: Path) -> None:
    """UsageError unless `path` can become a table, as far as that can be told beforehand."""
    _check(path, tuple(TABLES), " table")
    if path.suffix.lower() == ".parquet":
        from cutset.runtime.parquet import need_pyarrow

        need_pyarrow()


def check_sweep(path: Path) -> None:
    """UsageError unless `path` can become the table of a sweep."""
    _check(path, (".csv",), " table")


def check_matrices(path: Path) -> None:
    """UsageError unless `path` can become the matrices of a linear model."""
    _check(path, tuple(MATRICES), " linear model")


def check_picture(path: Path) -> None:
    """UsageError unless `path` can become a picture, as far as that can be told beforehand."""
    _check(path, PICTURES, " picture")


def check_animation(path: Path) -> None:
    """UsageError unless `path` can become an animation, as far as that can be told beforehand."""
    _check(path, ANIMATIONS, "n animation")


def write_animation(result: Trajectories, path: Path) -> None:
    """Write the motion as a page or as glTF, and say so."""
    from cutset.runtime.animation.animate import animate

    writing(path, lambda: animate(result, path))


def write_table(result: Result, path: Path, outputs: Sequence[str] | None) -> None:
    """Write the names that match one of `outputs`, all where None, and say so."""
    write: Callable[[Path, Sequence[str] | None], None] = getattr(result, TABLES[path.suffix.lower()])
    writing(path, lambda: write(path, outputs))


def write_matrices(found: Linearization, path: Path, says: bool) -> None:
    """Write a linear model, and say so."""
    write: Callable[[Path], None] = getattr(found, MATRICES[path.suffix.lower()])
    writing(path, lambda: write(path), says)


def write_picture(runs: Mapping[str, Trajectories], patterns: Sequence[str], path: Path) -> None:
    """Draw the names that match one of the patterns in one of the runs over time, and say so."""
    from cutset.runtime.plot import figure

    drawn = figure(runs, select_in(runs.values(), patterns))
    writing(path, lambda: drawn.savefig(path, dpi=150))


def select_in(runs: Collection[Trajectories], patterns: Sequence[str]) -> list[str]:
    """What the patterns match in any of the runs, in their order. UnknownName for a pattern that matches in none."""
    from cutset.runtime.errors import UnknownName

    chosen: dict[str, None] = {}
    for pattern in patterns:
        unknown: list[UnknownName] = []
        for run in runs:
            try:
                chosen |= dict.fromkeys(run.select([pattern]))
            except UnknownName as error:
                unknown.append(error)
        if len(unknown) == len(runs):
            raise unknown[0]
    return list(chosen)


def split_names(text: str) -> list[str]:
    """``a,T(1,2),b`` -> a, T(1,2), b: commas separate, but those of an index do not."""
    return [name.strip() for name in re.split(r",(?![^(]*\))", text) if name.strip()]


def listed(words: Iterable[str]) -> str:
    """a, b or c."""
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def _check(path: Path, suffixes: Sequence[str], what: str) -> None:
    if path.suffix.lower() not in suffixes:
        such = f", as '{path.with_suffix(suffixes[0])}' does" if path.name else ""
        raise UsageError(f"cannot write a{what} to '{path}': its name must end in {listed(suffixes)}{such}")
    if not path.parent.is_dir():
        raise UsageError(f"cannot write '{path}': there is no folder '{path.parent}'")


def writing(path: Path, write: Callable[[], object], says: bool = True) -> None:
    """Write a file, and say so. CommandFailed where that cannot be."""
    try:
        write()
    except OSError as error:
        raise CommandFailed(f"cannot write {path}: {error.strerror or error}") from error
    if says:
        print(f"wrote {path}")
