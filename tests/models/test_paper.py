"""The listings of the paper, as printed, are models: Otter, Elmqvist and Cellier, figure 1 and sections 2, 3 and 7."""

from pathlib import Path

import numpy as np
import pytest

from cutset import load
from cutset.compiler.pipeline import compile_model

HERE = Path(__file__).parent
MODELS = HERE.parents[1] / "models"


@pytest.mark.parametrize(
    ("path", "name", "states"),
    [
        (MODELS / "paper/motor.mo", "Motor", 4),
        (MODELS / "double_pendulum.mo", "DoublePendulum", 4),
        (MODELS / "r3mbs.mo", "R3direct", 12),
    ],
)
def test_listing_is_a_model(path, name, states):
    assert len(compile_model(path, name).info.states) == states


def test_the_motor_keeps_its_current():
    """The integrator rests when the hall voltage is the command: i = Vd, and the shaft turns by k*i = J*qdd. `Vd =
    Rd2.Va` drives a node that carries one cut."""
    run = load(MODELS / "paper/motor.mo").simulate(stop=0.1, rtol=1e-9, atol=1e-12)
    assert run["m.Vd"][-1] == run["m.Rd2.Va"][-1] == 1
    assert abs(run["m.La.i"][-1]) == pytest.approx(1, rel=2e-2)
    assert abs(run["shaft.qdd"][-1]) == pytest.approx(1.1616 * abs(run["m.La.i"][-1]) / 0.01, rel=1e-9)


def test_a_node_that_one_cut_touches_makes_no_sum():
    run = load(MODELS / "paper/motor.mo").simulate(stop=0.01)
    assert abs(run["m.Rd2.i"][5]) > 1e-4


def test_the_robot_goes_where_it_is_told():
    """All six axes, from the pose in which the axes 4 and 6 are in line. The error of the angles at rest is what the
    controllers need to hold the arm."""
    model = load(MODELS / "paper/robot.mo")
    assert len(model.states) == 30 and len(model.inputs) == 12
    aims = [0.2 * k for k in range(1, 7)]
    ramps = {f"rq{k}": lambda t, aim=aim: aim * min(t, 1.0) for k, aim in enumerate(aims, 1)}
    speeds = {f"rqd{k}": lambda t, aim=aim: aim if t < 1.0 else 0.0 for k, aim in enumerate(aims, 1)}
    run = model.simulate(stop=3.0, points=31, inputs=ramps | speeds)
    for k, aim in enumerate(aims, 1):
        assert run[f"robot.r{k}.q"][-1] == pytest.approx(aim, abs=3e-3)
        assert abs(run[f"robot.r{k}.qd"][-1]) < 1e-5
        assert run[f"robot.r{k}.q"][20] == pytest.approx(aim, abs=0.05)
    # It stands: what the motor of axis 3 gives through the gear holds the weight of all that is behind.
    weight = gravity_about_third_axis(run)
    assert 60 * run["d3.f"][-1] == pytest.approx(weight, rel=1e-3)


def gravity_about_third_axis(run) -> float:
    """The torque that gravity has about the axis of joint 3 on all bodies behind it, in the last position."""
    masses = {
        "m3": (26.4, (0.064, 0, -0.034)),
        "m4": (28.7, (0, 0, 0.32)),
        "m5": (5.2, (0, 0, 0.023)),
        "load": (15, (0, 0, 0)),
    }

    def last(name, *numbers):
        return np.array([run[f"robot.{name}({n})"][-1] for n in numbers])

    def turn(name):
        return np.array([last(f"{name}.Ta", *(f"{i},{j}" for j in (1, 2, 3))) for i in (1, 2, 3)])

    axis, origin, total = turn("m3") @ [1, 0, 0], last("m3.ra", 1, 2, 3), 0.0
    for name, (mass, center) in masses.items():
        arm = last(f"{name}.ra", 1, 2, 3) + turn(name) @ np.array(center, float) - origin
        total += axis @ np.cross(arm, [0, 0, -9.81 * mass])
    return -total
