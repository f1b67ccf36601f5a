"""Records which tests execute which lines, and finds the tests of a line.

    python tests/executing_tests.py [options of pytest]

runs all tests with coverage.py, or those that the options name, which are then added to the record. It lies in git's
folder, so that all worktrees share it, and has the name of the commit whose lines it holds.
"""

from __future__ import annotations

import ast
import os
import re
import sqlite3
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from contextlib import closing
from functools import cached_property
from pathlib import Path

from coverage import CoverageData

ROOT = Path(__file__).parent.parent
MEASURED = ("api", "benchmarks", "compiler", "contract", "docs", "editors", "export", "lsp", "runtime", "server")
# The file in a record whose lines are the milliseconds of processor time that a test takes.
SECONDS = "/milliseconds"
CHILDREN = """[run]
context = ${{CUTSET_TESTS}}|run
data_file = {file}
parallel = true
source = {folders}
"""
# Names of tests that pytest finds again; others are run with all their parameters.
_PLAIN = re.compile(r"[\w./:\[\]-]+")


class ExecutingTests:
    """The record of one run; its lines are those of the sources below `root` as they are now, or were at `commit`. Of
    the tests those count that are `collected` now, as pytest names them, or all."""

    def __init__(self, record: Path, root: Path, collected: Iterable[str] = (), commit: str = ""):
        self._known = {name for test in collected for name in (test, test.partition("[")[0])}
        self._root, self._path, self._data, self.commit = root, record, CoverageData(str(record)), commit
        self._data.read()
        self._files = {Path(file).as_posix(): file for file in self._data.measured_files()}
        self._contexts: dict[str, dict[int, list[str]]] = {}

    def of(self, file: str, line: int, text: str | None = None) -> list[str]:
        """The tests that execute a line of a file, or else the statement around it, or else, as for a line that runs
        when the module is imported, any line of the file; sorted. `text` is that of the file, if it is not that of
        now."""
        measured = next((own for name, own in self._files.items() if name.endswith(f"/{file}")), None)
        if measured is None:
            return []
        if file not in self._contexts:
            self._contexts[file] = self._data.contexts_by_lineno(measured)
        contexts = self._contexts[file]
        first, last = line, line
        if file.endswith(".py"):
            first, last = _statement((self._root / file).read_text(encoding="utf-8") if text is None else text, line)
        ranges = ([line], range(first, last + 1), contexts)
        found = ({_name(c) for k in lines for c in contexts.get(k, ()) if c} for lines in ranges)
        executing = next(filter(None, found), set())
        return sorted(executing & self._known if self._known else executing)

    @cached_property
    def costs(self) -> dict[str, float]:
        """The processor time of each test times the files that it executes: it tells the more, the less that is."""
        query = "SELECT context, count(*) FROM line_bits JOIN context ON context_id = context.id GROUP BY context"
        files: dict[str, int] = defaultdict(int)
        with closing(sqlite3.connect(self._path)) as database:
            for context, count in database.execute(query):
                files[_name(context)] += count
        return {test: seconds * files[test] for test, seconds in self.seconds.items()}

    @cached_property
    def seconds(self) -> dict[str, float]:
        """The processor time of each test, and of each file of them; with the parameters that a name leaves out, that
        of all of them."""
        found: dict[str, float] = defaultdict(float)
        for milliseconds, contexts in self._data.contexts_by_lineno(SECONDS).items():
            for context in contexts:
                for name in {_name(context), _name(context).partition("::")[0]}:
                    found[name] += milliseconds / 1000
        return found


def _statement(text: str, line: int) -> tuple[int, int]:
    """The first and last line of the smallest statement that has this line."""
    spans = [
        (node.end_lineno or node.lineno, node.lineno)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    last, first = min(spans, key=lambda span: span[0] - span[1], default=(line, line))
    return first, last


def _name(context: str) -> str:
    """The test of a context, which names its phase too."""
    test = re.sub(r"\|(setup|run|teardown)$", "", context)
    return test if _PLAIN.fullmatch(test) else test.partition("[")[0]


def by_file(tests: Iterable[str], first: tuple[str, ...]) -> dict[str, list[str]]:
    """The tests of each file; files in the folders `first` come first."""
    found: dict[str, list[str]] = {}
    for test in tests:
        found.setdefault(test.partition("::")[0], []).append(test)
    return dict(sorted(found.items(), key=lambda item: (not item[0].startswith(first), item[0])))


def naming(folder: Path, file: str) -> list[str]:
    """The test files that have the name of one file or import it."""
    name, module = f"test_{Path(file).stem}.py", "cutset." + ".".join(Path(file).with_suffix("").parts)
    names = rf"{re.escape(module)}|{re.escape(Path(file).stem)}" if file.startswith("tests/") else re.escape(module)
    imports = re.compile(rf"^from ({names}) import ", re.MULTILINE)
    tests = sorted((folder / "tests").rglob("test_*.py"))
    found = [test for test in tests if test.name == name or imports.search(test.read_text(encoding="utf-8"))]
    return [str(test.relative_to(folder)) for test in found]


# --- the record --------------------------------------------------------------------------------------------


def latest_record(collected: Iterable[str] = ()) -> ExecutingTests | None:
    """The record that was made last, if there is one."""
    records = _records()
    return ExecutingTests(records[-1], ROOT, collected, records[-1].name) if records else None


def _records() -> list[Path]:
    return sorted(_folder().glob("?" * 40), key=lambda path: path.stat().st_mtime)


def git(*words: str) -> str:
    """What git answers, or nothing."""
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()


def _folder() -> Path:
    return ROOT / git("rev-parse", "--git-common-dir") / "executing-tests"


def main(options: list[str]) -> int:
    """The exit code of pytest."""
    folder, old = _folder(), latest_record()
    folder.mkdir(exist_ok=True)
    made = folder / (old.commit if options and old else git("rev-parse", "HEAD"))
    part = folder / "part"
    children, folders = folder / "children.ini", ",".join(str(ROOT / name) for name in MEASURED)
    children.write_text(CHILDREN.format(file=f"{part}.child", folders=folders), encoding="utf-8")
    own = {"PYTHONPATH": str(ROOT / "tests"), "COVERAGE_FILE": str(part), "CUTSET_CHILDREN": str(children)}
    words = ["-p", "noted_files", "--cov-context=test", "--cov-report="]
    words += [] if "-n" in options else ["-n", "2", "--dist", "worksteal"]  # pytest-cov looks at --dist first
    command = [sys.executable, "-m", "pytest", *words, *(f"--cov={name}" for name in MEASURED), *options]
    code = subprocess.run(command, cwd=ROOT, env={**os.environ, **own}, check=False).returncode
    if not options:
        for path in _records():
            path.unlink()
    whole = CoverageData(str(made))
    whole.read()
    for path in sorted(folder.glob("part*")):
        data = CoverageData(str(path))
        data.read()
        whole.update(data)
        path.unlink()
    whole.write()
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
