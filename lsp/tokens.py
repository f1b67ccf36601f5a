"""Colors names by their meaning: semantic tokens of a file."""

from __future__ import annotations

from itertools import pairwise

from lsprotocol.types import Range, SemanticTokenModifiers, SemanticTokens, SemanticTokensLegend, SemanticTokenTypes

from cutset.compiler.syntax.lexemes import COMMENTS, Lexeme
from cutset.lsp.facts import ATTRIBUTES, PREDEFINED, builtin_call
from cutset.lsp.kinds import shown
from cutset.lsp.resolve import Occurrence
from cutset.lsp.session import FileIndex, Session

_TYPES = list(SemanticTokenTypes)
_MODIFIERS = [
    SemanticTokenModifiers.Declaration,
    SemanticTokenModifiers.Readonly,
    SemanticTokenModifiers.DefaultLibrary,
]
LEGEND = SemanticTokensLegend([each.value for each in _TYPES], [each.value for each in _MODIFIERS])
_READONLY = frozenset({"parameter", "constant", "literal"})


def semantic_tokens(session: Session, index: FileIndex, within: Range | None = None) -> SemanticTokens:
    """All names, keywords, numbers, strings and comments of a file, or of the lines of a range."""
    meant = {(each.span.line, each.span.column): each for each in index.occurrences}
    data: list[int] = []
    line = character = 0
    for lexeme in index.scan.all_lexemes:
        kind = _kind(session, lexeme, meant.get((lexeme.span.line, lexeme.span.column)))
        if kind is None:
            continue
        for start, length, row in _pieces(index, lexeme):
            if within is not None and not within.start.line <= row <= within.end.line:
                continue
            data += [row - line, start - character if row == line else start, length, kind[0], kind[1]]
            line, character = row, start
    return SemanticTokens(data=data)


def _pieces(index: FileIndex, lexeme: Lexeme) -> list[tuple[int, int, int]]:
    """(start, length, line) of the parts of a lexeme, one for each of its lines."""
    lines = index.lines
    first = lines.offset_of(lexeme.span.line, lexeme.span.column)
    last = lines.offset_of(lexeme.span.end_line, lexeme.span.end_column)
    text = lines.text[first:last]
    ends = [first, *(first + k + 1 for k, c in enumerate(text) if c == "\n"), last]
    found = []
    for a, b in pairwise(ends):
        b = b - 1 if b > a and lines.text[b - 1] == "\n" else b
        start, end = lines.position_at(a), lines.position_at(b)
        if end.character > start.character:
            found.append((start.character, end.character - start.character, start.line))
    return found


def _kind(session: Session, lexeme: Lexeme, found: Occurrence | None) -> tuple[int, int] | None:
    """The color of a lexeme, and its modifiers; None for one without."""
    if found is not None:
        symbol = found.symbol
        modifiers = found.is_declaration | (symbol.kind in _READONLY) << 1
        return _TYPES.index(shown(symbol.kind).color), int(modifiers | session.is_shipped(symbol.key.path) << 2)
    if lexeme.type in COMMENTS:
        return _TYPES.index(SemanticTokenTypes.Comment), 0
    if lexeme.type in ("TEXT", "NUMBER", "UNIT"):
        kind = SemanticTokenTypes.String if lexeme.type == "TEXT" else SemanticTokenTypes.Number
        return _TYPES.index(kind), 0
    if lexeme.type == "NAME":
        if builtin_call(lexeme.text):
            return _TYPES.index(SemanticTokenTypes.Function), 4
        if lexeme.text in PREDEFINED or lexeme.text in ATTRIBUTES:
            return _TYPES.index(SemanticTokenTypes.Variable), 6
        return None
    return (_TYPES.index(SemanticTokenTypes.Keyword), 0) if lexeme.text.isalpha() else None
