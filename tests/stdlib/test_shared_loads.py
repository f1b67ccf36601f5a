"""Elements that do the same together: equations do not say how brakes share a torque, or switches a current. The
oracles are closed solutions."""

from __future__ import annotations

import random

import numpy as np
import pytest

import cutset


@pytest.fixture
def load(write_model):
    return lambda text: cutset.load(write_model(text))


def brakes(limits: list[float], torque: float) -> str:
    names = [f"b{k}" for k in range(len(limits))]
    declared = ", ".join(f"{name}(fn_max={2 * limit})" for name, limit in zip(names, limits, strict=False))
    return (
        "@rotational\n@sources\nmodel Brakes\nsubmodel (Inertia) J(J=2, w0=3)\nsubmodel (Const) on(k=1)\n"
        f"submodel (Brake) {declared}\nsubmodel (TorqueStep) T(tau1={torque}, t0=5)\n"
        f"connect T to J to {' to '.join(names)}{''.join(f', on to {name}:inp' for name in names)}\nend\n"
    )


def held(limits: list[float], torque: float) -> list[float]:
    """Each as much as the others, but for those that would give way."""
    shares = dict.fromkeys(range(len(limits)), 0.0)
    open_ones, rest = set(shares), torque
    while open_ones and any(rest / len(open_ones) > limits[k] for k in open_ones):
        full = [k for k in open_ones if rest / len(open_ones) > limits[k]]
        shares |= {k: limits[k] for k in full}
        rest -= sum(limits[k] for k in full)
        open_ones -= set(full)
    return [rest / len(open_ones) if k in open_ones else shares[k] for k in shares]


@pytest.mark.parametrize("seed", range(4))
def test_brakes_share_a_torque(seed, load):
    generator = random.Random(seed)
    limits = [generator.uniform(1, 9) for _ in range(2 + seed)]
    part = generator.uniform(0.2, 0.95)
    run = load(brakes(limits, part * sum(limits))).simulate(stop=6.0, points=7)
    assert abs(run["J.w"][-1]) < 1e-9
    found = [run[f"b{k}.tau"][-1] for k in range(len(limits))]
    np.testing.assert_allclose(found, held(limits, part * sum(limits)), rtol=1e-9)
    assert len(run.notes) == 1
    assert "'b0.sa'" in run.notes[0]


@pytest.mark.parametrize("target", ["c", "python"])
def test_brakes_that_are_too_weak_together_slide(target, load):
    run = load(brakes([3.0, 5.0], 12.0)).simulate(stop=6.0, points=7, target=target)
    assert run["J.w"][-1] == pytest.approx((12.0 - 8.0) / 2.0, rel=1e-6)
    assert (run["b0.tau"][-1], run["b1.tau"][-1]) == (3.0, 5.0)


FIXED = """@rotational
@sources
model Standing
  submodel (Inertia) J(J=2, w0=3)
  submodel (Const) on(k=1)
  submodel (Brake) b(fn_max=5)
  submodel (Fixed) f
  submodel (Spring) s(c=3)
  connect J to s to b to f, on to b:inp
end
"""


@pytest.mark.parametrize("target", ["c", "python"])
def test_a_brake_on_a_shaft_that_stands_holds_nothing(target, load):
    """One unknown alone is open: neither the brake nor what holds the shaft has to act."""
    run = load(FIXED).simulate(stop=2.0, points=5, target=target, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(run["J.phi"], 3 / np.sqrt(1.5) * np.sin(np.sqrt(1.5) * run.time), atol=1e-7)
    np.testing.assert_allclose(run["b.tau"], 0.0, atol=1e-12)
    assert len(run.notes) == 1 and "leave 'b.sa' undetermined" in run.notes[0]


def test_a_switch_between_two_grounds_carries_nothing(load):
    text = """@electrical
model Earthed
  submodel (VConst) V(V=10)
  submodel (Resistor) R(R=2)
  submodel (Ground) g, h
  submodel (ClosingSwitch) s(Ron=0, Goff=0)
  node n, m
  s.closed = time > 0.5
  connect V:A at n, R:A at n, R:B at g, V:B at g, s:A at m, g at m, s:B at h
end
"""
    run = load(text).simulate(stop=1.0, points=5)
    np.testing.assert_allclose([run["s.i"], run["R.i"] - 5.0], 0.0, atol=1e-12)
    assert len(run.notes) == 1 and "leave 's.s' undetermined" in run.notes[0]


SWITCHES = """@electrical
model Switches
  submodel (VConst) V(V=12)
  submodel (Resistor) R(R=4)
  submodel (Ground) g
  submodel (ClosingSwitch) s1(Ron=0, Goff=0), s2(Ron=0, Goff=0), s3(Ron=0, Goff=0)
  submodel (IdealDiode) d1(Ron=0, Goff=0), d2(Ron=0, Goff=0)
  node n0, n1, n2, n3
  s1.closed = time > 0.1
  s2.closed = time > 0.2 and time < 0.5
  s3.closed = time > 0.3
  connect V at (n1, n0), g at n0, s1 at (n1, n2), s2 at (n1, n2), s3 at (n1, n2), R at (n2, n3), d1 at (n3, n0),
    d2 at (n3, n0)
end
"""


@pytest.mark.parametrize("target", ["c", "python"])
def test_switches_and_diodes_share_a_current(target, load):
    run = load(SWITCHES).simulate(stop=0.6, points=13, target=target)
    at = {round(t, 2): k for k, t in enumerate(run.time)}
    currents = {t: [round(float(run[f"s{k}.i"][row]), 9) for k in (1, 2, 3)] for t, row in at.items()}
    assert currents[0.05] == [0, 0, 0]
    assert currents[0.15] == [3, 0, 0]
    assert currents[0.25] == [1.5, 1.5, 0]
    assert currents[0.4] == [1, 1, 1]
    assert currents[0.55] == [1.5, 0, 1.5]
    np.testing.assert_allclose([run[f"d{k}.i"][at[0.4]] for k in (1, 2)], 1.5)
    assert len(run.notes) == 1


def test_what_contradicts_itself_ends_the_run(load):
    """A current source that charges nothing once both switches are open."""
    text = """@electrical
model Opened
  submodel (IConst) I(I=2)
  submodel (Ground) g
  submodel (Resistor) R(R=1)
  submodel (Capacitor) C(C=1)
  submodel (ClosingSwitch) s(Ron=0, Goff=0), s2(Ron=0, Goff=0)
  node n0, n1, n2
  s.closed = time < 0.5
  s2.closed = time < 0.5
  connect I at (n0, n1), g at n0, s at (n1, n2), s2 at (n1, n2), R at (n2, n0), C at (n2, n0)
end
"""
    with pytest.raises(cutset.RunError):
        load(text).simulate(stop=1.0)
