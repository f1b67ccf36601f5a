"""Relations whose sides are equal: for a while, at an instant, up to rounding; and those that change at a pole."""

import equal_sides
import numpy as np
import pytest

import cutset

WHEN_AT_START = """model W
  parameter t0 = 0
  local x (start=0), n1 (start=0), n2 (start=0), n3 (start=0), n4 (start=0), n5 (start=0)
  der(x) = 1
  when time > t0 then
    new(n1) = n1 + 1
  endwhen
  when x > 0 then
    new(n2) = n2 + 1
  endwhen
  when sin(time) > 0 then
    new(n3) = n3 + 1
  endwhen
  when time >= t0 then
    new(n4) = n4 + 1
  endwhen
  when x >= 0 then
    new(n5) = n5 + 1
  endwhen
end
"""
ROUNDING = """model Tiny
  local a (start=2), b (start=1), s (start=0), d
  der(a) = -0.3*a
  der(b) = -0.3*b
  d = a - b - exp(-0.3*time)
  der(s) = if d > 0 then 1 else 2
end
"""
LATE = """model Two
  local (Boolean) x1, x2, l1, l2, last (start=false), ripe
  local d1, d2, r1, r2, due (start=1e9), b (start=0)
  when sample(0, 2) then
    new(b) = time
  endwhen
  x1 = time >= b + 0.5 and time < b + 1.5
  x2 = time >= b + 1
  r1 = if x1 then 4 else 3
  r2 = if x2 then 4 else 3
  d1 = delay(r1, 0.001)
  d2 = delay(r2, 0.001)
  l1 = d1 > 3.5
  l2 = d2 > 3.5
  new(last) = x1
  ripe = time >= due
  new(due) = if x1 <> last then time + 0.001 elseif ripe then 1e9 else due
end
"""


@pytest.mark.parametrize("number", [0, 3, 5, 12, 17, 20, 21, 30, 37, 47, 52, 54, 1106, 1299])
def test_closed_solutions(tmp_path, number):
    method = "auto" if number % 3 else "rk4"
    assert not equal_sides.errors(equal_sides.draw(number), tmp_path, method=method)


@pytest.mark.parametrize("number", [3, 17, 30, 52])
def test_the_loop_in_python_agrees(tmp_path, number):
    assert not equal_sides.errors(equal_sides.draw(number), tmp_path, target="python")


@pytest.mark.parametrize("number, method", [(0, "auto"), (11, "ida"), (7, "auto"), (9, "cvode-bdf"), (25, "cvode-bdf")])
def test_runs_of_balanced_networks_end(tmp_path, number, method):
    assert not equal_sides.errors(equal_sides.balanced(number), tmp_path, method=method)


@pytest.mark.parametrize("target", ["c", "python"])
@pytest.mark.parametrize("stop", [0.1, 1.0, 5.0])
def test_a_difference_of_rounding_keeps_its_side(write_model, target, stop):
    run = cutset.load(write_model(ROUNDING)).simulate(stop, target=target)
    assert sum(run.statistics.events.values()) < 30  # only differences of rounding keep their side
    assert stop <= run["s"][-1] <= 2 * stop


@pytest.mark.parametrize("target", ["c", "python"])
def test_what_becomes_true_just_after_the_start_acts(write_model, target):
    run = cutset.load(write_model(WHEN_AT_START)).simulate(1.0, target=target)
    assert [run[f"n{k}"][-1] for k in range(1, 6)] == [1, 1, 1, 0, 0]
    assert run["n1"][0] == 0  # the first row is before the event


@pytest.mark.parametrize("target", ["c", "python"])
def test_a_jump_that_arrives_at_the_end_of_a_step(write_model, target):
    stop, points = (5.0, 5001) if target == "c" else (2.5, 2501)
    run = cutset.load(write_model(LATE)).simulate(stop, points=points, target=target)
    for k in (1, 2):
        assert np.array_equal(run[f"l{k}"] != 0, run[f"d{k}"] > 3.5)
    assert "state" not in run.statistics.events


def test_booleans_and_whole_numbers_change_at_events_only(write_model):
    text = """model B
  local x (start=0), w, n (start=0)
  local (Boolean) a, b
  der(x) = 1
  a = x > 0.5
  b = x > 0.7
  w = if a == b then 1 else 2
  when floor(4*x) == 2 then
    new(n) = n + 1
  endwhen
end
"""
    run = cutset.load(write_model(text)).simulate(1.0, points=11)
    assert run.statistics.events == {"state": 4}  # at 0.25 and 0.75, too
    assert np.array_equal(np.unique(run.time[run["w"] == 2].round(9)), [0.5, 0.6, 0.7])
    assert run["n"][-1] == 1


def test_a_sign_gives_no_note_on_a_relation_that_nobody_wrote():
    text = "model S\n  local v (start=1), x{more}\n  der(v) = -sign(x)\n  der(x) = v{own}\nend"
    assert cutset.loads(text.format(more="", own="")).simulate(5.0).notes == ()
    own = "\n  der(y) = if x <> v then 1 else 5"
    (note,) = cutset.loads(text.format(more=", y", own=own)).simulate(5.0).notes
    assert "'x <> v' (" in note and ":5:3)" in note


