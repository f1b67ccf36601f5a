"""Tests fits: the values that made the data are found, deviations agree with repeated noise, bad data have messages."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cutset
from cutset.api.command_line.command import main
from cutset.runtime.errors import RunError
from cutset.runtime.targets.toolchain import find_compiler

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="needs a C compiler")

SLIDER = """
model Slider
  parameter m (min=0) = 1, fc = 0.3, d = 0.1, e (unit="1") = 1
  input F (unit="N")
  local x (unit="m", start=0), v (unit="m/s", start=0), side (start=1)
  der(x) = v
  m*der(v) = F - d*e*v - fc*side
  when v < 0 then
    new(side) = -1
  elsewhen v > 0 then
    new(side) = 1
  endwhen
end
"""
TRUE, SIZE = {"m": 1.4, "fc": 0.5, "d": 0.25}, 0.01
TIMES = np.linspace(0.0, 4.0, 81)


@pytest.fixture(scope="module")
def slider(tmp_path_factory: pytest.TempPathFactory) -> cutset.Model:
    path = tmp_path_factory.mktemp("fit") / "slider.mo"
    path.write_text(SLIDER)
    return cutset.load(path)


def _measured(slider: cutset.Model, seed: int | None, **given: Any) -> Any:
    push = 3.0 * np.sin(2.0 * TIMES)
    run = slider.simulate(4.0, inputs={"F": (TIMES, push)}, parameters=TRUE, times=TIMES[1:-1], rtol=1e-9, **given)
    noise = 0.0 if seed is None else SIZE * np.random.default_rng(seed).normal(size=len(TIMES))
    columns = np.column_stack([push, run.at(TIMES)["x"] + noise])
    return _table(columns)


def _table(columns: Any) -> Any:
    from cutset.api.files.input_tables import InputTable

    return InputTable(TIMES, columns, ("F", "x"))


def test_exact_data_give_the_values_that_made_them(slider: cutset.Model) -> None:
    fit = slider.fit(["m", "fc", "d"], _measured(slider, None), {"x": SIZE}, rtol=1e-9, atol=1e-10)
    assert dict(fit.values) == pytest.approx(TRUE, rel=1e-6) and fit.misfit < 1e-6 and not fit.notes
    assert np.abs(fit.residuals[0][1]["x"]).max() < 1e-3 and fit.evaluations < 15
    assert fit.plot().axes[0].get_ylabel() == "x"


def test_deviations_are_those_of_repeated_noise(slider: cutset.Model) -> None:
    fits = [slider.fit(["m", "fc"], _measured(slider, seed), {"x": SIZE}, given={"d": 0.25}) for seed in range(20)]
    spread = np.std([[fit.values[n] for n in ("m", "fc")] for fit in fits], axis=0)
    assert spread == pytest.approx(list(fits[0].deviations.values()), rel=0.5)
    low, high = fits[0].intervals(0.9999)["m"]
    assert low < 1.4 < high and fits[0].correlation[0, 0] == pytest.approx(1.0)


def test_each_experiment_has_its_free_start(slider: cutset.Model) -> None:
    data = [_measured(slider, None, initial={"x": x0}) for x0 in (0.2, -0.3)]
    fit = slider.fit({"m": 1.0}, data, {"x": SIZE}, free_start=["x"], given={"fc": 0.5, "d": 0.25}, rtol=1e-9)
    expected = {"m": 1.4, "start of x (1)": 0.2, "start of x (2)": -0.3}
    assert dict(fit.values) == pytest.approx(expected, rel=1e-5)


def test_a_prior_decides_what_data_do_not(slider: cutset.Model) -> None:
    data = _measured(slider, None)
    with pytest.raises(RunError, match="do not determine") as error:
        slider.fit(["d", "e"], data, {"x": SIZE}, given={"m": 1.4, "fc": 0.5})
    assert "no effect if together 'd' changes by" in str(error.value) and "'e'" in str(error.value)
    fit = slider.fit(["d", "e"], data, {"x": SIZE}, priors={"e": (0.5, 0.01)}, given={"m": 1.4, "fc": 0.5})
    assert fit.values["d"] == pytest.approx(0.5, rel=1e-2)


def test_bounds_hold_and_wrong_deviations_are_noted(slider: cutset.Model) -> None:
    fit = slider.fit(["m"], _measured(slider, 1), {"x": 1e-4}, bounds={"m": (0.5, 1.2)}, given={"fc": 0.5, "d": 0.25})
    assert fit.values["m"] == pytest.approx(1.2)
    assert "'m' is at its bound" in fit.notes[0] and "times their deviations" in fit.notes[1]


GAP = np.column_stack([np.zeros(81), np.where(TIMES == 2.0, np.nan, 0.0)])


@pytest.mark.parametrize(
    ("call", "code", "words"),
    [
        (lambda m, data: m.fit(["m", "c"], data, {"x": 1.0}), "E602", "no parameter 'c'"),
        (lambda m, data: m.fit(["m"], data, {"y": 1.0}), "E607", "'y'"),
        (lambda m, data: m.fit(["m"], data, {"v": 1.0}), "E605", "no column 'v'"),
        (lambda m, data: m.fit(["m"], data, {"x": 0.0}), "E605", "greater than 0"),
        (lambda m, data: m.fit([], data, {"x": 1.0}), "E605", "needs parameters"),
        (lambda m, data: m.fit({"m": -1.0}, data, {"x": 1.0}), "E605", "not within its bounds, 0 to inf"),
        (lambda m, data: m.fit(["m"], data, {"x": 1.0}, bounds={"d": (0, 1)}), "E602", "'d'"),
        (lambda m, data: m.fit(["m"], data, {"x": 1.0}, priors={"m": (1, 0)}), "E605", "the prior of 'm'"),
        (lambda m, data: m.fit(["m"], data, {"x": 1.0}, start=1.0), "E605", "before the run"),
        (lambda m, data: m.fit(["m"], _table(GAP), {"x": 1.0}), "E605", "no value in row 41"),
    ],
)
def test_bad_input_is_told(slider: cutset.Model, call: Callable[..., Any], code: str, words: str) -> None:
    with pytest.raises(RunError, match=code) as error:
        call(slider, _measured(slider, None))
    assert words in str(error.value)


def test_the_command_prints_the_fit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, data, picture = tmp_path / "tank.mo", tmp_path / "tank.csv", tmp_path / "rest.svg"
    model.write_text("model Tank\n  parameter c = 1, b = 0.3\n  local h (start=1)\n  der(h) = -c*h + b\nend\n")
    times = np.linspace(0.0, 2.0, 9)
    rows = "".join(f"{t},{0.25 + 1.75 * np.exp(-2.0 * t):.15g}\n" for t in times)
    data.write_text(f"time,h\n{rows}")
    words = ["fit", str(model), "--parameters", "c=1.5", "b", "--data", str(data), "--outputs", "h=0.01"]
    words += ["--bounds", "c=0:5", "--priors", "b=0.5:10", "--free-start", "h", "--save", str(picture)]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert [line.split()[0] for line in out.splitlines()] == ["wrote", "parameter", "c", "b", "start", "misfit"]
    assert main([*words, "--json", "--set", "h=3"]) == 0 and picture.read_text().lstrip().startswith("<?xml")
    values = json.loads(capsys.readouterr().out)["values"]
    assert values == pytest.approx({"c": 2.0, "b": 0.5, "start of h": 2.0}, rel=1e-4)
    assert main([*words, "--bounds", "c=1"]) == 2
    assert "'c=1' has no number where one belongs" in capsys.readouterr().err
