"""Functions of time that drive states: no step hides what they do (README 1.1, 1.2, 1.32)."""

import math

import numpy as np
import pytest
from oracles.forced_kinds import solved
from oracles.forced_models import LIMIT, drawn, errors

import cutset
from cutset.runtime.given.table_signals import table_signal

PULSES = """model Pulses "x(1) = exp(-50)*I0(50)"
  constant pi = 3.14159265358979
  local x (start=0)
  der(x) = exp(-50*(1 - sin(2*pi*50*time)))
end
"""
RECTIFIER = """@electrical
model Rectifier
  submodel (VSine) V(V=10, f=50)
  submodel (Diode) D(Is=1e-14, Vt=0.02716, most=60, R=1e12)
  submodel (Resistor) R1(R=100), R2(R=1e3)
  submodel (Capacitor) C(C=1e-3)
  submodel (Ground) g
  node a, b, c, n
  connect V at (a, n), D at (a, b), R1 at (b, c), C at (c, n), R2 at (c, n), g at n
end
"""
METHODS = ("auto", "tsit5", "cvode-bdf", "ida")


def model(*equations: str) -> cutset.Model:
    lines = "".join(f"  local x{k} (start=0)\n  der(x{k}) = {e}\n" for k, e in enumerate(equations))
    return cutset.loads(f"model M\n  constant pi = 3.14159265358979\n{lines}end\n")


@pytest.mark.parametrize("method", METHODS)
def test_pulses_are_seen(method):
    run = cutset.loads(PULSES).simulate(0.2, method=method, points=2)
    # One tolerance is 2e-8; methods of low order add up errors over ten pulses.
    assert run["x"][-1] == pytest.approx(0.2 * 0.0565616266, abs=3e-6)


@pytest.mark.parametrize("method", METHODS)
def test_errors_at_many_turns_do_not_add_up(method):
    run = model("exp(-50*(1 - sin(2*pi*time)))").simulate(400.0, method=method, points=2)
    assert run["x0"][-1] == pytest.approx(400 * 0.0565616266, rel=1e-4)


def test_a_kink_within_a_step():
    """A diode blocks where the embedded error is zero by chance, and min has a kink at no turn."""
    wave = "(1 + 0.860381*sin(2*pi*0.530937*time + 2.8102))*sin(2*pi*2.39841*time + 5.03002)"
    diode = f"8.75379*((1 - 1.001/(1 + 0.001*exp(min(20*(5*({wave}) - x0), 60)))) - 0.05*x0)"
    coarse, fine = (model(diode).simulate(1.6060107805211283, points=2, rtol=r)["x0"][-1] for r in (1e-6, 1e-10))
    assert coarse == pytest.approx(fine, rel=3e-5)


@pytest.mark.parametrize("method", ("auto", "cvode-bdf"))
def test_a_rectifier_charges(method):
    loaded = cutset.loads(RECTIFIER)
    run = loaded.simulate(1.0, method=method, points=2)
    assert run["C.u"][-1] == pytest.approx(5.749129, abs=5e-4)
    ends = [loaded.simulate(0.2, method=method, points=2, parameters={"R2.R": r})["C.u"][-1] for r in (500, 1e3, 2e3)]
    assert ends == sorted(ends)


@pytest.mark.parametrize("method", ("auto", "cvode-bdf", "radau"))
@pytest.mark.parametrize(
    "equations",
    (
        "local s (start=0.3), x (start=0)\n der(s) = 1\n der(x) = exp(-50*(1 - sin(2*pi*50*s)))",
        "local w (start=100*pi), s (start=0), x (start=0)\n der(w) = 0\n der(s) = w\n der(x) = exp(-50*(1 - sin(s)))",
        "local a (start=100*pi), x (start=0)\n der(a) = -a*1e-9\n der(x) = exp(-50*(1 - sin(time*a)))",
        "local x (start=0)\n der(x) = delay(exp(-50*(1 - sin(2*pi*50*time))), 0.001) - 1.6e-4*exp(-50)",
    ),
)
def test_clocks_products_and_delays(method, equations):
    loaded = cutset.loads(f"model M\n constant pi = 3.14159265358979\n {equations}\nend\n")
    run = loaded.simulate(0.2, method=method, points=2)
    assert run["x"][-1] == pytest.approx(0.2 * 0.0565616266, abs=3e-6)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("equations", "stop", "expected"),
    (
        ("local x (start=0.1)\n der(x) = exp(-50*(1 - sin(time^2 + x)))", 40.0, 2.3052753264),
        (
            "local p (start=0), x (start=0)\n der(p) = 20 + 18*sin(time)\n der(x) = exp(-50*(1 - sin(p)))",
            30.0,
            1.5406972625,
        ),
        ("local x (start=0)\n der(x) = exp(-50*(1 - sin(0.05*time^3)))", 20.0, 1.1098286922),
    ),
)
def test_phases_of_varying_rate(method, equations, stop, expected):
    """Expected: scipy with steps of 1e-3 at most."""
    run = cutset.loads(f"model M\n {equations}\nend\n").simulate(stop, method=method, points=2)
    assert run["x"][-1] == pytest.approx(expected, abs=2e-5 if stop > 20.0 else 1e-4)


