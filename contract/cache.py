"""Keeps compiled models, translations and parsed files on disk between runs, in one folder of limited size.

The folder is private to the user, since libraries in it are executed: others may neither write nor read it. The
environment variable CUTSET_CACHE turns the disk cache off (`off`) or sets its size limit in MiB.

Every file is checked before use: a seal holds the hash of its name and content, so that a truncated, overwritten or
exchanged file counts as missing and is created again. A library has no room for a seal: its hash is its name.

What follows from the files of the package alone lies with the bytecode of the package, and serves all users.
"""

from __future__ import annotations

import os
import shutil
import stat
import time
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from cutset.contract.quick_dataclass import dataclass

if TYPE_CHECKING:
    import tempfile

_LIMIT_MIB = 256
_SEAL = b"cutset cache 1 "
_PACKAGE_LIMIT = 32 * 2**20
# A file that is still being written is younger than this, in s.
_WRITING = 3600.0
# The cache is brought below its limit at most once in this time, in s; the age of a file tells when it was.
_PAUSE, _MARK = 30.0, "last.trim"


def cache_folder() -> Path | None:
    """$XDG_CACHE_HOME/cutset or ~/.cache/cutset, which may not exist yet; None if the disk cache is off, or if the user
    has no home."""
    root = os.environ.get("XDG_CACHE_HOME")
    if os.environ.get("CUTSET_CACHE", "").strip().lower() == "off":
        return None
    try:
        return (Path(root) if root else Path.home() / ".cache") / "cutset"
    except RuntimeError:
        return None


def private_folder() -> Path | None:
    """The folder of the disk cache, created if necessary and closed to others; None if that fails."""
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
    """The size limit of the disk cache in bytes."""
    try:
        return int(float(os.environ["CUTSET_CACHE"]) * 2**20)
    except (KeyError, ValueError, OverflowError):
        return _LIMIT_MIB * 2**20


@dataclass(frozen=True)
class DiskCache:
    """Files by name in `folder`, which exists and is private. No method raises OSError: an unreadable file counts as
    missing, and a file that cannot be written (disk full) is not stored."""

    folder: Path
    mode: int = 0o600
    """The permissions of the files."""
    most: int | None = None
    """The limit in bytes; None for that of the user."""

    def get(self, name: str) -> bytes | None:
        """The content stored under the name; None if there is none, or if the file is damaged."""
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
        """Store the content under the name; False if it cannot be written."""
        is_written = self._write(name, _seal(name, content), b"\n", content)
        if is_written:
            self._tidy()
        return is_written

    def library(self, key: str) -> Path | None:
        """The library stored under the key, checked against its hash; None if there is none."""
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
        """Store a library under the key. Returns the stored file, or `built` if it cannot be written."""
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
        """A new folder inside the disk cache, deleted at the end of the ``with`` block. OSError if there is no
        space."""
        import tempfile

        return tempfile.TemporaryDirectory(dir=self.folder, prefix="build-")

    def _tidy(self) -> None:
        """`trim` the disk cache, unless a process has done so a short time ago: a large cache has many files to look
        at."""
        mark = self.folder / _MARK
        try:
            if 0.0 <= time.time() - mark.stat().st_mtime < _PAUSE:
                return
        except OSError:
            pass
        with suppress(OSError):
            mark.touch(self.mode)
            os.utime(mark)
        trim(self.folder, limit() if self.most is None else self.most)

    def _write(self, name: str, *parts: bytes) -> bool:
        """Write a file under a temporary name, flush it, and rename it: nobody sees half a file, even after a crash."""
        import tempfile

        written = ""
        try:
            with tempfile.NamedTemporaryFile(dir=self.folder, prefix="new-", delete=False) as file:
                written = file.name
                file.writelines(parts)
                file.flush()
                os.chmod(written, self.mode)
                os.fsync(file.fileno())
            os.replace(written, self.folder / name)
        except OSError:
            if written:
                with suppress(OSError):
                    os.unlink(written)
            return False
        return True


def user_cache() -> DiskCache | None:
    """The disk cache of this user; None if it is off or its folder is unusable."""
    folder = private_folder()
    return DiskCache(folder) if folder else None


def package_cache() -> DiskCache | None:
    """The compiled and parsed files of this package, in the folder of its bytecode, which is as safe as its code. The
    variable CUTSET_CACHE does not concern it. None if the folder does not exist and cannot be created."""
    folder = Path(__file__).parent / "__pycache__" / "kept"
    try:
        folder.mkdir(mode=0o755, parents=True, exist_ok=True)
    except OSError:
        return None
    return DiskCache(folder, 0o644, _PACKAGE_LIMIT)


def _seal(name: str, content: bytes) -> bytes:
    return _SEAL + _hash(name.encode() + b"\0" + content)


def _hash(content: bytes) -> bytes:
    return sha256(content).hexdigest().encode()


def _pointer(key: str) -> str:
    return f"{key}.library"


def _mark_used(path: Path) -> None:
    # Files used longest ago are deleted first; a read-only disk keeps the times unchanged.
    with suppress(OSError):
        os.utime(path)


def trim(folder: Path, most: int) -> None:
    """Delete the files used longest ago until the rest is below the limit in bytes, and leftovers of unfinished
    processes.

    A library that a process has loaded stays loaded. A file that another process deletes meanwhile is no error.
    """
    now, found = time.time(), []
    for entry in os.scandir(folder):
        try:
            state = entry.stat(follow_symlinks=False)
            if entry.name.startswith(("build-", "new-")):
                if now - state.st_mtime > _WRITING:
                    shutil.rmtree(entry.path) if entry.is_dir(follow_symlinks=False) else os.unlink(entry.path)
            elif entry.is_file(follow_symlinks=False) and entry.name != _MARK:
                found.append((state.st_mtime, state.st_size, entry.path))
        except OSError:
            continue
    held = sum(size for _, size, _ in found)
    for _, size, path in sorted(found):
        if held <= most:
            break
        try:
            os.unlink(path)
        except OSError:
            continue
        held -= size
