"""What holds after an event: the order of the values, restarts, and what cannot be put in order."""

from __future__ import annotations

import pytest
from models_from_text import translate

import cutset
from cutset.compiler.diagnostics import ModelError


def refused(text: str) -> str:
    with pytest.raises(ModelError) as caught:
        translate(text)
    return str(caught.value)


def test_values_after_an_event_that_need_each_other_in_a_chain(write_model) -> None:
    # c needs b, b needs a; written the other way round. Each is one more than the last.
    text = """
model M
  local a (start=0), b (start=0), c (start=0)
  new(c) = new(b) + 1
  new(b) = new(a) + 1
  when sample(1, 1) then
    new(a) = a + 10
  endwhen
end
"""
    run = cutset.load(write_model(text)).simulate(2.5)
    assert [(run[name][0], run[name][-1]) for name in "abc"] == [(0, 20), (1, 21), (2, 22)]


@pytest.mark.parametrize(
    ("equations", "circle"),
    [
        ("new(a) = new(a) + 1\n  new(b) = 0\n  new(c) = new(a)", "new(a) -> new(a)"),
        ("new(a) = new(b)\n  new(b) = new(c)\n  new(c) = new(a)", "new(a) -> new(b) -> new(c) -> new(a)"),
        ("new(a) = new(b)\n  new(b) = new(c)\n  new(c) = new(b)", "new(b) -> new(c) -> new(b)"),
    ],
)
def test_a_circle_is_named_without_what_leads_to_it(equations: str, circle: str) -> None:
    message = refused(
        f"model M\n  local a (start=0), b (start=0), c (start=0), x\n  der(x) = a + b + c\n  {equations}\nend\n"
    )
    assert f"depends on itself: {circle}\n" in message
    assert "= in:   M\n" in message


def test_the_later_of_two_restarts_counts(write_model) -> None:
    text = """
model M
  local x (start=0), n (start=0)
  der(x) = 1
  when x > 1 then
    init(x) = -1
    new(n) = n + 1
  elsewhen x > 0.5 then
    init(x) = 0.6
    new(n) = n + 100
  endwhen
end
"""
    # 0.6 at 0.5 s, 1 at 0.9 s, where it jumps to -1, and 0.6 again from 2.4 s on.
    run = cutset.load(write_model(text)).simulate(2.5)
    assert run["n"][-1] == 201
    assert run["x"][-1] == pytest.approx(0.7, abs=1e-6)


@pytest.mark.parametrize(("name", "where"), [("x", "M"), ("s.x", "s")])
def test_a_delay_between_states_is_refused_in_its_instance(name: str, where: str) -> None:
    lines = "  local x, y, F\n  der(x) = F\n  der(y) = 1 - F\n  x = delay(y, 0.1)\nend\n"
    text = f"model M\n{lines}" if where == "M" else f"model class C\n{lines}\nmodel M\n  submodel (C) s\nend\n"
    message = refused(text)
    assert "error[E511]" in message
    assert f"= in:   {where}\n" in message


def test_what_asks_for_the_value_after_is_named(write_model) -> None:
    lines = (
        "  der(x) = 1\n  when x > 0.5 then\n    new(n) = n + 1\n  endwhen\n  when x + n > new(n) then\n    new(k) = x\n"
        "  endwhen\n"
    )
    message = refused(f"model M\n  local x (start=0), n (start=0), k (start=0)\n{lines}end\n")
    assert "error[E506]: this condition uses new(n), which" in message


TWO_WHENS = """
model M
  local x (start=0), n (start=0)
  der(x) = 1
  when time >= 1 then
    init(x) = {first}
    new(n) = n + 1
  endwhen
  when {condition} then
    init(x) = {second}
  endwhen
end
"""


@pytest.mark.parametrize("target", ["c", "python"])
@pytest.mark.parametrize("condition", ["time >= 1", "sample(1, 10)", "time > 0.5 + 0.5"])
@pytest.mark.parametrize(("first", "second"), [("-1", "-2"), ("-2", "-1"), ("0", "new(n)"), ("new(n) + x", "x")])
def test_two_values_at_one_instant_are_an_error_that_names_both(write_model, target, condition, first, second) -> None:
    model = cutset.load(write_model(TWO_WHENS.format(condition=condition, first=first, second=second)))
    with pytest.raises(cutset.RunError) as caught:
        model.simulate(1.5, target=target)
    error = caught.value
    assert error.code == "E640" and "'x'" in error.message and error.message.endswith("at time 1.0")
    places = [note.split(": ")[0].rpartition(".mo")[2] for note in error.notes]
    assert places == [":6:5", ":10:5"]


@pytest.mark.parametrize("target", ["c", "python"])
@pytest.mark.parametrize(
    ("first", "second", "end"), [("-1", "-1", -0.5), ("0.1*x + 0.2*x", "0.3*x", 0.8), ("n - 1", "new(n) - 2", -0.5)]
)
def test_equal_values_at_one_instant_are_fine(write_model, target, first, second, end) -> None:
    model = cutset.load(write_model(TWO_WHENS.format(condition="time >= 1", first=first, second=second)))
    assert model.simulate(1.5, target=target)["x"][-1] == pytest.approx(end)


def test_two_instants_and_two_states_are_no_contradiction(write_model) -> None:
    text = TWO_WHENS.format(condition="time >= 1.25", first="-1", second="-2")
    assert cutset.load(write_model(text)).simulate(1.5)["x"][-1] == pytest.approx(-1.75)
    text = text.replace("x (start=0)", "x (start=0), y (start=0)").replace("der(x) = 1", "der(x) = 1\n  der(y) = 0")
    text = text.replace("init(x) = -2", "init(y) = -2").replace("1.25", "1")
    run = cutset.load(write_model(text)).simulate(1.5)
    assert (run["x"][-1], run["y"][-1]) == (pytest.approx(-0.5), -2)
