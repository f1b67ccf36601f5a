"""Reads grammar.lark with lark. All other modules work on the plain tables from here.

lark's own lexer and parser take two to three times as long as lexemes.py and machine.py, which run on these tables. But
lark does not guarantee the form of its LALR table. So pyproject.toml limits its version, and
tests/syntax/test_grammar.py compares the tables with lark's public parser and tells what to do if a new version
differs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutset.compiler.syntax.build import Rules
from cutset.compiler.syntax.lexemes import Lexeme, Terminal
from cutset.compiler.syntax.machine import Reduce, Table

if TYPE_CHECKING:
    from lark import Lark

# A statement: all that is parsed.
START = "statement"


def terminals() -> list[Terminal]:
    """All terminals, including those that no statement uses."""
    return [
        Terminal(
            terminal.name,
            terminal.pattern.to_regexp(),
            terminal.pattern.value if terminal.pattern.type == "str" else None,
            terminal.priority,
        )
        for terminal in read_grammar().terminals
    ]


def ignored() -> frozenset[str]:
    """The names of the terminals that may occur between all others: spaces and comments."""
    return frozenset(read_grammar().ignore_tokens)


def table() -> Table:
    """The LALR table of the statements."""
    from lark.parsers.lalr_analysis import Shift

    parser = read_grammar().parser.parser.parser
    found, callbacks = parser.parse_table, parser.callbacks
    reductions = {
        id(rule): _reduce(rule, callbacks[rule])
        for row in found.states.values() for action, rule in row.values() if action is not Shift
    }  # fmt: skip
    rows: dict[int, dict[str, int | Reduce]] = {
        state: {
            str(name): target if action is Shift else reductions[id(target)] for name, (action, target) in row.items()
        }
        for state, row in found.states.items()
    }
    return Table(found.start_states[START], found.end_states[START], rows)


def accepted(lexemes: Iterable[Lexeme]) -> frozenset[str]:
    """The types of lexemes that may follow these ones at the start of a statement."""
    parser = read_grammar().parse_interactive(start=START)
    for lexeme in lexemes:
        parser.feed_token(lexeme)  # type: ignore[arg-type]  # it reads the type only
    return frozenset(parser.accepts())  # type: ignore[no-untyped-call]


@cache
def read_grammar() -> Lark:
    """The grammar as lark reads it, with the rules of build.py as its callbacks."""
    # Imported here because it takes longer than everything else that `import cutset` loads.
    from lark import Lark

    return Lark(
        Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8"),
        parser="lalr",
        lexer="basic",
        start=[START, "outside"],
        keep_all_tokens=True,
        maybe_placeholders=False,
        transformer=Rules,
    )


def _reduce(rule: Any, callback: Callable[[list[Any]], Any]) -> Reduce:
    size = len(rule.expansion)
    # lark passes on the only child of such a rule, unless the child's own children replace it.
    is_handed_on = size == 1 and rule.options.expand1 and not rule.alias and not rule.expansion[0].name.startswith("_")
    return Reduce(size, str(rule.origin.name), None if is_handed_on else callback)
