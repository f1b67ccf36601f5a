"""What grammar.py takes out of lark does the same as lark's public parser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import lark
import pytest

from cutset.compiler.diagnostics import Source
from cutset.compiler.syntax import grammar
from cutset.compiler.syntax.foreign_lexemes import as_meant
from cutset.compiler.syntax.lexemes import Lexer
from cutset.compiler.syntax.machine import Machine
from cutset.compiler.syntax.statements import Statement, read_statement

ROOT = Path(__file__).parents[2]
ADVICE = f"""lark {lark.__version__} keeps its tables in another way than compiler/syntax/grammar.py reads them. For a
release of Cutset, exclude this version in pyproject.toml. Then adapt `table` and `_reduce` in grammar.py: `feed_token`
in lark/parsers/lalr_parser_state.py shows how lark itself uses its table. Raise the bound. If lark hides the table,
let `Machine.run` feed the lexemes to `read_grammar().parse_interactive()`: that is public, and takes twice as long."""


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
    parser = grammar.read_grammar().parse_interactive(start=grammar.START)
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


def test_accepted_types_are_those_of_the_table() -> None:
    """lark tells them by trying each; the row of the state has them all and more."""
    statement = next(statements())
    for count in range(len(statement.lexemes)):
        before, following = statement.lexemes[:count], statement.lexemes[count]
        assert following.type in grammar.accepted(before), ADVICE


def test_only_one_module_knows_lark() -> None:
    folders = ("api", "compiler", "contract", "export", "runtime")
    texts = {path: path.read_text(encoding="utf-8") for name in folders for path in (ROOT / name).rglob("*.py")}
    found = [path.name for path, text in texts.items() if "from lark" in text or "import lark" in text]
    assert found == ["grammar.py"]
