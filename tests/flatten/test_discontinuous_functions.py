"""floor, ceil and mod of what varies: whole numbers that change at located instants."""

from __future__ import annotations

import numpy as np
import pytest
from models_from_text import translate

import cutset

TEXT = """
model M
  parameter T = 0.3
  local x (start=0), v (start=1), a, b, c, d (start=0), q
  der(x) = v
  der(v) = -x
  a = floor(5*time + 0.5)
  b = mod(time, T)
  c = ceil(2.9*x)
  der(d) = floor(2.9*x)
  q = noevent(floor(7*x))
end
"""


def held(run, name: str, expected) -> None:
    """Between the events; at one there are two rows, of which one is before it."""
    steps = np.diff(run.time)
    inside = np.r_[True, steps > 1e-9] & np.r_[steps > 1e-9, True]
    np.testing.assert_allclose(run[name][inside], expected[inside], atol=1e-6, err_msg=name)


@pytest.mark.parametrize("target", ["c", "python"])
@pytest.mark.parametrize("method", ["auto", "cvode-bdf"])
def test_values_and_instants(write_model, method: str, target: str) -> None:
    model = cutset.load(write_model(TEXT))
    run = model.simulate(6.0, points=1001, rtol=1e-9, atol=1e-9, method=method, target=target)
    t, x = run.time, np.sin(run.time)
    held(run, "a", np.floor(5 * t + 0.5))
    held(run, "b", np.mod(t, 0.3))
    held(run, "c", np.ceil(2.9 * x))
    # 30 and 20, of which ten are the same.
    assert run.statistics.events["time"] == 40
    assert run.statistics.events["state"] >= 9
    # The integral of floor(2.9*sin(t)): the instants at which 2.9*sin(t) passes whole numbers count, exactly. With 3 it
    # would touch one at its top, where the error of x decides.
    first, second = np.arcsin(1 / 2.9), np.arcsin(2 / 2.9)
    half = [
        (first, 0),
        (second, 1),
        (np.pi - second, 2),
        (np.pi - first, 1),
        (np.pi, 0),
        (np.pi + first, -1),
        (np.pi + second, -2),
    ]
    half += [(2 * np.pi - second, -3), (2 * np.pi - first, -2), (6.0, -1)]
    ends = [0.0, *(end for end, _ in half)]
    assert run["d"][-1] == pytest.approx(
        sum((b - a) * k for a, b, (_, k) in zip(ends, ends[1:], half, strict=False)), abs=1e-6
    )


def test_jumps_of_time_are_met_exactly(write_model) -> None:
    run = cutset.load(write_model(TEXT)).simulate(1.0, points=11, parameters={"T": 0.25})
    b = run["b"]
    jumps = run.time[1:][np.diff(b) < -0.2]
    np.testing.assert_allclose(jumps, [0.25, 0.5, 0.75, 1.0][: len(jumps)], rtol=0, atol=1e-12)
    assert len(jumps) >= 3
    assert b[np.flatnonzero(run.time == 0.5)[-1]] == 0.0


def test_the_start_may_be_any_number(write_model) -> None:
    text = (
        "model M\n  parameter big = 1e6\n  local x (start=big + 0.5), n, m\n  der(x) = -1\n  n = floor(x)\n"
        "  m = ceil(-x)\nend\n"
    )
    model = cutset.load(write_model(text))
    for big in (1e6, -12.0, 0.0):
        run = model.simulate(1.0, parameters={"big": big})
        assert (run["n"][0], run["n"][-1], run["m"][-1]) == (big, big - 1, 1 - big)


def test_what_makes_no_event() -> None:
    lines = ["q = noevent(floor(7*x))", "q = floor(7*p)", "q = smooth(mod(x, 3))"]
    for line in lines:
        model = translate(f"model M\n  parameter p = 2\n  local x (start=0), q\n  der(x) = 1\n  {line}\nend\n")
        assert model.program.info.relations == () and model.program.info.discrete == ()
    text = (
        "model M\n  local x (start=0), n (start=0), q\n  der(x) = 1\n  when x > 2 then\n    new(n) = floor(x)\n"
        "  endwhen\n  q = floor(n/2)\nend\n"
    )
    assert translate(text).program.info.discrete == ("n",)


def test_inside_of_each_other_and_in_conditions(write_model) -> None:
    text = """
model M
  local x (start=0), y, n (start=0)
  der(x) = 1
  y = floor(mod(x, 2)*2)
  when mod(x, 1) < 0.5 then
    new(n) = n + 1
  endwhen
end
"""
    run = cutset.load(write_model(text)).simulate(4.25, points=1701)
    held(run, "y", np.floor(np.mod(run.time, 2) * 2))
    assert run["n"][-1] == 4


def test_relations_show_the_function_that_a_model_contains(write_model) -> None:
    long = " + ".join(f"{k}.5*x" for k in range(20))
    text = f"model M\n  local x (start=0), y\n  der(x) = 1\n  y = floor(3*x) + floor({long}) + floor({long} + 1)\nend\n"
    info = cutset.load(write_model(text)).translated.info
    assert len(set(info.discrete)) == len(info.discrete) == 3
    assert info.relations[0].text == "3*x < floor(3*x)" and not any("$" in r.text for r in info.relations)
