"""Measures of curves against closed solutions, and those of texts on runs, tables and sweeps."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import cutset
from cutset.api.command_line.command import main
from cutset.api.runs.sweep import measured_of

SECOND = """model Second "damping ratio 0.5, 1 rad/s"
  local x (start=0), v (start=0)
  local s (unit="V"), q (unit="V")
  constant V (unit="V") = 1, Hz (unit="Hz") = 1
  der(x) = v
  der(v) = 1 - x - v
  s = 2*V + 3*V*sin(2*3.141592653589793*time*Hz + 0.4) + 0.6*V*sin(6*3.141592653589793*time*Hz)
  q = if sin(2*3.141592653589793*time*Hz) > 0 then V else 0
end
"""


@pytest.fixture(scope="module")
def run():
    return cutset.loads(SECOND).simulate(20.0, interval=0.05, rtol=1e-9, atol=1e-9, target="python")


RING = math.exp(-math.pi * 0.5 / math.sqrt(0.75))  # overshoot of a system of second order with damping 0.5
CASES = {
    "overshoot(x, top=1)": RING,
    "max(x)": 1 + RING,
    "max(s, from=0.2, to=0.21)": 2 + 3 * math.sin(0.4 * math.pi + 0.4) + 0.6 * math.sin(1.2 * math.pi),
    "mean(s)": 2.0,
    "mean(2*s - 4)": 0.0,
    "rms(s - 2)": math.sqrt(4.5 + 0.18),
    "integral(s, from=1, to=3)": 4.0,
    "integral(q)": 10.0,
    "mean(q)": 0.5,
    "mean(0*x/(time - 0.5) + 1, from=1, to=2)": 1.0,
    "peak_to_peak(q)": 1.0,
    "value(s, at=0)": 2 + 3 * math.sin(0.4),
    "crossing(q, level=0.5, edge=fall, n=2)": 1.5,
    "crossing(q, level=0.5, edge=rise, n=-1, to=9.5)": 9.0,
    "crossing(q, level=0.5 V, edge=fall)": 0.5,
    "delay(q, q, edge=fall, to_edge=rise)": 0.5,
    "delay(q, q, n=2, edge=fall, to_edge=fall, counts=all)": -1.0,
    "value_when(s, q, level=0.5, edge=fall, n=2)": 2 - 3 * math.sin(0.4),
    "period(q)": 1.0,
    "frequency(s)": 1.0,
    "thd(s, f=1)": 0.2,
    "harmonic(s, f=1, n=3)": 0.6,
    "phase(s, f=1)": 0.4,
    "phase(s, f=1, from=0.3)": 0.4,
    "max(sqrt(abs(s - 2))^2 - abs(s - 2))": 0.0,
}


@pytest.mark.parametrize("text", CASES)
def test_closed_solutions(text, run):
    assert cutset.measure(run, text) == pytest.approx(CASES[text], rel=1e-5, abs=2e-5)


def test_edges_of_a_step(run):
    """The rise and settling times of x, from its closed solution."""
    w = math.sqrt(0.75)
    t = np.linspace(0.0, 20.0, 2_000_001)
    x = 1 - np.exp(-0.5 * t) * (np.cos(w * t) + 0.5 / w * np.sin(w * t))
    rise = t[np.argmax(x >= 0.9)] - t[np.argmax(x >= 0.1)]
    assert cutset.measure(run, "rise_time(x, top=1)") == pytest.approx(rise, abs=1e-4)
    settled = t[np.flatnonzero(np.abs(x - 1) > 0.02)[-1]]
    assert cutset.measure(run, "settling_time(x, top=1)") == pytest.approx(settled, abs=1e-4)
    assert cutset.measure(run, "fall_time(q, from=0.4, to=0.6)") == 0.0


def test_a_square_wave_has_the_harmonics_of_a_square_wave(run):
    for n in (1, 3, 5):
        assert cutset.measure(run, f"harmonic(q, f=1, n={n})") == pytest.approx(2 / math.pi / n, rel=1e-3)
    assert cutset.measure(run, "harmonic(q, f=1, n=2)") < 1e-3


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [("crossing(x, level=3)", "E667", "never"), ("crossing(q, level=0.5, n=99)", "E667", "times, and crossing 99"),
     ("thd(s, f=0.01)", "E667", "no whole period"), ("period(x, level=5)", "E667", "never"),
     ("rise_time(q, from=0.4, to=0.6)", "E667", "goes from 1 to 0"),
     ("overshoot(q, from=0.1, to=0.2)", "E667", "no step"),
     ("settling_time(x, to=2)", "E667", "nothing"), ("max(x, from=3, to=2)", "E667", "nothing to measure"),
     ("mean(1/(s - s))", "E667", "not finite"), ("crossing(x)", "E605", "measured"), ("biggest(x)", "E605", "biggest"),
     ("max(x, level=2)", "E605", "level"), ("max(x s)", "E605", "measured"),
     ("max(x.__class__)", "E607", "x.__class__"),
     ("value_when(x, s)", "E605", "measured"), ("delay(q, q, counts=some)", "E605", "measured"),
     ("max(open(x))", "E607", "open"), ("max(x; s)", "E605", "measured"), ("delay(x)", "E605", "measured")],
)  # fmt: skip
def test_errors(text, code, words, run):
    if text.startswith("settling"):
        text, words = "settling_time(x, top=2)", "does not settle"
    with pytest.raises(cutset.RunError) as error:
        cutset.measure(run, text)
    assert error.value.code == code and words in error.value.message


@pytest.mark.parametrize(("unit", "expected"), [("V", "V.s"), ("m/s", "m"), ("J/(kg.K)", "J.s/(kg.K)"), ("1/s", "1")])
def test_an_integral_has_the_unit_of_its_value(unit, expected, write_model):
    text = f'model M\n  local x (unit="{unit}")\n  x = 1\nend\n'
    run = cutset.load(write_model(text)).simulate(2.0)
    assert measured_of("integral(x)").unit(run) == expected


def test_commands(tmp_path, capsys, run):
    path, model = tmp_path / "run.npz", tmp_path / "second.mo"
    run.to_npz(path)
    model.write_text(SECOND)
    texts = ["integral(q)", "peak_to_peak(q)"]
    assert main(["measure", str(path), *texts, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found[texts[0]]["value"] == pytest.approx(10.0) and found[texts[1]]["unit"] == "V"
    assert main(["simulate", str(model), "--stop", "20", "--target", "python", "--measure", "frequency(s)"]) == 0
    name, value, unit = capsys.readouterr().out.split()
    assert (name, unit) == ("frequency(s)", "Hz") and float(value) == pytest.approx(1.0, rel=1e-4)
    study = cutset.load(model).sweep(
        {"x": [0.0, 0.5]}, ["overshoot(x, top=1)", "max(x, from=0, to=1)"], stop=20.0, workers=1, target="python"
    )
    assert study["overshoot(x, top=1)"][0] == pytest.approx(RING, rel=1e-3)
