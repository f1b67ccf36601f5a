"""Splits text into lexemes (stage 1, first step): Source -> words and marks, each with its span.

Never fails: text that is no lexeme of the language becomes one of a type in BAD.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from lark import Token
from lark.common import LexerConf
from lark.lexer import Lexer as LarkLexer

from cutset.compiler.diagnostics import Source, Span
from cutset.compiler.syntax.quotes import OPERAND_ENDS, Place
from cutset.compiler.units.quantities import begins_unit

BAD = frozenset({"STRAY", "UNCLOSED_COMMENT", "UNCLOSED_TEXT", "TOO_LARGE", "TOO_LONG"})

# What a unit may follow after a space.
WITH_UNIT = ("NUMBER", "CLOSE_SQUARE")

# Operators that act element by element, each behind an operand.
ELEMENTWISE = ("EACH_STAR", "EACH_SLASH", "EACH_POWER")

# A longer name or number is an error, and would fill every message that mentions it.
LONGEST = 200

# A comment of other languages; `parse` reports and removes it.
FOREIGN_COMMENT = "FOREIGN_COMMENT"

_AFTER_CLOSED = re.compile(r"[ \t]+(\[|[A-Za-z_][A-Za-z0-9_]*)")

# `initial()` and `terminal()` are functions.
_CALL = re.compile(r"[ \t]*\([ \t]*\)")
_TRANSPOSE = re.compile("(?P<TRANSPOSE>')")
# A name that needs no quotes, unless it is one of TAKEN or a keyword.
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

# Names that are not keywords, and yet cannot be declared.
TAKEN = {"time": "the time of the run", "true": "a logical value", "false": "a logical value"}

COMMENTS = frozenset({"COMMENT", "LINE_COMMENT"})

# The end of a statement, as lark names it; its text is "\n", ";" or, at the end of the file, "".
END = "$END"


class Lexeme(Token):
    """A word or mark; `type` is a terminal of grammar.lark, TOO_LARGE for a number beyond all floats, or TOO_LONG
    for a name or number of more than LONGEST characters."""

    __slots__ = ("span", "text")
    text: str
    span: Span

    def __new__(cls, type: str, text: str, span: Span) -> Lexeme:
        """The lexeme with its place."""
        made: Lexeme = super().__new__(cls, type, text)  # type: ignore[assignment]
        made.text, made.span = text, span
        return made


class Lexer(LarkLexer):
    """Reads text with one regular expression for all terminals of the grammar, several times as fast as lark's own
    lexers. lark parses one statement at a time, whose lexemes have been read before.

    `words` are the keywords, with the types of their lexemes.
    """

    def __init__(self, lexer_conf: LexerConf) -> None:
        texts = {t.name: t.pattern.value for t in lexer_conf.terminals if t.pattern.type == "str"}
        # A word is matched as a name first, so that `endurance` is not `end`.
        self.words = {text: name for name, text in texts.items() if text.isalpha()}
        marks = [t for t in lexer_conf.terminals if texts.get(t.name) not in self.words]
        # Regular expressions precede plain marks of the same priority: `.5` is not `.`. The longest comes first.
        marks.sort(key=lambda mark: (-mark.priority, mark.name in texts, -len(mark.pattern.value)))
        alternatives = "|".join(f"(?P<{mark.name}>{mark.pattern.to_regexp()})" for mark in marks)
        # Spaces before a lexeme are skipped together with it.
        self._pattern = re.compile(f"[ \\t]*(?:{alternatives})")
        self._ignored = frozenset(lexer_conf.ignore)

    def _is_closed(self, before: list[Lexeme], text: str, end: int) -> bool:
        """True if the word `closed`, which may also be a name, begins a statement."""
        following = _AFTER_CLOSED.match(text, end)
        starts = not before or before[-1].type in ("NEWLINE", "SEMICOLON")
        return starts and following is not None and following[1] not in self.words

    def unquoted(self, quoted: str) -> str:
        """The one text of a quoted name: without its quotes if it needs none, so that `'a'` is `a`."""
        name = quoted[1:-1]
        is_taken = name in TAKEN or (name in self.words and name != "closed")
        return quoted if is_taken or not _PLAIN.fullmatch(name) else name

    def _matches(self, text: str, place: Place) -> Iterator[re.Match[str]]:
        """All lexemes; the caller adds each to those that `place` knows before it takes the next."""
        begin: int | None = 0
        while begin is not None:
            matches, begin = self._pattern.finditer(text, begin), None
            for match in matches:
                if match.lastgroup == "QUOTED" and not place.begins_name():
                    begin = match.start("QUOTED") + 1
                    yield from _TRANSPOSE.finditer(text, begin - 1, begin)
                    break
                yield match

    def lex(self, lexer_state: Any, parser_state: Any = None) -> Iterator[Token]:
        """Hand the lexemes of a statement to lark."""
        return iter(lexer_state)

    def read(self, source: Source, with_comments: bool = False) -> list[Lexeme]:
        """All lexemes of the text in order, without spaces and comments, with one NEWLINE between lines.

        Lines are those of `Source.line`; a byte order mark takes no column. With comments, their types are COMMENT and
        LINE_COMMENT, and a NEWLINE precedes and follows one on its own line.
        """
        ignored = self._ignored - COMMENTS if with_comments else self._ignored
        text = source.text.removeprefix("\ufeff")
        # The added letter gives the last line an entry even if it is empty, so that the starts are those of all lines.
        lines = (text + "x").splitlines(keepends=True)
        starts = [*accumulate(map(len, lines[:-1]), initial=0), len(text) + 1]
        lexemes: list[Lexeme] = []
        line, in_include, quantity_end, unit_end, place = 1, False, -1, 0, Place(lexemes)
        for match in self._matches(text, place):
            kind = match.lastgroup or "STRAY"
            if kind in ignored or (kind == "NEWLINE" and lexemes and lexemes[-1].type == kind):
                continue
            begin, end = match.span(kind)
            if begin < unit_end:
                continue
            word = text[begin:end]
            blank = text[quantity_end:begin] if lexemes and lexemes[-1].type in WITH_UNIT else ""
            if blank and not blank.strip(" \t") and (unit := begins_unit(text, begin)):
                kind, word, end = "UNIT" if len(unit) <= LONGEST else "TOO_LONG", unit, begin + len(unit)
                unit_end = end
            elif kind == "NAME" and end - begin <= LONGEST:
                # Any word may be the name of a file.
                kind = kind if in_include else self.words.get(word, kind)
                if kind in ("INITIAL", "TERMINAL") and _CALL.match(text, end):
                    kind = "NAME"
                if kind == "CLOSED" and not self._is_closed(lexemes, text, end):
                    kind = "NAME"
            elif kind == "QUOTED" and end - begin <= LONGEST:
                kind, word = "NAME", self.unquoted(word)
            elif kind in ("INCLUDE", "NEWLINE", "SEMICOLON"):
                in_include = kind == "INCLUDE"
            elif kind in ("NAME", "NUMBER", "QUOTED") and end - begin > LONGEST:
                kind = "TOO_LONG"
            elif kind == "UNCLOSED_COMMENT":
                end = begin + 1
            elif kind == "NUMBER" and math.isinf(float(word)):
                kind = "TOO_LARGE"
            quantity_end = end if kind in WITH_UNIT else -1
            while starts[line] <= begin:
                line += 1
            end_line = line if end < starts[line] else bisect_right(starts, end)
            span = Span(source, line, begin - starts[line - 1] + 1, end_line, end - starts[end_line - 1] + 1)
            if kind in ELEMENTWISE and not (lexemes and lexemes[-1].type in OPERAND_ENDS):
                lexemes += two_marks(Lexeme(kind, word, span), "DOT", kind.removeprefix("EACH_"))
            else:
                lexemes.append(Lexeme(kind, word, span))
        return lexemes


def two_marks(both: Lexeme, first: str, second: str) -> list[Lexeme]:
    """The mark of one character, and the rest, as lexemes of these types."""
    span, between = both.span, both.span.column + 1
    left = Span(span.source, span.line, span.column, span.line, between)
    right = Span(span.source, span.line, between, span.line, span.end_column)
    return [Lexeme(first, both.text[:1], left), Lexeme(second, both.text[1:], right)]


def without_comments(lexemes: list[Lexeme]) -> list[Lexeme]:
    """The lexemes read `with_comments`, as if read without."""
    kept: list[Lexeme] = []
    for lexeme in lexemes:
        if lexeme.type in COMMENTS or (lexeme.type == "NEWLINE" and kept and kept[-1].type == "NEWLINE"):
            continue
        kept.append(lexeme)
    return kept
