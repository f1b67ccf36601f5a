"""The blocks of blocks.mo and sources.mo against closed solutions and transfer functions."""

from __future__ import annotations

import numpy as np
import pytest
from library_runs import run_with
from numpy.testing import assert_allclose as close
from scipy import signal

PI = np.pi


@pytest.fixture
def simulate(write_model):
    def run(body: str, stop: float = 1.0, **options):
        return run_with(write_model, "@blocks\n@sources", body, stop, **options)

    return run


def inside(t, *instants):
    """Where t is at none of the instants."""
    return np.all([np.abs(t - i) > 1e-6 for i in instants], axis=0)


# --- sums and products ---


def test_algebra(simulate):
    run = simulate(
        "submodel (Gain) g(k=3)\nsubmodel (Add) a(k2=-2)\nsubmodel (Feedback) f\nsubmodel (Sum) s(n=3, k=[1, 2, "
        "3])\nsubmodel (Product) p\n"
        "submodel (Division) d\nsubmodel (Clock) t\nsubmodel (Const) c(k=5)\n"
        "connect t to g, t to a, c to a:inp2, t to f, c to f:inp2, t to p, c to p:inp2, t to d, c to d:inp2\ns.u = "
        "[1, time, time^2]"
    )
    t = run.time
    for name, expected in (
        ("g", 3 * t), ("a", t - 10), ("f", t - 5), ("s", 1 + 2 * t + 3 * t**2), ("p", 5 * t), ("d", t / 5)
    ):  # fmt: skip
        close(run[f"{name}.y"], expected, atol=1e-12)


# --- linear systems ---


def step_response(numerator, denominator, t):
    return signal.lti(numerator, denominator).step(T=np.linspace(0, t[-1], 4001))


@pytest.mark.parametrize(
    "block, numerator, denominator",
    [
        ("Integrator) b(k=2", [2.0], [1.0, 0.0]),
        ("Derivative) b(k=2, T=0.5", [2.0, 0.0], [0.5, 1.0]),
        ("FirstOrder) b(k=2, T=0.5", [2.0], [0.5, 1.0]),
        ("SecondOrder) b(k=2, w=3, D=0.4", [18.0], [1.0, 2.4, 9.0]),
        ("PI) b(k=2, T=0.5", [1.0, 2.0], [0.5, 0.0]),
        (
            "PID) b(k=2, Ti=0.5, Td=0.1, Nd=5",
            [2 * (0.02 * 0.5 + 0.5 * 0.1), 2 * (0.5 + 0.02), 2.0],
            [0.5 * 0.02, 0.5, 0.0],
        ),
        ("TransferFunction) b(nb=2, b=[1, 3], na=3, a=[2, 1, 4]", [1.0, 3.0], [2.0, 1.0, 4.0]),
        ("TransferFunction) b(nb=3, b=[1, 3, 2], na=3, a=[2, 1, 4]", [1.0, 3.0, 2.0], [2.0, 1.0, 4.0]),
        ("StateSpace) b(nx=2, A=[0, 1; -9, -2.4], B=[0, 1], C=[18, 0], D=0.5", [0.5, 1.2, 22.5], [1.0, 2.4, 9.0]),
        ("CriticalDamping) b(n=3, f=0.5, normalized=false", [1.0], np.poly1d([1 / PI, 1.0]) ** 3),
        ("Butterworth) b(n=1, f=0.5", *signal.butter(1, PI, analog=True)),
        ("Butterworth) b(n=4, f=0.5", *signal.butter(4, PI, analog=True)),
        ("Butterworth) b(n=5, f=0.5", *signal.butter(5, PI, analog=True)),
    ],
)
def test_step_responses(simulate, block, numerator, denominator):
    run = simulate(f"submodel (Const) s(k=1)\nsubmodel ({block})\nconnect s to b", stop=4.0)
    t, y = step_response(numerator, np.array(denominator), run.time)
    close(run["b.y"], np.interp(run.time, t, y), atol=2e-5 * max(1.0, np.max(np.abs(y))))


def test_critical_damping_has_minus_3_db_at_its_frequency(simulate):
    run = simulate("submodel (Sine) s(f=2)\nsubmodel (CriticalDamping) b(n=3, f=2)\nconnect s to b", stop=5.0)
    close(np.max(run["b.y"][run.time > 4]), np.sqrt(0.5), rtol=1e-3)


