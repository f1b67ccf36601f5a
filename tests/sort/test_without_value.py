"""What has no value in any state, because the equations give a quantity a number there: said with its place, wherever
it stands."""

from __future__ import annotations

import pytest
from models_from_text import translate

from cutset.compiler.diagnostics import ModelError

# p is found to be zero only when these two are solved.
_ZERO = "  p + q = 2\n  p - q = -2\n"


@pytest.mark.parametrize(
    "action",
    [
        "r = 1/p",
        "r = mod(y, p)",  # a relation: where y/p passes a whole number
        "r = if y/p > 3 then 1 else 0",
        "r = delay(y/p, 1)",
        "r = 0\n  assert 1/p > 2, 'big'".replace("'", '"'),
        "r = 0\n  when log(p) > y then\n    init(y) = 1\n  endwhen",
        "r = 0\n  when y > 1 then\n    init(y) = 1/p\n  endwhen",
        "when y > 1 then\n    new(r) = 1/p\n  endwhen",
    ],
)
def test_it_is_said_where_it_stands(action: str) -> None:
    with pytest.raises(
        ModelError, match=r"error\[E517\]: part of this equation is undefined for every state"
    ) as caught:
        translate(f"model M\n  local p, q, r (start=0), y (start=2)\n{_ZERO}  der(y) = -y\n  {action}\nend\n")
    assert {d.code for d in caught.value.diagnostics} == {"E517"}


def test_a_derivative_that_is_too_large_for_a_number() -> None:
    # x is bound, so that the derivative of the second equation is needed, in which 1e300 stands squared.
    text = "model M\n  local x, f\n  der(x) = f\n  atan2(x, 1e300) = time\nend\n"
    with pytest.raises(ModelError, match=r"error\[E517\].*\n(.*\n)*.*its derivative is needed"):
        translate(text)
