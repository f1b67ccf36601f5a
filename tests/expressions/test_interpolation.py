"""Tables are straight between their points, beyond the ends too."""

import itertools
import random

import numpy as np
import pytest

from cutset.compiler.expressions.interpolation import interpolated, interpolated_slope


@pytest.mark.parametrize("n", [2, 3, 5])
def test_values_and_slopes(n):
    rng = random.Random(n)
    xs = sorted(rng.sample(range(-9, 9), n))
    ys = [rng.uniform(-1.0, 1.0) for _ in xs]
    slopes = np.diff(ys) / np.diff(xs)
    for k, (a, b) in enumerate(itertools.pairwise(xs)):
        for x in (a, 0.7 * a + 0.3 * b):  # at a point, the segment after it
            assert interpolated(x, xs, ys) == pytest.approx(np.interp(x, xs, ys), abs=1e-14)
            assert interpolated_slope(x, xs, ys) == pytest.approx(slopes[k])
    for x, end, slope in ((xs[0] - 2.0, 0, slopes[0]), (xs[-1], -1, slopes[-1]), (xs[-1] + 3.0, -1, slopes[-1])):
        assert interpolated(x, xs, ys) == pytest.approx(ys[end] + slope * (x - xs[end]))
        assert interpolated_slope(x, xs, ys) == pytest.approx(slope)
