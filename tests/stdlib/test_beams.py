"""Elastic beams against the closed frequencies of Euler and Bernoulli, in all multibody libraries."""

from __future__ import annotations

import numpy as np
import pytest
from oracles import beam_frames

import cutset

# kl of a beam that is clamped at one end, and of one that is free: w = (kl)^2*sqrt(EI/(density*area))/l^2.
CLAMPED = np.array([1.8751040687, 4.6940911330, 7.8547574382, 10.9955407349, 14.1371683910])
FREE = np.array([4.7300407449, 7.8532046241, 10.9956078380, 14.1371654913, 17.2787596574])

BEAM = """@mbs
model M
  submodel (Inertial) i(g=0)
  submodel ({beam}, planar=true, r=[1, 0, 0], w=[0, 0, 1], density=1, area=1, E=1e6, I=1e-6)
  {more}
  connect i to {first}beam
end
"""
HELD = {"more": "", "first": ""}
FLOATING = {"more": "submodel (Planar) free(n=[0, 1, 0], nx=[1, 0, 0])", "first": "free to "}


def frequencies(text: str, write_model, library: str = "mbssim") -> np.ndarray:
    model = cutset.load(write_model(text), instead={"mbs": library})
    matrix = np.array(model.simulate(0.0, target="python").linearize().A)
    return np.sort(np.abs(np.linalg.eigvals(matrix)))[::2]


@pytest.mark.parametrize(
    ("beam", "ends", "rigid", "expected", "error"),
    [
        ("SegmentBeam) beam(segments=3", HELD, 0, CLAMPED, 3e-3),
        ("ModalBeam) beam(modes=2", FLOATING, 3, FREE, 6e-3),
    ],
)
def test_frequencies_are_those_of_euler_and_bernoulli(beam, ends, rigid, expected, error, write_model):
    """Twelve segments and ten modes give the first five to 0.1 %."""
    found = frequencies(BEAM.format(beam=beam, **ends), write_model)[rigid:]
    np.testing.assert_allclose(found[:2], expected[:2] ** 2, rtol=error)


@pytest.mark.parametrize(
    ("beam", "library", "error"),
    [
        ("ModalBeam) beam(modes=1", "mbsabs", 1e-3),
        ("SegmentBeam) beam(segments=2", "mbsmat", 0.03),
    ],
)
def test_a_beam_is_clamped_at_both_ends(beam, library, error, write_model):
    clamp = (
        "submodel (Bar) base(r=[1, 0, 0])\n submodel (CutFixed) clamp\n connect i to base, clamp at (base:b, beam:b)"
    )
    text = BEAM.format(beam=f"{beam}, stretches=true", more=clamp, first="")
    np.testing.assert_allclose(frequencies(text, write_model, library)[0], FREE[0] ** 2, rtol=error)


# A. D. Wright, C. E. Smith, R. W. Thresher, J. L. C. Wang: Vibration modes of centrifugally stiffened beams (1982), for
# an angular velocity of 6: the first two frequencies across the plane of rotation; those in the plane follow.
STIFFENED = np.array([7.3604, 26.8091])
SPINNING = """@mbs
model M
  submodel (Inertial) i(g=0)
  submodel (Revolute) hub(n=[0, 1, 0], qd0=6)
  submodel ({beam}, planar=true, r=[1, 0, 0], w=[0, 0, 1], density=1, area=1, E=1e6, I=1e-6)
  connect i to hub to beam
  submodel (Motion) motion
  connect motion at hub:ext
  motion.q_ref = 6*time
end
"""


def test_rotation_stiffens_a_beam(write_model):
    found = frequencies(SPINNING.format(beam="ModalBeam) beam(modes=2"), write_model)
    found = found[found > 1e-3]
    np.testing.assert_allclose(np.hypot(found[:2], 6), STIFFENED, rtol=1e-3)


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


def assert_same_start(path, library: str, names: tuple[str, ...]) -> None:
    mine, other = (cutset.load(path, instead={"mbs": each}).simulate(0.0, target="python") for each in (library, "mbs"))
    for name in names:
        np.testing.assert_allclose(mine[name], other[name], rtol=1e-8)


@pytest.mark.parametrize("beam", ["SegmentBeam) bNUMBER(segments=1", "ModalBeam) bNUMBER(modes=1"])
def test_a_beam_in_space_has_the_frequencies_of_finite_elements(beam):
    """Bending in two directions and twist; `python -m tests.oracles.beam_frames` draws trees of beams."""
    assert beam_frames.difference(4, beam, "mbssim") < 1e-3


