"""Breaks a statement into lines (stage 1): its pieces -> lines. Knows nothing of the grammar.

Line breaks of the text are kept. A line longer than WIDTH is broken where its pieces have the best rank. A continuation
line is aligned with the contents of its parenthesis or statement. A line that ends with documentation may be longer,
so that the string stays with what it documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

WIDTH = 100
_DOCUMENTED_WIDTH = 120
# No line starts to the right of this column.
_RIGHTMOST = 60
_INDENT = 4


@dataclass(frozen=True, slots=True)
class Piece:
    """A word, mark or comment of a statement.

    blank: a space precedes it; new_line: it was on its own line or started one; bracket: +1 opens, -1 closes; hang: the
    following lines are aligned with it; rank: how well the line can be broken after it, 0 best, None not; documents: it
    is the documentation of a declaration.
    """

    text: str
    blank: bool
    new_line: bool
    bracket: int = 0
    hang: bool = False
    rank: int | None = None
    is_comment: bool = False
    documents: bool = False

    @property
    def width(self) -> int:
        """The number of columns that it takes in its line."""
        return self.blank + len(self.text)


@dataclass(frozen=True, slots=True)
class Line:
    """One line, or several if a comment spans lines; `comment` follows it."""

    code: str
    comment: str = ""


def lay_out(pieces: Sequence[Piece], indent: int) -> list[Line]:
    """The lines of a statement that starts in column `indent` (counted from 0)."""
    writer = _Writer(indent)
    for segment in _segments(pieces):
        code = list(segment)
        comment: list[str] = []
        while len(code) > 1 and code[-1].is_comment:
            comment.insert(0, code.pop().text)
        first = 0
        while first < len(code):
            behind = _fitting(code, first, writer.margin())
            writer.write(code[first:behind], " ".join(comment) if behind == len(code) else "")
            first = behind
    return writer.lines


def moved(comment: str, by: int) -> str:
    """A comment of several lines, its further lines moved with the first; trailing spaces are removed."""
    first, *further = (line.rstrip() for line in comment.splitlines() or [""])
    return "\n".join([first, *(_shifted(line, by) for line in further)])


def joined(lines: Iterable[Line]) -> Iterator[str]:
    """The text of the lines; comments after successive lines start in one column."""
    group: list[Line] = []
    for line in lines:
        if line.comment and "\n" not in line.code:
            group.append(line)
            continue
        yield from _aligned(group)
        group = []
        yield f"{line.code}  {line.comment}" if line.comment else line.code
    yield from _aligned(group)


def _aligned(group: Sequence[Line]) -> Iterator[str]:
    column = max((len(line.code) for line in group), default=0)
    return (f"{line.code:<{column}}  {line.comment}" for line in group)


def _shifted(line: str, by: int) -> str:
    if by >= 0:
        return " " * by + line if line else line
    return line[min(-by, len(line) - len(line.lstrip(" "))) :]


def _segments(pieces: Sequence[Piece]) -> Iterator[Sequence[Piece]]:
    first = 0
    for index, piece in enumerate(pieces):
        if piece.new_line and index > first:
            yield pieces[first:index]
            first = index
    yield pieces[first:]


def _fitting(pieces: Sequence[Piece], first: int, column: int) -> int:
    """The end of the pieces from `first` on that fit into a line starting in this column. Looks no further than
    that."""
    end = column - pieces[first].blank
    best: tuple[int, int] | None = None
    for i in range(first, len(pieces)):
        piece = pieces[i]
        end += piece.width
        is_documented = piece.documents or (i > first and piece.text == "," and pieces[i - 1].documents)
        width = _DOCUMENTED_WIDTH if is_documented else WIDTH
        if end > width and best is not None:
            break
        if i + 1 == len(pieces):
            return i + 1
        if piece.rank is None:
            continue
        if end > width:  # if none fits, the first of all
            return i + 1
        # The best rank first; of equal ranks the last one that fits.
        best = min(best or (piece.rank, -i - 1), (piece.rank, -i - 1))
    assert best is not None
    return -best[1]


class _Writer:
    """The lines so far, and the columns with which the next one may be aligned."""

    def __init__(self, indent: int) -> None:
        self.lines: list[Line] = []
        self._indent = indent
        self._hang = indent + _INDENT
        self._open: list[int] = []

    def margin(self) -> int:
        """The column in which the next line starts."""
        if not self.lines:
            return self._indent
        columns = [self._hang, *self._open]
        return next((column for column in reversed(columns) if column <= _RIGHTMOST), self._indent + _INDENT)

    def write(self, pieces: Sequence[Piece], comment: str) -> None:
        """Add one line."""
        code = " " * self.margin()
        for index, piece in enumerate(pieces):
            code += " " if piece.blank and index else ""
            if piece.hang:
                self._hang = self._column(code)
            code += piece.text
            if piece.bracket > 0:
                self._open.append(self._column(code))
            elif piece.bracket < 0:
                self._open.pop()
        self.lines.append(Line(code, comment))

    @staticmethod
    def _column(code: str) -> int:
        return len(code) - (code.rfind("\n") + 1)
