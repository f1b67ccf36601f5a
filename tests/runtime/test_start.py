"""How a run begins: the initial system, what was true from the beginning, start values from outside."""

from __future__ import annotations

import hybrids
import numpy as np
import pytest
from hybrids import run

from cutset.runtime.errors import RunError
from cutset.runtime.solvers import METHODS


def test_the_initial_system_is_solved_with_the_discrete_variables(target):
    result = run(hybrids.prepared(), target, stop=0.5, points=2)
    assert result["x"].tolist() == [3.0, 3.5] and result["high"].tolist() == [1.0, 1.0]
    # x > 2 was true from the beginning, so that it has not become true.
    assert result["n"][-1] == 0.0 and result.statistics.events == {}


def test_start_values(target):
    result = run(hybrids.prepared(), target, stop=2.0, points=2, initial={"v": -1.0, "n": 7.0})
    assert result["n"].tolist() == [7.0, 7.0, 7.0, 7.0] and np.allclose(result["x"], [3.0, 2.0, 2.0, 1.0])
    assert run(hybrids.prepared(), target, initial={"x": 3.0})["x"][0] == 3.0
    with pytest.raises(RunError) as raised:
        run(hybrids.prepared(), target, initial={"x": 1.0})
    assert raised.value.code == "E621" and "'x'" in raised.value.message
    assert raised.value.notes == ("the given value is 1.0, the solution is 3.0",)


def test_start_without_a_solution(target):
    with pytest.raises(RunError) as raised:
        run(hybrids.lost(), target)
    assert raised.value.code == "E635" and raised.value.notes == ("x = -inf",)


@pytest.mark.parametrize("method", METHODS)
def test_crossings_close_together_and_at_once(target, method):
    result = run(hybrids.thresholds(), target, stop=1.0, points=3, method=method)
    assert [result[name][-1] for name in "abcd"] == [1.0] * 4
    times = [result.time[np.flatnonzero(result[name] > 0.0)[0]] for name in "abcd"]
    assert np.allclose(times, [0.5, 0.5 + 1e-9, 0.75, 0.75], rtol=0.0, atol=1e-12)
    assert times[0] < times[1] and times[2] == times[3]
    assert result.statistics.events == {"state": 3}


@pytest.mark.parametrize("method", METHODS)
def test_jumps_of_an_input(target, method):
    """Each is met to rounding, and the first branch that becomes true acts alone."""
    inputs = {"u": lambda t: float(0.303 <= t < 0.505 or t >= 0.707)}
    result = run(hybrids.driven(), target, stop=1.0, points=101, method=method, inputs=inputs)
    rows = np.flatnonzero(np.diff(result.time) == 0.0)
    assert np.allclose(result.time[rows], [0.303, 0.505, 0.707], rtol=0.0, atol=1e-14)
    assert result["n"][-1] == 2.0 and abs(result["x"][-1] - 0.293) < 1e-12
    assert result.statistics.events == {"state": 3}
