"""Replaces syntax of other languages (stage 1, before the second step) and reports it: lexemes -> lexemes.

Replaces only what has a single meaning and is never valid: comments with two slashes, keywords with capital letters
(but not `End` on its own line).
"""

from __future__ import annotations

from collections.abc import Iterable

from cutset.compiler.diagnostics import Diagnostic
from cutset.compiler.syntax import explain
from cutset.compiler.syntax.lexemes import FOREIGN_COMMENT, Lexeme
from cutset.compiler.syntax.statements import CONTINUING, STARTERS

# Keywords that start a statement.
_FIRST = {kind.lower(): kind for kind in (STARTERS - {"INCLUDE"}) | {"IF", "ELSE", "ELSEIF", "FOR", "TYPE"}}
# Tokens that may follow such a keyword, but never the first name of an equation.
_BEHIND = frozenset({"NEWLINE", "SEMICOLON", "NAME", "CLASS", "CUT", "PATH", "FUNCTION"})


def as_meant(lexemes: list[Lexeme]) -> tuple[list[Lexeme], list[Diagnostic]]:
    """The lexemes without comments of other languages, with keywords in lowercase; E116 and E127."""
    comments = [lexeme for lexeme in lexemes if lexeme.type == FOREIGN_COMMENT]
    diagnostics = list(_comments(comments))
    kept = _without(comments, lexemes) if comments else lexemes
    for k, lexeme in enumerate(kept):
        if lexeme.type == "NAME" and lexeme.text.lower() in _FIRST and _begins(kept, k):
            diagnostics.append(explain.capitals(lexeme))
            word = lexeme.text.lower()
            kept[k] = Lexeme(_FIRST[word], word, lexeme.span)
    return kept, diagnostics


def _without(comments: list[Lexeme], lexemes: list[Lexeme]) -> list[Lexeme]:
    """The other lexemes, still with one NEWLINE between lines."""
    kept: list[Lexeme] = []
    for lexeme in lexemes:
        if lexeme.type != FOREIGN_COMMENT and not (lexeme.type == "NEWLINE" and kept and kept[-1].type == "NEWLINE"):
            kept.append(lexeme)
    return kept


def _comments(comments: Iterable[Lexeme]) -> Iterable[Diagnostic]:
    """One diagnostic for each of the two kinds."""
    by_mark: dict[str, list[Lexeme]] = {}
    for comment in comments:
        by_mark.setdefault(comment.text[:2], []).append(comment)
    for mark, (first, *others) in by_mark.items():
        yield explain.foreign_comment(mark, first.span, [other.span.line for other in others])


def _begins(lexemes: list[Lexeme], k: int) -> bool:
    """True if lexeme k starts a statement that cannot be an equation, and all lines before it are complete."""
    following = lexemes[k + 1].type if k + 1 < len(lexemes) else "NEWLINE"
    if following not in _BEHIND or (k and lexemes[k - 1].type not in ("NEWLINE", "SEMICOLON")):
        return False
    return k < 2 or lexemes[k - 2].type not in CONTINUING or lexemes[k - 1].type == "SEMICOLON"
