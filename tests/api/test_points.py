"""Tests what a model computes at points: one or many, with relations, and linearized."""

from __future__ import annotations

import numpy as np
import pytest

import cutset
from cutset.runtime.errors import RunError

MODEL = """
model M
  parameter k = 2
  input F
  local x (start=1), v, E, y
  der(x) = v
  der(v) = F - k*x - (if v > 0 then 1 else -1)
  E = k*x*x/2 + v*v/2
  y*y*y + y = x
end
"""
POINTS = np.array([[0.5, 1.0], [0.5, -1.0], [-2.0, 0.25]])


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> cutset.Model:
    path = tmp_path_factory.mktemp("points") / "m.mo"
    path.write_text(MODEL, encoding="utf-8")
    return cutset.load(path)


@pytest.mark.parametrize("target", ["c", "python"])
def test_many_points_are_single_points(model: cutset.Model, target: str) -> None:
    inputs = np.array([[1.0], [2.0], [3.0]])
    many = model.evaluate([0.0, 1.0, 2.0], POINTS, inputs, target=target)
    assert many.tolist() == [[1.0, 1.0 - 1.0 - 1.0], [-1.0, 2.0 - 1.0 + 1.0], [0.25, 3.0 + 4.0 - 1.0]]
    single = [model.evaluate(0.0, x, u, target=target) for x, u in zip(POINTS, inputs, strict=True)]
    assert np.array_equal(many, single)
    assert model.evaluate(0.0, [0.5, 1.0], parameters={"k": 4.0}, target=target).tolist() == [1.0, -3.0]
    assert model.evaluate(0.0, [0.5, 1.0], target=target).tolist() == [1.0, -2.0]


def test_outputs(model: cutset.Model) -> None:
    found = model.outputs(0.0, POINTS[0], [1.0], names=["E", "y", "F", "k"])
    assert found.pop("y") == pytest.approx(0.4238537990697)
    assert found == {"E": 0.75, "F": 1.0, "k": 2.0}
    many = model.outputs(0.0, POINTS, names="E")
    assert many["E"].tolist() == [0.75, 0.75, 4.0 + 0.03125]
    assert set(model.outputs(0.0, POINTS[0])) >= {"x", "v", "E", "y", "F", "k", "der(v)"}


