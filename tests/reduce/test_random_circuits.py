"""Random circuits against the modified nodal analysis; ``python -m tests.reduce --count 2000`` does many."""

from __future__ import annotations

import pytest
from oracles.random_circuits import random_circuit
from reduce.against_nodal_analysis import verdict_on


@pytest.mark.parametrize("number", range(16))
def test_random_circuits_agree_with_nodal_analysis(number):
    verdict = verdict_on(random_circuit(number))
    assert verdict.kind != "wrong", verdict.detail