def test_vectors_of_signals(simulate):
    run = simulate(
        "submodel (StateSpaceN) b(nx=2, nu=2, ny=1, A=[-1, 0; 0, -2], B=[1, 0; 0, 1], C=[3, 4]', x0=[1, 1])\nb.u = "
        "[2, 0]"
    )
    close(run["b.y(1)"], 3 * (2 - np.exp(-run.time)) + 4 * np.exp(-2 * run.time), atol=1e-8)


@pytest.mark.parametrize(
    "block",
    ["Integrator) "
     "b(steady=true", "FirstOrder) b(T=1, k=3, "
                      "steady=true", "SecondOrder) b(w=2, D=0.3, k=3, steady=true", "Derivative) b(steady=true",
     "CriticalDamping) b(f=1, "
     "steady=true", "Butterworth) b(f=1, steady=true", "PI) b(T=1, steady=true", "PID) b(steady=true"],
)  # fmt: skip
def test_steady_starts(simulate, block):
    """Nothing moves from the start on: an integral needs u = 0 for that, which a loop through the gain 2 gives."""
    loop = any(word in block for word in ("Integrator", "PI"))
    drive = "b.u = 3 - 2*b.y" if "Integrator" in block else "q = 3 - b.y\nb.u = 0.1*(b.y - 7)" if loop else "b.u = 5"
    run = simulate(f"submodel ({block})\nlocal q\n{drive}\n" + ("" if drive.startswith("q") else "q = 0"))
    close(run["b.y"], run["b.y"][0], atol=1e-9)
    if "k=3" in block:
        close(run["b.y"], 15.0, atol=1e-9)


def test_limited_integrator_leaves_its_limit_at_once(simulate):
    run = simulate(
        "submodel (Sine) s(f=0.5, amplitude=2)\nsubmodel (LimIntegrator) b(ymax=0.5)\nconnect s to b", stop=2.0
    )
    # 2/pi*(1 - cos(pi*t)) up to 0.5, and from t = 1 on, where the sine is negative, down again to the other limit.
    free = 2 / PI * (1 - np.cos(PI * run.time))
    down = np.maximum(0.5 - 2 / PI * (1 + np.cos(PI * run.time)), -0.5)
    close(run["b.y"], np.where(run.time < 1, np.minimum(free, 0.5), down), atol=1e-6)


def test_limited_pid_without_limits_is_a_pid(simulate):
    run = simulate(
        "submodel (LimPID) a(k=2, Ti=0.5, Td=0.1, Nd=5, wd=1, ymax=100)\nsubmodel (PID) b(k=2, Ti=0.5, Td=0.1, Nd=5)\n"
        "a.u = sin(3*time)\na.um = 0.2*time\nb.u = sin(3*time) - 0.2*time"
    )
    close(run["a.y"], run["b.y"], atol=1e-7)


def test_limited_pid_does_not_wind_up(simulate):
    body = (
        "submodel (LimPID) c(k=2, Ti=0.3, with_D=false, ymax=1.2, Ni=0.5)\nsubmodel (FirstOrder) plant(T=1)\n"
        "connect c to plant to c:measured\nc.u = 1"
    )
    run = simulate(body, stop=10.0)
    assert np.max(run["c.y"]) == pytest.approx(1.2) and np.max(run["plant.y"]) < 1.15
    close(run["plant.y"][-1], 1.0, atol=1e-4)


# --- nonlinear blocks, tables ---


def test_static_nonlinear_blocks(simulate):
    run = simulate(
        "submodel (Sine) s(f=1, amplitude=2)\nsubmodel (Limiter) l(ymax=1, ymin=-0.5)\nsubmodel (DeadZone) d(umax=1, "
        "umin=-0.5)\n"
        "submodel (Table1D) t(n=3, xs=[-2, 0, 2], ys=[1, 0, 4])\nsubmodel (Abs) a\nsubmodel (Sign) g\n"
        "connect s to l, s to d, s to t, s to a, s to g"
    )
    u = 2 * np.sin(2 * PI * run.time)
    close(run["l.y"], np.clip(u, -0.5, 1), atol=1e-6)
    close(run["d.y"], u - np.clip(u, -0.5, 1), atol=1e-6)
    close(run["t.y"], np.where(u > 0, 2 * u, -u / 2), atol=1e-9)
    close(run["a.y"], np.abs(u), atol=1e-9)
    plain = inside(run.time, 0, 0.5, 1)
    close(run["g.y"][plain], np.sign(u)[plain])


def test_table_of_two_inputs(simulate):
    run = simulate(
        "submodel (Table2D) t(n1=2, n2=3, xs=[0, 2], ys=[0, 1, 3], Z=[0, 1, 5; 2, 3, 7])\nt.u1 = 2*time\nt.u2 = 4*time"
    )
    t = run.time
    close(run["t.y"], 2 * t + np.interp(4 * t, [0, 1, 3, 4], [0, 1, 5, 7]), atol=1e-12)


