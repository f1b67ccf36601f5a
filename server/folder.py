"""Reads and writes the files of the folder that was opened, and no others."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from cutset.compiler.options import pairs
from cutset.compiler.syntax.read import MOST_BYTES, Unreadable, read_text
from cutset.runtime.whole_files import write_whole

# The files that the workbench shows, by their extensions; those that it also writes.
MODELS = (".mo",)
SHOWN = (*MODELS, ".urdf", ".xml", ".csv")
_MOST_FILES = 2000
_DEEPEST = 8


class Refused(Exception):
    """A file cannot be read or written; the message says why."""


class Changed(Refused):
    """The file was changed by another program since it was read."""


@dataclass(frozen=True)
class Folder:
    """The folder; its path is absolute, without symbolic links. Paths of files are relative, with `/`."""

    path: Path

    @staticmethod
    def at(path: Path) -> Folder:
        """The folder at a path."""
        return Folder(path.resolve())

    def place(self, relative: str) -> Path:
        """The absolute path of a file. Refused if it is outside the folder, also through symbolic links."""
        if not relative:
            raise Refused("no file is named: enter the name of a file in the folder")
        if "\0" in relative or "\\" in relative:
            raise Refused("this is not the name of a file")
        parts = relative.split("/")
        if any(part in ("", ".", "..") or part.startswith(".") for part in parts) or os.path.isabs(relative):
            raise Refused(f"'{relative}' is not a file of this folder")
        found = self.path.joinpath(*parts)
        if not found.resolve().is_relative_to(self.path):
            raise Refused(f"'{relative}' is outside the folder that was opened")
        return found

    def files(self) -> list[str]:
        """The files to show, folders in order; hidden ones, links to other folders and deep folders are not shown."""
        found: list[str] = []
        for path in _walk(self.path, 0):
            if len(found) >= _MOST_FILES:
                break
            if path.resolve().is_relative_to(self.path):
                found.append(path.relative_to(self.path).as_posix())
        return found

    def read(self, relative: str) -> str:
        """The text of a file. Refused if it is not a text or too large."""
        place = self.place(relative)
        _check_extension(relative, SHOWN)
        try:
            return read_text(place)
        except FileNotFoundError as error:
            raise Refused(f"there is no file '{relative}'") from error
        except Unreadable as error:
            raise Refused(f"cannot read '{relative}': {error}") from error

    def marks(self, files: Iterable[str]) -> dict[str, str | None]:
        """The marks of files as they are now; None for one that cannot be read."""
        found: dict[str, str | None] = {}
        for relative in files:
            try:
                found[relative] = mark_of(self.read(relative))
            except Refused:
                found[relative] = None
        return found

    def write(self, relative: str, text: str, mark: str | None = None) -> None:
        """Write a model file, at once: another program sees the text before or the text after it. Refused if it is too
        large or cannot be written; Changed if it exists and has another mark, unless `mark` is None."""
        place = self.place(relative)
        _check_extension(relative, MODELS)
        if mark is not None and place.exists() and self.marks([relative])[relative] != mark:
            raise Changed(f"'{relative}' was changed by another program")
        if len(text.encode()) > MOST_BYTES:
            raise Refused(f"'{relative}' is too large: the limit is {MOST_BYTES} bytes")
        write_at_once(place.resolve(), text)


def mark_of(text: str) -> str:
    """What tells whether a text is another one."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def by_place(texts: Mapping[str, str]) -> tuple[tuple[Path, str], ...]:
    """Texts of files by their resolved paths, as the compiler takes them."""
    return pairs({Path(file).resolve(): text or "\n" for file, text in texts.items()})


def write_at_once(place: Path, text: str) -> None:
    """Write a file by renaming a complete one. Refused if that fails."""
    try:
        write_whole(place, text)
    except OSError as error:
        raise Refused(f"cannot write '{place.name}': {error.strerror or error}") from error


def _check_extension(relative: str, allowed: tuple[str, ...]) -> None:
    if not relative.lower().endswith(allowed):
        raise Refused(f"'{relative}' is not a file that the workbench can open: {', '.join(allowed)}")


def _walk(folder: Path, depth: int) -> Iterator[Path]:
    """The files to show below a folder: its own first, then those of its folders."""
    try:
        entries = sorted(os.scandir(folder), key=lambda each: each.name.lower())
    except OSError:
        return
    shown = [each for each in entries if not each.name.startswith(".")]
    yield from (Path(e.path) for e in shown if e.is_file() and e.name.lower().endswith(SHOWN))
    for each in shown:
        if depth < _DEEPEST and each.is_dir(follow_symlinks=False) and each.name not in ("node_modules", "__pycache__"):
            yield from _walk(Path(each.path), depth + 1)