def test_linearize(model: cutset.Model) -> None:
    found = model.linearize(0.0, POINTS[0], [1.0], outputs="E")
    assert np.allclose(found.A, [[0.0, 1.0], [-2.0, 0.0]], atol=1e-9)
    assert np.allclose(found.B, [[0.0], [1.0]], atol=1e-9)
    assert np.allclose(found.C, [[1.0, 1.0]], atol=1e-9)
    assert found.outputs == ("E",)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((0.0, [1.0]), "states"),
        ((0.0, [[1.0], [2.0]]), "states"),
        ((0.0, [1.0, float("nan")]), "states"),
        ((0.0, [1.0, 2.0], [1.0, 2.0]), "inputs"),
        ((0.0, POINTS, [[1.0], [2.0]]), "inputs"),
        (([0.0, 1.0], POINTS), "time"),
        (([0.0, 1.0, float("inf")], POINTS), "time"),
    ],
)
def test_wrong_arrays(model: cutset.Model, arguments: tuple[object, ...], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        model.evaluate(*arguments)  # type: ignore[arg-type]


def test_points_without_values(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("pole") / "m.mo"
    path.write_text("model M\n  local x (start=1)\n  der(x) = 1/x\nend\n", encoding="utf-8")
    model = cutset.load(path)
    for states in ([0.0], [[1.0], [0.0]]):
        with pytest.raises(RunError, match="1/x"):
            model.evaluate(0.0, states)


RELATIONS = """
model M
  local x (start=1), v, y, z
  local n (start=3)
  der(x) = v
  y = if x > 2 then 1 else if time > 1 then 2 else 3
  der(v) = -x + y + n + (if sin(4*time) > 0 then 10 else 0)
  when sample(0, 0.1) then
    new(n) = n + 1
  endwhen
  when edge(x > 1) then
    init(v) = -v
  endwhen
  z = if z + x < 1 then x else 1 + x
end
"""


def test_relations_at_points_are_those_of_python(tmp_path_factory: pytest.TempPathFactory) -> None:
    times = np.array([0.0, 0.999, 1.0, 3.0, 4.0])
    points = np.array([[3.0, 1.0], [1.0, 0.0], [2.0, 1.0], [0.2, 0.0], [-1, 2]])
    for k, text in enumerate((RELATIONS, RELATIONS.replace("sin(4*time)", "time - 2"))):  # located, or known
        path = tmp_path_factory.mktemp("relations") / f"m{k}.mo"
        path.write_text(text, encoding="utf-8")
        model = cutset.load(path)
        many = model.outputs(times, points, names=["y", "z", "n", "der(v)"])
        in_python = model.outputs(times, points, names=["y", "z", "n", "der(v)"], target="python")
        assert {name: many[name].tolist() for name in many} == {name: in_python[name].tolist() for name in many}
        single = [model.evaluate(t, x) for t, x in zip(times, points, strict=True)]
        assert np.array_equal(single, model.evaluate(times, points))
        assert many["y"].tolist() == [1.0, 3.0, 2.0, 2.0, 2.0]


@pytest.mark.parametrize("target", ["c", "python"])
def test_relations_that_contradict_each_other_at_a_point_are_named(write_model, target):
    text = "model M\n  local x (start=5), y\n  y = if y > 0 then x - 3 else x + 1\n  der(x) = -y\nend\n"
    model = cutset.load(write_model(text))
    assert model.evaluate(0.0, [5.0], target=target) == pytest.approx([-2.0])
    with pytest.raises(RunError, match=r"E634.*: no combination of values .*, at time 1\.0\n.*: y > 0"):
        model.evaluate([0.0, 1.0], [[5.0], [0.5]], target=target)


PARAMETERS = """
model M
  parameter L = 1, m = 2, d = 0.5, k = 1, n = 2
  input tau
  local phi (start=0), w (start=0), x, hit
  der(phi) = w
  m*L^2*der(w) = -m*9.81*L*sin(phi) - d*w + k*tau
  x = L*sin(phi)
  hit = if phi > 0.2 then k else 0
end
"""


def test_parameters_are_inputs_of_a_linear_model() -> None:
    """The columns are the derivatives of the equations by hand."""
    model = cutset.loads(PARAMETERS)
    found = model.linearize(0.0, [0.3, 0.7], [2.0], ["x", "hit"], {"d": 0.4}, by=["L", "d", "k"])
    assert found.inputs == ("tau", "L", "d", "k") and found.u.tolist() == [2.0, 1.0, 0.4, 1.0]
    by_length = 9.81 * np.sin(0.3) - 2 * (-0.4 * 0.7 + 2.0) / 2.0
    assert found.B[1] == pytest.approx([0.5, by_length, -0.35, 1.0], rel=1e-8)
    by_hand = np.array([[0.0, np.sin(0.3), 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
    assert np.abs(found.D - by_hand).max() < 1e-9
    assert np.array_equal(found.A, model.linearize(0.0, [0.3, 0.7], [2.0], parameters={"d": 0.4}).A)
    for name, code in (("q", "E602"), ("phi", "E602")):
        with pytest.raises(RunError, match=code):
            model.linearize(0.0, [0.0, 0.0], by=[name])


def test_a_parameter_of_the_code_is_an_input_of_a_linear_model() -> None:
    text = """@electrical
model RC
  submodel (VConst) V(V=0)
  submodel (Resistor) R(R=1)
  submodel (Capacitor) C(C=1)
  submodel (Ground) g
  node n0, n1, n2
  connect V at (n1, n0), R at (n1, n2), C at (n2, n0), g at n0
end
"""
    model = cutset.loads(text)
    assert {"V.V", "R.R"} <= model.folded.keys()
    found = model.linearize(0.0, [0.5], by=["V.V", "R.R", "C.C"])  # der(u) = (V - u)/(R*C)
    assert found.B[0] == pytest.approx([1.0, 0.5, 0.5], rel=1e-8)
    rates = model.evaluate(0.0, [[0.5], [0.25]], parameters={"R.R": [2.0, 4.0], "V.V": [1.0, 2.0]})
    assert rates.ravel().tolist() == [0.25, 0.4375]


def test_each_point_may_have_parameters_of_its_own() -> None:
    model = cutset.loads(PARAMETERS)
    states, lengths, gains = [[0.1, 0.2], [0.5, 0.0], [1.0, -1.0]], [1.0, 1.5, 0.5], np.array([1.0, 2.0, 3.0])
    found = model.evaluate(0.0, states, [1.0], parameters={"L": lengths, "k": gains, "d": 0.3})
    for row, x, length, gain in zip(found, states, lengths, gains, strict=True):
        assert row.tolist() == model.evaluate(0.0, x, [1.0], {"L": length, "k": float(gain), "d": 0.3}).tolist()
