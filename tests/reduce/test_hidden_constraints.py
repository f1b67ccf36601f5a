"""Circuits and equations whose structure hides that they depend on each other: closed solutions, and the ground at
every place."""

from __future__ import annotations

import numpy as np
import pytest
from models_from_text import translate
from numpy.testing import assert_allclose

import cutset
from cutset.compiler.pipeline import Observer, compile_model

PARALLEL = """
@electrical
model Parallel
  submodel (VStep) V(V=10)
  submodel (Resistor) R1(R=1), R2(R=2)
  submodel (Capacitor) C1(C=1.5), C2(C=0.5)
  submodel (Ground) g
  connect V to R1 to (C1 par C2) to R2 to V, g at {ground}
end
"""
# A current source, resistors in parallel, and an inductor.
RING = """
@electrical
model Ring
  submodel (Inductor) L2(L=0.2)
  submodel (Resistor) R1(R=10), R2(R=20)
  submodel (ISine) I(I=1, f=1)
  submodel (Ground) g
  connect I:A to (R1 par R2) to L2 to I:B, g at {ground}
end
"""
SERIES = """
@electrical
model Series
  submodel (VStep) V(V=10)
  submodel (Inductor) L1(L=0.1), L2(L=0.2)
  submodel (Resistor) R1(R=10), R2(R=30)
  submodel (Ground) g
  connect V:A to L1 to (R1 par R2) to L2 to V:B, g at {ground}
end
"""
LINES = """
@electrical
model Lines
  submodel (VSine) V1(V=1, f=1), V2(V=1, f=1, phi=2), V3(V=1, f=1, phi=4)
  submodel (Resistor) a(3)(R=1)
  submodel (Inductor) L(3)(L=0.1)
  submodel (Ground) g
  node n1, n2, n3
  connect V1:B at g, V2:B at g, V3:B at g, V1:A to L(1) to n1, V2:A to L(2) to n2, V3:A to L(3) to n3
  connect a(1) at (n1, n2), a(2) at (n2, n3), a(3) at (n3, n1)
end
"""
# Six diodes, and a load that is at the ground at neither end.
RECTIFIER = """
@electrical
model Rectifier
  submodel (VSine) V1(V=10, f=1), V2(V=10, f=1, phi=2.0943951023931953), V3(V=10, f=1, phi=4.1887902047863905)
  submodel (Inductor) L(3)(L=0.01)
  submodel (Resistor) R(3)(R=0.1), load(R=5)
  submodel (IdealDiode) D(6)
  submodel (Ground) g
  node a, b, c, p, m
  connect V1:B at g, V2:B at g, V3:B at g, V1:A to R(1) to L(1) to a, V2:A to R(2) to L(2) to b,
    V3:A to R(3) to L(3) to c
  connect D(1) at (a, p), D(2) at (b, p), D(3) at (c, p), D(4) at (m, a), D(5) at (m, b), D(6) at (m, c), load at (p, m)
end
"""
PLAIN = """
model Plain
  local a, b, u (start=0), v, i, j
  u = a - b
  v = b - a
  der(u) = i
  der(v) = j
  a + i - j = 0
  b - i + j = time
end
"""
# Written on the potentials: what the three say together has the capacitances in it.
DELTA = """
model Delta
  parameter C1 = 2, C2 = 3, C3 = 5
  local v1, v2, v3, i1, i2, i3
  C1*(der(v1) - der(v2)) = i1
  C2*(der(v2) - der(v3)) = i2
  C3*(der(v3) - der(v1)) = i3
  v1 = 0
  i1 - i3 + v1 = v2 + v3 - 1
  v2 + i2 - i1 = sin(time)
end
"""


def run_of(write_model, text: str, stop: float = 1.0, **options):
    return cutset.load(write_model(text)).simulate(stop=stop, **({"rtol": 1e-9, "atol": 1e-10} | options))


@pytest.mark.parametrize("ground", ["V:B", "V:A", "R1:B", "R2:A"])
def test_capacitors_in_parallel_are_one(write_model, ground):
    run = run_of(write_model, PARALLEL.format(ground=ground), 4.0)
    assert_allclose(run["C1.u"], -10 * (1 - np.exp(-run.time / 6)), atol=1e-6)
    assert_allclose(run["C2.u"], run["C1.u"], atol=1e-12)
    assert_allclose(run["C1.i"], 3 * run["C2.i"], atol=1e-9)


@pytest.mark.parametrize("ground", ["I:A", "I:B", "L2:A"])
def test_a_current_source_drives_an_inductor(write_model, ground):
    run = run_of(write_model, RING.format(ground=ground))
    current = np.sin(2 * np.pi * run.time)
    assert_allclose(np.abs(run["L2.i"]), np.abs(current), atol=1e-9)
    assert_allclose(
        run["L2.u"], np.sign(run["L2.i"][1] * current[1]) * 0.2 * 2 * np.pi * np.cos(2 * np.pi * run.time), atol=1e-8
    )
    assert_allclose(run["R1.i"], 2 * run["R2.i"], atol=1e-9)


