"""A plugin of pytest for `executing_tests`: notes for each test its processor time, the files of the repository that it
opens, and the lines of the classes that it instantiates. What processes execute that tests start counts for the file of
tests, which may share them."""

from __future__ import annotations

import functools
import os
import sys
from collections import defaultdict
from collections.abc import Iterator

import pytest
from coverage import CoverageData
from executing_tests import ROOT, SECONDS

from cutset.compiler.instantiate.names.classes import Classes
from cutset.runtime.targets.c_files import c_files

_HERE = os.path.join(os.path.realpath(ROOT), "")
_ELSEWHERE = (".", "out", "src", "node_modules")
# file -> lines, of the test that runs
_noted: dict[str, set[int]] = defaultdict(set)


def _note_opened(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open" and isinstance(arguments[0], str) and not arguments[0].endswith((".py", ".pyc")):
        path = os.path.realpath(arguments[0])
        if path.startswith(_HERE) and not path[len(_HERE) :].startswith(_ELSEWHERE):
            _noted[path].add(0)


def _used(self, declared, line, made=Classes._merge):
    """The members of a class, with a note of its lines and those of its superclasses."""
    for each in line:
        name = os.path.realpath(each.span.source.name)
        if name.startswith(_HERE):
            _noted[name].update(range(each.span.line, each.span.end_line + 1))
    return made(self, declared, line)


def pytest_configure(config: pytest.Config) -> None:
    os.environ["COVERAGE_PROCESS_START"] = os.environ["CUTSET_CHILDREN"]
    sys.addaudithook(_note_opened)
    Classes._merge = _used


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Texts in C are read again for each test that compiles them."""
    c_files.cache_clear()
    _noted.clear()
    os.environ["CUTSET_TESTS"] = item.nodeid.partition("::")[0]
    before = os.times()
    try:
        return (yield)
    finally:
        spent = sum(os.times()[:4]) - sum(before[:4])
        data = _written()
        data.set_context(f"{item.nodeid}|run")
        data.add_lines({**_noted, SECONDS: {max(1, round(1000 * spent))}})


@functools.cache
def _written() -> CoverageData:
    """A file beside those of coverage.py; each process of pytest-xdist has one of its own."""
    return CoverageData(f"{os.environ['COVERAGE_FILE']}.noted.{os.getpid()}")
