"""Writes results to files and reports failures to write. Light to import."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from cutset.api.files.exit_errors import CommandFailed, UsageError
from cutset.runtime.whole_files import written_whole

if TYPE_CHECKING:
    from cutset.runtime.analysis.linearize import Linearization
    from cutset.runtime.results.result import Result
    from cutset.runtime.results.trajectories import Trajectories

# File extensions of tables, with the method of Result that writes them. A new format needs only a line here.
TABLES = {".csv": "to_csv", ".npz": "to_npz", ".mat": "to_mat", ".parquet": "to_parquet"}
# The same for sweeps, and for linear models.
SWEEPS = {".csv": "to_csv", ".parquet": "to_parquet"}
MATRICES = {".npz": "to_npz", ".mat": "to_mat"}
_EXTENSIONS: Mapping[str, Collection[str]] = {
    "table": TABLES, "linear model": MATRICES, "picture": (".png", ".svg", ".pdf"), "diagram": (".svg", ".pdf"),
    "animation": (".html", ".glb"),
}  # fmt: skip


def check_writable(path: Path | None, what: str, extensions: Collection[str] = ()) -> None:
    """UsageError if the extension of `path` is none of a 'table', 'picture', 'diagram', 'animation' or 'linear model',
    or its folder does not exist. RunError E647 for a Parquet file without pyarrow. Without a path nothing is wrong."""
    if path is None:
        return
    allowed = tuple(extensions or _EXTENSIONS[what])
    if path.suffix.lower() not in allowed:
        such = f", as '{path.with_suffix(allowed[0])}' does" if path.name else ""
        article = "an" if what[0] in "aeiou" else "a"
        raise UsageError(f"cannot write {article} {what} to '{path}': its name must end in {listed(allowed)}{such}")
    if not path.parent.is_dir():
        raise UsageError(f"cannot write '{path}': there is no folder '{path.parent}'")
    if path.suffix.lower() == ".parquet":
        from cutset.runtime.results.parquet import need_pyarrow

        need_pyarrow()


def write_animation(result: Trajectories, path: Path) -> list[str]:
    """Write the motion as a web page or as glTF, and report it; notes on meshes that are not drawn."""
    from cutset.runtime.animation.animate import animate

    with writing(path):
        return list(animate(result, path))


def write_table(result: Result, path: Path, outputs: Sequence[str] | None, **options: bool) -> None:
    """Write the names that match one of `outputs` (all if None), and report it; `options` are those of the method."""
    write: Callable[..., None] = getattr(result, TABLES[path.suffix.lower()])
    with writing(path):
        write(path, outputs, **options)


def write_matrices(found: Linearization, path: Path, says: bool) -> None:
    """Write a linear model, and report it."""
    write: Callable[[Path], None] = getattr(found, MATRICES[path.suffix.lower()])
    with writing(path, says):
        write(path)


def write_bode(found: Linearization, path: Path, says: bool) -> None:
    """Draw the frequency response of a linear model, and report it. RunError E605 without inputs or outputs."""
    drawn = found.bode()
    with writing(path, says), written_whole(path) as place:
        drawn.savefig(place, dpi=150)


def write_picture(runs: Mapping[str, Trajectories], patterns: Sequence[str], over: Sequence[str], path: Path) -> None:
    """Plot the names that match one of the patterns in one of the runs, over the variables `over` or else over time,
    and report it."""
    from cutset.runtime.results.plot import figure

    drawn = figure(runs, select_in(runs.values(), patterns), select_in(runs.values(), over))
    with writing(path), written_whole(path) as place:
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
    """``a,T(1,2),b`` -> a, T(1,2), b: commas separate names, except in quotes or inside an
    index, which a pattern may leave open."""
    return [name.strip() for name in re.findall(r"(?:'[^']*'|[^,(]|\([^)]*\)?)+", text) if name.strip()]


def file_of(name: str, ending: str) -> Path:
    """The file for what is made of a model, if none is given: its name without what only quotes allow."""
    return Path(re.sub(r"\W", "_", name.strip("'")) + ending)


def listed(words: Iterable[str]) -> str:
    """a, b or c."""
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


@contextmanager
def writing(path: Path, says: bool = True, to: str = "") -> Iterator[None]:
    """Within it a file is written, or files `to` a folder; reports a file at the end. CommandFailed for an OSError."""
    try:
        yield
    except OSError as error:
        raise CommandFailed(f"cannot write {to}{path}: {error.strerror or error}") from error
    if says:
        print(f"wrote {path}")
