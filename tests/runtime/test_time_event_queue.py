"""Output times and events: which rows a run has."""

from __future__ import annotations

import numpy as np
import pytest

from cutset.runtime.errors import RunError
from cutset.runtime.event_state import EventFailure
from cutset.runtime.outcome import Outcome
from cutset.runtime.time_event_queue import (
    TimeEventQueue,
    check_samples,
    check_times,
    given_output_times,
    next_sample,
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
    ("outputs", "origin", "span", "largest"),
    [
        ([0.0, 1.0], None, 1.0, 1.0),
        ([-5.0, 2.0], None, 7.0, 7.0),
        ([8.0, 9.0], None, 1.0, 9.0),
        ([8.0, 9.0], -3.0, 12.0, 12.0),
        ([-9.0, -8.5, -8.0], None, 1.0, 9.0),
        ([0.25, 0.25], None, 0.0, 1.0),
        ([-1.7e308, 1.7e308], None, np.inf, 1.7976931348623157e308),
    ],
)
def test_rounding_follows_the_run_and_the_instants(outputs, origin, span, largest):
    queue = TimeEventQueue(np.array(outputs), origin)
    assert queue.span == span and queue.rounding == 1e-13 * largest
    if span < 100.0:
        limit = 1e-13 * (span or 1.0)
        assert queue.same(0.0, limit) and not queue.same(0.0, np.nextafter(limit, 1.0))
        assert queue.same(-1e6, -1e6 + 0.9e-7) and not queue.same(-1e6, -1e6 + 1.1e-7)


def test_the_output_that_equals_an_instant():
    outputs = [0.0, 1.0, 1.0 + 8e-14, 2.0]
    queue = TimeEventQueue(np.array(outputs))
    found = {-1e-14: 0.0, 1.0 - 5e-14: 1.0, 1.0 + 3e-14: 1.0, 1.0 + 6e-14: outputs[2], 1.0 + 2e-13: outputs[2]}
    found |= {2.0 + 5e-14: 2.0, 0.5: 0.5, 2.5: 2.5, 1.0 + 4e-13: 1.0 + 4e-13}
    assert {t: queue.snapped(t) for t in found} == found
    assert [queue.is_output(t) for t in (0.0, 1.0, 2.0, 0.5, 1.0 + 3e-14, 2.5)] == [True] * 3 + [False] * 3


def test_next_events_are_those_after_the_instant_up_to_the_stop():
    queue, slopes = TimeEventQueue(np.array([0.0, 4.0])), np.array([[1.0, 1.0], [2.0, 0.0], [3.0, -1.0]])
    found = [queue.next_event(t, slopes, NONE) for t in (0.0, 1.0, 1.0 - 1e-14, 2.5, 3.0)]
    assert found == [1.0, 3.0, 3.0, 3.0, np.inf]
    assert queue.next_event(0.0, slopes, NONE, 0.5) == 0.5 and queue.next_event(0.0, slopes, NONE, 4.5) == 1.0
    assert queue.next_event(3.5, NONE, NONE, 4.0) == 4.0 and queue.next_event(3.5, NONE, NONE, 4.0 + 1e-9) == np.inf


def test_samples_against_all_their_instants():
    rng, queue = np.random.default_rng(1), TimeEventQueue(np.array([-2.0, 3.0]))
    for _ in range(200):
        first, interval = float(rng.choice([-2.0, -0.7, 0.0, 1.3, 0.1])), float(rng.choice([0.1, 0.25, 0.7]))
        instants = [first + k * interval for k in range(100)]
        t = float(rng.choice([instants[rng.integers(0, 5)], rng.uniform(-2.0, 3.0), -2.0])) + rng.choice(
            [0.0, 1e-14, 1e-9]
        )
        coming = next(each for each in instants if each > t and not queue.same(each, t))
        assert next_sample(queue, t, first, interval) == coming
        due = any(queue.same(each, t) for each in instants)
        assert queue.samples_due(t, np.array([[first, interval], [np.inf, 1.0]])) == ([0] if due else [])


NONE = np.zeros((0, 2))


