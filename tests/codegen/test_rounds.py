"""The rounds of loops are bounded for all calls of an evaluation together: calls in loops of calls end, too."""

import numpy as np
import pytest
from work_counts import lines_of

from cutset.compiler.expressions.interpret import MOST_ITERATIONS
from cutset.compiler.pipeline import compile_model, emit
from cutset.runtime.targets.build import build
from cutset.runtime.targets.python_model import SOURCE

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


def test_rounds_of_calls_in_loops_count_together(built):
    """400 times 400 rounds, each loop far from the limit."""
    text = loop("g", 400, "x") + loop("f", 400, "g(k*x)")
    model = built(text + "model M\n  local y\n  der(y) = f(time)\nend\n")
    assert np.isnan(rates(model)).all()


def test_many_endless_calls_take_the_work_of_one(built):
    states = ", ".join(f"y{k}" for k in range(20))
    equations = "".join(f"  der(y{k}) = f({k} + time)\n" for k in range(20))
    model = built(loop("f", 1e9, "x") + f"model M\n  local {states}\n{equations}end\n")
    found = []
    # Of the Python target; what C runs is the same.
    lines = lines_of(lambda: found.append(rates(model)), SOURCE)
    assert np.isnan(found[0]).all() and lines < 8 * MOST_ITERATIONS, lines


def test_each_call_has_rounds_of_its_own(built):
    text = loop("f", 60_000, "x") + "model M\n  local y, z\n  der(y) = f(time)\n  der(z) = f(2*time)\nend\n"
    model = built(text)
    for _ in range(2):  # and each evaluation
        assert rates(model) == pytest.approx([60_000, 120_000])
