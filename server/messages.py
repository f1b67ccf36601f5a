"""Describes diagnostics as plain data for the editor, with the changes of the text that a message proposes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from cutset.compiler.diagnostics import Diagnostic, visible
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
        "place": _place(diagnostic),
        "remedies": _remedies(diagnostic),
    }


def plain(value: Any) -> Any:
    """A value as JSON: None for a number that is not finite, text without control characters."""
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    if isinstance(value, str):
        return visible(value)
    number = value.item() if hasattr(value, "item") else value
    return None if isinstance(number, float) and not math.isfinite(number) else number


def _place(diagnostic: Diagnostic) -> dict[str, Any] | None:
    span = diagnostic.span
    return span and {
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
