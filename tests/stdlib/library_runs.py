"""Runs of small models of one library."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose as close

import cutset
from cutset.runtime.results.result import Result


def run_with(write_model: Callable[[str], Path], include: str, body: str, stop: float = 1.0, **options) -> Result:
    """The result of an object with this body, accurate, at 1001 points."""
    text = f"{include}\nmodel Top\n{body}\nend\n"
    chosen = {"rtol": 1e-9, "atol": 1e-10, "points": 1001} | options
    return cutset.load(write_model(text)).simulate(stop=stop, **chosen)


def run_in_both(write_model: Callable[[str], Path], include: str, body: str, stop: float = 1.0, **options) -> Result:
    """The result of an object with this body in C, which that of the Python target equals between events."""
    model = cutset.load(write_model(f"{include}\nmodel Top\n{body}\nend\n"))
    chosen = {"rtol": 1e-9, "atol": 1e-10, "points": 101} | options
    in_c, in_python = (model.simulate(stop=stop, target=target, **chosen) for target in ("c", "python"))
    instants = np.linspace(0.0, stop, 1234)[1:-1]
    found, expected = in_python.at(instants), in_c.at(instants)
    for name in in_c:
        close(found[name], expected[name], rtol=1e-6, atol=1e-7, err_msg=name)
    return in_c


def work(run: Result, power: np.ndarray) -> float:
    """The integral of a power over the run, by the rule of trapezoids."""
    return float(np.sum(0.5 * (power[1:] + power[:-1]) * np.diff(run.time)))


@pytest.fixture
def circuit(write_model):
    """circuit(body, stop) -> result of an object with this body, which has a ground at node n0 and nodes n1 to n4."""

    def run(body: str, stop: float = 1.0, include: str = "@electrical", **options) -> Result:
        text = f"{include}\nmodel Circuit\nsubmodel (Ground) g\nnode n0, n1, n2, n3, n4\nconnect g at n0\n{body}\nend\n"
        return cutset.load(write_model(text)).simulate(stop=stop, **({"rtol": 1e-9, "atol": 1e-9} | options))

    return run


@pytest.fixture
def simulate(write_model):
    """simulate(body, stop) -> result of an object with this body of components of rotational.mo."""

    def run(body: str, stop: float = 1.0, include: str = "@rotational", **options) -> Result:
        return run_with(write_model, include, body, stop, **options)

    return run
