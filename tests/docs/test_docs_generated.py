"""The pages that are made from the library and from the pages of the error codes."""

from __future__ import annotations

import re

import pytest
from handbook import library
from handbook.codes import code_pages

from cutset.api.command_line.error_pages import read_pages
from cutset.api.show.pygments_lexer import CutsetLexer


@pytest.fixture(scope="module")
def library_pages() -> dict[str, str]:
    return library.library_pages()


def test_every_code_is_in_the_index() -> None:
    pages = code_pages()
    assert {f"errors/{code}.md" for code in read_pages()} | {"errors/index.md"} == set(pages)
    assert sorted(re.findall(r"\| \[(E\d+)\]", pages["errors/index.md"])) == sorted(read_pages())


def test_page_of_a_class(library_pages: dict[str, str]) -> None:
    page = library_pages["library/electrical.md"]
    section = page[page.index("### VSine") : page.index("## Current sources")]
    assert "Sinusoidal voltage\n\nInherits from [VoltageSource](electrical.md#voltagesource).\n" in section
    assert "| `f` | Hz |  | frequency |\n" in section and "| `phi` | rad | `0` | phase at time 0 |\n" in section
    assert "| `u` | V | voltage from A to B (from TwoPin) |\n" in section
    assert "| `A` | `Va` in V | `i` in A | Pin  (from TwoPin) |\n" in section
    assert (
        '```{raw} html\n<svg xmlns="http://www.w3.org/2000/svg" width="42" height="72" viewBox="0 0 28 48"' in section
    )
    assert "black" not in section
    assert section.count("model class") == 1 and section.rstrip().endswith("end\n```")


def test_every_class_is_in_the_index(library_pages: dict[str, str]) -> None:
    pages = library_pages
    for name, page in pages.items():
        if name != "library/index.md":
            for declared in re.findall(r"^model (?:class|type) (?:\([^)]*\) )?(\w+)", page, re.MULTILINE):
                assert f"[{declared}](" in pages["library/index.md"]


def test_highlighting_covers_the_text() -> None:
    text = 'model class (A) B "x" # c\n  { d\n e }\n  x(1..2) = not sin(2e3)\nend\n'
    tokens = list(CutsetLexer().get_tokens_unprocessed(text))
    assert "".join(part for _, _, part in tokens) == text
    assert all(text.startswith(part, place) for place, _, part in tokens)
    kinds = {part: str(kind) for _, kind, part in tokens}
    assert kinds["model"] == "Token.Keyword" and kinds["sin"] == "Token.Name.Builtin" and kinds["B"] == "Token.Name"
    assert kinds["not"] == "Token.Operator.Word" and kinds["2e3"].startswith("Token.Literal.Number")
