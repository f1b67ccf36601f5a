"""Reads the archive of an FMU without trust: path -> names and texts of its files. Runs nothing, extracts safely."""

from __future__ import annotations

import shutil
import zipfile
import zlib
from pathlib import Path, PurePosixPath

DESCRIPTION = "modelDescription.xml"
_TERMINALS = "terminalsAndIcons/terminalsAndIcons.xml"
# The limits on the description and on all files of an FMU.
_MOST_DESCRIPTION = 50_000_000
_MOST_BYTES = 4_000_000_000
_MOST_FILES = 100_000


class Damaged(Exception):
    """The file is not a complete FMU; the message is a sentence about it that starts with 'it'."""


class Unsafe(Exception):
    """The archive would write files outside of its folder, or too many; the message as for `Damaged`."""


def read_description(path: Path) -> bytes:
    """The text of modelDescription.xml. Damaged, Unsafe; FileNotFoundError."""
    text = _read_text(path, DESCRIPTION)
    if text is None:
        raise Damaged(f"it contains no {DESCRIPTION}")
    return text


def read_terminals(path: Path) -> bytes | None:
    """The text of terminalsAndIcons.xml; None if there is none. Damaged, Unsafe; FileNotFoundError."""
    return _read_text(path, _TERMINALS)


def _read_text(path: Path, name: str) -> bytes | None:
    with _opened(path) as archive:
        _check_names(archive)
        try:
            size = archive.getinfo(name).file_size
            if size > _MOST_DESCRIPTION:
                raise Unsafe(f"its {name} has more than {_MOST_DESCRIPTION} bytes")
            text = archive.read(name)
        except KeyError:
            return None
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
            raise Damaged(f"its {name} cannot be read ({error})") from error
    if b"<!DOCTYPE" in text or b"<!ENTITY" in text:
        raise Unsafe(f"its {name} defines entities, which could read other files")
    return text


def platforms(path: Path) -> tuple[str, ...]:
    """The folders of `binaries`, such as linux64 or x86_64-linux. Damaged."""
    with _opened(path) as archive:
        parts = [PurePosixPath(name).parts for name in archive.namelist()]
    return tuple(sorted({p[1] for p in parts if len(p) > 2 and p[0] == "binaries"}))


def extract(path: Path, folder: Path) -> None:
    """Write all files of the archive into the folder. Damaged, Unsafe; OSError if they cannot be written."""
    with _opened(path) as archive:
        _check_names(archive)
        for entry in archive.infolist():
            target = folder / PurePosixPath(entry.filename)
            if entry.is_dir():
                target.mkdir(parents=True, exist_ok=True)
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                with archive.open(entry) as source, target.open("wb") as file:
                    shutil.copyfileobj(source, file)
            except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
                raise Damaged(f"its file {entry.filename!r} cannot be read ({error})") from error


def _opened(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except FileNotFoundError:
        raise
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise Damaged(f"it is not a complete zip archive ({error})") from error


def _check_names(archive: zipfile.ZipFile) -> None:
    entries = archive.infolist()
    if len(entries) > _MOST_FILES or sum(entry.file_size for entry in entries) > _MOST_BYTES:
        raise Unsafe(f"it has more than {_MOST_FILES} files or {_MOST_BYTES} bytes")
    for entry in entries:
        name = entry.filename.replace("\\", "/")
        is_link = (entry.external_attr >> 28) == 0xA
        if name.startswith("/") or ":" in name or ".." in name.split("/") or is_link:
            raise Unsafe(f"it contains {entry.filename[:80]!r}, which would be written outside of its folder")
