"""The method bdf: all equations and unknowns of a model, integrated as they are."""

from __future__ import annotations

import re

import numpy as np
import pytest

import cutset
from cutset.compiler.options import Options
from cutset.compiler.pipeline import Observer, compile_model
from cutset.compiler.verify import Verifier
from cutset.runtime.errors import RunError
from cutset.runtime.solvers import sundials
from cutset.runtime.solvers.consistent_point import ConsistentPoint

PENDULUM = """
model Pendulum
  local x (start=1), y (start=0), vx (start=0), vy, F
  vx = der(x)
  vy = der(y)
  der(vx) = -F*x
  der(vy) = -F*y - 9.81
  x^2 + y^2 = 1
end
"""
# A bridge of resistors with a diode across it: nothing of it can be solved for one unknown after the other.
BRIDGE = """
model Bridge
  parameter C = 1e-3, Is = 1e-9, V = 2
  local a (start=0.5), b, i, u
  u = V*sin(3*time) + V
  C*der(a) = (u - a)/100 - i
  0 = (u - b)/50 - b/70 + i
  i = Is*(exp((a - b)/0.05) - 1) + (a - b)/200
end
"""
SWITCHED = """
model Switched
  local x (start=0), y, on
  on = if time > 0.3 then 1 else 0
  y + 0.5*sin(y) = on + x
  der(x) = if x < 0.8 then 1 - 0.2*y else 0.1*y
end
"""
CALLED = """
function cube(a) result r
  r := a
  r := a*r
  r := a*r
end
"""


def compared(path, stop: float, tolerance: float, target: str) -> cutset.Result:
    """A run by bdf; all variables agree with those of another method."""
    model = cutset.load(path)
    settings = {"stop": stop, "points": 41, "target": target, "rtol": 1e-8, "atol": 1e-8}
    found, expected = (model.simulate(method=method, **settings) for method in ("bdf", "auto"))
    assert found.time.tolist() == pytest.approx(expected.time.tolist(), abs=1e-6)
    for name in expected.names():
        if "$" not in name:  # which state is chosen is the choice of the run
            size = max(1.0, float(np.abs(expected[name]).max()))
            assert np.abs(found[name] - expected[name]).max() < tolerance * size, name
    return found


@pytest.fixture(params=["c", "python"])
def target(request) -> str:
    return request.param


def test_nonlinear_equations_stay_among_the_unknowns(write_model, target) -> None:
    run = compared(write_model(BRIDGE), 1.0, 1e-6, target)
    assert re.fullmatch(r"bdf, sparse, \d+ entries, exact Jacobian", run.statistics.method)


def test_states_are_chosen_in_the_run(write_model, target) -> None:
    run = compared(write_model(PENDULUM), 2.0, 1e-5, target)
    assert run.statistics.events["state"] > 0
    assert np.abs(run["x"] ** 2 + run["y"] ** 2 - 1.0).max() < 1e-7


def test_unknowns_jump_at_events(write_model, target) -> None:
    run = compared(write_model(SWITCHED), 2.0, 1e-6, target)
    (before, after) = np.flatnonzero(np.abs(run.time - 0.3) < 1e-12)
    for row, on in ((before, 0.0), (after, 1.0)):
        assert run["y"][row] + 0.5 * np.sin(run["y"][row]) - run["x"][row] == pytest.approx(on, abs=1e-8)


def test_the_statement_of_all_unknowns_is_kept(write_model) -> None:
    """Nothing is eliminated: the unknowns of the program are those of the equations."""
    path = write_model(BRIDGE)
    whole = compile_model(path, None, Options(solved=False), Observer([Verifier()])).info
    assert sorted(whole.states) == ["a", "b", "der(a)", "i", "u"] and (whole.n_algebraic, whole.n_slopes) == (4, 1)
    assert whole.states[0] == "a" and whole.states[-1] == "der(a)"
    beside = compile_model(path, None, Options(unreduced=True))
    assert beside.unreduced is not None and beside.unreduced.info == whole
    assert compile_model(path, None).unreduced is None


def test_without_solving_newton_finds_the_start(write_model, target) -> None:
    path = write_model(BRIDGE)
    with_start = cutset.load(path).simulate(0.5, method="bdf", target=target)
    without = cutset.load(path, solved=False).simulate(0.5, target=target)
    for name in ("a", "b", "i", "u", "der(a)"):
        assert without[name][0] == pytest.approx(with_start[name][0], abs=1e-8)
        assert np.abs(without[name] - with_start[name]).max() < 1e-4
    with pytest.raises(RunError, match="the method dopri5 needs a model whose equations are solved"):
        cutset.load(path, solved=False).simulate(0.5, method="dopri5")


