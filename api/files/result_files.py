"""Writes results to files and reports failures to write. Light to import."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cutset.api.files.exit_errors import CommandFailed, UsageError
from cutset.runtime.whole_files import written_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from cutset.runtime.analysis.linearize import Linearization
    from cutset.runtime.results.result import Result
    from cutset.runtime.results.trajectories import Trajectories

# File extensions of tables, with the method of Result that writes them. A new format needs only a line here.
TABLES = {".csv": "to_csv", ".npz": "to_npz", ".mat": "to_mat", ".parquet": "to_parquet"}
# The same for sweeps, and for linear models.
SWEEPS = {".csv": "to_csv", ".parquet": "to_parquet"}
MATRICES = {".npz": "to_npz", ".mat": "to_mat"}
PICTURES = (".png", ".svg", ".pdf")
ANIMATIONS = (".html", ".glb")


def check_table(path: Path) -> None:
    """UsageError if the extension of `path` is not that of a table, or its folder does not exist. RunError E647 for a
    Parquet file without pyarrow."""
    _check(path, tuple(TABLES), " table")
    _need_package(path)


def _need_package(path: Path) -> None:
    if path.suffix.lower() == ".parquet":
        from cutset.runtime.results.parquet import need_pyarrow

        need_pyarrow()


def check_sweep(path: Path) -> None:
    """UsageError if the extension of `path` is not that of a sweep's table. RunError E647 for a Parquet file without
    pyarrow."""
    _check(path, tuple(SWEEPS), " table")
    _need_package(path)


def check_matrices(path: Path) -> None:
    """UsageError if the extension of `path` is not that of a file of matrices."""
    _check(path, tuple(MATRICES), " linear model")


def check_picture(path: Path) -> None:
    """UsageError if the extension of `path` is not that of an image."""
    _check(path, PICTURES, " picture")


def check_diagram(path: Path) -> None:
    """UsageError if the extension of `path` is not that of a diagram."""
    _check(path, (".svg",), " diagram")


def check_animation(path: Path) -> None:
    """UsageError if the extension of `path` is not that of an animation."""
    _check(path, ANIMATIONS, "n animation")


def write_animation(result: Trajectories, path: Path) -> list[str]:
    """Write the motion as a web page or as glTF, and report it; notes on meshes that are not drawn."""
    from cutset.runtime.animation.animate import animate

    notes: list[str] = []
    writing(path, lambda: notes.extend(animate(result, path)))
    return notes


def write_table(result: Result, path: Path, outputs: Sequence[str] | None) -> None:
    """Write the names that match one of `outputs` (all if None), and report it."""
    write: Callable[[Path, Sequence[str] | None], None] = getattr(result, TABLES[path.suffix.lower()])
    writing(path, lambda: write(path, outputs))


def write_matrices(found: Linearization, path: Path, says: bool) -> None:
    """Write a linear model, and report it."""
    write: Callable[[Path], None] = getattr(found, MATRICES[path.suffix.lower()])
    writing(path, lambda: write(path), says)


def write_bode(found: Linearization, path: Path, says: bool) -> None:
    """Draw the frequency response of a linear model, and report it. RunError E605 without inputs or outputs."""
    drawn = found.bode()
    writing(path, lambda: _draw(drawn, path), says)


def write_picture(runs: Mapping[str, Trajectories], patterns: Sequence[str], over: Sequence[str], path: Path) -> None:
    """Plot the names that match one of the patterns in one of the runs, over the variables `over` or else over time,
    and report it."""
    from cutset.runtime.results.plot import figure

    drawn = figure(runs, select_in(runs.values(), patterns), select_in(runs.values(), over))
    writing(path, lambda: _draw(drawn, path))


def _draw(drawn: Figure, path: Path) -> None:
    with written_whole(path) as place:
        drawn.savefig(place, dpi=150)


def select_in(runs: Collection[Trajectories], patterns: Sequence[str]) -> list[str]:
    """The names that match the patterns in any of the runs, in their order. UnknownName for a pattern without a
    match."""
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
    """``a,T(1,2),b`` -> a, T(1,2), b: commas separate names, except inside an index, which a pattern may leave open."""
    return [name.strip() for name in re.findall(r"(?:[^,(]|\([^)]*\)?)+", text) if name.strip()]


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
    """Write a file, and report it. CommandFailed if that fails."""
    try:
        write()
    except OSError as error:
        raise CommandFailed(f"cannot write {path}: {error.strerror or error}") from error
    if says:
        print(f"wrote {path}")
