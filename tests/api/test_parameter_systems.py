"""Linear systems of parameters are right for the values of each run, whatever the model's own values are. A large run:
``python -m tests.api.test_parameter_systems FIRST COUNT``."""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest

import cutset
from tests.oracles.parameter_systems import TIME, parameter_system, wrong_values


def failures_of(seed: int, target: str = "auto") -> list[str]:
    """What is wrong with the runs of a random system."""
    drawn = parameter_system(seed)
    model = cutset.loads(drawn.text)
    found = []
    for given, expected in drawn.runs:
        try:
            run = model.simulate(TIME, parameters=given, points=2, target=target)
        except cutset.RunError as error:
            found.append(f"{given}: {error}\n{drawn.text}")
            continue
        wrong = wrong_values(drawn, {name: float(run[name][-1]) for name in expected}, expected)
        found += [f"{given}: {wrong}"] if wrong else []
    return found


@pytest.mark.parametrize("seed", range(20))
def test_random_systems(seed):
    assert failures_of(seed, "auto" if seed < 4 else "python") == []


SLOPE = """
model Slope
  parameter phi = 0.3, G = 100, P = 20
  local N, F, x(start=1), w
  N*cos(phi) + F*sin(phi) {more}= G
  N*sin(phi) - F*cos(phi) = P
  w*(2 + x) + N = 1
  der(x) = -x
end
"""
ANGLES = [0.0, math.pi / 2, math.pi, 0.3]


@pytest.mark.parametrize("more", ["", "+ x*w "])
def test_all_ways_to_run_use_the_pivots_of_the_run(more):
    """With a coefficient that varies, the model is translated again for angles at which a pivot vanishes."""
    model = cutset.loads(SLOPE.format(more=more))

    def right(phi: float) -> float:
        matrix = [[math.cos(phi), math.sin(phi), 1.0 if more else 0.0], [math.sin(phi), -math.cos(phi), 0.0], [1, 0, 3]]
        return float(np.linalg.solve(matrix, [100.0, 20.0, 1.0])[1])

    exact = [pytest.approx(right(phi), rel=1e-9) for phi in ANGLES]
    assert [model.simulate(0.0, parameters={"phi": phi})["F"][0] for phi in ANGLES] == exact
    assert [row.values[0] for row in model.sweep({"phi": ANGLES}, ["F"], 0.0).rows] == exact
    assert model.batch(0.0, parameters={"phi": ANGLES}, outputs=["F"])["F"][:, 0].tolist() == exact
    assert [model.simulator({"phi": phi})["F"] for phi in ANGLES] == exact
    assert [model.outputs(0.0, [1.0], parameters={"phi": phi})["F"] for phi in ANGLES] == exact


CAPACITOR = """
model class Real
  cut A (ua / i), B (ub / -i)
  main cut C [A, B]
  parameter C = 1e-6, r = 1e-6
  local vc (start=0)
  ua - ub = i*r + vc
  i = C*der(vc)
end
model class Source
  cut A (u / i)
  u = sin(time)
end
model class Ground
  cut A (u / i)
  u = 0
end
model M
  parameter r = 0, q = 1
  submodel (Real) c(C=1, r=r*q)
  submodel (Source) s
  submodel (Ground) g
  connect c:A to s:A, c:B to g:A
end
"""


def test_a_divisor_that_is_zero_changes_what_is_a_state():
    model = cutset.loads(CAPACITOR)
    for given in ({}, {"r": 1.0, "q": 0.0}, {"c.r": 0}):
        assert model.simulate(1.0, parameters=given)["c.i"][-1] == pytest.approx(math.cos(1.0), rel=1e-6)
    # i + i' = cos(t), i = (v - vc)/r
    exact = (math.cos(1.0) + math.sin(1.0) - math.exp(-1.0)) / 2
    assert model.simulate(1.0, parameters={"r": 1.0})["c.i"][-1] == pytest.approx(exact, rel=1e-5)


def test_a_value_of_a_run_does_not_make_others_part_of_the_code():
    """With C=0 for one of them both bodies have one temperature; were G part of the code too, they could not start at
    different ones."""
    model = cutset.loads("""@thermal
model Bodies
  submodel (HeatCapacitor) a(C=15, T0=373.15), b(C=15, T0=273.15)
  submodel (ThermalConductor) c(G=10)
  connect a to c to b
end
""")
    assert model.simulate(1.0, parameters={"b.C": 0.0})["b.T"][-1] == pytest.approx(373.15, rel=1e-12)


def test_a_division_of_the_model_is_named_and_no_other(tmp_path):
    own = cutset.loads("model M\n parameter a = 2\n local x\n x = 1/a + time\nend\n")
    with pytest.raises(cutset.RunError, match="E601"):
        own.simulate(parameters={"a": 0})
    made = cutset.loads("model M\n parameter a = 2\n local x\n a*x = 1 + time\nend\n")
    with pytest.raises(cutset.RunError, match="E666"):
        made.simulate(parameters={"a": 0})


def _main(first: int, count: int) -> None:
    wrong = runs = 0
    for seed in range(first, first + count):
        try:
            failed = failures_of(seed)
        except Exception as error:  # each is counted
            failed = [f"{type(error).__name__}: {error}"]
        runs += len(parameter_system(seed).runs)
        wrong += len(failed)
        for each in failed:
            print(seed, each)
    print(f"{count} systems, {runs} runs, {wrong} wrong")


if __name__ == "__main__":
    _main(*map(int, sys.argv[1:]))


UP_TO_ROUNDING = """
model R
  parameter phi = 1.5707963, a = 0.1, b = 0.2, s = 0.30000000000000004, P = 100.5
  local N, F, x, y
  cos(phi)*N = P
  N*sin(phi) - F = 20
  (a + b)*x + y = 1
  s*x + 2*y = 2
end
"""


@pytest.mark.parametrize("target", ["c", "python"])
def test_a_note_names_what_parameters_determine_only_up_to_rounding(target):
    model = cutset.loads(UP_TO_ROUNDING)
    assert model.simulate(1.0, points=2, target=target).notes == ()  # 4e9, but determined
    assert model.simulate(1.0, parameters={"P": 1e9}, points=2, target=target).notes == ()
    (note,) = model.simulate(1.0, parameters={"phi": math.pi / 2}, points=2, target=target).notes
    assert "up to the rounding" in note and "'N' = 1.64e+18" in note and "'x'" not in note


@pytest.mark.parametrize("d", [2.1, 2.1 + 1e-15])
def test_a_matrix_that_is_singular_up_to_rounding_is_told(d, write_model) -> None:
    """Changes of whole rows and columns keep it singular; other last digits may leave it without a solution."""
    values, equations = f"a = 0.1, b = 0.7, c = 0.3, d = {d!r}", "a*x + b*y = 1\n  c*x + d*y = 2"
    run = cutset.load(write_model(f"model M\n  parameter {values}\n  local x, y\n  {equations}\nend\n")).simulate(0.0)
    assert abs(run["x"][0]) > 1e14
    assert any("up to the rounding" in note for note in run.notes)
