"""Outputs far from each other: what follows by an iteration at each is what it is where there are many."""

from __future__ import annotations

import numpy as np
import pytest

import cutset
from cases.case import FOLDER

METHODS = ["auto", "dopri5", "cvode-bdf", "cvode-adams", "ida", "radau"]
NAMES = ("q2", "q4", "q5", "q7", "v4", "z1")


@pytest.fixture(scope="module")
def squeezer():
    return cutset.load(FOLDER / "models" / "squeezer.mo")


@pytest.fixture(scope="module")
def wanted(squeezer):
    """At the end of 0.03 s, in which the crank turns two and a half times."""
    run = squeezer.simulate(0.03, points=601, rtol=1e-9, atol=1e-9)
    return {name: run[name][[0, 200, 400, 600]] for name in NAMES}


# In Python one method of each kind: the methods of SUNDIALS read the outputs in the same way.
@pytest.mark.parametrize(
    ("method", "target"), [*((m, "c") for m in METHODS), *((m, "python") for m in ("auto", "dopri5", "cvode-bdf"))]
)
def test_four_outputs(squeezer, wanted, method: str, target: str) -> None:
    run = squeezer.simulate(0.03, points=4, method=method, target=target, rtol=1e-9, atol=1e-9)
    for name in NAMES:
        np.testing.assert_allclose(run[name], wanted[name], rtol=1e-4, atol=1e-4, err_msg=name)


def test_fixed_steps(squeezer, wanted) -> None:
    run = squeezer.simulate(0.03, points=3001, method="rk4")
    np.testing.assert_allclose(run["q7"][::1000], wanted["q7"], atol=1e-4)


@pytest.mark.parametrize("points", [2, 3, 7])
def test_a_linkage_stays_in_its_branch(write_model, points: int) -> None:
    """Four bars: the angles of coupler and rocker have two solutions at each angle of the crank."""
    bars = "  cos(q) + 1.2*cos(a) = 1.1 + 1.05*cos(b)\n  sin(q) + 1.2*sin(a) = 1.05*sin(b)\n"
    text = (
        "model M\n  local q (start=0), a (start=1.0), b (start=1.2), n (start=0)\n  der(q) = 6 + n\n"
        f"{bars}  when time > 3 then\n    new(n) = 1\n  endwhen\nend\n"
    )
    model = cutset.load(write_model(text.replace("cos(q)", "0.3*cos(q)").replace("sin(q)", "0.3*sin(q)")))
    many = model.simulate(6.0, points=6001)
    few = model.simulate(6.0, points=points)
    at = np.linspace(0.0, 6.0, points)
    for name in ("a", "b"):
        here = [few[name][np.flatnonzero(few.time == t)[0]] for t in at]
        there = [many[name][np.argmin(abs(many.time - t))] for t in at]
        np.testing.assert_allclose(here, there, atol=1e-5)