def test_equations_without_value_at_the_guess_wait(write_model) -> None:
    """With all unknowns 0, only the first equation has a value."""
    text = (
        "model M\n  local x (start=1), r, s, f\n  r = x + 3\n  s = 1/r + log(r)\n  f*s = sqrt(r)\n  der(x) = -f\nend\n"
    )
    run = cutset.load(write_model(text), solved=False).simulate(0.1)
    r = run["x"] + 3.0
    assert np.abs(run["f"] - np.sqrt(r) / (1.0 / r + np.log(r))).max() < 1e-6


def test_a_start_without_solution_is_told(write_model) -> None:
    text = "model M\n  local x (start=1), y\n  y^2 = -x\n  der(x) = -y\nend\n"
    with pytest.raises(RunError, match="E635"):
        cutset.load(write_model(text), solved=False).simulate(0.1)


def test_unknowns_that_make_no_event_may_jump(write_model, target) -> None:
    """`part` jumps from pi to -pi; `whole` does not."""
    text = """model Turning
  local a (start=2), turned (start=2), part, whole, x, y
  x = cos(a)
  y = sin(a)
  part = atan2(y, x)
  whole = part + 6.283185307179586*noevent(floor((turned - part)/6.283185307179586 + 0.5))
  der(a) = 1
  der(turned) = 1 + 0.1*(whole - turned)
end
"""
    run = cutset.load(write_model(text)).simulate(8.0, points=81, method="bdf", target=target)
    assert np.abs(run["whole"] - (2.0 + run.time)).max() < 1e-5 and np.ptp(run["part"]) > 6.0
    assert np.abs(run["x"] - np.cos(2.0 + run.time)).max() < 1e-5


def test_functions_are_differentiated_or_shifted(write_model) -> None:
    text = CALLED + "model M\n  local x (start=1), y\n  cube(y) + y = x\n  der(x) = -y\nend\n"
    run = compared(write_model(text), 1.0, 1e-6, "c")
    assert np.abs(run["y"] ** 3 + run["y"] - run["x"]).max() < 1e-7


def test_runs_go_on_and_vary(write_model) -> None:
    model = cutset.load(write_model(BRIDGE))
    whole = model.simulate(1.0, method="bdf", rtol=1e-8, atol=1e-10)
    half = model.simulate(0.5, method="bdf", rtol=1e-8, atol=1e-10)
    assert half.resume(1.0)["b"][-1] == pytest.approx(whole["b"][-1], abs=1e-6)
    rows = model.sweep({"V": [1.0, 2.0]}, ["b"], 1.0, method="bdf", rtol=1e-8, atol=1e-10, workers=1)
    assert rows["b"][1] == pytest.approx(whole["b"][-1], abs=1e-6) and rows["b"][0] < rows["b"][1]
    with pytest.raises(RunError, match="cannot be linearized"):
        whole.linearize()


def test_bdf_needs_sundials(write_model, monkeypatch) -> None:
    monkeypatch.setattr(sundials, "load", lambda: None)
    with pytest.raises(RunError, match="the method bdf needs SUNDIALS"):
        cutset.load(write_model(BRIDGE)).simulate(0.1, method="bdf")


def test_a_consistent_point_stays(write_model) -> None:
    """Passes of an event compare points bit by bit. They keep no view of a point, which may lie in memory of C that is
    free soon."""
    model = cutset.load(write_model(BRIDGE), solved=False).build("python")
    values, u, m = model.bind({}), np.zeros(0), np.zeros(0)
    point = ConsistentPoint(model)
    x = point.near(0.0, np.array([0.5, 0.0, 0.0, 0.0, 0.0]), u, values, m)
    assert np.abs(model.derivatives(0.0, x, u, values, m)[1:]).max() < 1e-12
    before, again = x.copy(), point.near(0.0, x, u, values, m)
    x[:] = np.nan
    assert again.tobytes() == before.tobytes()
    assert point.near(0.0, before, u, values, m).tobytes() == before.tobytes()


def test_an_unknown_without_value_is_told(write_model) -> None:
    path = write_model("model M\n  local x, y (start=1)\n  der(x) = 1\n  y = (1 - x)^1.5\nend\n")
    said = r"(?s)E617.*at time 1\.0.*y = nan by the equation\n.*:4:3: y = \(1 - x\)\^1\.5"
    with pytest.raises(RunError, match=said):
        cutset.load(path).simulate(2.0, method="bdf", target="python")


