"""`cutset.load` and `Model`: numbers that can be computed by hand, and who is told of which mistake."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import cutset
from cutset.runtime.runs.experiment import Experiment

TANK = Path(__file__).parent / "models" / "tank.mo"
TARGETS = ["c", "python"]


@pytest.fixture
def target(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    from cutset.runtime.targets.toolchain import find_compiler

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    if request.param == "c" and find_compiler() is None:
        pytest.skip("no C compiler on this machine")
    return request.param


@pytest.fixture(scope="module")
def single() -> cutset.Model:
    return cutset.load(TANK, "Single")


def test_a_model_tells_its_names(single: cutset.Model) -> None:
    assert single.name == "Single"
    assert single.states == ("t.h",)
    assert single.inputs == ("q",)
    assert single.parameters == {"t.k": 0.5, "t.gain": 1.0}
    assert single.folded == {"t.gain": 1.0}
    assert repr(single) == "<Model Single: 3 equations, 1 state>"


def test_the_last_object_is_taken_where_none_is_named() -> None:
    assert cutset.load(str(TANK)).name == "Blowup"


@pytest.mark.parametrize("target", TARGETS, indirect=True)
def test_simulate(single: cutset.Model, target: str) -> None:
    run = single.simulate(stop=2.0, points=5, target=target, rtol=1e-9, atol=1e-12)
    assert run.time.tolist() == [0.0, 0.5, 1.0, 1.5, 2.0]
    np.testing.assert_allclose(run["t.h"], 2.0 * np.exp(-0.5 * run.time), rtol=1e-7)
    np.testing.assert_allclose(run["twice"], 2.0 * run["t.h"], rtol=1e-14)


@pytest.mark.parametrize("target", TARGETS, indirect=True)
def test_evaluate(single: cutset.Model, target: str) -> None:
    assert single.evaluate(0.0, [4.0], target=target).tolist() == [-2.0]
    assert single.evaluate(0.0, [4.0], [3.0], target=target).tolist() == [1.0]
    assert single.evaluate(0.0, np.array([4.0]), parameters={"t.k": 2.0}, target=target).tolist() == [-8.0]


def test_evaluate_wants_as_many_values_as_there_are(single: cutset.Model) -> None:
    with pytest.raises(ValueError, match="states: expected finite numbers"):
        single.evaluate(0.0, [1.0, 2.0])
    with pytest.raises(ValueError, match="inputs: expected finite numbers"):
        single.evaluate(0.0, [1.0], [])


def test_parameters_inputs_and_start_values_replace_the_models_own(single: cutset.Model) -> None:
    run = single.simulate(stop=1.0, parameters={"t.k": 2.0}, inputs={"q": 4.0}, initial={"t.h": 1.0}, rtol=1e-9)
    np.testing.assert_allclose(run["t.h"], 2.0 - np.exp(-2.0 * run.time), rtol=1e-6)
    ramp = single.simulate(
        stop=1.0, parameters={"t.k": 0.0}, inputs={"q": lambda t: t}, initial={"t.h": 0.0}, rtol=1e-9
    )
    np.testing.assert_allclose(ramp["t.h"], 0.5 * ramp.time**2, atol=1e-7)


def test_a_folded_parameter_is_changed_by_translating_once_more(single: cutset.Model) -> None:
    changed = single.evaluate(0.0, [0.0], [3.0], parameters={"t.gain": 10.0})
    assert changed.tolist() == [30.0]
    run = single.simulate(parameters={"t.gain": 10.0, "t.k": 1.0}, inputs={"q": 1.0}, initial={"t.h": 10.0})
    np.testing.assert_allclose(run["t.h"], 10.0, rtol=1e-9)
    assert len(single._changed) == 1, "one translation serves both"
    assert single.folded == {"t.gain": 1.0}, "the model itself stays as it is"


def test_the_value_that_is_folded_needs_no_translation() -> None:
    model = cutset.load(TANK, "Single")
    model.evaluate(0.0, [0.0], parameters={"t.gain": 1.0})
    assert model._changed == {}


def test_inspect_counts(single: cutset.Model) -> None:
    facts = single.inspect()
    assert {key: facts[key] for key in ("equations", "states", "aliases", "differentiated_equations")} == {
        "equations": 3,
        "states": 1,
        "aliases": 1,
        "differentiated_equations": 0,
    }
    assert facts["linear_systems"] == facts["nonlinear_systems"] == []
    # k*h and the difference; `twice` is no part of a right-hand side.
    assert facts["operations"] == {"mul_div": 1, "add_sub": 1, "functions": 0}
    assert facts["parameters_folded"] == {"t.gain": 1.0}
    assert {"parse", "instantiate", "flatten", "solve", "lower"} <= set(facts["time_seconds"])


def test_mistakes_of_the_model_come_together() -> None:
    with pytest.raises(cutset.ModelError) as caught:
        cutset.load(Path(__file__).parent / "models" / "wrong.mo")
    assert len(caught.value.diagnostics) >= 2


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"parameters": {"kk": 1.0}}, "E602"),
        ({"parameters": {"t.h": 1.0}}, "E604"),
        ({"initial": {"twice": 1.0}}, "E604"),
        ({"method": "euler"}, "E605"),
        ({"parameters": {"t.k": math.nan}}, "E605"),
        ({"target": "fortran"}, "E605"),
    ],
)
def test_wrong_settings_are_run_errors(single: cutset.Model, settings: dict, code: str) -> None:
    with pytest.raises(cutset.RunError) as caught:
        single.simulate(**settings)
    assert caught.value.code == code


def test_a_failing_run_raises_and_run_keeps_what_there_is() -> None:
    model = cutset.load(TANK, "Blowup")
    with pytest.raises(cutset.RunError) as caught:
        model.simulate(stop=2.0)
    assert caught.value.code.startswith("E61")
    result = model.run(Experiment(stop=2.0))
    assert result.failure is not None
    assert 0.9 < result.time[-1] <= 1.0
    np.testing.assert_allclose(result["x"][:100], 1.0 / (1.0 - result.time[:100]), rtol=1e-3)


STRUCTURAL = """
model class Chain
  parameter n = 2, law = n - 1
  terminal x(n)
  local s
  for k = 1..n do
    if law == 1 then
      x(k) = k
    else
      x(k) = 10*k
    endif
  endfor
  s = sum(x)
