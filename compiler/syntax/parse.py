"""Parses a file (stage 1): Source -> SyntaxTree.

Looks up no name and evaluates nothing. Statements are parsed one at a time, so that each error is found independently;
models are assembled from statements here, not in the grammar.

Errors: E101 character, E102 comment, E103 string, E104 number, E105 and E106 parentheses, E107 grammar, E108 keyword,
E109 `end` (of a model or a block) missing, E110 `end` without a block, E112 nesting, E113 misplaced statement, E114
parentheses after a name, E115 length of a name or number. Syntax of other languages (foreign_statements.py): E116
comment, E117 decimal comma, E118 operator, E119 '=' in a condition, E120 word, E121 declaration, E122 argument, E123
index, E124 connection, E125 range, E126 inner if, E127 capitals, E130 two words for one, E131 braces, E132 attributes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from typing import Any, NoReturn

from lark import UnexpectedToken

from cutset.compiler.diagnostics import MOST_SHOWN, Diagnostic, Label, ModelError, Source, Span, did_you_mean
from cutset.compiler.syntax import explain, grammar, tree
from cutset.compiler.syntax.blocks import Members
from cutset.compiler.syntax.foreign_statements import foreign_statement
from cutset.compiler.syntax.lexemes import BAD, END, FOREIGN_COMMENT, TAKEN, Lexeme
from cutset.compiler.syntax.lines import KINDS
from cutset.compiler.syntax.statements import (
    CONTINUING,
    MAXIMUM_DEPTH,
    STARTERS,
    Statement,
    lengths_of_cuts,
    read_statement,
)

# Statements that declare names, and what may follow one there.
_NAMING = KINDS | {"SUBMODEL", "NODE", "MODEL", "FUNCTION", "TYPE"}
_BEHIND_NAMES = frozenset({"COMMA", "EQUAL", "OPEN", "CLOSE", "TEXT", END})


def parse(source: Source) -> tree.SyntaxTree:
    """The syntax tree of a text. Raises ModelError with all errors of the text, in its order (E101 to E114)."""
    file = _File(source)
    file.read()
    if file.diagnostics:
        raise ModelError(_once(sorted(file.diagnostics, key=_place)))
    return file.tree(source)


def parse_tolerant(source: Source) -> tuple[tree.SyntaxTree, tuple[Diagnostic, ...]]:
    """The tree of a text that may have errors, and all of these: statements with errors are missing in it, a model
    without `end` ends with the text or where the next one begins."""
    file = _File(source, is_tolerant=True)
    file.read()
    return file.tree(source), tuple(sorted(file.diagnostics, key=_place))


def _place(placed: Diagnostic | Lexeme) -> tuple[int, int]:
    span = placed.span
    return (span.line, span.column) if span else (0, 0)


def _once(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """A reserved word that is taken as a name is told where it is taken first, with the number of its other uses."""
    uses = Counter(d.message for d in diagnostics if d.code == "E108")
    found: dict[object, Diagnostic] = {}
    for d in diagnostics:
        more = uses[d.message] - 1 if d.code == "E108" else 0
        notes = (f"it is used in {more} more place{'s' if more > 1 else ''} below",) if more else ()
        found.setdefault(d.message if more else id(d), replace(d, notes=(*d.notes, *notes)))
    return list(found.values())


def _bad_lexemes(statement: Statement) -> list[Lexeme]:
    """The bad lexemes of a statement, up to the line in which a parenthesis is left open."""
    last = statement.unclosed[0] if statement.unclosed else statement.lexemes[-1]
    bad = (lexeme for lexeme in statement.lexemes if lexeme.type in BAD and lexeme.span.line <= last.span.line)
    return list(islice(bad, MOST_SHOWN + 1))


class _File:
    """A file while it is read: the complete parts, the open model or function, and the errors."""

    def __init__(self, source: Source, is_tolerant: bool = False) -> None:
        self._is_tolerant = is_tolerant
        # Syntax of other languages is replaced by its meaning, so that it causes one message only.
        self.lexemes, self.diagnostics = as_meant(grammar.lexer().read(source))
        self.position = 0
        self.includes: list[tree.Include] = []
        self.declared: list[tree.Declaration] = []
        # A model or function is open from its header to its `end`; its header is None if it had an error.
        self.is_open = False
        self.header: tree.Class | tree.Function | None = None
        self.members = Members(self.diagnostics)
        # The keywords that declarations take for names.
        self._taken: set[str] = set()

    def read(self) -> None:
        """Read all statements."""
        while statement := self._next():
            self._take(statement)
            if len(self.diagnostics) > MOST_SHOWN and not self._is_tolerant:
                return
        if self._is_tolerant or not (self.lexemes and self.lexemes[-1].type == "UNCLOSED_COMMENT"):
            self._end_is_missing(None)

    def tree(self, source: Source) -> tree.SyntaxTree:
        """The tree of everything read."""
        declared = self.declared
        return tree.SyntaxTree(
            source,
            tuple(self.includes),
            tuple(d for d in declared if isinstance(d, tree.Class)),
            tuple(d for d in declared if isinstance(d, tree.Function)),
            tuple(d for d in declared if isinstance(d, tree.Type)),
            tuple(d for d in declared if isinstance(d, tree.CutClass)),
        )

    def _next(self) -> Statement | None:
        statement = read_statement(self.lexemes, self.position)
        if statement:
            self.position = statement.next
        return statement

    def _take(self, statement: Statement) -> None:
        start = statement.start
        if start.text in self._taken and self._node(statement) is None:
            return
        if start.type in ("MODEL", "FUNCTION"):
            self._end_is_missing(start)
            header = self._node(statement)
            members = Members(self.diagnostics, in_function=start.type == "FUNCTION")
            self.is_open, self.header, self.members = True, header, members
        elif start.type == "END":
            self._node(statement)
            self._close(start)
        elif start.type == "INCLUDE":
            self._include(statement)
        elif is_single(statement):
            self._single(statement)
        elif not self.is_open:
            self._outside(statement)
        elif self.members.has_block_for(statement):
            if start.text.startswith(("end ", "else ")):
                self.diagnostics.append(explain.two_words(start))
            member = self._node(statement)
            if isinstance(member, tree.Member):
                # The span of an item covers its name only, so the span of a declaration comes from its lexemes.
                member = replace(member, span=start.span.to(statement.lexemes[-1].span))
            if isinstance(member, tree.VariableDeclaration):
                self.diagnostics += [explain.taken_name(item) for item in member.items if item.name in TAKEN]
            self.members.take(statement, member)

    # --- one statement ---

    def _node(self, statement: Statement) -> Any:
        """The node that the grammar makes of a statement; None, with an error, if it is invalid."""
        bad = _bad_lexemes(statement)
        if bad:
            known = foreign_statement(statement, statement.lexemes.index(bad[0]))
            self.diagnostics += [known] if known else [explain.bad_lexeme(lexeme) for lexeme in bad]
            if statement.unclosed:
                self._resume(statement, statement.unclosed[0].span.line + 1)
            return None
        if statement.too_deep:
            self.diagnostics.append(explain.too_deep(statement.too_deep.span))
            return None
        try:
            node = self._parse(statement)
        except ModelError as error:
            taken = [x for x in statement.lexemes if x.type != "NAME" and x.text in self._taken]
            self.diagnostics += map(explain.reserved, taken)
            if not taken:
                self.diagnostics += [_as_foreign(statement, diagnostic) for diagnostic in error.diagnostics]
                self._take_names(statement, error)
            return None
        deep = _too_deep(node) if len(statement.lexemes) > MAXIMUM_DEPTH else None
        if deep:
            self.diagnostics.append(explain.too_deep(deep))
            return None
        return node

    def _take_names(self, statement: Statement, error: ModelError) -> None:
        """Note the keywords that a declaration takes for names, and report all but the first; other statements that
        use them get no message of another kind."""
        (found, *others), lexemes = error.diagnostics, list(statement.lexemes)
        index = next((k for k, x in enumerate(lexemes) if x.span == found.span), 0)
        behind = lexemes[index + 1].type if index + 1 < len(lexemes) else END
        word = lexemes[index]
        if others or found.code != "E108" or statement.start.type not in _NAMING or behind not in _BEHIND_NAMES:
            return
        if word.span.line == lexemes[index - 1].span.line:
            self._taken.add(word.text)
            lexemes[index] = Lexeme("NAME", word.text, word.span)
            self._node(statement._replace(lexemes=tuple(lexemes)))

    def _parse(self, statement: Statement) -> Any:
        lexemes = list(statement.lexemes)
        for k in lengths_of_cuts(lexemes):
            lexemes[k] = Lexeme("LENGTH", "(", lexemes[k].span)
        try:
            return grammar.parser().parse(lexemes, start=grammar.START)
        except UnexpectedToken as error:
            index = next((k for k, lexeme in enumerate(lexemes) if lexeme is error.token), len(lexemes))
            # lark has left the state before the lexeme: it completes rules first.
            before = grammar.parser().parse_interactive(start=grammar.START)
            for lexeme in lexemes[:index]:
                before.feed_token(lexeme)
            accepted = frozenset(before.accepts()) - {"LENGTH"}  # type: ignore[no-untyped-call]
            # A model has equations, a function assignments.
            foreign = {"EQUAL" if self.members.in_function else "ASSIGN"}
            self._unexpected(statement, index, accepted - foreign if {"EQUAL", "ASSIGN"} <= accepted else accepted)

    def _unexpected(self, statement: Statement, index: int, accepted: frozenset[str]) -> NoReturn:
        is_end = index == len(statement.lexemes)
        found = statement.end if is_end else statement.lexemes[index]
        open_there = [bracket for bracket in statement.unclosed if is_end or _place(bracket) < _place(found)]
        bracket = open_there[-1] if open_there else None
        if bracket and (is_end or found.span.line > bracket.span.line):
            if not is_end:
                self._resume(statement, found.span.line)
            raise ModelError((explain.unclosed(bracket, found),))
        if statement.unclosed:
            self._resume(statement, found.span.line + 1)
        raise ModelError((foreign_statement(statement, index) or explain.unexpected(statement, index, accepted),))

    def _resume(self, statement: Statement, line: int) -> None:
        """Continue at a line inside a statement that became too long because a parenthesis is not closed."""
        inside = range(statement.first, statement.next)
        self.position = next((i for i in inside if self.lexemes[i].span.line >= line), statement.next)

    # --- models ---

    def _close(self, end: Lexeme) -> None:
        members = self.members.finish()
        if not self.is_open:
            hint = "remove it, or remove an extra 'end' above it"
            self.diagnostics.append(Diagnostic("E110", "unmatched 'end'", end.span, hint))
        elif self.header is not None:
            self.declared.append(replace(self.header, members=members))
        self.is_open, self.header, self.members = False, None, Members(self.diagnostics)

    def _end_is_missing(self, following: Lexeme | None) -> None:
        if not self.is_open or self.header is None:
            return
        members = self.members.finish()
        if self._is_tolerant:
            self.declared.append(replace(self.header, members=members))
        labels = (Label(following.span, f"the next {following.text} begins here"),) if following else ()
        what = "function" if isinstance(self.header, tree.Function) else "model"
        message = f"{what} '{self.header.name}' has no 'end'"
        hint = f"end the {what} with 'end' on its own line"
        self.diagnostics.append(Diagnostic("E109", message, self.header.span, hint, labels=labels))

    def _include(self, statement: Statement) -> None:
        include = self._node(statement)
        if include is None:
            return
        if self.is_open:
            hint = "move it before the models of the file"
            self.diagnostics.append(Diagnostic("E113", "an include must be outside of models", include.span, hint))
        self.includes.append(include)

    def _single(self, statement: Statement) -> None:
        """A type, a cut class or an external function: one statement outside of models."""
        declared = self._node(statement)
        if declared is None:
            return
        if self.is_open:
            hint = "move it before the models of the file"
            what = {"TYPE": "a type", "CUT": "a cut class", "EXTERNAL": "an external function"}[statement.start.type]
            self.diagnostics.append(Diagnostic("E113", f"{what} must be outside of models", declared.span, hint))
        self.declared.append(declared)

    def _outside(self, statement: Statement) -> None:
        bad = _bad_lexemes(statement)
        known = foreign_statement(statement, statement.lexemes.index(bad[0]) if bad else 0)
        if known:
            self.diagnostics.append(known)
        elif bad:
            self.diagnostics += [explain.bad_lexeme(lexeme) for lexeme in bad]
        else:
            start = statement.start
            hint = did_you_mean(start.text, ["model"]) or "put declarations and equations between 'model' and 'end'"
            if start.type == "CUT":
                hint = "write a cut class like this: cut class Name (v / i)"
            message = f"{explain.found_words(start)} is outside of a model"
            self.diagnostics.append(Diagnostic("E113", message, start.span, hint))
        # Everything up to the next `end` is read as the contents of a model: one message is enough.
        self.is_open, self.header, self.members = True, None, Members(self.diagnostics)
        if statement.opens_block:
            self.members.take(statement, None)


def is_name(text: str) -> bool:
    """True if the text can be the name of a variable without quotes: neither a keyword nor predefined."""
    return bool(text) and "'" not in text and text not in TAKEN and _read_name(text) == text


def as_name(text: str) -> str:
    """The text as a name, in quotes if it needs them; empty if no name can have it: `node 3+` -> `'node 3+'`."""
    bare = text[1:-1] if text[:1] == "'" == text[-1:] else text
    return bare if is_name(bare) else _read_name(f"'{bare}'")


def parsed_reference(text: str, at: Span) -> tree.Reference | None:
    """The name that a text is, `a.b` or `x(2)`, as if it stood at this place; None for another text."""
    try:
        found = grammar.parser().parse(grammar.lexer().read(Source("", f"0={text}")), start=grammar.START)
    except (UnexpectedToken, ModelError):
        return None
    right = found.right if isinstance(found, tree.Equation) else None
    return tree.mapped(right, lambda node: replace(node, span=at)) if isinstance(right, tree.Reference) else None


def _read_name(text: str) -> str:
    """The text of its only lexeme if that is a name, else empty."""
    lexemes = grammar.lexer().read(Source("", text))
    return lexemes[0].text if [lexeme.type for lexeme in lexemes] == ["NAME"] else ""


def is_single(statement: Statement) -> bool:
    """True for statements outside of models: a type, a cut class, an external function."""
    first, second, third = (*(lexeme.type for lexeme in statement.lexemes[:3]), "", "", "")[:3]
    is_controller = second == third == "NAME" and statement.lexemes[1].text == tree.CONTROLLER
    is_foreign = first == "EXTERNAL" and (second == "FUNCTION" or is_controller)
    return first == "TYPE" or (first, second) == ("CUT", "CLASS") or is_foreign


def _as_foreign(statement: Statement, diagnostic: Diagnostic) -> Diagnostic:
    """The diagnostic, or that of syntax of another language, as in r(R = 0,5)."""
    index = next((k for k, lexeme in enumerate(statement.lexemes) if _place(lexeme) == _place(diagnostic)), None)
    known = foreign_statement(statement, index) if diagnostic.code == "E114" and index is not None else None
    return known or diagnostic


def _too_deep(node: Any) -> Span | None:
    """The span of a node nested deeper than MAXIMUM_DEPTH, None if there is none. Not recursive.

    The left operand of an operation that is itself an operation does not count as deeper: sums may have any length, and
    code that walks over expressions takes such chains in a loop.
    """
    stack: list[tuple[Any, int]] = [(node, 0)]
    while stack:
        current, depth = stack.pop()
        if isinstance(current, Span):
            continue
        if isinstance(current, tuple):
            stack += [(child, depth) for child in current]
        elif isinstance(current, tree.Binary):
            operations = [*tree.chain(current)]
            stack.append((operations[-1].left, depth + 1))
            stack += [(operation.right, depth + 1) for operation in reversed(operations)]
        elif hasattr(current, "__dataclass_fields__"):
            if depth > MAXIMUM_DEPTH:
                span: Span = current.span
                return span
            stack += [(getattr(current, name), depth + 1) for name in current.__dataclass_fields__]
    return None


# --- foreign lexemes ------------------------------------------------------------------------------

# Replaces only what has a single meaning and is never valid: comments with two slashes, keywords with capital letters
# (but not `End` on its own line).


# Keywords that start a statement.
_FIRST = {kind.lower(): kind for kind in (STARTERS - {"INCLUDE"}) | {"IF", "ELSE", "ELSEIF", "FOR", "TYPE"}}
# Tokens that may follow such a keyword, but never the first name of an equation.
_BEHIND = frozenset({"NEWLINE", "SEMICOLON", "NAME", "CLASS", "CUT", "PATH", "FUNCTION"})


def as_meant(lexemes: list[Lexeme]) -> tuple[list[Lexeme], list[Diagnostic]]:
    """The lexemes without comments of other languages, with keywords in lowercase; E116 and E127."""
    comments = [lexeme for lexeme in lexemes if lexeme.type == FOREIGN_COMMENT]
    diagnostics = list(_comments(comments))
    kept = _without_comments(lexemes) if comments else lexemes
    for k, lexeme in enumerate(kept):
        if lexeme.type == "NAME" and lexeme.text.lower() in _FIRST and _begins(kept, k):
            diagnostics.append(explain.capitals(lexeme))
            word = lexeme.text.lower()
            kept[k] = Lexeme(_FIRST[word], word, lexeme.span)
    return kept, diagnostics


def _without_comments(lexemes: list[Lexeme]) -> list[Lexeme]:
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
