"""Values in texts of assertions: in messages of runs, of steps and of exported programs."""

from __future__ import annotations

import subprocess

import pytest
from built_programs import COMPILER, built

import cutset

MODEL = """
model class Tank
  parameter hmax = 0.7, box(2) = [1, 2]
  constant k = 0.25
  terminal h (start=0)
  local n (start=0)
  der(h) = 2*hmax
  when sample(0.05, 0.1) then
    new(n) = n + 1
  endwhen
  assert h < hmax, "h = {h} above {hmax} at {time} s, {n} of {box} {k}, not {h, n} {} {1/s}"
end
model T
  submodel (Tank) 'a{b'
  STATEMENT
end
"""
WORDS = "h = 0.7 above 0.7 at 0.5 s, 5 of [1, 2] 0.25, not {h, n} {} {1/s}"
END = """terminate 'a{b'.h > 0.35, "h is {'a{b'.h} of {'a{b'.box(2)}" """


def test_a_failed_assertion_says_values(write_model):
    with pytest.raises(cutset.RunError) as caught:
        cutset.load(write_model(MODEL.replace("STATEMENT", ""))).simulate(stop=1)
    assert WORDS in str(caught.value)


def test_the_end_says_values(write_model):
    model = cutset.load(write_model(MODEL.replace("STATEMENT", END)))
    run = model.simulate(stop=1)
    assert run.ending is not None and run.ending.text == "h is 0.35 of 2"
    steps = model.simulator()
    steps.step(1.0)
    assert steps.terminated == "h is 0.35 of 2"


def test_before_a_run_parameters_have_values(write_model):
    path = write_model(MODEL.replace("STATEMENT", "").replace("h < hmax,", "hmax > 0.5,"))
    with pytest.raises(cutset.RunError, match=r"above 0\.3 at"):
        cutset.load(path).simulate(parameters={"'a{b'.hmax": 0.3})


def test_an_unknown_name_is_an_error(write_model):
    with pytest.raises(cutset.ModelError, match="unknown name 'hm'"):
        cutset.load(write_model(MODEL.replace("STATEMENT", "").replace("above {hmax}", "above {hm}")))


@pytest.mark.skipif(COMPILER is None, reason="needs gcc or clang")
def test_an_exported_program_says_values(write_model, tmp_path):
    cutset.load(write_model(MODEL.replace("STATEMENT", ""))).export_c(tmp_path / "c")
    done = subprocess.run([built(tmp_path / "c"), "1", "1"], capture_output=True, text=True)
    assert done.returncode == 1 and WORDS in done.stderr
