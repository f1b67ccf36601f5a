"""Files of classes that were found right, kept on disk, so that they are not checked again while nothing changes.

A verdict rests on the text of the file, on those of all files that it includes, on the places where an included file
was looked for before it was found elsewhere, and on the compiler. Only good verdicts are kept: mistakes are to be told with
their places, and are worked on anyway. Loads nothing of the compiler, which takes longer than to read all texts.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from cutset import compiler
from cutset.compiler.syntax.read import Unreadable, read_text
from cutset.runtime.cache import private_folder, trim


class Verdicts:
    """Those of one user. `folder` is the cache, None where there is none; `library_path` are the folders for
    includes, absolute."""

    def __init__(self, folder: Path | None, library_path: Sequence[str]):
        self._folder = folder
        self._states: dict[Path, list[str] | None] = {}  # many files include the same
        self._version = f"{_version()}\n{list(library_path)}" if folder else ""

    def get(self, path: Path) -> str | None:
        """What the file declares, in words, where it was right and nothing has changed since; else None."""
        if self._folder is None:
            return None
        try:
            kept = self._path(path)
            found = json.loads(kept.read_text(encoding="utf-8"))
            holds = all(self._state(Path(name)) == state for name, state in found["rests on"].items())
            os.utime(kept)  # the oldest go first when the cache is emptied
            return str(found["declared"]) if holds else None
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None  # not there, or damaged

    def put(self, right: Mapping[Path, tuple[str, Iterable[Path]]]) -> None:
        """Keeps that these files are right: what each declares, and every file that was read for it, and every place where none was
        found."""
        if self._folder is None or not right:
            return
        for path, (declared, looked_at) in right.items():
            rests_on = {name: self._state(Path(name)) for name in map(os.path.abspath, looked_at)}
            try:
                with tempfile.NamedTemporaryFile(
                    "w", encoding="utf-8", dir=self._folder, prefix="new-", delete=False
                ) as file:
                    json.dump({"declared": declared, "rests on": rests_on}, file)
                os.replace(file.name, self._path(path))
            except (OSError, ValueError):
                continue
        trim(self._folder)

    def _path(self, path: Path) -> Path:
        assert self._folder is not None
        key = sha256(f"{self._version}\n{os.path.abspath(path)}".encode("utf-8", "surrogatepass")).hexdigest()
        return self._folder / f"{key[:32]}.right"

    def _state(self, path: Path) -> list[str] | None:
        if path not in self._states:
            self._states[path] = _state(path)
        return self._states[path]


def verdicts(library_path: Iterable[Path]) -> Verdicts:
    """The verdicts of a user who includes files from these folders."""
    return Verdicts(private_folder(), [os.path.abspath(folder) for folder in library_path])


def _state(path: Path) -> list[str] | None:
    """Where a file really lies, and its text; None where there is none."""
    try:
        text = read_text(path)
    except (FileNotFoundError, Unreadable):
        return None
    return [str(path.resolve()), sha256(text.encode("utf-8", "surrogatepass")).hexdigest()]


def _version() -> str:
    """What a verdict depends on beside the texts: Python, and the files of the compiler as they are."""
    stamps: list[tuple[str, int, int]] = []
    folders = [next(iter(compiler.__path__))]
    for folder in folders:
        for entry in os.scandir(folder):
            if entry.is_dir():
                folders.append(entry.path)
            elif entry.name.endswith((".py", ".lark")):
                state = entry.stat()
                stamps.append((entry.path, state.st_size, state.st_mtime_ns))
    return f"{sys.version} {sorted(stamps)}"