def test_rate_limiter_and_switch(simulate):
    run = simulate(
        "submodel (Step) s(height=2, t0=0.5)\nsubmodel (RateLimiter) r(rising=4)\nsubmodel (Switch) w\nconnect s to r\n"
        "w.u1 = 1\nw.u2 = 2\nw.c = r.y > 1",
        stop=2.0,
    )
    close(run["r.y"], np.clip(4 * (run.time - 0.5), 0, 2), atol=5e-3)
    close(run["w.y"][inside(run.time, 0.75)], np.where(run.time < 0.75, 2, 1)[inside(run.time, 0.75)])


# --- logic ---


def test_logic(simulate):
    run = simulate(
        "submodel (Clock) t\nsubmodel (And) a\nsubmodel (Or) o\nsubmodel (Xor) x\nsubmodel (Not) n\nsubmodel (Latch) "
        "l\n"
        "submodel (Threshold) h(limit=0.5)\nsubmodel (Greater) g\nsubmodel (BooleanToReal) r(high=3, low=-1)\n"
        "local (Boolean) p, q\np = time > 0.25\nq = time > 0.55\n"
        "a.u1 = p\na.u2 = q\no.u1 = p\no.u2 = q\nx.u1 = p\nx.u2 = q\nconnect t to h to r, h to n\n"
        "g.u1 = time\ng.u2 = 0.7\nl.u1 = p\nl.u2 = time > 0.8"
    )
    t = run.time
    plain = inside(t, 0.25, 0.5, 0.55, 0.7, 0.8)
    p, q = t > 0.25, t > 0.55
    for name, expected in (
        ("a", p & q), ("o", p | q), ("x", p ^ q), ("n", t <= 0.5), ("h", t > 0.5), ("g", t > 0.7),
        ("l", p & (t < 0.8)), ("r", np.where(t > 0.5, 3, -1)),
    ):  # fmt: skip
        close(run[f"{name}.y"][plain], expected[plain])


def test_two_point_control(simulate):
    run = simulate(
        "submodel (OnOff) c(bandwidth=0.2)\nsubmodel (Hysteresis) h(low=0.95, high=1.05)\nsubmodel (FirstOrder) "
        "x(T=1)\n"
        "connect x:out at c:measured, x:out at h:inp\nc.u1 = 1\nx.u = if c.y then 2 else 0",
        stop=3.0,
    )
    x = run["x.y"][run.time > 1]
    close([np.min(x), np.max(x)], [0.9, 1.1], atol=1e-4)
    # It heats from 0.9 to 1.1, and cools as long: both take log(11/9).
    switched = run.time[1:][np.diff(run["c.y"]) != 0]
    close(np.diff(switched), np.log(11 / 9), atol=1e-5)
    high = run["h.y"][run.time > 1] == 1
    assert np.min(x[high]) >= 0.95 - 1e-6 and np.max(x[~high]) <= 1.05 + 1e-6


# --- sampling ---


def test_sampling(simulate):
    run = simulate(
        "submodel (Clock) t\nsubmodel (ZeroOrderHold) z(T=0.1)\nsubmodel (UnitDelay) u(T=0.1, y0=-1)\nsubmodel (Mean) "
        "m(f=5)\n"
        "connect t to z, t to u, t to m"
    )
    t = run.time
    plain = inside(t, *(0.1 * np.arange(11)))
    last = np.floor(t / 0.1 + 1e-9) * 0.1
    close(run["z.y"][plain], last[plain], atol=1e-9)
    close(run["u.y"][plain & (t > 0.1)], last[plain & (t > 0.1)] - 0.1, atol=1e-9)
    late = plain & (t > 0.2)
    close(run["m.y"][late], (np.floor(t[late] / 0.2) * 0.2 - 0.1), atol=1e-8)


def test_delay(simulate):
    run = simulate("submodel (Clock) t\nsubmodel (Delay) d(T=0.25)\nconnect t to d")
    close(run["d.y"], np.maximum(run.time - 0.25, 0), atol=1e-9)


# --- signals ---


