"""A start value that a run gives counts as a written one, whatever was chosen when the model was translated."""

from __future__ import annotations

import re
from itertools import permutations

import numpy as np
import pytest
from started_four_bars import SPEEDS, four_bar, starts

import cutset
from cutset.api.command_line.command import main
from cutset.runtime.errors import RunError

# A gear; the wheel is the state.
GEAR = """
model class Shaft
  parameter w0 = {default}
  terminal w(start={start}), f
  der(w) = f
end
model Gear
  submodel (Shaft) fast{fast}
  local wheel(state=prefer{wheel}), f
  der(wheel) = f
  wheel = 2*fast.w
  f = 1 - fast.f
end
"""


def gear(default: float = 0, start: str = "w0", fast: str = "", wheel: str = "") -> str:
    return GEAR.format(default=default, start=start, fast=fast, wheel=wheel)


@pytest.mark.parametrize("order", list(permutations(SPEEDS))[::3])
def test_any_joint_of_a_loop_begins_as_the_run_says(order, write_model) -> None:
    model = cutset.load(write_model(four_bar(order)))
    for joint in SPEEDS:
        found = starts(model, *(f"{name}.qd" for name in SPEEDS), initial={f"{joint}.qd": 6.0})
        assert found == pytest.approx([6 * speed / SPEEDS[joint] for speed in SPEEDS.values()])


def test_a_written_value_of_the_same_joint_gives_way_that_of_another_contradicts(write_model) -> None:
    model = cutset.load(write_model(four_bar(("rocker", "crank", "coupler"), crank="qd0=5")))
    assert starts(model, "crank.qd", "coupler.qd", initial={"crank.qd": 1.0}) == pytest.approx([1, -1])
    with pytest.raises(RunError, match=r"E644.*'crank.qd' contradicts that of 'rocker.qd'") as raised:
        starts(model, initial={"rocker.qd": 1.0})
    assert "'rocker.qd' has a start value (given to the run)" in raised.value.notes
    assert "the start value of 'crank.qd' is 5 (" in raised.value.notes[0] and "model.mo:5:" in raised.value.notes[0]
    assert starts(model, "crank.qd", initial={"rocker.qd": 0.375, "crank.qd": 1.0}) == pytest.approx([1])


@pytest.mark.parametrize(
    ("text", "initial", "expected"),
    [
        (gear(default=3), {}, (6, 3)),  # the default of the class
        (gear(default=3), {"wheel": 20.0}, (20, 10)),
        (gear(default=3), {"fast.w": 4.0}, (8, 4)),
        (gear(start="3"), {"wheel": 20.0}, (20, 10)),
        (gear(start="3"), {"fast.w": 4.0}, (8, 4)),
        (gear(wheel=", start=5"), {"wheel": 20.0}, (20, 10)),
        (gear(fast="(w0=5)"), {"fast.w": 4.0}, (8, 4)),
        (gear(fast="(w0=5)", wheel=", start=10"), {"fast.w": 4.0, "wheel": 8.0}, (8, 4)),
        (gear(wheel=", start=5, fixed=false"), {"fast.w": 4.0}, (8, 4)),
    ],
)
def test_the_value_of_the_run_counts_more_than_a_default(text, initial, expected, write_model) -> None:
    assert starts(cutset.load(write_model(text)), "wheel", "fast.w", initial=initial) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("text", "initial", "notes"),
    [
        (gear(wheel=", start=5"), {"fast.w": 4.0}, ["'fast.w' is 4 (given", "'wheel' has a start value"]),
        (gear(), {"fast.w": 4.0, "wheel": 9.0}, ["'fast.w' is 4 (given", "value (given to the run)"]),
    ],
)  # fmt: skip
def test_two_values_that_contradict_each_other_are_named(text, initial, notes, write_model) -> None:
    with pytest.raises(RunError, match="E644") as raised:
        starts(cutset.load(write_model(text)), initial=initial)
    assert all(any(words in note for note in raised.value.notes) for words in notes)


@pytest.mark.parametrize("method", ["auto", "bdf"])
def test_all_states_of_a_run_count_more_than_another_variable_of_the_model(method, write_model) -> None:
    model = cutset.load(write_model(gear(fast="(w0=5)")))
    run = model.simulate(0.1, initial={"wheel": 20.0}, method=method)
    assert run["fast.w"][0] == 10
    [note] = run.notes
    assert re.fullmatch(
        r"the start value 5 of 'fast.w' \(.*model.mo:\d+:\d+\) is not used: the run gives all states", note
    )
    assert not model.simulate(0.0, initial={"wheel": 10.0}).notes


def test_one_quantity_has_one_start_value(write_model) -> None:
    text = "model M\n  local a(start=1), b\n  der(a) = -a\n  b = -a\nend\n"
    model = cutset.load(write_model(text))
    assert starts(model, "a", initial={"b": 2.0}) == [-2]
    assert starts(model, "a", initial={"b": 2.0, "a": -2.0}) == [-2]
    with pytest.raises(RunError, match=r"E644.*'b' and 'a' contradict each other"):
        starts(model, initial={"b": 2.0, "a": 2.0})


