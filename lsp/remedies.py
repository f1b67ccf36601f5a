"""Places the changes of the text that a message proposes: diagnostic -> where to write what."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from cutset.compiler.diagnostics import Diagnostic, Edit, Span, edits_of, visible
from cutset.lsp.lines import PlainLines
from cutset.lsp.scan import Scan


class Remedy(NamedTuple):
    """A change of the text of a message's file: `text` replaces what is between the offsets `first` and `last`."""

    title: str
    first: int
    last: int
    text: str


def remedies_of(message: Diagnostic) -> list[Remedy]:
    """The changes that the hint of a message proposes, the best first; none if the text has no place for them."""
    span = message.span
    if span is None:
        return []
    placed = ((edit, _placed(span, edit)) for edit in edits_of(message.hint))
    return [Remedy(visible(_title(edit)), *found) for edit, found in placed if found is not None]


def _title(edit: Edit) -> str:
    titles: Mapping[str, str] = {
        "replace": f"Replace '{edit.old}' by '{edit.new}'" if edit.old else f"Write '{edit.new}'",
        "include": f"Include {edit.new}",
        "declare": f"Declare: {edit.new}",
    }
    return titles[edit.kind]


def _placed(span: Span, edit: Edit) -> tuple[int, int, str] | None:
    """The offsets between which to write, and the text to write."""
    lines = PlainLines(span.source.text)
    if edit.kind == "replace":
        return _replaced(lines, span, edit)
    scan = Scan(span.source)
    if edit.kind == "include":
        return included(scan, lines, edit.new)
    around = scan.class_at(span.line, span.column)
    header = next((s for s in scan.statements if around and s.start.span == around.start), None)
    if header is None:
        return None
    last = header.lexemes[-1].span
    at = lines.text.find("\n", lines.offset_of(last.end_line, last.end_column))
    at = at if at >= 0 else len(lines.text)
    return at, at, f"\n  {edit.new}"


def included(scan: Scan, lines: PlainLines, include: str) -> tuple[int, int, str]:
    """The place of a further include, twice, and what to write there."""
    lexeme = next((s.start for s in scan.statements if s.start.type not in ("INCLUDE",)), None)
    at = lines.offset_of(lexeme.span.line, 1) if lexeme else len(lines.text)
    behind = [s.lexemes[-1].span for s in scan.statements if s.start.type == "INCLUDE"]
    if behind:
        at = lines.offset_of(behind[-1].end_line + 1, 1)
    gap = "" if behind else "\n"
    return at, at, f"{include}\n{gap}"


def _replaced(lines: PlainLines, span: Span, edit: Edit) -> tuple[int, int, str] | None:
    first = lines.offset_of(span.line, span.column)
    last = lines.offset_of(span.end_line, span.end_column)
    if edit.old:
        sought = re.compile(rf"(?<!\w){re.escape(edit.old)}(?!\w)")
        # An error may show only after the word that causes it: `paramter x = 1`.
        line = lines.offset_of(span.line, 1)
        found = sought.search(lines.text, first, last) or sought.search(lines.text, line, first)
        if found is None:
            return None
        first, last = found.span()
    return first, last, edit.new
