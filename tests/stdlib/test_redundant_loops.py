"""Mechanisms some of whose constraints say nothing new: they move, keep their energy, and say what is redundant. A large run of the linkages:
``python -m tests.stdlib.test_redundant_loops FIRST COUNT``."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

import cutset
from tests.oracles.linkages import KINDS, linkage

ACCURATE = {"rtol": 1e-9, "atol": 1e-9}

FOUR_BAR = """@mbs
model FourBar
  submodel (Inertial) world(ng3=-1)
  submodel (JointState) drive
  submodel (Revolute) crank(n2=1, q0=0.3, qd0=1), j2(n2=1), j3(n2=1)
  submodel (Bar) b1(r3=1), b2(r1=2), b3(r3=-2), ground(r1=2.5, r3=-0.5)
  submodel (Body) m1(m=1, r3=0.5, I22=0.1), m2(m=1, r1=1, I22=0.3), m3(m=1, r3=-1, I22=0.3)
  submodel (PlanarCutRevolute) c(n2=1)
  connect world to crank to b1 to j2 to b2 to j3 to b3 to c, world to ground, ground:b at c:b, drive at crank:ext
  connect m1 at crank:b, m2 at j2:b, m3 at j3:b
end
"""
AXLE = """@mbs
model Axle
  submodel (Inertial) world(ng3=-1)
  submodel (FreeCardan) f(q03=0.3)
  submodel (Body) axle(m=1, I11=1, I22=0.01, I33=1)
  submodel (Bar) left(r2=0.5), right(r2=-0.5)
  submodel (Revolute) r1(n2=1, qd0=1), r2(n2=1, qd0=2)
  submodel (Body) w1(m=1, I11=0.1, I22=0.2, I33=0.1), w2(m=1, I11=0.1, I22=0.2, I33=0.1)
  submodel (RollingWheel) roll1(radius=0.3), roll2(radius=0.3)
  connect world to f, axle at f:b, f:b to left to r1, f:b to right to r2
  connect w1 at r1:b, roll1 at r1:b, w2 at r2:b, roll2 at r2:b
end
"""


def failure_of(seed: int, library: str, folder: Path) -> str:
    """What is wrong with a run of a random linkage; empty where nothing is."""
    drawn = linkage(seed)
    path = folder / f"linkage_{library}.mo"
    path.write_text(drawn.text(library))
    try:
        run = cutset.load(path).simulate(stop=0.4, points=5, **ACCURATE)
    except (cutset.ModelError, cutset.RunError) as error:
        return str(error)
    energy = drawn.energy(run)
    if np.ptp(energy) > 1e-6 * max(1.0, abs(energy).max()):
        return f"the energy goes from {energy.min()} to {energy.max()}"
    return "" if len(run.notes) == 1 and "'c'" in run.notes[0] else f"the notes are {run.notes}"


@pytest.mark.parametrize("seed", [0, 3], ids=lambda seed: KINDS[seed])
def test_linkage_keeps_its_energy(seed, tmp_path):
    """No constraint of the second one can be left out all along its motion."""
    assert failure_of(seed, "mbs", tmp_path) == ""


def test_planar_loop_that_is_closed_in_space_moves_as_in_the_plane(write_model):
    texts = FOUR_BAR, FOUR_BAR.replace("PlanarCut", "Cut")
    planar, spatial = (cutset.load(write_model(text)).simulate(stop=1.0, points=11, **ACCURATE) for text in texts)
    for name in ("crank.q", "crank.qdd", "c.F(1)", "c.F(3)"):
        np.testing.assert_allclose(spatial[name], planar[name], rtol=1e-6, atol=1e-7)
    for name in ("c.F(2)", "c.tau(1)", "c.tau(3)"):  # nothing acts across the plane
        np.testing.assert_allclose(spatial[name], 0.0, atol=1e-9)
    assert planar.notes == ()
    assert len(spatial.notes) == 1
    assert "3 conditions of 'c'" in spatial.notes[0]


def test_two_wheels_on_an_axle_share_the_force_along_it(write_model):
    run = cutset.load(write_model(AXLE)).simulate(stop=1.0, points=11, **ACCURATE)
    assert len(run.notes) == 1
    assert "'roll1' and 'roll2'" in run.notes[0]
    # A wheel turns at w1, the other at w2: the axle turns about the vertical at radius*(w2 - w1)/distance and moves at the mean speed.
    rate, speed = 0.3 * (2.0 - 1.0) / 1.0, 0.3 * 1.5
    np.testing.assert_allclose(run["r1.qd"], 1.0, atol=1e-7)
    np.testing.assert_allclose(run["r2.qd"], 2.0, atol=1e-7)
    along = [run[f"roll{k}.f(1)"] * -np.sin(rate * run.time) + run[f"roll{k}.f(2)"] * np.cos(rate * run.time) for k in (1, 2)]
    np.testing.assert_allclose(along[0], along[1], atol=1e-6)
    np.testing.assert_allclose(along[0] + along[1], 3.0 * speed * rate, rtol=1e-5)


if __name__ == "__main__":
    first, count = int(sys.argv[1]), int(sys.argv[2])
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(first, first + count):
            for name in ("mbs", "mbssim"):
                said = failure_of(number, name, Path(folder))
                wrong += bool(said)
                if said:
                    print(f"{number} ({KINDS[number % len(KINDS)]}, {name}): {said.splitlines()[0]}", flush=True)
    print(f"{2 * count} runs, {wrong} wrong")
