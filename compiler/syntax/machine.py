"""Stage 1, its second step. Lexemes of one statement -> what the grammar makes of it, by the LALR table that lark has
built.

The same as lark's own loop, with all that does not depend on the text looked up before: several times as fast. Says
where a statement is wrong, not what could stand there instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cutset.compiler.syntax.lexemes import Lexeme

if TYPE_CHECKING:
    from lark import Lark


class Unexpected(Exception):
    """The lexeme of this number (that of the end, where it is as large as there are lexemes) cannot stand there."""

    def __init__(self, index: int):
        self.index = index
        super().__init__(index)


class _Reduce(NamedTuple):
    """The last `size` values become one of the kind `origin`; a `make` of None leaves a single one as it is."""

    size: int
    origin: str
    make: Callable[[list[Any]], Any] | None


class Machine:
    """For the statements of a grammar that begin with the rule `start`."""

    def __init__(self, grammar: Lark, start: str) -> None:
        from lark.parsers.lalr_analysis import Shift

        parser = grammar.parser.parser.parser
        table, callbacks = parser.parse_table, parser.callbacks
        self._start, self._end = table.start_states[start], table.end_states[start]
        reductions = {
            id(rule): _reduce(rule, callbacks[rule])
            for row in table.states.values() for action, rule in row.values() if action is not Shift
        }  # fmt: skip
        # By state and the type of a lexeme, or the name of a rule: the next state, or what is to be done before.
        self._table: dict[int, dict[str, int | _Reduce]] = {
            state: {
                str(name): target if action is Shift else reductions[id(target)]
                for name, (action, target) in row.items()
            }
            for state, row in table.states.items()
        }

    def run(self, lexemes: Sequence[Lexeme], end: Lexeme) -> Any:
        """What the grammar makes of the statement that `end` ends. Raises Unexpected, and what its rules raise."""
        table = self._table
        states: list[int] = [self._start]
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
                if following == self._end:
                    return values[-1]
        raise AssertionError("a statement that goes on behind its end")


def _reduce(rule: Any, callback: Callable[[list[Any]], Any]) -> _Reduce:
    size = len(rule.expansion)
    # lark hands a single child of such a rule on, unless its own children take its place.
    is_handed_on = size == 1 and rule.options.expand1 and not rule.alias and not rule.expansion[0].name.startswith("_")
    return _Reduce(size, str(rule.origin.name), None if is_handed_on else callback)
