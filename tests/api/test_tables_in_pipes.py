"""Tests the text of tables in pipes: that of rich, without rich."""

import random
import sys

import pytest

from cutset.api.show.tables import Table


def _printed(table: Table, capsys: pytest.CaptureFixture[str]) -> str:
    table.print()
    return capsys.readouterr().out


@pytest.mark.parametrize("seed", range(20))
def test_text_is_that_of_rich(seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    rng = random.Random(seed)
    words = ["", "x", "r1.q", "12.5", "a\nlonger\ncell", "two words", "time: parse", "[bold]no markup[/]"]
    heads = [rng.choice(["", "name", "time = 1", "result"]) for _ in range(rng.randint(1, 5))]
    table = Table(rng.choice(["", "t"]), *heads)
    for _ in range(rng.randint(1, 6)):
        table.add_row(*(rng.choice(words) for _ in range(rng.randint(1, len(heads)))))
    own = _printed(table, capsys)
    table._print_by_rich()
    assert own == capsys.readouterr().out


def test_other_characters_and_long_titles_are_left_to_rich() -> None:
    assert Table("t", "größe")._lines() is None
    assert Table("a title that is longer than the table", "x")._lines() is None


def test_a_table_of_names_cannot_command_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    table = Table("", "\x1b[31mred")
    table.add_row("\x1b]0;title\x07")
    assert "\x1b" not in _printed(table, capsys)


def test_plain_tables_need_no_rich(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rich.table", None)
    table = Table("", "a")
    table.add_row("1")
    assert _printed(table, capsys) == " a\n 1\n"
