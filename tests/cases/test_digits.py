"""Problems of the Test Set for IVP Solvers, written as plain equations: correct digits at the end of a run.

Digits are counted as the test set does (F. Mazzia, C. Magherini: Test Set for Initial Value Problem Solvers, release
2.4, section II.2.1): with equal absolute and relative tolerances, mescd = -log10(max |y - reference|/(1 +
|reference|)); scd is that of the relative error alone. All components of the reference count, the multipliers of
constraints too.
"""

from __future__ import annotations

import numpy as np
import pytest

import cutset
from cases.case import IVP
from cases.cases import CASES
from cases.measure import reference_of

PROBLEMS = [case for case in CASES if case.source == IVP]
INDEX = {"Pleiades": 1, "Transistor amplifier": 1, "Car axis": 3, "Andrews' squeezer": 3}
COMPONENTS = {"Pleiades": 28, "Transistor amplifier": 8, "Car axis": 10, "Andrews' squeezer": 20}


def digits(case, text: str, write_model) -> tuple[float, float]:
    """mescd and scd of a run at 1e-8, with the method that is taken where none is named."""
    run = cutset.load(write_model(text), case.model).simulate(stop=case.stop, rtol=1e-8, atol=1e-8)
    reference = reference_of(case.reference)
    wanted = np.array([reference.columns[column][-1] for column in case.names])
    error = np.abs([run[name][-1] for name in case.names.values()] - wanted)
    return -np.log10(np.max(error / (1 + np.abs(wanted)))), -np.log10(np.max(error / np.abs(wanted)))


def test_all_of_them_with_all_components():
    assert {case.name: len(case.names) for case in PROBLEMS} == COMPONENTS


@pytest.mark.parametrize("case", PROBLEMS, ids=str)
def test_five_digits(case, write_model):
    mescd, scd = digits(case, case.path.read_text(encoding="utf-8"), write_model)
    assert mescd >= 5
    assert scd >= 4.9


@pytest.mark.parametrize("case", [case for case in PROBLEMS if INDEX[case.name] == 3], ids=str)
def test_no_help_with_the_states_is_needed(case, write_model):
    """Without a preference for states, too: the compiler reduces the index 3."""
    text = case.path.read_text(encoding="utf-8")
    assert "state=prefer" in text
    mescd, _ = digits(case, text.replace(", state=prefer", ""), write_model)
    assert mescd >= 5
