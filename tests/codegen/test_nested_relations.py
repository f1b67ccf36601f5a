"""A relation of a quantity that itself jumps at instants of time."""

import pytest

import cutset

MODEL = """
model Steps
  local x, y, z, w
  x = if time < 1 then 1 elseif time < 2 then time else 2.5
  y = if x > 1.5 then 3 else 4
  z = if (if time < 0.5 then 0 else time) > 1.25 and not x >= 2 then 5 else 6
  der(w) = y
end
"""


@pytest.mark.parametrize("target", ["auto", "python"])
def test_the_inner_relation_is_no_unknown_of_the_instants(write_model, target):
    run = cutset.load(write_model(MODEL)).simulate(stop=3.0, interval=0.125, target=target)
    events = (0.5, 1.0, 1.25, 1.5, 2.0)
    for t, x, y, z in zip(run.time, run["x"], run["y"], run["z"], strict=False):
        if min(abs(t - event) for event in events) > 1e-12:  # two values, before and after
            expected = 1 if t < 1 else t if t < 2 else 2.5
            assert x == expected and y == (3 if expected > 1.5 else 4)
            assert z == (5 if t >= 0.5 and t > 1.25 and expected < 2 else 6)
    assert run["w"][-1] == pytest.approx(4 * 1.5 + 3 * 1.5, abs=1e-3)
