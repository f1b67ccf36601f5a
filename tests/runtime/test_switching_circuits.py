"""Circuits of ideal diodes and switches: all ways to run them agree."""

from __future__ import annotations

import pytest
from oracles.switching_circuits import differences, switching_circuit

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


@pytest.mark.parametrize("seed", [7, 22])
def test_random_circuits_run_alike_by_all_equations_and_in_python(seed, write_model) -> None:
    assert differences(write_model(switching_circuit(seed))) == []


def test_rounding_in_a_large_current_is_no_failure(write_model) -> None:
    assert differences(write_model(LARGE_CURRENT)) == []
