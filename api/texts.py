"""Translates models whose text is in no file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypedDict, Unpack

from cutset.model import Model, loaded
from cutset.parameter_values import Setting
from cutset.translation_options import translation_options

# The name in messages; includes are sought in the current folder.
_PLACE = Path("<text>")


class LoadSettings(TypedDict, total=False):
    """The arguments of `cutset.load` after the name."""

    library_path: Iterable[str | os.PathLike[str]]
    allow_external: bool
    without: Iterable[str]
    parameters: Mapping[str, Setting]
    instead: Mapping[str, str]
    solved: bool


def loads(text: str, name: str | None = None, **settings: Unpack[LoadSettings]) -> Model:
    """Translate the object `name` of the text, or its last object if `name` is None: `load` without a file. Included
    files are sought in the current folder and in `library_path`. Settings and errors as in `load`; TypeError for a text
    that is no string, ModelError for one without a model."""
    if not isinstance(text, str):
        raise TypeError(f"text must be a string, the text of a model, not {text!r}")
    given = settings.get("parameters", {})
    options = translation_options(
        settings.get("library_path", ()),
        settings.get("allow_external", False),
        settings.get("without", ()),
        given,
        settings.get("instead", {}),
        settings.get("solved", True),
    )
    return loaded(_PLACE, name, replace(options, text=text or "\n"), given)
