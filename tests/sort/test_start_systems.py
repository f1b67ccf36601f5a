"""Which conditions determine the start, and what is said where they are too many or too few."""

from __future__ import annotations

import pytest
from models_from_text import translate

import cutset
from cutset.compiler.diagnostics import ModelError
from cutset.compiler.pipeline import Observer, compile_model
from cutset.compiler.sort.system import Start
from cutset.runtime.errors import RunError

TWO = """
model M
  parameter p = 3
  local x{x}, y{y}, z
  der(x) = z
  der(y) = x - y
  z = -x
{initial}
end
"""


def two(x: str = "", y: str = "", initial: str = "") -> str:
    lines = f"  initial\n    {initial}\n  endinitial" if initial else ""
    return TWO.format(x=x, y=y, initial=lines)


def refused(text: str) -> str:
    with pytest.raises(ModelError) as caught:
        translate(text)
    return str(caught.value)


def started(text: str, write_model) -> Start:
    found = []
    compile_model(write_model(text), None, observer=Observer([lambda stage, result: found.append(result)]))
    return next(result for result in found if isinstance(result, Start))


@pytest.mark.parametrize(
    ("x", "y", "initial", "expected"),
    [
        ("", "", "", (0, 0)),
        ("(start=1)", "(start=p)", "", (1, 3)),
        ("(start=1)", "", "x + y = 5", (1, 4)),
        # One guess gives way to the equation, and the other counts more than zero.
        ("", "(start=2, fixed=false)", "x + y = 5", (3, 2)),
        ("(start=2, fixed=false)", "", "x + y = 5", (2, 3)),
        ("(start=1, fixed=false)", "(start=2, fixed=false)", "der(x) = p\n    der(y) = 0", (-3, -3)),
        ("", "", "z = -4\n    y = 2*z", (4, -8)),
    ],
)
def test_what_counts_more(x: str, y: str, initial: str, expected: tuple[float, float], write_model) -> None:
    run = cutset.load(write_model(two(x, y, initial))).simulate(0.0)
    assert (run["x"][0], run["y"][0]) == pytest.approx(expected)


def test_a_speed_that_is_no_state_gives_way_to_one_that_is(write_model) -> None:
    text = "model M\n  local a(state=prefer{}), b(start=8), f\n  der(a) = f\n  der(b) = 1 - f\n  a = 2*b\nend\n"
    run = cutset.load(write_model(text.format(""))).simulate(0.0)
    assert (run["a"][0], run["b"][0]) == (16, 8)
    run = cutset.load(write_model(text.format(", start=16"))).simulate(0.0)
    assert (run["a"][0], run["b"][0]) == (16, 8)
    with pytest.raises(RunError, match=r"E644.*'b' contradicts that of 'a'") as raised:
        cutset.load(write_model(text.format(", start=6"))).simulate(0.0)
    assert [note.partition(" (")[0] for note in raised.value.notes] == [
        "the start value of 'b' is 8", "the other start values give 3", "'a' has a start value",
    ]  # fmt: skip


def test_a_start_value_against_equations_alone(write_model) -> None:
    text = "model M\n  local x(start=2), y\n  x = 1 + time\n  der(x) = y\nend\n"
    with pytest.raises(RunError, match="'x' contradicts the equations") as raised:
        cutset.load(write_model(text)).simulate(0.0)
    assert raised.value.notes[1] == "the equations give 1" and str(raised.value.hint).startswith("remove it")


def test_too_many_are_counted_and_named() -> None:
    message = refused(two("(start=1)", "(start=2)", "x + y = 5"))
    assert "one initial condition too many: of these 3, 2 are enough" in message
    assert "the start value of 'x'" in message and "the start value of 'y'" in message
    assert message.index("x + y = 5") < message.index("the start value of 'x'")
    assert "remove the initial equation, or make the start value of 'y' or 'x' a guess" in message
    message = refused(two("(start=1)", "(start=2)", "x + y = 5\n    x - y = 1"))
    assert "2 initial conditions too many: of these 4, 2 are enough" in message
    assert "remove 2 of these initial equations, or make" in message


def test_what_is_said_twice_is_blamed() -> None:
    message = refused(two("", "(start=1)", "x = y + 1\n    x = 7\n    x = y + 1"))
    assert "'x = y + 1' is given twice" in message
    assert message.splitlines()[1].endswith(":11:5")
    assert "remove 2 of these initial equations" in message


def test_what_stays_open_is_named_where_others_are_too_many() -> None:
    message = refused(two("(start=1)", "", "der(x) = 3"))
    assert "no condition determines 'y'" in message
    assert "then give 'y' a start value" in message
    message = refused(
        "model M\n  local x, u\n  u = sin(time)\n  der(x) = u\n  initial\n    der(x) = 0\n  endinitial\nend\n"
    )
    assert "the equations of the model already determine this" in message
    assert "remove it; then give 'x' a start value" in message


def test_conditions_that_contradict_each_other_in_numbers() -> None:
    message = refused(two("", "", "x + y = 5\n    3*x + 3*y = 16"))
    assert "error[E509]" in message and "at the start" in message


def test_what_nothing_is_said_of(write_model) -> None:
    assert started(two(), write_model).silent == ("'x'", "'y'")
    assert started(two("(start=1)"), write_model).silent == ("'y'",)
    assert started(two("(start=1, fixed=false)", "(start=0)"), write_model).silent == ()
    assert started(two("", "", "x + y = 5"), write_model).silent in (("'x'",), ("'y'",))


