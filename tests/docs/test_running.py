"""A page that shows something wrong is found out."""

from __future__ import annotations

from pathlib import Path

import pytest
from handbook.blocks import blocks_of, with_texts
from handbook.prepare import prepared
from handbook.running import agrees, run_page

MODEL = "```cutset a.mo\nmodel A\n  local x (start=1)\n  der(x) = -x\nend\n```\n"
BROKEN = MODEL.replace("-x", "-y")
MESSAGE = """error[E211]: unknown name 'y'
  --> a.mo:3:13
   |
 3 |   der(x) = -y
   |             ^
  = in:   A
  = help: declare it: local y
"""


def complaints(page: str, folder: Path) -> list[str]:
    return [outcome.complaint.splitlines()[0] for outcome in run_page(page, folder)]


def test_blocks() -> None:
    page = f"text\n\n{MODEL}\n````text\n```\n````\n"
    model, other = blocks_of(page)
    assert (model.language, model.name, model.line, model.text) == ("cutset", "a.mo", 3, MODEL[15:-4])
    assert (other.language, other.text) == ("text", "```\n")
    assert with_texts(page, {3: "new\n"}) == page.replace(model.text, "new\n")


def test_right_page(tmp_path: Path) -> None:
    commands = "```console\n$ cutset check a.mo --stats\nA: no errors\n...\n```\n```python\n>>> 1 / 3\n0.3333\n```\n"
    assert complaints(MODEL + commands, tmp_path) == []


@pytest.mark.parametrize(
    ("page", "complaint"),
    [
        (BROKEN, "the model has errors:"),
        (MODEL + "```message\nerror\n```\n", "the model has no errors, the message was not given"),
        (BROKEN + "```message\nerror\n```\n", "another message is given:"),
        (MODEL.replace("  der", "    der"), "the layout is not that of 'cutset fmt'"),
        (MODEL + "```console\n$ cutset check a.mo\nA is wrong\n...\n```\n", "it prints something else:"),
        (MODEL + "```console\n$ cutset explain E999\n```\n", "it prints something else:"),
        ("```console\n$ ls\n```\n", "it prints something else:"),
        (MODEL + "```console\n$ cutset simulate a.mo --plot x(1)\nwrote A.png\n```\n", "it prints something else:"),
        ("```python\n>>> 1 + 1\n3\n```\n", "it prints something else:"),
        ("```python\n>>> 1/0\n```\n", "it prints something else:"),
        ("```cutst\n```\n", "'cutst' is no language of these pages"),
    ],
)
def test_wrong_page(page: str, complaint: str, tmp_path: Path) -> None:
    assert complaints(page, tmp_path) == [complaint]


def test_message(tmp_path: Path) -> None:
    assert complaints(f"{BROKEN}```message\n{MESSAGE}```\n", tmp_path) == []
    (outcome,) = run_page(BROKEN + "```message\nx\n```\n", tmp_path)
    assert outcome.text == MESSAGE


@pytest.mark.parametrize(
    ("shown", "found", "is_same"),
    [
        ("x 1.000", "x   1.0004", True),
        ("x 1.000", "x 1.01", False),
        ("x 2", "x 3", False),
        ("a ... z", "a b\nc z", True),
        ("a", "a b", False),
        ("parse 1.25 ms done", "parse   13.07 s done", True),
        ("parse 1.25 ms done", "parse   113.07 ms more", False),
        ("1e-5", "2e-5", False),
    ],
)
def test_comparison(shown: str, found: str, is_same: bool) -> None:
    assert agrees(shown, found) == is_same


def test_prepared_page(tmp_path: Path) -> None:
    text, complaints = prepared(f"# About E205\n\nSee E205, `E205` and E000.\n\n{MODEL}", "page", tmp_path)
    assert complaints == []
    assert "# About E205\n\nSee [E205](/generated/errors/E205.md), `E205` and E000.\n" in text
    assert "```{code-block} cutset\n:caption: a.mo\n\nmodel A\n" in text


def test_picture_that_nothing_draws(tmp_path: Path) -> None:
    text, complaints = prepared("![x](x.svg)\n", "page", tmp_path)
    assert "](/generated/pictures/page/x.svg)" in text and complaints == ["page.md: nothing on the page draws x.svg"]
