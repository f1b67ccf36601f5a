"""The rounds of loops are bounded for all calls of an evaluation together: calls in loops of calls end, too."""

import time

import numpy as np
import pytest

from cutset.compiler.pipeline import compile_model, emit
from cutset.runtime.build import build

LOOP = (
    "function {head}\n  local k = 0\n  r := 0\n  while k < {rounds} and x > -1 do\n    r := r + {value}\n"
    "    k := k + 1\n  endwhile\nend\n"
)


def loop(name, rounds, value):
    return LOOP.format(head=f"{name}(x) result r", rounds=rounds, value=value)


@pytest.fixture(params=["c", "python"])
def built(request, write_model):
    return lambda text: build(emit(compile_model(write_model(text), None), request.param), request.param)


def rates(model):
    values = model.bind({})
    return model.derivatives(1.0, np.zeros(len(model.info.states)), np.zeros(0), values, np.zeros(0))


def test_loops_of_calls_with_loops_end(built):
    text = loop("g", 90_000, "x") + loop("f", 90_000, "g(k*x)")
    model = built(text + "model M\n  local y\n  der(y) = f(time)\nend\n")
    began = time.process_time()
    assert np.isnan(rates(model)).all()
    assert time.process_time() - began < 5


def test_many_endless_calls_take_the_time_of_one(built):
    states = ", ".join(f"y{k}" for k in range(200))
    equations = "".join(f"  der(y{k}) = f({k} + time)\n" for k in range(200))
    model = built(loop("f", 1e9, "x") + f"model M\n  local {states}\n{equations}end\n")
    began = time.process_time()
    assert np.isnan(rates(model)).all()
    assert time.process_time() - began < 5


def test_each_call_has_rounds_of_its_own(built):
    text = loop("f", 60_000, "x") + "model M\n  local y, z\n  der(y) = f(time)\n  der(z) = f(2*time)\nend\n"
    model = built(text)
    for _ in range(2):  # and each evaluation
        assert rates(model) == pytest.approx([60_000, 120_000])
