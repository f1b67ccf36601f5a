"""Wrong usage of the command ``cutset``: exit code 2, and what the message says."""

from __future__ import annotations

from pathlib import Path

import pytest

from cutset.api.command_line.command import main

TANK = str(Path(__file__).parent / "models" / "tank.mo")


@pytest.fixture(autouse=True)
def somewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, own_cache: Path) -> None:
    """A folder and a cache of its own for each test."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "COMMAND is missing"),
        (["run", "m.mo"], "there is no command 'run'; did you mean 'simulate'?"),
        (["--verson"], "unknown argument: --verson; did you mean --version?"),
        (["fit", "m.mo"], "error: --parameters, --data and --outputs are missing"),
        (["animate", "m.mo"], "; first run the model: cutset simulate m.mo"),
        (["classes", "drum", "battery"], "no class has all these words in its name and documentation: drum battery"),
        (["fly"], "there is no command 'fly'; the commands are: new, check, fmt"),
        (["simulte", TANK], "there is no command 'simulte'; did you mean 'simulate'?"),
        (["simulate", TANK, "--stp", "3"], "unknown argument: --stp; did you mean --stop?"),
        (["plot", "x.csv", "x", "--end"], "unknown argument: --end"),
        (["verify", TANK, "--known", "V=1"], "inverse problems are solved by simulate, sweep, steady, linearize and"),
        (["simulate"], "FILE is missing"),
        (["simulate", TANK, "--stop", "soon"], "--stop must be a number, not 'soon'"),
        (["simulate", TANK, "--set", "h"], "'h' is not of the form NAME=NUMBER"),
        (
            ["simulate", TANK, "--stop", "3ms"],
            "--stop must be a number, not '3ms'; write 3e-3: this number has neither",
        ),
        (["simulate", TANK, "--points", "10k"], "--points must be a whole number, not '10k'; write 10000: this number"),
        (["simulate", TANK, "--set", "h=1Meg"], "--set: h must be a number, not '1Meg'; write 1e6: this number has"),
        (["simulate", TANK, "--set", "h=1,", "V=2"], "a space separates two values: h=1 OTHER=NUMBER"),
        (["sweep", TANK, "--vary", "h=1k,2k", "--outputs", "h"], "NAME=FROM:TO:COUNT; write 1e3: this number has"),
        (["simulate", TANK, "--plot", "h,", "V"], "unknown argument: V; write a list without spaces: h,V"),
        (["simulate", "--plot", "h,", "V", TANK], "; write a list without spaces: h,V"),
        (["simulate", TANK, "--set", "x=high"], "must be a finite number, not 'high'"),
        (["simulate", TANK, "--points", "3", "--interval", "1"], "not allowed with"),
        (["simulate", TANK, "--save", "x.png"], "--save needs --plot"),
        (["simulate", TANK, "--over", "h"], "--over needs --plot"),
        (["simulate", TANK, "-o", "x.xls"], "must end in .csv, .npz, .mat or .parquet, as 'x.csv' does"),
        (["simulate", TANK, "-o", "run"], "must end in .csv, .npz, .mat or .parquet, as 'run.csv' does"),
        (
            ["simulate", TANK, "-o", "."],
            "cannot write a table to '.': its name must end in .csv, .npz, .mat or .parquet",
        ),
        (["translate", TANK, "-o", "tank.c"], "'tank.c' looks like a file; try 'tank'"),
        (["simulate", TANK, "-o", "missing/x.csv"], "there is no folder 'missing'"),
        (["simulate", TANK, "--method", "euler"], "methods are: auto, "),
        (["simulate", TANK, "--stop", "-1"], "stops at -1.0 before it starts"),
        (["simulate", TANK, "--rtol", "0"], "must be greater than 0"),
        (["simulate", TANK, "--set", "nothing=1"], "there is no parameter 'nothing'"),
        (["simulate", TANK, "--plot", "nothing"], "there is no variable 'nothing'"),
        (["translate", TANK, "--target", "cobol"], "targets are: c, extended, lanes, listing, python"),
        (["translate", TANK, "--dump", "lunch"], "stages are: parse, "),
        (["plot", "run.txt", "x"], "must end in .csv, .npz, .mat or .parquet"),
    ],
)
def test_wrong_usage_is_2(arguments: list[str], message: str, capsys) -> None:
    assert main(arguments) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        (
            ["simulate", TANK, "--points", "few"],
            [
                "error: --points must be a whole number, not 'few'",
                "usage: cutset simulate --points N  number of output times (default: 501)",
                "help: cutset simulate --help",
            ],
        ),
        (
            ["simulate", TANK, "--pionts", "3"],
            [
                "error: unknown argument: --pionts; did you mean --points?",
                "usage: cutset simulate [OPTION ...] FILE",
                "help: cutset simulate --help",
            ],
        ),
        (
            ["plot"],
            [
                "error: RESULT is missing",
                "usage: cutset plot RESULT [RESULT ...]  result files of cutset: .csv, .npz, .mat or .parquet",
                "help: cutset plot --help",
            ],
        ),
    ],
)
def test_wrong_usage_takes_three_lines(words: list[str], lines: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert capsys.readouterr().err.splitlines() == lines
