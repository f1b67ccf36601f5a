"""Declarations, uses and renaming for the page, within the folder that was opened."""

from __future__ import annotations

from pathlib import Path

import pytest

from cutset.api.translate.translation import options_of
from cutset.runtime.errors import RunError
from cutset.server.navigation import Navigation

PART = "model class Part\n  parameter k = 2\n  local x (start=1)\n  der(x) = -k*x\nend\n"
WHOLE = "@part\n@electrical\nmodel Whole\n  submodel (Part) p(k=3)\n  submodel (Resistor) R(R=1)\nend\n"


@pytest.fixture
def navigation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Navigation:
    folder = tmp_path / "opened"
    folder.mkdir()
    (folder / "part.mo").write_text(PART)
    (folder / "whole.mo").write_text(WHOLE)
    (tmp_path / "outside.mo").write_text(WHOLE)
    (folder / "link.mo").symlink_to(tmp_path / "outside.mo")
    monkeypatch.chdir(folder)
    return Navigation(options_of([folder], in_editor=True))


def test_a_name_is_followed_to_its_declaration(navigation: Navigation) -> None:
    def place(line: int, character: int) -> tuple[str, int, int] | None:
        found = navigation.definition("whole.mo", WHOLE, line, character).data["place"]
        return None if found is None else (found["file"], found["line"], found["character"])

    assert place(3, 13) == ("part.mo", 0, 12)
    assert place(3, 20) == ("part.mo", 1, 12)
    assert place(0, 2) == ("part.mo", 0, 0)
    found = place(4, 13)
    assert found is not None and found[0] == "(the standard library)/electrical.mo"
    assert place(2, 0) is None


def test_uses_are_those_of_the_texts_in_the_editor(navigation: Navigation) -> None:
    more = WHOLE.replace("(k=3)", "(k=3), q(k=4)")
    found = navigation.references("part.mo", PART, 1, 12, {"whole.mo": more}).data
    assert found["name"] == "k" and found["count"] == 4
    places = [(each["file"], each["line"], each["character"]) for each in found["places"]]
    assert sorted(places) == [("part.mo", 1, 12), ("part.mo", 3, 12), ("whole.mo", 3, 20), ("whole.mo", 3, 28)]
    assert navigation.references("part.mo", PART, 0, 0).data == {"name": "", "places": [], "count": 0}


def test_a_name_is_changed_where_it_is_used(navigation: Navigation) -> None:
    (navigation._folder / "link.mo").unlink()
    assert navigation.rename("part.mo", PART, 1, 12).data == {"name": "k", "changes": {}}
    changes = navigation.rename("part.mo", PART, 1, 12, new_name="rate").data["changes"]
    assert {name: [(e["line"], e["character"], e["text"]) for e in edits] for name, edits in changes.items()} == {
        "part.mo": [(1, 12, "rate"), (3, 12, "rate")],
        "whole.mo": [(3, 20, "rate")],
    }
    assert (navigation._folder / "part.mo").read_text() == PART


@pytest.mark.parametrize(
    ("file", "line", "character", "name", "why"),
    [
        ("whole.mo", 4, 13, "Res", "standard library"),
        ("whole.mo", 3, 20, "x", "already declared"),
        ("whole.mo", 3, 20, "1'1", "not a name"),
        ("whole.mo", 2, 0, "y", "no name here"),
        ("part.mo", 0, 12, "Piece", "outside the folder"),
    ],
)
def test_a_name_that_cannot_change(
    navigation: Navigation, file: str, line: int, character: int, name: str, why: str
) -> None:
    """The link leads to a file outside the folder, which uses the class too."""
    text = PART if file == "part.mo" else WHOLE
    with pytest.raises(RunError, match=why):
        navigation.rename(file, text, line, character, new_name=name)


def test_what_can_be_written_is_that_of_the_language_server(navigation: Navigation) -> None:
    def options(text: str) -> dict[str, dict[str, str]]:
        lines = text.split("\n")
        found = navigation.completion("whole.mo", text, len(lines) - 1, len(lines[-1])).data["options"]
        return {each["label"]: each for each in found}

    assert {"part", "electrical"} <= set(options("@"))
    within = options(WHOLE.removesuffix("end\n") + "  submodel (Part) q(")
    assert within["k"]["apply"] == "k=" and "x" not in within
    assert {"k"} <= set(options(WHOLE.removesuffix("end\n") + "  local y\n  y = p."))
    call = options(WHOLE.removesuffix("end\n") + "  local y\n  y = si")["sin"]
    assert call["apply"] == "sin" and call["info"]


def test_a_name_is_documented(navigation: Navigation) -> None:
    def lines(line: int, character: int) -> list[str]:
        return navigation.hover("whole.mo", WHOLE, line, character).data["lines"]

    title, *more = lines(4, 13)
    assert title == "model class (TwoPin) Resistor" and any("R" in line and "Ohm" in line for line in more)
    assert "parameter k = 2" in lines(3, 20)[0] and "here: k = 3" in lines(3, 20)
    assert lines(2, 0) == []
