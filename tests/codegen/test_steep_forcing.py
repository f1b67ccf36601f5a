"""A function of time whose slope is no number is forcing without a bound, and not an error."""

import pytest

import cutset


@pytest.mark.parametrize("forcing", ["atan2(time, 1e300)", "(time - time)^(time + 2)", "sin(x + atan2(time, 1e300))"])
def test_forcing_without_a_slope(forcing):
    run = cutset.loads(f"model M\n  local x\n  der(x) = {forcing} - x\nend\n").simulate(1.0, points=2, target="python")
    assert abs(run["x"][-1]) < 1e-9
