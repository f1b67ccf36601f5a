"""Equations, slopes and balances over events that the values of a run must fulfill, whatever has computed them."""

from __future__ import annotations

import numpy as np
import pytest

from cutset.api.translate.translation import options_of
from cutset.api.verify.balances import largest_violation, motion_of
from cutset.api.verify.energies import energy_violation
from cutset.api.verify.impulses import impulse_violation
from cutset.api.verify.residuals import equation_violation, slope_violation, start_violation
from cutset.api.verify.subject import subject_of

# Its voltage steps; the charge of the node between the two is kept: 7.5 and 2.5 V.
DIVIDER = """@electrical
model Divider
  submodel (VStep) V(V=10, t0=0.5)
  submodel (Capacitor) C1(C=1e-6), C2(C=3e-6)
  submodel (Ground) g
  connect V:A to C1 to C2 to V:B, g at V:B
end
"""
# The current of the source steps; the flux of the loop of both coils is kept.
COILS = """@electrical
model Coils
  submodel (IStep) I(I=4, t0=0.5)
  submodel (Inductor) L1(L=1), L2(L=3)
  submodel (Ground) g
  connect I:A to L1 to I:B, L2 at (I:A, I:B), g at I:B
end
"""
# The same with capacitors whose charge is C0*(u + u^3/75); equal charges of both: 6.78846 and 3.21154 V.
NONLINEAR = DIVIDER.replace("(Capacitor) C1(C=1e-6), C2(C=3e-6)", "(Nonlinear) C1(C0=1e-6), C2(C0=3e-6)").replace(
    "model Divider",
    "model class (TwoPin) Nonlinear\n  parameter C0\n  i = C0*(1 + (u/5)^2)*der(u)\nend\nmodel Divider",
)
# The speed of the first joint is made to jump; the second one answers as the momenta tell.
BLOW = """@mbs
model Blow
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) j1(n2=1, q0=0.3), j2(n2=1, q0=0.5)
  submodel (Bar) b(r3=0.5)
  submodel (Body) m1(m=1, r3=0.25, I22=0.1), m2(m=2, r3=0.3, I22=0.2)
  submodel (Motion) d
  connect i to j1 to b to j2 to m2, m1 at j1:b, d at j1:ext
  d.q_ref = if time > 0.3 then 0.3 + 2*(time - 0.3) else 0.3
end
"""
SHAFTS = """@rotational
model Shafts
  submodel (Inertia) J1(J=1, w0=4), J2(J=3)
  submodel (Damper) d(d=20)
  connect J1 to d to J2
end
"""


class Run(dict):
    """The curves of a run by name."""

    def __init__(self, time, **curves):
        super().__init__(curves)
        self.time = np.array(time)

    def names(self):
        return tuple(self)


def _equations(path):
    return subject_of(path, None, options_of(()), {}).equations


@pytest.mark.parametrize(("jumps", "wrong"), [((7.5, 2.5), False), ((0.0, 10.0), True), ((10.0, 0.0), True)])
def test_charge_is_kept_at_a_jump(jumps, wrong, write_model):
    _, system = _equations(write_model(DIVIDER))
    times = [0.0, 0.5, 0.5, 1.0]
    curves = {name: np.array([0.0, 0.0, jump, jump]) for name, jump in zip(("C1.u", "C2.u"), jumps, strict=True)}
    found = impulse_violation(system, {"C1.C": 1e-6, "C2.C": 3e-6}, Run(times, **curves))
    assert found is not None and found.is_wrong is wrong
    flat = {name: np.zeros(4) for name in curves}
    assert impulse_violation(system, {"C1.C": 1e-6, "C2.C": 3e-6}, Run(times, **flat)) is None


@pytest.mark.parametrize(("jumps", "wrong"), [((3.0, 1.0), False), ((4.0, 0.0), True)])
def test_flux_is_kept_at_a_jump(jumps, wrong, write_model):
    _, system = _equations(write_model(COILS))
    curves = {name: np.array([0.0, 0.0, jump, jump]) for name, jump in zip(("L1.i", "L2.i"), jumps, strict=True)}
    found = impulse_violation(system, {"L1.L": 1.0, "L2.L": 3.0}, Run([0.0, 0.5, 0.5, 1.0], **curves))
    assert found is not None and found.is_wrong is wrong


