"""Values by name: patterns for --set, and what is said of names that cannot be given."""

from __future__ import annotations

import numpy as np
import pytest

import cutset
from cutset.api.command_line.command import main
from cutset.runtime.results.selection import matching

TEXT = """
model class Axis
  constant n = 3
  parameter k = 2, one = 1
  terminal x (start=0)
  der(x) = n*k*one - x
end
model Robot
  constant ratio = 5
  submodel (Axis) a1, a2, b
  input u
  local v(11)
  for i = 1..11 do
    v(i) = if i == 4 then 0 else i*a1.x
  endfor
end
"""


def test_a_pattern_sets_all_that_match(write_model, capsys) -> None:
    path = str(write_model(TEXT))
    assert (
        main(["simulate", path, "--set", "*.x=7", "a?.k=4", "a2.k=6", "?.one=2", "--outputs", "*.k", "*.one", "*.x"])
        == 0
    )
    rows = {words[0]: words[1] for line in capsys.readouterr().out.splitlines() if len(words := line.split()) > 2}
    assert {name: rows[name] for name in ("a1.k", "a2.k", "b.k", "a1.one", "b.one", "a1.x", "b.x")} == {
        "a1.k": "4", "a2.k": "6", "b.k": "2", "a1.one": "1", "b.one": "2", "a1.x": "7", "b.x": "7",
    }  # fmt: skip
    for command in (["steady"], ["linearize"], ["sweep", "--vary", "b.k=1,2", "--outputs", "a1.x", "--workers", "1"]):
        assert main([command[0], path, *command[1:], "--set", "a?.kk=4"]) == 2
        assert "no parameter, state or input matches 'a?.kk'" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["ratio", "a1.n"])
def test_a_constant_is_none(write_model, name: str, capsys) -> None:
    path = write_model(TEXT)
    assert main(["simulate", str(path), "--set", f"{name}=2"]) == 2
    said = capsys.readouterr().err
    assert f"'{name}' is not a parameter: it is a constant" in said and f"declared at {path}:" in said
    with pytest.raises(cutset.RunError, match="E604"):
        cutset.load(path).evaluate(0.0, [0, 0, 0], parameters={name: 1.0})
    with pytest.raises(cutset.RunError, match="E602"):
        cutset.load(path).simulate(parameters={"ration": 1.0})


def test_elements_are_in_the_order_of_their_indices(write_model) -> None:
    """Also where some of them are folded, and stand elsewhere among the names."""
    assert matching("*", ["b(10)", "a", "c(1,2)", "b(2)", "c(1,10)", "c(1,1)", "s(2).x(1)", "b(1)"]) == [
        "b(1)", "b(2)", "b(10)", "a", "c(1,1)", "c(1,2)", "c(1,10)", "s(2).x(1)",
    ]  # fmt: skip
    run = cutset.load(write_model(TEXT)).simulate(0.1, points=2)
    assert run.select("v*") == tuple(f"v({k})" for k in range(1, 12))
    with pytest.raises(KeyError, match=r"v\(1\) to v\(11\), or all of them: 'v\(\*\)'"):
        run.select("v")


_ARRAYS = """
model class Part
  parameter p = 1
  terminal y
  y = p*time
end
model Arrays
  submodel (Part) s(2)
  parameter v(3) = [1, 2, 3], K(2,2) = [1, 0; 0, 1], one = 1
  local x(3) (start=0), z(2)
  input u(2)
  der(x) = one*v
  z = K*u
end
"""


def test_vectors_and_matrices_are_given_whole(write_model, capsys) -> None:
    path = write_model(_ARRAYS)
    shown = [
        "simulate",
        str(path),
        "--outputs",
        "x*",
        "z*",
        "--set",
        "v=[4, 5, 6]",
        "x=[1,1,1]",
        "K = [1, 2; 3, 4]",
        "u=[1, -1]",
    ]
    assert main(shown) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[1:6]]
    assert [row[1:] for row in rows] == [["1", "5"], ["1", "6"], ["1", "7"], ["-1", "-1"], ["-1", "-1"]]
    model = cutset.load(path)
    given = {"parameters": {"v": (4, 5, 6), "K": np.array([[1, 2], [3, 4]])}, "inputs": {"u": [1, -1]}}
    run = model.simulate(**given, initial={"x": np.ones(3)})
    assert [run[f"x({k})"][-1] for k in (1, 2, 3)] == pytest.approx([5, 6, 7]) and run["z(2)"][-1] == -1
    assert model.evaluate(0.0, [0, 0, 0], parameters={"v": [4, 5, 6]}).tolist() == [4, 5, 6]
    sweep = model.sweep({"one": [1, 2]}, ["x(3)"], **given, workers=1)
    assert sweep["x(3)"] == pytest.approx([6, 12])


@pytest.mark.parametrize(
    ("name", "values", "said"),
    [
        ("v", [1, 2], r"is for v\(2\), but the last element in the model is v\(3\)"),
        ("K", [1, 2, 3, 4], r"is for K\(4\), but the last element in the model is K\(2,2\)"),
        ("K", [[1, 2], [3]], r"K\(2\)"),
        ("one", [1, 2], "'one' is a scalar, but it is given 2 values"),
        ("w", [1, 2], "there is no parameter 'w'"),
        ("s", [1, 2], "'s' is an array, not one parameter"),  # of submodels
        ("v", [], r"is for v\(0\)"),
        ("v", [1, "a", 3], r"'v\(2\)' must be a finite number, not 'a'"),
    ],
)
def test_vectors_of_another_shape(write_model, name: str, values, said: str) -> None:
    with pytest.raises(cutset.RunError, match=said):
        cutset.load(write_model(_ARRAYS)).simulate(parameters={name: values})


def test_values_go_to_what_their_names_are(write_model, tmp_path) -> None:
    """A state and a discrete variable begin with theirs, an input keeps its value, a parameter counts."""
    text = """
model M
  parameter k = 1.5
  input u
  local x (start=1), n (start=1)
  der(x) = k*u
  when sample(0.5, 0.5) then
    new(n) = 2*n
  endwhen
end
"""
    table = tmp_path / "out.csv"
    words = ["simulate", str(write_model(text)), "--stop=1", "--points=2", "--outputs", "x", "n", "-o", str(table)]
    for value in ("x=3", "n=5", "u=2", "k=4"):
        words += ["--set", value]
    assert main(words) == 0
    _, first, *_, last = (line.split(",") for line in table.read_text().splitlines())
    assert [float(v) for v in first] == [0, 3, 5]
    assert [float(v) for v in last] == [1, pytest.approx(3 + 4 * 2), 20]


def test_arrays_of_a_model_are_listed_once(write_model) -> None:
    part = "model class Part\n  parameter a(2) = [1, 2]\nend\n"
    text = part + "model M\n  submodel (Part) p(2)\n  input u(11)\n  local x, T(2,2)\n  der(x) = u(1) + u(11) - x\n"
    info = cutset.load(write_model(text + "  T = [x, 0; 1, x]\nend\n")).translated.info
    assert info.arrays["u"] == tuple(f"u({k})" for k in range(1, 12))
    assert info.arrays["T"] == ("T(1,1)", "T(1,2)", "T(2,1)", "T(2,2)")
    assert {"p(1).a", "p(2).a"} <= set(info.arrays) and "der" not in info.arrays
    assert info.arrays is info.arrays  # steps with inputs look into it