end
model M
  parameter m = 2
  submodel (Chain) c(n=m)
  local y
  y = c.x(m)
end
"""


def test_a_structural_parameter_is_changed_by_translating_again(tmp_path) -> None:
    path = tmp_path / "m.mo"
    path.write_text(STRUCTURAL)
    model = cutset.load(path)
    assert model.folded == {"m": 2.0, "c.n": 2.0, "c.law": 1.0}
    assert model.simulate(parameters={"m": 3})["c.s"][0] == 60
    assert model.simulate(parameters={"m": 3, "c.law": 1})["c.s"][0] == 6
    assert model.simulate(parameters={"c.law": 7})["c.s"][0] == 30
    with pytest.raises(cutset.ModelError, match=r"must be a whole number from 1 to 10000, not 2.5"):
        model.simulate(parameters={"m": 2.5})
    with pytest.raises(cutset.ModelError, match="has elements 1 to 1, not 2"):
        model.simulate(parameters={"c.n": 1})
    assert model.simulate()["c.s"][0] == 3


@pytest.mark.parametrize("name", [3, b"Tank", ["Tank"]])
def test_a_name_is_a_text(name):
    with pytest.raises(TypeError, match="the name of an object in the file, not"):
        cutset.load(TANK, name)


def test_what_only_a_structural_value_brings_can_be_set_with_it(tmp_path) -> None:
    path = tmp_path / "m.mo"
    path.write_text(
        "model class Mass\n  parameter m = 1\n  local v(start=0)\n  m*der(v) = 1\nend\n"
        "model Row\n  parameter (Integer) n = 2\n  submodel (Mass) c(n)\nend\n"
    )
    model = cutset.load(path)
    longer = model.with_values({"n": 4})
    assert longer.states == tuple(f"c({k}).v" for k in range(1, 5)) and model.with_values({"n": 2}) is model
    run = model.simulate(parameters={"n": 4, "c(4).m": 2.0}, initial={"c(3).v": 5.0})
    assert run["c(4).v"][-1] == pytest.approx(0.5) and run["c(3).v"][-1] == pytest.approx(6)
    with pytest.raises(cutset.RunError, match=r"is an Integer and cannot be 2.5"):
        model.simulate(parameters={"n": 2.5})
