"""Published models that have no solution: the message names what is wrong with them."""

from __future__ import annotations

import pytest

import cutset
from cases.case import FOLDER


def test_singular_system_is_named():
    with pytest.raises(cutset.ModelError) as caught:
        cutset.load(FOLDER / "refused" / "pantelides_singular.mo")
    text = str(caught.value)
    assert "nothing determines 'u1', 'u2'" in text and "2 equations for 'x'" in text


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("pendulum_without_force.mo", ["5 equations for 'x', 'y', 'vx', 'vy'", "der(vx) = -x", "x^2 + y^2 = 1"]),
        ("bound_twice.mo", ["3 equations for 'x', 'y'", "der(x) = 1 - x", "der(y) = x - y", "x = 2*y"]),
    ],
)
def test_constraints_that_nothing_gives_way_to_are_named(file: str, said: list[str]) -> None:
    """Taken alone, each equation is fine; the constraint and its derivatives are too many beside the others."""
    with pytest.raises(cutset.ModelError) as caught:
        cutset.load(FOLDER / "refused" / file)
    text = str(caught.value)
    assert [words for words in said if words not in text] == []


RELAY = """
model Relay "pulls x back to zero from both sides"
  local x (start=0.5)
  der(x) = if x > 0 then -1 else 1
end
"""

BALL = """
model Ball "leaps lower and lower, and has no way to lie still"
  local h (start=1), v
  der(h) = v
  der(v) = -9.81
  when h <= 0 then
    init(v) = -0.7*v
  endwhen
end
"""


@pytest.mark.parametrize("target", ["c", "python"])
@pytest.mark.parametrize("method", ["auto", "cvode-bdf"])
@pytest.mark.parametrize(("text", "relation", "at"), [(RELAY, "x > 0", 0.5), (BALL, "h <= 0", 2.56)])
def test_events_without_end_end_the_run(
    write_model, text: str, relation: str, at: float, method: str, target: str
) -> None:
    """The relation is named, with its place and the instant."""
    with pytest.raises(cutset.RunError) as caught:
        cutset.load(write_model(text)).simulate(100.0, method=method, target=target)
    error = caught.value
    assert error.code == "E620" and relation in error.message
    assert any("model.mo:" in note for note in error.notes)
    assert float(error.message.rpartition("at time ")[2]) == pytest.approx(at, abs=0.01)
