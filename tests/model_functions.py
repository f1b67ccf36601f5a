"""Checks functions of models, of any kind: they compute what `evaluate` does, and have the derivatives of `linearize`.

Each construct of the models reaches an operation of its own in the printed code, so that a wrong one is noticed.
"""

from __future__ import annotations

import runpy
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cutset
from cutset.api.command_line.command import main

TEXT = """
function half(x) result y "by a loop"
  local k
  y := x
  k := 0
  while k < 3 do
    y := 0.5*(y + x/(2*y))
    k := k + 1
  endwhile
end
function bent(x) result y
  if x > 0.2 then
    y := x^2
  else
    y := 0.4*x - 0.04
  endif
end
model Machine
  parameter J = 2, d = 0.3, one = 1, scale = 3*J
  parameter xs(9) = [-4, -3, -2, -1, 0, 1, 2, 3, 4], ys(9) = [3, 2.5, 1, 0.4, 0.1, 0.3, 1.5, 2, 4]
  parameter mass (unit="kg") = 1
  parameter (Integer) n = 2
  input u, force (unit="N")
  output speed
  local phi (start=0.3), w (start=1), side (start=1), T, a, b, z, r, v(n)
  local pos (unit="m", start=1), vel (unit="m/s", start=0)
  der(pos) = vel
  mass*der(vel) = force
  der(phi) = w
  J*der(w) = u - d*w*abs(w) - T - 0.1*side + one*max(min(phi, 0.5), -0.5)*sin(phi) + 0.01*r
  T = interp1(phi, xs, ys) + 0.1*interp1(w, [-1, 0, 1], [2, 1, 4])
  z^3 + z = phi + sin(w)
  a*(2 + phi) + b*w = exp(-z)
  a*w - b*(3 + cos(phi)) = tanh(phi)*atan2(w, 2)
  r = a + half(1 + b^2) + bent(phi) + (if w > 0.5 and not phi > 9 then sqrt(w) else abs(w)^1.5)
  v(1) = scale*w
  v(2) = -v(1)
  speed = w
  when w < 0 then
    new(side) = -1
  elsewhen w > 0 then
    new(side) = 1
  endwhen
end
"""
SMALL = """
model Small
  input u
  local x (start=1), a, b, z
  der(x) = u + tanh(x)*abs(x) - z - a
  z^3 + z = x
  a*(2 + x) + b*x = 1
  a*x - b*(3 + x^2) = u
end
"""
OUTPUTS = ["r", "a", "v", "side", "speed", "phi", "J", "u"]
POINTS = [
    (0.4, [0.35, 0.8, 1.0, 0.1], [0.7, 2.0]),
    (0.0, [-0.7, 0.3, 0.5, -0.4], [-0.2, 0.0]),
    (1.0, [1.4, -1.2, 0.0, 0.3], [0.0, 1.0]),
]


@cache
def machine() -> cutset.Model:
    return cutset.loads(TEXT, "Machine")


@cache
def small() -> cutset.Model:
    return cutset.loads(SMALL)


@cache
def function(kind: str, **options: Any) -> Any:
    return machine().function(kind, **({"outputs": tuple(OUTPUTS)} | options))


def numbers(values: Any) -> list[Any]:
    return [np.array(each, dtype=float).ravel() for each in values]


def check_values(f: Any) -> None:
    """x' and the outputs are those of the model."""
    for t, x, u in POINTS:
        m = f.modes(t, x, u)
        dx, y = numbers(f(t, x, u, m=m))
        np.testing.assert_allclose(dx, machine().evaluate(t, x, u), rtol=1e-12)
        found = machine().outputs(t, x, u, list(f.names["y"]))
        np.testing.assert_allclose(y, [found[name] for name in f.names["y"]], rtol=1e-12)


