"""Studies: known indices of the Ishigami function, probabilities, extremes, fronts, all through runs of models."""

from __future__ import annotations

import math

import numpy as np
import pytest

import cutset
from cutset.runtime.errors import RunError
from cutset.runtime.targets.toolchain import find_compiler

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="needs a C compiler")

ISHIGAMI = """
model Ishigami
  parameter a = 1, b = 1, c = 1
  local y, s (start=0)
  der(s) = 1
  y = sin(a) + 7*sin(b)^2 + 0.1*c^4*sin(a)
end
"""
LAW = dict.fromkeys("abc", cutset.uniform(-math.pi, math.pi))
MASS = """
model Mass "a mass on a spring, lifted by a force"
  parameter m = 1, c = 100, d = 2
  input F
  local x (start=0), v (start=0), cost
  der(x) = v
  m*der(v) = F - c*x - d*v
  cost = m + 0.01*c
  assert x < 10, "torn off"
end
"""


@pytest.fixture(scope="module")
def ishigami() -> cutset.Model:
    return cutset.loads(ISHIGAMI)


@pytest.fixture(scope="module")
def mass() -> cutset.Model:
    return cutset.loads(MASS)


def test_the_indices_of_the_ishigami_function(ishigami: cutset.Model) -> None:
    """T. Ishigami, T. Homma 1990: parts of the variance with closed forms."""
    v1, v2, v13 = 0.5 * (1 + 0.02 * math.pi**4) ** 2, 49 / 8, 8 * 0.01 * math.pi**8 / 225
    whole = v1 + v2 + v13
    found = cutset.sobol_indices(ishigami, LAW, "y", 0.1, runs=2048)
    assert found.names == ("a", "b", "c")
    assert found.first == pytest.approx([v1 / whole, v2 / whole, 0.0], abs=0.02)
    assert found.total == pytest.approx([(v1 + v13) / whole, v2 / whole, v13 / whole], abs=0.03)


def test_a_quantity_that_one_value_decides(mass: cutset.Model) -> None:
    found = cutset.sobol_indices(mass, {"m": cutset.uniform(1.0, 3.0)}, "cost", 0.1, runs=256)
    assert found.total == pytest.approx([1.0], abs=0.01) and found.first == pytest.approx([1.0], abs=0.1)


def test_morris_effects_of_a_linear_quantity_are_its_slopes(mass: cutset.Model, ishigami: cutset.Model) -> None:
    law = {"m": cutset.uniform(1.0, 3.0), "c": cutset.uniform(100.0, 50.0 + 100.0), "d": cutset.uniform(1.0, 2.0)}
    found = cutset.morris_indices(mass, law, "cost", 0.1, paths=5)
    assert found.first == pytest.approx([2.0, 0.5, 0.0], abs=1e-12)
    assert found.spread == pytest.approx([0.0] * 3, abs=1e-12)
    curved = cutset.morris_indices(ishigami, dict.fromkeys("abc", cutset.uniform(-3.0, 2.5)), "y", 0.1, paths=100)
    assert curved.spread.min() > 1.0 and (np.abs(curved.first) <= curved.total).all()


def test_a_probability_has_an_interval(mass: cutset.Model) -> None:
    """The static deflection F/c of a normal force passes a limit with a probability of the normal distribution."""
    found = cutset.probability(
        mass, {"F": cutset.normal(10.0, 2.0)}, "x > 0.12", 2.0, runs=2000, parameters={"d": 20.0}
    )
    exact = 0.5 * math.erfc(1.0 / math.sqrt(2.0))
    assert found.low < exact < found.high and found.low < found.value < found.high
    assert found.high - found.low == pytest.approx(2 * 1.96 * math.sqrt(exact * (1 - exact) / 2000), rel=0.2)
    never = cutset.probability(mass, {"F": cutset.normal(10.0, 2.0)}, "max(x) > 5", 1.0, runs=100)
    assert (never.value, never.low) == (0.0, 0.0) and never.high == pytest.approx(0.037, abs=0.001)


