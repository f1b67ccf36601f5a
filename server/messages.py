"""Describes diagnostics as plain data for the editor, with the change of the text that a message proposes."""

from __future__ import annotations

import re
from typing import Any

from cutset.compiler.diagnostics import Diagnostic, Label, Span, visible

_PROPOSED = re.compile(r"did you mean '([^']+)'\?")
_NAMED = re.compile(r"'([^']+)'")


def reported(diagnostic: Diagnostic) -> dict[str, Any]:
    """The message with its place; lines and columns count from 1. `remedy` is None, or a place of the same file with
    the text to put there."""
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": visible(diagnostic.message),
        "hint": visible(diagnostic.hint),
        "notes": [visible(note) for note in diagnostic.notes],
        "instance": diagnostic.instance,
        "place": None if diagnostic.span is None else place_of(diagnostic.span),
        "labels": [_labeled(label) for label in diagnostic.labels],
        "remedy": remedy_of(diagnostic),
    }


def place_of(span: Span) -> dict[str, Any]:
    """The file and the range of a span."""
    return {
        "file": span.source.name,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def remedy_of(diagnostic: Diagnostic) -> dict[str, Any] | None:
    """The name that the hint proposes, at the place of the name that the message rejects. None if the place has the
    rejected name not exactly once, or if there is no such hint."""
    proposed, span = _PROPOSED.search(diagnostic.hint), diagnostic.span
    if proposed is None or span is None:
        return None
    line = span.source.line(span.line)
    last = span.end_column - 1 if span.end_line == span.line else len(line)
    for named in _NAMED.findall(diagnostic.message):
        for own in (named, named.rpartition(".")[2]):
            found = [m.start() for m in re.finditer(rf"(?<!\w){re.escape(own)}(?!\w)", line[:last])]
            found = [start for start in found if start >= span.column - 1]
            if len(found) == 1:
                column = found[0] + 1
                new = proposed[1] if own == named else proposed[1].rpartition(".")[2]
                return {"line": span.line, "column": column, "end_column": column + len(own), "text": new}
    return None


def _labeled(label: Label) -> dict[str, Any]:
    return {"place": place_of(label.span), "text": visible(label.text)}
