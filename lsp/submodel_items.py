"""Finds the items of submodel declarations in a text, and the places that comments give them in diagrams.

The comment `{ at 120 40 }` after an item is its place: the center of its picture, in pixels right of and below the
corner of the diagram. Anybody may have written it, so it is numbers or nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from cutset.compiler.diagnostics import Span
from cutset.compiler.syntax.lexemes import Lexeme
from cutset.compiler.syntax.statements import Statement
from cutset.lsp.scan import Scan

PLACE = re.compile(r"\{\s*at (\d{1,4}) (\d{1,4})\s*\}", re.ASCII)
_OPEN, _CLOSE = ("OPEN", "OPEN_SQUARE"), ("CLOSE", "CLOSE_SQUARE")


@dataclass(frozen=True)
class Item:
    """An item of a list, from its first to its last lexeme; `comment` is that of its place, if it has one."""

    first: Lexeme
    last: Lexeme
    comment: Lexeme | None = None

    @property
    def place(self) -> tuple[int, int] | None:
        """The center of its picture; None if its text gives none."""
        found = PLACE.fullmatch(self.comment.text) if self.comment else None
        return (int(found[1]), int(found[2])) if found else None

    @property
    def span(self) -> Span:
        """All of the item, without its comment."""
        return self.first.span.to(self.last.span)


def submodel_items(scan: Scan) -> Iterator[tuple[Statement, list[Item]]]:
    """The declarations of submodels with their items."""
    comments = [lexeme for lexeme in scan.comments if PLACE.fullmatch(lexeme.text)]
    begins = [(lexeme.span.line, lexeme.span.column) for lexeme in comments]
    for statement in scan.statements:
        if statement.start.type == "SUBMODEL":
            items = _items(statement)
            ends = [*(item.first.span for item in items[1:]), None]
            yield statement, [_placed(item, end, comments, begins) for item, end in zip(items, ends, strict=True)]


def places_in(scan: Scan) -> dict[tuple[int, int], tuple[int, int]]:
    """The places of submodels, by the line and the column of their names."""
    items = (item for _, items in submodel_items(scan) for item in items)
    return {(i.first.span.line, i.first.span.column): i.place for i in items if i.place is not None}


def _items(statement: Statement) -> list[Item]:
    """The items after the class in parentheses, which commas separate."""
    depth, found = 0, list[list[Lexeme]]()
    for lexeme in statement.lexemes[1:]:
        if found and not depth and lexeme.type == "COMMA":
            found.append([])
        elif found:
            found[-1].append(lexeme)
        depth += (lexeme.type in _OPEN) - (lexeme.type in _CLOSE)
        if not found and not depth and lexeme.type == "CLOSE":
            found.append([])
    return [Item(lexemes[0], lexemes[-1]) for lexemes in found if lexemes]


def _placed(item: Item, following: Span | None, comments: list[Lexeme], begins: list[tuple[int, int]]) -> Item:
    """The item with the first comment after it that gives a place, before the next item or the end of its line."""
    end = item.last.span
    k = bisect_left(begins, (end.end_line, end.end_column))
    is_own = k < len(begins) and begins[k] < (
        (end.end_line + 1, 0) if following is None else (following.line, following.column)
    )
    return Item(item.first, item.last, comments[k]) if is_own else item
