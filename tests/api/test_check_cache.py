"""Files of classes that were right once are not checked again before something that they rest on changes."""

import json
from types import SimpleNamespace

import pytest

from cutset.api.command_line.command import main
from cutset.api.translate import records, translation

RIGHT = "@part\nmodel class Whole\n  submodel (Part) p\nend\n"
PART = "model class Part\n  terminal x\n  x = time\nend\n"


@pytest.fixture
def check(tmp_path, monkeypatch, capsys):
    """check() -> exit code, what was printed, and how many files were translated for it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("CUTSET_CACHE", raising=False)
    calls = []
    real = translation.check_file
    monkeypatch.setattr(translation, "check_file", lambda *given: calls.append(1) or real(*given))
    (tmp_path / "whole.mo").write_text(RIGHT)
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "part.mo").write_text(PART)

    def run(*more: str) -> tuple[int, str, int]:
        calls.clear()
        code = main(["check", str(tmp_path / "whole.mo"), "-I", str(tmp_path / "library"), *more])
        return code, capsys.readouterr().out, len(calls)

    return run


def test_a_file_is_checked_once(check, tmp_path):
    first = check()
    assert first == (0, f"{tmp_path / 'whole.mo'}: 1 class, no errors\n", 1)
    assert check() == (*first[:2], 0)


@pytest.mark.parametrize("file", ["whole.mo", "library/part.mo"])
def test_a_changed_text_is_checked_again(check, tmp_path, file):
    check()
    text = (tmp_path / file).read_text()
    (tmp_path / file).write_text(text + "{ a comment }\n")
    assert check()[2] == 1
    assert check()[2] == 0
    (tmp_path / file).write_text(text.replace("model class", "model clas"))
    assert check()[::2] == (1, 1)
    assert check()[::2] == (1, 1)


def test_a_file_that_comes_before_the_included_one_counts(check, tmp_path):
    check()
    (tmp_path / "part.mo").write_text("model class Other\nend\n")
    assert check()[::2] == (1, 1)


def test_a_missing_file_counts(check, tmp_path):
    check()
    (tmp_path / "library" / "part.mo").unlink()
    assert check()[::2] == (1, 1)


def test_another_compiler_checks_again(check, monkeypatch):
    check()
    monkeypatch.setattr(records, "compiler_version", lambda: "another")
    assert check()[2] == 1


def test_bytecode_is_no_part_of_the_version(tmp_path, monkeypatch):
    folder = tmp_path / "compiler"
    (folder / "sort").mkdir(parents=True)
    monkeypatch.setattr(records, "compiler", SimpleNamespace(__path__=[str(folder)]))
    version = records.compiler_version.__wrapped__
    before = version()
    (folder / "sort" / "__pycache__").mkdir()
    assert version() == before, "the first run of an installation makes it"
    (folder / "sort" / "tear.py").touch()
    assert version() != before


@pytest.mark.parametrize("option", ["--verify", "--allow-external"])
def test_what_asks_for_more_is_always_checked(check, option):
    check()
    assert check(option)[::2] == (0, 1)


@pytest.mark.parametrize(
    "data", ["", "{", "[]", '{"declared": "1 class is"}', json.dumps({"depends on": [1], "declared": 2})]
)
def test_a_damaged_verdict_is_ignored(check, tmp_path, data):
    first = check()
    (entry,) = (tmp_path / "cache" / "cutset").glob("*.right")
    entry.write_text(data)
    assert check() == first
    assert check()[2] == 0
