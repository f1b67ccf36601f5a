"""``cutset test``: what a file of tests may say, what passes and what fails, and what is written."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from cutset.api.command_line.command import main
from cutset.api.files.result_table import Table
from cutset.api.testing.outcomes import distances
from cutset.runtime.results.trajectories import Trajectories

# x = exp(-k*t); the output b turns at x = 0.5.
MODEL = """model Decay
  parameter k = 1
  local x (start=1)
  local (Boolean) b (start=false)
  der(x) = -k*x
  when x < 0.5 then
    new(b) = true
  endwhen
end
model Broken
  local x
  x = y
end
"""
CASES = {
    "expect = { x = 0.3679, b = true, 'max(x)' = 1.0, 'mean(x)' = 0.6321 }": "",
    "expect = { x = 0.4 }": "expected 0.4: 0.0321 apart, allowed 0.00126",
    "expect = { x = { is = 0.3679, within = 1e-6 } }": "apart, allowed 1e-06",
    "expect = { b = false }": "b = 1, expected 0",
    "tolerance = 0.1\nexpect = { x = 0.4 }": "",
    "at = [{ time = 0.5, x = 0.6065 }]\nset = { k = 1.0 }": "",
    "at = [{ time = 0.5, x = 0.6065 }]\nset = { k = 2.0 }": "x at time 0.5 = 0.36787",
    "holds = ['x > 0', 'x <= 1']": "",
    "holds = 'x > 0.5'": "x > 0.5 holds no longer at time 0.693147",
    "points = 2\nholds = 'not (x > 0.6 and x < 0.7)'": "holds no longer at time 0.356674",
    "fails = 'E605'\nset = { k = 'much' }": "",
    "fails = 'E605'": "expected to fail with E605, but it ran to its end",
    "fails = 'E211'\nobject = 'Broken'": "",
    "object = 'Broken'": "E211: unknown name 'y'",
    "fails = 'E605'\nobject = 'Broken'": "expected to fail with E605, but E211",
    "expect = { z = 1.0 }": "E607: there is no variable 'z'",
    "stop = 2.0\nexpect = { x = 0.1353 }": "",
    "expect = { 'crossing(x, level=0.5)' = '693.147 ms', 'rms(x, from=0, to=1 s)' = 0.6575 }": "",
    "expect = { 'crossing(x, level=0.5)' = 0.7 }": "crossing(x, level=0.5) = 0.693147",
    "expect = { 'crossing(x, level=5)' = 0.7 }": "E667: 'x' never passes 5",
    "at = [{ time = 0.5, 'rms(x, from=0)' = 1.0 }]": "E605: 'rms(x, from=0)' is over the whole run",
    "reference = 'none.csv'": "the reference none.csv does not exist; write it with cutset test --update",
}  # fmt: skip
WRONG = {
    "[a]\nmodel = 'decay.mo'\nexpct = { x = 1.0 }": "test 'a': there is no key 'expct'; did you mean 'expect'?",
    "[a]\nstop = 1.0": "test 'a': model is missing",
    "[a]\nmodel = '/etc/passwd'": "model names '/etc/passwd', which lies outside of",
    "[a]\nmodel = '../x.mo'": "model names '../x.mo', which lies outside of",
    "[a]\nmodel = 'decay.mo'\nreference = '../../r.csv'": "reference names '../../r.csv', which lies outside of",
    "[a]\nmodel = 'decay.mo'\nexpect = { x = 'much' }": "test 'a': 'x' must be a number, not 'much'",
    "[a]\nmodel = 'decay.mo'\nexpect = { x = { is = 1.0 } }": "the value of 'x' must be a number or { is = 9.5,",
    "[a]\nmodel = 'decay.mo'\nat = [{ x = 1.0 }]": "at must be tables such as",
    "[a]\nmodel = 'decay.mo'\nstop = true": "stop must be a number, not True",
    "[a]\nmodel = 'decay.mo'\npoints = 2.5": "points must be a whole number",
    "[a]\nmodel = 'decay.mo'\ntube = -1": "tube must be a number of at least 0",
    "[a]\nmodel = 'decay.mo'\nfails = 'E1'\nverify = true": "a test with 'fails' has no other expectation",
    "model = 'decay.mo'": "'model' stands outside of a test",
    "[defaults]\nmodel = 'decay.mo'": "has no tests",
    "[a\n": "is not TOML",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    inside = tmp_path / "models"
    inside.mkdir()
    monkeypatch.chdir(inside)
    (inside / "decay.mo").write_text(MODEL)
    return inside


def test_what_passes_and_what_does_not(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    defaults = "[defaults]\nmodel = 'decay.mo'\nobject = 'Decay'\nstop = 1.0\ntarget = 'python'\n"
    tests = [f"[test{k}]\n{text}\n" for k, text in enumerate(CASES)]
    (folder / "decay.test.toml").write_text(defaults + "".join(tests))
    assert main(["test", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert not found["passed"] and len(found["tests"]) == len(CASES)
    for (text, problem), row in zip(CASES.items(), found["tests"], strict=True):
        assert row["passed"] == (not problem), (text, row)
        assert len(row["problems"]) == bool(problem) and problem in "".join(row["problems"]), (text, row)


@pytest.mark.parametrize("text", WRONG)
def test_wrong_files_are_told(text: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "decay.test.toml").write_text(text)
    assert main(["test"]) == 1
    assert WRONG[text] in capsys.readouterr().err


def test_references_are_written_and_compared(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "[a]\nmodel='decay.mo'\nobject='Decay'\ntarget='python'\npoints=11\nreference='kept/a.csv'\ncompare='x'\n"
    (folder / "decay.test.toml").write_text(text)
    assert main(["test", "--update"]) == 0
    written = (folder / "kept" / "a.csv").read_text()
    assert written.splitlines()[0] == "time,x"
    assert main(["test"]) == 0 and (folder / "kept" / "a.csv").read_text() == written
    capsys.readouterr()
    (folder / "decay.test.toml").write_text(text + "set = { k = 1.02 }\n")
    assert main(["test"]) == 1
    assert "the tube around kept/a.csv" in capsys.readouterr().out


def test_words_choose_tests_and_junit_is_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    common = "model='decay.mo'\nobject='Decay'\ntarget='python'\n"
    (folder / "x.test.toml").write_text(f"[slow]\n{common}[fast]\n{common}expect={{ x = 7.0 }}\n")
    assert main(["test", ".", "-k", "slow"]) == 0
    assert capsys.readouterr().out.startswith("x.test.toml\n  slow  passed")
    assert main(["test", "-k", "fast", "--junit", "out.xml"]) == 1
    suite = ElementTree.parse(folder / "out.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("1", "1")
    assert suite[0].get("name") == "fast" and "expected 7" in str(suite[0][0].text)
    assert main(["test", "-k", "none"]) == 2 and "no test has 'none' in its name" in capsys.readouterr().err
    assert main(["test", "nowhere"]) == 2 and "there is no file or folder 'nowhere'" in capsys.readouterr().err


def table(**columns: list[float]) -> Trajectories:
    return Table({name: np.array(values) for name, values in columns.items()})


def test_a_tube_is_wide_beside_events_only() -> None:
    reference = table(time=[0, 1, 2, 3, 4], x=[0, 0, 1, 1, 1])
    late = table(time=[0, 1, 2, 2.1, 2.1, 3, 4], x=[0, 0, 0, 0, 1, 1, 1])
    assert [each.excess > 0 for each in distances(late, reference, ["x"], 1e-3, [2.1])] == [False]
    (wrong,) = distances(late, reference, ["x"], 1e-3, [])
    assert (wrong.time, wrong.found, wrong.least) == (2.0, 0.0, 0.999)
    later = table(time=[0, 1, 2, 3, 3.1, 3.1, 4], x=[0, 0, 0, 0, 0, 1, 1])
    assert distances(later, reference, ["x"], 1e-3, [3.1])[0].time == 2.0
    assert distances(table(time=[0, 4], x=[0, np.nan]), reference, ["x"], 1e-3, [])[0].excess == np.inf
