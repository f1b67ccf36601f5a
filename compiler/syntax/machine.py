"""Parses the lexemes of one statement with the LALR table of the grammar (stage 1, third step).

The same as lark's own loop, with everything that does not depend on the text looked up in advance: twice as fast. Finds
where a statement is invalid, not what could follow instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from cutset.compiler.syntax.lexemes import Lexeme


class Unexpected(Exception):
    """The lexeme with this number cannot follow (the end of the statement, if the number is that of all lexemes)."""

    def __init__(self, index: int):
        self.index = index
        super().__init__(index)


class Reduce(NamedTuple):
    """Combine the last `size` values into one of the kind `origin`; with a `make` of None a single value stays
    unchanged."""

    size: int
    origin: str
    make: Callable[[list[Any]], Any] | None


class Table(NamedTuple):
    """For each state, by the type of a lexeme or the name of a rule: the next state, or what to reduce first."""

    start: int
    end: int
    rows: dict[int, dict[str, int | Reduce]]


class Machine:
    """Parses the statements of a grammar."""

    def __init__(self, table: Table) -> None:
        self._table = table
        # A value alone is often a term, a factor and an expression in turn: these steps in one, once they are known.
        self._handed_on: dict[tuple[int, int, str], int] = {}

    def run(self, lexemes: Sequence[Lexeme], end: Lexeme) -> Any:
        """What the grammar makes of the statement that `end` ends. Raises Unexpected, and errors of its rules."""
        start, last, table = self._table
        handed_on = self._handed_on
        states: list[int] = [start]
        values: list[Any] = []
        for index, lexeme in enumerate((*lexemes, end)):
            kind = lexeme.type
            while True:
                state = states[-1]
                action = table[state].get(kind)
                if action is None:
                    raise Unexpected(index)
                if isinstance(action, int):
                    states.append(action)
                    values.append(lexeme)
                    break
                size, origin, make = action
                if make is not None:
                    first = len(values) - size
                    value = make(values[first:])
                    del states[first + 1 :], values[first:]
                    values.append(value)
                    following = table[states[-1]][origin]
                    assert isinstance(following, int)
                    states.append(following)
                else:
                    key = (states[-2], state, kind)
                    following = handed_on.get(key) or self._hand_on(key)
                    states[-1] = following
                if following == last:
                    return values[-1]
        raise AssertionError("a statement that goes on behind its end")

    def _hand_on(self, key: tuple[int, int, str]) -> int:
        """The state in place of `state` above the state `below`, after all reductions before `kind` that leave the
        value unchanged."""
        below, state, kind = key
        while True:
            action = self._table.rows[state].get(kind)
            if not isinstance(action, Reduce) or action.make is not None or state == self._table.end:
                self._handed_on[key] = state
                return state
            following = self._table.rows[below][action.origin]
            assert isinstance(following, int)
            state = following
