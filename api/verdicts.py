"""Files of classes that were found right, kept on disk, so that they are not checked again while nothing changes.

Only good verdicts are kept: mistakes are to be told with their places, and are worked on anyway.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from cutset.kept import Kept
from cutset.runtime.cache import DiskCache, user_cache


class Verdicts:
    """Those of one user. `disk` is the cache, None where there is none; `library_path` are the folders for
    includes, absolute."""

    def __init__(self, disk: DiskCache | None, library_path: Sequence[str]):
        self._kept = Kept(disk, "right")
        self._library_path = list(library_path)

    def get(self, path: Path) -> str | None:
        """What the file declares, in words, where it was right and nothing has changed since; else None."""
        found = self._kept.get(self._key(path))
        return None if found is None or "declared" not in found else str(found["declared"])

    def put(self, right: Mapping[Path, tuple[str, Iterable[Path]]]) -> None:
        """Keeps that these files are right: what each declares, and every file that was read for it, and every place
        where none was found."""
        for path, (declared, looked_at) in right.items():
            rests_on = {os.path.abspath(each): self._kept.state_now(each) for each in looked_at}
            self._kept.put(self._key(path), {"declared": declared}, rests_on)
        if right:
            self._kept.trim()

    def _key(self, path: Path) -> str:
        return f"{self._library_path}\n{os.path.abspath(path)}"


def verdicts(library_path: Iterable[Path]) -> Verdicts:
    """The verdicts of a user who includes files from these folders."""
    return Verdicts(user_cache(), [os.path.abspath(folder) for folder in library_path])
