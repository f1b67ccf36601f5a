"""Choices of states that the model settles: kept while they stay regular, watched, and given up where they do not."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from models_from_text import translate
from pendulums import pendulum, values_of

import cutset
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.runs.simulate import simulate


@pytest.fixture
def simulated(tmp_path: Path):
    """A run of a model: the values of its names."""
    return partial(values_of, tmp_path / "model.mo")


# It swings over the level of its hinge, where x does not say how y goes on.
OVER_THE_LEVEL = "x(state={preference}, start=0), y(start=-1, fixed=false), vx(start=5), vy"


def test_a_demanded_state_ends_the_run_where_it_is_singular(simulated) -> None:
    with pytest.raises(
        cutset.RunError, match=r"E618.*the state x does not determine y here: remove state=always"
    ) as raised:
        simulated(pendulum(OVER_THE_LEVEL.format(preference="always")), 3.0)
    assert "time 0.39" in str(raised.value)


@pytest.mark.parametrize("method", ("auto", "cvode-bdf", "cvode-adams", "ida", "radau", "rk4"))
@pytest.mark.parametrize("tolerance", (1e-2, 1e-3, 1e-6))
def test_a_singular_point_is_never_passed(simulated, method: str, tolerance: float) -> None:
    settings = {"method": method, "rtol": tolerance, "atol": 1e-2 * tolerance}
    # With steps this long cvode-adams ends where the constraint has no solution, just beyond the singular point.
    code = "E618|E633" if (method, tolerance) == ("cvode-adams", 1e-2) else "E618"
    with pytest.raises(cutset.RunError, match=code):
        simulated(pendulum(OVER_THE_LEVEL.format(preference="always")), 3.0, **settings)


@pytest.mark.parametrize("method", ("auto", "cvode-bdf", "radau"))
@pytest.mark.parametrize("tolerance", (1e-3, 1e-6))
def test_a_preferred_state_is_given_up_where_it_is_singular(tmp_path: Path, method: str, tolerance: float) -> None:
    path, run = tmp_path / "model.mo", {}
    for preference in ("prefer", "x"):
        path.write_text(pendulum(OVER_THE_LEVEL.format(preference=preference).replace("state=x, ", "")))
        run[preference] = cutset.load(path).simulate(2.0, method=method, rtol=tolerance, atol=1e-2 * tolerance)
    assert np.array_equal(run["prefer"]["y"], run["x"]["y"])
    assert run["prefer"]["y"].max() > 0.2
    (note,) = run["prefer"].notes
    assert note.startswith("the state x does not determine y here (time 0.3")
    assert not run["x"].notes


def test_what_is_preferred_is_chosen_first_where_the_preference_is_given_up(simulated) -> None:
    # The start values contradict each other: that of x counts, as it does where x stays the state.
    for speed in (1.0, 5.0):
        found = simulated(pendulum(f"x(state=prefer, start=0.6), y(start=-0.9), vx(start={speed}), vy"), 2.0)
        assert [found[n][0] for n in ("x", "y", "vx")] == pytest.approx([0.6, -0.8, speed])
        assert ("$states1.x(1)" in found) == (speed == 5.0)


def test_a_preference_that_is_singular_at_the_start_is_given_up(simulated) -> None:
    found = simulated(pendulum("x(state=prefer, start=1), y(start=0), vx, vy"), 5.0, rtol=1e-9, atol=1e-11)
    assert np.ptp(0.5 * (found["vx"] ** 2 + found["vy"] ** 2) + 9.81 * found["y"]) < 1e-4
    assert found["y"].min() < -0.99


def test_preferred_states_are_given_up_with_the_start_values_of_a_run(simulated) -> None:
    found = simulated(
        pendulum(OVER_THE_LEVEL.format(preference="prefer")), 3.0, initial={"x": 0.1}, rtol=1e-9, atol=1e-11
    )
    assert (found["x"][0], found["y"][0]) == pytest.approx((0.1, -(0.99**0.5)))
    assert np.ptp(0.5 * (found["vx"] ** 2 + found["vy"] ** 2) + 9.81 * found["y"]) < 1e-4


def test_a_settled_choice_that_stays_regular_goes_on(simulated) -> None:
    found = simulated(
        pendulum("x(state=prefer, start=0), y(start=-1, fixed=false), vx(start=4), vy"), 10.0, rtol=1e-9, atol=1e-11
    )
    assert np.abs(found["x"]).max() > 0.98
    assert np.ptp(0.5 * (found["vx"] ** 2 + found["vy"] ** 2) + 9.81 * found["y"]) < 1e-3


@pytest.mark.parametrize("ratio", (1e-3, 1e-8))
def test_a_settled_choice_may_be_small_from_the_start(simulated, ratio) -> None:
    # A cam lifts by a small part of its angle: in these units x says little of the angle, and yet enough.
    text = f"""