PASSING = """model P
  local x (start=0), z (start=0), y (start=0), a, n (start=0), w (start=0), v (start=0)
  der(x) = 1
  der(z) = if x == 0.5 then 5 else 0
  der(y) = if time <> 0.5 then 1 else 0
  a = if time > 0.5 then 1 else -1
  der(w) = if a == 0 or x == 7 then 5 else 0
  der(v) = if min(x, 0.7) == 0.7 then 1 else 0
  when x == 0.25 then
    new(n) = n + 1
  endwhen
end
"""


@pytest.mark.parametrize("method", ["auto", "rk4"])
@pytest.mark.parametrize("target", ["c", "python"])
def test_a_note_names_sides_that_only_pass_each_other(write_model, target, method):
    """Not those that jump past each other, never meet or stay equal, and no condition of a `when`."""
    run = cutset.load(write_model(PASSING)).simulate(1.0, points=7, target=target, method=method)
    assert [note.split("'")[1] for note in run.notes] == ["x == 0.5", "time <> 0.5"]
    assert "model.mo:4:3) only pass each other" in run.notes[0]
    assert run["n"][-1] == 1


SLIDING = """model S
  local x (start=-0.52), y (start=0.09)
  der(x) = if y > x then -1.29 else -2.58
  der(y) = -1.75
end
"""


@pytest.mark.parametrize("method", ["auto", "bdf", "cvode-bdf", "rk4"])
def test_what_switches_within_the_tolerance_is_counted(write_model, method):
    """Its hysteresis does not grow without end with the states."""
    with pytest.raises(cutset.RunError) as error:
        cutset.load(write_model(SLIDING)).simulate(3.0, method=method)
    assert error.value.code == "E620" and "y > x" in str(error.value)


RESTING = """@rotational
model Rest
  submodel (Inertia) J(J=1, w0=0)
  submodel (BearingFriction) f(tau_tab=[1, 1])
  submodel (Torque) T
  connect T to J to f
  T.tau = 2*sin(3*time)
end
"""
FLAT = """model Flat
  local x (start=0), z (start=0)
  der(x) = 1
  der(z) = if 1*max(x, 0.36) == 0.36 then 1 else 0
end
"""


@pytest.mark.parametrize("text, stop, name", [(RESTING, 10.0, "J.phi"), (FLAT, 1.0, "z")])
def test_a_large_number_beside_relations_changes_nothing(text, stop, name):
    """It says nothing about the rounding of their sides."""
    large = text.replace("\nend", "\n  local large\n  large = 1e13*(1 + time)\nend")
    without, beside = (cutset.loads(each).simulate(stop)[name][-1] for each in (text, large))
    assert beside == pytest.approx(without, rel=1e-9)


@pytest.mark.parametrize("law", ["q^2 else -q^2", "q^2 else -2*q^2", "q^1.75 else -(-q)^1.75"])
@pytest.mark.parametrize("method", ["auto", "dopri5"])
def test_sides_that_meet_with_infinite_slope_cross_some_times(law, method, write_model):
    """At rest one bit of the levels is a flow of 1e-8: only a hysteresis within the tolerance ends the crossings."""
    levels = "  local h1 (start=1), h2 (start=0), q, d\n  der(h1) = -q\n  der(h2) = q\n  d = h1 - h2\n"
    model = cutset.load(write_model(f"model Tanks\n{levels}  d = if q >= 0 then {law}\nend\n"))
    run = model.simulate(5.0, method=method)
    assert run["h1"][-1] == pytest.approx(0.5, abs=1e-6)
    assert run.statistics.events["state"] < 100


@pytest.mark.parametrize(
    "law",
    ["1000*i + 0.025*log(1 + abs(i)*1e12)*(if i > 0 then 1 else -1)", "22.7*sqrt(abs(i))*sign(i) + 1e-3*sign(i)*i^2"],
)
def test_a_current_near_zero_crosses_once_at_each_zero_of_its_voltage(law, write_model):
    """Rounding and the accuracy of an iteration are many times the current there, which is steep or flat."""
    text = f"model Static\n  local v, i\n  v = 5*sin(100*time)\n  v = {law}\nend\n"
    run = cutset.load(write_model(text)).simulate(1.0)
    assert run.statistics.steps < 3000
    assert run.statistics.events["state"] < 100
    v, i = run["v"], run["i"]
    assert np.all((v > 1e-3) <= (i > 0))
    assert np.all((v < -1e-3) <= (i < 0))


@pytest.mark.parametrize("law", ["i^3", "if i > 0 then i^2 else -i^2"])
def test_without_states_all_equations_may_be_singular(law, write_model):
    """Their slope by i is zero at each zero of v."""
    text = f"model Static\n  local v, i\n  v = 5*sin(100*time)\n  v = {law}\nend\n"
    run = cutset.load(write_model(text)).simulate(1.0, method="bdf")
    v, i = run["v"], run["i"]
    assert i == pytest.approx(np.cbrt(v) if law == "i^3" else np.sign(v) * np.sqrt(np.abs(v)), abs=1e-5)
