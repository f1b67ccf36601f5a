"""The command ``cutset`` as a script would call it: output, files, exit codes."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import cutset
from cutset.api.command_line.command import _GROUPS, COMMANDS, main

MODELS = Path(__file__).parent / "models"
TANK = str(MODELS / "tank.mo")
SINGLE = [TANK, "-m", "Single"]


@pytest.fixture(autouse=True)
def somewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, own_cache: Path) -> Path:
    """A folder and a cache of its own for each test."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def without_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("c_model", "c_functions"):
        monkeypatch.setattr(f"cutset.runtime.targets.{module}.find_compiler", lambda: None)


def read(path: Path) -> dict[str, list[float]]:
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    return {name: [float(row[k]) for row in rows[1:]] for k, name in enumerate(rows[0])}


def test_check_prints_every_stage(capsys) -> None:
    assert main(["check", *SINGLE, "--verify", "--stats"]) == 0
    out = capsys.readouterr().out
    for stage in (
        "parse",
        "instantiate",
        "flatten",
        "aliases",
        "incidence",
        "analyze",
        "select",
        "sort",
        "solve",
        "lower",
    ):
        assert f"\n {stage} " in out
    assert "3 scalar equations" in out
    assert "1 state, 1 input" in out


def test_check_of_a_wrong_model(capsys) -> None:
    assert main(["check", str(MODELS / "wrong.mo")]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "wrong.mo:3:12" in err
    assert err.rstrip().splitlines()[-1].startswith("2 errors; more on the first: cutset explain E")
    assert "\x1b" not in err


def test_json_is_all_there_is_on_standard_output(capsys) -> None:
    assert main(["inspect", *SINGLE, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    for key in (
        "equations", "unknowns", "states", "aliases", "blocks", "linear_systems", "nonlinear_systems", "operations",
        "differentiated_equations", "time_seconds", "parameters_folded",
    ):  # fmt: skip
        assert key in facts
    assert facts["equations"] == 3


def test_inspect_for_people(capsys) -> None:
    assert main(["inspect", *SINGLE]) == 0
    assert "1 *,/   1 +,-   0 functions" in capsys.readouterr().out


def test_simulate_prints_final_values(capsys) -> None:
    assert main(["simulate", *SINGLE, "--stop", "2", "--set", "t.h=4", "t.k=1", "--rtol", "1e-9"]) == 0
    out = capsys.readouterr().out
    assert "time = 2" in out
    assert f"{4 * math.exp(-2):.5g}" in out


def test_set_reaches_inputs_and_names_that_stand_for_a_state(somewhere: Path, capsys) -> None:
    (somewhere / "model.mo").write_text("model M\n  input q\n  local x, y\n  der(x) = q\n  y = -x\nend\n")
    assert main(["simulate", "model.mo", "--set", "q=3", "y=-2", "--outputs", "x"]) == 0
    assert [line.split() for line in capsys.readouterr().out.splitlines()][1] == ["x", "2", "5"]


def test_a_model_without_states_prints_what_it_has(somewhere: Path, capsys) -> None:
    equations = "".join(f"  x({k}) = {k}*time\n" for k in range(1, 71))
    (somewhere / "model.mo").write_text(f"model M\n  local x(70)\n{equations}end\n")
    assert main(["simulate", "model.mo", "--stop", "2"]) == 0
    out = capsys.readouterr().out
    assert "x(3)" in out and "and 11 more" in out


def test_simulate_writes_tables(somewhere: Path, capsys) -> None:
    settings = ["--stop", "1", "--interval", "0.25", "--outputs", "t.h", "tw*", "--set", "t.gain=2"]
    assert main(["simulate", *SINGLE, *settings, "-o", "run.csv"]) == 0
    assert main(["simulate", *SINGLE, *settings, "-o", "run.npz"]) == 0
    table = read(somewhere / "run.csv")
    assert list(table) == ["time", "t.h", "twice"]
    assert table["time"] == [0.0, 0.25, 0.5, 0.75, 1.0]
    with np.load(somewhere / "run.npz") as archive:
        assert archive["t.h"].tolist() == table["t.h"]
    assert capsys.readouterr().out == "wrote run.csv\nwrote run.npz\n"


@pytest.mark.parametrize("save", [None, "my.svg"])
def test_simulate_draws(somewhere: Path, save: str | None, capsys) -> None:
    assert main(["simulate", *SINGLE, "--plot", "t.h,tw*", *(["--save", save] if save else [])]) == 0
    assert (somewhere / (save or "Single.png")).stat().st_size > 1000


def test_simulate_draws_over_a_variable(somewhere: Path) -> None:
    assert main(["simulate", *SINGLE, "--plot", "twice", "--over", "t.h", "--save", "over.svg"]) == 0
    assert "<!-- time [s] -->" not in (somewhere / "over.svg").read_text()


def test_stats_of_a_run_with_a_start_of_its_own(write_model, capsys) -> None:
    text = "model C\n  local x(start=-1.5), y, z(start=1)\n  x = -1.2 + 0.1*time\n  der(x) = y\n  der(z) = -z\nend\n"
    assert main(["simulate", str(write_model(text)), "--set", "x=-1.2", "--stats"]) == 0
    assert " one evaluation " in capsys.readouterr().out


def test_stats(capsys) -> None:
    assert main(["simulate", *SINGLE, "--stats"]) == 0
    out = capsys.readouterr().out
    for word in ("equations", "aliases", "states", "blocks", "operations", "time: solve", " ns", "real-time factor"):
        assert word in out


@pytest.mark.parametrize("target", [[], ["--target", "c"], ["--target", "python"]])
def test_without_a_compiler_one_message_says_what_to_install(target, monkeypatch, capsys) -> None:
    without_compiler(monkeypatch)
    assert main(["simulate", *SINGLE, *target]) == 1
    err = capsys.readouterr().err
    assert "E608" in err and "pip install 'cutset[zig]'" in err


def test_a_failing_run_keeps_what_it_has(somewhere: Path, capsys) -> None:
    assert main(["simulate", TANK, "-m", "Blowup", "--stop", "2", "-o", "run.csv"]) == 1
    assert "error[E61" in capsys.readouterr().err
    assert read(somewhere / "run.csv")["time"][-1] > 0.9


def test_translate(somewhere: Path, capsys) -> None:
    assert main(["translate", *SINGLE, "--target", "python"]) == 0
    assert "def derivatives(" in capsys.readouterr().out
    assert main(["translate", *SINGLE, "-o", "made"]) == 0
    assert sorted(path.name for path in (somewhere / "made").iterdir()) == ["model.c", "model.json"]


def test_dump_ends_after_its_stage(capsys) -> None:
    assert main(["translate", *SINGLE, "--dump", "solve"]) == 0
    assert "twice := " in capsys.readouterr().out
    assert main(["translate", str(MODELS / "wrong.mo"), "--dump", "parse"]) == 0
    assert "Wrong" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["check", "simulate", "inspect", "translate"])
@pytest.mark.parametrize("case", ["missing", "folder", "binary", "empty", "no object", "unknown object"])
def test_files_that_are_no_models_are_1(command: str, case: str, somewhere: Path, capsys) -> None:
    path = somewhere / "model.mo"
    more = ["-m", "Nowhere"] if case == "unknown object" else []
    match case:
        case "folder":
            path.mkdir()
        case "binary":
            path.write_bytes(b"model M\n  local x\xff\xfe\nend\n")
        case "empty":
            path.write_text("")
        case "no object":  # check looks at the classes
            path.write_text(f"model class M\n  local x\n  x = {'y' if command == 'check' else '1'}\nend\n")
        case "unknown object":
            path.write_text("model M\n  local x\n  x = 1\nend\n")
    assert main([command, str(path), *more]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error[E")
    code = err[len("error[") :][:4]
    assert err.endswith(f"1 error; more on the first: cutset explain {code}\n")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read and write everything")
def test_files_that_may_not_be_read_or_written_are_1(somewhere: Path, capsys) -> None:
    secret = somewhere / "secret.mo"
    secret.write_text("model M\nend\n")
    secret.chmod(0)
    assert main(["check", str(secret)]) == 1


def test_a_result_that_cannot_be_written_is_1(somewhere: Path, capsys) -> None:
    (somewhere / "run.csv").mkdir()
    assert main(["simulate", *SINGLE, "--target", "python", "-o", "run.csv"]) == 1
    assert capsys.readouterr().err == "error: cannot write run.csv: Is a directory\n"


@pytest.mark.parametrize("debug", [False, True])
def test_a_mistake_of_ours_is_3_and_says_so(debug: bool, monkeypatch, capsys) -> None:
    def fail(*unused: object) -> None:
        raise KeyError("spilled")

    monkeypatch.setattr("cutset.api.translate.translation.compile_model", fail)
    monkeypatch.setenv("CUTSET_DEBUG", "1" if debug else "")
    assert main(["check", TANK]) == 3
    err = capsys.readouterr().err
    assert "internal error: KeyError: 'spilled'" in err
    assert "test_command_line.py:" in err
    assert "Please report it" in err
    assert ("Traceback" in err) == debug


def test_a_table_on_standard_output(somewhere: Path, capsys) -> None:
    assert main(["simulate", *SINGLE, "--points", "3", "-o", "-", "--stats"]) == 0
    said = capsys.readouterr()
    names, *rows = csv.reader(io.StringIO(said.out))
    assert names[0] == "time" and len(rows) == 3 and all(len(row) == len(names) for row in rows)
    assert "equations" in said.err and not list(somewhere.glob("*.csv"))
    assert main(["simulate", *SINGLE, "--points", "3", "-o", "-", "--outputs", "nothing"]) == 2
    assert capsys.readouterr().out == ""


def test_a_pattern_of_outputs_that_matches_nothing_is_a_note(capsys) -> None:
    assert main(["simulate", *SINGLE, "--outputs", "*.zz,t.h"]) == 0
    said = capsys.readouterr()
    assert said.err == "note: --outputs: no variable matches '*.zz'\n" and " t.h " in said.out
    assert main(["simulate", *SINGLE, "--outputs", "*.zz"]) == 2
    assert main(["simulate", *SINGLE, "--outputs", "zz,t.h"]) == 2


def test_help_lists_the_methods(capsys) -> None:
    from cutset.runtime.solvers import METHODS

    main(["simulate", "--help"])
    (told,) = re.findall(r"integration method: (.*?)\s+--", " ".join(capsys.readouterr().out.split()))
    assert set(re.findall(r"[\w-]+", told)) - {"the", "default", "or"} == set(METHODS)


def test_ctrl_c_is_130_without_a_traceback(monkeypatch, capsys) -> None:
    def interrupt(*unused: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("cutset.api.translate.translation.compile_model", interrupt)
    assert main(["check", TANK]) == 130
    assert capsys.readouterr().err == "interrupted\n"


def test_ctrl_c_during_a_run_still_writes_the_file(somewhere: Path, monkeypatch, capsys) -> None:
    from cutset.runtime.targets.python_model import PythonModel

    calls, write = [], PythonModel.write

    def interrupted(model, name, *arguments):
        calls.append(name)
        if calls.count("derivatives") == 100:
            raise KeyboardInterrupt
        write(model, name, *arguments)

    monkeypatch.setattr(PythonModel, "write", interrupted)
    command = ["simulate", *SINGLE, "--target", "python", "--method", "rk4", "--points", "101", "-o", "run.csv"]
    assert main(command) == 130
    assert capsys.readouterr().err.startswith("interrupted at time ")
    times = read(somewhere / "run.csv")["time"]
    assert times[0] == 0.0 and 10 < len(times) < 101


def test_a_reader_that_leaves_early_is_no_error() -> None:
    # The dump is longer than what a pipe holds, so that writing into it fails.
    code = f"""
import sys
from cutset.api.command_line.command import main
import cutset.compiler.codegen.program as program
program.Program.__str__ = lambda self: "x" * 1_000_000
sys.exit(main(["translate", {TANK!r}, "--dump", "lower"]))
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None and process.stderr is not None
    assert process.stdout.read(1) == b"x"
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 0


def test_colors_are_for_people(monkeypatch, capsys) -> None:
    wrong = ["check", str(MODELS / "wrong.mo")]
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    main(wrong)
    colored = capsys.readouterr().err
    monkeypatch.delenv("FORCE_COLOR")
    monkeypatch.setenv("NO_COLOR", "1")
    main(wrong)
    plain = capsys.readouterr().err
    assert "\x1b[" in colored and "\x1b[" not in plain


def test_version_and_help(capsys) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("cutset ")
    assert main(["simulate", "--help"]) == 0
    assert "--stats" in capsys.readouterr().out


@pytest.mark.parametrize("given", [{}, {"OPENBLAS_NUM_THREADS": "2"}, {"OMP_NUM_THREADS": "2"}])
def test_numpy_starts_no_threads_unless_told(given: dict[str, str], monkeypatch, capsys) -> None:
    names = "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"
    for name in names:
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    for name, number in given.items():
        monkeypatch.setenv(name, number)
    monkeypatch.setattr("sys.argv", ["cutset", "--version"])
    monkeypatch.setattr("atexit.register", lambda function: None)
    assert main() == 0 and capsys.readouterr().out
    found = {name: os.environ[name] for name in names if name in os.environ}
    assert found == (given or {"OPENBLAS_NUM_THREADS": "1"})


def test_check_finds_the_mistakes_of_all_files_objects_and_classes(tmp_path, capsys):
    first, second = tmp_path / "first.mo", tmp_path / "second.mo"
    first.write_text(
        "model class A\n  local x\n  x = y\nend\nmodel B\n  local x\n  x = z\nend\nmodel C\n  local x\n  x = 1\nend\n"
    )
    second.write_text("model D\n  local x\n  x = w\nend\n")
    assert main(["check", str(first), str(second)]) == 1
    shown = capsys.readouterr().err
    assert [name in shown for name in ("'y'", "'z'", "'w'")] == [True] * 3 and "3 errors" in shown
    assert main(["check", str(first), "-m", "C"]) == 0
    assert "C: no errors" in capsys.readouterr().out


def test_what_comes_from_outside_a_class_is_not_missed(tmp_path, capsys):
    path = tmp_path / "library.mo"
    path.write_text("model class A (class C)\n  submodel (C) c\n  external g\n  local x\n  x = g\nend\n")
    assert main(["check", str(path)]) == 0
    assert "1 class, no errors" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("asked", "place"),
    [
        ("Resistor", "  R       parameter  in Ohm                      resistance\nin a model: @electrical\n"),
        ("Revolute", "Revolute is declared in mbs, mbsabs, mbsmat and mbssim\n"),
        ("@rotational", "rotational is a library\nits classes: cutset classes rotational\n"),
        ("linearize", "its options: cutset linearize --help\n"),
    ],
)
def test_explain_says_where_to_look(asked: str, place: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", asked]) == 0
    assert place in capsys.readouterr().out


@pytest.mark.parametrize(
    ("asked", "instead"),
    [("E299x", "the nearest is E299"), ("tearing", "'cutset explain' lists them, 'cutset classes tearing' looks for")],
)
def test_explain_of_an_unknown_code(asked: str, instead: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", asked]) == 2
    assert f"there is no error code '{asked}'; {instead}" in capsys.readouterr().err


def test_the_commands_are_listed_in_groups(capsys: pytest.CaptureFixture[str]) -> None:
    """Each once, in one line."""
    assert main(["--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.endswith(":")] == [*(f"{group}:" for group in _GROUPS), "options:"]
    assert [line.split()[0] for line in lines if line.startswith("  ") and line.split()[0] in COMMANDS] == list(
        COMMANDS
    )
    assert max(map(len, lines)) < 100


@pytest.mark.parametrize(
    ("words", "written"),
    [(["plot", "run.csv", "x", "-o", "a.png"], "a.png"), (["diagram", "m.mo", "--save", "b.svg"], "b.svg")],
)
def test_a_picture_is_written_where_either_option_says(words, written, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("run.csv").write_text("time,x\n0,1\n1,2\n")
    Path("m.mo").write_text("model M\n  local x\n  x = time\nend\n")
    assert main(words) == 0 and Path(written).is_file()


@pytest.mark.parametrize("option", ["--time", "--at"])
def test_the_time_of_an_equilibrium_has_two_names(option, tmp_path, capsys) -> None:
    (tmp_path / "m.mo").write_text("model M\n  local x (start=1)\n  der(x) = time - x\nend\n")
    assert main(["steady", str(tmp_path / "m.mo"), option, "3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["values"]["x"] == pytest.approx(3.0)


def test_run_as_json(somewhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = somewhere / "fall.mo"
    path.write_text(
        'model Fall\n  parameter T(unit="s") = 1\n  local x(start=2, unit="m"), y(start=1)\n'
        "  der(x) = -x/T\n  der(y) = -y/T\nend\n"
    )
    words = ["simulate", str(path), "--stop", "2", "--outputs", "x", "--outputs", "y", "--json"]
    assert main([*words, "-o", str(somewhere / "fall.csv"), "--stats"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (somewhere / "fall.csv").is_file()
    assert found["outcome"] == "completed" and (found["start"], found["stop"], found["error"]) == (0, 2, None)
    assert found["variables"]["x"]["unit"] == "m" and found["variables"]["y"]["max"] == pytest.approx(1)
    assert found["variables"]["x"]["final"] == pytest.approx(2 * math.exp(-2), rel=1e-5)
    assert found["statistics"]["steps"] > 3
    assert main([*words, "-o", "-"]) == 2
    path.write_text("model Fall\n  local x(start=1)\n  der(x) = x^2\nend\n")
    capsys.readouterr()
    assert main(["simulate", str(path), "--stop", "2", "--json"]) == 1
    assert "E61" in json.loads(capsys.readouterr().out)["error"]


def test_check_as_json(somewhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = somewhere / "wrong.mo"
    path.write_text("model Wrong\n  local x\n  x = z\nend\n")
    assert main(["check", str(path), TANK, "--json"]) == 1
    (error,) = json.loads(capsys.readouterr().out)["errors"]
    assert error["code"][0] == "E" and "'z'" in error["message"] and error["file"] == str(path)
    assert (error["line"], error["column"]) == (3, 7)
    assert main(["check", TANK, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"files": [TANK], "errors": []}


@pytest.fixture
def piped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        "sys.stdin", io.TextIOWrapper(io.BytesIO(b"model Fall\n  local x(start=2)\n  der(x) = -x\nend\n"))
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["simulate", "-", "--set", "x=3"], " 1.1036"),
        (["check", "-"], "Fall: no errors"),
        (["inspect", "-", "--variables"], "state"),
        (["linearize", "-"], "-1"),
        (["diagram", "-"], "wrote stdin.svg"),
        (["translate", "-", "--dump", "solve"], "der(x) := -x"),
    ],
)
def test_model_from_standard_input(
    words: list[str], said: str, piped: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 0
    assert said in capsys.readouterr().out


def test_wrong_model_in_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for text, said in ((b"model A\n  local x\nend\n", "<stdin>:"), (b"\xff\xff", "cannot be the text of a model")):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
        assert main(["simulate", "-"]) == 1
        assert said in capsys.readouterr().err
    assert main(["verify", "-"]) == 2 and main(["check", "-", TANK]) == 2


def test_states_that_are_chosen_in_a_run_are_shown_by_names_of_the_model(capsys) -> None:
    assert main(["simulate", str(Path(__file__).parents[2] / "models" / "cartesian_pendulum.mo"), "--stop", "0.1"]) == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()[1:-1]]
    assert names == ["x", "y", "vy", "vx"]


def test_a_table_in_units_of_display_reads_as_the_same_quantities(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = 'model M\n  parameter T (unit="K", display="degC") = 20 degC\n'
    text += '  local q (unit="rad", display="deg", start=30 deg)\n  der(q) = 1 rad/s\nend\n'
    Path("m.mo").write_text(text)
    run = ["simulate", "m.mo", "--target", "python", "--outputs", "q", "T"]
    assert main([*run, "-o", "shown.csv", "--display"]) == 0 and main([*run, "-o", "plain.csv"]) == 0
    lines = Path("shown.csv").read_text().splitlines()
    assert lines[0] == "time,q [deg],T [degC]" and np.allclose([float(x) for x in lines[1].split(",")], [0, 30, 20])
    shown, plain = cutset.read("shown.csv"), cutset.read("plain.csv")
    assert all(np.allclose(shown[name], plain[name], rtol=1e-14) for name in ("q", "T"))
    assert main([*run, "-o", "shown.npz", "--display"]) == 2 and "FILE.csv" in capsys.readouterr().err