@pytest.mark.parametrize("method", ("auto", "tsit5", "bs32", "cvode-adams", "cvode-bdf", "ida"))
@pytest.mark.parametrize(("phase", "n"), [("time", 100), ("1 - time", 100), ("mod(5*time, 1)", 20), ("time^2", 100)])
def test_no_step_hides_a_kink_of_a_table(method, phase, n):
    """Their errors, which no estimate shows, would add up to as much as 4,000 tolerances."""
    xs = np.linspace(0, 1, n + 1)
    ys = np.sin(10 * np.pi * xs) + (np.arange(n + 1) % 7 == 0)
    found = model(f"interp1({phase}, {xs.tolist()}, {ys.tolist()})").simulate(1.0, method=method, points=21)
    fine = np.linspace(0, 1, 20001)[:-1] + 2.5e-5
    values = np.interp(eval(phase.replace("^", "**"), {"mod": np.mod, "time": fine}), xs, ys)
    assert found["x0"][-1] == pytest.approx(values.mean(), abs=5e-6)


def test_half_a_step_behind_a_kink_is_not_right_by_chance():
    """IDA took a step whose error is 30,000 tolerances: its slope was the mean one of the step before the kink."""
    run = model("abs(time - 0.4857)").simulate(1.0, method="ida", points=2)
    assert run["x0"][-1] == pytest.approx((0.4857**2 + 0.5143**2) / 2, abs=2e-6)


@pytest.mark.parametrize("method", ("cvode-bdf", "cvode-adams", "ida", "bdf"))
@pytest.mark.parametrize(("period", "power"), [(0.05, 400), (0.125, 100)])
def test_errors_of_pulses_beside_events_do_not_add_up(method, period, power):
    run = model(f"(mod(time,{period})/{period})^{power}").simulate(1.0, method=method, points=2)
    right = 1.0 / (power + 1.0)
    assert abs(run["x0"][-1] - right) < LIMIT * (1e-6 * right + 1e-8)


@pytest.mark.parametrize(
    ("kind", "seed", "method"),
    [
        ("table", 107, "auto"),
        ("sawtooth", 106, "ida"),
        ("data", 3005, "auto"),
        ("data", 3144, "auto"),
        ("data", 1041, "cvode-bdf"),
        ("one_sided", 5, "cvode-bdf"),
    ],
)
def test_random_ways_to_drive_a_model(kind, seed, method):
    forced, expected, times = solved(seed, kind)
    assert errors(forced, method, expected, times) < LIMIT


def test_a_smooth_table_limits_no_step():
    xs = np.linspace(0, 1, 2001)
    run = model(f"interp1(time, {xs.tolist()}, {np.sin(2 * np.pi * xs).tolist()})").simulate(1.0, points=2)
    assert run.statistics.steps < 100


def test_a_delayed_pulse():
    run = model("delay(exp(-((time - 0.67)/1e-3)^2), 0.2) - x0").simulate(1.0, points=2)
    assert run["x0"][-1] == pytest.approx(1e-3 * math.sqrt(math.pi) * math.exp(-0.13), rel=1e-4)


def test_a_pulse_of_a_clock():
    text = "model M\n local s (start=2), x (start=0)\n der(s) = -1\n der(x) = exp(-((s - 1.4)/0.001)^2)\nend\n"
    for target in ("c", "python"):
        run = cutset.loads(text).simulate(1.0, points=2, target=target)
        assert run["x"][-1] == pytest.approx(0.001 * math.sqrt(math.pi), rel=1e-4)


@pytest.mark.parametrize("method", ["bdf", "ggl"])
@pytest.mark.parametrize(
    "clock", ["s (start=0.3)\n der(s) = 1", "t (start=0), a, s\n a = 3*t\n s = a/3 + 1\n 2*der(t) = 2"]
)
def test_clocks_of_models_that_are_not_reduced(method, clock):
    text = f"model M\n local x (start=0), {clock}\n der(x) = exp(-50*(1 - sin(314.159265358979*s)))\nend\n"
    run = cutset.loads(text).simulate(0.2, method=method, points=2)
    assert run["x"][-1] == pytest.approx(0.2 * 0.0565616266, abs=3e-6)


# Those of a generator whose solutions take least time.
@pytest.mark.parametrize(("target", "seeds"), [("c", (0, 3, 6, 10, 25, 38)), ("python", (10,))])
def test_random_models(target, seeds):
    for first in seeds:
        for seed, forced, expected, times in drawn(first, 1):
            assert errors(forced, "auto", expected, times, target) < LIMIT, seed