@pytest.mark.parametrize(("jumps", "wrong"), [((6.788459, 3.211541), False), ((7.5, 2.5), True)])
def test_a_charge_that_is_no_multiple_of_the_voltage_is_kept(jumps, wrong, write_model):
    _, system = _equations(write_model(NONLINEAR))
    curves = {name: np.array([0.0, 0.0, jump, jump]) for name, jump in zip(("C1.u", "C2.u"), jumps, strict=True)}
    found = impulse_violation(system, {"C1.C0": 1e-6, "C2.C0": 3e-6}, Run([0.0, 0.5, 0.5, 1.0], **curves))
    assert found is not None and found.is_wrong is wrong


def test_the_momenta_of_a_mechanism_are_kept_at_a_jump(write_model):
    subject = subject_of(write_model(BLOW), None, options_of(()), {})
    run = subject.run(np.linspace(0.0, 0.4, 5))
    system, parameters = subject.equations[1], subject.model.parameters
    assert not impulse_violation(system, parameters, run).is_wrong
    wrong = Run(run.time, **{name: run[name].copy() for name in run.names()})
    wrong["j2.qd"][np.flatnonzero(np.diff(run.time) == 0.0)[0] + 1 :] += 0.01
    assert impulse_violation(system, parameters, wrong).is_wrong


@pytest.mark.parametrize(("speeds", "wrong"), [((1.0, 1.0), False), ((4.0, 1.0), True), ((-2.0, 2.0), False)])
def test_an_event_makes_no_kinetic_energy(speeds, wrong, write_model):
    moving = subject_of(write_model(SHAFTS), None, options_of(()), {}).moving
    assert moving == {"J1": ("J", "w"), "J2": ("J", "w")}
    curves = {f"J{k}.w": np.array([w, w, after, after]) for k, w, after in zip((1, 2), (4.0, 0.0), speeds, strict=True)}
    found = energy_violation(moving, (), {"J1.J": 1.0, "J2.J": 3.0}, Run([0.0, 0.5, 0.5, 1.0], **curves))
    assert found is not None and found.is_wrong is wrong


@pytest.mark.parametrize(("voltages", "wrong"), [((0.25, 0.25), False), ((1.0, 0.0), False), ((-2.0, 1.0), True)])
def test_a_switch_makes_no_energy(voltages, wrong, write_model):
    text = """@electrical
model Joined
  submodel (Capacitor) C1(C=1, u0=1), C2(C=3)
  submodel (ClosingSwitch) S(Ron=0, Goff=0)
  submodel (Ground) g
  connect C1:A to S to C2 to C1:B, g at C1:B
  S.closed = time > 0.5
end
"""
    stored = subject_of(write_model(text), None, options_of(()), {}).moving
    assert stored == {"C1": ("C", "u"), "C2": ("C", "u")}
    both = zip((1, 2), (1.0, 0.0), voltages, strict=True)
    curves = {f"C{k}.u": np.array([u, u, after, after]) for k, u, after in both}
    found = energy_violation(stored, (), {"C1.C": 1.0, "C2.C": 3.0}, Run([0.0, 0.5, 0.5, 1.0], **curves))
    assert found is not None and found.is_wrong is wrong


def test_where_a_motion_is_prescribed_events_may_give_energy(write_model):
    driven = SHAFTS.replace("connect", "submodel (ConstSpeed) s(w0=1)\n  connect s at J1:A,")
    for text in (driven, SHAFTS.replace("connect", "local x\n  x = 1\n  connect")):
        assert subject_of(write_model(text), None, options_of(()), {}).moving is None


