"""The folder in which compiled models and parsed files are kept from run to run, and how it stays small.

It belongs to the user alone, since what lies in it is run: others may neither write nor read it. The environment
variable CUTSET_CACHE turns it off (`off`) or sets how many MiB it may hold.
"""

from __future__ import annotations

import os
import shutil
import stat
import time
from pathlib import Path

_LIMIT_MIB = 256
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
