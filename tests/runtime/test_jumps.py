"""A position that jumps ends the run at that instant. A jump of a velocity, a voltage or a current is solved: momentum,
charge and flux are kept."""

import io
import re
import zipfile
from pathlib import Path

import numpy as np
import pytest
from oracles.jumping_circuits import jumps, stepping_circuit, switched, switching_circuit

import cutset

JOINT = (
    "@{library}\nmodel M\nsubmodel (Inertial) w(ng3=-1)\nsubmodel ({joint}) a({axis}=1)\nsubmodel (Revolute) "
    "b(n2=1)\nsubmodel (Bar) r(r1=0.3)\n"
    "submodel (Body) m(m=1, r1=0.5, I22=0.1)\nsubmodel (Motion) mo\nconnect w to a to r to b to m, mo at "
    "a:ext\nmo.q_ref = {reference}\nend\n"
)
LINE = (
    "@{library}\nmodel M\nsubmodel (Position) mo\nsubmodel ({mass})\nsubmodel (SpringDamper) s(c=10, d=1)\n"
    "connect mo to x to s to y\nmo.{way} = {reference}\nend\n"
)
MODELS = {
    "mbs, revolute": JOINT.replace("{library}", "mbs").replace("{joint}", "Revolute").replace("{axis}", "n2"),
    "mbssim, revolute": JOINT.replace("{library}", "mbssim").replace("{joint}", "Revolute").replace("{axis}", "n2"),
    "mbs, prismatic": JOINT.replace("{library}", "mbs").replace("{joint}", "Prismatic").replace("{axis}", "n1"),
    "mbssim, prismatic": JOINT.replace("{library}", "mbssim").replace("{joint}", "Prismatic").replace("{axis}", "n1"),
    "rotational": LINE.replace("{library}", "rotational")
    .replace("{way}", "phi")
    .replace("{mass}", "Inertia) x(J=1), y(J=1"),
    "translational": LINE.replace("{library}", "translational")
    .replace("{way}", "s")
    .replace("{mass}", "Mass) x(m=1), y(m=1"),
}
REFERENCES = {
    "if time < 0.5 then 0 else 1": True,
    "if time < 0.5 then 0 else 0.7*(time - 0.5)": False,  # the velocity jumps, and others are states
    "if time < 0.5 then 0 else 0.7*(time - 0.5)^2": False,
    "if sin(3*time) > 0.9 then 0.2 else 0": True,
    "0.1*sin(3*time)": False,
}


def failure(path) -> str:
    """What ends the run, '' where it reaches its end."""
    try:
        cutset.load(path).simulate(1.0, target="python")
    except cutset.RunError as error:
        return str(error)
    return ""


# All motions of two models, and a jump and a smooth motion of the others.
FEW = ("if time < 0.5 then 0 else 1", "0.1*sin(3*time)")
MOTIONS = [(m, r) for m in MODELS for r in REFERENCES if m in ("mbs, revolute", "rotational") or r in FEW]


@pytest.mark.parametrize(("model", "reference"), MOTIONS)
def test_prescribed_motion(write_model, model, reference):
    said = failure(write_model(MODELS[model].replace("{reference}", reference)))
    assert bool(said) == REFERENCES[reference]
    if said:
        instant = str(np.arcsin(0.9) / 3)[:7] if "sin" in reference else "0.5"
        assert "E641" in said and "jumps from" in said and "mo." in said and f"at time {instant}" in said


def rows_around(run: cutset.Result, t: float, *names: str) -> tuple[np.ndarray, np.ndarray]:
    """The values just before and just after an event."""
    rows = np.flatnonzero(run.time == t)
    assert len(rows) == 2
    return tuple(np.array([run[name][row] for name in names]) for row in rows)


