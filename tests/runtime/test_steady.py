"""Points of rest: closed forms, and runs that begin there and stay."""

import numpy as np
import pytest

import cutset
from cutset.runtime.errors import RunError

HANGING = """model Pendulum
  parameter L = 1, g = 9.81, d = 0.2
  local phi (start=2), w
  input u
  der(phi) = w
  L^2*der(w) = -g*L*sin(phi) - d*w + u
end
"""


def rates(model, point):
    return model.evaluate(point.last.t, point.last.x, point.last.u)


@pytest.mark.parametrize("target", ["c", "python"])
def test_a_pendulum_hangs_under_its_load(write_model, target):
    model = cutset.load(write_model(HANGING))
    found = model.steady(inputs={"u": 4.0}, target=target)
    assert found["phi"] == pytest.approx([np.arcsin(4.0 / 9.81)], abs=1e-9) and abs(found["w"][0]) < 1e-9
    still = model.simulate(20.0, inputs={"u": 4.0}, initial={"phi": found["phi"][0], "w": found["w"][0]})
    assert np.ptp(still["phi"]) < 1e-6


def test_time_and_inputs_are_held(write_model):
    model = cutset.load(write_model("model X\n  local x\n  input u\n  der(x) = time + u - x\nend\n"))
    found = model.steady(3.0, inputs={"u": lambda t: 10 * t}, initial={"x": 5.0})
    assert found["x"][0] == pytest.approx(33.0) and found.time.tolist() == [3.0]


def test_an_arm_comes_to_hang(tmp_path):
    model = cutset.load("models/r3_arm.mo")
    found = model.steady()
    assert np.abs(rates(model, found)).max() < 1e-8
    eigenvalues = found.linearize().eigenvalues
    assert eigenvalues.real.max() < 1e-9
    still = model.simulate(5.0, initial={name: found[name][0] for name in model.states})
    for name in model.states:
        assert np.ptp(still[name]) < 1e-5


def test_free_bodies_stay_where_they_are(write_model):
    """Two masses on a spring: the difference of the positions is determined, their sum by where the motion ends."""
    text = (
        "model M\n  local x (start=1), y (start=5), v, w\n  der(x) = v\n  der(y) = w\n  der(v) = 4*(y - x - 2) - v\n"
        "  der(w) = -4*(y - x - 2) - w\nend\n"
    )
    found = cutset.load(write_model(text)).steady()
    assert found["y"][0] - found["x"][0] == pytest.approx(2.0, abs=1e-8)
    assert found["y"][0] + found["x"][0] == pytest.approx(6.0, abs=1e-6)


def test_modes_change_on_the_way(write_model):
    """The diode blocks at the start and conducts at rest."""
    text = (
        "@electrical\nmodel D\n submodel (VConst) V(V=5)\n submodel (Resistor) R(R=100)\n submodel (IdealDiode) d\n"
        " submodel (Capacitor) C(C=1e-3, u0=-3)\n submodel (Ground) g\n node a, b, z\n"
        " connect V at (a, z), g at z, R at (a, b), d at (b, z), C at (b, z)\nend\n"
    )
    found = cutset.load(write_model(text)).steady()
    assert abs(found["C.u"][0]) < 1e-2 and found["d.i"][0] == pytest.approx(0.05, rel=1e-2)


def test_with_a_delay(write_model):
    text = "model X\n  local x (start=1)\n  der(x) = 2 - x - 0.5*delay(x, 0.3)\nend\n"
    assert cutset.load(write_model(text)).steady()["x"][0] == pytest.approx(2 / 1.5, abs=1e-8)


def test_where_there_is_no_rest(write_model):
    model = cutset.load(write_model("model X\n  local x, y (start=3)\n  der(x) = 1\n  der(y) = -y\nend\n"))
    with pytest.raises(RunError) as caught:
        model.steady()
    assert caught.value.code == "E636" and "der(x) = 1.0" in caught.value.notes[0]
    model = cutset.load(write_model("model X\n  local x (start=0)\n  der(x) = 1 + x^2\nend\n"))
    with pytest.raises(RunError) as caught:
        model.steady()
    assert caught.value.code == "E636"


def test_a_state_that_grows_without_bound_is_named(write_model):
    text = "model Fall\n  local s, v\n  der(s) = v\n  der(v) = -9.81 - 0.5*v\nend\n"
    with pytest.raises(RunError, match=r"E636.*'s' grows without bound: there is no equilibrium"):
        cutset.load(write_model(text)).steady()
