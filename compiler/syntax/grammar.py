"""Reads the tables of the grammar: grammar.json -> terminals, and the LALR table with the functions of build.py.

lark makes the tables from grammar.lark (`lark_grammar.py`), which takes longer than the translation of a small model.
So they are stored; if the grammar has changed since, lark makes them again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from cutset.compiler.syntax.build import Rules
from cutset.compiler.syntax.lexemes import Lexeme, Terminal
from cutset.compiler.syntax.machine import Reduce, Table


class _Children(NamedTuple):
    """What a rule has read whose name starts with an underline: it becomes part of the rule that uses it."""

    children: list[Any]


def terminals() -> list[Terminal]:
    """All terminals, including those that no statement uses."""
    return [Terminal(*terminal) for terminal in _stored()["terminals"]]


def ignored() -> frozenset[str]:
    """The names of the terminals that may occur between all others: spaces and comments."""
    return frozenset(_stored()["ignored"])


@cache
def table() -> Table:
    """The LALR table of the statements."""
    stored = _stored()
    reductions = [Reduce(size, origin, _make(name, inner)) for size, origin, name, inner in stored["reductions"]]
    rows = [
        {name: action if action >= 0 else reductions[-1 - action] for name, action in row.items()}
        for row in stored["rows"]
    ]
    return Table(stored["start"], stored["end"], dict(enumerate(rows)))


def accepted(lexemes: Iterable[Lexeme]) -> frozenset[str]:
    """The types of lexemes that may follow these ones at the start of a statement."""
    states = [table().start]
    for lexeme in lexemes:
        followed = _followed(states, lexeme.type)
        assert followed is not None
        states = followed
    return frozenset(kind for kind in table().rows[states[-1]] if kind.isupper() and _followed(states, kind))


def _followed(states: list[int], kind: str) -> list[int] | None:
    """The states after a lexeme of this type; None if it cannot follow."""
    rows, states = table().rows, list(states)
    while True:
        action = rows[states[-1]].get(kind)
        if not isinstance(action, Reduce):
            return None if action is None else [*states, action]
        del states[len(states) - action.size :]
        following = rows[states[-1]][action.origin]
        assert isinstance(following, int)
        states.append(following)
        if following == table().end:
            return states


def _make(name: str | None, spliced: Sequence[int]) -> Callable[[list[Any]], Any] | None:
    """The function that makes a node; its arguments at the places `spliced` are replaced by their children."""
    if name is None:
        return None
    build = _Children if name.startswith("_") else getattr(Rules, name)
    return partial(_splice, build, frozenset(spliced)) if spliced else build


def _splice(build: Callable[[list[Any]], Any], spliced: frozenset[int], values: list[Any]) -> Any:
    parts: list[Any] = []
    for place, value in enumerate(values):
        if place in spliced:
            parts += value.children
        else:
            parts.append(value)
    return build(parts)


def identity() -> str:
    """What identifies the text of grammar.lark."""
    return hashlib.sha256(Path(__file__).with_name("grammar.lark").read_bytes()).hexdigest()


@cache
def _stored() -> dict[str, Any]:
    text = Path(__file__).with_name("grammar.json").read_text(encoding="utf-8")
    stored: dict[str, Any] = json.loads(text)
    if stored["grammar"] != identity():
        from cutset.compiler.syntax.lark_grammar import stored_text

        stored = json.loads(stored_text(identity()))
    return stored