def check_residuals(f: Any) -> None:
    """The residuals are zero where the model is solved, and those of its equations elsewhere."""
    for t, x, u in POINTS:
        m, z = f.modes(t, x, u), machine().outputs(t, x, u, ["z"])["z"]
        dx = machine().evaluate(t, x, u)
        r, y = numbers(f(t, list(dx), x, [z], u, m=list(m)))
        np.testing.assert_allclose(r, 0.0, atol=1e-13)
        r, _ = numbers(f(t, list(dx + 1.0), x, [z + 1.0], u, m=list(m)))
        assert abs(r[-1]) == pytest.approx(3 * z**2 + 3 * z + 2)
        assert r[0] == 1.0
        assert y[f.names["y"].index("v(2)")] == -6.0 * x[1]
    assert f.names["r"][1:] == ("der(w)", "der(pos)", "der(vel)", "z")


PARAMETERS = {"parameters": ["one", "J", "ys(3)"], "outputs": ["v"]}


def check_parameters(f: Any) -> None:
    """Parameters whose values would be part of the code, and those that others follow from, are arguments."""
    given = dict(zip(f.names["p"], (0.5, 4.0, 1.2), strict=True))
    assert given == {"one": 0.5, "J": 4.0, "ys(3)": 1.2} and f.defaults["p"] == (1.0, 2.0, 1.0)
    t, x, u = POINTS[0]
    m, z = f.modes(t, x, u, list(given.values())), machine().outputs(t, x, u, ["z"])["z"]
    form = {"dx": [0.0] * 4, "z": [z]} if f.kind == "sympy" else {}
    dx, y = numbers(f(t=t, x=x, u=u, p=list(given.values()), m=list(m), **form))
    wanted = machine().evaluate(t, x, u, parameters=given)
    np.testing.assert_allclose(-dx[:4] if f.kind == "sympy" else dx, wanted, rtol=1e-12)
    np.testing.assert_allclose(y, [12.0 * x[1], -12.0 * x[1]], rtol=1e-14)


# The derivatives A, B, C, D of a function at arguments.
Slopes = Callable[[Any, Sequence[Any]], list[Any]]


def has_slopes_of(model: cutset.Model, f: Any, function: Any, slopes: Slopes, points: Sequence[Any] = POINTS) -> bool:
    """Whether the derivatives of the function, which f or a planted text made, are those of linearize."""
    for t, x, u in points:
        modes, z = f.modes(t, x, u), np.array(f.defaults["z"])
        found = slopes(function, [np.array(t), np.array(x), np.array(u), np.zeros(0), modes, z])
        linear = model.linearize(t, x, u, outputs=list(f.names["y"]))
        exact = linear.A, linear.B, linear.C, linear.D
        if not all(np.allclose(a, b, rtol=1e-7, atol=1e-8) for a, b in zip(found, exact, strict=True)):
            return False
    return True


def is_noticed(right: str, wrong: str, model: cutset.Model, f: Any, slopes: Slopes, points: Sequence[Any]) -> bool:
    """Whether a fault that is planted in the text of the function changes a derivative, or is an error."""
    (text,) = f.files.values()
    assert right in text
    space: dict[str, Any] = {"__name__": "planted"}
    try:
        exec(text.replace(right, wrong), space)
        return not has_slopes_of(model, f, space["function"], slopes, points)
    except Exception:
        return True


def check_file(
    kind: str, compiled: Callable[[Any], Any], folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    """An exported file is the function, and runs where there is no Cutset."""
    model, file = folder / "machine.mo", folder / "machine.py"
    model.write_text(TEXT)
    assert main(["export", str(model), f"--{kind}", str(file), "--outputs", "a", "--changeable", "J"]) == 0
    assert capsys.readouterr().out == f"wrote {file}\n"
    for name in [name for name in sys.modules if name.partition(".")[0] == "cutset"]:
        monkeypatch.setitem(sys.modules, name, None)
    space = runpy.run_path(str(file))
    monkeypatch.undo()
    t, x, u = POINTS[0]
    given = [np.array(each) for each in (t, x, u, [4.0], function("numpy").modes(t, x, u), space["DEFAULTS"]["z"])]
    dx, y = numbers(compiled(space["function"])(*given))
    np.testing.assert_allclose(dx, machine().evaluate(t, x, u, parameters={"J": 4.0}), rtol=1e-12)
    assert y[0] == pytest.approx(machine().outputs(t, x, u, ["a"])["a"], rel=1e-12)
    assert space["NAMES"]["p"] == ("J",) and space["UNITS"]["u"] == ("", "N")
