"""Tests the derivatives of runs by parameters: closed solutions, central differences, and what has no derivative."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from oracles.sensitivities import RandomHybrid, compared

import cutset
from cutset.runtime.errors import RunError, UnknownName
from cutset.runtime.targets.toolchain import find_compiler

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="needs a C compiler")

BALL = """
model Ball
  parameter h0 = 2, g = 9.81, e = 0.7
  local h (start=h0), v (start=0), up
  der(h) = v
  der(v) = -g
  up = -v
  when h < 0 then
    init(v) = -e*v
  endwhen
end
"""


def _model(folder: Path, text: str) -> cutset.Model:
    path = folder / "m.mo"
    path.write_text(text)
    return cutset.load(path)


def test_a_bounce_moves_with_the_parameters_of_the_fall(tmp_path: Path) -> None:
    run = _model(tmp_path, BALL).simulate(1.0, sensitivities=["e", "h0", "start of v"], rtol=1e-10, atol=1e-11)
    g, e, t1, v1 = 9.81, 0.7, np.sqrt(4.0 / 9.81), np.sqrt(4.0 * 9.81)
    since, moved, faster = 1.0 - t1, 1.0 / v1, g / v1
    assert run.sensitivity("h", "e")[-1] == pytest.approx(v1 * since, rel=1e-8)
    by_height = e * faster * since - e * v1 * moved + g * since * moved
    assert run.sensitivity("h", "h0")[-1] == pytest.approx(by_height, rel=1e-8)
    assert run.sensitivity("up", "h0")[-1] == pytest.approx(-e * faster - g * moved, rel=1e-8)
    assert np.array_equal(run.sensitivity("h", "h0"), run["d h / d h0"]) and run.sensitivity("h", "h0")[0] == 1.0
    # v1 is stationary in v0, and the ball arrives later by v0/g.
    assert run.sensitivity("v", "start of v")[-1] == pytest.approx(1.0, rel=1e-8)
    assert run["h"][-1] == pytest.approx(e * v1 * since - g / 2 * since**2, rel=1e-8)
    with pytest.raises(UnknownName, match="E607"):
        run.sensitivity("h", "g")


def test_values_of_a_run_do_not_follow_from_parameters(tmp_path: Path) -> None:
    text = "model M\n parameter n = 3, k = 2*n, x0 = n\n local x (start=x0)\n der(x) = -k*x\nend\n"
    model = _model(tmp_path, text)
    free = model.simulate(0.5, sensitivities=["n"], rtol=1e-10, atol=1e-12).sensitivity("x", "n")[-1]
    assert free == pytest.approx((1.0 - 3.0) * np.exp(-3.0), rel=1e-8)
    given = model.simulate(0.5, sensitivities=["n"], parameters={"k": 6.0}, initial={"x": 3.0})
    assert not given.sensitivity("x", "n").any()


@pytest.mark.parametrize("seed", [4, 12])
def test_random_hybrid_models_agree_with_differences(tmp_path: Path, seed: int) -> None:
    made = RandomHybrid(seed)
    found = compared(_model(tmp_path, made.text), made.names, ("x", "v", "w", "z", "y", "i1", "u"))
    assert len(found) == len(made.names) and max(found.values()) < 1e-6


@pytest.mark.parametrize("method", ["cvode-bdf", "rk4"])
def test_all_methods_have_them(tmp_path: Path, method: str) -> None:
    run = _model(tmp_path, BALL).simulate(1.0, sensitivities=["e"], method=method, max_step=1e-3, rtol=1e-9, atol=1e-11)
    assert run.sensitivity("h", "e")[-1] == pytest.approx(np.sqrt(4 * 9.81) * (1 - np.sqrt(4 / 9.81)), rel=1e-6)


WHOLE = "model M\n parameter (Integer) i = 3\n parameter n = 3, a = 2\n local x(n)(start=1)\n"
WHOLE += " for k = 1..n do\n der(x(k)) = -a*x(k)*i\n endfor\nend\n"
PREFERRED = """
model M
  parameter L = 1
  local x (start=0.3, state=prefer), y (start=-1, fixed=false), vx (start=5, state=prefer), vy, F
  vx = der(x)
  vy = der(y)
  der(vx) = -F*x
  der(vy) = -F*y - 9.81
  x^2 + y^2 = L^2
end
"""
DELAY = "model M\n parameter a = 2\n local x (start=1)\n der(x) = -a*delay(x, 0.1)\nend\n"
TWO = """
model M
  parameter a = 1, b = 1
  local x (start=0), y (start=0)
  der(x) = a
  der(y) = b
  when x > 0.5 then
    init(x) = 0
  endwhen
  when y > 0.5 then
    init(y) = 0
  endwhen
end
"""


@pytest.mark.parametrize(
    ("text", "settings", "code", "words"),
    [
        (WHOLE, {"sensitivities": ["c"]}, "E602", "no parameter 'c'"),
        (WHOLE, {"sensitivities": ["n"]}, "E604", "decides on the structure"),
        (WHOLE, {"sensitivities": ["i"]}, "E604", "no real number"),
        (WHOLE, {"sensitivities": ["start of a"]}, "E604", "it is no state"),
        (WHOLE, {"sensitivities": ["a"], "method": "bdf"}, "E605", "the method bdf"),
        (WHOLE, {"sensitivities": ["a"], "start_from": b""}, "E605", "continues another one"),
        (DELAY, {"sensitivities": ["a"]}, "E605", "delay has no derivative"),
        (PREFERRED, {"sensitivities": ["L"]}, "E605", "choice of states has no derivative"),
        (TWO, {"sensitivities": ["a"]}, "E637", "at the same instant as another relation"),
    ],
)
def test_what_has_no_derivative_is_refused(
    tmp_path: Path, text: str, settings: dict[str, object], code: str, words: str
) -> None:
    with pytest.raises(RunError, match=code) as error:
        _model(tmp_path, text).simulate(1.0, **settings)  # type: ignore[arg-type]
    assert words in str(error.value)
