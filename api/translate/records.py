"""Keeps earlier results on disk, with what they depend on: files, absent files, and the compiler's version.

A record is valid while all of that is unchanged. Loads nothing of the compiler: that would take longer than reading all
files.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from cutset import compiler, contract
from cutset.compiler.syntax.read import Unreadable, read_text
from cutset.contract.cache import DiskCache

# The real path of a file and the checksum of its text; None if there is no such file.
State = list[str] | None


class Records:
    """One kind of record in the disk cache: JSON objects by key, in files with one extension. Stores nothing if `disk`
    is None."""

    def __init__(self, disk: DiskCache | None, extension: str):
        self._disk = disk
        self._extension = extension
        self._version = compiler_version() if disk else ""
        self._states: dict[str, State] = {}  # many records depend on the same files
        self.texts: dict[Path, str] = {}  # of the files that were looked at

    def get(self, key: str) -> dict[str, Any] | None:
        """The record with this key, if nothing that it depends on has changed; else None."""
        content = self._disk.get(self._name(key)) if self._disk else None
        if content is None:
            return None
        try:
            found = json.loads(content)
            if not all(self._state(name) == state for name, state in found.pop("depends on").items()):
                return None
            return dict(found)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None  # written by another version

    def put(self, key: str, thing: Mapping[str, Any], depends_on: Mapping[str, State]) -> None:
        """Store the record; a failure to write is ignored."""
        if self._disk is not None:
            self._disk.put(self._name(key), json.dumps({**thing, "depends on": depends_on}).encode())

    def state_now(self, path: Path) -> State:
        """The current state of a file."""
        return self._state(os.path.abspath(path))

    def _name(self, key: str) -> str:
        name = sha256(f"{self._version}\n{key}".encode("utf-8", "surrogatepass")).hexdigest()
        return f"{name[:32]}.{self._extension}"

    def _state(self, name: str) -> State:
        if name not in self._states:
            try:
                self._states[name] = self._state_of(Path(name))
            except (OSError, Unreadable):
                self._states[name] = None
        return self._states[name]

    def _state_of(self, path: Path) -> State:
        if path.suffix.lower() in _BINARY:
            return state_of_file(path)
        self.texts[path] = read_text(path)
        return state_of(path, self.texts[path])


_BINARY = (".fmu", ".stl", ".obj", ".msh", ".dae", ".glb", ".png", ".skn", ".bin")


def state_of(path: Path, text: str) -> State:
    """The state of a file with this text."""
    return [str(path.resolve()), sha256(text.encode("utf-8", "surrogatepass")).hexdigest()]


def state_of_file(path: Path) -> State:
    """The state of a file as it is now. OSError, Unreadable."""
    if path.suffix.lower() in _BINARY:
        return [str(path.resolve()), sha256(path.read_bytes()).hexdigest()]
    return state_of(path, read_text(path))


@cache
def compiler_version() -> str:
    """The version on which all records depend: Python, and the compiler, the contract and this folder. Their files are
    not read, which would take as long as a short run: a file that was written or replaced has another time of change,
    even if its own time and its size are those of the one before."""
    parts = [sys.version]
    folders = [next(iter(compiler.__path__)), next(iter(contract.__path__)), os.path.dirname(os.path.dirname(__file__))]
    for folder in folders:
        parts.append(folder)
        for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
            if entry.name == "__pycache__":
                continue  # made by the first run
            if entry.is_dir():
                folders.append(entry.path)
            elif entry.name.endswith((".py", ".lark")):
                state = entry.stat()
                parts.append(f"{entry.name} {state.st_size} {state.st_mtime_ns} {state.st_ctime_ns}")
    return sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
