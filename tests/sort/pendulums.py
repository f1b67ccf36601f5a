"""The pendulum in Cartesian coordinates, and runs of a text, for tests of chosen states."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import cutset

PENDULUM = """
model Pendulum
  parameter L = 1, g = 9.81
  local {locals}, F
  vx = der(x)
  vy = der(y)
  der(vx) = -F*x
  der(vy) = -F*y - g
  x^2 + y^2 = L^2
{more}
end
"""


def pendulum(variables: str, more: str = "") -> str:
    """With these declarations of its coordinates."""
    return PENDULUM.format(locals=variables, more=more)


def values_of(path: Path, text: str, stop: float = 10.0, **settings) -> dict[str, np.ndarray]:
    """A run of the model in the text, which is written to the path: the values of its names."""
    path.write_text(text)
    result = cutset.load(path).simulate(stop, **settings)
    return {name: np.asarray(result[name]) for name in {*result.names(), *result.compiled.info.names}}