PENDULUM = """
model Pendulum
  local x{}, y, vx, vy, F
  vx = der(x)
  vy = der(y)
  der(vx) = -F*x
  der(vy) = -F*y - 9.81
  x^2 + y^2 = 1
end
"""


def test_states_that_are_chosen_in_a_run_are_called_by_what_they_are_chosen_from(write_model) -> None:
    assert started(PENDULUM.format(""), write_model).silent == ("one of 'x', 'y'", "one of 'vx', 'vy'")
    ring = PENDULUM.format("(start=0.6)").replace("y, vx", "y(start=0.8), vx")
    (label,) = started(ring, write_model).guesses
    assert label.text == "of the start values of 'x', 'y', one is fixed, the others are guesses"


def test_start_values_that_have_to_agree(write_model) -> None:
    text = "model M\n  local a(state=prefer, start=6), b(start={}), f\n  der(a) = f\n  der(b) = 1 - f\n  a = 2*b\nend\n"
    (check,) = started(text.format(8), write_model).checks
    assert check.variable == "b" and [label.text for label in check.others] == ["a"]
    run = cutset.load(write_model(text.format("p").replace("local", "parameter p = 3\n  local")))
    assert run.simulate(0.0)["b"][0] == 3
    with pytest.raises(RunError, match="E644"):
        run.simulate(0.0, parameters={"p": 0.0})
    # What a run gives counts more than what the model says, but two values of the run must agree.
    assert run.simulate(0.0, parameters={"p": 10.0}, initial={"a": 20.0})["b"][0] == 10
    with pytest.raises(RunError, match=r"E644.*'b' contradicts that of 'a'"):
        run.simulate(0.0, parameters={"p": 4.0}, initial={"a": 20.0})
    moved = run.simulate(0.0, initial={"a": 20.0})
    assert moved["b"][0] == 10 and "the start value 3 of 'b'" in moved.notes[0]


def test_start_values_that_are_not_used(write_model) -> None:
    text = "model M\n  local x(start=1), y(start={})\n  der(x) = y\n  x = 3*y\nend\n"
    (label,) = started(text.format(2), write_model).vain
    assert label.text == "the start value of 'y' is not used: it is not a state, its value follows from 'x'"
    (note,) = cutset.load(write_model(text.format(2))).simulate(0.0).notes
    assert note.startswith(label.text) and "model.mo:2:21" in note
    assert started(text.format(0), write_model).vain == ()
    # Here it is a first guess.
    nonlinear = text.format(2).replace("x = 3*y", "x = y + y^3")
    assert started(nonlinear, write_model).vain == ()


AXES = """
model class Axis
  cut joint (a / f)
  local x (start=0, fixed=false), w (start=0)
  der(x) = -w
  der(w) = a
  f = a - x - 2
end

model class Held
  cut joint (a / f)
  submodel (Axis) axis
  connect axis:joint at joint
  initial
    a = 0
  endinitial
end

model class Coupled
  cut A (aA / fA), B (aB / fB)
  fA = 3*aA + aB
  fB = aA + 2*aB
end

model M
  {axes}
  submodel (Coupled) load
  connect free:joint at load:A, held:joint at load:B
end
"""


@pytest.mark.parametrize(
    "axes", ("submodel (Axis) free; submodel (Held) held", "submodel (Held) held; submodel (Axis) free")
)
def test_an_axis_gives_up_its_own_guess(axes, write_model):
    run = cutset.load(write_model(AXES.format(axes=axes.replace("; ", "\n  ")))).simulate(stop=0.0)
    assert run["free.x"][0] == 0
    assert run["held.axis.x"][0] != 0 and run["held.axis.a"][0] == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("target", ["c", "python"])
def test_a_start_value_of_what_a_parameter_prescribes_must_agree(write_model, target) -> None:
    """The voltage of a capacitor at a constant source: there is no state."""
    text = (
        "@electrical\nmodel M\nsubmodel (VConst) V(V=10)\nsubmodel (Capacitor) C1(C=1{})\nsubmodel (Ground) g\n"
        "connect V par C1, g at V:B\nend\n"
    )
    for given in ("", ", u0=10"):
        run = cutset.load(write_model(text.format(given))).simulate(1.0, target=target)
        assert run["C1.u"][-1] == 10
    with pytest.raises(RunError, match=r"E644.*'C1.u' contradicts the equations") as raised:
        cutset.load(write_model(text.format(", u0=3"))).simulate(1.0, target=target)
    assert "the start value of 'C1.u' is 3" in str(raised.value) and "give 10" in str(raised.value)


def test_a_written_start_of_an_input_holds_where_the_input_starts_there():
    model = cutset.loads("model M\n  input u\n  local v (start=3), w\n  v = -u\n  w = der(v)\nend")
    assert model.simulate(1.0, inputs={"u": ([0.0, 1.0], [-3.0, -1.0])})["w"][0] == -2.0
    with pytest.raises(RunError, match=r"E644.*'v' contradicts the equations"):
        model.simulate(1.0, inputs={"u": 3.0})


def test_what_an_unsolved_equation_leaves_without_a_value_contradicts_nothing(write_model) -> None:
    text = """
model M
  local y (start=0, state=prefer), v (start=1), u, w (start=0.4), f
  v = der(y)
  der(v) = f - y
  w = der(u)
  der(w) = f - u
  sin(u) = y + 2
end
"""
    with pytest.raises(RunError, match=r"E618.*the state y does not determine u here"):
        cutset.load(write_model(text)).simulate(0.0, target="python")
