"""The usual magnitude of a state sets its absolute tolerance, in every method that keeps one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cutset
from cutset.runtime.solvers import METHODS

ADAPTIVE = [name for name, method in METHODS.items() if method.adaptive]
SMALL = """
model Small "an oscillation of size s, next to one of size 1 that fixes no step"
  parameter s = 1e-6
  local x (start=s{of_x}), v{of_v}
  local big (start=1)
  der(x) = v
  der(v) = -x
  der(big) = 0*big
end
"""
ALIAS = """
model Alias
  parameter s = 1e-6
  local x (start=s), y (nominal=s), v
  terminal T (nominal=2)
  x = -y
  der(x) = v
  der(v) = -x
  der(T) = 0
end
"""


def model_of(folder: Path, text: str) -> cutset.Model:
    path = folder / "small.mo"
    path.write_text(text)
    return cutset.load(path)


def error(model: cutset.Model, method: str, target: str) -> float:
    """Of the size of the oscillation."""
    run = model.simulate(stop=20.0, points=41, method=method, target=target)
    return float(np.abs(run["x"] / 1e-6 - np.cos(run.time)).max())


@pytest.mark.parametrize("target", ["c", "python"])
@pytest.mark.parametrize("method", ADAPTIVE)
def test_a_small_state_is_accurate_where_it_says_how_small_it_is(tmp_path: Path, method: str, target: str) -> None:
    from cutset.runtime.targets.toolchain import find_compiler

    if target == "c" and find_compiler() is None:
        pytest.skip("no C compiler on this machine")
    without = model_of(tmp_path, SMALL.format(of_x="", of_v=""))
    assert error(without, method, target) < 1e-3  # as its start says
    given = model_of(tmp_path, SMALL.format(of_x=", nominal=s", of_v=" (nominal=s)"))
    assert error(given, method, target) < 1e-4


def test_in_place_of_cvode_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cutset.runtime.solvers.sundials.load", lambda: None)
    given = model_of(tmp_path, SMALL.format(of_x=", nominal=s", of_v=" (nominal=s)"))
    assert error(given, "cvode-bdf", "python") < 1e-2
    assert error(given, "cvode-adams", "python") < 1e-4


def test_that_of_the_state_itself_counts(tmp_path: Path) -> None:
    text = "model M\n  local x (start=1, nominal=3), y (nominal=7)\n  y = x\n  der(x) = -x\nend\n"
    assert model_of(tmp_path, text).build("python").bind({}).n.tolist() == [3.0]


def test_it_follows_the_parameters_and_synonyms(tmp_path: Path) -> None:
    model = model_of(tmp_path, ALIAS)
    compiled = model.build("python")
    nominals = dict(zip(model.states, compiled.bind({}).n.tolist(), strict=True))
    assert nominals == {"x": 1e-6, "v": 1.0, "T": 2.0}
    assert 0.25 in compiled.bind({"s": 0.25}).n


@pytest.mark.parametrize("s", [0.0, -1.0])
def test_it_has_to_be_positive(tmp_path: Path, s: float) -> None:
    model = model_of(tmp_path, ALIAS)
    with pytest.raises(cutset.RunError, match="the nominal value of the state 'x' is") as raised:
        model.simulate(parameters={"s": s})
    assert raised.value.code == "E628"
