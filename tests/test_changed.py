"""`make fast` knows every folder of the code and of the tests."""

from __future__ import annotations

from pathlib import Path

from changed import ALWAYS, LEFT_OUT, LONG, MESSAGES, ROOT, TESTS, belonging_to, changed_files

CODE = ("api", "compiler", "contract", "export", "lsp", "runtime", "stdlib")
# They have the tests of the folder above them.
WINGS = ("command_line", "commands", "files", "mechanics", "runs", "show", "translate", "verify")
INNER = {*(f"api/{wing}" for wing in WINGS), "export/c", "export/fmi", "runtime/c", "runtime/solvers"}


def test_every_folder_of_code_has_its_tests() -> None:
    """A new folder gets a row in TESTS of tests/changed.py, and a folder in tests/."""
    files = [path for folder in CODE for end in ("py", "c", "mo") for path in (ROOT / folder).rglob(f"*.{end}")]
    folders = {path.parent.relative_to(ROOT).as_posix() for path in files}
    assert folders - INNER - set(TESTS) == set()
    assert [name for name in (*TESTS, *INNER) if not (ROOT / name).is_dir()] == []


def test_every_folder_of_tests_is_used() -> None:
    """By a folder of the code, or it is left out for a reason."""
    folders = {path.parent.relative_to(ROOT).parts[1] for path in (ROOT / "tests").rglob("*/test_*.py")}
    used = {Path(test).parts[1] for tests in TESTS.values() for test in tests}
    assert {f"tests/{folder}" for folder in folders - used} == set(LEFT_OUT)


def test_what_is_named_exists() -> None:
    named = [*ALWAYS, *MESSAGES, *LONG, *LEFT_OUT, *(test for tests in TESTS.values() for test in tests)]
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_the_tests_of_a_change() -> None:
    assert belonging_to(["README.md"]) == [*ALWAYS]
    assert belonging_to(["compiler/sort/start.py", "compiler/sort/solve.py"]) == [*ALWAYS, "tests/sort"]
    assert belonging_to(["runtime/c/driver.c"]) == [*ALWAYS, "tests/runtime"]
    assert belonging_to(["compiler/diagnose/pages/E431.txt"]) == [*ALWAYS, "tests/diagnose", *MESSAGES]
    assert belonging_to(["tests/sort/pendulums.py", "tests/cases/case.py"]) == [*ALWAYS, "tests/sort"]
    assert belonging_to(["tests/fuzz/test_huge.py"]) == [*ALWAYS, "tests/fuzz/test_huge.py"]
    assert belonging_to(["api/gone.py", "tests/test_gone.py"]) == [*ALWAYS, "tests/api"]


def test_git_is_asked() -> None:
    assert all((ROOT / name).parent.parts for name in changed_files())
