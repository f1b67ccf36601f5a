"""What the README shows works as it stands there."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
from handbook.running import agrees

import cutset
from cutset.api.command_line.command import COMMANDS, main
from cutset.runtime.solvers import METHODS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMAND_LINE = (ROOT / "docs" / "use" / "command_line.md").read_text(encoding="utf-8")
# Commands that have a page of their own instead of a section there.
PAGES = {"verify": "verification.md", "linearize": "analysis.md", "steady": "analysis.md", "sweep": "sweep.md"}
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", README, re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own_cache: Path) -> Path:
    shutil.copytree(ROOT / "models", tmp_path / "models")
    (tmp_path / "docs" / "notebooks").mkdir(parents=True)
    shutil.copy(ROOT / "docs" / "notebooks" / "ur5.urdf", tmp_path / "docs" / "notebooks")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_commands_print_what_is_shown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = [text for language, text in BLOCKS if language == "console"]
    for part in block.split("$ ")[1:]:
        line, _, shown = part.partition("\n")
        assert main(shlex.split(line)[1:]) == 0, line
        assert agrees(shown, capsys.readouterr().out), line
    assert (folder / "rc.png").exists()


def test_the_message_is_the_one_that_is_shown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = folder / "models" / "rc.mo"
    model.write_text(model.read_text().replace("(Ground)", "(Grond)"))
    (shown,) = [text for _, text in BLOCKS if text.startswith("error")]
    assert main(["check", "models/rc.mo"]) == 1
    assert capsys.readouterr().err.startswith(shown)


def test_python(folder: Path) -> None:
    (block,) = [text for language, text in BLOCKS if language == "python"]
    names: dict = {}
    with pytest.warns(cutset.NotImported, match="limits of effort"):
        exec(block, names)
    assert names["run"]["C.u"][-1] == pytest.approx(10.0, rel=1e-3)
    assert names["arm"].mass_matrix([0.0] * 6).shape == (6, 6)


def test_it_takes_two_screens_and_its_links_lead_somewhere() -> None:
    assert len(README.splitlines()) <= 100
    links = re.findall(r"\]\((?!https)([^)#]+)\)", README)
    assert len(links) > 15 and [link for link in links if not (ROOT / link).exists()] == []


def test_the_model_is_the_one_in_models() -> None:
    (block,) = [text for _, text in BLOCKS if "model RC" in text]
    assert block.strip() in (ROOT / "models" / "rc.mo").read_text(encoding="utf-8")


def test_every_method_is_in_the_table_of_the_command_line() -> None:
    section = COMMAND_LINE.partition("### Methods of integration")[2].partition("\n#")[0]
    assert sorted(re.findall(r"^\| `([\w-]+)` \|", section, re.MULTILINE)) == sorted(METHODS)


def test_every_command_has_a_section_or_a_page() -> None:
    titles = set(re.findall(r"^## ([\w-]+)$", COMMAND_LINE, re.MULTILINE))
    assert set(COMMANDS) - titles - PAGES.keys() == set()
    for command, page in PAGES.items():
        assert f"cutset {command} " in (ROOT / "docs" / "use" / page).read_text(encoding="utf-8")
