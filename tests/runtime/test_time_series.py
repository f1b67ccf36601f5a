"""Points of time become functions with derivatives: against functions whose derivatives are known."""

import numpy as np
import pytest

from cutset.runtime.errors import RunError
from cutset.runtime.given.time_series import TimeSeries, covers

TIMES = np.linspace(0.0, 3.0, 61)
MOTION = [np.sin, np.cos, lambda t: -np.sin(t), lambda t: -np.cos(t)]
BETWEEN = np.linspace(0.01, 2.99, 37)


def largest_error(signals, exact=MOTION) -> list[float]:
    return [
        max(abs(signal(t) - function(t)) for t in BETWEEN.tolist())
        for signal, function in zip(signals, exact, strict=False)
    ]


def test_a_spline_has_the_derivatives_that_are_needed():
    """The error of the k-th derivative of a spline of degree d is of order h^(d+1-k)."""
    series = TimeSeries("q", TIMES, np.sin(TIMES)[None])
    for order, bounds in ((0, (1e-6,)), (1, (1e-9, 1e-7)), (2, (1e-9, 1e-7, 1e-5)), (3, (1e-9, 1e-8, 1e-7, 1e-5))):
        signals = series.signals(order)
        assert len(signals) == order + 1
        assert all(error < bound for error, bound in zip(largest_error(signals), bounds, strict=True)), order


def test_given_derivatives_are_met_exactly():
    """Rows far apart: h = 0.5."""
    times = np.linspace(0.0, 3.0, 7)
    series = TimeSeries("q", times, np.array([f(times) for f in MOTION[:3]]))
    signals = series.signals(2)
    assert [[s(t) for t in times] for s in signals] == [pytest.approx(f(times).tolist()) for f in MOTION[:3]]
    assert max(largest_error(signals)) < 2e-4
    spline = TimeSeries("q", times, np.sin(times)[None]).signals(2)
    assert largest_error(signals)[2] < 0.1 * largest_error(spline)[2]


@pytest.mark.parametrize("apart", [1e-4, 1e-7, 1e-10])
def test_rows_close_to_each_other(apart):
    """As at two events in close succession: the rounding of the values is not taken for an acceleration."""
    times = np.array([0.0, 0.5, 1.0, 1.0, 1.0 + apart, 1.0 + apart, 1.5, 2.0])
    series = TimeSeries("q", times, np.array([10.0 + np.sin(times), np.cos(times), -np.sin(times)]))
    value, slope, bend = series.signals(2)
    for t in (1.0, 1.0 + 0.5 * apart, 1.0 + apart):
        for signal, wanted in ((value, 10.0 + np.sin(t)), (slope, np.cos(t)), (bend, -np.sin(t))):
            assert signal(t) == pytest.approx(wanted, rel=1e-6)
            assert signal.within(t, -np.inf, t) == pytest.approx(wanted, rel=1e-6)


def test_two_rows_with_one_time_begin_a_new_piece():
    """A kink at 1: no polynomial crosses it, and from there on the new slope counts."""
    times = np.concatenate([np.linspace(0.0, 1.0, 6), np.linspace(1.0, 2.0, 6)])
    values = np.where(np.arange(12) < 6, times**2, 3.0 - 2.0 * times)
    value, slope = TimeSeries("q", times, values[None]).signals(1)
    assert [value(0.5), slope(0.5), slope(0.9999)] == pytest.approx([0.25, 1.0, 1.9998])
    assert [value(1.0), slope(1.0), slope(1.5)] == pytest.approx([1.0, -2.0, -2.0])


def test_three_rows_with_one_time():
    times = np.array([0.0, 1.0, 1.0, 1.0, 2.0])
    (value,) = TimeSeries("q", times, np.array([[0.0, 1.0, 7.0, 5.0, 6.0]])).signals(0)
    assert [value(0.5), value(1.0), value(1.5), value(2.0)] == [0.5, 5.0, 5.5, 6.0]


def test_a_solver_may_look_a_little_beyond_the_ends():
    value, slope = TimeSeries("q", TIMES, np.sin(TIMES)[None]).signals(1)
    assert (value(-1e-9), slope(3.0 + 1e-9)) == (pytest.approx(0.0, abs=1e-8), pytest.approx(np.cos(3.0)))


@pytest.mark.parametrize(
    ("times", "values", "order", "said"),
    [
        ([0.0, 1.0], [[1.0]], 0, "one value for each time"),
        ([], [[]], 0, "at least one"),
        ([0.0, np.nan], [[1.0, 2.0]], 0, "not finite"),
        ([0.0, 1.0], [[1.0, np.inf]], 0, "not finite"),
        ([0.0, 2.0, 1.0], [[1.0, 2.0, 3.0]], 0, "must not decrease, but 1 follows 2"),
        ([0.0], [[1.0]], 0, "one time only"),
        ([0.0, 0.0], [[1.0, 2.0]], 0, "one time only"),
        ([0.0, 1.0, 2.0], [[1.0, 2.0, 3.0]], 2, "3 rows between 0 and 2 s: too few for its derivative number 2"),
        ([0.0, 1.0, 1.0, 2.0, 3.0], [[1.0, 2.0, 2.0, 3.0, 4.0]], 1, "2 rows between 0 and 1 s"),
        ([0.0, 1.0, 1.0, 2.0], [[1.0, 2.0, 3.0, 4.0]], 1, "'q' jumps at 1 s, and the model needs derivative number 1"),
        (
            [0.0, 1.0, 1.0, 2.0],
            [[0.0, 1.0, 1.0, 0.0], [1.0, 1.0, -1.0, -1.0]],
            2,
            "derivative number 1 of 'q' jumps at 1 s, and the model needs derivative number 2",
        ),
        # degrees per second
        ([0.0, 1.0, 2.0], [[0.0, 1.0, 2.0], [57.3, 57.3, 57.3]], 1, "derivative number 1 of 'q' in the data is not"),
        ([0.0, 1.0, 2.0], [[0.0, 1.0, 2.0], [1.0, 1.0, 1.0], [3.0, 3.0, 3.0]], 1, "derivative number 2 of 'q'"),
    ],
)
def test_what_cannot_be_used(times, values, order, said):
    with pytest.raises(RunError, match=f"E605(.|\n)*{said}"):
        TimeSeries("q", np.array(times), np.array(values)).signals(order)


@pytest.mark.parametrize("span", [(-0.1, 2.0), (0.0, 3.1)])
def test_a_run_stays_within_the_series(span):
    series = TimeSeries("q", TIMES, np.sin(TIMES)[None])
    covers([series], 0.0, 3.0)
    with pytest.raises(RunError, match="'q' is given from 0 to 3 s, but the run is from"):
        covers([series], *span)
