"""``cutset fmt``: what it writes, prints and leaves alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from cutset.api.command_line.command import main

UNTIDY = "model M\n local x\n x=1\nend\n"
TIDY = "model M\n  local x\n  x = 1\nend\n"
WRONG = "model M\n x = 1 2\nend\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {"untidy.mo": UNTIDY, "tidy.mo": TIDY, "wrong.mo": WRONG}.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_files_are_rewritten(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fmt", "untidy.mo", "tidy.mo"]) == 0
    assert capsys.readouterr() == ("formatted untidy.mo\n", "")
    assert (files / "untidy.mo").read_text() == TIDY
    assert main(["fmt", "--check", "untidy.mo"]) == 0


def test_check_writes_nothing(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fmt", "--check", "tidy.mo", "untidy.mo"]) == 1
    assert capsys.readouterr() == ("untidy.mo would change\n", "")
    assert (files / "untidy.mo").read_text() == UNTIDY


def test_diff_writes_nothing(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fmt", "--diff", "untidy.mo"]) == 0
    assert "\n- x=1\n" in (out := capsys.readouterr().out) and "\n+  x = 1\n" in out
    assert main(["fmt", "--diff", "--check", "untidy.mo"]) == 1
    assert (files / "untidy.mo").read_text() == UNTIDY


def test_a_wrong_file_is_left_alone_and_the_others_are_not(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "latin.mo").write_bytes(b"# \xe9\n")
    assert main(["fmt", "wrong.mo", "missing.mo", "latin.mo", "untidy.mo"]) == 1
    out, err = capsys.readouterr()
    assert out == "formatted untidy.mo\n" and (files / "wrong.mo").read_text() == WRONG
    assert "error[E107]" in err and "cannot read missing.mo" in err and "cannot read latin.mo: it is not UTF-8" in err
