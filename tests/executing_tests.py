"""Finds the tests that execute a line, in what coverage.py recorded of a run of all tests:

python -m pytest -n 2 --dist worksteal --cov=compiler --cov=runtime --cov-context=test --cov-report=
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from pathlib import Path

# Names of tests that pytest finds again; others are run with all their parameters.
_PLAIN = re.compile(r"[\w./:\[\]-]+")


class ExecutingTests:
    """The record of one run; its lines are those of the sources below `root` as they are now. Of the tests those count
    that are `collected` now, as pytest names them."""

    def __init__(self, record: Path, root: Path, collected: Iterable[str]):
        from coverage import CoverageData

        self._known = {name for test in collected for name in (test, test.partition("[")[0])}
        self._root, self._data = root, CoverageData(str(record))
        self._data.read()
        self._files = {Path(file).as_posix(): file for file in self._data.measured_files()}

    def of(self, file: str, line: int) -> list[str]:
        """The tests that execute a line of a file, or else the statement around it, or else, as for a line that runs
        when the module is imported, any line of the file; sorted."""
        measured = next((own for name, own in self._files.items() if name.endswith(f"/{file}")), None)
        if measured is None:
            return []
        contexts = self._data.contexts_by_lineno(measured)
        first, last = _statement((self._root / file).read_text(encoding="utf-8"), line)
        ranges = ([line], range(first, last + 1), contexts)
        found = ({_name(c) for k in lines for c in contexts.get(k, ()) if c} for lines in ranges)
        return sorted(next(filter(None, found), set()) & self._known)


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
