"""The motions of trajectories.mo against scipy.interpolate; their outputs are derivatives of each other."""

from __future__ import annotations

import numpy as np
import pytest
from library_runs import run_in_both
from numpy.testing import assert_allclose as close
from scipy.interpolate import BPoly, CubicSpline

import cutset

BODY = """
submodel (Quintic) p(q0=1, q1=3, v0=0.5, v1=-1, a0=2, a1=0.3, T=1.5, t0=0.2), rest(q1=2, T=1)
submodel (CubicSpline) s(n=4, times=[0.1, 0.5, 1.5, 2], points=[0, 1, -1, 2], v0=3, v1=-2)
submodel (CubicSpline) free(n=4, times=[0.1, 0.5, 1.5, 2], points=[0, 1, -1, 2], natural=true)
submodel (CubicSpline) two(n=2, times=[0, 2], points=[0, 1]), line(n=2, times=[0, 2], points=[0, 1], natural=true)
local v, a
v = der(s.q)
a = der(s.v)
"""
T, Q = [0.1, 0.5, 1.5, 2.0], [0.0, 1.0, -1.0, 2.0]
EXPECTED = {
    "p": (0.2, 1.7, BPoly.from_derivatives([0.2, 1.7], [[1, 0.5, 2], [3, -1, 0.3]])),
    "rest": (0.0, 1.0, BPoly.from_derivatives([0, 1], [[0, 0, 0], [2, 0, 0]])),
    "s": (0.1, 2.0, CubicSpline(T, Q, bc_type=((1, 3.0), (1, -2.0)))),
    "free": (0.1, 2.0, CubicSpline(T, Q, bc_type="natural")),
    "two": (0.0, 2.0, CubicSpline([0, 2], [0, 1], bc_type="clamped")),
    "line": (0.0, 2.0, lambda t, k: [t / 2, 0 * t + 0.5, 0 * t][k]),
}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory):
    path = tmp_path_factory.mktemp("trajectories") / "top.mo"

    def write_model(text: str):
        path.write_text(text)
        return path

    return run_in_both(write_model, "@trajectories", BODY, 2.2)


@pytest.mark.parametrize("name", EXPECTED)
def test_positions_speeds_and_accelerations(run, name: str) -> None:
    begin, end, curve = EXPECTED[name]
    inside = (run.time > begin) & (run.time < end)
    t = run.time[inside]
    for order, part in enumerate("qva"):
        close(run[f"{name}.{part}"][inside], curve(t, order), atol=1e-12)
    ends = float(curve(np.array(begin), 0)), float(curve(np.array(end), 0))
    for outside, q in ((run.time < begin, ends[0]), (run.time > end, ends[1])):
        close(run[f"{name}.q"][outside], q, atol=1e-12)
        close(run[f"{name}.v"][outside], 0)
        close(run[f"{name}.a"][outside], 0)


def test_derivatives_of_the_equations_are_the_outputs(run) -> None:
    inside = (run.time > 0.1) & (run.time < 2)
    close(run["v"][inside], run["s.v"][inside], atol=1e-12)
    close(run["a"][inside], run["s.a"][inside], atol=1e-12)


def test_times_must_ascend(write_model) -> None:
    text = "@trajectories\nmodel M\nsubmodel (CubicSpline) s(n=3, times=[0, 2, 1], points=[0, 1, 2])\nend\n"
    with pytest.raises(cutset.ModelError) as caught:
        cutset.load(write_model(text))
    assert "the times of a CubicSpline must ascend" in str(caught.value)
