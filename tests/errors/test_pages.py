"""Each error code has a page, and the example on it brings about that code and no other."""

from __future__ import annotations

import re
import shlex
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from cutset.api.command_line.command import main
from cutset.api.command_line.error_pages import Page, find_code, nearest_code, read_pages
from cutset.compiler.diagnostics import ModelError
from cutset.runtime.errors import RunError
from cutset.runtime.targets.toolchain import find_compiler

ROOT = Path(__file__).parents[2]
PAGES = read_pages()
# That a solver's iteration fails, while all values are finite, takes more than a short model.
NO_EXAMPLE = {"E615"}
# These need an FMU that fails: see tests/fmus.
NO_EXAMPLE |= {"E662", "E663", "E664", "E665"}
OF_MJCF = {"E156", "E159"}
OF_FMUS = {"E137", "E138", "E139", "E660", "E661"}
NUMBER = re.compile(r"-?\d+\.\d+(e[+-]\d+)?|\d+e[+-]\d+")


def used_codes() -> set[str]:
    """The codes that stand as texts in the sources."""
    sources = [path for folder in ("api", "compiler", "export", "runtime") for path in (ROOT / folder).rglob("*.py")]
    return {code for path in sources for code in re.findall(r'"(E\d{3})"', path.read_text(encoding="utf-8"))}


def run_example(page: Page, monkeypatch, capsys) -> str:
    """What is written to standard error, or the error that the Python code raises."""
    if page.model:
        Path("example.mo").write_text(page.model + "\n", encoding="utf-8")
    if page.python:
        with pytest.raises((ModelError, RunError)) as caught:
            exec(page.python, {})
        return str(caught.value)
    words = shlex.split(page.command)
    while "=" in words[0]:
        name, _, value = words.pop(0).partition("=")
        monkeypatch.setenv(name, value)
    assert words[0] == "cutset"
    assert main(words[1:]) in (1, 2)
    return capsys.readouterr().err


def stable(message: str) -> str:
    """Without what is different on every machine: where the library lies, the command of the compiler."""
    message = re.sub(r"\n\n\d+ errors?; more on the first: .*", "", message)
    dropped = ("  = note: command: ", "note: no C compiler was found")
    return "\n".join(line for line in message.splitlines() if not line.startswith(dropped))


@pytest.mark.parametrize(
    "page", [page for page in PAGES.values() if page.code not in NO_EXAMPLE], ids=lambda page: page.code
)
def test_example(page: Page, tmp_path, monkeypatch, capsys, request, own_cache) -> None:
    if page.code == "E608":  # no compiler is named, none is on the path, and none comes with a package
        monkeypatch.delenv("CC", raising=False)
        monkeypatch.setitem(sys.modules, "ziglang", None)
    if page.code in OF_FMUS and not find_spec("fmpy"):
        pytest.skip("needs fmpy")
    if page.code in OF_MJCF and not find_spec("mujoco"):
        pytest.skip("needs mujoco")
    if page.code == "E140" and find_spec("fmpy"):
        pytest.skip("fmpy is there")
    if page.code == "E647" and find_spec("pyarrow"):
        pytest.skip("pyarrow is there")
    if page.code in ("E606", "E612") and find_compiler() is None:
        pytest.skip("without a C compiler nothing fails, or it takes too long")
    monkeypatch.chdir(tmp_path)
    message = stable(run_example(page, monkeypatch, capsys))
    assert set(re.findall(r"^\w+\[(\w+)\]", message, re.MULTILINE)) == {page.code}
    if request.config.getoption("--update-golden"):
        text = page.path.read_text(encoding="utf-8")
        new = re.sub(r"(?s)(?<=\n=== message\n).*?(?=\n=== fix)", lambda _: message + "\n", text)
        page.path.write_text(new, encoding="utf-8")
    # The last digits of what a run has computed depend on the machine.
    elif page.code.startswith("E6"):
        assert NUMBER.sub("#", message) == NUMBER.sub("#", page.message)
    else:
        assert message == page.message


def test_every_code_has_a_page() -> None:
    assert sorted(PAGES) == sorted(used_codes())


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_page_is_complete(page: Page) -> None:
    assert page.title and page.title[0].islower() and not page.title.endswith(".")
    assert page.fix.endswith(".") and bool(page.message) != (page.code in NO_EXAMPLE)
    assert set(re.findall(r"(?m)^=== (\w+)$", page.path.read_text())) <= {
        "model",
        "command",
        "python",
        "message",
        "fix",
    }


def test_codes_by_any_spelling() -> None:
    assert [find_code(asked, PAGES) for asked in ("E205", "e205", "205", "E999", "E20", "x")] == ["E205"] * 3 + [""] * 3
    assert [nearest_code(asked, PAGES) for asked in ("E229", "E999", "help")] == ["E228", max(PAGES), "E101"]


def test_explain(capsys) -> None:
    assert main(["explain", "e205"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("E205: an unknown class\n") and "    $ cutset check example.mo\n" in out
    assert "error[E205]: unknown class 'Resistr'" in out and "How to fix it:" in out
    assert main(["explain"]) == 0
    assert [line[:4] for line in capsys.readouterr().out.splitlines()] == list(PAGES)
    assert main(["explain", "E229"]) == 2
    assert "there is no error code 'E229'; the nearest is E228" in capsys.readouterr().err
