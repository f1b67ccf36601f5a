"""Elastic beams against the closed frequencies of Euler and Bernoulli, in all multibody libraries."""

from __future__ import annotations

import numpy as np
import pytest
from multibody_pairs import LIBRARIES

import cutset

# kl of a beam that is clamped at one end, and of one that is free: w = (kl)^2*sqrt(EI/(density*area))/l^2.
CLAMPED = np.array([1.8751040687, 4.6940911330, 7.8547574382, 10.9955407349, 14.1371683910])
FREE = np.array([4.7300407449, 7.8532046241, 10.9956078380, 14.1371654913, 17.2787596574])

BEAM = """@mbs
model M
  submodel (Inertial) i(g=0)
  submodel ({beam}, planar=true, r=[1, 0, 0], w=[0, 0, 1], density=1, area=1, E=1, I=1)
  {more}
  connect i to {first}beam
end
"""
HELD = {"more": "", "first": ""}
FLOATING = {"more": "submodel (Planar) free(n=[0, 1, 0], nx=[1, 0, 0])", "first": "free to "}


def frequencies(text: str, write_model) -> np.ndarray:
    matrix = np.array(
        cutset.load(write_model(text), instead={"mbs": "mbssim"}).simulate(0.0, target="python").linearize().A
    )
    return np.sort(np.abs(np.linalg.eigvals(matrix)))[::2]


@pytest.mark.parametrize(("ends", "rigid", "expected"), [(HELD, 0, CLAMPED), (FLOATING, 3, FREE)])
def test_frequencies_are_those_of_euler_and_bernoulli(ends, rigid, expected, write_model):
    """Twelve segments give the first five to 0.03 and 0.07 %."""
    found = frequencies(BEAM.format(beam="SegmentBeam) beam(segments=4", **ends), write_model)[rigid:]
    np.testing.assert_allclose(found[:2], expected[:2] ** 2, rtol=7e-3)
    np.testing.assert_allclose(found[0], expected[0] ** 2, rtol=6e-4)


SPATIAL = """@mbs
model M "turns about two axes, bends in two directions and twists, with a body at its end"
  submodel (Inertial) i(ng=[1, 2, -3])
  submodel (Revolute) joint(n=[1, 1, 0], q0=0.3, qd0=2)
  submodel ({beam}, r=[1, 0, 0], w=[0, 1, 1], area=1e-4, I=1e-9, Ih=2e-9, E=1e10, damping=1e-3)
  submodel (Body) tip(m=0.2, r=[0, 0.1, 0], I=1e-3*identity(3))
  submodel (AbsoluteSensor) s
  connect i to joint to beam to tip, s at beam:b
end
"""


@pytest.mark.parametrize("library", LIBRARIES[1:3])
def test_libraries_agree_about_a_beam_in_space(library, write_model):
    path = write_model(SPATIAL.format(beam="SegmentBeam) beam(segments=1"))
    mine, other = (cutset.load(path, instead={"mbs": each}).simulate(0.0, target="python") for each in (library, "mbs"))
    for name in ("joint.qdd", *(f"beam.hinge({k}).bend.qdd({i})" for k in (1, 2) for i in (1, 2, 3)), "s.acc(3)"):
        np.testing.assert_allclose(mine[name], other[name], rtol=1e-9)
