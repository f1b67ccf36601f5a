"""Writes files so that nobody finds a piece of one: beside their place, from where they are renamed once complete."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

# A name is at most 255 bytes long.
_MOST_BYTES = 200


@contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[Path]:
    """The place of a new file with the same extension, which replaces the file at `path` at the end of the ``with``
    block, with its permissions; whoever reads `path` finds what was there before or all that is written. A failure
    leaves what was there before. A pipe or a device is written directly, and so is a file in a folder that takes no
    new ones. OSError."""
    target = Path(os.path.realpath(path))
    is_there = target.exists()
    if is_there and not (target.is_file() and os.access(target.parent, os.W_OK)):
        yield target
        return
    stem = target.stem.encode("utf-8", "surrogateescape")[:_MOST_BYTES].decode("utf-8", "ignore")
    beside = target.with_name(f".{stem}.{secrets.token_hex(4)}{target.suffix}")
    try:
        os.close(os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        if is_there:
            with open(target, "ab"):  # refuses a file that is write-protected
                os.chmod(beside, target.stat().st_mode & 0o777)
        yield beside
        os.replace(beside, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write all of a file, a text with its line ends as they are. OSError; what was there before then stays."""
    with written_whole(path) as place:
        place.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