def test_what_the_model_determines_cannot_be_given(write_model) -> None:
    text = (
        gear()
        .replace("end\nmodel", "end\nmodel", 1)
        .replace("  f = 1", "  initial\n    wheel = 6\n  endinitial\n  f = 1")
    )
    model = cutset.load(write_model(text))
    assert starts(model, "fast.w") == [3]
    with pytest.raises(RunError, match=r"E621.*'wheel'"):
        starts(model, initial={"wheel": 4.0})
    with pytest.raises(RunError, match=r"E644.*'fast.w' contradicts 'wheel = 6'"):
        starts(model, initial={"fast.w": 4.0})
    with pytest.raises(RunError, match=r"E604.*'fast.f' is not a state: the model computes it from others"):
        starts(model, initial={"fast.f": 4.0})


def test_a_start_value_that_contradicts_a_parameter_is_told(write_model) -> None:
    """That of a capacitor at a voltage source."""
    equations = "a = b + V\n  u = a - b\n  i = der(u)\n  2*a + b = i"
    model = cutset.load(write_model(f"model M\n  parameter V = 9\n  local u(start=3), a, b, i\n  {equations}\nend\n"))
    with pytest.raises(RunError, match=r"E644.*'u' contradicts the equations"):
        starts(model)
    assert starts(model, "u", parameters={"V": 3.0}) == [3]


def test_check_lists_no_start_value_that_an_equation_determines(write_model, capsys) -> None:
    text = gear(fast="(w0=5)").replace("  f = 1", "  initial\n    wheel = 6\n  endinitial\n  f = 1")
    assert main(["check", str(write_model(text))]) == 0
    assert "must agree" not in capsys.readouterr().out


def test_resume_sweep_and_the_command_line_take_it_alike(write_model, capsys) -> None:
    """The wheel gains 2/3 each second."""
    path = write_model(gear(default=3))
    model = cutset.load(path)
    given = {"initial": {"fast.w": 4.0}, "target": "python"}
    assert model.simulate(1.5, **given).resume(3.0)["wheel"][-1] == pytest.approx(10)
    found = model.sweep({"fast.w": [1.0, 4.0]}, ["wheel", "max(fast.w)"], 3.0, workers=1, target="python")
    assert found["wheel"] == pytest.approx([4, 10]) and found["max(fast.w)"] == pytest.approx([2, 5])
    with pytest.raises(RunError, match=r"E604.*'fast.f'"):
        model.sweep({"fast.f": [1.0]}, ["wheel"], 3.0)
    assert main(["simulate", str(path), "--set", "fast.w=4", "--stop", "3", "--target", "python"]) == 0
    assert re.search(r"wheel .*\b10\b", capsys.readouterr().out)


FACTOR = """model M
  parameter k = 3
  local x, y(start=2), z
  der(x) = z
  der(y) = -z + y - 1
  x = k*y + sin(time)
end
"""
CURVES = """model M
  parameter k = 3, r = 25
  local x(start=3, fixed=false), y(start=4, fixed=false)
  der(x) = -x
  der(y) = -2*y
  initial
    x^2 + y^2 = r
    k*x^2 + 2*y^2 = 50
  endinitial
end
"""


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("text", "vary"),
    [
        (FACTOR, {"k": [3.0, 0.0, 1.0, 0.0]}),
        (CURVES, [{"k": 3.0, "r": 20.0}, {"k": 2.0, "r": 25.0}, {"k": 2.0, "r": 16.0}, {"k": 2.0, "r": 25.0}]),
    ],
)
def test_each_row_is_that_of_a_single_run(text, vary, workers, write_model) -> None:
    """Also where the model has to be translated for the values of the row."""
    model = cutset.load(write_model(text))
    found = model.sweep(vary, ["x", "y"], 0.5, workers=workers, target="python")
    assert [row.number for row in found.rows] == list(range(len(found)))
    for row, point in zip(found.rows, found.points, strict=True):
        try:
            run = model.simulate(0.5, parameters=point, target="python")
        except RunError as error:
            assert row.refusal == error.code and np.isnan(row.values).all()
        else:
            assert row.values == (run["x"][-1], run["y"][-1]) and not row.reason
    assert len(found.failed) == (text is CURVES)


def test_a_state_that_given_parameters_take_away_cannot_start(write_model):
    model = cutset.load(
        write_model("model A\n  parameter T=0.2\n  local x (start=1)\n  T*der(x) + x = 2 + time\nend\n")
    )
    assert model.simulate(1.0, parameters={"T": 0.0})["x"][0] == 2.0
    with pytest.raises(RunError, match=r"E604.*'x' is not a state: the model computes it from others"):
        model.simulate(1.0, parameters={"T": 0.0}, initial={"x": 2.0})
