"""Decides whether a statement continues in the next line (stage 1, second step).

Knows only what can start a statement. A line that starts otherwise belongs to the statement above. `+`, `-`,
parentheses or a string can start an equation; then the line contains its own `=`.
"""

from __future__ import annotations

from collections.abc import Sequence

from cutset.compiler.syntax.lexemes import ELEMENTWISE, Lexeme
from cutset.compiler.syntax.quotes import KINDS as KINDS

# No statement starts with one of these.
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
        *ELEMENTWISE,
    }
    | {"DOT", "DOTS", "COLON", "LESS", "LESS_EQUAL", "GREATER", "GREATER_EQUAL", "SAME", "DIFFERENT"}
)
_SIGNS = frozenset({"PLUS", "MINUS", "TOLERANCE"})
_BRACKETS = {"OPEN": 1, "OPEN_SQUARE": 1, "CLOSE": -1, "CLOSE_SQUARE": -1}
# Equations start with these.
_OPERANDS = frozenset({"NAME", "NUMBER", "TEXT", "OPEN", "OPEN_SQUARE", "NOT", "IF"}) | _SIGNS
# Statements in which parentheses follow a name and a string ends the statement.
_NAMING = KINDS | {"SUBMODEL", "MAIN", "CUT", "MODEL", "FUNCTION", "TYPE"}
# Words before the first name of such a statement.
_HEADS = _NAMING | {"CLASS"}
# Marks of the statements inside an `if`.
_ACTIONS = frozenset({"EQUAL", "ASSIGN", "CONNECT", "ASSERT", "TERMINATE"})
_BRANCHES = frozenset({"THEN", "ELSE", "ELSEIF"})


class Shape:
    """What a statement contains outside of parentheses, as far as it is read."""

    def __init__(self) -> None:
        self.has_equal = False
        self.open_ifs = 0
        # Those around the last action, which are statements.
        self.ifs_around = 0
        self.has_name = False
        self.has_result = False

    def take(self, lexeme: Lexeme) -> None:
        """Add the next lexeme, which is outside of parentheses."""
        kind = lexeme.type
        if kind == "NAME":  # the most frequent case
            self.has_name = True
            self.has_result |= lexeme.text == "result"
            return
        self.has_name |= kind not in _HEADS and kind not in _BRACKETS
        if kind in _ACTIONS:
            self.ifs_around = self.open_ifs
            self.has_equal |= kind in ("EQUAL", "ASSIGN")
        elif kind in _BRANCHES:
            # At the start of a statement `elseif` belongs to no expression.
            self.open_ifs = max(0, self.open_ifs + (1 if kind == "THEN" else -1))

    def goes_on_behind(self, taken: Sequence[Lexeme]) -> bool:
        """True if the names are still to come: `submodel (Class)`, `main cut (Pin)`, `model class (Super)`."""
        return taken[0].type in _NAMING and taken[-1].type == "CLOSE" and not self.has_name

    def goes_on_with(
        self, taken: Sequence[Lexeme], lexemes: Sequence[Lexeme], index: int, continuing: frozenset[str]
    ) -> bool:
        """True if the line that starts at `index` belongs to the statement. After `continuing` a line always does."""
        first, kind = taken[0].type, lexemes[index].type
        if kind in LEADING:
            return True
        if kind in ("ELSE", "ELSEIF"):
            return self.open_ifs > self.ifs_around
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
        """True if the line starts with the parentheses or the string of a name, and not with those of an equation."""
        if not _is_equation(_outside_of_brackets(lexemes, index, continuing)):
            return True
        # Attributes: (unit="m") = 3.
        return lexemes[index].type == "OPEN" and [x.type for x in lexemes[index + 1 : index + 3]] == ["NAME", "EQUAL"]


def _is_equation(kinds: Sequence[str]) -> bool:
    """True if a line with these kinds of lexemes outside of parentheses contains the `=` of an equation, not of a
    list."""
    return any(kind in ("EQUAL", "ASSIGN") for kind in kinds[: kinds.index("COMMA") if "COMMA" in kinds else None])


def _outside_of_brackets(lexemes: Sequence[Lexeme], index: int, continuing: frozenset[str]) -> list[str]:
    """The kinds of lexemes outside of parentheses, from `index` to the end of a line that neither its end nor the next
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