def cut(outputs, events):
    """The segments of a run with these instants of relations of time."""
    queue, t, segments = TimeEventQueue(np.array(outputs)), outputs[0], []
    instants = np.array([(event, 1.0) for event in events]).reshape(-1, 2)
    while t < outputs[-1]:
        times = queue.until(t, min(queue.next_event(t, instants, NONE), outputs[-1]))
        segments.append((t, times.tolist()))
        t = float(times[-1])
    return segments


def test_no_event():
    assert cut([0.0, 0.5, 1.0], []) == [(0.0, [0.5, 1.0])]
    assert cut([0.0, 0.5, 1.0], [-3.0, 1.5]) == [(0.0, [0.5, 1.0])]


def test_event_between_outputs_and_on_one():
    assert cut([0.0, 0.5, 1.0], [0.2, 0.5]) == [(0.0, [0.2]), (0.2, [0.5]), (0.5, [1.0])]


def test_event_that_rounding_moved_falls_on_the_output():
    assert 0.1 + 0.2 != 0.3
    assert cut([0.0, 0.3, 1.0], [0.1 + 0.2]) == [(0.0, [0.3]), (0.3, [1.0])]
    assert cut([0.0, 0.3, 1.0], [0.25, 0.25 + 1e-16, 0.25 + 1e-15]) == [(0.0, [0.25]), (0.25, [0.3, 1.0])]


def test_event_at_the_start_and_at_the_stop():
    assert cut([0.0, 1.0], [0.0]) == [(0.0, [1.0])]
    assert cut([0.0, 1.0], [1.0]) == [(0.0, [1.0])]
    assert cut([0.0, 1.0], [1.0 + 1e-15, 2.0]) == [(0.0, [1.0])]


def test_ticks_are_multiples():
    queue, samples = TimeEventQueue(np.linspace(0.0, 1000.0, 11)), np.array([[0.0, 0.1]])
    t, samples_due = -1.0, []
    while (t := queue.next_event(t, NONE, samples)) <= 1000.0:
        samples_due.append(t)
        assert queue.samples_due(t, samples) == [0]
    assert len(samples_due) == 10001 and samples_due[3] == 3 * 0.1 and samples_due[-1] == 1000.0
    assert queue.samples_due(0.05, samples) == [] and queue.samples_due(0.1 + 1e-12, samples) == [0]


def test_first_tick_after_the_start():
    queue = TimeEventQueue(np.array([0.25, 2.0]))
    assert queue.next_event(0.25, NONE, np.array([[0.0, 0.1]])) == pytest.approx(0.3)
    assert queue.next_event(0.25, NONE, np.array([[1.5, 0.1]])) == 1.5
    assert queue.samples_due(0.25, np.array([[1.5, 0.1], [0.25, 1.0], [0.05, 0.1]])) == [1, 2]
    assert queue.next_event(0.25, NONE, np.array([[np.inf, 0.1]])) == np.inf


@pytest.mark.parametrize("sample, part", [
    ((0.0, 0.0), "is 0.0"), ((0.0, -1.0), "is -1.0"), ((0.0, np.nan), "is nan"), ((0.0, np.inf), "is inf"),
    ((0.0, 1e-14), "too short"), ((np.nan, 1.0), "first instant"),
])  # fmt: skip
def test_sample_without_sense(sample, part):
    with pytest.raises(EventFailure, match=part) as raised:
        check_samples(TimeEventQueue(np.array([0.0, 1.0])), np.array([sample]), ["m.mo:3:4: sample(0, T)"], 0.0)
    assert ("too short" in raised.value.what) == (part == "too short")
    assert raised.value.outcome is Outcome.BAD_SAMPLE and raised.value.details == ("m.mo:3:4: sample(0, T)",)


def test_the_shortest_interval_follows_the_run_and_the_instant():
    queue = TimeEventQueue(np.array([0.0, 2.0]))
    for t, shortest in ((0.0, 8e-13), (-1e3, 4e-10)):
        check_samples(queue, np.array([[0.0, 1.01 * shortest]]), ["sample"], t)
        with pytest.raises(EventFailure, match=r"too short for a run of 2\.0 s"):
            check_samples(queue, np.array([[0.0, 0.99 * shortest]]), ["sample"], t)
