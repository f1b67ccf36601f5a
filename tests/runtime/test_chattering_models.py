"""Relations that come to rest at their crossing never make a run hang: a small part of ``chattering_models.py``."""

from pathlib import Path

import pytest
from chattering_models import KINDS, faults

import cutset


@pytest.mark.parametrize("number", range(2 * KINDS))
def test_a_relation_at_its_crossing_ends_with_the_right_values(number: int, tmp_path: Path) -> None:
    assert faults(number, tmp_path) == []


def test_a_method_outside_counts_crossings_that_errors_explain() -> None:
    """A signal of 1 MHz, smaller than its tolerance, would cross 300,000 times."""
    text = """model M
  local s, z(start=1), y
  der(s) = 1e-3*z
  der(z) = -1e15*s
  der(y) = if s > 0 then 1 else 0
end
"""
    model = cutset.loads(text)
    with pytest.raises(cutset.RunError, match=r"E620.*the relation s > 0 crossed 301 times within 0.0009"):
        model.simulate(1.0, points=3, method="bdf", rtol=1e-3)