@pytest.mark.parametrize("target", ["c", "python"])
@pytest.mark.parametrize("library", ["mbs", "mbssim"])
def test_a_speed_that_jumps_is_a_blow(write_model, library, target):
    """The driven joint turns an arm whose body turns freely at its end: the momentum about that axis is kept,
    (I + m*c^2)*w + m*c*L*cos(b)*a, where a and w turn in space."""
    text = JOINT.replace("{library}", library).replace("{joint}", "Revolute").replace("{axis}", "n2")
    text = text.replace("{reference}", "if time < 0.5 then 0 else 0.7*(time - 0.5)").replace(
        "submodel (Revolute) b(n2=1)", "submodel (Revolute) b(n2=1, q0=0.3)"
    )
    run = cutset.load(write_model(text)).simulate(1.0, target=target)
    before, after = rows_around(run, 0.5, "a.qd", "b.qd", "b.q")
    assert before[0] == 0.0 and after[0] == pytest.approx(0.7)
    momenta = [(0.1 + 0.25) * (a + b) + 0.5 * 0.3 * np.cos(q) * a for a, b, q in (before, after)]
    assert momenta[1] == pytest.approx(momenta[0], abs=1e-9) and abs(before[1]) > 0.1


@pytest.mark.parametrize("target", ["c", "python"])
@pytest.mark.parametrize(("peak", "after"), [(0.5, 0.0), (0.0, 0.0)])
def test_no_friction_withstands_a_blow(write_model, target, peak, after):
    """A clutch that sticks slips when one side is turned at once: its torque is finite."""
    text = (
        "@rotational\nmodel M\nsubmodel (Speed) s\nsubmodel (Inertia) a(J=1), b(J=2)\n"
        f"submodel (Clutch) c(fn_max={peak})\nc.engaged = 1\nconnect s to a to c to b\n"
        "s.w = if time < 0.5 then 0 else 3\nend\n"
    )
    run = cutset.load(write_model(text)).simulate(1.0, target=target)
    was, now = rows_around(run, 0.5, "a.w", "b.w")
    assert was.tolist() == [0.0, 0.0] and now[0] == pytest.approx(3.0) and now[1] == pytest.approx(after)
    assert run["b.w"][-1] == pytest.approx(0.5 * 0.5 * peak / 2, rel=1e-6, abs=1e-9)


# A step of 10 V across 1 uF and 3 uF, of 2 A into the node of 1 H and 3 H, and across a capacitor whose charge is not
# proportional to its voltage; what follows, from charge, flux and the sum of the voltages.
CIRCUITS = {
    "capacitors": (
        "submodel (VStep) s(V=10, t0=1e-3)\nsubmodel (Capacitor) a(C=1e-6), b(C=3e-6)\n"
        "connect s at (p, n), a at (p, q), b at (q, n)",
        {"a.u": 7.5, "b.u": 2.5},
    ),
    "inductors": (
        "submodel (IStep) s(I=2, t0=1e-3)\nsubmodel (Inductor) a(L=1), b(L=3)\n"
        "connect s at (n, p), a at (p, n), b at (p, q)\nsubmodel (Resistor) r(R=1)\nconnect r at (q, n)",
        {"a.i": 1.5, "b.i": 0.5},
    ),
    "transformer": (
        "submodel (VStep) s(V=10, t0=1e-3)\nsubmodel (Capacitor) a(C=1e-6), b(C=3e-6)\n"
        "submodel (IdealTransformer) t(n=2)\nconnect s at (p, n), a at (p, q), t at (q, n, r, n), b at (r, n)",
        {"a.u": 10 * 0.75 / 1.75, "b.u": 5 * 1 / 1.75},
    ),
    "charge": (
        "submodel (VStep) s(V=10, t0=1e-3)\nsubmodel (Capacitor) a(C=1e-6)\nsubmodel (Curved) b\n"
        "connect s at (p, n), a at (p, q), b at (q, n)",
        {"a.u": 20 - 10 * np.sqrt(2), "b.u": 10 * np.sqrt(2) - 10},  # 0.1*u^2 + 2*u = 10
    ),
}
HEAD = (
    '@electrical\nmodel class (TwoPin) Curved\nlocal Q (unit="C")\nconstant C (unit="F") = 1e-6, k (unit="1/V") = 0.1\n'
    "Q = C*u*(1 + k*u)\ni = der(Q)\nend\nmodel M\nsubmodel (Ground) g\nnode p, q, r, n\nconnect g at n\n"
)


