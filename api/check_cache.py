"""Records on disk which files of classes have no errors, so that they are checked again only after a change.

A file with errors is not recorded: its messages show places, and it is about to change anyway.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from cutset.contract.cache import DiskCache, user_cache
from cutset.disk_cache import RecordCache


class CheckCache:
    """The files without errors of one user. `disk` is the disk cache or None; `library_path` are the folders for
    includes, absolute."""

    def __init__(self, disk: DiskCache | None, library_path: Sequence[str]):
        self._records = RecordCache(disk, "right")
        self._library_path = list(library_path)

    def get(self, path: Path) -> str | None:
        """A text of what the file declares, if it was checked without errors and nothing has changed since; else
        None."""
        found = self._records.get(self._key(path))
        return None if found is None or "declared" not in found else str(found["declared"])

    def put(self, right: Mapping[Path, tuple[str, Iterable[Path]]]) -> None:
        """Record that these files have no errors: their declarations, all files that were read for them, and the places
        where no included file was found."""
        for path, (declared, looked_at) in right.items():
            depends_on = {os.path.abspath(each): self._records.state_now(each) for each in looked_at}
            self._records.put(self._key(path), {"declared": declared}, depends_on)
        if right:
            self._records.trim()

    def _key(self, path: Path) -> str:
        return f"{self._library_path}\n{os.path.abspath(path)}"


def check_cache(library_path: Iterable[Path]) -> CheckCache:
    """The cache for a user who includes files from these folders."""
    return CheckCache(user_cache(), [os.path.abspath(folder) for folder in library_path])
