"""Relations that come to rest at their crossing never make a run hang: a small part of ``chattering_models.py``."""

from pathlib import Path

import pytest
from chattering_models import KINDS, faults


@pytest.mark.parametrize("number", range(2 * KINDS))
def test_a_relation_at_its_crossing_ends_with_the_right_values(number: int, tmp_path: Path) -> None:
    assert faults(number, tmp_path) == []
