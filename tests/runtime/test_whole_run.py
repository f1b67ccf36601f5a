"""The memory of a run serves the next one of the model, which does not depend on it."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import cutset
from cutset.runtime.errors import RunError
from cutset.runtime.targets.toolchain import find_compiler

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler on this machine")

TANK = """model Tank
  parameter k (min=0.1, max=10)=1, area=2, ratio=k/area
  parameter level (min=0)=0.5
  local h (start=level), low
  low = if h < 0.2 then 1 else 0
  area*der(h) = -k*h + 0.1*low
end
"""
FILLED = TANK.replace("  low = if", "  input q\n  low = if").replace("0.1*low", "0.1*low + q")


@pytest.mark.parametrize("text", [TANK, FILLED])
def test_values_of_a_run_are_its_own(text, write_model):
    """Parameters, start values, inputs, methods and runs that are refused leave nothing behind."""
    path = write_model(text)
    model = cutset.load(path)
    settings = [
        *({}, {"parameters": {"k": 3.0, "area": 1.0}}, {"initial": {"h": 0.3}}, {"times": [0.1, 0.7]}, {"points": 4}),
        *({"method": "ida"}, {"method": "radau"}, {"method": "cvode-bdf"}, {"stop": 3.0, "method": "rk4"}),
        *({"max_step": 0.01}, {"rtol": 1e-9, "atol": 1e-12}, {"parameters": {"k": 20.0}}, {"initial": {"h": np.nan}}),
    ]
    if text is FILLED:
        settings += [{"inputs": {"q": 0.3}}, {"inputs": {"q": np.sin}}, {"inputs": {"q": lambda t: [t]}}]
    for own in (*settings, {}):
        found = []
        for each in (model, cutset.load(path)):
            try:
                run = each.simulate(**own)
                found.append([run.time.tolist(), run["h"].tolist(), run.statistics.method, *run.notes])
            except RunError as error:
                found.append([str(error).split(" at 0x")[0]])
        assert found[0] == found[1], own


def test_threads_have_memory_of_their_own(write_model):
    model = cutset.load(write_model(TANK))
    values = np.linspace(0.2, 9.0, 24)

    def last(k):
        return float(model.simulate(1.0, parameters={"k": k})["h"][-1])

    alone = [last(k) for k in values]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(last, values)) == alone


def test_delays_are_part_of_the_call(write_model):
    model = cutset.load(write_model("model M\n  local x (start=1)\n  der(x) = -delay(x, 0.5)\nend\n"))
    assert model.simulate(0.2)["x"][-1] == pytest.approx(0.8, abs=1e-12)
