"""A long ladder of resistors and capacitors: its matrix is a band, and its Jacobian that of the model."""

from __future__ import annotations

import numpy as np
import pytest
from long_models import clutches_text, ladder_text

from cutset.compiler.pipeline import Options, compile_model, emit
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.runs.simulate import simulate
from cutset.runtime.targets.build import build


def run_of(folder, text, target, **settings):
    """A run of the last object in the text."""
    path = folder / "model.mo"
    path.write_text(text)
    return simulate(build(emit(compile_model(path, None, Options()), target), target), Experiment(**settings))


@pytest.mark.parametrize("target", ["c", "python"])
@pytest.mark.parametrize("method", ["cvode-bdf", "ida"])
def test_a_ladder_is_solved_as_a_band(tmp_path, target, method):
    run = run_of(tmp_path, ladder_text(60), target, stop=0.2, points=3, method=method)
    assert f"{method}, band of 1+1+1, exact Jacobian" == run.statistics.method
    # After some of its slowest time constants, of 15 ms, the whole of it has the voltage of the source.
    last = np.array([run[f"c{k}.u"][-1] for k in range(1, 61)])
    assert np.abs(last - 1.0).max() < 1e-3


def test_clutches_close_one_after_the_other(tmp_path):
    run = run_of(tmp_path, clutches_text(4), "python", stop=4.0)
    # The momentum of the first disc is shared in the end.
    last = np.array([run[f"j{k}.w"][-1] for k in range(5)])
    assert np.abs(last - 2.0).max() < 1e-6


DIODES = """@electrical
model Ladder "with one ideal diode per stage"
  constant n = 100
  submodel (VSine) v(V=10, f=50)
  submodel (Resistor) r(n)(R=1)
  submodel (Capacitor) c(n)(C=1e-6)
  submodel (IdealDiode) d(n)
  submodel (Ground) g
  connect v:A to r(1), v:B to g
  connect r(k) to r(k + 1) for k = 1..n - 1
  connect c(k) at (r(k):B, g) for k = 1..n
  connect d(k) at (r(k):B, g) for k = 1..n
end
"""


def test_a_stiff_network_goes_on_with_the_implicit_method_after_events(tmp_path):
    """It took 17,600 steps, most of them by the explicit method, which events ended before it proved the network
    stiff."""
    run = run_of(tmp_path, DIODES, "c", stop=0.02, points=3)
    assert run.statistics.steps < 5000 and sum(run.statistics.events.values()) > 100
    other = run_of(tmp_path, DIODES, "c", stop=0.02, points=3, method="cvode-bdf", rtol=1e-8, atol=1e-10)
    assert abs(run["c(1).u"][-1] - other["c(1).u"][-1]) < 1e-4 * np.abs(other["c(1).u"]).max()
