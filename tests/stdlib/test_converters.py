"""Power electronics: circuits in which several switches and diodes change over at one instant."""

from __future__ import annotations

import numpy as np
import pytest

import cutset

PWM = """@electrical
model class Pwm
  parameter T (unit="s") = 1e-3, width = 0.7
  terminal on
  local begin (unit="s")
  when sample(0, T) then
    new(begin) = time
  endwhen
  on = time < begin + width*T
end
"""
H_BRIDGE = """
model HBridge
  submodel (VConst) V(V=100)
  submodel (IdealGTO) s(4)
  submodel (IdealDiode) d(4)
  submodel (Resistor) R(R=1)
  submodel (Inductor) L(L=5e-3)
  submodel (Pwm) pwm
  submodel (Ground) g
  node p, n, a, b, m
  connect V at (p, n), g at n, s(1) at (p, a), d(1) at (a, p), s(2) at (a, n), d(2) at (n, a),
          s(3) at (p, b), d(3) at (b, p), s(4) at (b, n), d(4) at (n, b), R at (a, m), L at (m, b)
  s(1).fire = pwm.on
  s(4).fire = pwm.on
  s(2).fire = not pwm.on
  s(3).fire = not pwm.on
end
"""
INVERTER = """@electrical
model Inverter
  constant pi = 3.14159265358979323846
  submodel (VConst) V(V=100)
  submodel (IdealGTO) up(3), low(3)
  submodel (IdealDiode) back(3), free(3)
  submodel (Resistor) R(3)(R=1)
  submodel (Inductor) L(3)(L=5e-3)
  submodel (Ground) g
  node p, n, star
  local phase(3)
  connect V at (p, n), g at n,
          up(k) at (p, L(k):A) for k = 1..3, low(k) at (L(k):A, n) for k = 1..3,
          back(k) at (L(k):A, p) for k = 1..3, free(k) at (n, L(k):A) for k = 1..3,
          L(k):B at R(k):A for k = 1..3, R(k):B at star for k = 1..3
  for k = 1..3 do
    phase(k) = sin(100*pi*time - 2*pi/3*(k - 1))
    up(k).fire = phase(k) > 0
    low(k).fire = phase(k) < 0
  endfor
end
"""
BUCK = """
model Buck
  submodel (VConst) V(V=12)
  submodel (ClosingSwitch) s(Ron=1e-6, Goff=1e-6)
  submodel (IdealDiode) d(Ron=1e-6, Goff=1e-6)
  submodel (Inductor) L(L=1e-4)
  submodel (Capacitor) C(C=1e-4)
  submodel (Resistor) R(R=2)
  submodel (Pwm) pwm(T=1e-5, width=0.4)
  submodel (Ground) g
  node p, n, a, o
  connect V at (p, n), g at n, s at (p, a), d at (n, a), L at (a, o), C at (o, n), R at (o, n)
  s.closed = pwm.on
end
"""


TWELVE_PHASES = """@electrical
model Rectifier
  constant N = 12, pi = 3.14159265358979323846
  parameter phi(N)(unit="rad") = pi/6*[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
  submodel (VSine) V(N)(V=100, f=50, phi=phi)
  submodel (Inductor) L(N)(L=1e-4)
  submodel (IdealDiode) up(N)(Goff=1e-3), low(N)(Goff=1e-3)
  submodel (Resistor) R(R=5)
  submodel (Capacitor) C(C=1e-3, u0=150)
  submodel (Ground) g
  node s, p, n
  connect V(k) at (L(k):A, s) for k = 1..N, up(k) at (L(k):B, p) for k = 1..N, low(k) at (n, L(k):B) for k = 1..N,
          R at (p, n), C at (p, n), g at n
end
"""


def driven(time, voltage, resistance=1.0, inductance=5e-3):
    """The current at each time under a voltage that is constant between two times, from zero."""
    current = np.zeros(len(time))
    for k, step in enumerate(np.diff(time)):
        end = voltage[k] / resistance
        current[k + 1] = end + (current[k] - end) * np.exp(-resistance / inductance * step)
    return current


def test_bridge_drives_a_current_in_both_directions(write_model):
    run = cutset.load(write_model(PWM + H_BRIDGE)).simulate(stop=0.02, interval=2e-5, rtol=1e-8, atol=1e-8)
    middle = (run.time[1:] + run.time[:-1]) / 2
    voltage = np.where((middle % 1e-3) < 0.7e-3, 100.0, -100.0)
    np.testing.assert_allclose(run["L.i"], driven(run.time, voltage), atol=0.05)  # 1e-5 S at 100 V, in four switches


def test_inverter_makes_the_six_steps(write_model):
    run = cutset.load(write_model(INVERTER)).simulate(stop=0.06, interval=1e-4, rtol=1e-8, atol=1e-8)
    middle = (run.time[1:] + run.time[:-1]) / 2
    legs = np.array([np.sin(100 * np.pi * middle - 2 * np.pi / 3 * k) > 0 for k in range(3)]) * 100.0
    for k in range(3):
        expected = driven(run.time, legs[k] - legs.mean(axis=0))
        np.testing.assert_allclose(run[f"L({k + 1}).i"], expected, atol=0.05)


