"""Defines the settings of a translation that a user gives, checks them and makes its options."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypedDict

from cutset.api.translate.given_values import spread
from cutset.api.translate.parameter_values import Setting, number_or_text
from cutset.compiler.codegen.passes import LatePasses
from cutset.compiler.options import Options, pairs


class LoadSettings(TypedDict, total=False):
    """The settings of `cutset.load` and `cutset.loads`.

    library_path    folders that are searched for included files
    allow_external  the model may call the Python functions that it names; set it only for trusted models
    without         optimizations to skip ("reciprocals", "sincos", "loops", "factors"); results then differ only by
                    rounding
    parameters      numbers, texts or arrays that replace the model's values before translation, so that a model can be
                    loaded that is invalid with its default values
    instead         libraries that the model includes, each with one to use instead: ``{"mbssim": "mbs"}``
    solved          False: no equation is solved; large networks translate faster, and only the method bdf runs them
    """

    library_path: Iterable[str | os.PathLike[str]] | None
    allow_external: bool | None
    without: Iterable[str] | None
    parameters: Mapping[str, Setting] | None
    instead: Mapping[str, str] | None
    solved: bool | None


def translation_options(settings: LoadSettings) -> Options:
    """The options for these settings. TypeError for a value of another type, ValueError for an
    unknown optimization."""
    library_path, instead = settings.get("library_path") or (), settings.get("instead") or {}
    if isinstance(library_path, str | os.PathLike) or not isinstance(library_path, Iterable):
        raise TypeError(f"library_path must be a list of folders, not {library_path!r}")
    if not isinstance(instead, Mapping):
        raise TypeError(f"instead must be a dictionary of names of libraries, not {instead!r}")
    given = spread(settings.get("parameters") or {})
    values = {element: number_or_text(f"the parameter '{element}'", value) for element, value in given.items()}
    return Options(
        unfold=frozenset(values),
        library_path=tuple(Path(folder) for folder in library_path),
        structural=pairs(values),
        allow_external=bool(settings.get("allow_external")),
        passes=LatePasses().without(settings.get("without") or ()),
        instead=pairs(instead),
        solved=settings.get("solved") is not False,
    )