@pytest.mark.parametrize("ground", ["V:A", "V:B", "L1:B", "L2:A"])
def test_inductors_in_a_row_are_one(write_model, ground):
    run = run_of(write_model, SERIES.format(ground=ground), 0.2)
    assert_allclose(run["L1.i"], 10 / 7.5 * (1 - np.exp(-run.time * 7.5 / 0.3)), atol=1e-6)
    assert_allclose(run["L2.i"], run["L1.i"], atol=1e-12)


def test_three_lines_into_a_delta(write_model):
    """Per phase a star of a third of the resistance, and what the three voltages have in common falls between the star
    points."""
    run = run_of(write_model, LINES, 1.0)
    times = np.linspace(0.6, 1.0, 5)
    omega, phases = 2 * np.pi, np.array([0.0, 2.0, 4.0])
    voltages = np.exp(1j * phases)
    currents = (voltages - voltages.mean()) / (1 / 3 + 0.1j * omega)
    start = -currents.imag  # the inductors begin without current
    expected = (currents[:, None] * np.exp(1j * omega * times)).imag + start[:, None] * np.exp(-times / 0.3)
    found = [np.interp(times, run.time, run[f"L({k}).i"]) for k in (1, 2, 3)]
    assert_allclose(found, expected, atol=2e-4)
    assert len(cutset.load(write_model(LINES)).states) == 2


def test_three_lines_into_a_rectifier_with_a_floating_load(write_model):
    """The currents of the lines add up to zero, no diode has both voltage and current, and no energy is lost."""
    run = run_of(write_model, RECTIFIER, 0.5, points=1001, rtol=1e-7)
    currents = [run[f"L({k}).i"] for k in (1, 2, 3)]
    assert_allclose(sum(currents), 0, atol=1e-12)
    diodes = [(run[f"D({k}).u"], run[f"D({k}).i"]) for k in range(1, 7)]
    assert all(u.max() < 1e-3 and i.min() > -1e-3 and np.minimum(np.abs(u), np.abs(i)).max() < 1e-3 for u, i in diodes)
    power = sum(run[f"V{k}.u"] * i for k, i in zip((1, 2, 3), currents, strict=False))
    power = power - sum(0.1 * i**2 for i in currents) - 5 * run["load.i"] ** 2 - sum(u * i for u, i in diodes)
    stored = [0.005 * sum(i[at] ** 2 for i in currents) for at in (0, -1)]
    assert np.trapezoid(power, run.time) == pytest.approx(stored[1] - stored[0], abs=2e-3)


def test_derivatives_of_a_quantity_and_its_negative(write_model):
    """i = der(u), j = -i, so that a = -2*der(u), b = time + 2*der(u), and u = a - b = -4*der(u) - time."""
    run = run_of(write_model, PLAIN, 3.0)
    assert_allclose(run["u"], 4 - run.time - 4 * np.exp(-run.time / 4), atol=1e-7)


def test_factors_may_be_parameters():
    translated = translate(DELTA)
    for parameters in ({}, {"C1": 7.0, "C3": 0.25}):
        values = translated.values(parameters=parameters)
        c = {name: parameters.get(name, value) for name, value in (("C1", 2.0), ("C2", 3.0), ("C3", 5.0))}
        assert values["i1"] / c["C1"] + values["i2"] / c["C2"] + values["i3"] / c["C3"] == pytest.approx(0, abs=1e-12)


def test_a_source_across_a_capacitor_written_on_the_potentials(write_model):
    """One of the equations that depend on each other is differentiated; what is made for that and cancels is not left
    behind."""
    text = "model Across\nlocal a, b, i\n2*(der(a) - der(b)) = i\na - b = sin(time)\nb = 3*i\nend\n"
    model = cutset.load(write_model(text))
    assert model.states == ()
    run = model.simulate(stop=1.0, target="python")
    assert_allclose(run["i"], 2 * np.cos(run.time), atol=1e-12)
    assert_allclose(run["a"], np.sin(run.time) + 3 * run["i"], atol=1e-12)


def test_what_is_found_names_its_equations(write_model):
    dump = _stage(write_model(PLAIN), "reduce")
    first = str(dump).splitlines()[0]
    assert first.startswith("constraint 0 = u + v from Plain ")
    assert "model.mo:5:3" in first and "model.mo:4:3" in first


def test_a_regular_model_stays_as_it_is(write_model):
    translated = translate(PARALLEL.replace("(C1 par C2)", "C1 to C2").format(ground="V:B"))
    assert translated.sorted_system.system is translated.system


def _stage(path, name: str):
    """The result of a stage."""
    found = {}

    def observe(stage, result):
        found[stage] = result
        return result

    compile_model(path, None, observer=Observer([observe]))
    return found[name]
