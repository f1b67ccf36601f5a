"""Signals of tables: values, kinks and jumps of random tables, against numpy and scipy piece by piece."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest
from scipy.interpolate import PchipInterpolator

from cutset.runtime.errors import RunError
from cutset.runtime.table_signals import table_signal


def drawn(number: int) -> tuple[np.ndarray, np.ndarray]:
    """Small whole numbers; many times are given twice or more, and many values and slopes are equal."""
    rng = random.Random(number)
    times = sorted(rng.choice(range(-4, 5)) for _ in range(rng.randint(2, 9)))
    values = [rng.randint(-2, 2) for _ in times] if number % 3 else [2 * t for t in times]
    return np.array(times, dtype=float), np.array(values, dtype=float)


def instants(times: np.ndarray, values: np.ndarray) -> list[tuple[float, float, float]]:
    """Each time with the value before it and the value from there on."""
    rows = list(zip(times.tolist(), values.tolist(), strict=True))
    groups = [list(group) for _, group in itertools.groupby(rows, key=lambda row: row[0])]
    return [(group[0][0], group[0][1], group[-1][1]) for group in groups]


def pieces(times: np.ndarray, values: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """The rows between two times that are given twice."""
    cuts = [0, *(k + 1 for k in range(len(times) - 1) if times[k] == times[k + 1]), len(times)]
    found = [(times[a:b], values[a:b]) for a, b in itertools.pairwise(cuts)]
    return [piece for piece in found if len(piece[0]) > 1]


def curve(piece: tuple[np.ndarray, np.ndarray], smooth: bool, t: float) -> float:
    return float(PchipInterpolator(*piece)(t)) if smooth else float(np.interp(t, *piece))


NUMBERS = [number for number in range(60) if len(instants(*drawn(number))) > 1]


@pytest.mark.parametrize("outside", ["refuse", "keep"])
@pytest.mark.parametrize("kind", ["linear", "smooth"])
def test_curves(kind, outside):
    for number in NUMBERS:
        times, values = drawn(number)
        signal, at = table_signal("u", times, values, kind, outside), instants(times, values)
        first, last = float(times[0]), float(times[-1])
        for piece in pieces(times, values):
            for t in np.linspace(piece[0][0], piece[0][-1], 7).tolist():
                value = curve(piece, kind == "smooth", t)
                assert signal.within(t, piece[0][0], piece[0][-1]) == pytest.approx(value, abs=1e-12), (number, t)
        jumps = [t for t, before, behind in at[1:] if before != behind]
        assert signal.jumps == jumps, number
        for t, _, behind in at[:-1] if outside == "refuse" and last not in jumps else at:
            assert signal(t) == pytest.approx(behind, abs=1e-12), (number, t)
        slopes = [(c[1] - b[2]) / (c[0] - b[0]) for b, c in itertools.pairwise(at)]
        given_twice = [t for t, count in zip(*np.unique(times, return_counts=True), strict=True) if count > 1]
        corners = {t for t in given_twice if first < t < last}
        if kind == "linear":
            corners |= {at[k + 1][0] for k in range(len(slopes) - 1) if abs(slopes[k] - slopes[k + 1]) > 1e-9}
        ends = {first, last} if outside == "keep" else set()
        assert signal.kinks == sorted(corners | set(jumps) | ends), number
        smooth = kind == "smooth" and not corners and not ends
        if smooth or kind == "linear" or jumps or ends or last not in given_twice:
            assert signal.smoothness == (-1 if jumps else 1 if smooth else 0), number
        assert (signal.start, signal.stop) == ((-math.inf, math.inf) if outside == "keep" else (first, last))
        assert len({len(row) for row in signal.rows}) == 1 and len(signal.rows) == len(signal.breaks)
        if outside == "keep":
            assert [signal(first - 3.0), signal(last + 3.0)] == [at[0][2], at[-1][2]]
            assert signal(np.nextafter(last, 9.0)) == at[-1][2]


@pytest.mark.parametrize("outside", ["refuse", "keep"])
def test_values_that_are_held(outside):
    for number in range(60):
        times, values = drawn(number)
        signal, at = table_signal("u", times, values, "hold", outside), instants(times, values)
        assert [signal(t) for t, _, _ in at] == [behind for _, _, behind in at]
        assert [signal(t + 0.5) for t, _, _ in at] == [behind for _, _, behind in at]
        changes = [c[0] for b, c in itertools.pairwise(at) if b[2] != c[2]]
        assert signal.kinks == signal.jumps == changes and signal.smoothness == (-1 if changes else 1)
        assert (signal.start, signal.stop) == (-math.inf if outside == "keep" else times[0], math.inf)
        assert signal(times[0] - 1.0) == at[0][2]


def test_kinks_are_told_from_rounding():
    times = np.array([1e6 + 0.1 * k for k in range(8)])
    straight = table_signal("u", times, 1.0 + 0.3 * times)
    assert straight.kinks == []
    steps = 0.1 * np.arange(8)
    assert table_signal("u", 1e6 + steps, 0.3 * steps).kinks == []
    assert table_signal("u", steps, 1e6 + 0.3 * steps).kinks == []
    bent = 1.0 + 0.3 * times
    bent[4] += 1e-6
    assert table_signal("u", times, bent).kinks == times[3:6].tolist()


def test_derivatives():
    times, values = np.array([0.0, 1.0, 2.5, 3.0, 5.0]), np.array([1.0, 4.0, 4.5, 2.0, 2.5])
    smooth, exact = table_signal("u", times, values, "smooth"), PchipInterpolator(times, values)
    for order in (1, 2):
        slope = smooth.slope(order)
        for t in (0.0, 0.4, 1.0, 2.7, 4.9):
            assert slope(t) == pytest.approx(float(exact.derivative(order)(t)), abs=1e-12)
        assert slope.smoothness == 1 - order
        assert (slope.kinks, slope.jumps) == (([], []) if order == 1 else (times[1:-1].tolist(),) * 2)
    linear = table_signal("u", times, values).slope(1)
    assert [linear(t) for t in (0.5, 1.0, 4.0)] == [3.0, pytest.approx(1.0 / 3.0), 0.25]
    assert linear.kinks == linear.jumps == times[1:-1].tolist() and linear.smoothness == -1
    kept = table_signal("u", times, values, "linear", "keep").slope(1)
    assert kept.jumps == times.tolist() and [kept(-1.0), kept(6.0)] == [0.0, 0.0]
    constant = table_signal("u", times, np.ones(5), "hold")
    assert constant.slope(1)(2.0) == 0.0 and constant.slope(2)(2.0) == 0.0
    with_jump = table_signal("u", np.array([0.0, 1.0, 1.0, 2.0]), np.array([0.0, 1.0, 2.0, 3.0]), "smooth")
    for refused, order, words in (
        (table_signal("u", times, values), 2, "has kinks"),
        (smooth, 3, "has kinks"),
        (linear, 1, "jumps"),
        (with_jump, 1, "jumps"),
    ):
        with pytest.raises(RunError, match=words):
            refused.slope(order)


def test_a_run_must_be_within_the_table_up_to_rounding():
    table = table_signal("u", np.array([1.0, 3.0]), np.array([0.0, 1.0]))
    for start, stop in ((1.0, 3.0), (1.0 - 1.9e-9, 3.0 + 1.9e-9), (2.0, 2.0)):
        table.require(start, stop)
    for start, stop in ((1.0 - 2.1e-9, 3.0), (1.0, 3.0 + 2.1e-9), (0.0, 0.5), (4.0, 4.0)):
        with pytest.raises(RunError, match="is given from 1 to 3 s"):
            table.require(start, stop)
    held = table_signal("u", np.array([1.0, 3.0]), np.array([0.0, 1.0]), "hold")
    held.require(1.0, 1e9)
    with pytest.raises(RunError, match="from 1 s on, but the run is at"):
        held.require(0.5, 0.5)
    table_signal("u", np.array([1.0, 3.0]), np.array([0.0, 1.0]), "hold", "keep").require(-1e9, 1e9)


@pytest.mark.parametrize(
    ("times", "values", "words"),
    [
        ([0.0, 1.0], [1.0], r"\(1,\) values for \(2,\) times"),
        ([], [], "at least one"),
        ([0.0, np.nan], [1.0, 2.0], "the time nan in row 2"),
        ([0.0, 1.0, 2.0], [1.0, np.inf, 2.0], "the value inf in row 2"),
        (
            [0.0, 2.0, 1.0],
            [1.0, 2.0, 3.0],
            "the times of the table of the input 'u' must ascend, but 1 in row 3 follows 2",
        ),
        ([1.0, 1.0], [1.0, 2.0], "has one time only"),
        ([0.0, 5e-324], [0.0, 1e300], "a slope that is not finite"),
    ],
)
def test_refused(times, values, words):
    with pytest.raises(RunError, match=words):
        table_signal("u", np.array(times), np.array(values))
