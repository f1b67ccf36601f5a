"""Describes diagnostics as plain data for the editor, with the changes of the text that a message proposes."""

from __future__ import annotations

from typing import Any

from cutset.compiler.diagnostics import Diagnostic, Label, Span, visible
from cutset.lsp.remedies import remedies_of


def reported(diagnostic: Diagnostic) -> dict[str, Any]:
    """The message with its place; lines and columns count from 1. `remedies` are changes of the same file: the text
    `old` at an offset in UTF-16, as a page counts, becomes `text`."""
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": visible(diagnostic.message),
        "hint": visible(diagnostic.hint),
        "notes": [visible(note) for note in diagnostic.notes],
        "instance": diagnostic.instance,
        "place": None if diagnostic.span is None else place_of(diagnostic.span),
        "labels": [_labeled(label) for label in diagnostic.labels],
        "remedies": _remedies(diagnostic),
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


def _remedies(diagnostic: Diagnostic) -> list[dict[str, Any]]:
    text = "" if diagnostic.span is None else diagnostic.span.source.text

    def units(offset: int) -> int:
        return len(text[:offset].encode("utf-16-le", "surrogatepass")) // 2

    return [
        {
            "title": each.title,
            "from": units(each.first),
            "to": units(each.last),
            "old": text[each.first : each.last],
            "text": each.text,
        }
        for each in remedies_of(diagnostic)
    ]


def _labeled(label: Label) -> dict[str, Any]:
    return {"place": place_of(label.span), "text": visible(label.text)}
