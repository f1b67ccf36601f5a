"""The search ahead of a point for what becomes infinite."""

from __future__ import annotations

import numpy as np
import pytest

import cutset
from cutset.runtime.analysis.singular_point import Ahead, Point


@pytest.mark.parametrize(
    ("equation", "is_lost"),
    [
        ("y = 100 + 900/(1 + (5*(x - 0.5))^2)", False),  # four times as large as here
        ("y = 100 + 9e6/(1 + (5*(x - 0.5))^2)", False),  # large here already
        ("y = 100 + 1/(x - 0.5)^2", True),
    ],
)
def test_a_peak_is_no_pole(equation, is_lost) -> None:
    model = cutset.loads(f"model M\n  local x (start=1), y\n  der(x) = -1\n  {equation}\nend\n").build("python")
    none = np.zeros(0)
    found = Ahead(model, model.bind({}), Point(1.0, np.ones(1), none, none)).lost(2.0)
    assert (found is not None) == is_lost
