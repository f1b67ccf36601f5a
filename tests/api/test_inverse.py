"""Inverse problems: against closed solutions, and against the direct problem that they invert."""

import json

import numpy as np
import pytest

import cutset
from cutset.api.command_line.command import main

G, LENGTH, MASS, INERTIA = 9.81, 0.7, 3.0, 0.2
PENDULUM = f"""
@mbs
model Pendulum
  submodel (Inertial) world(ng2=-1, g={G})
  submodel (Revolute) r(n3=1)
  submodel (Body) b(m={MASS}, r1={LENGTH}, I33={INERTIA})
  connect world to r to b
end
"""
ARM = """
@mbssim
model Arm
  submodel (Inertial) world(ng2=-1)
  submodel (Revolute) r1(n2=1, n3=1, q0=0.4, qd0=1)
  submodel (Prismatic) r2(n1=1, q0=0.2)
  submodel (Body) m1(m=2, r1=0.2, I11=0.1, I22=0.1, I33=0.1), m2(m=0.5, I11=0.01, I22=0.01, I33=0.01)
  submodel (Rotor) j1(J=0.02)
  submodel (JointSpring) s2(c=40)
  submodel (JointDamper) d2(d=3)
  connect world to r1 to r2, m1 at r1:b, m2 at r2:b, j1 at r1:ext, s2 at r2:ext, d2 at r2:ext
end
"""
RC = """
@electrical
model RC
  parameter V0 = 3
  submodel (VSource) V(u=V0)
  submodel (Resistor) R(R=100)
  submodel (Capacitor) C(C=1e-3, u0=1)
  submodel (Ground) g
  node n0, n1
  connect V at (n1, n0), g at n0, n1 to R to C to n0
end
"""
ROWS = np.linspace(0.0, 1.0, 41)
WAY = (lambda t: 0.3 * t**3 - t, lambda t: 0.9 * t**2 - 1.0, lambda t: 1.8 * t)


@pytest.mark.parametrize(
    ("library", "signal"),
    [("mbs", WAY), ("mbs", (ROWS, WAY[0](ROWS))), ("mbssim", WAY), ("mbsmat", WAY), ("mbsabs", WAY)],
)
def test_torque_of_a_pendulum(library, signal, write_model):
    """(I + m*l^2)*q'' + m*g*l*cos(q), for q from the horizontal."""
    model = cutset.load(write_model(PENDULUM), instead={"mbs": library} if library != "mbs" else None)
    run = model.inverse({"r.q": signal}, stop=1.0, points=5, target="python")
    t = run.time
    torque = (INERTIA + MASS * LENGTH**2) * WAY[2](t) + MASS * G * LENGTH * np.cos(WAY[0](t))
    assert run["r.lambda"] == pytest.approx(torque, rel=1e-9)
    assert run["added(r.lambda)"] == pytest.approx(torque, rel=1e-9)


@pytest.mark.parametrize("library", ["mbs", "mbssim", "mbsmat", "mbsabs"])
def test_direct_after_inverse(library, write_model):
    """The forces that moved the arm are found again; nothing has to be added to its dampers, spring and rotor."""
    model = cutset.load(write_model(ARM), instead={"mbssim": library} if library != "mbssim" else None)
    direct = model.simulate(0.1, points=11, rtol=1e-8, atol=1e-10, target="python")
    inverse = model.inverse({"r*.q": direct}, points=6, target="python")
    assert inverse._model.info.states == ()
    for name in ("r1.lambda", "r2.lambda"):
        scale = max(abs(direct[name]).max(), 1.0)
        assert inverse[name] == pytest.approx(direct[name][::2], abs=1e-5 * scale)
        assert inverse[f"added({name})"] == pytest.approx(0.0, abs=1e-5 * scale)


def test_what_an_ideal_drive_adds(write_model):
    """The spring, the damper and the rotor take their parts."""
    path, way = write_model(ARM), {"r*.q": WAY}
    runs = [
        cutset.load(path, instead=instead).inverse(way, points=3, target="python")
        for instead in ({}, {"mbssim": "mbs"})
    ]
    for name in ("r1.lambda", "r2.lambda", "added(r1.lambda)", "added(r2.lambda)"):
        assert runs[0][name] == pytest.approx(runs[1][name], rel=1e-9)


