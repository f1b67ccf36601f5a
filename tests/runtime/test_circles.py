"""Starts that do not come to rest end with a message soon, however long each of their rounds takes."""

from __future__ import annotations

import pytest

import cutset
from cutset.runtime.errors import RunError

# k grows with each round; q is on the other side of each of its thresholds then, and r on that of q.
_COUNTS = """
model Counts
  local k (start=0), q, x (start=1)
  new(k) = if q > -1 then k + 1 else k + 2
  q = if x + k > 3 then 1 else 0
  der(x) = -x
end
"""


@pytest.mark.parametrize("target", ["c", "python"])
def test_a_start_that_counts_without_end(write_model, target) -> None:
    with pytest.raises(RunError, match=r"E619.*: initialization does not converge after 100 passes"):
        cutset.load(write_model(_COUNTS)).simulate(1.0, target=target)
