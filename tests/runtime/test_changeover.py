"""A preference for states that becomes singular: every host changes over to states that are chosen in the run."""

from __future__ import annotations

import numpy as np
import pytest

import cutset
from cutset.runtime.errors import RunError

# It swings over the level of its hinge, where x does not say how y goes on.
PENDULUM = """
model Pendulum
  input push
  local x (start=0, state={preference}), y (start=-1, fixed=false), vx (start=5), vy, F
  vx = der(x)
  vy = der(y)
  der(vx) = -F*x + push
  der(vy) = -F*y - 9.81
  x^2 + y^2 = 1
end
"""


@pytest.mark.parametrize("target", ["c", "python"])
def test_a_run_that_is_continued_changes_over(write_model, target: str) -> None:
    model = cutset.load(write_model(PENDULUM.format(preference="prefer")))
    whole = model.simulate(2.0, target=target)
    first = model.simulate(0.2, target=target)
    second = first.resume(0.3)
    third = second.resume(2.0)
    assert not first.notes and not second.notes and "$states1.x(1)" not in second
    (note,) = third.notes
    assert note.startswith("the state x does not determine y here (time 0.37") and "all of the run was repeated" in note
    assert third.time[0] == 0.3 and third["y"].max() > 0.2
    assert third["y"][0] == pytest.approx(second["y"][-1], abs=1e-6)
    assert third["y"][-1] == pytest.approx(whole["y"][-1], abs=1e-5)


def test_after_the_change_a_run_goes_on_exactly(write_model) -> None:
    model = cutset.load(write_model(PENDULUM.format(preference="prefer")))
    for before in (model.simulate(2.0), model.simulate(0.2).resume(2.0)):
        after = before.resume(3.0)
        assert not after.notes
        ends = [before[n][-1] for n in ("x", "y", "vx", "vy")]
        assert [after[n][0] for n in ("x", "y", "vx", "vy")] == pytest.approx(ends, rel=1e-14)
        energy = 0.5 * (after["vx"] ** 2 + after["vy"] ** 2) + 9.81 * after["y"]
        assert np.ptp(energy) < 1e-4


def test_what_was_pushed_before_is_pushed_again(write_model) -> None:
    def pushed(text: str) -> list[cutset.Result]:
        first = cutset.load(write_model(text.replace("start=5", "start=0"))).simulate(0.3, inputs={"push": 12.0})
        second = first.resume(0.5, inputs={"push": 20.0})
        return [first, second, second.resume(2.0, inputs={"push": 5.0})]

    found, expected = pushed(PENDULUM.format(preference="prefer")), pushed(PENDULUM.replace(", state={preference}", ""))
    assert [len(run.notes) for run in found] == [0, 0, 1]
    assert found[2]["y"].max() > 0.1
    assert found[2]["y"].tolist() == expected[2]["y"].tolist()


def test_who_insists_is_told_what_to_take_away(write_model) -> None:
    first = cutset.load(write_model(PENDULUM.format(preference="always"))).simulate(0.2)
    with pytest.raises(
        RunError, match=r"E618.*remove state=always or state=never, so that the run can select the states again"
    ):
        first.resume(2.0)


def test_start_values_of_the_preferred_states_are_kept(write_model) -> None:
    first = cutset.load(write_model(PENDULUM.format(preference="prefer"))).simulate(0.2, initial={"x": 0.1})
    rest = first.resume(2.0)
    assert (rest["x"][0], rest["y"][0]) == pytest.approx((first["x"][-1], first["y"][-1]), abs=1e-5)
    assert rest["y"].max() > 0.1 and "repeated" in rest.notes[0]


def test_a_point_of_rest_is_looked_for_from_where_the_preference_is_singular(write_model) -> None:
    text = """model Held
  local x (start=1, state=prefer), y (start=0, fixed=false), vx, vy, F
  vx = der(x)
  vy = der(y)
  der(vx) = -F*x - 2*vx + 8
  der(vy) = -F*y - 2*vy + 6
  x^2 + y^2 = 1
end
"""
    found = cutset.load(write_model(text)).steady()
    assert [found[n][0] for n in ("x", "y")] == pytest.approx([0.8, 0.6])


def test_a_point_of_rest_where_the_preference_is_singular(write_model) -> None:
    text = """model Held
  local x (start=0.8, state=prefer), y (start=0.6, fixed=false), vx, vy, F
  vx = der(x)
  vy = der(y)
  der(vx) = -F*x - 2*vx + 10
  der(vy) = -F*y - 2*vy
  x^2 + y^2 = 1
end
"""
    model = cutset.load(write_model(text))
    found = model.steady()
    assert [found[n][0] for n in ("x", "y")] == pytest.approx([1.0, 0.0], abs=1e-6)
    # It also finds the way there from a point at which other variables are better states.
    near = cutset.load(write_model(text.replace(", state=prefer", ""))).steady(initial={"x": 0.1})
    assert near["x"][0] == pytest.approx(1.0)
