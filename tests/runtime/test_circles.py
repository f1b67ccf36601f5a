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


def test_a_start_that_searches_in_each_pass_ends_early() -> None:
    """floor(y) = y - 1 has no value; each pass turns the signs round, which 20 relations follow after a search.
    Its tape, floor(y) within y, has no end either."""
    relations = "\n".join(f" x{k} = if x{(k + 1) % 20}*s > 0 then -1 else 1" for k in range(20))
    variables = ", ".join(f"x{k}" for k in range(20))
    turned = "y = floor(y) + 1\n s = cos(3.1415926535*y)"
    text = f"model S\n local {variables}, z (start=0), y, s\n der(z) = x0\n{relations}\n {turned}\nend\n"
    with pytest.raises(RunError, match=r"E619.*: initialization does not converge after \d\d passes"):
        cutset.loads(text).simulate(1.0)
