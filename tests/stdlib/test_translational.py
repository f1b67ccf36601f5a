"""The components of translational.mo in small arrangements with closed solutions."""

from __future__ import annotations

import numpy as np
import pytest
from library_runs import run_with
from numpy.testing import assert_allclose as close

import cutset


@pytest.fixture
def simulate(write_model):
    def run(body: str, stop: float = 1.0, include: str = "@translational", **options):
        return run_with(write_model, include, body, stop, **options)

    return run


# --- masses and compliances ---


def test_mass_on_a_spring_behind_a_rod(simulate):
    run = simulate(
        "submodel (Fixed) f(s0=1)\nsubmodel (Rod) r(length=0.5)\nsubmodel (Spring) c(c=8, s_rel0=0.3)\nsubmodel "
        "(Mass) m(m=2, s0=2)\n"
        "connect f to r to c to m",
        stop=3.0,
    )
    close(run["m.s"], 1.8 + 0.2 * np.cos(2 * run.time), atol=1e-8)
    close(run["f.f"], 8 * (run["m.s"] - 1.8), atol=1e-12)


def test_dampers(simulate):
    run = simulate(
        "submodel (Fixed) f\nsubmodel (Damper) d(d=3)\nsubmodel (SpringDamper) cd(c=10, d=2)\nsubmodel (Mass) a(m=2, "
        "v0=4), b(m=2, s0=1)\n"
        "connect f to d to a, f to cd to b",
        stop=3.0,
    )
    t = run.time
    close(run["a.v"], 4 * np.exp(-1.5 * t), atol=1e-8)
    close(run["d.loss"], 3 * run["a.v"] ** 2, atol=1e-8)
    w = np.sqrt(5 - 0.25)
    close(run["b.s"], np.exp(-0.5 * t) * (np.cos(w * t) + 0.5 / w * np.sin(w * t)), atol=1e-7)
    close(run["cd.loss"], 2 * run["b.v"] ** 2, atol=1e-9)


def test_gap_pushes_back_what_comes_without_loss(simulate):
    run = simulate(
        "submodel (Fixed) f\nsubmodel (ElastoGap) g(c=100, d=0, s_rel0=1)\nsubmodel (Mass) m(m=4, s0=2, "
        "v0=-1)\nconnect f to g to m",
        stop=4.0,
    )
    gone = np.maximum(1 - run["m.s"], 0.0)
    close(2 * run["m.v"] ** 2 + 50 * gone**2, 2.0, rtol=1e-6)
    close(run["m.v"][run.time > 1 + np.pi / 5 + 0.01], 1.0, atol=1e-7)


def test_gap_with_a_damper_never_pulls(simulate):
    run = simulate(
        "submodel (Fixed) f\nsubmodel (ElastoGap) g(c=100, d=50, s_rel0=1)\nsubmodel (Mass) m(m=1, s0=1.5, "
        "v0=-3)\nconnect f to g to m",
        stop=3.0,
    )
    assert np.max(run["g.f"]) <= 1e-12 and np.min(run["g.f"]) < -1.0
    assert 0.0 < run["m.v"][-1] < 3.0


def test_free_mass_and_relative_states(simulate):
    run = simulate(
        "submodel (FreeMass) a(m=1), b(m=3)\nsubmodel (RelativeStates) r\nsubmodel (Force2) F\nconnect a to r to b, a "
        "to F to b\nF.f = 6*time\n"
        "initial\na.s = 1\nb.s = 2\na.v = 0\nb.v = 0\nendinitial",
        stop=2.0,
    )
    close(run["a.v"] + 3 * run["b.v"], 0.0, atol=1e-9)
    close(run["r.s_rel"], 1 - 4 * run.time**3 / 3, atol=1e-8)


# --- friction ---


def test_support_friction_stops_a_mass(simulate):
    run = simulate(
        "submodel (Mass) m(m=1, v0=2)\nsubmodel (SupportFriction) r(v_tab=[0, 10], f_tab=[1, 11], "
        "supported=true)\nsubmodel (Fixed) f\n"
        "connect m to r, r:S at f",
        stop=2.0,
    )
    close(run["m.v"], np.where(run.time < np.log(3), 3 * np.exp(-run.time) - 1, 0.0), atol=1e-6)
    close(run["f.f"], run["r.f"], atol=1e-12)


