"""What is kept on disk of earlier work, and what it rests on: the texts of files, the places where none was found, and the compiler.

Something kept counts while all of that is as it was. Loads nothing of the compiler, which takes longer than to read all texts.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from cutset import compiler
from cutset.compiler.syntax.read import Unreadable, read_text
from cutset.runtime.cache import trim

# Where a file really lies, and the sum of its text; None where there is none.
State = list[str] | None


class Kept:
    """One kind of things in the cache: JSON objects under keys, in files of one ending. Nothing is kept where `folder` is None."""

    def __init__(self, folder: Path | None, ending: str):
        self._folder = folder
        self._ending = ending
        self._version = compiler_version() if folder else ""
        self._states: dict[str, State] = {}  # many things rest on the same files

    def get(self, key: str) -> dict[str, Any] | None:
        """What is kept under the key, where nothing has changed that it rests on; else None."""
        if self._folder is None:
            return None
        try:
            path = self._path(key)
            found = json.loads(path.read_text(encoding="utf-8"))
            if not all(self._state(name) == state for name, state in found.pop("rests on").items()):
                return None
            os.utime(path)  # the oldest go first when the cache is emptied
            return dict(found)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None  # not there, or damaged

    def put(self, key: str, thing: Mapping[str, Any], rests_on: Mapping[str, State]) -> None:
        """Keeps it; what cannot be written is not kept."""
        if self._folder is None:
            return
        try:
            with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=self._folder, prefix="new-", delete=False) as file:
                json.dump({**thing, "rests on": rests_on}, file)
            os.replace(file.name, self._path(key))
        except (OSError, ValueError):
            return

    def state_now(self, path: Path) -> State:
        """That of a file as it is."""
        return self._state(os.path.abspath(path))

    def trim(self) -> None:
        """Keeps the cache below its limit."""
        if self._folder is not None:
            trim(self._folder)

    def _path(self, key: str) -> Path:
        assert self._folder is not None
        name = sha256(f"{self._version}\n{key}".encode("utf-8", "surrogatepass")).hexdigest()
        return self._folder / f"{name[:32]}.{self._ending}"

    def _state(self, name: str) -> State:
        if name not in self._states:
            try:
                self._states[name] = state_of(Path(name), read_text(Path(name)))
            except (FileNotFoundError, Unreadable):
                self._states[name] = None
        return self._states[name]


def state_of(path: Path, text: str) -> State:
    """That of a file with this text."""
    return [str(path.resolve()), sha256(text.encode("utf-8", "surrogatepass")).hexdigest()]


def compiler_version() -> str:
    """What everything kept depends on beside the texts: Python, and the files of the compiler and of this folder as they are."""
    stamps: list[tuple[str, int, int]] = []
    folders = [next(iter(compiler.__path__)), os.path.dirname(__file__)]
    for folder in folders:
        for entry in os.scandir(folder):
            if entry.is_dir():
                folders.append(entry.path)
            elif entry.name.endswith((".py", ".lark")):
                state = entry.stat()
                stamps.append((entry.path, state.st_size, state.st_mtime_ns))
    return f"{sys.version} {sorted(stamps)}"