def test_signals(simulate):
    run = simulate(
        "submodel (Ramp) ramp(height=3, offset=1, T=0.5, t0=0.2)\nsubmodel (Cosine) c(amplitude=2, f=2, offset=1, "
        "phi=0.3, t0=0.1)\n"
        "submodel (ExpSine) e(amplitude=2, f=2, damping=3, t0=0.1)\nsubmodel (Pulse) p(T=0.3, width=0.4, amplitude=2, "
        "t0=0.1)\n"
        "submodel (SawTooth) w(T=0.3, amplitude=2, t0=0.1)\nsubmodel (Trapezoid) z(T=0.4, rising=0.1, width=0.1, "
        "falling=0.1)\n"
        "submodel (TimeTable) b(n=3, times=[0.2, 0.4, 0.8], values=[1, 3, -1])"
    )
    t = run.time
    later = t >= 0.1
    plain = inside(t, 0.1, 0.22, 0.4, 0.52, 0.7, 0.82, 1.0)
    close(run["ramp.y"], np.interp(t, [0.2, 0.7], [1, 4]), atol=1e-9)
    close(run["c.y"][plain], np.where(later, 1 + 2 * np.cos(4 * PI * (t - 0.1) + 0.3), 1)[plain], atol=1e-9)
    close(run["e.y"], np.where(later, 2 * np.exp(-3 * (t - 0.1)) * np.sin(4 * PI * (t - 0.1)), 0), atol=1e-9)
    phase = (t - 0.1) % 0.3
    close(run["p.y"][plain], np.where(later & (phase < 0.12), 2, 0)[plain])
    close(run["w.y"][plain], np.where(later, 2 * phase / 0.3, 0)[plain], atol=1e-9)
    close(run["z.y"], np.interp(t % 0.4, [0, 0.1, 0.2, 0.3, 0.4], [0, 1, 1, 0, 0]), atol=1e-9)
    close(run["b.y"], np.interp(t, [0.2, 0.4, 0.8], [1, 3, -1]), atol=1e-9)


@pytest.mark.parametrize("end, top", [(3.0, 1.0), (-3.0, 1.0), (0.5, np.sqrt(0.5 * 1.5))])
def test_point_to_point(simulate, end, top):
    run = simulate(
        f"submodel (KinematicPTP) p(q1={end}, v_max=1, a_max=1.5, t0=0.5)\nlocal x (start=0), v (start=0)\nder(v) = "
        "p.a\nder(x) = p.v",
        stop=5.0,
    )
    close(np.max(np.abs(run["p.v"])), top, atol=1e-3)
    close(run["x"], run["p.q"], atol=1e-7)
    close(run["v"], run["p.v"], atol=1e-7)
    close(run["p.q"][-1], end, atol=1e-12)


def test_several_positions_go_one_way(simulate):
    run = simulate(
        "submodel (KinematicPTP2) p(n=3, q0=[0, 1, 2], q1=[2, -3, 2], v_max=[1, 1.5, 1], a_max=[1, 1, 1], t0=0.5)\n"
        "submodel (KinematicPTP) slowest(q0=1, q1=-3, v_max=1.5, a_max=1, t0=0.5)",
        stop=6.0,
    )
    for big, small in (("q", "q"), ("v", "v"), ("a", "a")):
        inner = inside(run.time, *(0.5 + np.array([0, 1.5, 8 / 3, 8 / 3 + 1.5])))
        close(run[f"p.{big}(2)"][inner], run[f"slowest.{small}"][inner], atol=1e-9)
    # The others go as far in as much time: the way is the same, the third one stays.
    close(run["p.q(1)"], (1 - run["p.q(2)"]) / 2, atol=1e-12)
    close(run["p.q(3)"], 2.0, atol=0)


def test_functions_of_signals(simulate):
    run = simulate(
        "submodel (Clock) t\nsubmodel (Sqrt) a\nsubmodel (Sin) b\nsubmodel (Cos) c\nsubmodel (Tan) d\nsubmodel (Exp) "
        "e\nsubmodel (Log) f\n"
        "submodel (Atan2) g\nsubmodel (Min) h\nsubmodel (Max) i\nlocal u\nu = time + 0.2\n"
        + "\n".join(f"{name}.u = u" for name in "abcdef")
        + "\n"
        + "\n".join(f"{name}.u1 = u\n{name}.u2 = 0.7" for name in "ghi")
    )
    u = run.time + 0.2
    for name, expected in zip(
        "abcdefghi",
        (
            np.sqrt(u),
            np.sin(u),
            np.cos(u),
            np.tan(u),
            np.exp(u),
            np.log(u),
            np.arctan2(u, 0.7),
            np.minimum(u, 0.7),
            np.maximum(u, 0.7),
        ),
        strict=True,
    ):
        close(run[f"{name}.y"], expected, atol=1e-12)
