"""Finds the context of the cursor in a text that may not parse: which list it is in, what is before it."""

from __future__ import annotations

from dataclasses import dataclass

from cutset.compiler.syntax.lexemes import Lexeme
from cutset.compiler.syntax.lines import KINDS
from cutset.compiler.syntax.statements import STARTERS
from cutset.lsp.scan import Scan

_CLOSERS = {"CLOSE": "OPEN", "CLOSE_SQUARE": "OPEN_SQUARE"}


@dataclass(frozen=True)
class Context:
    """The lexemes of the statement up to the cursor, without the word at the cursor (`word`, up to the cursor). `open`
    are the positions in `before` of the parentheses and brackets that are open, the innermost last."""

    before: tuple[Lexeme, ...]
    word: str
    open: tuple[int, ...]
    line: int
    column: int

    @property
    def start(self) -> str:
        """The type of the first lexeme; empty at the start of a statement."""
        return self.before[0].type if self.before else ""

    @property
    def last(self) -> str:
        """The type of the lexeme before the word; empty at the start of a statement."""
        return self.before[-1].type if self.before else ""

    def has(self, kind: str) -> bool:
        """True if a lexeme of the type is before the cursor, outside parentheses."""
        return any(lexeme.type == kind for lexeme in outside(self.before))

    def argument(self) -> int:
        """How many commas precede the cursor in the innermost parentheses."""
        if not self.open:
            return 0
        return sum(lexeme.type == "COMMA" for lexeme in outside(self.before[self.open[-1] + 1 :]))

    def chain(self, mark: str) -> list[str] | None:
        """The names before the word, joined by marks of one type: for `a.b(1).` a, b; None if there is no mark."""
        names: list[str] = []
        k = len(self.before) - 1
        while k >= 0 and self.before[k].type == mark:
            k = _before_arguments(self.before, k - 1)
            if k < 0 or self.before[k].type != "NAME":
                return None
            names.insert(0, self.before[k].text)
            k -= 1
        return names or None

    def called(self) -> str:
        """The name before the innermost open parenthesis; empty if there is none."""
        k = self.open[-1] - 1 if self.open else -1
        return self.before[k].text if k >= 0 and self.before[k].type == "NAME" else ""

    def named_argument_given(self) -> bool:
        """True behind `name =` in the innermost parentheses."""
        return any(lexeme.type == "EQUAL" for lexeme in self._of_argument())

    def named_argument(self) -> str:
        """The name of `name = ...` in the innermost parentheses, if the cursor is at or behind it."""
        rest = self._of_argument()
        if len(rest) >= 2 and rest[0].type == "NAME" and rest[1].type == "EQUAL":
            return rest[0].text
        return self.word if not rest else ""

    def _of_argument(self) -> tuple[Lexeme, ...]:
        """The lexemes of the argument at the cursor."""
        inside = self.before[self.open[-1] + 1 :] if self.open else ()
        last = max((k for k, lexeme in enumerate(inside) if lexeme.type == "COMMA"), default=-1)
        return inside[last + 1 :]


def outside(lexemes: tuple[Lexeme, ...]) -> list[Lexeme]:
    """The lexemes that are in no parentheses among these."""
    depth, found = 0, []
    for lexeme in lexemes:
        if lexeme.type in ("OPEN", "OPEN_SQUARE"):
            depth += 1
        elif lexeme.type in _CLOSERS:
            depth -= 1
        elif depth <= 0:
            found.append(lexeme)
    return found


def _before_arguments(lexemes: tuple[Lexeme, ...], k: int) -> int:
    """The index before closed parentheses that end at k."""
    depth = 0
    while k >= 0 and (depth or lexemes[k].type == "CLOSE"):
        depth += {"CLOSE": 1, "OPEN": -1}.get(lexemes[k].type, 0)
        k -= 1
    return k


def context_at(scan: Scan, line: int, column: int) -> Context | None:
    """The context of a place; None in a comment or a string."""
    for lexeme in scan.all_lexemes:
        span = lexeme.span
        inside = (span.line, span.column) < (line, column) < (span.end_line, span.end_column)
        if lexeme.type in ("COMMENT", "TEXT", "UNCLOSED_COMMENT") and inside:
            return None
        if lexeme.type in ("LINE_COMMENT", "UNCLOSED_TEXT") and span.line == line and span.column < column:
            return None
        if lexeme.type == "UNCLOSED_COMMENT" and (span.line, span.column) < (line, column):
            return None
    before = [lexeme for lexeme in scan.lexemes if (lexeme.span.end_line, lexeme.span.end_column) <= (line, column)]
    word = ""
    if before and is_word(before[-1]) and before[-1].span[3:] == (line, column):
        word = before.pop().text
    else:
        around = next(
            (x for x in scan.lexemes if x.span.line == line and x.span.column < column < x.span.end_column), None
        )
        word = around.text[: column - around.span.column] if around and is_word(around) else ""
    return Context(*_statement(before, word), line, column)


def is_word(lexeme: Lexeme) -> bool:
    """True for a name or a keyword."""
    return lexeme.type == "NAME" or lexeme.text.isidentifier()


def _statement(before: list[Lexeme], word: str) -> tuple[tuple[Lexeme, ...], str, tuple[int, ...]]:
    """The lexemes of the last statement, which may be incomplete, and its open parentheses."""
    first = 0
    opened: list[int] = []
    for k, lexeme in enumerate(before):
        is_start = lexeme.type in STARTERS and k > first and before[k - 1].type == "NEWLINE"
        if is_start or (lexeme.type == "SEMICOLON" and not any(before[i].type == "OPEN_SQUARE" for i in opened)):
            first, opened = (k if is_start else k + 1), []
        elif lexeme.type == "NEWLINE" and not opened and not _continues(before, first, k):
            first = k + 1
        elif lexeme.type in ("OPEN", "OPEN_SQUARE"):
            opened.append(k)
        elif lexeme.type in _CLOSERS and opened:
            opened.pop()
    kept = [k for k in range(first, len(before)) if before[k].type != "NEWLINE"]
    places = {k: place for place, k in enumerate(kept)}
    return tuple(before[k] for k in kept), word, tuple(places[k] for k in opened if k in places)


_OPERATORS = frozenset(
    {"COMMA", "EQUAL", "ASSIGN", "PLUS", "MINUS", "STAR", "SLASH", "POWER", "TO", "AT", "PAR", "LOOP"}
)


def _continues(before: list[Lexeme], first: int, newline: int) -> bool:
    """True if the statement goes on after this end of a line."""
    last = before[newline - 1].type if newline > first else "NEWLINE"
    return (
        last in _OPERATORS or last in KINDS or last in ("CONNECT", "SUBMODEL", "REVERSED", "AND", "OR", "NOT", "COLON")
    )
