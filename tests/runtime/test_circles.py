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


def passes(path, target: str = "c") -> int:
    with pytest.raises(RunError, match=r"E619.*: initialization does not converge after \d+ passes") as caught:
        cutset.load(path).simulate(1.0, target=target)
    return int(caught.value.message.split(" after ")[1].split()[0])


def test_what_a_start_looks_at_is_bounded(write_model, monkeypatch) -> None:
    path = write_model(_COUNTS)
    assert passes(path) == 100
    monkeypatch.setattr("cutset.runtime.initialize._MOST_LOOKS", 20)
    assert 2 <= passes(path, "python") <= 20
