"""Tires and spheres that roll on surfaces, against closed solutions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from multibody_pairs import LIBRARIES
from scipy.integrate import cumulative_trapezoid, solve_ivp
from scipy.optimize import brentq

import cutset

ACCURATE = {"rtol": 1e-9, "atol": 1e-10}

DRIVEN = """@mbs
model Driven "a wheel with 100 kg on its hub, driven by a torque"
  submodel (Inertial) i(ng=[0, 0, -1])
  submodel (Prismatic) along(n=[1, 0, 0], qd0=20), up(n=[0, 0, 1], q0=0.3 - 101*9.81/2e5)
  submodel (Revolute) spin(n=[0, 1, 0], qd0=20/0.3)
  submodel (Body) hub(m=100), wheel(m=1, I=diagonal([0.3, 0.5, 0.3]))
  submodel (JointForce) motor(f=60)
  submodel (LinearTire) tire(radius=0.3, c=2e5, d=2000, c_kappa=2e4, c_alpha=3e4)
  connect i to along to up to spin to wheel, hub at up:b, motor at spin:ext, tire at (i, spin:b)
end
"""


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_driven_wheel_slips_and_accelerates(library, write_model):
    """(M + J*(1 + kappa)/r^2)*a = torque/r with kappa = M*a/C."""
    run = cutset.load(write_model(DRIVEN), instead={"mbs": library}).simulate(2.0, points=21, **ACCURATE)
    M, J, r, C = 101, 0.5, 0.3, 2e4
    a = brentq(lambda a: (M + J * (1 + M * a / C) / r**2) * a - 60 / r, 1, 3)
    np.testing.assert_allclose(run["tire.kappa"][1:], M * a / C, rtol=1e-6)
    np.testing.assert_allclose(np.diff(run["along.qd"][1:]), a * 0.1, rtol=1e-6)
    np.testing.assert_allclose(run["tire.N"], M * 9.81, rtol=1e-9)


BENCH = """@mbs
model class (Tire, MagicFormula) Uphill "a road that is steep, but turned with the rig, so that nothing else changes"
  z = 0.75*y
end
model Bench "the hub moves at 10 m/s with a load that its height determines; steering and spin are prescribed"
  parameter steer0 = 0, steer1 = 0, slip0 = 0, slip1 = 0, lag = 0
  submodel (Inertial) i(g=0)
  submodel (Prismatic) along(n=[1, 0, 0], qd0=10), up(n=[0, 0, 1], q0=0.29)
  submodel (Revolute) steer(n=[0, 0, 1], q0=steer0, qd0=steer1), spin(n=[0, 1, 0], qd0=10/0.3*(1 + slip0))
  submodel (Body) wheel(m=1, I=diagonal([0.3, 0.5, 0.3]))
  submodel (Motion) drive(q_ref=10*time), turn(q_ref=steer0 + steer1*time), hold(q_ref=0.29),
                    roll(q_ref=10/0.3*((1 + slip0)*time + slip1*time^2/2))
  submodel (LinearTire) linear(radius=0.3, c=4e5, c_kappa=5e4, c_alpha=4e4, mu=0.9)
  submodel (LinearTire) late(radius=0.3, c=4e5, c_kappa=5e4, c_alpha=4e4, k_x=5e4/0.2*lag, k_y=4e4/0.5*lag)
  submodel (PacejkaTire) magic(radius=0.3, c=4e5, Bx=12, Cx=1.6, Dx=1.1, Ex=-0.5, By=9, Cy=1.4, Dy=0.95, Ey=0.3)
  submodel (Fixed) tilt(n=[1, 0, 0], angle=atan(0.75))
  submodel (Uphill) hill(radius=0.3, c=4e5, Bx=12, Cx=1.6, Dx=1.1, Ex=-0.5, By=9, Cy=1.4, Dy=0.95, Ey=0.3)
  connect i to along to up to steer to spin to wheel, drive at along:ext, hold at up:ext, turn at steer:ext,
          roll at spin:ext, linear at (i, spin:b), late at (i, spin:b), magic at (i, spin:b)
  connect tilt:b at i, hill at (tilt:a, spin:b)
