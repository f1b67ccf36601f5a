"""Reads the files of runtime/c. A file needs those that it includes; no other list of them exists."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from pathlib import Path

_INCLUDED = re.compile(r'^#include "([\w.]+)"', re.MULTILINE)


@functools.cache
def c_files() -> Mapping[str, str]:
    """The texts of all files by name, whatever folder they are in: no two have the same."""
    folder = Path(__file__).parent.parent / "c"
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.[ch]"))}


def included(*texts: str) -> dict[str, str]:
    """The files that these texts include, and those that these include in turn."""
    every, found, left = c_files(), dict[str, str](), list(texts)
    while left:
        for name in _named(left.pop()):
            if name in every and name not in found:
                found[name] = every[name]
                left.append(every[name])
    return found


@functools.lru_cache
def _named(text: str) -> list[str]:
    return _INCLUDED.findall(text)
