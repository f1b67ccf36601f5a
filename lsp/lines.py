"""Converts places in a text: lines and columns of the compiler <-> offsets. Knows no protocol.

The compiler counts characters and ends a line at every line separator of Unicode.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate


class PlainLines:
    """The lines of a text with the line ends '\\n'."""

    def __init__(self, text: str) -> None:
        # The compiler gives a byte order mark no column.
        mark = len(text) - len(text.removeprefix("\ufeff"))
        self.text = text
        own = (text[mark:] + "x").splitlines(keepends=True)
        self._own = [*accumulate(map(len, own[:-1]), initial=mark)]

    def offset_of(self, line: int, column: int) -> int:
        """The offset in the text of a place of the compiler, which counts from 1; the nearest one for other places."""
        line = max(1, min(line, len(self._own)))
        end = self._own[line] if line < len(self._own) else len(self.text)
        return min(self._own[line - 1] + max(column - 1, 0), end)

    def place_of(self, offset: int) -> tuple[int, int]:
        """The line and column of the compiler at an offset."""
        line = max(1, bisect_right(self._own, offset))
        return line, max(0, offset - self._own[line - 1]) + 1
