"""Stage 1, its second step: whether a statement goes on in the next line. A statement so far, the next line -> yes or
no.

Knows only what a statement can begin with. A line that begins otherwise belongs to the statement above; `+`, `-`, a
bracket or a text can begin an equation, and then the line holds a `=` of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from cutset.compiler.syntax.lexemes import Lexeme

KINDS = frozenset({"PARAMETER", "CONSTANT", "LOCAL", "TERMINAL", "INPUT", "OUTPUT", "DEFAULT", "EXTERNAL", "INTERNAL"})

# No statement begins with one of these.
LEADING = frozenset(
    {
        "TO",
        "AT",
        "PAR",
        "LOOP",
        "AND",
        "OR",
        "THEN",
        "DO",
        "COMMA",
        "EQUAL",
        "ASSIGN",
        "STAR",
        "SLASH",
        "POWER",
        "POWER_STARS",
    }
    | {"DOT", "DOTS", "COLON", "LESS", "LESS_EQUAL", "GREATER", "GREATER_EQUAL", "SAME", "DIFFERENT"}
)
_SIGNS = frozenset({"PLUS", "MINUS"})
_BRACKETS = {"OPEN": 1, "OPEN_SQUARE": 1, "CLOSE": -1, "CLOSE_SQUARE": -1}
# With these an equation begins.
_OPERANDS = frozenset({"NAME", "NUMBER", "TEXT", "OPEN", "OPEN_SQUARE", "NOT", "IF"}) | _SIGNS
# Statements in which a name is followed by brackets and ends with a text.
_NAMING = KINDS | {"SUBMODEL", "MAIN", "CUT", "MODEL", "FUNCTION", "TYPE"}
# Words in front of the first name of such a statement.
_HEADS = _NAMING | {"CLASS"}
# What an `if` around statements holds.
_ACTIONS = frozenset({"EQUAL", "ASSIGN", "CONNECT", "ASSERT", "TERMINATE"})
_BRANCHES = frozenset({"THEN", "ELSE", "ELSEIF"})


class Shape:
    """What a statement has outside of its brackets, as far as it is read."""

    def __init__(self) -> None:
        self.has_equal = False
        self.has_action = False
        self.open_ifs = 0
        self.has_name = False
        self.has_result = False

    def take(self, lexeme: Lexeme) -> None:
        """The next lexeme, which stands in no bracket."""
        kind = lexeme.type
        if kind == "NAME":  # most are
            self.has_name = True
            self.has_result |= lexeme.text == "result"
            return
        self.has_name |= kind not in _HEADS and kind not in _BRACKETS
        if kind in _ACTIONS:
            self.has_action = True
            self.has_equal |= kind in ("EQUAL", "ASSIGN")
        elif kind in _BRANCHES:
            # At the start of a statement `elseif` belongs to no expression.
            self.open_ifs = max(0, self.open_ifs + (1 if kind == "THEN" else -1))

    def goes_on_behind(self, taken: Sequence[Lexeme]) -> bool:
        """Do the names still follow: `submodel (Class)`, `main cut (Pin)`, `model class (Super)`?"""
        return taken[0].type in _NAMING and taken[-1].type == "CLOSE" and not self.has_name

    def goes_on_with(
        self, taken: Sequence[Lexeme], lexemes: Sequence[Lexeme], index: int, continuing: frozenset[str]
    ) -> bool:
        """Does the line that begins at `index` belong to the statement? Behind `continuing` a line goes on."""
        first, kind = taken[0].type, lexemes[index].type
        if kind in LEADING:
            return True
        if kind in ("ELSE", "ELSEIF"):
            return self.open_ifs > 0 and not (first == "IF" and self.has_action)
        if kind in _SIGNS:
            own = _is_equation(_outside_of_brackets(lexemes, index, continuing))
            return not own or (not self.has_equal and first in _OPERANDS)
        if kind == "NAME":
            return self._has_result_behind(first, lexemes, index)
        if kind in ("TEXT", "OPEN", "OPEN_SQUARE"):
            return first in _NAMING and self._follows_name(lexemes, index, continuing)
        if kind == "IF" and first == "SUBMODEL":
            return "THEN" not in _outside_of_brackets(lexemes, index, continuing)
        if kind == "FOR" and first == "CONNECT":
            return "DO" not in _outside_of_brackets(lexemes, index, continuing)
        return False

    def _has_result_behind(self, first: str, lexemes: Sequence[Lexeme], index: int) -> bool:
        following = lexemes[index + 1].type if index + 1 < len(lexemes) else ""
        is_result = lexemes[index].text == "result" and following == "NAME"
        return is_result and first in ("FUNCTION", "EXTERNAL") and not self.has_result

    @staticmethod
    def _follows_name(lexemes: Sequence[Lexeme], index: int, continuing: frozenset[str]) -> bool:
        """Does the line begin with the brackets or the text of a name, and not with those of an equation?"""
        if not _is_equation(_outside_of_brackets(lexemes, index, continuing)):
            return True
        # Attributes: (unit="m") = 3.
        return lexemes[index].type == "OPEN" and [x.type for x in lexemes[index + 1 : index + 3]] == ["NAME", "EQUAL"]


def _is_equation(kinds: Sequence[str]) -> bool:
    """Does a line with these kinds of lexemes outside of brackets hold the `=` of an equation, and not that of a
    list?"""
    return any(kind in ("EQUAL", "ASSIGN") for kind in kinds[: kinds.index("COMMA") if "COMMA" in kinds else None])


def _outside_of_brackets(lexemes: Sequence[Lexeme], index: int, continuing: frozenset[str]) -> list[str]:
    """The kinds of lexemes outside of brackets, from `index` to where a line ends that neither its end nor the next
    line continues."""
    kinds: list[str] = []
    depth = 0
    for position in range(index, len(lexemes)):
        kind = lexemes[position].type
        if kind == "NEWLINE":
            following = lexemes[position + 1].type if position + 1 < len(lexemes) else ""
            if depth <= 0 and following not in LEADING and lexemes[position - 1].type not in continuing:
                break
        elif kind == "SEMICOLON" and depth <= 0:
            break
        elif kind in _BRACKETS:
            depth += _BRACKETS[kind]
        elif depth <= 0:
            kinds.append(kind)
    return kinds
