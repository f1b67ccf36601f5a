"""Random loops in all multibody libraries; `python -m tests.oracles.many_loops` does it for as many as one likes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from oracles.many_loops import LIBRARIES, Compared, compared
from oracles.random_loops import conditions, random_loop
from oracles.singular_positions import loop, told

import cutset


def test_random_loops_agree(tmp_path):
    found = dict(compared(random_loop(0, 3), tmp_path, LIBRARIES))
    assert all(isinstance(each, Compared) and each.is_right for each in found.values()), found


@pytest.mark.parametrize("seed", [1, 3, 5, 7, 9, 11, 13, 21])
def test_conditions_of_the_oracle_are_derivatives(seed):
    """Central differences of the conditions along a motion, for the accelerations that the oracle finds and others."""
    loop = random_loop(seed, 6)
    tree, h, rng = loop.tree.tree, 1e-5, np.random.default_rng(seed)
    matrix, bias = conditions(tree, loop.closings, loop.q, loop.qd)
    np.testing.assert_allclose(matrix @ loop.qd, 0.0, atol=1e-9)
    np.testing.assert_allclose(matrix @ loop.accelerations() + bias, 0.0, atol=1e-7)
    qdd = rng.normal(size=len(loop.qd))
    back, on = (
        conditions(tree, loop.closings, loop.q + loop.qd * t + qdd * t * t / 2, loop.qd + qdd * t)[0]
        @ (loop.qd + qdd * t)
        for t in (-h, h)
    )
    np.testing.assert_allclose((on - back) / (2 * h), matrix @ qdd + bias, atol=1e-6, rtol=1e-6)


def test_a_loop_goes_straight_on_through_singular_positions(tmp_path):
    """A parallelogram that passes four of them; `python -m tests.oracles.singular_positions` draws more."""
    for method in ("auto", "cvode-bdf"):
        assert told(loop(4), tmp_path, "mbs", method)[0] == "right"


@pytest.mark.parametrize(
    ("seed", "method", "points", "before"), [(11, "rk4", 4482, None), (30, "auto", 401, 2e-3), (30, "rk4", 1001, 5e-3)]
)
def test_close_to_a_singular_position(tmp_path, seed, method, points, before):
    """Accelerations are rounding where a step without error control ends by chance; and just before such a position
    a start knows the way on by its velocities alone."""
    each = loop(seed)
    if before is not None:
        each = replace(each, angle=np.pi - before * np.sign(each.speed))
    file = tmp_path / "loop.mo"
    file.write_text(each.text("mbs"))
    assert each.error(cutset.load(file).simulate(1.0 if before else 2.0, method=method, points=points)) < 1e-3


def test_a_loop_in_absolute_coordinates_passes_a_dead_point(write_model):
    """At 0.172 s the preferred coordinates determine nothing: too many candidates for a choice in the first run."""
    text = random_loop(55, 3).text
    runs = [
        cutset.load(write_model(text.replace("@mbssim", f"@{library}"))).simulate(0.2, points=3, rtol=1e-8)
        for library in ("mbs", "mbsabs")
    ]
    own, other = ({name: run[name][-1] for name in ("j0.q", "j1.q", "j2.q")} for run in runs)
    assert other == pytest.approx(own, abs=1e-6)