@pytest.mark.parametrize("how", [{"target": "c"}, {"target": "python"}, {"method": "bdf"}, {"method": "ggl"}])
@pytest.mark.parametrize("name", CIRCUITS)
def test_charge_and_flux_are_kept(write_model, name, how):
    text, expected = CIRCUITS[name]
    used = [node for node in ("q", "r") if f" {node})" in text or f"({node}," in text or f", {node}," in text]
    head = HEAD.replace("node p, q, r, n", f"node p, {', '.join(used)}, n")
    run = cutset.load(write_model(head + text + "\nend\n")).simulate(2e-3, points=2, **how)
    for quantity, value in expected.items():
        rows = np.flatnonzero(run.time == 1e-3)
        assert run[quantity][rows[-1]] == pytest.approx(value, rel=1e-6), quantity


def test_random_circuits_whose_sources_step(tmp_path: Path):
    """More of them: python -m oracles.jumping_circuits 300."""
    found = [jumps(stepping_circuit(seed), tmp_path / f"c{seed}.mo", target="python")[0] for seed in range(6)]
    assert found.count("right, states jump") >= 4 and "wrong" not in found
    switches = [
        switched(switching_circuit(seed), tmp_path / f"s{seed}.mo", target="python")[0] for seed in (5, 12, 271)
    ]
    assert switches == ["right, states jump", "right, states jump", "right"]


def test_a_corner_goes_on_where_nothing_else_moves(write_model):
    text = JOINT.replace("{library}", "mbs").replace("{joint}", "Revolute").replace("{axis}", "n2")
    text = (
        text.replace("submodel (Revolute) b(n2=1)\n", "")
        .replace(" to b to m", " to m")
        .replace("{reference}", "if time < 0.5 then 0 else 0.7*(time - 0.5)")
    )
    run = cutset.load(write_model(text)).simulate(1.0, target="python")
    np.testing.assert_allclose(run["a.q"][-1], 0.35)


def test_a_reference_that_is_held_jumps(write_model):
    """Its value changes at samples."""
    text = MODELS["rotational"].replace(
        "mo.phi = {reference}",
        "local held (start=0)\nwhen sample(0.1, 0.25) then\nnew(held) = 2*time\nendwhen\nmo.phi = held",
    )
    said = failure(write_model(text))
    assert "E641" in said and "at time 0.1" in said
    soft = (
        text.replace("(Position) mo", "(SoftPosition) mo")
        .replace("mo.phi =", "mo.phi_ref =")
        .replace("Inertia) x", "FreeInertia) x")
    )
    assert not failure(write_model(soft))


def test_a_blow_that_is_written_goes_on(write_model):
    """The states are restarted at the instant: the model says what happens."""
    text = (
        'model M\nlocal s (unit="m"), v (unit="m/s"), x (unit="m", start=0), w (unit="m/s", start=0)\n'
        'constant c (unit="1/s2") = 4, d (unit="1/s") = 1, one (unit="m") = 1\n'
        "s = if time < 0.5 then 0*one else one\nv = der(s)\nder(x) = w\nder(w) = d*v - c*x\n"
        "when time >= 0.5 then\ninit(w) = -1\nendwhen\nend\n"
    )
    assert not failure(write_model(text))


def test_an_input_that_is_stepped_keeps_the_charge(write_model):
    """Its derivative is an input, too, and zero."""
    text = (
        '@electrical\nmodel M\ninput v (unit="V")\nsubmodel (VSource) V\nsubmodel (Capacitor) a(C=1e-6), b(C=3e-6)\n'
        "submodel (Ground) g\nnode p, q, n\nV.u = v\nconnect V at (p, n), g at n, a at (p, q), b at (q, n)\nend\n"
    )
    run = cutset.load(write_model(text)).simulator()
    run.step(0.5)
    run.step(0.5, {"v": 10.0})
    assert run.get("a.u", "b.u") == pytest.approx((7.5, 2.5))
    run.set({"v": 4.0})
    assert run.get("a.u", "b.u") == pytest.approx((3.0, 1.0))


