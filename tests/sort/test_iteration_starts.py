"""Guesses for iterations: what follows from time, own start values, what follows from them, singly or together, and
what follows from states that begin at zero."""

from __future__ import annotations

import numpy as np
import pytest
from models_from_text import translate

from cutset.compiler.expressions.random_evaluation import RandomPoint
from cutset.compiler.expressions.text import text
from cutset.compiler.instantiate.instance import parameter_numbers
from cutset.compiler.sort.iteration_starts import IterationStarts


def guesses(model: str) -> dict[str, str]:
    return {str(v.data): text(e) for v, e in IterationStarts(translate(model).system).items()}


def test_what_follows_from_a_start_value() -> None:
    found = guesses("model M\n  local x (start=2), a, b\n  der(x) = -b\n  a = 3*x + 4\n  b = a + x\nend\n")
    assert found == {"x": "2", "a": "10", "b": "12", "der(x)": "-12"}


def test_what_follows_from_a_state_that_begins_at_zero() -> None:
    found = guesses("model M\n  local x, a, b\n  der(x) = -b\n  a = 3*x + 4\n  b = a + x\nend\n")
    assert found == {"x": "0", "a": "4", "b": "4", "der(x)": "-4"}


def test_what_follows_from_time_counts_before_start_values() -> None:
    text = (
        "model M\n  parameter L = 2\n  local a (start=7), b, s, x (start=1)\n  a = 3*cos(time)\n"
        "  b = sqrt(L^2 + a) + x\n"
    )
    found = guesses(text + "  s = if time < 1 then 4 else 5\n  der(x) = -x\nend\n")
    assert found == {"a": "3", "b": "1 + sqrt(3 + L*L)", "s": "4", "x": "1", "der(x)": "-1"}


def test_what_has_no_value_at_time_zero_is_not_known() -> None:
    found = guesses("model M\n  local x (start=1), a, b\n  der(x) = -x\n  a = log(time)\n  b = a + x\nend\n")
    assert found == {"x": "1", "der(x)": "-1"}


def test_what_is_not_linear_is_not_known() -> None:
    found = guesses("model M\n  local x (start=1), a, b\n  der(x) = -x\n  a^3 + a = x\n  b = a + x\nend\n")
    assert found == {"x": "1", "der(x)": "-1"}


def test_what_linear_equations_give_together() -> None:
    # a and b along two directions, from which c follows; without them a would begin at zero, since it is a state.
    declared = "model M\n  parameter k = 0.5\n  local x (start=1), a, b, c, f\n  der(x) = -x\n  der(a, 2) = f\n"
    system = translate(declared + "  a + k*b = x\n  a - b = 4\n  c = a + b\nend\n").system
    at = RandomPoint(parameter_numbers(system.parameters))
    values = {str(v.data): at.value(e) for v, e in IterationStarts(system).items()}
    a, b = np.linalg.solve([[1, 0.5], [1, -1]], [1, 4])
    assert [values[name] for name in "abc"] == pytest.approx([a, b, a + b])


@pytest.mark.parametrize("nearly", ["cos(time)", "(1 + 1e-9*x)"])
def test_linear_equations_that_are_singular_give_none(nearly: str) -> None:
    declared = "model M\n  local x (start=1), a, b\n  der(x) = -x\n"
    found = guesses(declared + f"  a + {nearly}*b = x\n  a + b = 2 + x\nend\n")
    assert "a" not in found and "b" not in found


def test_of_several_linear_equations_regular_ones_count() -> None:
    declared = "model M\n  local x (start=1), y (start=2), a, b\n  der(x) = -x\n"
    found = guesses(declared + "  a + cos(time)*b = y\n  a + b = y\n  a - b = y^3\nend\n")
    assert (found["a"], found["b"]) == ("5", "-3")


@pytest.mark.parametrize("factor", ["k", "x"])
def test_a_factor_that_may_be_zero_gives_none(factor: str) -> None:
    found = guesses(f"model M\n  parameter k = 2\n  local x (start=1), a\n  der(x) = -x\n  {factor}*a = x + 3\nend\n")
    assert "a" not in found
