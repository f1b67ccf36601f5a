"""Shafts and sliders against the published equations of the Modelica Standard Library, written anew in numpy.

Each element is moved as prescribed, with parameters that are neither 0 nor 1, and its torque or force compared with the
law; what is held by friction, with the torque at which it breaks loose; a gear with all its losses, with scipy.
"""

from __future__ import annotations

import numpy as np
import pytest
from library_runs import run_with
from scipy.integrate import solve_ivp


def line(x, xs, ys):
    """On the straight lines through the points, of which the first and the last go on."""
    x, xs, ys = np.asarray(x, float), np.asarray(xs, float), np.asarray(ys, float)
    k = np.clip(np.searchsorted(xs, x, side="right") - 1, 0, len(xs) - 2)
    return ys[k] + (ys[k + 1] - ys[k]) / (xs[k + 1] - xs[k]) * (x - xs[k])


def contact(x, v, c, d):
    """Spring and damper that push while x > 0, neither pulling nor jumping: the damper gives at most what the spring
    gives."""
    spring, damper = c * x, d * v
    return np.where(x <= 0, 0.0, np.where(spring + damper <= 0, 0.0, spring + np.minimum(spring, damper)))


def backlash(x, v, c, d, b):
    if b == 0:
        return c * x + d * v
    return contact(x - b / 2, v, c, d) - contact(-x - b / 2, -v, c, d)


# The element, and its torque from the relative angle x and speed v; both move by 0.3*sin(7 t) - 0.05 and more.
COMPLIANT = {
    "Spring) e(c=30, phi_rel0=0.2": lambda x, v: 30 * (x - 0.2),
    "Damper) e(d=2.5": lambda x, v: 2.5 * v,
    "SpringDamper) e(c=30, d=2.5, phi_rel0=0.2": lambda x, v: 30 * (x - 0.2) + 2.5 * v,
    "ElastoBacklash) e(c=30, d=2.5, b=0.3, phi_rel0=0.1": lambda x, v: backlash(x - 0.1, v, 30, 2.5, 0.3),
    "ElastoBacklash) e(c=30, d=20, b=0.3": lambda x, v: backlash(x, v, 30, 20, 0.3),
    "ElastoBacklash) e(c=30, d=2.5, phi_rel0=0.1": lambda x, v: backlash(x - 0.1, v, 30, 2.5, 0),
    "tra.Spring) e(c=30, s_rel0=0.2": lambda x, v: 30 * (x - 0.2),
    "tra.Damper) e(d=2.5": lambda x, v: 2.5 * v,
    "tra.SpringDamper) e(c=30, d=2.5, s_rel0=0.2": lambda x, v: 30 * (x - 0.2) + 2.5 * v,
    "tra.ElastoGap) e(c=30, d=2.5, s_rel0=0.1": lambda x, v: (
        -np.where(x < 0.1, 30 * (0.1 - x) + np.clip(-2.5 * v, -30 * (0.1 - x), 30 * (0.1 - x)), 0.0)
    ),
}


@pytest.mark.parametrize("element", COMPLIANT)
def test_compliance(write_model, element):
    is_slider = element.startswith("tra.")
    way, force, prefix = ("s", "f", "tra.") if is_slider else ("phi", "tau", "")
    run = run_with(
        write_model,
        "@rotational\n@translational as tra",
        f"submodel ({prefix}Position) a, b\nsubmodel ({element})\nconnect a to e to b:A\n"
        f"a.{way} = 0.1*cos(3*time)\nb.{way} = 0.1*cos(3*time) + 0.4*sin(7*time) - 0.05",
    )
    x, v = 0.4 * np.sin(7 * run.time) - 0.05, 2.8 * np.cos(7 * run.time)
    np.testing.assert_allclose(run[f"e.{force}"], COMPLIANT[element](x, v), rtol=1e-9, atol=1e-6)


# The element at a speed that is prescribed; its torque from the speed.
TABLE = ([0, 1.5, 4], [0.7, 0.4, 0.6])
TABLES = "n=3, {}_tab=[0, 1.5, 4], {}=[0.7, 0.4, 0.6]"
FRICTION = {
    "BearingFriction) e(" + TABLES.format("w", "tau_tab"): 1.0,
    "Brake) e(" + TABLES.format("w", "mue") + ", cgeo=1.7, fn_max=30": 1.7 * 30 * 0.8,
    "Clutch) e(" + TABLES.format("w", "mue") + ", cgeo=1.7, fn_max=30": 1.7 * 30 * 0.8,
    "tra.SupportFriction) e(" + TABLES.format("v", "f_tab"): 1.0,
    "tra.Brake) e(" + TABLES.format("v", "mue") + ", cgeo=2, fn_max=30": 2 * 30 * 0.8,
}


