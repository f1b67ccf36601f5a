"""The elastic slider-crank of B. Simeon against the reference solution of the Test Set for IVP Solvers."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import cutset

MODEL = Path(__file__).parents[2] / "models" / "elastic_slider_crank.mo"
# At 0.1 s, from the documentation of the test set.
PUBLISHED = {
    "phi2": -0.331173498825626,
    "rod.q(1)": 1.893192899613509e-4,
    "rod.q(2)": 2.375751249879174e-5,
    "rod.q(3)": -5.323896770569702e-6,
    "rod.q(4)": -8.363313279112129e-6,
}


def test_its_motion_is_the_published_one():
    run = cutset.load(MODEL, instead={"mbs": "mbssim"}).simulate(0.1, rtol=1e-9, atol=1e-12)
    for name, value in PUBLISHED.items():
        np.testing.assert_allclose(run[name][-1], value, rtol=1e-6, err_msg=name)
    np.testing.assert_allclose(0.45 + run["slider.q"][-1], 0.169737332842786, rtol=1e-8)
