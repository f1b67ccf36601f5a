"""The loops of PyMbs in closed form: systems of the independent coordinates only, rods with their lengths, and the
motion of mbs."""

from __future__ import annotations

import numpy as np
import pytest
from shipped_models import shipped

# The joints of the independent coordinates.
INDEPENDENT = {
    "crank_slider": ("crank",),
    "four_bar": ("crank",),
    "four_bar_translation": ("boom",),
    "transmission": ("stick", "rocker"),
    "excavator": ("boom", "stick", "rocker"),
}


@pytest.fixture(scope="module", params=INDEPENDENT)
def both(request):
    """The name of the model, and runs with mbsmat and with mbs."""
    models = [shipped(f"pymbs/{request.param}.mo", library=library) for library in ("mbsmat", "mbs")]
    runs = [model.simulate(stop=0.3, points=4, rtol=1e-10, atol=1e-10) for model in models]
    return request.param, models[0], *runs


def _at(run, name: str) -> np.ndarray:
    return np.array([run[f"{name}({k})"] for k in (1, 2, 3)]).T


def _distance(run, first: str, second: str) -> np.ndarray:
    return np.linalg.norm(_at(run, first) - _at(run, second), axis=1)


def test_only_the_independent_coordinates_are_solved_together(both):
    name, model, *_ = both
    joints = INDEPENDENT[name]
    assert sorted(model.states) == sorted(f"{joint}.{x}" for joint in joints for x in ("q", "qd"))
    facts = model.inspect()
    assert [system["torn"] for system in facts["linear_systems"]] == ([len(joints)] if len(joints) > 1 else [])
    assert facts["nonlinear_systems"] == [] and facts["differentiated_equations"] == 0


def test_motion_and_forces_are_those_of_mbs(both):
    _, _, ours, theirs = both
    for name in sorted({*ours.names()} & {*theirs.names()}):
        largest = max(1.0, np.abs(theirs[name]).max())
        np.testing.assert_allclose(ours[name], theirs[name], rtol=0.0, atol=1e-6 * largest, err_msg=name)


def test_the_rods_have_their_lengths(both):
    name, _, run, _ = both
    if name == "crank_slider":
        slide = 0.1 * np.cos(run["crank.q"]) + np.sqrt(0.35**2 - 0.01 * np.sin(run["crank.q"]) ** 2)
        np.testing.assert_allclose(run["rod.s"], slide, rtol=1e-12)
    elif name == "four_bar":
        np.testing.assert_allclose(_distance(run, "rods.ra", "rods.rm"), np.hypot(0.65, 0.3), rtol=1e-12)
        np.testing.assert_allclose(_distance(run, "rods.rb", "rods.rm"), np.hypot(0.05, 0.5), rtol=1e-12)
    elif name == "four_bar_translation":
        np.testing.assert_allclose(_distance(run, "cylinder.ra", "cylinder.rb"), 0.9 + run["cylinder.s"], rtol=1e-12)
    else:
        if name == "excavator":
            for each in ("lift", "reach", "tilt"):
                length = run[f"{each}.line.s"] + run[f"{each}.s0"]
                np.testing.assert_allclose(_distance(run, f"{each}.line.ra", f"{each}.line.rb"), length, rtol=1e-12)
        np.testing.assert_allclose(_distance(run, "bucket.ra", "bucket.rm"), np.hypot(0.45, 0.05), rtol=1e-12)
        np.testing.assert_allclose(_distance(run, "bucket.rb", "bucket.rm"), np.hypot(0.15, 0.35), rtol=1e-12)