def test_extremes_within_a_box_and_at_its_corners(ishigami: cutset.Model, mass: cutset.Model) -> None:
    box = dict.fromkeys("abc", (-math.pi, math.pi))
    least, most = cutset.extremes(ishigami, box, "y", 0.1)
    assert most.value == pytest.approx(1 + 7 + 0.1 * math.pi**4, rel=1e-5) and abs(most.at["c"]) > 3.1
    assert least.value == pytest.approx(-1 - 0.1 * math.pi**4, rel=1e-5) and least.at["a"] == pytest.approx(
        -math.pi / 2, abs=0.01
    )
    _, heavy = cutset.extremes(mass, {"m": (1.0, 3.0), "c": (100.0, 150.0)}, "cost", 0.1, generations=1)
    assert heavy.value == 4.5 and heavy.at == {"m": 3.0, "c": 150.0}


def test_a_front_of_designs_with_a_catalogue(mass: cutset.Model) -> None:
    """Springs of a catalogue: a stiff one bends less and costs more; the mass has no effect on the deflection."""
    springs = [{"c": 50.0, "d": 5.0}, {"c": 100.0, "d": 5.0}, {"c": 200.0, "d": 5.0}, {"c": 400.0, "d": 5.0}]
    front = cutset.pareto(
        mass, {"m": (1.0, 2.0), "spring": springs}, ["cost", "x"], 30.0,
        subject_to={"x": (0.0, 0.15)}, inputs={"F": 10.0}, designs=24, generations=15,
    )  # fmt: skip
    assert {int(design["spring"]) for design in front.designs} == {1, 2, 3}
    for spring, cost in ((1, 2.0), (2, 3.0), (3, 5.0)):
        own = [values[0] for values, each in zip(front.values, front.designs, strict=True) if each["spring"] == spring]
        assert min(own) == pytest.approx(cost, abs=0.02)
    assert np.all(np.diff(front.values[:, 0]) > 0) and np.all(np.diff(front.values[:, 1]) < 0)


def test_runs_without_a_value_are_told(mass: cutset.Model) -> None:
    law = {"F": cutset.uniform(0.0, 3000.0)}
    for study, text in [
        (lambda: cutset.sobol_indices(mass, law, "x", 1.0, runs=16), r"runs of 16 .* no value .* F = "),
        (lambda: cutset.sobol_indices(mass, law, "x", 1.0, runs=10), "power of 2"),
        (lambda: cutset.probability(mass, law, "x = 1", 1.0), "comparison|not an event"),
        (lambda: cutset.probability(mass, law, "x > e", 1.0), "not an event"),
        (lambda: cutset.sobol_indices(mass, {"F": (1, 2)}, "x", 1.0), "distribution by each name"),
        (lambda: cutset.morris_indices(mass, law, "x", 1.0, levels=1), "whole numbers from 2"),
        (lambda: cutset.extremes(mass, {"m": (1.0, math.inf)}, "x", 1.0), "'m' of box is a pair"),
        (lambda: cutset.pareto(mass, {"m": (2.0, 1.0)}, ["x"], 1.0), "'m' of the space is a pair"),
        (lambda: cutset.pareto(mass, {"m": [1.0, 2.0]}, ["x"], 1.0), "no range and no catalogue"),
        (lambda: cutset.pareto(mass, {"k": [{"m": 1}, {"c": 1}]}, ["x"], 1.0), "other names"),
        (lambda: cutset.pareto(mass, {"m": (1.0, 2.0)}, [], 1.0), "a list of quantities"),
        (lambda: cutset.pareto(mass, {"m": (1.0, 2.0)}, ["x"], 1.0, subject_to={"m": (5, 6)}, designs=4, generations=1),
         "no design"),
    ]:  # fmt: skip
        with pytest.raises(RunError, match=text):
            study()