end
"""


def _magic(s, B, C, D, E):
    return D * 4000 * np.sin(C * np.arctan(B * s - E * (B * s - np.arctan(B * s))))


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    path = tmp_path_factory.mktemp("bench") / "bench.mo"
    path.write_text(BENCH)
    return cutset.load(path)


ACROSS, ALONG = (9, 1.4, 0.95, 0.3), (12, 1.6, 1.1, -0.5)


def test_side_force_over_the_slip_angle(bench):
    run = bench.simulate(1.0, parameters={"steer1": 0.5}, points=501, **ACCURATE)
    angle = 0.5 * run.time
    np.testing.assert_allclose(run["linear.alpha"], -angle, atol=1e-9)
    # The wheel that keeps its spin slips along, too, while it turns.
    kappa, side = 1 / np.cos(angle) - 1, np.tan(angle)
    np.testing.assert_allclose(run["linear.kappa"], kappa, atol=1e-9)
    low = np.hypot(5e4 * kappa, 4e4 * angle) < 3600
    assert 30 < low.sum() < 100
    np.testing.assert_allclose(run["linear.fy"][low], 4e4 * angle[low], rtol=1e-6, atol=1e-6)
    size = np.hypot(run["linear.fx"], run["linear.fy"])
    np.testing.assert_allclose(size[~low], 3600, rtol=1e-9)
    rho = np.hypot(12 * kappa, 9 * side)
    np.testing.assert_allclose(run["magic.fy"] * rho, _magic(rho / 9, *ACROSS) * 9 * side, rtol=1e-6, atol=1e-5)
    np.testing.assert_allclose(run["hill.fy"], run["magic.fy"], rtol=1e-9, atol=1e-6)
    np.testing.assert_allclose(run["hill.N"], 4000, rtol=1e-9)


def test_peak_of_the_magic_formula_and_friction_ellipse(bench):
    run = bench.simulate(1.0, parameters={"slip1": 0.5}, points=1001, **ACCURATE)
    B, C, _, E = ALONG
    peak = brentq(lambda s: B * s - E * (B * s - np.arctan(B * s)) - np.tan(np.pi / 2 / C), 0, 1)
    force = np.asarray(run["magic.fx"])
    assert force.max() == pytest.approx(1.1 * 4000, rel=1e-5)
    assert run["magic.kappa"][force.argmax()] == pytest.approx(peak, abs=1e-3)
    both = bench.simulate(1.0, parameters={"slip1": 0.5, "steer0": 0.05}, points=101, **ACCURATE)
    share = np.hypot(both["magic.fx"] / (1.1 * 4000), both["magic.fy"] / (0.95 * 4000))
    assert 0.9 < share.max() <= 1
    assert both["magic.fy"][-1] < 0.2 * both["magic.fy"][0]  # what is used along is missing across


def test_slip_follows_over_the_relaxation_length(bench):
    run = bench.simulate(0.3, parameters={"steer0": 0.02, "slip0": 0.01, "lag": 1}, points=61, **ACCURATE)
    way = 10 * np.cos(0.02) * run.time
    length = 0.5 * 0.02 / np.tan(0.02)
    np.testing.assert_allclose(run["late.fy"], 4e4 * 0.02 * (1 - np.exp(-way / length)), atol=1e-4)
    along = 1.01 / np.cos(0.02) - 1
    np.testing.assert_allclose(run["late.fx"], 5e4 * along * (1 - np.exp(-way / 0.2)), atol=1e-4)


def test_slip_that_is_constant_but_for_rounding(bench):
    """The search for its turns ends."""
    run = bench.simulate(0.01, parameters={"steer0": 0.01, "slip1": 0.5, "lag": 1}, points=3)
    np.testing.assert_allclose(run["late.alpha"], -0.01, atol=1e-9)
    assert run.statistics.steps < 100


WHEEL = """@mbs
model class (Tire, MagicFormula) Hills
  parameter k (unit="1/m") = 0.2, b (unit="m") = 0.1
  z = b*sin(2*k*x)*cos(3*k*y)
