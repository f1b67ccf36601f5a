"""Turns messages of the compiler into diagnostics of the protocol, and their remedies into code actions."""

from __future__ import annotations

import os
from collections.abc import Iterable

from lsprotocol import types
from lsprotocol.types import CodeAction, CodeActionKind, TextEdit, WorkspaceEdit

from cutset.compiler.diagnostics import Diagnostic, Span, visible
from cutset.lsp.findings import Findings
from cutset.lsp.remedies import Remedy, remedies_of
from cutset.lsp.session import Session, uri_of
from cutset.lsp.symbols import path_of
from cutset.lsp.text import Lines

_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}


def reported(session: Session, findings: Findings) -> dict[str, list[types.Diagnostic]]:
    """The diagnostics by the paths of files: a message about another file, such as an included one, is shown there, and
    one without a place, or in the standard library, in the first line of the file itself."""
    found: dict[str, list[types.Diagnostic]] = {findings.path: []}
    for message in findings.messages:
        span = message.span
        path = path_of(span.source) if span else findings.path
        is_elsewhere = path != findings.path and (session.is_shipped(path) or not path.endswith(".mo"))
        if span is None or is_elsewhere:
            shown = f"{message.message} ({span})" if span else message.message
            found[findings.path].append(_diagnostic(session, message, types.Range(_START, _START), shown))
        else:
            found.setdefault(path, []).append(_diagnostic(session, message, range_of(session, span), message.message))
    return found


_START = types.Position(0, 0)


def range_of(session: Session, span: Span) -> types.Range:
    """The range of the span, at least one character wide where the line has one more."""
    lines = Lines(span.source.text, session.encoding)
    first = lines.offset_of(span.line, span.column)
    last = lines.offset_of(span.end_line, span.end_column)
    return lines.range_between(first, max(first, last))


def _diagnostic(session: Session, message: Diagnostic, place: types.Range, title: str) -> types.Diagnostic:
    """The title, the instance, the notes and the remedy, as the terminal shows them, and further places."""
    lines = [title]
    lines += [f"in: {message.instance}"] if message.instance else []
    lines += [f"note: {note}" for note in message.notes]
    lines += [f"help: {message.hint}"] if message.hint else []
    related = [
        types.DiagnosticRelatedInformation(location, visible(label.text))
        for label in message.labels
        if (location := session.location(label.span)) is not None
    ]
    return types.Diagnostic(
        range=place,
        message=visible("\n".join(lines)),
        severity=_SEVERITIES[message.severity],
        code=message.code or None,
        source="cutset",
        related_information=related or None,
    )


# --- code actions ---


def code_actions(session: Session, path: str, within: types.Range, findings: Iterable[Findings]) -> list[CodeAction]:
    """The remedies of messages in a range that an editor can carry out."""
    actions: list[CodeAction] = []
    text = session.text(path)
    seen: set[tuple[str, int, int]] = set()
    for message in (m for each in findings for m in each.messages):
        span = message.span
        if span is None or os.path.realpath(path_of(span.source)) != os.path.realpath(path):
            continue
        place = range_of(session, span)
        key = (message.code, span.line, span.column)
        if text is None or span.source.text != text or not _touch(place, within) or key in seen:
            continue
        remedies = remedies_of(message)
        if not remedies:
            continue
        seen.add(key)
        diagnostic, lines = _diagnostic(session, message, place, message.message), Lines(text, session.encoding)
        actions += [_action(path, lines, each, diagnostic, is_preferred=len(remedies) == 1) for each in remedies]
    return actions


def _touch(one: types.Range, other: types.Range) -> bool:
    return (one.start.line, one.start.character) <= (other.end.line, other.end.character) and (
        other.start.line,
        other.start.character,
    ) <= (one.end.line, one.end.character)


def _action(path: str, lines: Lines, remedy: Remedy, diagnostic: types.Diagnostic, is_preferred: bool) -> CodeAction:
    change = TextEdit(lines.range_between(remedy.first, remedy.last), remedy.text)
    return CodeAction(
        title=remedy.title,
        kind=CodeActionKind.QuickFix,
        diagnostics=[diagnostic],
        is_preferred=is_preferred,
        edit=WorkspaceEdit(changes={uri_of(path): [change]}),
    )
