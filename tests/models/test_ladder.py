"""A long ladder of resistors and capacitors: its matrix is a band, and its Jacobian that of the model."""

from __future__ import annotations

import numpy as np
import pytest
from long_models import clutches_text, ladder_text

from cutset.compiler.pipeline import Options, compile_model, emit
from cutset.runtime.build import build
from cutset.runtime.experiment import Experiment
from cutset.runtime.simulate import simulate


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