PENDULUM = """model P "in Cartesian coordinates; its pivot starts to move at once"
  local x (start=0.6), y (start=-0.8), vx, vy, F, X
  X = if time < 0.5 then 0 else 2*(time - 0.5)
  vx = der(x)
  vy = der(y)
  der(vx) = -F*(x - X)
  der(vy) = -F*y - 9.81
  (x - X)^2 + y^2 = 1
end
"""


@pytest.mark.parametrize("how", [{"target": "c"}, {"target": "python"}, {"method": "bdf"}, {"method": "ggl"}])
def test_a_blow_goes_along_the_rod_whichever_states_are_chosen(write_model, how):
    """They are chosen during the run, once more after the blow."""
    run = cutset.load(write_model(PENDULUM)).simulate(1.0, **how)
    before, after = rows_around(run, 0.5, "vx", "vy", "x", "y")
    rod = before[2:]
    np.testing.assert_allclose(after[:2], before[:2] + rod * (rod @ [2.0, 0.0]), rtol=1e-9)
    assert run["vx"][-1] == pytest.approx(1.84009, rel=1e-4)


SHIFTED = """model Shifted "a gear whose ratio steps from 3 to 1 between two inertias"
  local a (start=9), b, f{local}
  {when}
  der(a) = f
  4*der(b) = -{ratio}*f + 2
  {equation}
end"""


@pytest.mark.parametrize(
    ("local", "when", "ratio", "equation"),
    [
        (", r", "r = if time < 1 then 3 else 1", "r", "a = r*b"),
        ("", "", "(if time < 1 then 3 else 1)", "a = (if time < 1 then 3 else 1)*b"),
        ("", "", "(if time < 1 then 3 else 1)", "b = a/(if time < 1 then 3 else 1)"),
        (", n (start=3)", "when time >= 1 then\n    new(n) = 1\n  endwhen", "n", "a = n*b"),
    ],
)
def test_a_factor_that_jumps_needs_no_name(local, when, ratio, equation):
    text = SHIFTED.format(local=local, when=when, ratio=ratio, equation=equation)
    before = 3.0 + 2.0 / 13.0  # b*sqrt(4 + r^2) is kept while the ratio r goes from 3 to 1
    assert cutset.loads(text).simulate(2.0)["b"][-1] == pytest.approx(before * np.sqrt(13.0 / 5.0) + 0.4, rel=1e-6)


@pytest.mark.parametrize("method", ["auto", "bdf", "ggl"])
def test_the_factor_that_gets_a_name_is_not_shown(tmp_path, method):
    text = SHIFTED.format(
        local="", when="", ratio="(if time < 1 then 3 else 1)", equation="a = (if time < 1 then 3 else 1)*b"
    )
    model = cutset.loads(text)
    run = model.simulate(0.1, points=2, method=method)
    table = io.StringIO()
    run.to_csv(table)
    listed = [variable.name for variable in model.variables()]
    with zipfile.ZipFile(model.export_fmu(tmp_path / "shifted.fmu", platforms=[])) as archive:
        described = re.findall(r'name="(.*?)"', archive.read("modelDescription.xml").decode())
    columns = table.getvalue().split("\n")[0].split(",")
    for names in (run.names(), run.select("*"), run.scalars("*"), columns, listed, described):
        assert "b" in names and not any("$" in name for name in names)
    assert run["$factor1"][0] == run["$*1"][0, 0] == 3.0  # for one who asks


def test_the_derivative_of_a_choice_needs_a_name():
    named = "model M\n  local v (start=4), m\n  m = if time < 1 then 1 else 2\n  der(m*v) = 0\nend"
    assert cutset.loads(named).simulate(2.0)["v"][-1] == pytest.approx(2.0)
    with pytest.raises(cutset.ModelError, match=r"E349.*an 'if' in this derivative jumps"):
        cutset.loads("model M\n  local v (start=4)\n  der((if time < 1 then 1 else 2)*v) = 0\nend")
