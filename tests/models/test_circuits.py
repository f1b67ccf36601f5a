"""models/rc.mo and models/cauer_low_pass.mo against closed solutions and a published curve."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from oracles import circuits

import cutset

HERE = Path(__file__).parent
MODELS = HERE.parent.parent / "models"
ACCURATE = {"rtol": 1e-9, "atol": 1e-9, "method": "dopri5"}


def test_rc_charges_exponentially():
    run = cutset.load(MODELS / "rc.mo", "RC").simulate(stop=1.0, **ACCURATE)
    since = np.maximum(run.time - 0.1, 0.0)
    np.testing.assert_allclose(run["C.u"], 10 * (1 - np.exp(-since / 0.1)), atol=1e-6)
    after = run.time > 0.1
    np.testing.assert_allclose(run["R.i"][after], 0.01 * np.exp(-since[after] / 0.1), atol=1e-9)


def test_rc_follows_its_parameters():
    model = cutset.load(MODELS / "rc.mo")
    run = model.simulate(stop=1.0, parameters={"R.R": 500.0, "V.t0": 0.25, "V.V0": 4.0, "C.u0": 4.0}, **ACCURATE)
    since = np.maximum(run.time - 0.25, 0.0)
    np.testing.assert_allclose(run["C.u"], 4 + 6 * (1 - np.exp(-since / 0.05)), atol=1e-6)


@pytest.fixture(scope="module")
def low_pass():
    return cutset.load(MODELS / "cauer_low_pass.mo", "CauerLowPass")


def test_cauer_has_five_states_out_of_seven_derivatives(low_pass):
    assert len(low_pass.states) == 5
    assert low_pass.inspect()["differentiated_equations"] > 0


def test_cauer_equals_the_published_curve(low_pass):
    """Within 2e-3 of each curve's range, at some time within one output step (0.12 s) of the wanted one."""
    reference = np.genfromtxt(HERE / "reference" / "cauer_low_pass.csv", delimiter=",", names=True, skip_header=2)
    fine = 0.01
    run = low_pass.simulate(stop=60.0, interval=fine)
    for name in circuits.CAUER_NAMES:
        curve = reference[name.replace(".u", "v").replace(".i", "i")]
        for t, expected in zip(reference["time"], curve, strict=True):
            # The tube is widened in time around the step only.
            reach = 0.12 if abs(t - 1.0) < 0.12 else 1e-6
            near = run[name][np.abs(run.time - t) <= reach]
            assert near.min() - 2e-3 * np.ptp(curve) <= expected <= near.max() + 2e-3 * np.ptp(curve), (name, t)


def test_cauer_comes_nearer_to_the_exact_solution_with_the_tolerance(low_pass):
    errors = []
    for tolerance in (1e-4, 1e-6, 1e-8):
        run = low_pass.simulate(stop=60.0, interval=0.6, rtol=tolerance, atol=tolerance, method="dopri5")
        exact = circuits.step_response(run.time)
        found = np.column_stack([run[name] for name in circuits.CAUER_NAMES])
        errors.append(np.max(np.abs(found - exact)))
    assert errors[0] > 5 * errors[1] > 25 * errors[2]
    assert errors[2] < 1e-6
