"""Keeps compiled models, translations and parsed files on disk from run to run, in one folder that stays small.

The folder belongs to the user alone, since what lies in it is run: others may neither write nor read it. The
environment variable CUTSET_CACHE turns it off (`off`) or sets how many MiB it may hold.

Every file is checked before it is used: a seal holds the hash of its name and content, so that a file that is cut off,
overwritten or exchanged counts as missing and is made anew. A library has no room for a seal: it is named by its hash.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

_LIMIT_MIB = 256
_SEAL = b"cutset cache 1 "
# What is being written is younger than this, in s.
_WRITING = 3600.0


def cache_folder() -> Path | None:
    """$XDG_CACHE_HOME/cutset or ~/.cache/cutset, which need not exist; None where the cache is off, and for a user
    without a home."""
    root = os.environ.get("XDG_CACHE_HOME")
    if os.environ.get("CUTSET_CACHE", "").strip().lower() == "off":
        return None
    try:
        return (Path(root) if root else Path.home() / ".cache") / "cutset"
    except RuntimeError:
        return None


def private_folder() -> Path | None:
    """The folder of the cache, made where it is missing and closed to others; None where that cannot be had."""
    folder = cache_folder()
    try:
        if folder is None:
            return None
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        state = folder.lstat()
        if hasattr(os, "getuid"):
            if not stat.S_ISDIR(state.st_mode) or state.st_uid != os.getuid():
                return None
            if state.st_mode & 0o077:
                folder.chmod(0o700)
        return folder if os.access(folder, os.W_OK) else None
    except OSError:
        return None


def limit() -> int:
    """How many bytes the cache may hold."""
    try:
        return int(float(os.environ["CUTSET_CACHE"]) * 2**20)
    except (KeyError, ValueError, OverflowError):
        return _LIMIT_MIB * 2**20


@dataclass(frozen=True)
class DiskCache:
    """Files by name in `folder`, which exists and is private. No method raises OSError: what cannot be read is missing,
    and what cannot be written, on a full disk say, is not kept."""

    folder: Path

    def get(self, name: str) -> bytes | None:
        """The content kept under the name; None where there is none, or the file is damaged."""
        path = self.folder / name
        try:
            seal, _, content = path.read_bytes().partition(b"\n")
            if seal != _seal(name, content):
                return None
            _mark_used(path)
        except OSError:
            return None
        return content

    def put(self, name: str, content: bytes) -> bool:
        """Keeps the content under the name; False where it cannot be written."""
        return self._write(name, _seal(name, content), b"\n", content)

    def library(self, key: str) -> Path | None:
        """The library kept under the key, whole and unchanged; None where there is none."""
        digest = self.get(_pointer(key))
        if digest is None:
            return None
        path = self.folder / f"{digest.decode()}.so"
        try:
            if _hash(path.read_bytes()) != digest:
                return None
            _mark_used(path)
        except OSError:
            return None
        return path

    def keep_library(self, key: str, built: Path) -> Path:
        """Keeps a library under the key. Gives the kept file, or `built` where it cannot be written."""
        try:
            content = built.read_bytes()
        except OSError:
            return built
        digest = _hash(content)
        name = f"{digest.decode()}.so"
        if self._write(name, content) and self.put(_pointer(key), digest):
            return self.folder / name
        return built

    def scratch(self) -> tempfile.TemporaryDirectory[str]:
        """A new folder inside the cache, deleted at the end of the ``with`` block. OSError where there is no room."""
        return tempfile.TemporaryDirectory(dir=self.folder, prefix="build-")

    def _write(self, name: str, *parts: bytes) -> bool:
        """Writes a file under another name, to the disk, and renames it: nobody sees half of it, even after a crash."""
        written = ""
        try:
            with tempfile.NamedTemporaryFile(dir=self.folder, prefix="new-", delete=False) as file:
                written = file.name
                file.writelines(parts)
                file.flush()
                os.fsync(file.fileno())
            os.replace(written, self.folder / name)
        except OSError:
            if written:
                with suppress(OSError):
                    os.unlink(written)
            return False
        return True


def user_cache() -> DiskCache | None:
    """The cache of this user; None where it is off or its folder cannot be had."""
    folder = private_folder()
    return DiskCache(folder) if folder else None


def _seal(name: str, content: bytes) -> bytes:
    return _SEAL + _hash(name.encode() + b"\0" + content)


def _hash(content: bytes) -> bytes:
    return sha256(content).hexdigest().encode()


def _pointer(key: str) -> str:
    return f"{key}.library"


def _mark_used(path: Path) -> None:
    # The oldest go first when the cache is emptied; a disk that is read only keeps the times as they are.
    with suppress(OSError):
        os.utime(path)


def trim(folder: Path) -> None:
    """Deletes what was used longest ago until the rest is below the limit, and what unfinished processes left behind.

    A library that a process has loaded stays loaded. What another process deletes meanwhile is no mistake.
    """
    now, found = time.time(), []
    for entry in os.scandir(folder):
        try:
            state = entry.stat(follow_symlinks=False)
            if entry.name.startswith(("build-", "new-")):
                if now - state.st_mtime > _WRITING:
                    shutil.rmtree(entry.path) if entry.is_dir(follow_symlinks=False) else os.unlink(entry.path)
            elif entry.is_file(follow_symlinks=False):
                found.append((state.st_mtime, state.st_size, entry.path))
        except OSError:
            continue
    held, most = sum(size for _, size, _ in found), limit()
    for _, size, path in sorted(found):
        if held <= most:
            break
        try:
            os.unlink(path)
        except OSError:
            continue
        held -= size
