"""Coupled inductors of coupling 1: numbers decide how many derivatives are free, and so they belong to the code."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import cutset

TEXT = """
@electrical
model Coupled
  submodel (VSine) V(V=10, f=1)
  submodel (Resistor) R1(R=1.5), R2(R=2)
  submodel (Transformer) T(L1={L1}, L2={L2}, M={M})
  submodel (Ground) g, h
  node a, b, c
  connect V at (a, g), R1 at (a, c), T at (c, g, b, h), R2 at (b, h)
end
"""


def currents(L1: float, L2: float, M: float) -> np.ndarray:
    """The amplitudes of both currents long after the start, by phasors."""
    s = 2j * np.pi
    return np.linalg.solve([[1.5 + s * L1, s * M], [s * M, 2 + s * L2]], [10, 0])


@pytest.mark.parametrize(
    "L1, L2, M", [("0.4", "0.9", "0.6"), ("0.4", "0.9", "-0.6"), ("1", "1", "1"), ("0.4", "0.7", "sqrt(0.28)")]
)
def test_windings_coupled_without_loss_have_one_state(write_model, L1, L2, M):
    model = cutset.load(write_model(TEXT.format(L1=L1, L2=L2, M=M)))
    assert len(model.states) == 1
    run = model.simulate(stop=20.0, rtol=1e-9, atol=1e-10, target="python")
    last = run.time > 19.0
    amplitudes = currents(*(float(eval(value, {"sqrt": np.sqrt})) for value in (L1, L2, M)))
    expected = (amplitudes[:, None] * np.exp(2j * np.pi * run.time[last])).imag
    assert_allclose([run["R1.i"][last], -run["R2.i"][last]], expected, atol=1e-6)


def test_windings_beside_an_inductor_whose_voltage_is_a_derivative(write_model):
    """Of 1 H: its voltage is der(i) and stands in the equations of the windings. The flux of these is one, the current
    of that another state."""
    beside = TEXT.replace(
        "node a, b, c", "submodel (Inductor) L3(L=1)\n  submodel (Resistor) R3(R=4)\n  node a, b, c"
    ).replace("R2 at (b, h)", "R2 at (b, h), R3 at (b, h), L3 at (b, h)")
    model = cutset.load(write_model(beside.format(L1=0.4, L2=0.9, M=0.6)))
    assert len(model.states) == 2
    run = model.simulate(stop=20.0, rtol=1e-9, atol=1e-10, target="python")
    s = 2j * np.pi
    across = 1 / (1 / 2 + 1 / 4 + 1 / s)
    first, second = np.linalg.solve([[1.5 + s * 0.4, s * 0.6], [s * 0.6, across + s * 0.9]], [10, 0])
    last = run.time > 19.0
    expected = (np.array([first, -second * across / s])[:, None] * np.exp(s * run.time[last])).imag
    assert_allclose([run["R1.i"][last], run["L3.i"][last] - run["L3.i"][last].mean()], expected, atol=1e-4)


def test_other_values_have_the_model_translated_anew(write_model):
    tight = cutset.load(write_model(TEXT.format(L1=0.4, L2=0.9, M=0.6)))
    assert tight.folded.items() >= {"T.L1": 0.4, "T.L2": 0.9, "T.M": 0.6}.items()
    loose = cutset.load(write_model(TEXT.format(L1=0.4, L2=0.9, M=0.3), "loose.mo"))
    assert not loose.folded.keys() & {"T.L1", "T.L2", "T.M"}
    runs = [tight.simulate(parameters={"T.M": 0.3}, target="python"), loose.simulate(target="python")]
    assert_allclose(runs[0]["R2.i"], runs[1]["R2.i"], atol=1e-12)
    again = loose.simulate(parameters={"T.M": 0.2}, target="python")
    assert_allclose(again["R2.i"], tight.simulate(parameters={"T.M": 0.2}, target="python")["R2.i"], atol=1e-12)


def test_a_step_reaches_the_other_winding_at_once(write_model):
    """The flux stays as it is, no current does: the load, transformed, in parallel with L1, behind R1."""
    stepped = TEXT.replace("(VSine) V(V=10, f=1)", "(VStep) V(V=10, t0=0.1)")
    model = cutset.load(write_model(stepped.format(L1=0.4, L2=0.9, M=0.6)))
    assert model.states == ("$sum1",)
    run = model.simulate(stop=2.0, rtol=1e-9, atol=1e-10, target="python")
    after = run.time > 0.1
    load = 2 * (0.4 / 0.6) ** 2
    voltage = 10 * load / (1.5 + load) * np.exp(-(run.time[after] - 0.1) / (0.4 * (1 / 1.5 + 1 / load)))
    assert_allclose(run["T.u1"][after], voltage, atol=1e-6)
    assert_allclose(run["R2.u"][after], voltage * 1.5, atol=1e-6)


DIFFERENCE = """
model Difference
  input V
  local v1 (start=3), v3 (start=1), i
  2*(der(v1) - der(v3)) = i
  v1 + i = V
  v3 - 2*i = V
end
"""


@pytest.mark.parametrize("course", [lambda t: 1.0, lambda t: np.sin(40 * t)])
def test_derivatives_in_a_difference_need_none_of_the_input(write_model, course):
    model = cutset.load(write_model(DIFFERENCE))
    assert model.inputs == ("V",) and len(model.states) == 1
    run = model.simulate(stop=2.0, inputs={"V": course}, rtol=1e-9, atol=1e-10, target="python")
    assert_allclose(run["v1"] - run["v3"], 2 * np.exp(-run.time / 6), atol=1e-7)


def test_variables_of_the_model_stay_states_where_nothing_jumps(write_model):
    lever = "model Lever\nlocal w1 (start=1), w2\n2*der(w1) + 3*der(w2) = -w1\nw1 = 4*w2\nend\n"
    assert cutset.load(write_model(lever)).states == ("w1",)