@pytest.mark.parametrize("element", FRICTION)
@pytest.mark.parametrize("direction", [1, -1])
def test_friction_while_it_slides(write_model, element, direction):
    is_slider = element.startswith("tra.")
    way, force, prefix = ("s", "f", "tra.") if is_slider else ("phi", "tau", "")
    connected = "submodel (Fixed) wall\nconnect wall to e to a:A" if "Clutch" in element else "connect a to e"
    engaged = "\ne.engaged = 0.8" if "fn_max" in element else ""
    run = run_with(
        write_model,
        "@rotational\n@translational as tra",
        # The speed goes from 0.5 to 5.5, beyond the table.
        f"submodel ({prefix}Position) a\nsubmodel ({element})\n{connected}\na.{way} = {direction}*(0.5*time + "
        f"2.5*time^2){engaged}",
        points=11,
    )
    expected = direction * FRICTION[element] * line(0.5 + 5 * run.time, *TABLE)
    np.testing.assert_allclose(run[f"e.{force}"][1:], expected[1:], rtol=1e-9)


@pytest.mark.parametrize("element", FRICTION)
def test_friction_breaks_loose_at_its_peak(write_model, element):
    """A torque that grows by 10 or 100 a second: the inertia moves from peak*mue(1) on, against what the sliding
    friction leaves."""
    is_slider = element.startswith("tra.")
    prefix, inertia = ("tra.", "tra.Mass) J(m=2") if is_slider else ("", "Inertia) J(J=2")
    force = ("Force", "f") if is_slider else ("Torque", "tau")
    scale = FRICTION[element]
    connected = (
        "submodel (Fixed) wall\nconnect wall to e to J, T to J" if "Clutch" in element else "connect T to J to e"
    )
    engaged = "\ne.engaged = 0.8" if "fn_max" in element else ""
    run = run_with(
        write_model,
        "@rotational\n@translational as tra",
        f"submodel ({prefix}{force[0]}) T\nsubmodel ({inertia})\nsubmodel ({element}, "
        f"peak=1.3)\n{connected}\nT.{force[1]} = {scale}*time{engaged}",
        stop=1.5,
    )
    begins = 1.3 * 0.7
    speed = run["J.v" if is_slider else "J.w"]
    np.testing.assert_allclose(speed[run.time < begins - 1e-6], 0.0, atol=1e-9)
    moved = run.time > begins
    law = solve_ivp(
        lambda t, w: (scale * t - scale * line(w[0], *TABLE)) / 2,
        (begins, 1.5),
        [0.0],
        rtol=1e-10,
        atol=1e-12,
        dense_output=True,
        max_step=0.01,
    )
    np.testing.assert_allclose(speed[moved], law.sol(run.time[moved])[0], rtol=1e-5, atol=1e-5)


def loss(tau, w, ratio, eta1, eta2, bf1, bf2):
    """The torque lost at A while it turns: with the frictions of both shafts apart, and the power through the mesh
    known."""
    sign = np.sign(w)
    mesh = (bf1 - bf2) / (eta1 - 1 / eta2) if eta1 * eta2 != 1 else bf1 / 2
    if (tau - sign * mesh) * w > 0:
        return (1 - eta1) * tau + sign * bf1
    return (1 - 1 / eta2) * tau + sign * bf2


GEARS = [
    (4.0, 0.8, 0.7, 0.4, 0.5),
    (3.0, 0.9, 0.6, 0.3, 0.9),
    (2.5, 0.85, 0.95, 0.6, 0.6),
    (-2.0, 0.8, 0.7, 0.4, 0.45),
    (2.0, 1.0, 1.0, 0.5, 0.5),
]


