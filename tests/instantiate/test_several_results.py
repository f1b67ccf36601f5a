"""Functions with several results: the values of each, and one generated function for all of them."""

from __future__ import annotations

import pytest

import cutset
from cutset.compiler.pipeline import compile_model, emit

MODEL = """
function root(x, k) result y, rounds, v(2)
  local before
  y := 1
  rounds := 0
  while abs(y^2 - x) > 1e-12 do
    before := y
    (y, v) := (1)
    rounds := rounds + 1
  endwhile
  v := [k*y, y/k]
end
function next(y, x) result above, twice
  above := 0.5*(y + x/y)
  twice := 2*y
end
model M
  local y, n, v(2), z (start=0), a, b
  (y, n, v) = root(2 + time, 4)
  der(z) = root(4, 1) + 3*time^2
  (a, b) = twice(y, n)
end
function twice(a, b) result c, d
  (c, d) := exchanged(a, b)
  (c, d) := exchanged(c, d)
  (d, c) := exchanged(c, d)
end
function exchanged(a, b) result c, d
  c := b
  d := a
end
""".replace("(y, v) := (1)", "(y, before) := next(y, x)")


def test_each_result_has_its_value(write_model):
    run = cutset.load(write_model(MODEL)).simulate(stop=1, rtol=1e-9)
    y = (2 + run["time"]) ** 0.5
    assert run["y"] == pytest.approx(y, abs=1e-12)
    assert run["v"][:, 0] == pytest.approx(4 * y) and run["v"][:, 1] == pytest.approx(y / 4)
    assert set(run["n"]) <= {4.0, 5.0, 6.0}
    assert run["z"][-1] == pytest.approx(3, abs=1e-8)
    # Exchanged three times, of which the last names its results the other way round.
    assert run["a"] == pytest.approx(run["y"]) and run["b"] == pytest.approx(run["n"])


def test_all_results_are_one_function(write_model):
    of_one = MODEL.replace("(y, n, v) = root(2 + time, 4)", "y = root(2 + time, 4)\n  n = 1\n  v = [1, 2]")
    texts = [emit(compile_model(write_model(text), None), "c")["model.c"] for text in (MODEL, of_one)]
    several, one = (text.count("f0(given, found)") for text in texts)
    assert several == one > 0 and all("static void f1(" not in text for text in texts)


def test_their_derivatives_are_right(write_model):
    """x = root(w) is differentiated, where w is a state that y constrains: y^2 = 1 + t."""
    text = (
        "function both(w) result y, z\n  local k = 0\n  y := w\n  z := 1\n"
        "  while k < w do\n    k := k + 10\n    y := y^2\n    z := 3*y\n  endwhile\nend\n"
        "model M\n  local w (start=1), y, z, s (start=0)\n  (y, z) = both(w)\n  y = 1 + time\n"
        "  der(s) = der(w)*z\nend\n"
    )
    run = cutset.load(write_model(text)).simulate(stop=1, rtol=1e-9)
    # w = sqrt(1 + t), z = 3*(1 + t): the integral of 3*(1 + t)/(2*sqrt(1 + t)) is (1 + t)^1.5 - 1.
    assert run["w"][-1] == pytest.approx(2**0.5, abs=1e-7) and run["s"][-1] == pytest.approx(2**1.5 - 1, abs=1e-6)


def test_several_results_derive_themselves(write_model):
    text = (
        "function d(x, dx) result y\n  y := dx\nend\n"
        "function f(x) result y (derivative=d), z\n  y := x\n  z := x\nend\nmodel M\n  local a\n  a = f(1)\nend\n"
    )
    with pytest.raises(cutset.ModelError, match="E296"):
        cutset.load(write_model(text))
