"""Finds the standard libraries that contain a class name, for messages. Reads files, and parses none."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib import resources
from pathlib import Path

_CLASS = re.compile(r"^(?:model|cut)\s+(?:class|type)\s+(?:\([^)]*\)\s*)?(\w+)", re.MULTILINE)


def standard_libraries() -> list[str]:
    """The names of all libraries. Sorted."""
    return sorted(_classes())


def libraries_with(name: str) -> list[str]:
    """What to include with `@`: libraries, not their parts. Sorted."""
    return sorted(library for library, classes in _classes().items() if name in classes)


def enumerated(names: Iterable[str], word: str) -> str:
    """`a, b or c`, where `word` is the last conjunction."""
    *others, last = names
    return f"{', '.join(others)} {word} {last}" if others else last


@cache
def _classes() -> dict[str, set[str]]:
    folder = Path(str(resources.files("cutset.stdlib")))
    found: dict[str, set[str]] = {}
    for path in folder.rglob("*.mo"):
        library = path.relative_to(folder).parts[0].removesuffix(".mo")
        found.setdefault(library, set()).update(_CLASS.findall(path.read_text(encoding="utf-8")))
    return found
