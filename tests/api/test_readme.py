"""What the README shows works as it stands there."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from cutset.command import COMMANDS, main
from cutset.runtime.solvers import METHODS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", README, re.DOTALL)
# Commands that go on until they are ended.
ENDLESS = {"watch"}
LINES = [line for _, block in BLOCKS for line in block.splitlines() if line.startswith("cutset ")]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own_cache: Path) -> Path:
    shutil.copytree(ROOT / "models", tmp_path / "models")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_commands(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert len(LINES) > 5
    for line in LINES:
        if line.split()[1] not in ENDLESS:
            assert main(shlex.split(line, comments=True)[1:]) == 0, line
    assert (folder / "rc.csv").exists() and (folder / "rc.png").exists() and (folder / "generated").is_dir()


def test_python(folder: Path) -> None:
    (block,) = [text for language, text in BLOCKS if language == "python"]
    names: dict = {}
    exec(block, names)
    assert names["run"]["C.u"][-1] == pytest.approx(10.0, rel=1e-3)


def test_the_model_is_the_one_in_models() -> None:
    (block,) = [text for _, text in BLOCKS if "model RC" in text]
    assert block.strip() in (ROOT / "models" / "rc.mo").read_text(encoding="utf-8")


def test_every_method_is_named_and_in_the_table_of_the_command_line() -> None:
    page = (ROOT / "docs" / "use" / "command_line.md").read_text(encoding="utf-8")
    section = page.partition("### Methods of integration")[2].partition("\n#")[0]
    assert sorted(re.findall(r"^\| `([\w-]+)` \|", section, re.MULTILINE)) == sorted(METHODS)
    assert {method for method in METHODS if f"`{method}`" not in README} == set()


def test_every_command_is_shown() -> None:
    assert {line.split()[1] for line in LINES} == set(COMMANDS)
