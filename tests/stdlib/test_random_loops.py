"""Random loops in all multibody libraries; `python -m tests.oracles.many_loops` does it for as many as one likes."""

from __future__ import annotations

import pytest
from oracles.many_loops import LIBRARIES, apart, loop_number


@pytest.mark.parametrize(
    ("number", "libraries"), [(0, ("mbs", "mbsabs")), (0, ("mbs", "mbssim", "mbsmat")), (4, LIBRARIES[:2])], ids=str
)
def test_random_loops_agree(number, libraries, tmp_path):
    found = apart(loop_number(number, 3), tmp_path, libraries, target="python")
    assert len(found) == len(libraries) - 1 and max(found.values()) < 1e-9
