"""The stored tables of the grammar are those of grammar.lark, and do the same as lark's public parser."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import lark
import pytest

from cutset.compiler.diagnostics import Source
from cutset.compiler.syntax import grammar
from cutset.compiler.syntax.foreign_lexemes import as_meant
from cutset.compiler.syntax.lark_grammar import GRAMMAR, START, read_grammar, stored_text
from cutset.compiler.syntax.lexemes import Lexer
from cutset.compiler.syntax.machine import Machine
from cutset.compiler.syntax.statements import Statement, read_statement

ROOT = Path(__file__).parents[2]
ADVICE = f"""lark {lark.__version__} keeps its tables in another way than compiler/syntax/lark_grammar.py reads them.
Exclude this version in pyproject.toml. Then adapt `stored_text` in lark_grammar.py: `feed_token` in
lark/parsers/lalr_parser_state.py shows how lark itself uses its table. Raise the bound."""


def statements() -> Iterator[Statement]:
    lexer = Lexer(grammar.terminals(), grammar.ignored())
    for path in sorted((ROOT / "stdlib").rglob("*.mo")):
        lexemes, _ = as_meant(lexer.read(Source(path.name, path.read_text(encoding="utf-8"))))
        position = 0
        while statement := read_statement(lexemes, position):
            position = statement.next
            yield statement


def by_lark(statement: Statement) -> object:
    """What lark's own loop makes of a statement."""
    parser = read_grammar().parse_interactive(start=START)
    for lexeme in (*statement.lexemes, statement.end):
        made = parser.feed_token(lexeme)
    return made


def test_table_does_what_lark_does() -> None:
    different, compared = [], 0
    try:
        machine = Machine(grammar.table())
        for statement in statements():
            compared += 1
            if machine.run(statement.lexemes, statement.end) != by_lark(statement):
                different.append(statement.start.span)
    except (AttributeError, ImportError, LookupError, TypeError, ValueError) as error:
        pytest.fail(f"{error!r}\n{ADVICE}")
    assert compared > 3000
    assert not different, ADVICE


def test_stored_tables_are_those_of_the_grammar(agrees) -> None:
    agrees(stored_text(grammar.identity()), GRAMMAR.with_name("grammar.json"))


def test_accepted_types_are_those_of_lark() -> None:
    for _, statement in zip(range(0, 3000, 300), statements(), strict=False):
        parser = read_grammar().parse_interactive(start=START)
        for count, lexeme in enumerate(statement.lexemes):
            assert grammar.accepted(statement.lexemes[:count]) == parser.accepts()
            parser.feed_token(lexeme)


def test_a_changed_grammar_is_read_by_lark(monkeypatch) -> None:
    stored = grammar._stored()
    monkeypatch.setattr(grammar, "identity", lambda: "another grammar")
    grammar._stored.cache_clear()
    try:
        again = grammar._stored()
    finally:
        grammar._stored.cache_clear()
    assert again == {**stored, "grammar": "another grammar"}


def test_only_a_changed_grammar_needs_lark() -> None:
    folders = ("api", "compiler", "contract", "export", "runtime")
    texts = {path: path.read_text(encoding="utf-8") for name in folders for path in (ROOT / name).rglob("*.py")}
    found = [path.name for path, text in texts.items() if "from lark" in text or "import lark" in text]
    assert found == ["lark_grammar.py"]
    program = "import sys; from cutset.compiler.syntax.grammar import table; table(); assert 'lark' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
