"""Loads objects of models/: the tests of one object share its translation in the disk cache, whose key has its name."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import cutset

MODELS = Path(__file__).parents[1] / "models"
LIBRARIES = ("mbssim", "mbs", "mbsmat", "mbsabs")


def objects_of(file: str) -> list[str]:
    """The names of the objects that a file declares."""
    text = (MODELS / file).read_text(encoding="utf-8")
    return re.findall(r"^\s*model (?:\([^)]*\) )?(?!class\b)(\w+)", text, re.MULTILINE)


def shipped(file: str, name: str | None = None, library: str | None = None, **options: Any) -> cutset.Model:
    """An object of the file, or its last one, with another multibody library if one is given."""
    lines = (MODELS / file).read_text(encoding="utf-8").splitlines()
    own = next((each for each in LIBRARIES if f"@{each}" in lines), None)
    instead = {} if library in (None, own) else {own: library}
    return cutset.load(MODELS / file, None if name == objects_of(file)[-1] else name, instead=instead, **options)
