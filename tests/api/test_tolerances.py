"""Tolerances of parameters: Monte Carlo and worst case, against closed statistics and corners."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import cutset
from cutset.api.command_line.command import main
from cutset.runtime.errors import RunError

SUM = """model class Part
  parameter a = 1 "part of the code unless it varies"
  terminal y
  y = a
end
model Sum
  parameter b (unit="m", display="mm") = 3 m +- 300 mm, c = 2 +- 10 %, d(2) = [1, 1], z (start=0) = 5
  submodel (Part) p(a=1 +- 20 %), q(a=c +- 5 %), r(a=-1 +- 1 %) if false
  local s, x (start=0), w (unit="m", display="mm")
  s = p.y + 2*b/(1 m) + d(1)
  der(x) = q.y - x
  w = b
end
""".replace(" (start=0) = 5", " = 5").replace(" if false", "")
NAMES = ["b", "c", "p.a", "q.a", "r.a"]


@pytest.fixture
def model(write_model):
    return cutset.load(write_model(SUM))


def test_a_sample_has_the_statistics_of_its_distributions(model):
    found = model.monte_carlo(400, ["s", "w"], 0.0, seed=3, target="python", workers=1)
    assert sorted(found.varied) == NAMES and len(found) == 400 and not found.failed
    for name, middle, width in (("b", 3.0, 0.3), ("p.a", 1.0, 0.2), ("r.a", -1.0, 0.01)):
        assert np.abs(found[name] - middle).max() <= width
        assert found[name].mean() == pytest.approx(middle, abs=2e-3 * width)
    of = found.statistics["s"]
    assert of.mean == pytest.approx(8.0, abs=1e-3)
    assert of.deviation == pytest.approx(math.hypot(0.2, 0.6) / math.sqrt(3.0), rel=0.06)
    assert of.most == 1.0 + of.at_most["p.a"] + 2.0 * of.at_most["b"] == found["s"].max()
    again = model.monte_carlo(400, ["s"], 0.0, seed=3, target="python", workers=1)
    assert again["s"].tolist() == found["s"].tolist()
    assert model.monte_carlo(5, ["s"], 0.0, seed=4, target="python", workers=1)["b"].tolist() != found["b"][:5].tolist()


def test_a_computed_value_varies_about_what_it_is_computed_from(model):
    found = model.monte_carlo(50, ["s"], 0.0, parameters={"c": 4.0}, target="python", workers=1)
    assert np.abs(found["c"] - 4.0).max() == pytest.approx(0.4, rel=0.05)
    ratio = found["q.a"] / found["c"]
    assert np.abs(ratio - 1.0).max() == pytest.approx(0.05, rel=0.05)
    assert np.abs(np.corrcoef(ratio, found["c"])[0, 1]) < 0.4


def test_a_ratio_of_equal_parts_follows_them(write_model):
    text = """model M
  parameter r = a/b +- 1 %, a = 10 +- 10 %, b = 10 +- 10 %, low = min(a, 9.5) +- 1 %
  local y
  y = r + low
end
"""
    found = cutset.load(write_model(text)).worst_case(["y"], 0.0, target="python", workers=1)
    for of, value in (("r", found["a"] / found["b"]), ("low", np.minimum(found["a"], 9.5))):
        assert np.abs(found[of] / value - 1.0)[1:] == pytest.approx(0.01)


def test_corners(model):
    found = model.worst_case(["s", "x"], steady=True, target="python", tolerances={"d": 0.5, "z": "1 %"})
    assert found.points[0] == {"b": 3, "c": 2, "d(1)": 1, "d(2)": 1, "z": 5, "p.a": 1, "q.a": 2, "r.a": -1}
    assert len(found) == 1 + 2**8 and found["s"][0] == 8.0
    s, x = found.statistics["s"], found.statistics["x"]
    assert (s.least, s.most) == pytest.approx((0.8 + 5.4 + 0.5, 1.2 + 6.6 + 1.5))
    assert (x.least, x.most) == pytest.approx((2 * 0.9 * 0.95, 2 * 1.1 * 1.05))


def test_many_parameters_are_moved_by_what_they_do(write_model):
    terms = " ".join(f"{'+-'[k % 2]} a({k + 1})*{k + 1}" for k in range(12))
    text = f"model M\n  parameter a(12) = [2 for k = 1..12] +- 10 %\n  local y, z\n  y = 1 {terms}\n  z = -y^3\nend\n"
    found = cutset.load(write_model(text)).worst_case(["y", "z"], 0.0, target="python", workers=1)
    nominal, width = 1 + 2 * (1 - 2 + 3 - 4 + 5 - 6 + 7 - 8 + 9 - 10 + 11 - 12), 0.2 * 78
    y, z = found.statistics["y"], found.statistics["z"]
    assert len(found) == 25 + 2 and [row.number for row in found.rows] == list(range(27))
    assert (y.least, y.most) == pytest.approx((nominal - width, nominal + width))
    assert (z.least, z.most) == pytest.approx((-((nominal + width) ** 3), -((nominal - width) ** 3)))
    assert y.at_least["a(1)"] == pytest.approx(1.8) and y.at_least["a(2)"] == pytest.approx(2.2)


def test_wrong_ones_are_said(model, write_model):
    for given in ("-5 %", "5 V", "nan", 0, "2 degC"):
        with pytest.raises(RunError, match="E605"):
            model.monte_carlo(3, ["s"], 0.0, tolerances={"b": given})
    with pytest.raises(RunError, match="E602"):
        model.worst_case(["s"], 0.0, tolerances={"no": "5 %"})
    text = 'model M\n  parameter T (unit="K", display="degC") = 20 degC\n  local x (unit="K")\n  x = T\nend\n'
    with pytest.raises(RunError, match="E605"):
        cutset.load(write_model(text)).worst_case(["x"], 0.0, tolerances={"T": "5 %"})
    with pytest.raises(RunError, match="no parameter of the model has a tolerance"):
        cutset.load(write_model("model M\n  parameter a = 1\n  local x\n  x = a\nend\n")).worst_case(["x"])


def test_the_command(write_model, capsys):
    words = [str(write_model(SUM)), "--outputs", "s", "w", "--stop", "0", "--target", "python", "--workers", "1"]
    words[2:4] = ["s,w"]
    assert main(["sweep", *words, "--worst-case", "--tolerance", "p.*=50%"]) == 0
    lines = capsys.readouterr().out.splitlines()
    at = lines.index(next(line for line in lines if line.lstrip().startswith("result")))
    assert lines[at + 1].split() == ["s", "8", "6.9", "9.1"] and lines[at + 2].split() == [
        "w",
        "[mm]",
        "3000",
        "2700",
        "3300",
    ]
    assert lines[at + 4].split() == ["b", "[mm]", "2700", "3300", "2700", "3300"]
    assert main(["sweep", *words, "--monte-carlo", "20", "--seed", "2", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    s = [run["values"]["s"] for run in report["runs"]]
    assert len(s) == 20 and report["statistics"]["s"]["most"] == max(s)
    assert report["statistics"]["s"]["deviation"] == pytest.approx(np.std(s, ddof=1))
    for wrong in (["--vary", "b=1", "--seed", "1"], ["--vary", "b=1", "--tolerance", "b=1%"], ["--monte-carlo", "0"]):
        assert main(["sweep", *words, *wrong]) == 2
