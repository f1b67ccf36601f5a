"""Stage 1, its second step. Lexemes of one statement -> what the grammar makes of it, by the LALR table of the grammar.

The same as lark's own loop, with all that does not depend on the text looked up before: twice as fast. Says where a
statement is wrong, not what could stand there instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from cutset.compiler.syntax.lexemes import Lexeme


class Unexpected(Exception):
    """The lexeme of this number (that of the end, where it is as large as there are lexemes) cannot stand there."""

    def __init__(self, index: int):
        self.index = index
        super().__init__(index)


class Reduce(NamedTuple):
    """The last `size` values become one of the kind `origin`; a `make` of None leaves a single one as it is."""

    size: int
    origin: str
    make: Callable[[list[Any]], Any] | None


class Table(NamedTuple):
    """What to do in a state, by the type of a lexeme or the name of a rule: the next state, or what to reduce first."""

    start: int
    end: int
    rows: dict[int, dict[str, int | Reduce]]


class Machine:
    """For the statements of a grammar."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def run(self, lexemes: Sequence[Lexeme], end: Lexeme) -> Any:
        """What the grammar makes of the statement that `end` ends. Raises Unexpected, and what its rules raise."""
        start, last, table = self._table
        states: list[int] = [start]
        values: list[Any] = []
        for index, lexeme in enumerate((*lexemes, end)):
            kind = lexeme.type
            while True:
                action = table[states[-1]].get(kind)
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
                else:
                    states.pop()
                following = table[states[-1]][origin]
                assert isinstance(following, int)
                states.append(following)
                if following == last:
                    return values[-1]
        raise AssertionError("a statement that goes on behind its end")
