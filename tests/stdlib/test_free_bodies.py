"""A free body that a constraint holds, the construct of absolute coordinates: what the constraint leaves open keeps its
energy."""

import numpy as np
import pytest

import cutset

TEXT = """@{library}
model Held
  submodel (Inertial) i(ng1=-1)
  submodel (Free) f
  submodel (Body) m(m=2, r1=0.3, I11=0.2, I22=0.3, I33=0.25)
  submodel (CutRevolute) c(n3=1)
  connect i to f to m, c at (i, f:b)
end
"""


@pytest.mark.parametrize("library", ["mbs", "mbssim"])
def test_held_by_a_revolute_joint_it_is_a_pendulum(write_model, library):
    model = cutset.load(write_model(TEXT.replace("{library}", library)), parameters={"m.r2": 0.1})
    run = model.simulate(stop=2.0, rtol=1e-8, atol=1e-8, points=41)
    angle = np.unwrap(np.arctan2(run["m.Ta(2,1)"], run["m.Ta(1,1)"]))
    speed = run["m.va(3)"]
    # Kinetic energy about the axis, and the weight along -x of a center at [0.3, 0.1].
    height = 0.3 * np.cos(angle) - 0.1 * np.sin(angle)
    energy = 0.5 * (0.25 + 2 * 0.1) * speed**2 + 2 * 9.81 * height
    assert np.ptp(angle) > 1.0
    np.testing.assert_allclose(energy, energy[0], atol=1e-5)
