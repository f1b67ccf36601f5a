"""Finds the standard libraries that contain a class name, for messages. Reads files, and parses none."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from cutset.stdlib import FOLDER

_CLASS = re.compile(r"^(?:model|cut)\s+(?:class|type)\s+(?:\([^)]*\)\s*)?(\w+)", re.MULTILINE)
_PART = re.compile(r'^@"(.*?)"', re.MULTILINE)


def standard_libraries() -> list[str]:
    """The names of all libraries. Sorted."""
    return sorted(library for library in _classes() if "/" not in library)


def libraries_with(name: str) -> list[str]:
    """What to include with `@`: libraries, and those of their parts that they do not include. Sorted."""
    return sorted(library for library, classes in _classes().items() if name in classes)


def include_of(library: str) -> str:
    """The line that includes one of these."""
    return f'@"{library}"' if "/" in library else f"@{library}"


def enumerated(names: Iterable[str], word: str) -> str:
    """`a, b or c`, where `word` is the last conjunction."""
    *others, last = names
    return f"{', '.join(others)} {word} {last}" if others else last


def sharing(part: str) -> list[str]:
    """The libraries that include a part, such as multibody/drives. Sorted."""
    return sorted(library for library, text in _texts().items() if part in _PART.findall(text) and "/" not in library)


@cache
def _texts() -> dict[str, str]:
    folder = Path(FOLDER)
    paths = {path.relative_to(folder).with_suffix("").as_posix(): path for path in folder.rglob("*.mo")}
    return {name: path.read_text(encoding="utf-8") for name, path in paths.items()}


@cache
def _classes() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    texts = _texts()
    parts = {file: _PART.findall(text) for file, text in texts.items()}
    included = {part for several in parts.values() for part in several}
    for library in texts.keys() - included:
        for file in (library, *parts[library]):
            found.setdefault(library, set()).update(_CLASS.findall(texts[file]))
    return found