def test_libraries_agree_about_modes_in_space(write_model):
    path = write_model(SPATIAL.format(beam="ModalBeam) beam(modes=1, planar=true, stretches=true"))
    assert_same_start(path, "mbsabs", ("joint.qdd", *(f"beam.body.qdd({k})" for k in range(1, 5)), "s.acc(3)"))


LOOP = """@mbs
model M "slider-crank with an elastic rod"
  submodel (Inertial) i(ng=[0, 0, -1])
  submodel (Revolute) crank(n=[0, 1, 0], q0=0.5, qd0=10), pin(n=[0, 1, 0])
  submodel (PlanarCutRevolute) bolt(n=[0, 1, 0])
  submodel (Prismatic) slider(n=[1, 0, 0])
  submodel (BodyRod) arm(r=[0, 0, 0.15], area=1e-4)
  submodel (ModalBeam) rod(r=[0.3, 0, 0], w=[0, 0, 1], area=1e-4, I=1e-10, E=1e9, planar=true, modes=1)
  submodel (Bar) front(r=[0.3, 0, 0.15])
  submodel (PointMass) piston(m=0.1)
  connect i to crank to arm to pin to rod, i to slider to piston, slider:b to front, bolt at (front:b, rod:b)
end
"""


def test_a_beam_is_a_part_of_a_loop(write_model):
    names = ("crank.qdd", "slider.qdd", *(f"rod.body.qdd({k})" for k in (1, 2, 3)))
    assert_same_start(write_model(LOOP), "mbsmat", names)


# The rocket equation, and jet damping: m*G*der(w) = flow*(G - exit^2)*w for the inertia m*G about the axis.
ROCKETS = """@mbs
model M
  submodel (Inertial) i(g=0)
  submodel (Prismatic) up(n=[0, 0, 1])
  submodel (Revolute) turn(n=[0, 1, 0], qd0=3)
  submodel (VaryingBody) rocket(m0=100, c=[0, 0, -2500], flow=2),
                         turning(m0=100, r=[0, 0, 0.3], K=diagonal([0.5, 0.41, 0.1]), exit=[0, 0, -1], c=[0, 0, 5],
                                 flow=2)
  connect i to up to rocket, i to turn to turning
end
"""


@pytest.mark.parametrize("library", ["mbssim", "mbsabs"])
def test_a_rocket_loses_mass(library, write_model):
    model = cutset.load(write_model(ROCKETS), instead={"mbs": library})
    run = model.simulate(40.0, rtol=1e-9, atol=1e-9, target="python")
    np.testing.assert_allclose(run["up.qd"][-1], 2500 * np.log(5.0), rtol=1e-7)
    np.testing.assert_allclose(run["turn.qd"][-1], 3 / 5, rtol=1e-7)


SWINGING = """@mbs
model M "a spring turns a hub with a beam back and forth"
  submodel (Inertial) i(g=0)
  submodel (Revolute) hub(n=[0, 0, 1], qd0=1.5)
  submodel (Body) disc(m=0, I=diagonal([0, 0, 0.05]))
  submodel (ModalBeam) beam(r=[1, 0, 0], w=[0, 1, 0], planar=true, modes=1, area=1e-4, density=3000, I=1e-9, E=3e9)
  submodel (JointSpring) spring(c=20)
  connect i to hub to disc, hub to beam, spring at hub:ext
end
"""


def test_a_beam_that_swings_keeps_its_energy(write_model):
    run = cutset.load(write_model(SWINGING)).simulate(0.5, rtol=1e-9, atol=1e-11, points=101)
    numbers = range(1, 4)
    w, q, v, force, share = (
        np.stack([run[f"beam.body.{name.format(k)}"] for k in numbers], axis=1)
        for name in ("omega({})", "q({})", "qd({})", "lambda({})", "Irq(3,{})")
    )
    mass = np.array([[run[f"beam.body.Iqq({min(i, j)},{max(i, j)})"] for i in numbers] for j in numbers])
    turning = (
        20 * run["hub.q"] ** 2
        + (0.05 + run["beam.body.Irr(3,3)"]) * w[:, 2] ** 2
        + 2 * w[:, 2] * np.sum(share * v, axis=1)
    )
    energy = turning + np.einsum("tj,jit,ti->t", v, mass, v) - np.sum(force * q, axis=1)
    assert np.abs(q[:, 1]).max() > 0.1
    np.testing.assert_allclose(energy, energy[0], rtol=1e-7)
