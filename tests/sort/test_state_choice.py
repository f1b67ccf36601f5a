"""Choices for good and choices in the run, where constraints are differentiated differently often."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from models_from_text import translate

import cutset

STATIC = """
model Chosen
  local x(start=1), z(start=-0.2), y
  2*der(x) - 0.1*z = 1
  sin(x) + 3*z + sin(z) = 2*time
  z + 3*y + der(z, 2) = 0
end
"""


def states(text: str) -> tuple[str, ...]:
    return translate(text).program.info.states


@pytest.fixture
def run_of(tmp_path: Path):
    """A run of a text."""

    def run(text: str, stop: float, **settings):
        path = tmp_path / "model.mo"
        path.write_text(text)
        return cutset.load(path).simulate(stop, **settings)

    return run


def test_another_choice_that_is_regular_everywhere_replaces_that_of_the_plan(run_of) -> None:
    # x follows from z where cos(x) is not zero, z from x always: 3 + cos(z) is 2 at least.
    assert states(STATIC) == ("x",)
    run = run_of(STATIC, 2.0, rtol=1e-9, atol=1e-11)
    x, z = run["x"], run["z"]
    assert x[-1] > math.pi / 2  # beyond the place at which z says nothing of x
    assert np.abs(np.sin(x) + 3 * z + np.sin(z) - 2 * run.time).max() < 1e-8


@pytest.mark.parametrize(
    ("factor", "expected"),
    [
        ("a", "$states1.x(1)"),
        ("max(a, 2)", "x"),
        ("b", "x"),
        ("(a^2 + 2)", "x"),
        ("exp(a)", "$states1.x(1)"),
        ("c", "x"),
    ],
)
def test_a_parameter_counts_by_its_limits(factor: str, expected: str) -> None:
    # b keeps its limits in every run, a may be given any value, c none.
    declared = "parameter a = 3, b (min=1.5) = 3\n  constant c = 1.5\n  local"
    assert states(STATIC.replace("local", declared, 1).replace("3*z +", f"{factor}*z +")) == (expected,)


def test_a_preference_is_kept() -> None:
    assert states(STATIC.replace("z(start", "z(state=prefer, start")) == ("z",)
    assert states(STATIC.replace("x(start", "x(state=never, start")) == ("z",)


# x is a + b*sin(c*time + d) for each; with z1 as the state, z3 would follow where sin(z3 - z1) is not zero.
WAVES = {
    "z0": (0.307, 1.023, 2.869, 3.639),
    "z1": (-1.058, 0.739, 2.284, 2.085),
    "z2": (1.594, 0.607, 2.781, 5.837),
    "z3": (-0.814, 0.686, 1.998, 3.774),
    "z4": (-0.333, 0.426, 1.832, 4.041),
}
SILENT = """
model M
  local z0(start={z0}), z1(start={z1}), z2(start={z2}), z3(start={z3}), z4(start={z4}), w0, w1, w2, w3, w4
  {waves}
  0.39*z0 + 0.28*z3 + 2*z4 + z4^3 + 0.5*der(z1) = 0.39*w0 + 0.28*w3 + 2*w4 + w4^3 + 0.5*der(w1)
  0.5*der(z1, 2) + 2*der(z2) = 0.5*der(w1, 2) + 2*der(w2)
  0.04*sqrt(1 + z1^2) + 2*der(z0) - der(z3, 2) = 0.04*sqrt(1 + w1^2) + 2*der(w0) - der(w3, 2)
  -0.23*z1 - 0.29*cos(z3 - z1) + 2*z1 + z1^3 = -0.23*w1 - 0.29*cos(w3 - w1) + 2*w1 + w1^3
  2*der(z3) + 0.27*sin(z3) = 2*der(w3) + 0.27*sin(w3)
end
"""


@pytest.mark.parametrize("tolerance", [1e-4, 1e-6])
def test_a_singular_choice_is_not_stepped_over(run_of, tolerance: float) -> None:
    begins = {name: a + b * math.sin(d) for name, (a, b, _, d) in WAVES.items()}
    waves = "\n  ".join(f"w{k} = {a} + {b}*sin({c}*time + {d})" for k, (a, b, c, d) in enumerate(WAVES.values()))
    run = run_of(SILENT.format(waves=waves, **begins), 10.0, rtol=tolerance, atol=1e-2 * tolerance)
    for name, (a, b, c, d) in WAVES.items():
        assert np.abs(run[name] - a - b * np.sin(c * run.time + d)).max() < 20 * tolerance


def test_an_equation_beside_a_set_that_turns_singular_joins_the_choice(run_of) -> None:
    # The speeds follow from the place, z from them by sin(z): where cos(z) is zero, z has to be the state.
    text = """
model M
  local x(start=0), z(start=0.3), y(start=0.3), p(start=-1), F
  p = der(x)
  x + y + 0.2*y^3 = 0.3 + 0.2*0.3^3
  sin(z) + p = sin(0.3 + 2*time) - cos(time)
  der(z) + 0.1*der(p) = 2 + 0.1*sin(time)
  F + der(y, 2) = 0
end
"""
    assert states(text) == ("x", "z")
    run = run_of(text, 4.0, rtol=1e-8, atol=1e-10)
    assert np.abs(run["z"] - 0.3 - 2 * run.time).max() < 1e-5
    assert np.abs(run["x"] + np.sin(run.time)).max() < 1e-5


@pytest.mark.parametrize("target", ["c", "python"])
def test_what_only_the_outputs_need_goes_on_from_output_to_output(run_of, target: str) -> None:
    text = "model M\n local x(start=0), y(start=0.1)\n der(x) = 1\n sin(y - x) = 0.2*sin(3*x)\nend\n"
    run = run_of(text, 20.0, target=target)
    assert np.abs(run["y"] - run.time - np.arcsin(0.2 * np.sin(3 * run.time))).max() < 1e-9
