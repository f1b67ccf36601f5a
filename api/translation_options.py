"""Checks the arguments of a translation and makes its options."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from cutset.compiler.codegen.passes import LatePasses
from cutset.compiler.options import Options
from cutset.given_values import spread
from cutset.parameter_values import Setting
from cutset.runtime.binding import finite_number


def translation_options(
    library_path: Iterable[str | os.PathLike[str]],
    allow_external: bool,
    without: Iterable[str],
    parameters: Mapping[str, Setting],
    instead: Mapping[str, str],
    solved: bool,
) -> Options:
    """The options for these arguments of `cutset.load`. TypeError for an argument of another type, ValueError for an
    unknown optimization."""
    if isinstance(library_path, str | os.PathLike) or not isinstance(library_path, Iterable):
        raise TypeError(f"library_path must be a list of folders, not {library_path!r}")
    if not isinstance(instead, Mapping):
        raise TypeError(f"instead must be a dictionary of names of libraries, not {instead!r}")
    given = spread(parameters)
    values = {element: finite_number(f"the parameter '{element}'", value) for element, value in given.items()}
    return Options(
        unfold=frozenset(values),
        library_path=tuple(Path(folder) for folder in library_path),
        structural=values,
        allow_external=allow_external,
        passes=LatePasses().without(without),
        instead=dict(instead),
        solved=solved,
    )