def test_a_branch_without_value_has_no_part_in_the_jacobian(write_model) -> None:
    """1/x is shared by two branches; neither is taken at x = 0, where it has no value."""
    text = "noevent(if x > {} then {}/x else {}*x)"
    equations = f"der(x) = -x; y = {text.format(0, 'z', 2)} + {text.format(1, '3*z', 4)}; z = sin(x) + 1"
    path = write_model("model M\n  local x, y, z\n  " + equations.replace("; ", "\n  ") + "\nend\n")
    model = cutset.load(path, solved=False).build("python")
    values, u, modes = model.bind({}), np.zeros(0), np.zeros(0)
    for x, slope in ((0.0, 6.0), (0.5, -5 / 0.5**2 + 4), (2.0, -4 * 5 / 2.0**2)):
        point = {"x": x, "y": 1.0, "z": 5.0}
        found = model.jacobian(0.0, np.array([point.get(name, 0.0) for name in model.info.states]), u, values, modes)
        row = model.info.states.index("y")
        scale = -found[row, row]
        assert found[row, model.info.states.index("x")] / scale == pytest.approx(slope, abs=1e-12)


CHOPPER = """
@electrical
model Chopper
  submodel (VConst) V(V=12)
  submodel (ClosingSwitch) high(Ron=0.02, Goff={leak})
  submodel (IdealDiode) low(Ron=0.02, Goff={leak})
  submodel (Inductor) L(L=1e-4, i0=2)
  submodel (Resistor) R(R=2)
  submodel (Ground) g
  node p, n, a, o
  local (Boolean) c({n})
  connect V at (p, n), g at n, high at (p, a), low at (n, a), L at (a, o), R at (o, n)
  c(1) = time >= 1e-5
  for k = 2..{n} do
    c(k) = not c(k - 1)
  endfor
  high.closed = c({n})
end
"""


@pytest.mark.parametrize(("leak", "n"), [(0, 1), (0, 5), (1e-5, 1), (1e-3, 25)])
def test_truth_values_take_the_others_along(write_model, leak: float, n: int) -> None:
    """The diode stopped to block where the switch closed: a truth value arrived with the last step, and the others did
    not follow it. A long chain of them arrives in the same way."""
    model = cutset.load(write_model(CHOPPER.format(leak=leak, n=n)))
    own, others = (model.simulate(2e-5, method=method, points=3, target="python") for method in ("bdf", "auto"))
    assert own["low.i"] == pytest.approx(others["low.i"], abs=1e-4)
    assert own["L.i"] == pytest.approx(others["L.i"], abs=1e-4)


ROUNDED = """@electrical
model Rounded "at 15 V, a small capacitor behind 0.1 ohm"
  submodel (VExpSine) V(V=0.2, f=2e8, d=1e7)
  submodel (VConst) E(V=15)
  submodel (Resistor) R(R=0.1), Q(R=100)
  submodel (Capacitor) C(C=1e-10), D(C=2e-13)
  submodel (Ground) g
  node n, a, b, c, d
  connect g at n, V at (a, n), E at (b, n), Q at (b, c), C at (c, n), R at (c, d), D at (d, a)
end
"""


def test_steps_do_not_end_where_derivatives_are_rounded_more_than_they_may_differ(write_model):
    """Those of the small voltage by 1e-2 V/s, more in shorter steps."""
    run = cutset.load(write_model(ROUNDED)).simulate(1e-3, method="bdf", rtol=1e-5, atol=1e-5)
    assert run["D.u"][-1] == pytest.approx(15.0, rel=1e-5)


STIFF_BESIDE_A_DISTANCE = """
model Rod
  parameter K = 2e8, L = 45, m = 0.15
  local s (start=1e-7), v (start=0), x, w, f, R
  v = der(s)
  w = der(x)
  f = -K*s
  m*der(v) = f + R
  m*der(w) = -R
  x = L + s
end
"""


def test_a_stiff_spring_may_enlarge_the_rounding_of_a_constraint(write_model):
    """The force is rounded by 1e-6 N, and passes zero, where only its absolute tolerance of 1e-8 N is left."""
    run = cutset.load(write_model(STIFF_BESIDE_A_DISTANCE)).simulate(
        0.02, method="ggl", points=41, rtol=1e-6, atol=1e-8
    )
    assert run["s"] == pytest.approx(1e-7 * np.cos(np.sqrt(2e8 / 0.3) * run["time"]), abs=1e-8)