def test_voltage_that_charges_a_capacitor(write_model):
    """R*C*u' + u, found instead of the constant voltage; the capacitor's start value has no effect."""
    model = cutset.load(write_model(RC))
    run = model.inverse({"C.u": (np.sin, np.cos)}, ["V.u"], stop=2.0, points=9, target="python")
    expected = np.sin(run.time) + 0.1 * np.cos(run.time)
    assert run["V.u"] == pytest.approx(expected)
    assert run["added(V.u)"] == pytest.approx(expected - 3.0)
    held = model.inverse({"C.u": 2.0}, ["V.u"], points=2, parameters={"V0": 5.0, "R.R": 7.0}, target="python")
    assert (held["V.u"].tolist(), held["added(V.u)"].tolist()) == ([2.0, 2.0], [-3.0, -3.0])


def test_a_state_remains(write_model):
    """The level of one of two tanks is known: the other one is still computed. x = 1 + t, y' = x - y, y(0) = 0."""
    text = "model M\n  input u\n  local x (start=9), y\n  der(x) = u - x\n  der(y) = x - y\nend\n"
    model = cutset.load(write_model(text))
    run = model.inverse({"x": (lambda t: 1.0 + t, 1.0)}, stop=2.0, points=5, rtol=1e-9, target="python")
    assert run["y"] == pytest.approx(run.time, abs=1e-7)
    assert run["u"] == pytest.approx(2.0 + run.time)


@pytest.mark.parametrize("method", ["dopri5", "cvode-bdf"])
def test_a_series_is_evaluated_in_c_as_in_python(method, write_model):
    text = "model M\n  input u, w\n  local x, y\n  der(x) = u - x\n  der(y) = x - y*w\nend\n"
    model = cutset.load(write_model(text))
    breaks = np.concatenate([ROWS, ROWS + 1.0])
    known = {"x": (breaks, np.abs(np.cos(breaks - 1.0)) + np.where(breaks > 1.0, breaks - 1.0, 0.0))}
    for w in (0.5, lambda t: t):
        runs = [
            model.inverse(known, ["u"], points=9, method=method, inputs={"w": w}, target=target)
            for target in ("c", "python")
        ]
        for name in ("x", "der(x)", "y", "u"):
            assert runs[0][name] == pytest.approx(runs[1][name], rel=1e-9, abs=1e-12)


class Derivable:
    """As the splines of SciPy."""

    def __init__(self, order=0):
        self._order = order

    def __call__(self, t):
        return [np.sin(t), np.cos(t)][self._order]

    def derivative(self, order):
        return Derivable(order)


@pytest.mark.parametrize(
    "signal",
    [
        Derivable(),
        [np.sin, np.cos],
        (ROWS, np.sin(ROWS)),
        {"time": ROWS, "C.u": np.sin(ROWS)},
        {"time": ROWS, "whatever": np.sin(ROWS)},
        {"time": ROWS[::10], "C.u": np.sin(ROWS[::10]), "der(C.u)": np.cos(ROWS[::10])},
    ],
)
def test_kinds_of_signals(signal, write_model):
    run = cutset.load(write_model(RC)).inverse({"C.u": signal}, ["V*.u"], points=5, target="python")
    assert run.time[-1] == 1.0
    assert run["V.u"] == pytest.approx(np.sin(run.time) + 0.1 * np.cos(run.time), abs=2e-5)


@pytest.mark.parametrize(
    ("known", "find", "said"),
    [
        ({}, (), "E605.*known must be signals by name"),
        ({"C.u": 1.0}, "V.u", "E605.*find must be a list of names"),
        ({"C.x": 1.0}, ["V.u"], "E602.*no variable 'C.x'"),
        ({"x*": 1.0}, ["V.u"], "E602.*no variable matches 'x\\*'"),
        ({"C.u": 1.0}, ["V.x"], "E602.*no variable 'V.x'"),
        ({"C.u": np.sin}, ["V.u"], r"E605.*needs 'der\(C.u\)', and 'C.u' is given without it(.|\n)*give all functions"),
        ({"C.u": None}, ["V.u"], "E605.*must be a finite number, not None"),
        ({"C.u": "way.csv"}, ["V.u"], "E605.*cannot read way.csv"),
        ({"C.u": {"C.u": [1.0, 2.0]}}, ["V.u"], "E605.*has no column time"),
        ({"C.u": {"time": [0.0, 1.0]}}, ["V.u"], "E605.*'C.u' has no column 'C.u'"),
        ({"C.u": (ROWS, ROWS[1:])}, ["V.u"], "E605.*one value for each time"),
        ({"C.u": (["a"], ["b"])}, ["V.u"], "E605.*'C.u' must have numbers only"),
        ({"C.u": {"time": ROWS, "C.u": "way"}}, ["V.u"], "E605.*'C.u' must have numbers only"),
        ({"C.u": (ROWS, np.sin(ROWS))}, ["R.i"], "E316"),
    ],
)
def test_what_cannot_be_run(known, find, said, write_model):
    with pytest.raises((cutset.RunError, cutset.ModelError), match=said):
        cutset.load(write_model(RC)).inverse(known, find, target="python")