def test_brake_holds_until_the_force_is_too_great(simulate):
    run = simulate(
        "submodel (Mass) m(m=2)\nsubmodel (Brake) b(fn_max=12, mue=[0.5, 0.5])\nsubmodel (Force) F\n"
        "connect F to m to b\nF.f = 4*time\nb.engaged = 1",
        stop=3.0,
    )
    close(run["m.v"], np.maximum(run.time - 1.5, 0.0) ** 2, atol=1e-6)


def test_mass_with_friction_runs_into_its_stop_and_stays(simulate):
    run = simulate(
        "submodel (MassWithStop) m(m=2, s_min=-1, s_max=1, F_Coulomb=2, v0=3)\nsubmodel (Force) F\nconnect F to m\n"
        "F.f = if time < 1 then 0 else -4*(time - 1)",
        stop=3.0,
    )
    t = run.time
    # v = 3 - t, until s = 1: 3 t - t^2/2 = 1. It stays until the force is over 2, at 1.5 s.
    hit = 3 - np.sqrt(7)
    expected = np.where(t < hit, 3 - t, np.where(t < 1.5, 0.0, -((t - 1.5) ** 2)))
    # The friction has 0.1 percent more at rest: it starts that much late.
    close(run["m.v"][np.abs(t - hit) > 1e-6], expected[np.abs(t - hit) > 1e-6], atol=5e-3)
    close(run["m.s"][(t > hit) & (t < 1.5)], 1.0, atol=2e-7)
    assert np.min(run["m.s"]) >= -1 - 2e-7


def test_a_mass_that_starts_at_its_stop_does_not_pass_it(simulate):
    run = simulate(
        "submodel (MassWithStop) m(m=2, s_min=-1, s_max=1, s0=1, v0=3)\nsubmodel (Force) F\nconnect F to m\nF.f = -1"
    )
    t = run.time[1:]
    close(run["m.s"][1:], 1 - t**2 / 4, atol=1e-6)


def test_a_stop_takes_the_momentum_of_its_mass_alone(simulate):
    """What is behind a damper and a spring goes on."""
    run = simulate(
        "submodel (MassWithStop) m(m=2, s_min=-1, s_max=0.1, v0=3)\nsubmodel (SpringDamper) k(c=1, d=1, s_rel0=1)\n"
        "submodel (Mass) b(m=1, s0=1, v0=3)\nconnect m to k to b",
        stop=0.1,
    )
    close(run["b.v"][run.time < 0.0333], 3.0, atol=1e-4)
    late = run.time > 0.034
    close(run["b.v"][late], 3 * np.exp(-(run.time[late] - 0.1 / 3)), atol=0.02)


def test_a_mass_cannot_start_beyond_its_stop(simulate):
    with pytest.raises(cutset.RunError, match="beyond its stop"):
        simulate(
            "submodel (MassWithStop) m(m=2, s_min=-1, s_max=1, s0=1.2)\nsubmodel (Force) F\nconnect F to m\nF.f = -1"
        )


# --- sources ---


def test_loads_that_depend_on_the_velocity(simulate):
    run = simulate(
        "submodel (Mass) m(5)(m=2, v0=3)\nsubmodel (LinearForce) l(F_n=-4, v_n=2)\nsubmodel (QuadraticForce) "
        "q(F_n=-4, v_n=2)\n"
        "submodel (SignForce) s(F_n=-4, v0=0.5)\nsubmodel (ForceStep) p(F0=1, F1=-2, t0=0.5)\nsubmodel (ConstForce) "
        "c(F=2)\n"
        "connect m(1) to l, m(2) to q, m(3) to s, m(4) to p, m(5) to c",
        stop=3.0,
    )
    t = run.time
    close(run["m(1).v"], 3 * np.exp(-t), atol=1e-8)
    close(run["m(2).v"], 3 / (1 + 1.5 * t), atol=1e-8)
    close(run["m(3).v"], np.where(t < 1.25, 3 - 2 * t, 0.5 * np.exp(-4 * (t - 1.25))), atol=1e-7)
    close(run["m(4).v"], np.where(t < 0.5, 3 + 0.5 * t, 3.25 - (t - 0.5)), atol=1e-9)
    close(run["m(5).v"], 3 + t, atol=1e-9)


