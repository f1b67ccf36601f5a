"""Output times and events: which rows a run has."""

from __future__ import annotations

import numpy as np
import pytest

from cutset.runtime.events import EventFailure
from cutset.runtime.outcome import Outcome
from cutset.runtime.time_event_queue import TimeEventQueue, check_samples, output_times


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


def test_instants_that_differ_by_rounding():
    run = TimeEventQueue(np.array([0.0, 10.0]))
    assert run.same(5.0, 5.0 + 1e-13) and run.same(0.0, 1e-29) and not run.same(5.0, 5.0 + 1e-11)
    point = TimeEventQueue(np.array([0.0]))  # of length 0
    assert point.same(0.0, 1e-29) and not point.same(0.0, 1e-12)


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
    assert raised.value.outcome is Outcome.BAD_SAMPLE and raised.value.details == ("m.mo:3:4: sample(0, T)",)
