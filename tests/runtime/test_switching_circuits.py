"""Circuits of ideal diodes and switches: all ways to run them agree."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.switching_circuits import differences, switching_circuit

import cutset

# A current of 10^4 A flows through s4 in a loop with v0, so that rounding in it is large for the inductor.
LARGE_CURRENT = """@electrical
@logic
@discrete

model Circuit
  submodel (Resistor) rg1(R=41.7)
  submodel (Resistor) rg2(R=498)
  submodel (VStep) v0(V0=0, V=10.9, t0=0.000181)
  submodel (IdealDiode) d1(Ron=0.001, Goff=1e-06, Vknee=0)
  submodel (ClosingSwitch) s2(Ron=0.001, Goff=1e-06)
  submodel (PWM) p2(f=6890)
  submodel (IConst) i3(I=-1.74)
  submodel (ClosingSwitch) s4(Ron=0.001, Goff=1e-06)
  submodel (IdealGTO) t5(Ron=0.001, Goff=1e-06)
  submodel (IConst) i6(I=-1.55)
  submodel (Inductor) l7(L=0.000125, i0=0.943)
  submodel (Ground) g
  node g0, n1, n2
  connect g at g0, rg1 at (n1, g0),
          rg2 at (n2, g0),
          v0 at (n2, n1),
          d1 at (n1, n2),
          s2 at (n1, g0),
          i3 at (n2, n1),
          s4 at (n2, n1),
          t5 at (n1, n2),
          i6 at (n2, n1),
          l7 at (n2, g0)
  p2.u = 0.659
  s2.closed = p2.y
  s4.closed = time >= 0.0005528
  t5.fire = time < 0.0004831 or time > 0.0006392
end
"""


# The voltage at which d2 conducts is met a little early; the current that it would have then is negative by 1000 times
# as much.
KNEE = """@electrical

model Circuit
  submodel (Ground) g
  submodel (VSine) v(V=7.53, f=1158)
  submodel (IdealDiode) d1(Ron=0.001, Goff=0), d2(Ron=0.001, Goff=0, Vknee=0.7)
  submodel (Resistor) r(R=0.001)
  node n0, n1, n2
  connect g at n0, v at (n0, n2), d1 at (n0, n1), r at (n1, n2), d2 at (n1, n2)
end
"""


@pytest.mark.parametrize("seed", [22, 10009])
def test_random_circuits_run_alike_by_all_equations_and_in_python(seed, write_model) -> None:
    assert differences(write_model(switching_circuit(seed))) == []


def test_a_crossing_that_is_located_early_is_no_contradiction(write_model) -> None:
    run = cutset.load(write_model(KNEE)).simulate(4e-4, points=101, method="bdf", rtol=1e-5, atol=1e-5)
    volts = 7.53 * np.sin(2 * np.pi * 1158 * run.time)
    both = (volts - 0.7 / 2) / 1.5e-3
    assert np.allclose(run["d1.i"], np.where(volts < 1.4, volts / 2e-3, both), rtol=1e-3, atol=1e-2)


def test_rounding_in_a_large_current_is_no_failure(write_model) -> None:
    """Nor where it is larger than the tolerances of the voltages that it changes."""
    assert differences(write_model(LARGE_CURRENT)) == []


# 24500 A in the loops at v until s opens: the rounding of that in n2 is 10^-7 of the slope of the current of l.
OPENING = """@electrical

model Circuit
  submodel (Ground) g
  submodel (Resistor) r(R=466), q(R=15.4)
  submodel (VConst) v(V=12.6)
  submodel (IdealDiode) d(Ron=0.001, Goff=1e-6, Vknee=0.7)
  submodel (ClosingSwitch) s(Ron=0.001, Goff=1e-6)
  submodel (Inductor) l(L=0.00142, i0=1.83)
  submodel (IConst) i(I=1.83)
  node n0, n1, n2, n3
  connect g at n0, r at (n2, n0), q at (n3, n0), v at (n1, n2), d at (n1, n2), s at (n1, n2), l at (n2, n3),
          i at (n3, n2)
  s.closed = time < 2e-4
end
"""


def test_unknowns_are_solved_for_though_others_are_rounded(write_model) -> None:
    run = cutset.load(write_model(OPENING)).simulate(3e-4, points=4, method="bdf", rtol=1e-7, atol=1e-7)
    assert float(run["d.i"][-1]) == pytest.approx(11900) and float(run["s.i"][-1]) == pytest.approx(1.26e-5)