end
model Wheel "a wheel that is thrown onto hills, or a wheel of a cart that stands on a slope"
  parameter x0(3) = [0, 0, 0.3], v0(3) = zeros(3), w0(3) = zeros(3), angle1 = 0, k = 0
  parameter n(3) = [0, 0, -1], b = 0.1, stiff = 1e4, damping = 0
  submodel (Inertial) i(ng=n)
  submodel (Free) j(x0=x0, v0=v0, w0=w0, angle1=angle1)
  submodel (Body) m(m=2, I=diagonal([0.05, 0.09, 0.05]))
  submodel (Hills) tire(radius=0.3, c=stiff, d=damping, k_x=k, b=b)
  connect i to j to m, tire at (i, j:b)
end
"""


def energies(run, k=0.0, g=9.81):
    """Energy with what the tire stores against the road."""
    stored = 0.5 * 1e4 * np.maximum(run["tire.depth"], 0) ** 2 + 0.5 * k * (run["tire.ux"] ** 2 + run["tire.uy"] ** 2)
    kinetic = (run["j.v"] ** 2).sum(1) + (run["j.w"] ** 2 * np.array([0.025, 0.045, 0.025])).sum(1)
    return kinetic + 2 * g * run["j.x"][:, 2] + stored


def thrown(generator) -> dict[str, object]:
    """Parameters of a wheel that is thrown."""
    return {
        "x0": [*generator.uniform(-3, 3, 2), 0.5],
        "v0": [*generator.uniform(-3, 3, 3)],
        "w0": [*generator.uniform(-3, 3, 1), generator.uniform(-20, 20), *generator.uniform(-3, 3, 1)],
        "angle1": float(generator.uniform(-0.5, 0.5)),
        "damping": float(generator.choice([0, 100])),
    }


@pytest.mark.parametrize("k", [0, 3e4])
def test_no_tire_gives_a_wheel_energy(k, write_model):
    model, generator = cutset.load(write_model(WHEEL)), np.random.default_rng(3)
    for _ in range(3):
        given = thrown(generator) | {"k": k}
        run = model.simulate(1.0, parameters=given, points=201, rtol=1e-8, atol=1e-9)
        approach = cumulative_trapezoid(-run["tire.vn"], run.time, initial=0)
        np.testing.assert_allclose(run["tire.depth"] - run["tire.depth"][0], approach, atol=5e-3)
        energy = energies(run, k)
        assert np.diff(energy).max() < 1e-4
        assert energy[-1] < energy[0] - 0.5


STANDING = """@mbs
model Standing "a braked wheel on a slope, at rest"
  submodel (Inertial) i(ng=[0.1, 0, -sqrt(0.99)])
  submodel (Prismatic) along(n=[1, 0, 0]), up(n=[0, 0, 1], q0=0.3 - 100*9.81*sqrt(0.99)/2e5)
  submodel (Body) hub(m=100)
  submodel (LinearTire) tire(radius=0.3, c=2e5, c_kappa=2e4, c_alpha=3e4)
  connect i to along to up to hub, tire at (i, up:b)
end
"""


def test_a_braked_wheel_on_a_slope_creeps_only(write_model):
    """Where it stands, kappa is -v over half of v_small: 98.1 N take 98.1/2e4*0.05 m/s."""
    run = cutset.load(write_model(STANDING)).simulate(1.0, **ACCURATE)
    assert run["along.qd"][0] == run["tire.kappa"][0] == 0
    assert run["along.qd"][-1] == pytest.approx(98.1 / 2e4 * 0.05, rel=1e-3)


ROLLING = """@mbs
model class (RollingSphere) Surface "plane with a slope, or a bowl"
  parameter slope = 0, deep (unit="m") = 1e9
  z = slope*x + deep - sqrt(deep^2 - x^2 - y^2)
end
model Marble
  parameter x1 = 0, v2 = 0
  submodel (Inertial) i(ng=[0, 0, -1])
  submodel (Free) j(x1=x1, v2=v2)
  submodel (Body) m(m=2, I=diagonal([0.008, 0.008, 0.008]))
  submodel (Surface) c(radius=0.1, {surface})
  connect i to j to m, c at (i, j:b)
