"""Decides where spaces separate lexemes of a statement (stage 1, layout). Breaks no lines.

Operators of sums and relations have spaces, those of products and powers none; `=` has spaces in an equation and none
inside parentheses; a name and its parenthesis are not separated, except for the attributes of a scalar and the body of
a cut.
"""

from __future__ import annotations

from collections.abc import Sequence

from cutset.compiler.syntax.brackets import BARE_ATTRIBUTES
from cutset.compiler.syntax.lexemes import Lexeme
from cutset.compiler.syntax.lines import KINDS
from cutset.compiler.syntax.quotes import OPERAND_ENDS
from cutset.compiler.syntax.statements import lengths_of_cuts

_OPENING = frozenset({"OPEN", "OPEN_SQUARE"})
_CLOSING = frozenset({"CLOSE", "CLOSE_SQUARE"})
_NONE_BEFORE = _CLOSING | {"COMMA", "SEMICOLON", "TRANSPOSE"}
_NONE_BEHIND = _OPENING | {"INCLUDE", "COLON"}
_TIGHT = frozenset({"STAR", "SLASH", "POWER", "POWER_STARS"})
_IN_UNITS = frozenset({"SLASH", "POWER"})
_IN_SIZES = frozenset({"NUMBER", "COMMA", "COLON", "DOTS", "LAST"})


class Spacing:
    """The spaces of one statement, and what its layout needs to know about its parentheses.

    depth: the number of open parentheses after each lexeme; angles: the lexemes that are the brackets of a path.
    """

    def __init__(self, lexemes: Sequence[Lexeme]) -> None:
        self._lexemes = lexemes
        self._start = lexemes[0].type
        self.angles = self._path_brackets()
        self.depth: list[int] = []
        # For each lexeme the innermost parenthesis that is open before it, -1 for none.
        self._inside: list[int] = []
        # For each parenthesis the lexemes directly inside it, without those in inner parentheses.
        self._contents: dict[int, list[Lexeme]] = {}
        self._match()
        self._numbers = {bracket for bracket, inside in self._contents.items() if {x.type for x in inside} <= _IN_SIZES}
        self._lengths = {*lengths_of_cuts(lexemes)}
        self.blank = [index > 0 and self._blank(index) for index in range(len(lexemes))]

    def opens(self, index: int) -> bool:
        """True for an opening parenthesis or bracket."""
        return self._lexemes[index].type in _OPENING or (index in self.angles and self._lexemes[index].type == "LESS")

    def closes(self, index: int) -> bool:
        """True for a closing parenthesis or bracket."""
        return self._lexemes[index].type in _CLOSING or (
            index in self.angles and self._lexemes[index].type == "GREATER"
        )

    def is_binary(self, index: int) -> bool:
        """False for the sign of a number or operand."""
        return not (self._lexemes[index].type in ("PLUS", "MINUS") and self._is_sign(index))

    def _path_brackets(self) -> frozenset[int]:
        if "PATH" not in (lexeme.type for lexeme in self._lexemes[:2]):
            return frozenset()
        # Between the two there may be relations, inside the index of a cut.
        kinds = [lexeme.type for lexeme in self._lexemes]
        return frozenset((kinds.index("LESS"), len(kinds) - 1))

    def _match(self) -> None:
        open_brackets: list[int] = []
        for index in range(len(self._lexemes)):
            self._inside.append(open_brackets[-1] if open_brackets else -1)
            if open_brackets and not self.closes(index):
                self._contents[open_brackets[-1]].append(self._lexemes[index])
            if self.opens(index):
                open_brackets.append(index)
                self._contents[index] = []
            elif self.closes(index):
                open_brackets.pop()
            self.depth.append(len(open_brackets))

    def _holds_attributes(self, bracket: int) -> bool:
        contents = self._contents[bracket]
        return any(lexeme.type == "EQUAL" for lexeme in contents) or [x.text for x in contents] in [
            [name] for name in BARE_ATTRIBUTES
        ]

    def _blank(self, index: int) -> bool:
        before, this = self._lexemes[index - 1], self._lexemes[index]
        inside = self._inside[index]
        if this.type in _NONE_BEFORE or before.type in _NONE_BEHIND:
            return False
        if before.type == "COMMA":
            return inside < 0 or self._lexemes[inside].type != "OPEN" or inside not in self._numbers
        if "DOTS" in (before.type, this.type):
            # `1. ..3` would be read as `1 .. .3` without its space.
            return before.text.endswith(".") and before.type == "NUMBER"
        if this.type == "COLON":
            return False
        if "DOT" in (before.type, this.type):
            return "SLASH" in (before.type, this.type)
        if index in self.angles or index - 1 in self.angles:
            return this.type == "LESS" or before.type == "GREATER"
        if this.type in _OPENING and before.type in ("NAME", "CLOSE"):
            return self._blank_before_bracket(index)
        if "EQUAL" in (before.type, this.type):
            # `class Control = PI` in a header is a declaration, not a binding, and so is `for k = 1..3`.
            equal = index if this.type == "EQUAL" else index - 1
            return inside < 0 or self._start == "MODEL" or (equal > 1 and self._lexemes[equal - 2].type == "FOR")
        return self._blank_at_operator(index)

    def _blank_before_bracket(self, index: int) -> bool:
        if index in self._lengths:
            return False
        if self._inside[index] >= 0 or (self._lexemes[index - 1].type == "CLOSE" and not self._lengths):
            return False
        if self._start in KINDS:
            return self._holds_attributes(index)
        return self._start in ("CUT", "MAIN", "MODEL", "TYPE")

    def _blank_at_operator(self, index: int) -> bool:
        before, this = self._lexemes[index - 1], self._lexemes[index]
        if before.type in ("PLUS", "MINUS") and self._is_sign(index - 1):
            return False
        if self._start in ("CUT", "MAIN") and self.depth[index] == 1 and "SLASH" in (before.type, this.type):
            return True
        return not (before.type in _TIGHT or this.type in _TIGHT) or self._is_behind_unit(index)

    def _is_behind_unit(self, index: int) -> bool:
        """True around an operator that would belong to the unit before it if no space separated them: `3 N / h`."""
        operator = index if self._lexemes[index].type in _TIGHT else index - 1
        return self._lexemes[operator].type in _IN_UNITS and self._lexemes[operator - 1].type == "UNIT"

    def _is_sign(self, index: int) -> bool:
        return index == 0 or self._lexemes[index - 1].type not in OPERAND_ENDS
