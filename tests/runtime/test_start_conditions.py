"""Conditions at the start that follow from others: each is compared with the size of its own terms."""

from types import SimpleNamespace

import numpy as np
import pytest

from cutset.contract.metadata import StartCondition
from cutset.runtime.errors import RunError
from cutset.runtime.runs.start_failures import check_conditions

INFO = SimpleNamespace(
    start_conditions=[StartCondition(f"x{k} = {k}", f"m.mo:{k}", ((f"y{k} = {k}", f"m.mo:{k + 9}"),)) for k in range(3)]
)


def test_every_condition_has_a_residual_and_a_size():
    check_conditions(INFO, {}, np.array([0.0, 5.0, 0.0, 7.0, 0.0, 2.0]))
    check_conditions(INFO, {}, np.array([0.0, 1.0, 1e-3, 1e9, 0.0, 1.0]))


@pytest.mark.parametrize("violated", range(3))
def test_a_violated_condition_is_named(violated):
    left = np.array([[0.0, 1.0]] * 3)
    left[violated, 0] = 0.5
    with pytest.raises(RunError, match=f"x{violated} = {violated} contradicts y{violated} = {violated}"):
        check_conditions(INFO, {}, left.ravel())
