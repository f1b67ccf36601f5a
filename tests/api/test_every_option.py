"""Every option of every command has a test. Those of the model, which many commands share, are here, and those that no
other test and no page uses."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

import pytest

from cutset.api.command_line.command import main, parser_of_all
from cutset.compiler import pipeline

ROOT = Path(__file__).parents[2]
COMMANDS: dict[str, argparse.ArgumentParser] = next(
    action for action in parser_of_all()._actions if isinstance(action, argparse._SubParsersAction)
).choices
# The commands with the options of a model, and what else they need here.
WITH_MODEL = {
    "check": ["m.mo"],
    "simulate": ["m.mo", "--stop", "0.1", "--target", "python"],
    "translate": ["m.mo", "--target", "listing"],
    "export": ["m.mo", "--c", "made"],
    "inspect": ["m.mo"],
    "verify": ["m.mo", "--points", "0", "--stop", "0"],
    "diagram": ["m.mo", "-o", "made.svg"],
    "linearize": ["m.mo", "--steady"],
    "steady": ["m.mo"],
    "sweep": ["m.mo", "--vary", "k=1,2", "--outputs", "h", "--stop", "0.1", "--target", "python"],
    "fit": ["m.mo", "--parameters", "k", "--data", "run.csv", "--outputs", "h=0.1"],
    "animate": ["run.csv", "--of", "m.mo"],
}
OF_MODEL = {"--model": "Wanted", "--include": "lib", "--instead": "one=two", "--allow-external": ""}
OF_STAGES = ["--verify", "--without", "loops"]
REFUSED = {"export": 1, "animate": 1, "fit": 2}
# What commands call, and what it is given.
PASSED_ON = (
    ("cutset.server.serve.serve", ["open", "m.mo", "--no-browser", "--port", "8123", "--include", "lib"],
     ["m.mo, 8123, False, [PosixPath('lib')]"]),
    ("cutset.lsp.server.CutsetServer.start_tcp", ["lsp", "--port", "8124", "--include", "lib"], ["127.0.0.1, 8124"]),
    ("cutset.lsp.server.CutsetServer.start_io", ["lsp", "--stdio"], []),
    ("cutset.api.model.Model.export_fmu",
     ["export", "own.mo", "--fmi", "3", "--platform", "x86_64-windows", "--input-clocks", "--across-inputs", "a",
      "--stop", "3", "--changeable", "k*"],
     ["Own.fmu, 3, ['k*'], ['x86_64-windows'], 3.0, True, ['a']"]),
    ("cutset.api.mechanics.robots.imported",
     ["import", "r.urdf", "--floating", "--no-stops", "--gears", "--contacts", "all"],
     ["floating=True, stops=False, any_inertia=False, gears=True, is_class=False, contacts='all'"]),
    ("cutset.api.verify.verification.verify", ["verify", "own.mo", "--thorough", "--seed", "7"],
     ["seed=7", "thorough=True"]),
    ("cutset.api.runs.sweep.sweep",
     ["sweep", "own.mo", "--vary", "k=1,2", "--outputs", "h", "--max-steps", "9", "--max-step", "0.5", "--input",
      "q.csv,hold,keep", "--scheduler", "tcp://host:8786"],
     ["max_steps=9", "max_step=0.5", "scheduler=tcp://host:8786", "start=-inf, stop=inf", "jumps=[5.0]"]),
)  # fmt: skip
FILES = {
    "m.mo": """@one
model Wanted
  parameter k = 0.5
  submodel (Store) s
  local h (start=2)
  der(h) = s.q - k*h
end
model Other
  local x
  x = nothing
end
""",
    "lib/two.mo": """external function root(x) result y "python:math.sqrt"
model class Store
  terminal q
  q = root(0.25)
end
""",
    "own.mo": "model Own\n  parameter k = 1\n  input q\n  local h (start=2)\n  der(h) = q - k*h\nend\n",
    "q.csv": "time,q\n0,1\n5,2\n",
    "run.csv": "time,h\n0,2\n1,1.5\n",
}


@pytest.fixture(autouse=True)
def somewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, own_cache: Path) -> None:
    """A folder with a model and a cache of its own for each test."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lib").mkdir()
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")


@pytest.fixture
def translated(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What `compile_model` was called with."""
    calls, made = list[tuple[Any, ...]](), pipeline.Results

    def noted(*arguments: Any) -> pipeline.Results:
        calls.append(arguments)
        return made(*arguments)

    monkeypatch.setattr(pipeline, "Results", noted)
    return calls


@pytest.mark.parametrize("command", WITH_MODEL)
def test_options_of_the_model(command: str, translated, capsys) -> None:
    """What cannot be written of a model with a function in Python is no error of the options."""
    words = [command, *WITH_MODEL[command], *(word for option in OF_MODEL.items() for word in option if word)]
    assert main([*words, *(OF_STAGES if command != "verify" else [])]) == REFUSED.get(command, 0), capsys.readouterr()
    _, name, options, observer, _ = translated[0]
    assert (name, options.library_path, dict(options.instead)) == ("Wanted", (Path("lib"),), {"one": "two"})
    assert options.allow_external
    if command != "verify":
        assert "Verifier" in [type(each).__name__ for each in observer._listeners] and not options.passes.loops
        main([*words, "--unsolved"])
        assert [options.solved for _, _, options, _, _ in translated[1:]].count(False)


class Called(BaseException):
    """It ends a command where it calls what does its work."""


@pytest.mark.parametrize(("target", "words", "expected"), PASSED_ON, ids=[" ".join(row[1]) for row in PASSED_ON])
def test_options_that_are_passed_on(target: str, words: list[str], expected: list[str], monkeypatch) -> None:
    given: list[Any] = []

    def called(*positional: Any, **named: Any) -> None:
        given.extend([*positional, *(f"{name}={value}" for name, value in named.items())])
        raise Called

    monkeypatch.setattr(target, called)
    with pytest.raises(Called):
        main(words)
    text = ", ".join(map(str, given))
    assert [part for part in expected if part not in text] == [], text


def test_a_run_has_a_largest_number_of_steps(capsys) -> None:
    assert main(["simulate", "own.mo", "--max-steps", "1", "--points", "2", "--stop", "100"]) == 1
    assert "error[E612]" in capsys.readouterr().err


def test_every_option_of_every_command_has_a_test() -> None:
    """It stands in a file of tests that names the command, in a command of a page, or here."""
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py")
             if "fuzz" not in path.parts and path.name != Path(__file__).name]  # fmt: skip
    used = [
        {word for text in re.findall(r"[\"']([^\"'\n]+)", text) for word in re.split(r"[\s=]+", text)} for text in texts
    ]
    pages = [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*/**/pages/*.txt")]
    lines = (line for path in pages for line in path.read_text(encoding="utf-8").replace("\\\n", " ").splitlines())
    used += [set(re.split(r"[\s=`']+", line)) for line in lines if "cutset " in line]
    used += [set(words) for _, words, _ in PASSED_ON] + [{"simulate", "--max-steps"}]
    left = []
    for command, parser in COMMANDS.items():
        of_run = COMMANDS["simulate"]._option_string_actions if command == "watch" else {}
        here = {*OF_MODEL, *OF_STAGES, "--unsolved"} if command in WITH_MODEL else set()
        for action in parser._actions:
            names = set(action.option_strings)
            if names and not names & {"--help", *of_run, *here} and not any(command in w and names & w for w in used):
                left.append(f"{command} {action.option_strings[-1]}")
    assert left == []
