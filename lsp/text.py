"""Converts places: lines and columns of the compiler <-> positions of the protocol, in UTF-16, UTF-8 or UTF-32.

The compiler counts characters and ends a line at every line separator of Unicode; the protocol counts code units and
ends a line at LF, CR and CRLF only.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from lsprotocol.types import Position, PositionEncodingKind, Range

from cutset.compiler.diagnostics import Span
from cutset.lsp.lines import PlainLines

_BYTES = {
    PositionEncodingKind.Utf8: ("utf-8", 1),
    PositionEncodingKind.Utf16: ("utf-16-le", 2),
    PositionEncodingKind.Utf32: ("utf-32-le", 4),
}


class Lines(PlainLines):
    """The lines of a text with the line ends '\\n', with the positions of an editor."""

    def __init__(self, text: str, encoding: PositionEncodingKind = PositionEncodingKind.Utf16) -> None:
        super().__init__(text)
        self._codec, self._unit = _BYTES[encoding]
        self._shared = [*accumulate((len(line) + 1 for line in text.split("\n")), initial=0)]

    def position_at(self, offset: int) -> Position:
        """The position of the protocol at an offset."""
        line = bisect_right(self._shared, offset) - 1
        return Position(line, self._units(self.text[self._shared[line] : offset]))

    def offset_at(self, position: Position) -> int:
        """The offset of a position; one behind the end of a line or of the text counts as that end."""
        if position.line >= len(self._shared) - 1:
            return len(self.text)
        start, end = self._shared[position.line], self._shared[position.line + 1] - 1
        line = self.text[start:end]
        if line.isascii():
            return start + min(position.character, len(line))
        encoded = line.encode(self._codec, "surrogatepass")[: position.character * self._unit]
        return start + len(encoded.decode(self._codec, "ignore"))

    def range_of(self, span: Span) -> Range:
        """The range of a span."""
        first, last = self.offset_of(span.line, span.column), self.offset_of(span.end_line, span.end_column)
        return self.range_between(first, max(first, last))

    def range_between(self, first: int, last: int) -> Range:
        """The range between two offsets."""
        return Range(self.position_at(first), self.position_at(last))

    def _units(self, text: str) -> int:
        return len(text) if text.isascii() else len(text.encode(self._codec, "surrogatepass")) // self._unit


def unified(text: str) -> str:
    """The text of an editor as the compiler reads it from a file: line ends are '\\n'."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
