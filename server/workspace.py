"""Reads and writes workspaces: a JSON file beside the model with its plots, parameter sets and settings.

A workspace can come from anyone with the model, so only its form and size are trusted here; the page checks the rest.
"""

from __future__ import annotations

import json
from typing import Any

from cutset.server.folder import Folder, Refused, write_at_once

MOST_BYTES = 1_000_000
SUFFIX = ".workspace.json"


def path_of(model: str) -> str:
    """The relative path of the workspace of a model file: `rc.workspace.json` for `rc.mo`."""
    return model.rpartition(".")[0] + SUFFIX


def read_workspace(folder: Folder, model: str) -> dict[str, Any] | None:
    """The workspace of a model file; None if there is none, or one that cannot be read. Refused for a file outside the
    folder."""
    folder.place(model)
    place = folder.place(path_of(model))
    try:
        if place.stat().st_size > MOST_BYTES:
            return None
        found = json.loads(place.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def write_workspace(folder: Folder, model: str, content: object) -> None:
    """Write the workspace of an existing model file. Refused if it is not an object, too large, or cannot be
    written."""
    if not isinstance(content, dict):
        raise Refused("a workspace must be an object")
    if not folder.place(model).is_file():
        raise Refused(f"there is no model file '{model}'")
    text = json.dumps(content, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    if len(text.encode()) > MOST_BYTES:
        raise Refused(f"the workspace is too large: the limit is {MOST_BYTES} bytes")
    write_at_once(folder.place(path_of(model)), text)
