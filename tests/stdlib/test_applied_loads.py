"""The terminals f and tau of joints with Euler parameters: loads on b, with their reactions at a."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.stdlib.multibody_pairs import LIBRARIES, assert_same, at_start, vectors

_FLYING = """
@mbs
model Flying "a body whose frame is in its center of mass"
  submodel (Inertial) i(ng3=-1)
  submodel (Free) j(angle1=0.3, angle2=0.7, w1=0.3, w2=-0.5, w3=0.2, v1=0.2, x2=0.4)
  submodel (Body) body(m=2, I11=1, I22=2, I33=1.5, I21=0.1)
  connect i to j to body
  j.f = [1, 2, -3]
  j.tau = [0.3, -0.2, 0.5]
end
"""

_HANGING = """
@mbs
model Hanging "two bodies at rest, held by a joint and by a torque on it that turns the second one"
  submodel (Inertial) i(ng3=-1)
  submodel (Free) j
  submodel (Body) first(m=2, I11=1, I22=2, I33=1.5)
  submodel (Spherical) s
  submodel (Body) second(m=1, I11=0.5, I22=0.2, I33=0.4)
  connect i to j to s to second, first at j:b
  s.tau = [-0.7, 0.6, 0.1]
end
"""


@pytest.mark.parametrize("library", LIBRARIES)
def test_loads_on_a_free_body(library: str, tmp_path: Path) -> None:
    path = tmp_path / "flying.mo"
    path.write_text(_FLYING)
    inertia = np.array([[1, 0.1, 0], [0.1, 2, 0], [0, 0, 1.5]])
    w, torque, force = np.array([0.3, -0.5, 0.2]), np.array([0.3, -0.2, 0.5]), np.array([1, 2, -3])
    expected = np.linalg.solve(inertia, torque - np.cross(w, inertia @ w))
    found = at_start(path, [*vectors("j.alpha"), *(f"der(j.v({k}))" for k in (1, 2, 3))], library)
    assert_same(found, np.concatenate((expected, force / 2 + [0, 0, -9.81])))


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_torque_acts_on_both_sides_of_a_spherical_joint(library: str, tmp_path: Path) -> None:
    path = tmp_path / "hanging.mo"
    path.write_text(_HANGING)
    torque = np.array([-0.7, 0.6, 0.1])
    one, other = -torque / [1, 2, 1.5], torque / [0.5, 0.2, 0.4]
    assert_same(at_start(path, vectors("j.alpha", "s.alpha"), library), np.concatenate((one, other - one)))