def test_two_names_of_one_quantity(write_model):
    text = "model M\n  input a\n  local x, S(2,2)(symmetric)\n  S = [a, x; x, 3]\n  der(x) = a - x\nend\n"
    model = cutset.load(write_model(text))
    assert model.inverse({"S(2,1)": 2.0}, ["a"], points=2, target="python")["a"].tolist() == [2.0, 2.0]
    with pytest.raises(cutset.RunError, match=r"'S\(1,2\)' and 'S\(2,1\)' are the same quantity"):
        model.inverse({"S(1,2)": 2.0, "S(2,1)": 3.0}, ["a"])


def test_command(write_model, tmp_path, capsys, monkeypatch):
    path = str(write_model(RC))
    monkeypatch.chdir(tmp_path)
    assert main(["simulate", path, "--stop", "0.5", "--points", "51", "-o", "way.csv", "--target", "python"]) == 0
    known = ["--known", "C.u=way.csv", "--find", "V.u", "--target", "python"]
    assert main(["simulate", path, *known, "-o", "found.npz"]) == 0
    found = np.load("found.npz")
    assert (found["time"][-1], found["V.u"]) == (0.5, pytest.approx(3.0, abs=1e-4))
    capsys.readouterr()
    assert main(["simulate", path, *known]) == 0
    assert "added(V.u)" in capsys.readouterr().out
    assert main(["simulate", path, *known, "--stop", "2"]) == 2
    assert "'C.u' is given from 0 to 0.5 s" in capsys.readouterr().err
    assert main(["simulate", path, "--find", "V.u"]) == 2
    assert "--find needs --known" in capsys.readouterr().err


def test_code_of_an_inverse_problem(write_model, tmp_path, capsys):
    path = str(write_model(RC))
    assert main(["translate", path, "--known", "C.u", "--find", "V*.u", "-o", str(tmp_path / "code")]) == 0
    facts = json.loads((tmp_path / "code/model.json").read_text())
    assert (facts["inputs"], facts["states"]) == (["C.u", "der(C.u)"], [])
    capsys.readouterr()
    for options, said in ((["--find", "V.u"], "--find needs --known"), (["--known", "C.u"], "E318")):
        assert main(["translate", path, *options]) != 0
        assert said in capsys.readouterr().err


@pytest.mark.parametrize("method", ["dopri5", "cvode-bdf", "bdf", "rk4"])
def test_a_run_stops_where_a_series_has_a_jump(method, write_model):
    """The force is 1 N up to 1.05 s, then 0; its impulse is a state that remains. At the jump there is a row for each
    side."""
    model = cutset.load(
        write_model("model M\n  input F\n  local x, v, y\n  der(x) = v\n  der(v) = F\n  der(y) = F\nend\n")
    )
    before, behind = np.array([0.0, 0.5, 1.05]), np.array([1.05, 2.0])
    table = {
        "time": [*before, *behind],
        "x": [*(0.5 * before**2), *(0.5 * 1.05**2 + 1.05 * (behind - 1.05))],
        "v": [*before, 1.05, 1.05],
        "der(v)": [1.0, 1.0, 1.0, 0.0, 0.0],
    }
    run = model.inverse({"x": table}, ["F"], points=3, method=method, target="python")
    assert run.time.tolist() == [0.0, 1.0, 1.05, 1.05, 2.0]
    assert run["F"] == pytest.approx([1.0, 1.0, 1.0, 0.0, 0.0], abs=1e-9)
    assert run["y"] == pytest.approx([0.0, 1.0, 1.05, 1.05, 1.05], abs=1e-7)
    assert run.statistics.events == {"time": 1}


def _double(q1: float, q2: float) -> tuple[float, float]:
    """The torques that hold both joints of DOUBLE, from the horizontal."""
    outer = 2 * G * 0.3 * np.cos(q1 + q2)
    return 1.5 * G * 0.25 * np.cos(q1) + 2 * G * 0.5 * np.cos(q1) + outer, outer