@pytest.mark.parametrize("loss", ["1e-6", "0"])
def test_buck_converter_divides_as_its_duty_cycle_says(write_model, loss):
    """Without losses the switch and the diode together are a short circuit: of the four combinations only some have a
    solution."""
    run = cutset.load(write_model(PWM + BUCK.replace("1e-6", loss))).simulate(stop=0.01, rtol=1e-7, atol=1e-7)
    last = run.time > 0.009
    assert np.mean(run["C.u"][last]) == pytest.approx(0.4 * 12, rel=5e-3)
    assert np.min(run["L.i"][last]) > 2.0  # it never stops


def test_rectifier_of_twelve_phases(write_model):
    """24 diodes, of which several change over at one instant. Beside the leak, currents are not negative, nor are
    voltages positive."""
    run = cutset.load(write_model(TWELVE_PHASES)).simulate(stop=0.04, rtol=1e-6, atol=1e-6)
    for k in range(1, 13):
        for diode in (f"up({k})", f"low({k})"):
            current, voltage = run[f"{diode}.i"], run[f"{diode}.u"]
            assert (current - 1e-3 * np.minimum(voltage, 0)).min() > -5e-3 and voltage.max() < 5e-3
    assert np.all(np.abs(sum(run[f"L({k}).i"] for k in range(1, 13))) < 1e-6)
    assert 150 < run["R.u"][run.time > 0.03].mean() < 200


MULTIPLIER = """@electrical
model Multiplier "J. D. Cockcroft and E. T. S. Walton's cascade, eight stages"
  constant N = 8
  submodel (VSine) V(V=10, f=50)
  submodel (Capacitor) C(N)(C=1e-5)
  submodel (IdealDiode) d(N)
  submodel (Resistor) R(R=1e6), Ri(R=1)
  submodel (Ground) g
  node z, s, i
  connect g at z, V at (s, z), Ri at (s, i), C(1) at (i, d(1):B), C(2) at (z, d(2):B), d(1):A at z,
    d(k):A at d(k - 1):B for k = 2..N,
    C(k):A at C(k - 2):B for k = 3..N, C(k):B at d(k):B for k = 3..N, R at (d(N):B, z)
end
"""


def test_diodes_that_begin_at_their_corner(write_model):
    """At the start all eight are at s = 0 and all states below their tolerance."""
    model = cutset.load(write_model(MULTIPLIER))
    run = model.simulate(stop=0.5)
    assert run["R.u"][-1] == pytest.approx(model.simulate(stop=0.5, rtol=1e-8, atol=1e-8)["R.u"][-1], rel=2e-5)
    for k in range(1, 9):
        assert run[f"d({k}).i"].min() > -1e-3 and run[f"d({k}).u"].max() < 1e-3
    # Without a load each two stages give twice the amplitude in the end, so never more than that.
    assert 40 < run["R.u"][-1] < 80


@pytest.mark.parametrize("tolerance", [1e-4, 1e-6, 1e-8, 1e-10])
def test_diodes_behind_inductors_that_hardly_conduct_where_they_block(write_model, tolerance):
    """A blocking diode follows its voltage within Goff*L = 1e-9 s; its s is the integrator's error of the current times
    1e5."""
    model = cutset.load(write_model(TWELVE_PHASES.replace("(Goff=1e-3)", "")))
    run = model.simulate(stop=0.04, rtol=tolerance, atol=tolerance)
    assert run["R.u"][-1] == pytest.approx(194.46712, abs=max(2e-2 * (tolerance / 1e-4) ** 0.5, 1e-4))


@pytest.mark.parametrize("method", ["auto", "cvode-bdf"])
@pytest.mark.parametrize(("n", "end"), [(3, 409.874), (5, 417.084), (7, 411.557)])
def test_ladder_of_cockcroft_and_walton_with_ideal_diodes(write_model, n: int, end: float, method: str) -> None:
    """Conducting diodes have time constants of 1e-12 s, and stages that are not charged yet hold rounding. Steps of
    implicit Euler of 5e-8 s with the same diodes end 0.024 V lower each."""
    stages = f"""
@electrical
model Ladder
  submodel (VSine) v(V=100, f=5e3)
  submodel (Resistor) rs(R=20), rl(R=1e6)
  submodel (Capacitor) a({n})(C=1e-7), b({n})(C=1e-7)
  submodel (IdealDiode) d({n}), e({n})
  submodel (Ground) g
  connect v:B to g, v:A to rs:A, rs:B to a(1):A, d(1):A to g, b(1):A to g
  connect a(k):B to d(k):B for k = 1..{n}, d(k):B to e(k):A for k = 1..{n}, e(k):B to b(k):B for k = 1..{n}
  connect a(k):B to a(k + 1):A for k = 1..{n - 1}, b(k):B to d(k + 1):A for k = 1..{n - 1}
  connect b(k):B to b(k + 1):A for k = 1..{n - 1}, b({n}):B to rl:A, rl:B to g
end
"""
    run = cutset.load(write_model(stages)).simulate(4e-3, points=11, method=method)
    assert run["rl.u"][-1] == pytest.approx(end, rel=1e-4)
