"""Guesses of nonlinear systems start from the solution at the first point, wherever a run before left them."""

from pathlib import Path

import numpy as np
import pytest
from models_from_text import translate
from parts import part_of

import cutset
from cutset.compiler.pipeline import emit
from cutset.runtime.solvers.scipy_methods import HostedSegment
from cutset.runtime.targets.build import build

MODEL = "model M\n  local x (start=1), y\n  der(x) = -y\n  y + exp(y) = x + 1 + time\nend\n"


@pytest.mark.parametrize("left", [0.0, 3.0, -20.0])
def test_the_first_point_is_solved(left):
    model = build(emit(translate(MODEL).program, "python"), "python")
    y = 0.8
    x = np.array([y + np.exp(y) - 1.5])
    part = part_of(model, x, 0.5, 1.0)
    part.values.w[0] = left
    hosted = HostedSegment(part, 20.0)
    assert part.values.w[:1] == pytest.approx([y], abs=1e-9)
    assert part.data.evaluations == 0 and not part.data.branch.lost
    hosted.rates(1.0, x)
    assert part.data.evaluations == 1


# Without states, or with a state that does not matter, each with its solution.
STEEP = {
    "inverting amplifier": (
        "v = sin(314.159265358979*time); v + 11e3*y + 30/3.141592653589793*atan(1047.1975511965977*(v + 1e3*y)) = 0",
        lambda t: -1e-3 * np.sin(314.159265358979 * t),
        2e-6,
    ),
    "kink at the start": ("v = 3*time; max(y, 2*y) = v", lambda t: 1.5 * t, 1e-9),
    "small beside its nominal value": (
        "v = cos(20*time); 1e6*y + 5*atan(1e9*(y - 1e-6*v)) = v",
        lambda t: 1e-6 * np.cos(20 * t),
        1e-15,
    ),
}


@pytest.mark.parametrize("target", ["c", "python"])
@pytest.mark.parametrize("name", STEEP)
def test_unique_solutions_need_no_short_steps(tmp_path: Path, name: str, target: str) -> None:
    equations, expected, tolerance = STEEP[name]
    path = tmp_path / "steep.mo"
    path.write_text("model M\n  local v, y\n  " + "\n  ".join(equations.split("; ")) + "\nend\n")
    run = cutset.load(path).simulate(0.1, points=6, target=target)
    np.testing.assert_allclose(run["y"], expected(run["time"]), atol=tolerance, rtol=0)


@pytest.mark.parametrize(("start", "expected"), [(0.21, 0.4), (0.1, 0.0), (0.75, 1.0)])
def test_a_run_starts_at_the_nearest_solution(tmp_path: Path, start: float, expected: float) -> None:
    path, equation = tmp_path / "roots.mo", "x*(1 - x)*(x - 0.4)"
    path.write_text(f"model R\n  local x (start={start})\n  {equation} = 0\nend\n")
    assert cutset.load(path).simulate(1.0, points=3)["x"][-1] == pytest.approx(expected, abs=1e-12)
    text = f"local x (start={start}, fixed=false)\n  der(x) = {equation}\n  initial\n    der(x) = 0\n  endinitial"
    path.write_text(f"model R\n  {text}\nend\n")
    assert cutset.load(path).simulate(1.0, points=3)["x"][0] == pytest.approx(expected, abs=1e-9)
