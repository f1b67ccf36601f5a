"""The listings of the paper, as printed, are models: Otter, Elmqvist and Cellier, figure 1 and sections 2, 3 and 7."""

from pathlib import Path

import pytest
from cutset import load
from cutset.compiler.pipeline import compile_model

HERE = Path(__file__).parent
MODELS = HERE.parents[1] / "models"


@pytest.mark.parametrize(
    ("path", "name", "states"),
    [
        (MODELS / "paper/motor.mo", "Motor", 4),
        (MODELS / "paper/robot.mo", "R3", 18),
        (MODELS / "double_pendulum.mo", "DoublePendulum", 4),
        (MODELS / "r3mbs.mo", "R3direct", 12),
    ],
)
def test_listing_is_a_model(path, name, states):
    assert len(compile_model(path, name).info.states) == states


def test_the_motor_keeps_its_current():
    """The integrator rests when the hall voltage is the command: i = Vd, and the shaft turns by k*i = J*qdd. `Vd = Rd2.Va`
    drives a node that carries one cut."""
    run = load(MODELS / "paper/motor.mo").simulate(stop=0.1, rtol=1e-9, atol=1e-12)
    assert run["m.Vd"][-1] == run["m.Rd2.Va"][-1] == 1
    assert abs(run["m.La.i"][-1]) == pytest.approx(1, rel=2e-2)
    assert abs(run["shaft.qdd"][-1]) == pytest.approx(1.1616 * abs(run["m.La.i"][-1]) / 0.01, rel=1e-9)


def test_a_node_that_one_cut_touches_makes_no_sum():
    run = load(MODELS / "paper/motor.mo").simulate(stop=0.01)
    assert abs(run["m.Rd2.i"][5]) > 1e-4
