"""Values that come from outside before a model is translated: they count where its own would be refused."""

from __future__ import annotations

import pytest

import cutset
from cutset.api.command_line.command import main
from cutset.compiler.diagnostics import ModelError
from cutset.runtime.errors import RunError

GEAR = """
model class Gear
  parameter ratio
  assert ratio <> 0, "the ratio of a gear must not be zero"
  local a, b
  a = 1 + time
  a = ratio*b
end

model Drive
  submodel (Gear) gear(ratio=0)
end
"""
LOOP = """
@blocks
@sources

model Loop
  submodel (Step) s(height=1)
  submodel (Gain) g(k=-1), h(k=2)
  submodel (Feedback) f
  connect s to f to g, g:out at f:inp2
  h.u = g.y
end
"""
SIZES = """
model M
  parameter n = 0, c(2) = [0, 0]
  local x(n), y
  x = [1, 2]
  y*c(1) = x(1) + c(2)
end
"""


@pytest.mark.parametrize(
    ("text", "given", "name", "expected"),
    [
        (GEAR, {"gear.ratio": 4}, "gear.b", 0.25),
        (LOOP, {"g.k": 2}, "h.y", 4 / 3),
        (SIZES, {"n": 2, "c": [2, 3]}, "y", 2.0),
    ],
)
def test_a_model_that_is_wrong_with_its_own_values_alone(write_model, capsys, text, given, name, expected) -> None:
    path = write_model(text)
    with pytest.raises(ModelError):
        cutset.load(path)
    run = cutset.load(path, parameters=given).simulate(0.0)
    assert run[name][0] == pytest.approx(expected)
    words = [f"{name}={value}" for name, value in given.items()]
    assert main(["simulate", str(path), "--stop", "0", "--outputs", name, "--set", *words]) == 0
    assert f"{expected:.9g}"[:6] in capsys.readouterr().out


def test_they_stay_changeable(write_model) -> None:
    model = cutset.load(write_model(LOOP), parameters={"g.k": 2})
    assert model.parameters["g.k"] == 2
    assert model.simulate(0.0, parameters={"g.k": 4})["g.y"][0] == pytest.approx(0.8)


def test_what_is_still_wrong_is_said_with_the_new_values(write_model, capsys) -> None:
    path = write_model(GEAR)
    assert main(["simulate", str(path), "--set", "gear.ratio=0"]) == 1
    assert "the ratio of a gear must not be zero" in capsys.readouterr().err
    with pytest.raises(RunError) as caught:
        cutset.load(path, parameters={"gear.ratio": 2, "gear.ratoi": 1})
    assert caught.value.code == "E602" and "gear.ratio" in caught.value.hint