@pytest.mark.parametrize("method", ("dopri5", "cvode-bdf", "radau"))
def test_both_targets_take_the_same_steps(method):
    loaded = model(
        "sin(20*time)^3 - x0", "exp(-200*(1 - sin(7*time)*cos(3*time)))", "sin(20*time + x0)", "cos(x4*x1)", "3"
    )
    one, other = (loaded.simulate(1.5, method=method, points=4, target=each).statistics for each in ("c", "python"))
    assert (one.steps, one.error_test_failures) == (other.steps, other.error_test_failures)


def test_what_fades_limits_no_step():
    """A burst that is over, and a turn of a function whose changes are lost in it."""
    loaded = model("exp(-1e4*time)*sin(1e5*time)")
    run = loaded.simulate(10.0, points=2)
    assert run["x0"][-1] == pytest.approx(1e5 / (1e8 + 1e10), rel=1e-4)
    assert run.statistics.steps < 1000


def test_a_wave_that_is_over_in_a_millionth_of_the_run():
    """Turns that come at equal distances are none of rounding, however short these are."""
    w, d = 2 * np.pi * 2e8, 1e7
    found = model(f"1e9*exp(-{d}*time)*sin({w!r}*time)").simulate(1.0, points=2)["x0"][-1]
    assert found == pytest.approx(1e9 * w / (d * d + w * w), abs=1e-5)


def test_monotone_functions_limit_no_step():
    steps = model("exp(-1e6*time) + time^3").simulate(1.0, points=2).statistics.steps
    assert steps < 100


@pytest.mark.parametrize("method", ("auto", "cvode-bdf", "radau"))
def test_noevent_of_a_function_of_time(method):
    text = """model M
  constant pi = 3.14159265358979
  parameter f = 1
  local x (start=0), y (start=0), w (start=0), v
  v = sin(2*pi*f*time)
  der(x) = noevent(if v > 0 then 1 else 0)
  der(y) = noevent(floor(v + 0.5))
  der(w) = noevent(sign(v))
end
"""
    run = cutset.loads(text).simulate(20.0, method=method, points=2)
    assert [run[name][-1] for name in "xyw"] == pytest.approx([10.0, 20 * (1 / 3 - 1 / 3), 0.0], abs=1e-4)


def test_noevent_of_states_makes_no_event():
    assert not model("noevent(if x0 > 0.5 then 1 else 2)").simulate(1.0).statistics.events


def test_a_pulse_of_an_input():
    """In Python steps are at most 1/50 of the run; in a table they end where it turns."""
    loaded = cutset.loads("model M\n  input u\n  local x (start=0)\n  der(x) = u\nend\n")
    run = loaded.simulate(100.0, inputs={"u": lambda t: math.exp(-(((t - 50.3) / 2) ** 2))})
    assert run["x"][-1] == pytest.approx(2 * math.sqrt(math.pi), abs=1e-4)
    stepped = loaded.simulator(inputs={"u": lambda t: math.exp(-(((t - 50.3) / 2) ** 2))})
    stepped.step(100.0)
    assert stepped["x"] == pytest.approx(2 * math.sqrt(math.pi), abs=1e-4)
    table = table_signal("u", np.array([0, 50, 50.5, 51, 100.0]), np.array([0, 0, 1, 0, 0.0]), "smooth")
    assert loaded.simulate(100.0, inputs={"u": table})["x"][-1] == pytest.approx(0.5, abs=1e-5)


@pytest.mark.parametrize("method", ["auto", "radau"])
def test_a_pulse_after_the_end_of_the_run_that_is_continued(method):
    loaded = model("exp(-((time-7.3)/1e-4)^2)/1e-4")
    before = loaded.simulate(1.0, method=method, points=2)
    stepped = loaded.simulator(method=method)
    for _ in range(3):
        stepped.step(4.0)
    again = loaded.simulate(10.0, method=method, points=2, start_from=before)
    found = before.resume(10.0, points=2)["x0"][-1], again["x0"][-1], stepped["x0"]
    assert found == pytest.approx([math.sqrt(math.pi)] * 3, rel=1e-4)


@pytest.mark.parametrize(
    ("method", "target"),
    [("auto", "c"), ("cvode-bdf", "c"), ("bdf", "c"), ("ida", "c"), ("radau", "c"), ("auto", "python")],
)
def test_a_state_that_starts_small_is_right(method, target):
    """README 1.31: its absolute tolerance follows its start value, also one that a run gives."""
    grows = cutset.loads("model M\n  local x (start=1e-10)\n  der(x) = 2*x\nend\n")
    for start in (1e-10, 1e-15):
        run = grows.simulate(15.0, method=method, target=target, points=2, initial={"x": start})
        assert run["x"][-1] == pytest.approx(start * math.exp(30.0), rel=1e-4)


def test_a_state_that_stays_small_is_named():
    notes = model("1e-10*sin(time)", "1").simulate(1.0).notes
    assert any("'x0' (at most 4.6e-11)" in note and "x1" not in note for note in notes)
    assert not model("0", "1e-20*cos(1e6*time)").simulate(1.0).notes
