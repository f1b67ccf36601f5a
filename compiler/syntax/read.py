"""Reads a file (stage 1, before its first step): path -> text, if the file can be the text of a model.

Opens nothing that might not end, such as a device or a pipe, and reads no more than a model may have.
"""

from __future__ import annotations

import stat
from pathlib import Path

# About fifty thousand lines, which take half a minute.
MOST_BYTES = 2_000_000

_MARKS = {
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
    b"\x1f\x8b": "compressed",
    b"PK": "compressed",
    b"\x7fELF": "a program",
}


class Unreadable(Exception):
    """The file cannot be the text of a model; the message is a sentence about it that starts with 'it'."""


def is_robot_file(path: Path) -> bool:
    """True for the name of a robot in URDF or MJCF, which is a model."""
    return path.suffix.lower() in (".urdf", ".xml")


def read_text(path: Path) -> str:
    """The text, line ends as '\\n', without a byte order mark. FileNotFoundError, Unreadable."""
    try:
        kind = path.stat().st_mode
        if stat.S_ISDIR(kind):
            raise Unreadable("it is a folder")
        if not stat.S_ISREG(kind):
            raise Unreadable("it is not a regular file")
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise Unreadable(f"it cannot be opened ({reason[:1].lower()}{reason[1:]})") from error
    return decoded(data)


def checked_text(text: str) -> str:
    """A text that is in no file, as `read_text` returns it. Unreadable."""
    try:
        return decoded(text.encode("utf-8"))
    except UnicodeEncodeError as error:
        raise Unreadable(f"it contains half of a character (U+{ord(text[error.start]):04X})") from error


def decoded(data: bytes) -> str:
    """The text of these bytes, as `read_text` returns it. Unreadable."""
    if len(data) > MOST_BYTES:
        raise Unreadable(f"it has more than {MOST_BYTES} bytes")
    for mark, what in _MARKS.items():
        if data.startswith(mark):
            raise Unreadable(f"it is {what}")
    if b"\0" in data:
        raise Unreadable("it contains zero bytes, so it is not a text file")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = f"{data[error.start]:#04x}"
        raise Unreadable(f"it is not UTF-8: the byte {byte} in line {line} is not part of a character") from error
    return text.replace("\r\n", "\n").replace("\r", "\n")
