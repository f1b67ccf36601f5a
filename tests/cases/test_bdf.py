"""The published cases by the methods bdf and ggl, which share no solved equation with the other methods."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import cutset
from cases.case import FOLDER
from cases.cases import CASES
from cases.measure import measure, reference_of, translated

# A backward differentiation, of order 5 at most, may need a tighter tolerance than the methods for which those of the
# cases were chosen: this times theirs.
_TIGHTER = 0.01
# `python -m tests.cases --method bdf` runs all of them, which takes minutes.
QUICK = (
    "Dahlquist", "VanDerPol", "FirstOrder", "Pleiades", "Arenstorf orbit", "Transistor amplifier",
    "SimpleFilters, R = 5", "Voltage divider with a short circuit", "Thermal.HeatTransfer.Examples.TwoMasses",
    "HeatedRod", "Mechanics.Translational.Examples.Damper", "Mechanics.Translational.Examples.Accelerate",
    "Electrical.Analog.Examples.Rectifier", "Electrical.Polyphase.Examples.Rectifier",
)  # fmt: skip


@pytest.mark.parametrize("name", QUICK)
def test_curves_meet(name):
    (case,) = (replace(case, method="bdf") for case in CASES if case.name == name)
    found = measure(case)
    if found.worst > case.bound:
        found = measure(case, case.tolerance * _TIGHTER)
    assert found.worst <= case.bound, found.apart


@pytest.mark.parametrize("method", ["bdf", "ggl"])
@pytest.mark.parametrize("name", ["Andrews' squeezer", "Car axis"])
def test_five_digits_of_index_3(name, method):
    """All components count, the multipliers too, as in test_digits.py."""
    (case,) = (case for case in CASES if case.name == name)
    run = translated(case.file, case.model).simulate(stop=case.stop, rtol=1e-10, atol=1e-10, method=method)
    reference = reference_of(case.reference)
    wanted = np.array([reference.columns[column][-1] for column in case.names])
    error = np.abs([run[name][-1] for name in case.names.values()] - wanted)
    assert np.max(error / (1 + np.abs(wanted))) < 1e-5
    assert np.max(error / np.abs(wanted)) < 10**-4.9


@pytest.fixture(scope="module")
def double_pendulum():
    return cutset.load(FOLDER.parent.parent / "models" / "oods" / "double_pendulum.mo")


@pytest.mark.parametrize("method", ["bdf", "ggl"])
def test_the_double_pendulum_of_koh_and_park(method, double_pendulum):
    """Positions of the bars' centers at 1.8 s, as an independent integration has them. On the way the torsional spring
    is turned by half a turn, where the angle that atan2 gives jumps."""
    run = double_pendulum.simulate(1.8, points=2, rtol=1e-8, atol=1e-8, method=method)
    wanted = {"bar.part.x": (-0.127454955, -0.483482403), "bar2.part.x": (-0.707714761, -1.17902085)}
    for name, position in wanted.items():
        for axis, value in enumerate(position, 1):
            assert run[f"{name}({axis})"][-1] == pytest.approx(value, abs=1e-6)
