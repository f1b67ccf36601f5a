"""Stage 1, its first step. Source -> lexemes: words and marks, each with its span.

Never fails: text that is no word of the language becomes a lexeme of a type in BAD.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from cutset.compiler.diagnostics import Source, Span

if TYPE_CHECKING:
    from lark import Lark

BAD = frozenset({"STRAY", "UNCLOSED_COMMENT", "UNCLOSED_TEXT", "TOO_LARGE"})

# The end of a statement, in lark's name; its text is "\n", ";" or, at the end of the file, "".
END = "$END"


class Lexeme(NamedTuple):
    """A word or mark; `type` is a terminal of grammar.lark, or TOO_LARGE for a number beyond all floats."""

    type: str
    text: str
    span: Span


def read_lexemes(source: Source, grammar: Lark) -> list[Lexeme]:
    """All lexemes of the text in order, ends of lines included, blanks and comments left out.

    Lines are those of `Source.line`; a byte order mark takes no column.
    """
    text = source.text.removeprefix("\ufeff")
    # The letter makes the last line one without an end, so that the starts are those of all lines.
    lines = (text + "x").splitlines(keepends=True)
    starts = list(accumulate(map(len, lines[:-1]), initial=0))
    lexemes = []
    for token in grammar.lex(text):
        kind, begin, end = token.type, token.start_pos, token.end_pos
        if kind == "UNCLOSED_COMMENT":
            end = begin + 1
        elif kind == "NUMBER" and math.isinf(float(token.value)):
            kind = "TOO_LARGE"
        line, end_line = bisect_right(starts, begin), bisect_right(starts, end)
        span = Span(source, line, begin - starts[line - 1] + 1, end_line, end - starts[end_line - 1] + 1)
        lexemes.append(Lexeme(kind, token.value, span))
    return lexemes
