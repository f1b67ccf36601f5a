"""Interval arithmetic holds what numpy computes at any point inside; an interval of one point is what numpy computes
there."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from bounds_in_c import TimeBounds

from cutset.contract.functions import FUNCTIONS
from cutset.contract.metadata import TimeCrossing
from cutset.runtime.targets.toolchain import find_compiler

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler on this machine")


def in_numpy(op: str):
    row = FUNCTIONS[op]
    return getattr(np, row.numpy) if row.numpy else np.vectorize(row.value, otypes=[float])


ONE = {"neg": np.negative} | {op: in_numpy(op) for op, row in FUNCTIONS.items() if row.arity == 1}
TWO = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.true_divide,
    "atan2": np.arctan2,
    "pow": np.power,
}
TWO |= {"min": np.minimum, "max": np.maximum}
# The second argument as a function of time.
RATES = (0.0, 1.0, -0.7)


def spans(generator, n=200):
    """Intervals of all sizes about 0, 1 and larger numbers; some end at 0."""
    middle = generator.choice([0.0, 1.0, -1.0, 3.0, -20.0], n) + generator.normal(0, 0.3, n)
    half = 10.0 ** generator.uniform(-6, 1, n)
    lo, hi = middle - half, middle + half
    return np.where(generator.random(n) < 0.1, 0.0, lo).clip(max=hi), hi


def inside(bounds, values):
    (lo, hi), room = bounds, 1e-15 * np.abs(values)  # the libraries of C and numpy differ in the last digit
    return ~np.isfinite(values) | ((values >= lo - room) & (values <= hi + room))


def tape_of(name: str, rate: float, offset: float):
    """The function of time, or of time and rate*time + offset."""
    first = (("time",), ("number", rate), ("mul", 0, 1), ("number", offset), ("add", 2, 3))
    return (*first, (name, 0) if name in ONE else (name, 0, 4), ("number", 0.0))


@pytest.mark.parametrize(("name", "rate"), [*((name, 0.0) for name in ONE), *itertools.product(TWO, RATES)])
def test_bounds_hold_all_between(name, rate):
    generator = np.random.default_rng(3)
    offset = float(generator.choice([0.0, 1.0, 2.0, -0.5]))
    lo, hi = spans(generator)
    with np.errstate(all="ignore"):
        values, _ = TimeBounds(TimeCrossing(0, 5, 6, tape_of(name, rate, offset))).over(lo, hi)
        for part in np.linspace(0.0, 1.0, 23):
            t = np.clip(lo + part * (hi - lo), lo, hi)
            exact = ONE[name](t) if name in ONE else TWO[name](t, rate * t + offset)
            assert inside(values, exact).all()


@pytest.mark.parametrize("name", [*ONE, *TWO])
def test_one_point_is_what_numpy_computes(name):
    generator = np.random.default_rng(4)
    t = np.append(spans(generator)[0], [0.0])
    with np.errstate(all="ignore"):
        found, _ = TimeBounds(TimeCrossing(0, 5, 6, tape_of(name, 0.5, 0.25))).at(t)
        exact = ONE[name](t) if name in ONE else TWO[name](t, 0.5 * t + 0.25)
        np.testing.assert_allclose(found, exact, rtol=1e-13, atol=1e-300)


# The difference of 2*sin(3*t) - (if held then t^2 else |t - 1|) and 0.5.
TAPE = (
    ("time",), ("number", 3.0), ("mul", 0, 1), ("sin", 2), ("number", 2.0), ("mul", 3, 4), ("m", 0), ("mul", 0, 0),
    ("number", 1.0), ("sub", 0, 8), ("fabs", 9), ("if", 6, 7, 10), ("sub", 5, 11), ("c", 0),
)  # fmt: skip


@pytest.mark.parametrize("held", [0.0, 1.0])
def test_bounds_of_a_difference_and_of_its_slope(held):
    f = TimeBounds(TimeCrossing(0, 12, 13, TAPE), (0.5,), (held,))

    def exact(t):
        return 2 * np.sin(3 * t) - (t * t if held else np.abs(t - 1)) - 0.5

    def slope(t):
        return 6 * np.cos(3 * t) - (2 * t if held else np.sign(t - 1))

    edges = np.linspace(-2.0, 3.0, 61)
    lo, hi = edges[:-1], edges[1:]
    value, slopes = f.over(lo, hi)
    for part in np.linspace(0.0, 1.0, 17):
        t = lo + part * (hi - lo)
        assert inside(value, exact(t)).all() and inside(slopes, slope(t)).all()
        np.testing.assert_allclose(f.at(t)[0], exact(t), rtol=0, atol=1e-14)
    assert (value[1] - value[0]).max() < 1.5  # and they are no wider than they need to be


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
        (least, most), _ = TimeBounds(TimeCrossing(0, 4, 5, tape)).over(np.array([low]), np.array([high]))
        spans = (
            (low, high),
            (number, number),
            (min(low, number), min(high, number)),
            (max(low, number), max(high, number)),
        )
        expected = TRUTHS[op](*np.meshgrid(*(np.arange(spans[k][0], spans[k][1] + 0.25, 0.5) for k in sides)))
        assert [least[0], most[0]] == pytest.approx([1.0 * expected.min(), 1.0 * expected.max()], abs=1e-12)
