"""Divides lexemes into statements (stage 1, second step): where one ends and the next starts.

Considers parentheses and ends of lines only; the grammar checks the statement itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cutset.compiler.diagnostics import Span
from cutset.compiler.syntax.lexemes import ELEMENTWISE, END, Lexeme, two_marks
from cutset.compiler.syntax.lines import KINDS, Shape
from cutset.compiler.syntax.quotes import OPERAND_ENDS

# The limit on the nesting of parentheses and expressions, so that later stages may be recursive.
MAXIMUM_DEPTH = 200

# The keywords that open, close and divide blocks.
BLOCK_ENDS = {
    "FOR": "ENDFOR",
    "WHILE": "ENDWHILE",
    "IF": "ENDIF",
    "WHEN": "ENDWHEN",
    "INITIAL": "ENDINITIAL",
}
DIVIDERS = {"ELSEIF": "IF", "ELSE": "IF", "ELSEWHEN": "WHEN"}

# Two words that other languages write for one keyword; no statement starts with these pairs.
_TWO_WORDS = {("END", opener): end for opener, end in BLOCK_ENDS.items()} | {
    ("ELSE", "IF"): "ELSEIF",
    ("ELSE", "WHEN"): "ELSEWHEN",
}

# A line that is complete with this keyword ends after it.
_LINE_ENDS = {"IF": "THEN", "ELSEIF": "THEN", "WHEN": "THEN", "ELSEWHEN": "THEN", "ELSE": "ELSE"}

# Keywords that occur only at the start of a statement: on a new line they always end the one before.
STARTERS = (
    KINDS
    | frozenset(BLOCK_ENDS.values())
    | {"INCLUDE", "MODEL", "FUNCTION", "END", "SUBMODEL", "MAIN", "CUT", "PATH", "NODE", "CONNECT", "EXPERIMENT"}
    | {"WHILE", "WHEN", "ELSEWHEN", "INITIAL", "CLOSED", "ASSERT", "TERMINATE"}
)

# After one of these a statement continues in the next line.
CONTINUING = (
    (STARTERS - {"INCLUDE", "END", "INITIAL"} - frozenset(BLOCK_ENDS.values()))
    | {
        "CLASS",
        "TYPE",
        "COMMA",
        "EQUAL",
        "ASSIGN",
        "COLON",
        "DOT",
        "DOTS",
        "TO",
        "AT",
        "PAR",
        "LOOP",
        "REVERSED",
        "FOR",
    }
    | {"IF", "THEN", "ELSEIF", "ELSE", "AND", "OR", "NOT"}
    | {"LESS", "LESS_EQUAL", "GREATER", "GREATER_EQUAL", "SAME", "DIFFERENT"}
    | {"PLUS", "TOLERANCE", "MINUS", "STAR", "SLASH", "POWER", "POWER_STARS", *ELEMENTWISE}
)

# Statements with values of parameters. In others, and before an operand, `+-` is two signs.
_WITH_TOLERANCES = frozenset({"PARAMETER", "CONSTANT", "INTERNAL", "SUBMODEL"})

# Behind the first mark of a length: `n + 1`. In the list of a cut a name comes before a comma or a slash.
_IN_LENGTHS = frozenset({"PLUS", "MINUS", "STAR"})

_OPENER = {"CLOSE": "OPEN", "CLOSE_SQUARE": "OPEN_SQUARE"}


class Statement(NamedTuple):
    """One statement: at least one lexeme, and its end; `first` and `next` are the indices of its start and its end."""

    lexemes: tuple[Lexeme, ...]
    end: Lexeme
    unclosed: tuple[Lexeme, ...]
    too_deep: Lexeme | None
    first: int
    next: int

    @property
    def start(self) -> Lexeme:
        """The first lexeme."""
        return self.lexemes[0]

    @property
    def opens_block(self) -> bool:
        """True for the first line of a block, valid or not; `if a then b else c = d` is an equation."""
        kind = self.start.type
        if kind not in BLOCK_ENDS or self.lexemes[-1].type == BLOCK_ENDS[kind]:
            return False
        is_equation = kind == "IF" and any(lexeme.type == "ELSE" for lexeme in self.lexemes)
        return not is_equation or self.lexemes[-1].type == "THEN"


def read_statement(lexemes: list[Lexeme], index: int) -> Statement | None:
    """The first statement at or after `index`, None if there is none left."""
    while index < len(lexemes) and lexemes[index].type in ("NEWLINE", "SEMICOLON"):
        index += 1
    if index == len(lexemes):
        return None
    brackets = _Brackets()
    taken = _two_words(lexemes, index)
    for position in range(index + 2 * len(taken), len(lexemes)):
        lexeme = lexemes[position]
        if lexeme.type == "NEWLINE":
            if _ends_at_line(lexemes, position, brackets, taken):
                return _statement(taken, brackets, "\n", (index, position))
        elif lexeme.type == "SEMICOLON" and all(bracket.type != "OPEN_SQUARE" for bracket in brackets.open):
            return _statement(taken, brackets, ";", (index, position))
        else:
            brackets.take(taken, lexeme)
            is_sum = lexeme.type == "TOLERANCE" and not _is_tolerance(taken)
            taken += two_marks(lexeme, "PLUS", "MINUS") if is_sum else [lexeme]
    return _statement(taken, brackets, "", (index, len(lexemes)))


def lengths_of_cuts(lexemes: Sequence[Lexeme]) -> Iterator[int]:
    """The parentheses before the lengths of arrays of cuts: further ones follow, or it is a number or computed."""
    words = [x.type for x in lexemes[:2]]
    if "CUT" not in words or "CLASS" in words:
        return
    opened: list[int] = []
    for k, x in enumerate(lexemes):
        if x.type in _OPENER.values():
            one, two = (*(each.type for each in lexemes[k + 1 : k + 3]), END, END)[:2]
            if (
                not opened
                and lexemes[k - 1].type == "NAME"
                and (one == "NUMBER" or (one == "NAME" and two in _IN_LENGTHS))
            ):
                yield k
            opened.append(k)
        elif x.type in _OPENER and opened:
            first = opened.pop()
            following = lexemes[k + 1].type if k + 1 < len(lexemes) else END
            if not opened and k > first + 1 and lexemes[first - 1].type == "NAME" and following in _OPENER.values():
                yield first


def _is_tolerance(before: list[Lexeme]) -> bool:
    """True if `+-` behind these lexemes of a statement begins a tolerance; else it is two signs: `k = +-3`."""
    return bool(before) and before[0].type in _WITH_TOLERANCES and before[-1].type in OPERAND_ENDS


def _two_words(lexemes: list[Lexeme], index: int) -> list[Lexeme]:
    """`else if` or `end if` as the one lexeme that is meant: its text contains a space. Empty if no such pair starts
    here."""
    first, second = (*lexemes[index : index + 2], None)[:2]
    kind = _TWO_WORDS.get((first.type, second.type)) if first and second else None
    if first is None or second is None or kind is None:
        return []
    return [Lexeme(kind, f"{first.text} {second.text}", first.span.to(second.span))]


class _Brackets:
    """The open parentheses and brackets, including the angles of a path but not those of a relation."""

    def __init__(self) -> None:
        self.open: list[Lexeme] = []
        self.too_deep: Lexeme | None = None
        self.path_end: Lexeme | None = None
        self.shape = Shape()

    def take(self, before: list[Lexeme], lexeme: Lexeme) -> None:
        kind = lexeme.type
        if kind in ("OPEN", "OPEN_SQUARE") or (kind == "LESS" and _follows_path_name(before)):
            if len(self.open) < MAXIMUM_DEPTH:
                self.open.append(lexeme)
            else:
                self.too_deep = self.too_deep or lexeme
        elif kind == "GREATER" and self.open and self.open[-1].type == "LESS":
            self.open.pop()
            self.path_end = lexeme
        elif kind in _OPENER and any(bracket.type == _OPENER[kind] for bracket in self.open):
            # The grammar reports a parenthesis of another kind in between.
            while self.open.pop().type != _OPENER[kind]:
                pass
        elif not self.open:
            self.shape.take(lexeme)


def _follows_path_name(before: list[Lexeme]) -> bool:
    return len(before) >= 2 and before[-1].type == "NAME" and before[-2].type == "PATH"


def _ends_at_line(lexemes: list[Lexeme], position: int, brackets: _Brackets, taken: list[Lexeme]) -> bool:
    last = taken[-1]
    if not brackets.open and last.type == _LINE_ENDS.get(taken[0].type):
        return True
    if brackets.too_deep or position + 1 == len(lexemes):
        return True
    is_open = brackets.open or (last.type in CONTINUING and last is not brackets.path_end)
    if is_open or brackets.shape.goes_on_behind(taken):
        return lexemes[position + 1].type in STARTERS and last.type != "MAIN"
    return not brackets.shape.goes_on_with(taken, lexemes, position + 1, CONTINUING)


def _statement(taken: list[Lexeme], brackets: _Brackets, end: str, place: tuple[int, int]) -> Statement:
    last = taken[-1].span
    behind = Span(last.source, last.end_line, last.end_column, last.end_line, last.end_column)
    return Statement(tuple(taken), Lexeme(END, end, behind), tuple(brackets.open), brackets.too_deep, *place)