model Cam
  constant k = {ratio}
  local x(state=prefer, start=1.5*k), phi(start=0.5, fixed=false), v, w, F
  v = der(x)
  w = der(phi)
  der(v) = F
  k*der(w) = -F*k*(1 + 0.5*cos(phi)) + 10*k - 100*k*w
  x = k*(phi + 0.5*sin(phi)) + k - 0.24*k
end
"""
    found = simulated(text, 2.0)
    assert found["phi"][-1] > found["phi"][0]
    assert np.isfinite(found["phi"]).all()


def test_a_choice_is_looked_at_where_steps_end(tmp_path: Path, monkeypatch) -> None:
    # Once for each step, once at the start; the outputs between need no look at all.
    path = tmp_path / "model.mo"
    path.write_text(pendulum("x(state=prefer, start=0), y(start=-1, fixed=false), vx(start=3), vy"))
    compiled, looks = cutset.load(path).build("python"), []
    look = type(compiled).crossings
    monkeypatch.setattr(type(compiled), "crossings", lambda self, t, *rest: looks.append(t) or look(self, t, *rest))
    run = simulate(compiled, Experiment(stop=2.0))
    assert run.failure is None and not run.statistics.events
    assert len(looks) <= run.statistics.steps + 5


def test_relations_of_the_model_are_resolved_beside_a_choice() -> None:
    more = (
        '  local n(start=0)\n  when x > 0.5 then\n    new(n) = n + 1\n  endwhen\n  assert vx < 100, "fast"\n'
        '  assert L > 0, "length"'
    )
    info = translate(pendulum("x(state=prefer, start=0), y(start=-1, fixed=false), vx, vy", more)).program.info
    assert {r.text: r.at_ends for r in info.relations}["x > 0.5"] is False
    assert sum(r.at_ends for r in info.relations) == 2
    assert {a.text: a.held for a in info.assertions} == {
        "fast": False,
        "length": True,
        "the state x does not determine y here": True,
    }


CHAIN = """
model Chain
  local x1(start=0), y1(start=-1, fixed=false), u1(start={speed}), v1, F1
  local x2(start=0), y2(start=-2, fixed=false), u2(start=2*{speed}), v2, F2
  der(x1) = u1
  der(y1) = v1
  der(x2) = u2
  der(y2) = v2
  der(u1) = -F1*x1 + F2*(x2 - x1)
  der(v1) = -F1*y1 + F2*(y2 - y1) - 9.81
  der(u2) = -F2*(x2 - x1)
  der(v2) = -F2*(y2 - y1) - 9.81
  x1^2 + y1^2 = 1
  (x2 - x1)^2 + (y2 - y1)^2 = 1