def test_a_body_has_the_energy_of_its_motion(write_model):
    text = """@mbs
model Top
  submodel (Inertial) i(g=0)
  submodel (Free) f(w0=[1, 2, 3], v0=[0.5, 0, 0])
  submodel (Body) m(m=2, r=[0.1, 0.2, 0.3], I11=0.4, I22=0.5, I33=0.6, I21=0.01, I31=0.02, I32=0.03)
  connect i to f to m
end
"""
    subject = subject_of(write_model(text), None, options_of(()), {})
    run = subject.run(np.linspace(0.0, 2.0, 21), rtol=1e-9)
    (body,) = (each for each in subject.elements if each.name == "m")
    ((energy, mass),) = motion_of(body, subject.model.parameters, run)
    w, inertia = np.array([1.0, 2.0, 3.0]), np.array([[0.4, 0.01, 0.02], [0.01, 0.5, 0.03], [0.02, 0.03, 0.6]])
    v = np.array([0.5, 0.0, 0.0]) + np.cross(w, [0.1, 0.2, 0.3])
    assert mass == 2.0 and energy == pytest.approx(np.full(21, v @ v + 0.5 * w @ inertia @ w), rel=1e-7)


def test_forces_of_a_body_that_falls_freely_are_rounding(write_model):
    text = """@mbssim
model Falling
  submodel (Inertial) i(ng3=-1)
  submodel (Planar) f(n2=-1, nx1=1, q02=0.967, q03=-1.665, qd01=-0.814, qd02=-0.555, qd03=1.667)
  submodel (Body) m(m=2.635, I11=0.356, I22=0.304, I33=0.105)
  connect i to f to m
end
"""
    subject = subject_of(write_model(text), None, options_of(()), {})
    run = subject.run(np.linspace(0.0, 1.0, 3))
    assert largest_violation(subject.elements, subject.model.parameters, [run]).size < 1.0


def test_a_wrong_value_violates_an_equation(write_model):
    flat, _ = _equations(write_model("model A\n  parameter k=3\n  local x, y\n  der(x) = -k*x\n  y = x^2 + k\nend\n"))
    right = {"x": np.array([2.0]), "y": np.array([7.0]), "der(x)": np.array([-6.0])}
    known = {"k": 3.0}
    assert not equation_violation(flat, known, Run([0.5], **right), [0]).is_wrong
    found = equation_violation(flat, known, Run([0.5], **right | {"y": np.array([7.001])}), [0])
    assert found.is_wrong and str(found) == "equation in line 5 of A, its sides at time 0.5: 7.001 instead of 7"


def test_a_relation_at_its_crossing_is_left_out(write_model):
    flat, _ = _equations(write_model("model A\n  local x\n  x = if time > 1 then 5 else 2\nend\n"))
    assert not equation_violation(flat, {}, Run([1.0 + 1e-9], x=np.array([2.0])), [0])
    assert equation_violation(flat, {}, Run([1.1], x=np.array([2.0])), [0]).is_wrong


def test_sides_that_are_equal_for_a_while_are_no_crossing(write_model):
    flat, _ = _equations(write_model("model A\n  local x, y\n  x = max(time, 1)\n  y = if x == 1 then 5 else 2\nend\n"))
    found = equation_violation(flat, {}, Run([0.5], x=np.array([1.0]), y=np.array([2.0])), [0])
    assert found.is_wrong


def test_a_state_changes_as_its_derivative_says(write_model):
    flat, _ = _equations(write_model("model A\n  local x\n  der(x) = 1\nend\n"))
    time = np.linspace(0.0, 1.0, 11)
    rate = np.cos(5.0 * time)
    run = Run(time, x=np.sin(5.0 * time) / 5.0, **{"der(x)": rate})
    assert not slope_violation(flat, run).is_wrong
    stepped = Run(time, x=0.9 * run["x"], **{"der(x)": np.full(11, 1.0)})
    assert slope_violation(flat, stepped).is_wrong
    jumped = Run([0.0, 1.0, 1.0, 2.0], x=np.array([0.0, 1.0, 7.0, 8.0]), **{"der(x)": np.ones(4)})
    assert not slope_violation(flat, jumped).is_wrong


@pytest.mark.parametrize(("first", "notes", "wrong"), [(4.0, (), False), (2.0, (), True), (2.0, ("'y' is",), False)])
def test_a_start_value_of_the_text_counts(first, notes, wrong, write_model):
    text = "model A\n  local x(start=1), y(start=4), w\n  der(x) = -x\n  y = x + 3\n  w = der(y)\nend\n"
    _, system = _equations(write_model(text))
    run = Run([0.0], x=np.array([1.0]), y=np.array([first]))
    run.notes = notes
    found = start_violation(system, {}, run)
    assert found is not None and found.is_wrong is wrong
