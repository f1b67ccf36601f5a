"""Equations of the start that give discrete variables their values."""

from __future__ import annotations

import pytest
from models_from_text import translate

import cutset
from cutset.compiler.diagnostics import ModelError

TEXT = """
model M
  parameter p = 4
  local n, k (start=9, fixed=false), x
  local (Boolean) on
  der(x) = n + k
  when sample(1, 1) then
    new(n) = n + 1
    new(k) = k + 1
    new(on) = not on
  endwhen
  initial
{}
  endinitial
end
"""


def test_they_follow_parameters_in_any_order_and_states_follow_them(write_model) -> None:
    model = cutset.load(write_model(TEXT.format("    k = 2*n + 1\n    n = p\n    on = true\n    x = n + k")))
    for p in (4.0, 7.0):
        run = model.simulate(1.5, parameters={"p": p})
        assert [run[name][0] for name in ("n", "k", "on", "x")] == [p, 2 * p + 1, 1, 3 * p + 1]
        assert [run[name][-1] for name in ("n", "k", "on")] == [p + 1, 2 * p + 2, 0]
    assert model.simulate(0.5, initial={"n": -1.0})["n"][0] == -1.0


def test_one_that_is_left_begins_at_its_guess(write_model) -> None:
    run = cutset.load(write_model(TEXT.format("    n = p"))).simulate(0.5)
    assert [run[name][0] for name in ("n", "k", "on")] == [4, 9, 0]


@pytest.mark.parametrize(
    ("equations", "code"),
    [
        ("    n = 1\n    n = 2", "E507"),
        ("    n = 1\n    k = 2\n    n + k = 3", "E507"),
        ("    n + k = 3", "E508"),
        ("    n^2 = 4", "E508"),
        ("    n = time", "E508"),
    ],
)
def test_what_cannot_be(equations: str, code: str) -> None:
    with pytest.raises(ModelError, match=code):
        translate(TEXT.format(equations))
