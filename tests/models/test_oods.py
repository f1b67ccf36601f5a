"""models/oods/double_pendulum.mo, the example of Koh and Park, in all formulations."""

from __future__ import annotations

import numpy as np
import pytest
from shipped_models import LIBRARIES, shipped

# Centers of mass after 1.8 s, by an independent integration of the planar pendulum.
CENTERS = {"bar": (-0.127454955, -0.483482403), "bar2": (-0.707714761, -1.17902085)}


@pytest.mark.parametrize("library", LIBRARIES)
def test_centers_of_mass(library):
    model = shipped("oods/double_pendulum.mo", library=library)
    run = model.simulate(stop=1.8, points=2, rtol=1e-11, atol=1e-11, method="dopri5")
    for bar, place in CENTERS.items():
        found = [run[f"{bar}.center.r({k})"][-1] for k in (1, 2)]
        np.testing.assert_allclose(found, place, atol=1e-8)
