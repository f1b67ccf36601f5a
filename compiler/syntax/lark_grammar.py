"""Makes the tables of the grammar with lark: grammar.lark -> the text of grammar.json.

lark does not guarantee the form of its LALR table. So pyproject.toml limits its version, and a test compares the tables
with lark's public parser and tells what to do if a new version differs (tests/syntax/test_grammar.py).
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark
from lark.parsers.lalr_analysis import Shift

from cutset.compiler.syntax.build import Rules

GRAMMAR = Path(__file__).with_name("grammar.lark")
# A statement: all that is parsed.
START = "statement"


@cache
def read_grammar() -> Lark:
    """The grammar as lark reads it, with the rules of build.py as its callbacks."""
    return Lark(
        GRAMMAR.read_text(encoding="utf-8"),
        parser="lalr",
        lexer="basic",
        start=[START, "outside"],
        keep_all_tokens=True,
        maybe_placeholders=False,
        transformer=Rules,
    )


def stored_text(identity: str) -> str:
    """The text of grammar.json: the identity of the grammar, and a line for each terminal, reduction and row.

    In a row, k >= 0 is the next state, and -1 - k is reduction k: how many values it combines, the rule, the function
    that makes the node (None if a single value stays unchanged), and which of its arguments are replaced by their
    children.
    """
    parser = read_grammar().parser.parser.parser
    found = parser.parse_table
    states = _states_of(found, found.start_states[START])
    places = {state: number for number, state in enumerate(states)}
    rules = {
        id(rule): rule for state in states for _, (action, rule) in _sorted(found.states[state]) if action is not Shift
    }
    numbers = {key: number for number, key in enumerate(rules)}
    terminals = [
        [t.name, t.pattern.to_regexp(), t.pattern.value if t.pattern.type == "str" else None, t.priority]
        for t in read_grammar().terminals
    ]
    rows = [
        {
            str(name): places[target] if action is Shift else -1 - numbers[id(target)]
            for name, (action, target) in _sorted(found.states[state])
        }
        for state in states
    ]
    parts: dict[str, Any] = {
        "grammar": identity,
        "start": 0,
        "end": places[found.end_states[START]],
        "ignored": sorted(read_grammar().ignore_tokens),
        "terminals": terminals,
        "reductions": [_reduction(rule, parser.callbacks[rule]) for rule in rules.values()],
        "rows": rows,
    }
    return "{\n" + ",\n".join(f'"{name}": {_written(part)}' for name, part in parts.items()) + "\n}\n"


def _states_of(table: Any, start: int) -> list[int]:
    """The states that can follow `start`, in an order that does not depend on the numbers that lark gives them."""
    states = [start]
    known = set(states)
    for state in states:
        for _, (action, target) in _sorted(table.states[state]):
            if action is Shift and target not in known:
                known.add(target)
                states.append(target)
    return states


def _sorted(row: Any) -> list[Any]:
    return sorted(row.items(), key=lambda item: str(item[0]))


def _reduction(rule: Any, callback: Any) -> list[Any]:
    size = len(rule.expansion)
    # lark passes on the only child of such a rule, unless the child's own children replace it.
    is_handed_on = size == 1 and rule.options.expand1 and not rule.alias and not rule.expansion[0].name.startswith("_")
    name = None if is_handed_on else str(rule.alias or rule.origin.name)
    included = getattr(callback, "to_include", [(place, False) for place in range(size)])
    assert [place for place, _ in included] == list(range(size)), "lark drops a value"
    return [size, str(rule.origin.name), name, [place for place, is_spliced in included if is_spliced]]


def _written(part: Any) -> str:
    if not isinstance(part, list):
        return json.dumps(part)
    return "[\n" + ",\n".join(f"  {json.dumps(each)}" for each in part) + "\n]"
