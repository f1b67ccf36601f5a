"""``cutset new``: each kind of model it starts is formatted, passes its own tests, and has commands that work."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from cutset.api.command_line.command import main
from cutset.api.commands.new import _KINDS


@pytest.mark.parametrize("kind", _KINDS)
def test_a_new_model_passes_its_tests(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "Mine", "--kind", kind]) == 0
    assert {path.name for path in (tmp_path / "Mine").iterdir()} == {"Mine.mo", "Mine.test.toml", "README.md"}
    monkeypatch.chdir(tmp_path / "Mine")
    assert not any("NAME" in path.read_text() for path in Path().iterdir())
    assert main(["fmt", "--check", "Mine.mo"]) == 0
    tests = Path("Mine.test.toml")
    tests.write_text(re.sub(r"\[verified\][^[]*", "", tests.read_text()))  # verification has tests of its own
    assert main(["test"]) == 0
    commands = re.findall(r"`cutset (.*?)`", Path("README.md").read_text())
    assert len(commands) == 9
    for command in commands:
        if command.split()[0] not in ("watch", "test", "explain", "classes"):
            assert main(shlex.split(command)) == 0, command
    capsys.readouterr()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("my-model", "begin with a letter; for example my_model"),
        ("../evil", "begin with a letter; for example evil"),
        ("model", "'model' is a word of the language"),
        ("time", "'time' is a word of the language"),
        ("", "begin with a letter"),
    ],
)
def test_names_that_no_model_can_have(
    name: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", name]) == 2
    assert message in capsys.readouterr().err and not list(tmp_path.iterdir())


def test_nothing_is_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "Mine").write_text("precious")
    assert main(["new", "Mine"]) == 1
    assert "there is already something named 'Mine'" in capsys.readouterr().err
    assert (tmp_path / "Mine").read_text() == "precious"
