"""Writes the messages about the XML of robot files."""

from __future__ import annotations

from cutset.compiler.diagnostics import Diagnostic, Span


def not_xml(reason: str, span: Span) -> Diagnostic:
    """The text is not XML."""
    hint = "correct the XML here or before; every element needs its end tag, every value its quotes"
    return Diagnostic("E150", f"the file is not valid XML: {reason}", span, hint)


def document_type(span: Span) -> Diagnostic:
    """The text declares a document type, which could declare entities."""
    return Diagnostic(
        "E150", "the file declares a document type; entities are not read", span, "remove the line <!DOCTYPE ...>"
    )