def test_prescribed_motion_and_the_force_it_takes(simulate):
    run = simulate(
        "submodel (FreeMass) m(4)(m=2)\nsubmodel (Position) p(supported=true)\nsubmodel (Speed) s(s0=1)\n"
        "submodel (Accelerate) a(s0=1, v0=-1)\nsubmodel (ConstSpeed) c(v0=3, s0=2)\nsubmodel (Fixed) f\n"
        "connect p to m(1), s to m(2), a to m(3), c to m(4), p:S at f\np.s = sin(2*time)\ns.v = cos(2*time)\na.a = "
        "6*time",
        stop=2.0,
    )
    t = run.time
    close(run["m(1).v"], 2 * np.cos(2 * t), atol=1e-12)
    close(run["p.f"], -8 * np.sin(2 * t), atol=1e-12)
    close(run["f.f"], 8 * np.sin(2 * t), atol=1e-12)
    close(run["m(2).s"], 1 + 0.5 * np.sin(2 * t), atol=1e-8)
    close(run["s.f"], -4 * np.sin(2 * t), atol=1e-12)
    close(run["m(3).s"], 1 - t + t**3, atol=1e-8)
    close(run["a.f"], 12 * t, atol=1e-12)
    close(run["m(4).s"], 2 + 3 * t, atol=1e-9)


# --- sensors ---


def test_sensors(simulate):
    run = simulate(
        "submodel (ConstForce) F(F=6)\nsubmodel (Mass) a(m=1), b(m=2, s0=1), d(m=2)\n"
        "submodel (PositionSensor) s\nsubmodel (SpeedSensor) v\nsubmodel (AccSensor) acc\nsubmodel (RelSensor) r\n"
        "submodel (ForceSensor) f\nsubmodel (PowerMeter) P\n"
        "connect F to a to f to P to d, a:B to s, a:B to v, a:B to acc, r at (a:B, b:A)",
        stop=2.0,
    )
    t = run.time
    close(run["s.s"], t**2, atol=1e-8)
    close(run["v.v"], 2 * t, atol=1e-9)
    close(run["acc.a"], 2.0, atol=1e-12)
    close(run["f.f"], 4.0, atol=1e-12)
    close(run["P.power"], 8 * t, atol=1e-8)
    close(run["r.s_rel"], 1 - t**2, atol=1e-8)
    close(run["r.v_rel"], -2 * t, atol=1e-9)
    close(run["r.a_rel"], -2.0, atol=1e-12)


def test_dry_friction_takes_as_much_of_each_swing(simulate):
    """C. A. Coulomb's pendulum: the deflection falls by 2*F/c in each half swing, and it sticks within F/c."""
    run = simulate(
        "submodel (Fixed) f\nsubmodel (Spring) c(c=100)\nsubmodel (Mass) m(m=1, s0=1.05)\nsubmodel (SupportFriction) "
        "r(f_tab=[10, 10])\n"
        "connect f to c to m to r",
        stop=2.5,
    )
    for k in range(5):
        close(np.interp(k * np.pi / 10, run.time, run["m.s"]), (-1) ** k * (1.05 - 0.2 * k), atol=1e-5)
    late = run.time > np.pi / 2
    close(run["m.s"][late], -0.05, atol=1e-6)
    close(run["r.f"][late], 5.0, atol=1e-4)


def test_a_jump_is_not_smaller_than_zero(simulate):
    """Each velocity would be forbidden, and be taken away every 1e-7 s without end."""
    with pytest.raises(cutset.RunError, match="less than its min, 0") as raised:
        simulate("submodel (MassWithStop) m(m=1, s_min=-1, s_max=1)", parameters={"m.v_small": -1e-9})
    assert raised.value.code == "E605"
