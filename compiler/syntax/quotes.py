"""Tells quoted names from transpositions (stage 1, first step).

A quote behind an operand transposes, also in `A '*B'`, unless a name can stand there: `submodel (Resistor) 'R+'`.
"""

from __future__ import annotations

from collections.abc import Sequence

from lark import Token

KINDS = frozenset({"PARAMETER", "CONSTANT", "LOCAL", "TERMINAL", "INPUT", "OUTPUT", "DEFAULT", "EXTERNAL", "INTERNAL"})
# In these statements a name follows parentheses, or another word.
_NAMING = KINDS | {"SUBMODEL", "MAIN", "CUT", "MODEL", "TYPE"}
_FUNCTIONS = frozenset({"FUNCTION", "EXTERNAL"})
OPERAND_ENDS = frozenset({"NAME", "NUMBER", "UNIT", "TEXT", "TRANSPOSE", "CLOSE", "CLOSE_SQUARE", "LAST"})
_DEPTHS = {"OPEN": 1, "OPEN_SQUARE": 1, "CLOSE": -1, "CLOSE_SQUARE": -1}


class Place:
    """Where a text is while it is read. `lexemes` grows; each is looked at once."""

    def __init__(self, lexemes: Sequence[Token]) -> None:
        self._lexemes = lexemes
        self._seen = 0
        # The types of the last two lexemes, without comments.
        self._last: tuple[str, str] = ("", "")
        self._start("")

    def _start(self, kind: str) -> None:
        self._first, self._depth, self._has_name, self._has_equal = kind, 0, False, False

    def begins_name(self) -> bool:
        """True if a quote behind the lexemes begins a name."""
        for lexeme in self._lexemes[self._seen :]:
            if lexeme.type not in ("COMMENT", "LINE_COMMENT"):
                self._take(lexeme.type)
                self._last = self._last[1], lexeme.type
        self._seen = len(self._lexemes)
        # Inside brackets the end of a line is as good as a space.
        before = self._last[0] if self._last[1] == "NEWLINE" and self._depth > 0 else self._last[1]
        if before not in OPERAND_ENDS:
            return True
        # In parentheses a name follows that of a type only, `f((Integer) 'n')`, outside also a word, `result 'q'`.
        ends = (("NAME", "CLOSE"), ("CLOSE",))[self._depth] if self._depth in (0, 1) else ()
        is_function = self._first in _FUNCTIONS and before in ends and not self._has_equal
        return is_function or self._first == "INCLUDE" or (self._first in _NAMING and not self._has_name)

    def _take(self, kind: str) -> None:
        if kind in _NAMING | _FUNCTIONS or (kind in ("NEWLINE", "SEMICOLON") and self._depth <= 0):
            # `main cut`, and `cut class` in one statement; a word that begins one ends what a bracket left open.
            self._start(self._first if self._first == "MAIN" else kind)
        elif self._first in ("", "NEWLINE", "SEMICOLON"):
            self._start(kind)
            self._depth = _DEPTHS.get(kind, 0)
        elif kind in _DEPTHS:
            self._depth += _DEPTHS[kind]
        else:
            self._has_name |= kind == "NAME" and self._depth == 0
            self._has_equal |= kind == "EQUAL"
