"""Translates models whose text is in no file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Unpack

from cutset.api.model import Model, loaded, loaded_with
from cutset.api.runs.settings import takes
from cutset.api.translate.translation_options import LoadSettings

# The name in messages; includes are sought in the current folder.
_PLACE = Path("<text>")


@takes(LoadSettings)
def loads(text: str, name: str | None = None, **settings: Unpack[LoadSettings]) -> Model:
    """Translate the object `name` of the text, or its last object if `name` is None: `load` without a file. Included
    files are sought in the current folder and in `library_path`. Settings and errors as in `load`; TypeError for a text
    that is no string, ModelError for one without a model."""
    if not isinstance(text, str):
        raise TypeError(f"text must be a string, the text of a model, not {text!r}")
    return loaded_with(
        settings, lambda options, given: loaded(_PLACE, name, replace(options, text=text or "\n"), given)
    )
