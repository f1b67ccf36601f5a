"""Inputs that are tables: the solution is known, or scipy finds it between the breaks."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import PchipInterpolator

import cutset
from cutset.api.command_line.command import main
from cutset.runtime.errors import RunError
from cutset.runtime.targets.toolchain import find_compiler

RC = "model RC\n  input F\n  local x (start=0)\n  output v\n  der(x) = F - x\n  v = 2*F\nend\n"
COUNTER = """model Counter
  input F
  local x (start=0), n (start=0), last (start=-1)
  der(x) = F
  when sample(0.5, 0.5) then
    new(n) = n + 1
    new(last) = F
  endwhen
end
"""
EDGES = """model Edges
  input F, G
  local x (start=0), rises (start=0), rose (start=-1)
  der(x) = if F > 0.5 then 1 else 0
  when F + G > 0.5 then
    new(rises) = rises + 1
    new(rose) = time
  endwhen
end
"""
METHODS = ["auto", "rk4", "dopri5", "cvode-bdf", "radau"]
TARGETS = ["c", "python"] if find_compiler() else ["python"]
EXACT = {"rtol": 1e-10, "atol": 1e-12, "points": 11}


@pytest.fixture(params=TARGETS)
def target(request) -> str:
    return request.param


@pytest.fixture
def rc(write_model):
    return cutset.load(write_model(RC))


def ramped(t):
    """The response to a unit ramp from 0 on."""
    return np.where(t > 0, t - 1 + np.exp(-np.maximum(t, 0)), 0.0)


def stepped(t):
    return np.where(t > 0, -np.expm1(-np.maximum(t, 0)), 0.0)


@pytest.mark.parametrize("method", METHODS)
def test_ramp(rc, method, target) -> None:
    table = [0.0, 0.55, 1.0, 3.0], [0.0, 0.0, 0.9, 0.9]
    run = rc.simulate(2.0, inputs={"F": table}, method=method, target=target, **EXACT)
    exact = 2.0 * (ramped(run.time - 0.55) - ramped(run.time - 1.0))
    assert np.abs(run["x"] - exact).max() < (1e-4 if method == "rk4" else 1e-8)
    assert np.allclose(run["F"], np.interp(run.time, *table), rtol=1e-14, atol=1e-15)
    assert run.statistics.events == {"time": 2} and len(run.time) == 11


@pytest.mark.parametrize("method", METHODS)
def test_steps(rc, method, target) -> None:
    table = cutset.table(([0.0, 0.55, 1.0], [1.0, 3.0, 0.0]), "hold")
    run = rc.simulate(2.0, inputs={"F": table}, method=method, target=target, **EXACT)
    exact = stepped(run.time) + 2.0 * stepped(run.time - 0.55) - 3.0 * stepped(run.time - 1.0)
    assert np.abs(run["x"] - exact).max() < (1e-4 if method == "rk4" else 1e-8)
    at = {t: run["v"][np.flatnonzero(run.time == t)].tolist() for t in (0.0, 0.55, 1.0)}
    assert at == {0.0: [2.0], 0.55: [2.0, 6.0], 1.0: [6.0, 0.0]}
    assert run.statistics.events == {"time": 2} and len(run.time) == 11 + 2 + 1


@pytest.mark.parametrize("method", ["dopri5", "cvode-bdf"])
def test_smooth(rc, method, target) -> None:
    times, values = np.linspace(0.0, 2.0, 9), np.array([0.0, 0.0, 1.0, 1.0, 3.0, 2.0, 2.5, -1.0, 0.0])
    run = rc.simulate(2.0, inputs={"F": cutset.table((times, values), "smooth")}, method=method, target=target, **EXACT)
    cubic = PchipInterpolator(times, values)
    # Steps end where the table turns, here at each inner point.
    assert np.allclose(run["F"], cubic(run.time), atol=1e-13) and run.statistics.events == {"time": 7}
    # exp(t)*x is the integral of exp(t)*F: ten points of Gauss in each interval
    nodes, weights = np.polynomial.legendre.leggauss(10)
    parts = [0.125 * weights @ (np.exp(t) * cubic(t)) for a in times[:-1] for t in [a + 0.125 * (1 + nodes)]]
    assert abs(run["x"][-1] - np.exp(-2.0) * sum(parts)) < 1e-7


def test_breaks_outside_of_the_run_and_at_its_ends(rc, target) -> None:
    table = cutset.table(([-1.0, 0.0, 1.0, 2.0, 3.0], [9.0, 1.0, 2.0, 5.0, 7.0]), "hold")
    run = rc.simulate(2.0, inputs={"F": table}, target=target, points=3)
    assert run.time.tolist() == [0.0, 1.0, 1.0, 2.0, 2.0]
    assert run["F"].tolist() == [1.0, 1.0, 2.0, 2.0, 5.0] and run.statistics.events == {"time": 2}
    more = run.resume(3.0, points=2)
    assert more.time.tolist() == [2.0, 3.0, 3.0] and more["F"].tolist() == [5.0, 5.0, 7.0]


def test_a_break_at_a_sample_and_an_output(write_model, target) -> None:
    """0.1*15 is not 1.5 exactly: sample, output and jump are at one instant up to rounding; the sample sees the value
    after the jump."""
    table = cutset.table((np.append(0.0, 0.1 * np.array([5, 15, 25])), [1.0, 2.0, 3.0, 4.0]), "hold")
    model = cutset.load(write_model(COUNTER))
    run = model.simulate(3.0, inputs={"F": table}, target=target, interval=0.5)
    assert run["n"][-1] == 6.0 and run["last"][-1] == 4.0
    assert run.time.tolist() == [0.0, *(t for k in range(1, 7) for t in [0.5 * k] * 2)]
    assert run["F"].tolist() == [1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4]
    assert np.allclose(run["x"][-1], 0.5 + 2.0 + 3.0 + 0.5 * 4.0, rtol=1e-9)


def test_relations_follow_jumps_of_two_tables(write_model, target) -> None:
    """Both jump at 1, one up and one down: their sum stays, so that nothing rises there."""
    model = cutset.load(write_model(EDGES))
    inputs = {
        "F": cutset.table(([0, 1, 2, 3], [0.0, 1.0, 0.0, 1.0]), "hold"),
        "G": cutset.table(([0, 1, 2.5, 3], [1.0, 0.0, 0.0, 0.0]), "hold"),
    }
    run = model.simulate(4.0, inputs=inputs, target=target, points=5)
    assert run["rises"][-1] == 1.0 and run["rose"][-1] == 3.0
    assert abs(run["x"][-1] - 2.0) < 1e-9


def test_two_rows_of_one_time_are_a_jump(rc, target) -> None:
    run = rc.simulate(2.0, inputs={"F": ([0, 1, 1, 2], [0.0, 1.0, 3.0, 3.0])}, target=target, **EXACT)
    exact = ramped(run.time) + 2.0 * stepped(run.time - 1.0) - ramped(run.time - 1.0)
    assert np.abs(run["x"] - exact).max() < 1e-8
    assert run["F"][run.time == 1.0].tolist() == [1.0, 3.0]


def test_equal_values_and_slopes_are_no_breaks(rc) -> None:
    straight = rc.simulate(1.0, inputs={"F": (0.1 * np.arange(11), 0.3 * np.arange(11))})
    constant = rc.simulate(1.0, inputs={"F": cutset.table(([0.0, 0.3, 0.5], [2.0, 2.0, 2.0]), "hold")})
    assert not straight.statistics.events and not constant.statistics.events


def test_derivatives_of_tables(write_model, target) -> None:
    model = cutset.load(write_model("model M\n  input F\n  local v, x (start=0)\n  v = der(F)\n  der(x) = v\nend\n"))
    run = model.simulate(2.0, inputs={"F": ([0, 1, 2], [0.0, 2.0, 1.0])}, points=5, target=target)
    assert run["v"].tolist() == [2.0, 2.0, 2.0, -1.0, -1.0, -1.0] and abs(run["x"][-1] - 1.0) < 1e-9
    with pytest.raises(RunError, match="needs derivative number 1 of the input 'F', and its table jumps"):
        model.simulate(2.0, inputs={"F": cutset.table(([0, 1], [0.0, 2.0]), "hold")})


def test_outside_of_a_table(rc) -> None:
    table = [1.0, 2.0], [3.0, 5.0]
    for inputs in ({"F": table}, {"F": cutset.table(table, "hold")}):
        with pytest.raises(RunError, match=r"the table of the input 'F' is given from 1 (to 2 s|s on), but the run is"):
            rc.simulate(3.0, inputs=inputs)
        with pytest.raises(RunError, match="is given from 1"):
            rc.steady(inputs=inputs)
    run = rc.simulate(3.0, inputs={"F": cutset.table(table, outside="keep")}, points=7)
    assert np.allclose(run["F"], [3, 3, 3, 4, 5, 5, 5])
    sim = rc.simulator(inputs={"F": table}, start=1.0)
    assert sim.step(0.75) == 1.75 and abs(sim["F"] - 4.5) < 1e-14
    with pytest.raises(RunError, match=r"from 1 to 2 s, but the run is from 1\.75 to 2\.25 s"):
        sim.step(0.5)
    assert sim.time == 1.75 and sim.step(0.25) == 2.0


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (([0, 2, 1], [0, 0, 0]), "must ascend, but 1 in row 3 follows 2"),
        (([0, np.nan, 1], [0, 0, 0]), "has the time nan in row 2"),
        (([0, 1], [0, np.inf]), "has the value inf in row 2"),
        (([0, 1], [0, 1, 2]), "one row of values for each time"),
        (([0, 1], ["a", 1]), "numbers only"),
        (([0], [1]), "one time only"),
        (([], []), "at least one"),
        (np.zeros((3, 3)), "has 2 columns"),
        ("missing.csv", "cannot read missing.csv"),
        (([0, 5e-324], [0, 1]), "slope that is not finite"),
    ],
)
def test_tables_that_are_refused(rc, table, words) -> None:
    with pytest.raises(RunError, match=words) as raised:
        rc.simulate(1.0, inputs={"F": table})
    assert raised.value.code == "E605"


def test_settings_of_tables_that_are_refused() -> None:
    for settings, words in (({"interpolation": "cubic"}, "must be one of 'linear'"), ({"outside": "hold"}, "'keep'")):
        with pytest.raises(RunError, match=words):
            cutset.table(([0, 1], [0, 1]), **settings)


VECTOR = "model V\n  input F(2)\n  local x(2) (start=0)\n  der(x) = F\nend\n"


def test_vectors(write_model) -> None:
    model = cutset.load(write_model(VECTOR))
    times, values = np.array([0.0, 1.0]), np.array([[0.0, 4.0], [2.0, 4.0]])
    for source in ((times, values), np.column_stack([times, values]), lambda t: np.array([2.0 * t, 4.0])):
        run = model.simulate(1.0, inputs={"F": source})
        assert np.allclose([run["x(1)"][-1], run["x(2)"][-1]], [1.0, 4.0], rtol=1e-6)
    for wrong, words in ((lambda t: [1.0], r"returned \[1.0\], which is not"), (lambda t: 1 / 0, "ZeroDivisionError")):
        with pytest.raises(RunError, match=words) as raised:
            model.simulate(1.0, inputs={"F": wrong})
        assert raised.value.code == "E649"


class Frame:
    """What is used of an object of pandas."""

    def __init__(self, index, columns):
        self.index, self.columns, self._columns = np.array(index), list(columns), columns

    def to_numpy(self):
        return np.column_stack(list(self._columns.values()))

    def __array__(self, dtype=None, copy=None):
        return self.to_numpy()


def test_frames_and_files(write_model, tmp_path, monkeypatch) -> None:
    model = cutset.load(write_model(EDGES))
    path = tmp_path / "given.csv"
    path.write_text("time,G,F\n0,0,0\n1,2,1\n4,2,1\n")
    frame = Frame([0, 1, 4], {"G": [0, 2, 2], "F": [0, 1, 1]})
    expected = model.simulate(3.0, inputs={"F": ([0, 1, 4], [0, 1, 1]), "G": ([0, 1, 4], [0, 2, 2])})
    assert expected["rose"][-1] == pytest.approx(0.5 / 3.0, abs=1e-9)
    for inputs in (frame, path, {"F": frame, "G": frame}, {"F": str(path), "G": cutset.table(path)}):
        run = model.simulate(3.0, inputs=inputs)
        assert all(np.array_equal(run[name], expected[name]) for name in ("time", "x", "F", "G", "rose"))
    with pytest.raises(RunError, match="column 'H', which is no input of the model") as raised:
        model.simulate(1.0, inputs=Frame([0, 1], {"H": [0, 1]}))
    assert raised.value.code == "E602"


def test_command_line(write_model, tmp_path) -> None:
    model, f, g, out = write_model(EDGES), tmp_path / "f.csv", tmp_path / "g.csv", tmp_path / "out.npz"
    f.write_text("time,F\n0,0\n1,1\n2,0\n")
    g.write_text("time,G\n0,0\n1,0\n")
    given = ["--input", f"{f},hold", "--input", f"{g},keep"]
    assert main(["simulate", str(model), "--stop", "3", *given, "-o", str(out)]) == 0
    with np.load(out) as found:
        assert found["x"][-1] == pytest.approx(1.0) and found["rose"][-1] == 1.0
    assert main(["simulate", str(model), "--stop", "3", "--input", str(f)]) == 2


def test_steps_of_a_simulator_over_breaks(rc, target) -> None:
    """Pieces that end at breaks, before and after them, give the one run: each jump once."""
    table = cutset.table(([0.0, 0.55, 1.0, 1.5], [1.0, 3.0, 0.0, 2.0]), "hold")
    settings = {"inputs": {"F": table}, "method": "dopri5", "rtol": 1e-10, "atol": 1e-12, "target": target}
    sim = rc.simulator(**settings)
    for stop in (0.3, 0.55, 0.7, 1.0, 1.6, 2.0):
        sim.step(stop - sim.time)
        response = zip((0.0, 0.55, 1.0, 1.5), (1.0, 2.0, -3.0, 2.0), strict=True)
        assert abs(sim["x"] - sum(size * stepped(stop - t) for t, size in response)) < 1e-8
    assert sim.events["time"] == 3
    again = rc.simulator(**settings)
    again.restore(sim.state())
    assert again["x"] == sim["x"]


def test_a_table_beside_a_function(write_model, target) -> None:
    model = cutset.load(write_model("model M\n  input F, G\n  local x (start=0)\n  der(x) = F*G\nend\n"))
    inputs = {"F": cutset.table(([0, 1], [1.0, 2.0]), "hold"), "G": lambda t: 2.0 * t}
    run = model.simulate(2.0, inputs=inputs, target=target)
    assert abs(run["x"][-1] - (1.0 + 2.0 * 3.0)) < 1e-6


def test_a_long_table_runs_in_c(write_model) -> None:
    if "c" not in TARGETS:
        pytest.skip("without a C compiler")
    times = np.linspace(0.0, 1.0, 2001)
    model = cutset.load(write_model(RC))
    run = model.simulate(1.0, inputs={"F": (times, np.sin(50.0 * times))}, points=2, rtol=1e-8)
    assert run.statistics.events == {"time": 1999}
    exact = (np.exp(-1.0) * 50.0 + np.sin(50.0) - 50.0 * np.cos(50.0)) / 2501.0
    assert abs(run["x"][-1] - exact) < 1e-5
