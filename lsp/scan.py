"""Scans one text for an editor: lexemes, the tree of what is valid, and where classes and blocks begin and end."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from cutset.compiler.diagnostics import Source, Span
from cutset.compiler.syntax import tree
from cutset.compiler.syntax.grammar import lexer
from cutset.compiler.syntax.lexemes import COMMENTS, Lexeme, without_comments
from cutset.compiler.syntax.parse import parse_tolerant
from cutset.compiler.syntax.statements import BLOCK_ENDS, Statement, read_statement


@dataclass(frozen=True)
class Extent:
    """A class, a function or a block from its first statement to its last; `word` is the type of its first lexeme,
    `name` its name if it has one. `end` is None while the last statement is missing."""

    word: str
    name: str
    start: Span
    end: Span | None

    def holds(self, line: int, column: int) -> bool:
        """True if the place is between the start and the end."""
        behind_start = (line, column) >= (self.start.line, self.start.column)
        return behind_start and (self.end is None or (line, column) <= (self.end.end_line, self.end.end_column))


class Scan:
    """A text and what an editor needs of it, computed when it is used; `known` is its tree, if that is known."""

    def __init__(self, source: Source, known: tree.SyntaxTree | None = None) -> None:
        self.source = source
        self._known = known

    @cached_property
    def contents(self) -> tree.SyntaxTree:
        """The tree of all valid statements."""
        return self._known or parse_tolerant(self.source)[0]

    @cached_property
    def all_lexemes(self) -> list[Lexeme]:
        """The lexemes with comments."""
        return lexer().read(self.source, with_comments=True)

    @cached_property
    def lexemes(self) -> list[Lexeme]:
        """The lexemes without comments."""
        return without_comments(self.all_lexemes)

    @property
    def comments(self) -> list[Lexeme]:
        """The comments."""
        return [lexeme for lexeme in self.all_lexemes if lexeme.type in COMMENTS]

    @cached_property
    def statements(self) -> list[Statement]:
        """All statements, valid or not."""
        found: list[Statement] = []
        position = 0
        while statement := read_statement(self.lexemes, position):
            found.append(statement)
            position = statement.next
        return found

    @cached_property
    def extents(self) -> list[Extent]:
        """The classes, functions and blocks, in the order of their ends."""
        found: list[Extent] = []
        opened: list[Statement] = []

        def close(end: Span | None) -> None:
            start = opened.pop()
            found.append(Extent(start.start.type, _name(start), start.start.span, end))

        for statement in self.statements:
            word = statement.start.type
            last = statement.lexemes[-1].span
            if word in ("MODEL", "FUNCTION"):
                while opened:
                    close(_before(statement))
                opened.append(statement)
            elif word == "END":
                while opened and opened[-1].start.type not in ("MODEL", "FUNCTION"):
                    close(_before(statement))
                if opened:
                    close(last)
            elif statement.opens_block:
                opened.append(statement)
            elif opened and BLOCK_ENDS.get(opened[-1].start.type) == word:
                close(last)
        while opened:
            close(None)
        return found

    def class_at(self, line: int, column: int) -> Extent | None:
        """The class or function around a place."""
        return next((e for e in self.extents if e.word in ("MODEL", "FUNCTION") and e.holds(line, column)), None)

    def declared_at(self, line: int, column: int) -> tree.Class | tree.Function | None:
        """The declaration of the class or function around a place; None if its first statement has an error."""
        around = self.class_at(line, column)
        if around is None:
            return None
        declared: list[tree.Class | tree.Function] = [*self.contents.classes, *self.contents.functions]
        return next((d for d in declared if d.name == around.name and d.span.line >= around.start.line), None)

    def extent_of(self, declared: tree.Declaration) -> Span:
        """All of a declaration, from its first word to its last."""
        span = declared.span
        for extent in self.extents:
            if extent.word in ("MODEL", "FUNCTION") and extent.name == declared.name and extent.start.line <= span.line:
                around = extent.start.to(extent.end or self.lexemes[-1].span)
                if (around.line, around.column) <= (span.line, span.column) <= (around.end_line, around.end_column):
                    return around
        whole = self.statement_at(span.line, span.column)
        return whole.start.span.to(whole.lexemes[-1].span) if whole else span

    def statement_at(self, line: int, column: int) -> Statement | None:
        """The statement in which a place is."""
        for statement in self.statements:
            first, last = statement.start.span, statement.lexemes[-1].span
            if (first.line, first.column) <= (line, column) <= (last.end_line, last.end_column):
                return statement
        return None


def _name(statement: Statement) -> str:
    """The name in the header of a class or function: the first one outside parentheses."""
    depth = 0
    for lexeme in statement.lexemes[1:]:
        depth += {"OPEN": 1, "CLOSE": -1}.get(lexeme.type, 0)
        if lexeme.type == "NAME" and not depth:
            return lexeme.text
    return ""


def _before(statement: Statement) -> Span:
    first = statement.start.span
    return Span(first.source, first.line, first.column, first.line, first.column)