end
"""


@pytest.fixture(scope="module")
def marble(tmp_path_factory):
    path = tmp_path_factory.mktemp("marble") / "marble.mo"
    path.write_text(ROLLING.format(surface="deep=2"))
    return cutset.load(path)


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_sphere_in_a_bowl_is_a_pendulum(library, marble, write_model):
    """der(phi, 2) = -5/7*g/(R - r)*sin(phi), also far from the bottom, where it is harmonic near it."""
    text = write_model(ROLLING.format(surface="deep=2"))
    model = marble if library == "mbs" else cutset.load(text, instead={"mbs": library})
    rate = 5 / 7 * 9.81 / 1.9
    for start in (1.2, 1e-3)[: 2 if library == "mbs" else 1]:
        run = model.simulate(2.0, parameters={"x1": start}, points=31, **ACCURATE)
        swing = solve_ivp(lambda _, y: [y[1], -rate * np.sin(y[0])], (0, 2), [np.arcsin(start / 1.9), 0],
                          dense_output=True, rtol=1e-10, atol=1e-12).sol(run.time)  # fmt: skip
        np.testing.assert_allclose(run["j.x(1)"], 1.9 * np.sin(swing[0]), atol=1e-6 * start)
        np.testing.assert_allclose(run["j.x(3)"], 2 - 1.9 * np.cos(swing[0]), atol=1e-6)


def test_a_sphere_around_the_bottom_of_a_bowl_keeps_its_energy(marble):
    run = marble.simulate(3.0, parameters={"x1": 1.2, "v2": 1.5}, points=31, **ACCURATE)
    energy = (run["j.v"] ** 2).sum(1) + 0.004 * (run["j.w"] ** 2).sum(1) + 2 * 9.81 * run["j.x(3)"]
    np.testing.assert_allclose(energy, energy[0], rtol=1e-7)
    assert abs(run["j.x(2)"]).max() > 0.5


def test_a_sphere_rolls_down_a_slope(write_model):
    text = ROLLING.format(surface="slope=-0.75").replace("+ deep - sqrt(deep^2 - x^2 - y^2)", "")
    run = cutset.load(write_model(text.replace("x1=x1", "x1=x1, x3=0.125"))).simulate(1.0, points=11, **ACCURATE)
    np.testing.assert_allclose(run["j.x(1)"], 5 / 7 * 9.81 * 0.6 * 0.8 * run.time**2 / 2, atol=1e-8)
    np.testing.assert_allclose(run["c.N"], 2 * 9.81 * 0.8, rtol=1e-8)


def test_a_sphere_that_does_not_fit_ends_the_run(marble):
    with pytest.raises(cutset.RunError, match="does not fit into the surface"):
        marble.simulate(0.1, parameters={"c.deep": 0.08})


FALLING = """@mbs
model class (SurfaceContact) Bowl
  z = (x^2 + y^2)*k
  parameter k (unit="1/m") = 0.25
end
model Falling
  submodel (Inertial) i(ng=[0, 0, -1])
  submodel (Planar) p(n=[0, -1, 0], nx=[1, 0, 0], q01=0.8, q02=0.6)
  submodel (Body) m(m=2, I=diagonal([0.008, 0.008, 0.008]))
  submodel (Bowl) c(radius=0.1, c=1e5)
  connect i to p to m, c at (i, p:b)
end
"""


def test_a_sphere_bounces_in_a_bowl(write_model):
    run = cutset.load(write_model(FALLING)).simulate(2.0, points=201, **ACCURATE)
    speed = run["p.x.qd"] ** 2 + run["p.y.qd"] ** 2 + 0.004 * run["p.turn.qd"] ** 2
    energy = speed + 2 * 9.81 * run["p.y.q"] + 1e5 / 2.5 * np.maximum(run["c.depth"], 0) ** 2.5
    np.testing.assert_allclose(energy, energy[0], rtol=1e-6)
    assert np.asarray(run["c.depth"]).max() > 0.005


def test_steady_cornering_of_a_single_track():
    model = cutset.load(Path(__file__).parents[2] / "models" / "single_track.mo")
    for delta, v in ((0.01, 20.0), (0.005, 35.0)):
        run = model.simulate(6.0, parameters={"delta": delta, "v": v}, points=3)
        assert run["plane.turn.qd"][-1] == pytest.approx(run["yaw"][-1], rel=3e-4)