DOUBLE = f"""
@mbs
model Double
  submodel (Inertial) world(ng2=-1, g={G})
  submodel (Revolute) r1(n3=1), r2(n3=1, q0=-1)
  submodel (Body) b1(m=1.5, r1=0.25, I33=0.1), b2(m=2, r1=0.3, I33=0.1)
  submodel (Bar) l(r1=0.5)
  connect world to r1 to l to r2, b1 at r1:b, b2 at r2:b
end
"""


@pytest.mark.parametrize("target", ["c", "python"])
def test_steady_with_known_quantities_holds_them(target, write_model):
    """The torque that holds the first joint where the second one hangs, and both torques that hold a pose."""
    model = cutset.load(write_model(DOUBLE))
    held = model.steady(known={"r*.q": 0.4}, target=target)
    assert [held["r1.lambda"][0], held["r2.lambda"][0]] == pytest.approx(_double(0.4, 0.4), rel=1e-12)
    # The motion at one second is known, but not its derivatives: it rests there.
    hanging = model.steady(1.0, known={"r1.q": (lambda t: 0.4 * t, lambda t: 0.4, lambda t: 0.0)}, target=target)
    assert np.cos(0.4 + hanging["r2.q"][0]) == pytest.approx(0, abs=1e-8)
    assert hanging["r1.lambda"][0] == pytest.approx(_double(0.4, -np.pi / 2 - 0.4)[0], rel=1e-8)
    assert hanging["r1.qd"][0] == 0.0


def test_the_linearization_of_an_inverse_problem_has_what_is_known_as_inputs(write_model):
    model = cutset.load(write_model(PENDULUM))
    found = model.steady(known={"r.q": 0.4}, target="python").linearize(["r.lambda"])
    assert (found.states, found.inputs) == ((), ("r.q", "der(r.q)", "der(r.q,2)"))
    stiffness, inertia = -MASS * G * LENGTH * np.sin(0.4), INERTIA + MASS * LENGTH**2
    np.testing.assert_allclose(found.D, [[stiffness, 0.0, inertia]], rtol=1e-6, atol=1e-9)


def test_a_sweep_of_an_inverse_problem(write_model):
    model = cutset.load(write_model(PENDULUM))
    swept = model.sweep({"b.m": [1.0, 2.0]}, ["r.lambda"], 1.0, known={"r.q": WAY}, target="python", workers=1)
    for mass, torque in zip((1.0, 2.0), swept["r.lambda"], strict=True):
        expected = (INERTIA + mass * LENGTH**2) * WAY[2](1.0) + mass * G * LENGTH * np.cos(WAY[0](1.0))
        assert torque == pytest.approx(expected, rel=1e-9)
    with pytest.raises(cutset.RunError, match=r"E605.*given from 0 to 1 s, but the run is from 0 to 2 s"):
        model.sweep({"b.m": [1.0]}, ["r.lambda"], 2.0, known={"r.q": (ROWS, WAY[0](ROWS))}, target="python")


def test_what_is_to_be_found_needs_what_is_known(write_model):
    model = cutset.load(write_model(PENDULUM))
    with pytest.raises(cutset.RunError, match=r"E605.*known must be signals by name"):
        model.steady(find=["r.lambda"])
    with pytest.raises(cutset.RunError, match=r"E605.*known must be signals by name"):
        model.sweep({"b.m": [1.0]}, ["r.lambda"], find=["r.lambda"])


def test_commands_pose_inverse_problems(write_model, capsys):
    path = str(write_model(PENDULUM))
    common = [path, "--known", "r.q=0.4", "--target", "python"]
    assert main(["steady", *common[:3], "--json"]) == 0
    values = json.loads(capsys.readouterr().out)["values"]
    assert values["r.lambda"] == pytest.approx(MASS * G * LENGTH * np.cos(0.4), rel=1e-9)
    assert main(["linearize", *common[:3], "--outputs", "r.lambda", "--steady", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["inputs"] == ["r.q", "der(r.q)", "der(r.q,2)"]
    assert main(["linearize", *common[:3], "--outputs", "r.lambda", "--time", "1", "--json"]) == 0
    at_one = json.loads(capsys.readouterr().out)
    assert (at_one["time"], at_one["D"][0][2]) == (1.0, pytest.approx(INERTIA + MASS * LENGTH**2, rel=1e-6))
    assert main(["sweep", *common, "--vary", "b.m=1,2", "--outputs", "r.lambda", "--workers", "1"]) == 0
    assert f"{2 * G * LENGTH * np.cos(0.4):.9g}" in capsys.readouterr().out
    assert main(["steady", path, "--find", "r.lambda"]) == 2
    assert "--find needs --known" in capsys.readouterr().err
