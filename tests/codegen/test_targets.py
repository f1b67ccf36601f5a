"""C and Python are the same arithmetic: equal to 1e-13 for every model that ships, at random states."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import cutset
from cutset.compiler.pipeline import compile_model, emit
from cutset.runtime.runs.initialize import held_at
from cutset.runtime.targets.build import build
from cutset.runtime.targets.toolchain import find_compiler

MODELS = sorted((Path(__file__).parent.parent.parent / "models").glob("*.mo"))


@cache
def compiled(path):
    return compile_model(path, None)


@cache
def built(path, target):
    return build(emit(compiled(path), target), target)


@pytest.mark.parametrize("other", ["c", "extended"])
@pytest.mark.parametrize("path", MODELS, ids=lambda p: p.stem)
def test_targets_agree(path, other):
    if other == "c" and find_compiler() is None:
        pytest.skip("without a C compiler")
    c, python = built(path, other), built(path, "python")
    vc, vp = c.bind({}), python.bind({})
    results = vp.c != 0.0  # C leaves factors in its scratch memory
    rounding = 0.0 if other == "c" else 1e-14  # what cancels in doubles
    np.testing.assert_allclose(vc.c[results], vp.c[results], rtol=1e-13, atol=rounding)
    np.testing.assert_allclose(vc.s, vp.s, rtol=1e-13, atol=rounding)
    none = np.zeros(c.info.n_modes)
    np.testing.assert_array_equal(c.time_events(vc, none), python.time_events(vp, none))
    rng = np.random.default_rng(7)
    for t in rng.uniform(0, 3, 10):
        x, u = rng.uniform(-2, 2, len(c.info.states)), rng.uniform(-2, 2, len(c.info.inputs))
        mc, mp = held_at(c, vc, t, x, u), held_at(python, vp, t, x, u)
        np.testing.assert_array_equal(mc, mp)
        dc, dp = c.derivatives(t, x, u, vc, mc), python.derivatives(t, x, u, vp, mp)
        np.testing.assert_allclose(dc, dp, rtol=1e-13, atol=1e-13 * np.nanmax(np.abs(dc), initial=0.0))
        yc, yp = (m.variables(np.array([t]), x[None], u[None], v, mc[None])[0] for m, v in ((c, vc), (python, vp)))
        np.testing.assert_allclose(yc, yp, rtol=1e-13, atol=1e-13 * np.nanmax(np.abs(yc), initial=0.0))


@pytest.mark.skipif(np.finfo(np.longdouble).eps > 1e-18, reason="a long double is a double here")
def test_extended_precision_keeps_what_cancels(write_model):
    """x*(sqrt(x^2 + 1) - x) tends to 1/2; in a system of equations and in a function too. Ten tenths are one."""
    text = """
function tenths(n) result y
  local one, ten, k
  one := 1
  ten := 10
  y := 0
  k := 0
  while k < n do
    y := y + one/ten
    k := k + 1
  endwhile
end
function half(x) result y
  y := x*(sqrt(x^2 + 1) - x)
end
model M
  parameter p = 3e7
  local x, y, z, w, excess
  excess = 1e15*(tenths(10 - time) - 1)
  x = p + time
  y = x*(sqrt(x^2 + 1) - x)
  z^3 + z = x*(sqrt(x^2 + 1) - x)
  w = half(x)
end
"""
    program = compile_model(write_model(text), None)
    none, found = np.zeros(0), {}
    for target in ("python", "extended"):
        model = build(emit(program, target), target)
        row = model.variables(np.zeros(1), none[None], none[None], model.bind({}), none[None])[0]
        found[target] = {name: row[model.info.names[name].index] for name in ("y", "z", "w", "excess")}
    root = np.real(np.roots([1, 0, 1, -0.5])[-1])
    assert abs(found["python"]["y"] - 0.5) > 0.05
    assert found["extended"] == pytest.approx({"y": 0.5, "z": root, "w": 0.5, "excess": 0.0}, abs=1e-3)


@pytest.mark.parametrize("target", ["c", "python"])
def test_an_instant_that_depends_on_another(target, write_model):
    """Each changes when the other has, or by itself; at the instant it has what holds from then on."""
    if target == "c" and find_compiler() is None:
        pytest.skip("without a C compiler")
    text = "model M\n  local x\n  x = if 3*time <= (if time < 0.5 then 2 else time + 1) then 1 else 0\nend\n"
    model = build(emit(compile_model(write_model(text), None), target), target)
    values = model.bind({})
    none = np.zeros(0)
    for t, x in ((0.4, 1.0), (0.49, 1.0), (0.5, 0.0), (0.51, 0.0), (0.7, 0.0)):
        modes = held_at(model, values, t, none, none)
        row = model.variables(np.array([t]), none[None], none[None], values, modes[None])[0]
        assert row[model.info.names["x"].index] == x


@pytest.mark.parametrize("target", ["c", "python"])
def test_a_function_in_a_nonlinear_system_gets_the_iterated_value(write_model, target):
    """y = root(x) with a loop, which is not part of the equation: x + root(x) = 6 at x = 4."""
    if target == "c" and find_compiler() is None:
        pytest.skip("without a C compiler")
    text = """
function root(x) result y (derivative=root_der)
  local before = 0
  y := 1
  while abs(y - before) > 1e-14*y do
    before := y
    y := 0.5*(y + x/y)
  endwhile
end
function root_der(x, dx) result dy
  dy := dx/(2*root(x))
end
model M
  local x (start=1)
  x + root(x) = 6
end
"""
    model = build(emit(compile_model(write_model(text), None), target), target)
    values, none = model.bind({}), np.zeros((1, 0))
    assert model.variables(np.zeros(1), none, none, values, none, np.ones((1, 3)))[0, 0] == pytest.approx(4.0)


def test_a_division_of_two_branches_with_numbers_is_no_exception(write_model) -> None:
    """What is infinite in a branch that no run chooses has no effect, in Python as in C."""
    path = write_model(
        """
model Choice
  parameter (Boolean) open = true, used = false
  local x (start=0), y
  der(x) = 1
  y = if used then time - (if open then 2 else 3)/(if open then 0 else 1) else time
end
"""
    )
    with np.errstate(invalid="ignore"):
        run = cutset.load(path).simulate(stop=1.0, target="python")
    assert run["y"][-1] == 1.0
