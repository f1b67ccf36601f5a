"""Tables: linear between and beyond their points, in both targets, with slopes, and cheap however long they are."""

import bisect
from functools import partial

import numpy as np
import pytest
from models_from_text import translate
from scipy.interpolate import RegularGridInterpolator

import cutset
from cutset.compiler.diagnostics import ModelError
from cutset.compiler.pipeline import compile_model
from cutset.runtime.errors import RunError
from cutset.runtime.targets.toolchain import find_compiler

TARGETS = ["python", pytest.param("c", marks=pytest.mark.skipif(find_compiler() is None, reason="no C compiler"))]
TEXT = """
model M
  parameter xs(3) = [0, 1, 3], k = 0.5, T(2,2) = [0, 0; 2, 6]
  parameter half = interp1(k, xs, [0, 10, 0])
  constant S(3,2) = [0, 1; 2, 3; 3, -1]
  local x (start=-1), a, b, c, slope, fixed
  der(x) = 1
  a = interp1(x, xs, [0, 10, 0])
  b = interp1(x, S)
  c = interp1(x, T)
  slope = der(a)
  fixed = interp1(k, [0, 1], [half, 3])
end
"""


@pytest.mark.parametrize("target", TARGETS)
def test_values_and_slopes(target, write_model):
    run = cutset.load(write_model(TEXT)).simulate(stop=6, points=61, target=target, rtol=1e-10)
    x = run["x"]
    assert run["a"] == pytest.approx(np.where(x < 1, 10 * x, 15 - 5 * x), abs=1e-8)
    assert run["b"] == pytest.approx(np.where(x < 2, 1 + x, 3 - 4 * (x - 2)), abs=1e-8)
    assert run["c"] == pytest.approx(3 * x, abs=1e-8)
    away = abs(x - 1) > 1e-6
    assert run["slope"][away] == pytest.approx(np.where(x < 1, 10, -5)[away])
    assert run["half"][0] == 5 and run["fixed"][0] == 4


@pytest.mark.parametrize("target", TARGETS)
def test_tables_of_parameters(target, write_model):
    model = cutset.load(write_model(TEXT))
    run = model.simulate(stop=1, parameters={"xs(2)": 2, "T(2,2)": 4}, target=target)
    assert (run["half"][0], run["fixed"][0]) == (2.5, 2.75)
    assert run["c"][-1] == pytest.approx(2 * run["x"][-1])
    with pytest.raises(RunError, match="xs must ascend"):
        model.simulate(stop=1, parameters={"xs(2)": 3}, target=target)


def test_at_translation():
    model = translate("model M\n  local x\n  x = interp1(1.5, [1, 2; 2, 4]) + 0*time\nend\n")
    assert model.values()["x"] == 3


@pytest.mark.parametrize("target", TARGETS)
def test_a_long_table_is_numbers_and_a_search(target, write_model):
    xs = np.linspace(0, 10, 1001)
    ys = np.sin(xs)
    rows = "; ".join(f"{x!r}, {y!r}" for x, y in zip(xs.tolist(), ys.tolist(), strict=False))
    text = f"model M\n  constant T(1001,2) = [{rows}]\n  local x (start=0), y\n  der(x) = 1\n  y = interp1(x, T)\nend\n"
    model_file = write_model(text)
    model = cutset.load(model_file)
    assert len(compile_model(model_file, None).tables) == 2002
    assert model.translated.info.n_constants == 0
    run = model.simulate(stop=10, points=200, target=target)
    at = [min(bisect.bisect(xs.tolist(), x), 1000) for x in run["x"]]
    assert at[0] == 1 and run["y"] == pytest.approx(np.interp(run["x"], xs, ys), abs=1e-6)


def test_index_reduction_differentiates_a_table():
    text = """
model M
  local x, v, a, F
  der(x) = v
  der(v) = a
  a = F
  x = interp1(time, [0, 1, 2], [0, 2, 3]) + time^2
end
"""
    values = translate(text).values(time=0.5)
    assert (values["x"], values["v"], values["F"]) == (1.25, 3.0, 2.0)


def test_the_points_must_ascend():
    with pytest.raises(ModelError, match="E341"):
        translate("model M\n  local x\n  x = interp1(time, [1, 0], [1, 2])\nend\n")


MAP = """
function again(x, y) result z "in a loop, so that it becomes a function of the code"
  local rounds = 0
  while rounds < 2 + 0*x do
    rounds := rounds + 1
  endwhile
  z := rounds*interp2(x, y, [0, 1, 3], [0, 2, 3, 6], [0, 1, 4, 2; 2, 5, -3, 1; 3, -1, 0, 7])
end

model M
  parameter xs(3) = [0, 1, 3], k = 5, Z(3,4) = [0, 1, 4, 2; 2, k, -3, 1; 3, -1, 0, 7]
  constant T(4,5) = [0, 0, 2, 3, 6; 0, 0, 1, 4, 2; 1, 2, 5, -3, 1; 3, 3, -1, 0, 7]
  local x, y, z, zd, zdd, same, twice, slope
  x = 5*sin(time)
  y = 3 + 4*cos(2*time)
  z = interp2(x, y, xs, [0, 2, 3, 6], Z)
  zd = der(z)
  zdd = der(zd)
  twice = again(x, y)
  slope = der(twice)
  same = interp2(x, y, T) - interp2(1, 2, T)
end
"""


def on_the_way(surface, t):
    """The values of a surface along the way of x and y in MAP."""
    return surface((5 * np.sin(t), 3 + 4 * np.cos(2 * t)))


@pytest.mark.parametrize("target", TARGETS)
def test_tables_of_two_variables(target, write_model):
    """The values are those of scipy, inside and outside; derivatives follow from those of each cell."""
    model = cutset.load(write_model(MAP))
    for k in (5.0, 8.0):
        run = model.simulate(stop=3, points=301, target=target, parameters={"k": k})
        values = np.array([[0, 1, 4, 2], [2, k, -3, 1], [3, -1, 0, 7]])
        surface = RegularGridInterpolator(([0, 1, 3], [0, 2, 3, 6]), values, bounds_error=False, fill_value=None)
        x, y, t, h = run["x"], run["y"], run.time, 1e-5
        assert run["z"] == pytest.approx(surface((x, y)), abs=1e-12)
        inside = np.ones(len(t), dtype=bool)
        for u, points, reach in ((x, [0, 1, 3], 5), (y, [0, 2, 3, 6], 8)):
            inside &= np.abs(u[:, None] - np.array(points)).min(axis=1) > 2 * h * reach

        along = partial(on_the_way, surface)
        slope = (along(t + h) - along(t - h)) / (2 * h)
        assert run["zd"][inside] == pytest.approx(slope[inside], abs=1e-6)
        bend = (along(t + 100 * h) - 2 * along(t) + along(t - 100 * h)) / (100 * h) ** 2
        far = np.ones(len(t), dtype=bool)
        for u, points in ((x, [0, 1, 3]), (y, [0, 2, 3, 6])):
            far &= np.abs(u[:, None] - np.array(points)).min(axis=1) > 200 * h * 8
        assert far.sum() > 100 and run["zdd"][far] == pytest.approx(bend[far], abs=1e-3)
        if k == 5.0:
            assert run["same"] == pytest.approx(run["z"] - 5.0, abs=1e-12)
            assert run["twice"] == pytest.approx(2 * run["z"], abs=1e-12)
            assert run["slope"] == pytest.approx(2 * run["zd"], abs=1e-9)
