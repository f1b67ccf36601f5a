"""Formats a document as `cutset fmt` does, with edits of the lines that change."""

from __future__ import annotations

import difflib

from lsprotocol.types import Position, Range, TextEdit

from cutset.compiler.diagnostics import ModelError, Source
from cutset.compiler.syntax.format import format_text
from cutset.lsp.session import Session


def formatting(session: Session, path: str) -> list[TextEdit]:
    """The edits to the standard layout; none for a text with errors."""
    text = session.text(path)
    if text is None:
        return []
    try:
        after = format_text(Source(path, text))
    except ModelError:
        return []
    old, new = text.split("\n"), after.split("\n")
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    edits = []
    for tag, first, last, start, stop in matcher.get_opcodes():
        if tag == "equal":
            continue
        inserted = "".join(line + "\n" for line in new[start:stop])
        if last == len(old):
            # The last line has no end: the edit begins behind the line before.
            lines = session.lines(path)
            begin = lines.position_at(lines.offset_of(first, 10**9)) if lines and first else Position(first, 0)
            end = lines.position_at(len(text)) if lines else Position(last, 0)
            lead = "\n" if first and start < stop else ""
            edits.append(TextEdit(Range(begin, end), lead + "\n".join(new[start:stop])))
        else:
            edits.append(TextEdit(Range(Position(first, 0), Position(last, 0)), inserted))
    return edits
