"""Interval arithmetic holds what numpy computes at any point inside; an interval of one point is what numpy computes
there."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from cutset.contract.functions import FUNCTIONS
from cutset.contract.metadata import TimeCrossing
from cutset.runtime import intervals as iv
from cutset.runtime.enclosure import Enclosure


def in_numpy(op: str):
    row = FUNCTIONS[op]
    return getattr(np, row.numpy) if row.numpy else np.vectorize(row.value, otypes=[float])


ONE = {"neg": np.negative, "square": np.square} | {op: in_numpy(op) for op in iv.FUNCTIONS_OF_ONE}
TWO = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.true_divide,
    "atan2": np.arctan2,
    "power": np.power,
}
RULES = {**iv.FUNCTIONS_OF_ONE, **{name: getattr(iv, name) for name in ("neg", "square", *TWO)}}


def spans(generator, n=200):
    """Intervals of all sizes about 0, 1 and larger numbers; some end at 0."""
    middle = generator.choice([0.0, 1.0, -1.0, 3.0, -20.0], n) + generator.normal(0, 0.3, n)
    half = 10.0 ** generator.uniform(-6, 1, n)
    lo, hi = middle - half, middle + half
    return np.where(generator.random(n) < 0.1, 0.0, lo).clip(max=hi), hi


def inside(bounds, values):
    lo, hi = bounds
    return ~np.isfinite(values) | ((values >= lo) & (values <= hi))


@pytest.mark.parametrize("name", [*ONE, *TWO])
def test_bounds_hold_all_between(name):
    generator = np.random.default_rng(3)
    function, arity = (ONE[name], 1) if name in ONE else (TWO[name], 2)
    pairs = [spans(generator) for _ in range(arity)]
    with np.errstate(all="ignore"):
        bounds = RULES[name](*pairs)
        for part in np.linspace(0.0, 1.0, 23):
            parts = [part] if arity == 1 else [part, generator.random()]
            points = (np.clip(lo + p * (hi - lo), lo, hi) for (lo, hi), p in zip(pairs, parts, strict=True))
            values = function(*points)
            assert inside(bounds, values).all()


@pytest.mark.parametrize("name", [*ONE, *TWO])
def test_one_point_is_what_numpy_computes(name):
    generator = np.random.default_rng(4)
    function, arity = (ONE[name], 1) if name in ONE else (TWO[name], 2)
    points = [np.append(spans(generator)[0], [0.0, np.inf, np.nan]) for _ in range(arity)]
    with np.errstate(all="ignore"):
        lo, hi = RULES[name](*((point, point) for point in points))
        np.testing.assert_array_equal(lo, function(*points))
    assert lo is hi


# The difference of 2*sin(3*t) - (if held then t^2 else |t - 1|) and 0.5.
TAPE = (
    ("time",), ("number", 3.0), ("mul", 0, 1), ("sin", 2), ("number", 2.0), ("mul", 3, 4), ("m", 0), ("mul", 0, 0),
    ("number", 1.0), ("sub", 0, 8), ("fabs", 9), ("if", 6, 7, 10), ("sub", 5, 11), ("c", 0),
)  # fmt: skip


@pytest.mark.parametrize("held", [0.0, 1.0])
def test_bounds_of_a_difference_and_of_its_slope(held):
    f = Enclosure(TimeCrossing(0, 12, 13, TAPE), np.array([0.5]), np.array([held]))

    def exact(t):
        return 2 * np.sin(3 * t) - (t * t if held else np.abs(t - 1)) - 0.5

    def slope(t):
        return 6 * np.cos(3 * t) - (2 * t if held else np.sign(t - 1))

    edges = np.linspace(-2.0, 3.0, 61)
    lo, hi = edges[:-1], edges[1:]
    bounds = f.over(lo, hi)
    for part in np.linspace(0.0, 1.0, 17):
        t = lo + part * (hi - lo)
        assert inside(bounds.value, exact(t)).all() and inside(bounds.slope, slope(t)).all()
        np.testing.assert_allclose(f.at(t)[0], exact(t), rtol=0, atol=1e-14)
    assert (bounds.value[1] - bounds.value[0]).max() < 1.5  # and they are no wider than they need to be


TRUTHS = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "<>": np.not_equal,
    "and": np.logical_and,
    "or": np.logical_or,
    "not": lambda a, b: np.logical_not(a),
}


@pytest.mark.parametrize("op", TRUTHS)
@pytest.mark.parametrize("sides", [(0, 2), (0, 3), (1, 0), (0, 1)])
def test_truths_hold_for_all_values_of_both_sides(op: str, sides: tuple[int, int]) -> None:
    """Certain is what all pairs of values say: of a span, of a number, of the span below or above the number."""
    for low, high, number in itertools.product((-1.0, 0.0, 1.0, 2.0), repeat=3):
        if low > high:
            continue
        entry = ("not", sides[0]) if op == "not" else (op, *sides)
        tape = (("time",), ("number", number), ("min", 0, 1), ("max", 0, 1), entry, ("number", 0.0))
        bounds = Enclosure(TimeCrossing(0, 4, 5, tape), np.zeros(0), np.zeros(0)).over(
            np.array([low]), np.array([high])
        )
        spans = (
            (low, high),
            (number, number),
            (min(low, number), min(high, number)),
            (max(low, number), max(high, number)),
        )
        expected = TRUTHS[op](*np.meshgrid(*(np.arange(spans[k][0], spans[k][1] + 0.25, 0.5) for k in sides)))
        found = [bounds.value[0][0], bounds.value[1][0]]
        assert found == pytest.approx([1.0 * expected.min(), 1.0 * expected.max()], abs=1e-12)
