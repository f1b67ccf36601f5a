"""`make fast`: which tests it takes from a record, and without one."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import changed
import executing_tests
import noted_files
import pytest
from changed import ALWAYS, chosen, named_like, old_lines, selected
from coverage import CoverageData
from executing_tests import ROOT, SECONDS, ExecutingTests

import cutset
from cutset.compiler.instantiate.names.classes import Classes


def record_of(folder: Path, seconds: dict[str, float], executed: dict[str, dict[str, list[int]]]) -> ExecutingTests:
    """The record of tests that take so many seconds and execute these lines of files."""
    data = CoverageData(str(folder / "record"))
    for test, time in seconds.items():
        data.set_context(f"{test}|run")
        files = executed.get(test, {"compiler/sort/solve.py": [1]})
        lines = {f"/elsewhere/{file}": each for file, each in files.items()}
        data.add_lines({SECONDS: [round(1000 * time)], **lines})
    data.write()
    return ExecutingTests(folder / "record", ROOT)


def test_quick_selected_each_file_in_turn_those_of_the_stage_first(tmp_path: Path) -> None:
    seconds = {
        "tests/api/test_load.py::test_a": 0.1,
        "tests/sort/test_solve.py::test_slow": 20.0,
        "tests/sort/test_solve.py::test_quick": 0.1,
        "tests/sort/test_solve.py::test_wide": 0.2,
        "tests/sort/test_incidence.py::test_i": 0.1,
        "tests/api/test_load.py::test_long": 50.0,
    }
    wide = {"tests/sort/test_solve.py::test_quick": {f"compiler/sort/{k}.py": [1] for k in range(9)}}
    order = chosen(seconds, record_of(tmp_path, seconds, wide), ["compiler/sort/solve.py"])
    assert [test.partition("::")[2] for test in order] == ["test_wide", "test_i", "test_a", "test_quick", "test_slow"]


def test_changed_lines(tmp_path: Path) -> None:
    assert old_lines("@@ -3,2 +3 @@ def f():\n-a\n-b\n+c\n@@ -9 +8 @@\n-d\n+e\n@@ -12,0 +12 @@\n+f") == [
        3,
        4,
        9,
        12,
        13,
    ]


def test_the_lines_of_a_file_that_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    test, old, new = "tests/sort/test_solve.py::test_a", "compiler/old.py", "compiler/new.py"
    record = record_of(tmp_path, {test: 0.1}, {test: {old: [2]}})
    record.commit = "recorded"
    told = {
        ("diff", "-M", "--diff-filter=R", "--name-status", "recorded"): f"R090\t{old}\t{new}",
        ("show", f"recorded:{old}"): "def f():\n    return 1\n",
        (
            "diff",
            "--no-ext-diff",
            "-M",
            "-U0",
            "recorded",
            "--",
            old,
            new,
        ): "@@ -2 +2 @@ def f():\n-    return 1\n+    return 2",
    }
    monkeypatch.setattr(changed, "git", lambda *words: told[words])
    assert changed.executing(new, record) == [test]


def test_files_without_a_record() -> None:
    assert selected(["compiler/gone/never.py", "tests/gone/test_gone.py"], None) == ([*ALWAYS], 0)
    assert selected(["tests/sort/test_solve.py"], None)[0] == [*ALWAYS, "tests/sort/test_solve.py"]
    assert named_like("compiler/sort/new_pass.py")[0] == "tests/sort/test_constraint_point.py"
    assert "tests/test_changed.py" in named_like("tests/changed.py")
    assert "tests/sort/test_solve.py" in named_like("compiler/sort/solve.py")


def test_a_record_of_some_tests_is_added_to_that_of_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = iter(("tests/a.py::test_a|run", "tests/b.py::test_b|run", "tests/c.py::test_c|run"))

    def ran(words: list[str], **settings: Any) -> subprocess.CompletedProcess[str]:
        if words[0] == "git":
            return subprocess.CompletedProcess(words, 0, stdout="0" * 40 if "HEAD" in words else str(tmp_path))
        data = CoverageData(settings["env"]["COVERAGE_FILE"])
        data.set_context(next(made))
        data.add_lines({"/elsewhere/compiler/one.lark": [1]})
        data.write()
        return subprocess.CompletedProcess(words, 1)

    monkeypatch.setattr(executing_tests.subprocess, "run", ran)
    found = []
    for options in ([], ["tests/b.py"], []):
        assert executing_tests.main(options) == 1
        record = executing_tests.latest_record()
        assert record is not None and record.commit == "0" * 40
        found.append(record.of("compiler/one.lark", 1))
    a, b, c = "tests/a.py::test_a", "tests/b.py::test_b", "tests/c.py::test_c"
    assert found == [[a], [a, b], [c]]


def test_git_is_asked() -> None:
    assert all((ROOT / name).parent.parts for name in changed.changed_files())


def test_opened_files_and_lines_of_classes_are_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Classes, "_merge", noted_files._used)
    noted_files._note_opened("open", (str(ROOT / "models" / "rc.mo"), "r", 0))
    noted_files._note_opened("open", (str(tmp_path / "rc.mo"), "r", 0))
    text = (ROOT / "models" / "rc.mo").read_text(encoding="utf-8")
    cutset.loads(f"{text}{{ {tmp_path} }}\n")  # a text of its own is translated, not kept from before
    noted = {Path(file).relative_to(ROOT).as_posix(): lines for file, lines in noted_files._noted.items()}
    library = (ROOT / "stdlib" / "electrical.mo").read_text(encoding="utf-8").splitlines()
    assert 0 in noted["models/rc.mo"]
    lines = noted["stdlib/electrical.mo"]
    classes = {
        re.sub(r"model class (\(\w+\) )?", "", line).split()[0]
        for k, line in enumerate(library, 1)
        if k in lines and line.startswith("model class")
    }
    assert classes == {"TwoPin", "Resistor", "Capacitor", "VoltageSource", "VStep", "Ground"}
