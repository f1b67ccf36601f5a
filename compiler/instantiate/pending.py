"""What the language has and this version gives no meaning to yet -> E111.

Each form that gets its meaning is taken away here, and with the last of them this file.
"""

from __future__ import annotations

from cutset.compiler.diagnostics import Diagnostic, Span
from cutset.compiler.syntax import tree


def pending(syntax_tree: tree.SyntaxTree) -> list[Diagnostic]:
    """One diagnostic for each form without meaning, in no order."""
    found: list[tuple[Span, str]] = []
    found += [(function.span, "a function") for function in syntax_tree.functions]
    return [_diagnostic(span, what) for span, what in found]


def _diagnostic(span: Span, what: str) -> Diagnostic:
    return Diagnostic("E111", f"{what} is part of the language but not supported by this version yet", span)
