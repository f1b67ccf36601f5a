"""Shared by all tests: the flag that renews expected texts, and translation with every promise checked."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="accept today's texts as the expected ones")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    from cutset.runtime.toolchain import find_compiler

    if find_compiler() is None:
        terminalreporter.write_line("no C compiler was found: the tests of the C target were skipped")


@pytest.fixture
def agrees(request: pytest.FixtureRequest):
    """agrees(text, path): is this the expected text? With --update-golden it becomes it."""

    def check(text: str, path: Path) -> None:
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.exists(), f"{path.name} is not there; look at the text and run with --update-golden"
        assert text == path.read_text(encoding="utf-8")

    return check


@pytest.fixture
def write_model(tmp_path: Path):
    """write_model(text) -> path of a model file."""

    def write(text: str, name: str = "model.mo") -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write
