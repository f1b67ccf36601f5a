"""The parser that lark makes is kept in the disk cache: it is the same, and comes from nowhere else."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import lark
import pytest

from cutset.compiler.diagnostics import Source
from cutset.compiler.syntax import grammar
from cutset.compiler.syntax.parse import as_meant
from cutset.compiler.syntax.statements import Statement, read_statement
from cutset.contract.cache import DiskCache

ROOT = Path(__file__).parents[2]


def statements(path: Path) -> Iterator[Statement]:
    lexemes, _ = as_meant(grammar.lexer().read(Source(path.name, path.read_text(encoding="utf-8"))))
    position = 0
    while statement := read_statement(lexemes, position):
        position = statement.next
        yield statement


@pytest.fixture
def parser(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The function, as in a new process of a user who cannot write into the folder of the package."""
    monkeypatch.setattr(grammar, "package_cache", lambda: None)
    grammar.parser.cache_clear()
    yield grammar.parser
    grammar.parser.cache_clear()


def test_the_kept_parser_makes_the_same(parser, own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = parser()
    (kept,) = own_cache.glob("*.parser")
    parser.cache_clear()
    monkeypatch.setattr(grammar, "_made", lambda text: pytest.fail("it is in the cache"))
    loaded = parser()
    assert loaded is not made and kept.suffix == ".parser"
    for statement in statements(ROOT / "stdlib" / "mbs.mo"):
        nodes = [each.parse(statement.lexemes, start=grammar.START) for each in (made, loaded)]
        assert nodes[0] == nodes[1]


def harm() -> bytes:
    class Harmful:
        def __reduce__(self) -> object:
            return os.system, ("touch harm",)

    return pickle.dumps(Harmful())


def test_only_what_the_cache_itself_has_written_is_loaded(parser, own_cache: Path, monkeypatch, tmp_path: Path) -> None:
    """A pickle can execute code: a file without the seal of its name is none of ours, nor a folder of others."""
    parser()
    (kept,) = own_cache.glob("*.parser")
    whole = kept.read_bytes()
    monkeypatch.chdir(tmp_path)
    for content in (b"", whole[:-9], harm(), whole[:80] + harm()):
        kept.write_bytes(content)
        parser.cache_clear()
        assert isinstance(parser(), lark.Lark) and DiskCache(own_cache).get(kept.name) and not Path("harm").exists()
    kept.write_bytes(harm())
    own_cache.rename(tmp_path / "others")
    own_cache.symlink_to(tmp_path / "others")
    parser.cache_clear()
    assert isinstance(parser(), lark.Lark) and not Path("harm").exists()


def test_another_grammar_has_another_parser(parser, own_cache: Path, monkeypatch, tmp_path: Path) -> None:
    parser()
    changed = tmp_path / "grammar.lark"
    changed.write_text(grammar.GRAMMAR.read_text().replace('"do"', '"make"'))
    monkeypatch.setattr(grammar, "GRAMMAR", changed)
    parser.cache_clear()
    assert "make" in {t.pattern.value for t in parser().terminals} and len([*own_cache.glob("*.parser")]) == 2


def test_a_cache_that_is_off_keeps_none(parser, own_cache: Path, monkeypatch) -> None:
    monkeypatch.setenv("CUTSET_CACHE", "off")
    assert isinstance(parser(), lark.Lark) and not own_cache.exists()
