"""Values of parameters given to a run: names of values of their types, and limits."""

import cutset
import pytest
from cutset.command import main

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
    run = model.simulate(parameters={"mode": "Free", "on": False, "far": 100})
    assert run["x"][-1] == pytest.approx(2) and run["y"][-1] == 100
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


def test_on_the_command_line(tmp_path, capsys):
    path = tmp_path / "model.mo"
    path.write_text(TEXT)
    assert main(["simulate", str(path), "--target", "python", "--set", "mode=Free", "on=false", "k=3"]) == 0
    assert " x         0         3" in capsys.readouterr().out
    assert main(["simulate", str(path), "--target", "python", "--set", "mode=Fre"]) == 2
    assert "did you mean 'Free'?" in capsys.readouterr().err
