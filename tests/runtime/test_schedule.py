"""Output times and events: which rows a run has."""

from __future__ import annotations

import numpy as np
import pytest

from cutset.runtime.schedule import intervals, output_times


def test_outputs():
    assert len(output_times(0.0, 2.0, None, None)) == 501
    assert output_times(0.0, 1.0, 3, None).tolist() == [0.0, 0.5, 1.0]
    assert output_times(1.0, 1.0, None, 0.1).tolist() == [1.0]
    assert output_times(0.0, 1.0, None, 0.4).tolist() == [0.0, 0.4, 0.8, 1.0]
    tenths = output_times(0.0, 1.0, None, 0.1)
    assert len(tenths) == 11 and tenths[-1] == 1.0 and tenths[3] == 0.1 * 3
    long = output_times(0.0, 1000.0, None, 0.001)
    assert len(long) == 1_000_001 and long[-1] == 1000.0
    assert output_times(-1.0, 1.0, None, 5.0).tolist() == [-1.0, 1.0]


def cut(outputs, events):
    return [(i.start, i.times.tolist()) for i in intervals(np.array(outputs), events)]


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
    assert cut([0.0, 1.0], [1.0]) == [(0.0, [1.0]), (1.0, [])]
    assert cut([0.0], [0.0]) == [(0.0, [])]
    assert cut([0.0], []) == [(0.0, [])]


@pytest.mark.parametrize("events", [[], [0.25], [0.0, 0.25, 1.0, 3.0]])
def test_modes_are_taken_inside_the_interval(events):
    for interval in intervals(np.array([0.0, 0.5, 1.0]), events):
        end = interval.times[-1] if len(interval.times) else min([e for e in events if e > 1.0], default=np.inf)
        assert interval.start < interval.inside < end
