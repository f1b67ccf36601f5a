"""A step is sampled as densely as its crossings need: between the samples of a parabola everything is known."""

import numpy as np
import pytest
from models_from_text import translate
from parts import part_of

from cutset.compiler.pipeline import emit
from cutset.runtime.solvers.scipy_methods import CROSSES, HostedSegment
from cutset.runtime.targets.build import build

MODEL = "model M\n  local x (start=1), y (start=0)\n  der(x) = 1\n  der(y) = if x > 0 then 1 else 0\nend\n"


@pytest.fixture(scope="module")
def model():
    return build(emit(translate(MODEL).program, "python"), "python")


def samples(model, course, steps):
    """The number of instants at which x(t) = course(t) is evaluated in each step, up to the one where it crosses zero;
    and whether it does."""
    part, counts = part_of(model, np.array([course(-1.0), 0.0]), -1.0, 20.0), []
    hosted = HostedSegment(part, 20.0)
    for k in range(steps):
        seen = []

        def state(t, seen=seen):
            seen.append(t)
            return np.array([course(t), 0.0])

        found = hosted.accept(k + 1.0, np.array([course(k + 1.0), 0.0]), np.array([1.0, 0.0]), state)
        counts.append(len(seen))
        if found == CROSSES:
            return counts, part.t
    return counts, None


@pytest.mark.parametrize("least", [0.0, 1e-3, 0.1])
def test_a_parabola_above_zero_needs_no_short_steps(model, least):
    """Nor does one that touches zero: all its samples are exact."""
    counts, root = samples(model, lambda t: (t - 5.25) ** 2 + least, 10)
    assert root is None and counts[1:] == [2] * 9


def test_a_parabola_below_zero_between_samples_is_found(model):
    _, root = samples(model, lambda t: (t - 5.25) ** 2 - 1e-4, 10)
    assert root == pytest.approx(5.24)


@pytest.mark.parametrize("slope", [-0.01, 0.01])
def test_a_steep_parabola_at_its_samples_takes_few_of_them(model, slope):
    """It is positive throughout, whichever side is lower: 4 (t - 5.25)^2 + slope*t + 1."""
    counts, root = samples(model, lambda t: 4.0 * (t - 5.25) ** 2 + slope * t + 1.0, 10)
    assert root is None and counts[1:] == [2] * 9


def test_a_crossing_at_the_start_of_a_step_is_located_at_once(model):
    counts, root = samples(model, lambda t: 3.0 - t, 5)
    # The relation is false where the sides are equal, which they are at the end of the third step.
    assert len(counts) == 3 and counts[-1] <= 5
    assert 0.0 <= root - 3.0 < 1e-14
