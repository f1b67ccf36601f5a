"""Guesses of nonlinear systems start from the solution at the first point, wherever a run before left them."""

import numpy as np
import pytest
from models_from_text import translate

from cutset.compiler.pipeline import emit
from cutset.runtime.build import build
from cutset.runtime.experiment import Experiment
from cutset.runtime.python_run import problem_of
from cutset.runtime.solvers.branches import Branch

MODEL = "model M\n  local x (start=1), y\n  der(x) = -y\n  y + exp(y) = x + 1 + time\nend\n"


@pytest.fixture(scope="module")
def problem():
    return problem_of(build(emit(translate(MODEL).program, "python"), "python"), Experiment(10.0))


@pytest.mark.parametrize("left", [0.0, 3.0, -20.0])
def test_the_first_point_is_solved(problem, left):
    problem.values.w[0] = left
    y = 0.8
    branch = Branch(problem, np.zeros(0), 0.5, np.array([y + np.exp(y) - 1.5]))
    assert branch.last[:1] == pytest.approx([y], abs=1e-9)
    assert branch.extrapolate(1.0)[:1] == pytest.approx([y], abs=1e-9)
    assert branch.evaluations == 0 and not branch.lost
