"""Output times and events: which rows a run has."""

from __future__ import annotations

import numpy as np
import pytest

import cutset
from cutset.runtime.errors import RunError
from cutset.runtime.events.time_event_queue import (
    TimeEventQueue,
    check_times,
    given_output_times,
    output_times,
)


def test_outputs():
    assert len(output_times(0.0, 2.0, None, None)) == 501
    assert output_times(0.0, 1.0, 3, None).tolist() == [0.0, 0.5, 1.0]
    assert output_times(1.0, 1.0, None, 0.1).tolist() == [1.0]
    assert output_times(0.0, 1.0, None, 0.4).tolist() == [0.0, 0.4, 0.8, 1.0]
    tenths = output_times(0.0, 1.0, None, 0.1)
    assert len(tenths) == 11 and tenths[-1] == 1.0 and tenths[3] == 0.1 * 3
    long = output_times(0.0, 1000.0, None, 0.001)
    assert len(long) == 1_000_001 and long[-1] == 1000.0
    assert output_times(0.0, 0.3, None, 0.1)[-1] == 0.3, "three times 0.1 is more than 0.3"
    assert output_times(-1.0, 1.0, None, 5.0).tolist() == [-1.0, 1.0]
    assert output_times(2.0, 5.0, None, 1.0).tolist() == [2.0, 3.0, 4.0, 5.0]
    assert output_times(-1e3, 1e-9, None, 1e3).tolist() == [-1e3, 0.0, 1e-9]
    assert output_times(-1e3, 1e-11, None, 1e3).tolist() == [-1e3, 1e-11], "rounding of 1000"


def test_given_times():
    check_times([0.0, 0.5, 2.0], 0.0, 2.0)
    assert given_output_times([0.0, 0.5, 1.0, 2.0], 0.0, 2.0).tolist() == [0.0, 0.5, 1.0, 2.0]
    assert given_output_times([0.5], 0.0, 2.0).tolist() == [0.0, 0.5, 2.0]
    assert given_output_times([1e-13, 2.0 - 1e-13], 0.0, 2.0).tolist() == [0.0, 2.0]
    assert given_output_times([3e-13, 2.0 - 3e-13], 0.0, 2.0).tolist() == [0.0, 3e-13, 2.0 - 3e-13, 2.0]
    assert given_output_times([-3.0 + 4e-13, -2.5], -3.0, -2.0).tolist() == [-3.0, -3.0 + 4e-13, -2.5, -2.0]
    assert given_output_times([-2.0 + 4e-13, 0.0], -2.0, 3.0).tolist() == [-2.0, 0.0, 3.0]
    assert given_output_times([1.0], 1.0, 1.0).tolist() == [1.0]


@pytest.mark.parametrize(
    ("times", "words"),
    [
        ([0.0, np.nan], "number 2 is nan"),
        ([0.0, 2.5], "from 0 to 2 s, but number 2 is 2.5"),
        ([-0.5], "number 1 is -0.5"),
        ([0.0, 1.0, 1.0], "1.0 follows 1.0"),
        ([0.0, 1.0, 1.0 + 1.9e-13], "follows 1.0"),
        ([0.0, 1.5, 1.0], "1.0 follows 1.5"),
    ],
)
def test_given_times_that_are_refused(times, words):
    check_times([0.0, 1.0, 1.0 + 2.1e-13], 0.0, 2.0)
    with pytest.raises(RunError, match="must ascend"):
        check_times([0.0, 4e-13], -2.0, 3.0)
    with pytest.raises(RunError, match=words):
        check_times(times, 0.0, 2.0)


def test_instants_that_differ_by_rounding():
    run = TimeEventQueue(np.array([0.0, 10.0]))
    assert run.same(5.0, 5.0 + 1e-13) and run.same(0.0, 1e-29) and not run.same(5.0, 5.0 + 1e-11)
    point = TimeEventQueue(np.array([0.0]))  # of length 0
    assert point.same(0.0, 1e-29) and not point.same(0.0, 1e-12)


@pytest.mark.parametrize(
    ("outputs", "origin", "span"),
    [
        ([0.0, 1.0], None, 1.0),
        ([-5.0, 2.0], None, 7.0),
        ([8.0, 9.0], None, 1.0),
        ([8.0, 9.0], -3.0, 12.0),
        ([-9.0, -8.5, -8.0], None, 1.0),
        ([0.25, 0.25], None, 0.0),
        ([-1.7e308, 1.7e308], None, np.inf),
    ],
)
def test_rounding_follows_the_run_and_the_instants(outputs, origin, span):
    queue = TimeEventQueue(np.array(outputs), origin)
    assert queue.span == span
    if span < 100.0:
        limit = 1e-13 * (span or 1.0)
        assert queue.same(0.0, limit) and not queue.same(0.0, np.nextafter(limit, 1.0))
        assert queue.same(-1e6, -1e6 + 0.9e-7) and not queue.same(-1e6, -1e6 + 1.1e-7)


def test_samples_against_all_their_instants():
    rng, queue = np.random.default_rng(1), TimeEventQueue(np.array([-2.0, 3.0]))
    for _ in range(200):
        first, interval = float(rng.choice([-2.0, -0.7, 0.0, 1.3, 0.1])), float(rng.choice([0.1, 0.25, 0.7]))
        instants = [first + k * interval for k in range(100)]
        t = float(rng.choice([instants[rng.integers(0, 5)], rng.uniform(-2.0, 3.0), -2.0])) + rng.choice(
            [0.0, 1e-14, 1e-9]
        )
        due = any(queue.same(each, t) for each in instants)
        assert queue.samples_due(t, np.array([[first, interval], [np.inf, 1.0]])) == ([0] if due else [])


def sampled(interval: float, start: float = 0.0, stop: float = 1.0, first: float = 0.0) -> cutset.Result:
    """A run that counts the ticks of a sample."""
    text = "model M\n  parameter t0=0, T=1\n  local n (start=0)\n  when sample(t0, T) then\n    new(n) = n + 1\n"
    values = {"t0": first, "T": interval}
    return cutset.loads(text + "  endwhen\nend\n").run(cutset.Experiment(stop, start, points=2, parameters=values))


def test_ticks_are_multiples():
    run = sampled(0.1, stop=1000.0)
    ticks = np.unique(run.time)
    assert run["n"][-1] == 10001 and ticks[3] == 3 * 0.1 and ticks[-1] == 1000.0


@pytest.mark.parametrize("interval, part", [(0.0, "is 0.0"), (-1.0, "is -1.0"), (1e-14, "too short")])
def test_sample_without_sense(interval, part):
    with pytest.raises(RunError, match=part) as raised:
        raise sampled(interval).failure.error()
    assert raised.value.code == "E622" and ("too short" in str(raised.value)) == (part == "too short")


@pytest.mark.parametrize("start", [0.0, -1e3])
def test_the_shortest_interval_follows_the_run_and_the_instant(start):
    """The first tick is after the stop."""
    shortest = 4e-13 * max(2.0, abs(start))
    failure = sampled(0.99 * shortest, start, start + 2.0, start + 3.0).failure
    assert failure is not None and "too short for a run of 2.0 s" in failure.what
    assert sampled(1.01 * shortest, start, start + 2.0, start + 3.0).failure is None
