"""All texts of the language in the repository: printed and parsed they are the same tree, and the layout is stable."""

import re
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path

import pytest

from cutset.compiler.diagnostics import ModelError, Source, Span
from cutset.compiler.syntax import format
from cutset.compiler.syntax.parse import parse
from cutset.compiler.syntax.print import print_tree

ROOT = Path(__file__).parents[2]
FOLDERS = ("models", "stdlib", "tests", "benchmarks")
FENCE = re.compile(r"^```cutset[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def all_texts():
    """Texts by their places: files, and the blocks of the documentation."""
    for path in (path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.mo"))):
        if "out" not in path.relative_to(ROOT).parts:
            yield str(path.relative_to(ROOT)), path.read_bytes().decode(errors="replace")
    for path in sorted((ROOT / "docs").rglob("*.md")):
        if not {"generated", "build"} & set(path.relative_to(ROOT).parts):
            for k, block in enumerate(FENCE.findall(path.read_text(encoding="utf-8"))):
                yield f"{path.relative_to(ROOT)}-{k}", block


TEXTS = dict(all_texts())


@cache
def compared(kind):
    """The names of the fields of a kind of node, none of a place; None for any other value."""
    if issubclass(kind, Span | Source):
        return ()
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else None


def alike(a, b):
    """Are two trees the same but for spans and sources? In a loop: expressions may be deep."""
    pairs = [(a, b)]
    while pairs:
        x, y = pairs.pop()
        if type(x) is not type(y):
            return False
        if (names := compared(type(x))) is not None:
            pairs += [(getattr(x, name), getattr(y, name)) for name in names]
        elif isinstance(x, tuple):
            if len(x) != len(y):
                return False
            pairs += zip(x, y, strict=False)
        elif x != y:
            return False
    return True


@pytest.mark.parametrize("place", TEXTS)
def test_printed_and_formatted(place, monkeypatch):
    parsed = cache(lambda text: parse(Source(place, text)))  # each text once
    monkeypatch.setattr(format, "parse", lambda source: parsed(source.text))
    text = TEXTS[place]
    try:
        tree = parsed(text)
    except ModelError:
        assert "tests" in place or "docs" in place, f"{place} is wrong"
        return
    printed = print_tree(tree)
    again = parsed(printed)
    assert alike(again, tree)
    assert print_tree(again) == printed
    laid_out = format.format_text(Source(place, text))
    if laid_out != text:
        assert format.format_text(Source("again", laid_out)) == laid_out
        assert alike(parsed(laid_out), tree)


def test_most_texts_are_read():
    assert len(TEXTS) > 400 and sum(place.startswith("docs") for place in TEXTS) > 60