@pytest.mark.parametrize("gear", GEARS)
@pytest.mark.parametrize("direction", [1, -1])
def test_lossy_gear_in_all_quadrants(write_model, gear, direction):
    """A turns at a speed that is given, and the torque at B goes through zero: taua belongs to it by the published
    law."""
    ratio, eta1, eta2, bf1, bf2 = gear
    run = run_with(
        write_model,
        "@rotational",
        f"submodel (ConstSpeed) a(w0={3 * direction})\nsubmodel (Torque) b\n"
        f"submodel (LossyGear) g(ratio={ratio}, eta1=[{eta1}, {eta1}], eta2=[{eta2}, {eta2}], bf1=[{bf1}, {bf1}], "
        f"bf2=[{bf2}, {bf2}])\n"
        "connect a to g to b:A\nb.tau = 12*cos(3*time)",
        points=101,
    )
    lost = np.array([loss(tau, 3.0 * direction, ratio, eta1, eta2, bf1, bf2) for tau in run["g.taua"]])
    np.testing.assert_allclose(run["g.lost"], lost, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(-run["g.taub"], ratio * (run["g.taua"] - lost), rtol=1e-9, atol=1e-9)
    assert run["g.taua"].min() < -1 and run["g.taua"].max() > 1


def test_lossy_gear_with_tables_driven_at_b(write_model):
    """Efficiency and friction of a table, B driving: (J_A*ratio/eta2(w)*ratio + J_B)*a_B = T - ratio*bf2(w)."""
    run = run_with(
        write_model,
        "@rotational",
        "submodel (ConstTorque) T(tau0=30)\nsubmodel (Inertia) a(J=0.5), b(J=8)\n"
        "submodel (LossyGear) g(ratio=4, n=3, w_tab=[0, 2, 5], eta1=[0.8, 0.75, 0.7], eta2=[0.7, 0.6, 0.65], "
        "bf1=[0.4, 0.5, 0.7], "
        "bf2=[0.5, 0.55, 0.8])\nconnect a to g to b to T:A",
        stop=2.0,
    )

    def law(t, w):
        e2, b2 = line(min(4 * w[0], 5), [0, 2, 5], [0.7, 0.6, 0.65]), line(4 * w[0], [0, 2, 5], [0.5, 0.55, 0.8])
        return (30 - 4 * b2) / (8 + 16 * 0.5 / e2)

    expected = solve_ivp(law, (0, 2.0), [0.0], rtol=1e-10, atol=1e-12, max_step=0.01, dense_output=True)
    np.testing.assert_allclose(run["b.w"], expected.sol(run.time)[0], rtol=1e-6, atol=1e-7)


def test_one_way_clutch(write_model):
    """It slides with mue(w)*cgeo*fn, takes A along from w = 0 on, and lets B run ahead again beyond its peak."""
    run = run_with(
        write_model,
        "@rotational",
        "submodel (Inertia) a(J=2), b(J=3, w0=4)\nsubmodel (OneWayClutch) c(n=3, w_tab=[0, 1.5, 4], mue=[0.7, 0.4, "
        "0.6], cgeo=1.7, "
        "fn_max=2, peak=1.5)\nsubmodel (Torque) T\nconnect a to c to b to T:A\nc.engaged = 0.8\nT.tau = if time < 4 "
        "then 0 else 3*(time - 4)",
        stop=8.0,
    )
    scale = 1.7 * 2 * 0.8
    slide = solve_ivp(
        lambda t, y: [scale * line(y[1] - y[0], *TABLE) / 2, -scale * line(y[1] - y[0], *TABLE) / 3], (0, 4), [0, 4],
        rtol=1e-10,
        atol=1e-12, max_step=0.01, dense_output=True, events=[lambda t, y: y[1] - y[0]],
    )  # fmt: skip
    stop = slide.t_events[0][0]
    before = run.time < stop
    np.testing.assert_allclose(
        [run["a.w"][before], run["b.w"][before]], slide.sol(run.time[before]), rtol=1e-5, atol=1e-5
    )
    # The torque that passes while both accelerate as one is 2/5 of T.
    loose = 4 + 1.5 * scale * 0.7 / 3 * 5 / 2
    stuck = (run.time > stop + 1e-6) & (run.time < loose - 1e-6)
    np.testing.assert_allclose(run["c.w_rel"][stuck], 0.0, atol=1e-7)
    assert 4 < loose < 7 and run["c.w_rel"][-1] > 0.1


def test_planet_gear_and_rack(write_model):
    run = run_with(
        write_model,
        "@rotational\n@translational as tra",
        "submodel (ConstSpeed) sun(w0=3)\nsubmodel (Torque) carrier\nsubmodel (IdealPlanetary) p(ratio=2.5)\nsubmodel "
        "(Inertia) J(J=2)\n"
        "submodel (IdealGearR2T) rack(ratio=7)\nsubmodel (tra.Mass) m(m=1.5)\n"
        "connect sun at p:sun, carrier at p:carrier, p:ring at J:A, J to rack to m\ncarrier.tau = 1.3",
        points=11,
    )
    # The ring gets ratio/(1 + ratio) of the torque at the carrier; its inertia holds the rack, the mass by the square
    # of its ratio.
    acceleration = 1.3 * 2.5 / 3.5 / (2 + 1.5 / 49)
    np.testing.assert_allclose(run["J.w"], acceleration * run.time, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(3.5 * run["p.phi_c"], 3 * run.time + 2.5 * run["J.phi"], rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(run["m.s"], run["J.phi"] / 7, rtol=1e-9, atol=1e-12)


SOURCES = {
    "LinearTorque) e(tau_n=-3, w_n=2": lambda w: -3 * w / 2,
    "QuadraticTorque) e(tau_n=-3, w_n=2": lambda w: -3 * (w / 2) * np.abs(w / 2),
    "SignTorque) e(tau_n=-3, w0=0.5": lambda w: -3 * np.clip(w / 0.5, -1, 1),
    "tra.LinearForce) e(F_n=-3, v_n=2": lambda w: -3 * w / 2,
    "tra.QuadraticForce) e(F_n=-3, v_n=2": lambda w: -3 * (w / 2) * np.abs(w / 2),
    "tra.SignForce) e(F_n=-3, v0=0.5": lambda w: -3 * np.clip(w / 0.5, -1, 1),
}


@pytest.mark.parametrize("source", SOURCES)
def test_sources_that_depend_on_the_speed(write_model, source):
    is_slider = source.startswith("tra.")
    prefix, way, force = ("tra.", "s", "f") if is_slider else ("", "phi", "tau")
    run = run_with(
        write_model,
        "@rotational\n@translational as tra",
        f"submodel ({prefix}Position) a\nsubmodel ({source})\nconnect a to e\na.{way} = 0.7*sin(4*time)",
    )
    np.testing.assert_allclose(run[f"e.{force}"], SOURCES[source](2.8 * np.cos(4 * run.time)), rtol=1e-9, atol=1e-9)


def test_sources_that_follow_softly(write_model):
    """Bessel filter of second order, and filter of first order, of an angle and a speed."""
    run = run_with(
        write_model,
        "@rotational",
        "submodel (SoftPosition) a(f_crit=2, phi0=0.3, w0=0.4)\nsubmodel (SoftSpeed) b(f_crit=3, phi0=0.2, w0=0.5)\n"
        "submodel (FreeInertia) Ja(J=2), Jb(J=3)\nconnect a to Ja, b to Jb\na.phi_ref = sin(3*time)\nb.w_ref = "
        "cos(2*time)",
    )
    wa, wb = 2 * np.pi * 2, 2 * np.pi * 3
    law = solve_ivp(
        lambda t, y: [y[1], ((np.sin(3 * t) - y[0]) * wa - 1.3617 * y[1]) * wa / 0.6180, y[3],
        wb * (np.cos(2 * t) - y[3])],
        (0, 1), [0.3, 0.4, 0.2, 0.5], rtol=1e-10, atol=1e-12, dense_output=True,
    )  # fmt: skip
    for name, expected in zip(("Ja.phi", "Ja.w", "Jb.phi", "Jb.w"), law.sol(run.time), strict=True):
        np.testing.assert_allclose(run[name], expected, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("friction", [(0.7, 1.5, 3.0, 4.0), (0.0, 0.0, 0.0, 0.0)])
def test_mass_with_stops_and_stribeck_friction(write_model, friction):
    prop, coulomb, stribeck, fexp = friction
    run = run_with(
        write_model,
        "@translational",
        f"submodel (MassWithStop) m(m=2, s_min=-1.2, s_max=1.1, F_prop={prop}, F_Coulomb={coulomb}, "
        f"F_Stribeck={stribeck}, fexp={fexp}, v0=3)\n"
        "submodel (Spring) c(c=40)\nsubmodel (Fixed) f\nconnect f to c to m",
        stop=1.5,
    )

    def law(t, y):
        return [y[1], (-40 * y[0] - prop * y[1] - np.sign(y[1]) * (coulomb + stribeck * np.exp(-fexp * abs(y[1])))) / 2]

    first = solve_ivp(law, (0, 1.5), [0, 3.0], rtol=1e-10, atol=1e-12, dense_output=True, events=[turns])
    end = first.t_events[0][0] if friction[1] else 1.5
    way = run.time < end
    np.testing.assert_allclose(run["m.s"][way], first.sol(run.time[way])[0], rtol=1e-5, atol=2e-5)


def turns(t, y):
    return y[1]
