"""Exports models as programs that run without Python. Translates nothing itself."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from cutset.retranslation import Change
from cutset.runtime.errors import RunError, unknown_name
from cutset.runtime.selection import matching

if TYPE_CHECKING:
    from cutset.export.c_folder import Program


class _Model(Protocol):
    """What is used of a `Model`."""

    @property
    def translated(self) -> Any: ...

    @property
    def folded(self) -> dict[str, float]: ...

    def retranslated(self, change: Change) -> Any: ...


def export_c(model: _Model, folder: str | os.PathLike[str], changeable: Iterable[str] = ()) -> tuple[Path, ...]:
    """Write the model as a program in C: its files in `folder`, which is made. `changeable` are patterns of parameters
    whose values are part of the code but shall remain parameters of the program; those of the model itself always do.

    RunError E655 for a model that needs Python, E602 for a pattern without a match; OSError if files cannot be
    written.
    """
    from cutset.export.c_folder import c_files

    files = c_files(program_of(model, changeable))
    Path(folder).mkdir(parents=True, exist_ok=True)
    paths = tuple(Path(folder) / name for name in files)
    for path, text in zip(paths, files.values(), strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return paths


def program_of(model: _Model, changeable: Iterable[str]) -> Program:
    """The program of the model, with its first point."""
    from cutset.export.c_folder import Program, c_name
    from cutset.export.first_point import first_point
    from cutset.export.refused import require_independence
    from cutset.runtime.foreign_library import foreign_files

    require_independence(model.translated.info)
    alone = model.retranslated(Change(_to_keep(model, changeable), alone=True))
    info = alone.translated.info
    files = alone.translated.files("c")
    first, own = first_point(alone.build()), foreign_files(files)
    return Program(info, files["model.c"], alone.description, first, c_name(info.name), own)


def _to_keep(model: _Model, changeable: Iterable[str]) -> frozenset[str]:
    """The folded parameters that shall remain parameters."""
    folded, known = model.folded, [*model.translated.info.parameters, *model.folded]
    kept = {name for name in folded if "." not in name}
    for pattern in changeable:
        found = matching(pattern, known)
        if not found:
            raise RunError("E602", *unknown_name("parameter", pattern, known))
        kept.update(found)
    return frozenset(kept & set(folded))
