"""Equations, slopes and balances over events that the values of a run must fulfill, whatever has computed them."""

from __future__ import annotations

import numpy as np
import pytest

from cutset.api.translate.translation import options_of
from cutset.api.verify.impulses import impulse_violation
from cutset.api.verify.residuals import equation_violation, slope_violation
from cutset.api.verify.subject import subject_of

# Its voltage steps; the charge of the node between the two is kept: 7.5 and 2.5 V.
DIVIDER = """@electrical
model Divider
  submodel (VStep) V(V=10, t0=0.5)
  submodel (Capacitor) C1(C=1e-6), C2(C=3e-6)
  submodel (Ground) g
  connect V:A to C1 to C2 to V:B, g at V:B
end
"""
# The current of the source steps; the flux of the loop of both coils is kept.
COILS = """@electrical
model Coils
  submodel (IStep) I(I=4, t0=0.5)
  submodel (Inductor) L1(L=1), L2(L=3)
  submodel (Ground) g
  connect I:A to L1 to I:B, L2 at (I:A, I:B), g at I:B
end
"""


class Run(dict):
    """The curves of a run by name."""

    def __init__(self, time, **curves):
        super().__init__(curves)
        self.time = np.array(time)

    def names(self):
        return tuple(self)


def _equations(path):
    return subject_of(path, None, options_of(()), {}).equations


@pytest.mark.parametrize(("jumps", "wrong"), [((7.5, 2.5), False), ((0.0, 10.0), True), ((10.0, 0.0), True)])
def test_charge_is_kept_at_a_jump(jumps, wrong, write_model):
    _, system = _equations(write_model(DIVIDER))
    times = [0.0, 0.5, 0.5, 1.0]
    curves = {name: np.array([0.0, 0.0, jump, jump]) for name, jump in zip(("C1.u", "C2.u"), jumps, strict=True)}
    found = impulse_violation(system, {"C1.C": 1e-6, "C2.C": 3e-6}, Run(times, **curves))
    assert found is not None and found.is_wrong is wrong
    flat = {name: np.zeros(4) for name in curves}
    assert impulse_violation(system, {"C1.C": 1e-6, "C2.C": 3e-6}, Run(times, **flat)) is None


@pytest.mark.parametrize(("jumps", "wrong"), [((3.0, 1.0), False), ((4.0, 0.0), True)])
def test_flux_is_kept_at_a_jump(jumps, wrong, write_model):
    _, system = _equations(write_model(COILS))
    curves = {name: np.array([0.0, 0.0, jump, jump]) for name, jump in zip(("L1.i", "L2.i"), jumps, strict=True)}
    found = impulse_violation(system, {"L1.L": 1.0, "L2.L": 3.0}, Run([0.0, 0.5, 0.5, 1.0], **curves))
    assert found is not None and found.is_wrong is wrong


def test_a_wrong_value_violates_an_equation(write_model):
    flat, _ = _equations(write_model("model A\n  parameter k=3\n  local x, y\n  der(x) = -k*x\n  y = x^2 + k\nend\n"))
    right = {"x": np.array([2.0]), "y": np.array([7.0]), "der(x)": np.array([-6.0])}
    known = {"k": 3.0}
    assert not equation_violation(flat, known, Run([0.5], **right), [0]).is_wrong
    found = equation_violation(flat, known, Run([0.5], **right | {"y": np.array([7.001])}), [0])
    assert found.is_wrong and str(found) == "equation in line 5 of A, its sides at time 0.5: 7.001 instead of 7"


def test_a_relation_at_its_crossing_is_left_out(write_model):
    flat, _ = _equations(write_model("model A\n  local x\n  x = if time > 1 then 5 else 2\nend\n"))
    assert not equation_violation(flat, {}, Run([1.0 + 1e-9], x=np.array([2.0])), [0])
    assert equation_violation(flat, {}, Run([1.1], x=np.array([2.0])), [0]).is_wrong


def test_sides_that_are_equal_for_a_while_are_no_crossing(write_model):
    flat, _ = _equations(write_model("model A\n  local x, y\n  x = max(time, 1)\n  y = if x == 1 then 5 else 2\nend\n"))
    found = equation_violation(flat, {}, Run([0.5], x=np.array([1.0]), y=np.array([2.0])), [0])
    assert found.is_wrong


def test_a_state_changes_as_its_derivative_says(write_model):
    flat, _ = _equations(write_model("model A\n  local x\n  der(x) = 1\nend\n"))
    time = np.linspace(0.0, 1.0, 11)
    rate = np.cos(5.0 * time)
    run = Run(time, x=np.sin(5.0 * time) / 5.0, **{"der(x)": rate})
    assert not slope_violation(flat, run).is_wrong
    stepped = Run(time, x=0.9 * run["x"], **{"der(x)": np.full(11, 1.0)})
    assert slope_violation(flat, stepped).is_wrong
    jumped = Run([0.0, 1.0, 1.0, 2.0], x=np.array([0.0, 1.0, 7.0, 8.0]), **{"der(x)": np.ones(4)})
    assert not slope_violation(flat, jumped).is_wrong