end
"""


def test_what_is_too_large_for_a_choice_in_a_run_is_watched(simulated, monkeypatch) -> None:
    text = CHAIN.format(speed=1)
    chosen = simulated(text, 2.0, rtol=1e-9, atol=1e-11)
    monkeypatch.setattr("cutset.compiler.sort.state_choice.LARGEST", 7)
    settled = simulated(text + "{ not what was translated before }", 2.0, rtol=1e-9, atol=1e-11)
    assert "$states1.x(1)" in chosen and "$states1.x(1)" not in settled
    assert settled["x2"][-1] == pytest.approx(chosen["x2"][-1], abs=1e-6)
    again = simulated(CHAIN.format(speed=4), 5.0, rtol=1e-9, atol=1e-11)  # repeated
    assert again["x2"][-1] == pytest.approx(1.58748143990, abs=1e-6)
    monkeypatch.setattr("cutset.compiler.sort.state_choice._LARGEST_AGAIN", 7)
    for tolerance in (1e-3, 1e-6):
        with pytest.raises(
            cutset.RunError, match=r"E618.*states x1, x2 do not determine y1, y2 here: describe the motion"
        ):
            simulated(CHAIN.format(speed=4) + "{ new }", 5.0, rtol=tolerance, atol=1e-2 * tolerance)


# A point moves on a unit circle in space without force. It passes the pole x = 1, where z, a function of x alone,
# says nothing about y and p; there is no choice of the other state beside it.
THROUGH_THE_POLE = """
model Sphere
  parameter turn = {turn}
  local x(start=0.8), y(start=0.6*cos(turn), fixed=false), p(start=0.6*sin(turn)),
        z(start={z}, fixed=false{preference})
  local vx(start=0.6), vy(start=-0.8*cos(turn), fixed=false), vp(start=-0.8*sin(turn)), vz, l, az
  vx = der(x)
  vy = der(y)
  vp = der(p)
  vz = der(z)
  az = der(vz)
  der(vx) = l*x
  der(vy) = l*y
  der(vp) = l*p
  x*x + y*y + p*p = 1
  x + {of_z} = 0
end
"""


@pytest.mark.parametrize(("of_z", "z"), (("z + z^3", -0.59), ("sinh(z)", -0.73), ("2*z - sin(z)", -0.7)))
@pytest.mark.parametrize("turn", (0.0, 0.4))
def test_a_state_preferred_beside_a_choice_is_given_up_where_it_is_singular(
    tmp_path: Path, of_z: str, z: float, turn: float
) -> None:
    path = tmp_path / "model.mo"
    path.write_text(THROUGH_THE_POLE.format(turn=turn, of_z=of_z, z=z, preference=", state=prefer"))
    run = cutset.load(path).simulate(5.0, rtol=1e-8)
    angle = np.arctan2(0.6, 0.8) - run["time"]
    assert np.allclose(run["x"], np.cos(angle), atol=1e-6)
    assert np.allclose(run["p"], np.sin(angle) * np.sin(turn), atol=1e-6)
    (note,) = run.notes
    assert note.startswith("the preferred state z leaves no choice of the other states here (time 0.")


def test_a_state_demanded_beside_a_choice_ends_the_run_where_it_is_singular(tmp_path: Path) -> None:
    path = tmp_path / "model.mo"
    path.write_text(THROUGH_THE_POLE.format(turn=0.4, of_z="z + z^3", z=-0.59, preference=", state=always"))
    with pytest.raises(cutset.RunError, match=r"E618.*state z leaves no choice.*: remove state=always"):
        cutset.load(path).simulate(5.0)


def test_a_preference_that_leaves_no_choice_at_the_start_is_given_up_at_translation(tmp_path: Path) -> None:
    # The constraints determine z: on the sphere, its equation is z = 0.
    path = tmp_path / "model.mo"
    zero = "x*sin(x*x + y*y + p*p) - x*(1 + sin(1)) + z"
    text = THROUGH_THE_POLE.format(turn=0.4, of_z=zero, z=0.0, preference=", state=prefer")
    path.write_text(text)
    run = cutset.load(path).simulate(5.0, rtol=1e-8)
    assert np.allclose(run["z"], 0.0, atol=1e-6)
    assert np.allclose(run["x"], np.cos(np.arctan2(0.6, 0.8) - run["time"]), atol=1e-6)
    assert not run.notes
