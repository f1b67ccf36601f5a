"""Values of parameters given to a run: names of values of their types, and limits."""

from itertools import product

import pytest

import cutset
from cutset.api.command_line.command import main

TEXT = """
type Mode = (Free, Stuck)
model M
  parameter (Mode) mode = Mode.Stuck
  parameter on = true, k (min=0, max=5) = 2, v(2) (max=[3, 4]) = [3, 4], far (max=2*k) = 1
  local x, y
  der(x) = if mode == Mode.Free then k else 0
  y = if on then v(1) else far
end
"""


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.mo"
    path.write_text(TEXT)
    return cutset.load(path)


def test_names_of_values(model):
    run = model.simulate(parameters={"mode": "Free", "on": False, "far": 4})
    assert run["x"][-1] == pytest.approx(2) and run["y"][-1] == 4
    assert model.evaluate(0.0, [1.0], parameters={"mode": "Mode.Free", "k": 5}, target="python")[0] == 5


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("mode", "Fre", "did you mean 'Free'"),
        ("mode", 0, "its values are Free, Stuck"),
        ("on", 2, "its values are false, true"),
        ("k", 5.5, "more than its max, 5"),
        ("k", -1, "less than its min, 0"),
        ("v(2)", 4.5, "more than its max, 4"),
        ("k", "Free", "must be a finite number, not 'Free'"),
    ],
)
def test_what_a_parameter_does_not_take(model, name, value, words):
    with pytest.raises(cutset.RunError, match="E605") as caught:
        model.simulate(parameters={name: value}, target="python")
    assert words in str(caught.value)


LOAD = """
model class Load
  parameter m (min=0, max=20) = 1.5, n(2) (max=[3, 4]) = [1, 2], twice (min=0) = 2*m
  terminal x
  der(x) = m + n(1) + n(2) + twice
end
model Hand
  parameter mass = 3, count = 2, unused = 4
  submodel (Load) load(m=mass - 0.5, n=[count, count + 1]), other(m=unused)
  local y
  der(y) = load.x
end
"""


@pytest.mark.parametrize("target", ["python", "c"])
@pytest.mark.parametrize(
    ("given", "words"),
    [
        (
            {"mass": -5},
            [
                "'load.m' is -5.5, which is less than its min, 0",
                "mass = -5",
                "it depends on mass: change",
                "load(m=mass",
            ],
        ),
        ({"mass": 30}, ["'load.m' is 29.5, which is more than its max, 20"]),
        ({"mass": 0.5, "count": 3.5}, ["'load.n(1)' is 3.5"]),
        ({"unused": -2}, ["'other.m' is -2", "it depends on unused"]),
        ({"load.twice": -1}, ["'load.twice' cannot be -1"]),
        ({"mass": 0, "load.m": 1, "count": 1}, []),
    ],
)
def test_what_follows_from_parameters_has_limits_too(write_model, given, words, target):
    model = cutset.load(write_model(LOAD))
    for run in (model.simulate, model.steady):
        if not words:
            model.simulate(0.1, parameters=given, target=target)
            return
        with pytest.raises(cutset.RunError, match="E605") as caught:
            run(parameters=given, target=target)
        assert all(word in str(caught.value) for word in words), str(caught.value)


def test_what_must_be_positive_says_so():
    """In the text, in a run, and where it follows from other values; no number of the library is shown."""
    text = "@rotational\nmodel M\n  parameter k = 2\n  submodel (Inertia) J(J={J})\nend\n"
    with pytest.raises(cutset.ModelError, match="'J' is -1, but must be positive"):
        cutset.loads(text.replace("{J}", "-1"))
    with pytest.raises(cutset.RunError, match=r"'J\.J' cannot be 0, which is not positive"):
        cutset.loads(text.replace("{J}", "2.5")).simulate(parameters={"J.J": 0})
    with pytest.raises(cutset.RunError, match=r"'J\.J' is -4, which is not positive"):
        cutset.loads(text.replace("{J}", "2*k")).simulate(parameters={"k": -2})


def test_a_sweep_goes_on_beside_it(write_model):
    found = cutset.load(write_model(LOAD)).sweep({"mass": [-1.0, 1.0]}, ["y"], 0.1, workers=1, target="python")
    assert [row.outcome for row in found.rows] == ["no start", "completed"] and "'load.m' is -1.5" in found.rows[
        0
    ].reason


def test_on_the_command_line(tmp_path, capsys):
    path = tmp_path / "model.mo"
    path.write_text(TEXT)
    assert main(["simulate", str(path), "--target", "python", "--set", "mode=Free", "on=false", "k=3"]) == 0
    assert " x         0         3" in capsys.readouterr().out
    assert main(["simulate", str(path), "--target", "python", "--set", "mode=Fre"]) == 2
    assert "did you mean 'Free'?" in capsys.readouterr().err


WITH_LIMITS = """
model M
  input u (max=2)
  local x (max=2), v(2) (min=[0, -1])
  der(x) = u - x
  der(v) = -v
end
"""


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("u", 5.0, "the input 'u' cannot be 5, which is more than its max, 2"),
        ("x", 3.0, "the start value of 'x' cannot be 3, which is more than its max, 2"),
        ("v(2)", -1.5, "the start value of 'v(2)' cannot be -1.5, which is less than its min, -1"),
    ],
)
def test_inputs_and_start_values_of_a_run_have_limits(name, value, words):
    model = cutset.loads(WITH_LIMITS)
    kind = "inputs" if name == "u" else "initial"

    calls = [
        lambda target: model.simulate(1.0, target=target, **{kind: {name: value}}),
        lambda target: model.sweep([{name: 1.0}, {name: value}], ["x"], 1.0, target=target),
        lambda target: model.steady(target=target, **{kind: {name: value}}),
        lambda target: model.simulator(target=target, **{kind: {name: value}}),
        lambda _: model.batch(1.0, **{kind: {name: [1.0, value]}}),
    ]
    for call, target in product(calls, ("c", "python")):
        with pytest.raises(cutset.RunError, match="E605") as caught:
            call(target)
        assert words in str(caught.value) and "declared at" in str(caught.value)
    with pytest.raises(cutset.RunError, match=r"'u' is more than its max, 2, at time 0\.4"):
        model.simulate(1.0, inputs={"u": lambda t: 5.0 * t})


def test_limits_with_parameters_and_inputs_hold_in_a_run():
    text = "model M\n parameter k = 1, p(2) (min=-k, max=[2*k, 9]) = [1, 1]\n input u (max=2*k)\n local x (start=0)\n"
    model = cutset.loads(f"{text} der(x) = u - x + p(1)\nend\n")
    assert model.simulate(1.0, inputs={"u": 2.0}, parameters={"p(1)": 2.0})["x"][-1] > 2.0
    sim = model.simulator()
    for change, says in (
        (lambda: model.simulate(1.0, parameters={"p(1)": 2.5}), "'p(1)' is more than its max, 2*k"),
        (lambda: model.simulate(1.0, parameters={"k": -2}), "'p(1)' is less than its min, -k"),
        (lambda: sim.step(0.1, {"u": 2.5}), "'u' is more than its max, 2*k"),
        (lambda: sim.set({"u": 2.5}), "'u' is more than its max, 2*k"),
        (lambda: sim.set({"p(2)": -2}), "'p(2)' is less than its min, -k"),
    ):
        with pytest.raises(cutset.RunError, match="E618") as caught:
            change()
        assert says in str(caught.value)
    assert sim.time == 0.0 and sim.step(0.1, {"u": 2.0}) == 0.1
