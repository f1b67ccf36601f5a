"""What the language has and this version gives no meaning to yet -> E111.

Each form that gets its meaning is taken away here, and with the last of them this file.
"""

from __future__ import annotations

from typing import Any

from cutset.compiler.diagnostics import Diagnostic, Span
from cutset.compiler.syntax import tree


def pending(syntax_tree: tree.SyntaxTree) -> list[Diagnostic]:
    """One diagnostic for each form without meaning, in no order."""
    found: list[tuple[Span, str]] = []
    found += [(declared.span, "a type") for declared in syntax_tree.types]
    for declared in syntax_tree.classes:
        waiting: list[Any] = list(declared.members)
        while waiting:
            member = waiting.pop()
            found += _forms(member)
            waiting += getattr(member, "members", ())
            waiting += [inner for branch in getattr(member, "branches", ()) for inner in branch.members]
    return [_diagnostic(span, what) for span, what in found]


def _forms(member: tree.Member) -> list[tuple[Span, str]]:
    match member:
        case tree.VariableDeclaration(type_reference=tree.ClassReference(span=span)):
            return [(span, "a type in front of the names")]
    return []


def _diagnostic(span: Span, what: str) -> Diagnostic:
    return Diagnostic("E111", f"{what} is part of the language but not supported by this version yet", span)
