"""models/r3: the robot with all of its drives, and one axis of it, against the curves of RobotR3 of the Modelica
Standard Library 4.0, with both multibody libraries; the inverse problem against the direct one."""

from functools import cache
from pathlib import Path
from shutil import copytree

import numpy as np
import pytest
from cases.compare import distances, instants, read_reference
from cases.measure import translated
from shipped_models import objects_of

import cutset

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "tests" / "cases" / "reference"
LIBRARIES = ("mbssim", "mbs")
# The mode of friction there, by the number that it has here: backward, stuck, forward, free, unknown.
MODES = np.array([np.nan, -1.0, 0.0, 1.0, 2.0, 3.0])

AXIS = {
    "axis.controller.PI.x": "c.PI.x",
    "axis.gear.spring.phi_rel": "-d.spring.twist",
    "axis.gear.spring.w_rel": "-d.spring.rate",
    "axis.initializeFlange.phi_flange": "r.q",
    "axis.initializeFlange.w_flange": "r.qd",
    "axis.motor.C.v": "m.C.u",
    "axis.motor.La.i": "m.La.i",
    "axis.gear.bearingFriction.mode": "d.friction.mode",
    "axis.gear.bearingFriction.startBackward": "d.friction.start_backward",
    "axis.gear.bearingFriction.startForward": "d.friction.start_forward",
}
ROBOT = {f"axis{k}.controller.PI.x": f"c{k}.PI.x" for k in range(1, 7)}
ROBOT |= {f"axis{k}.motor.C.v": f"m{k}.C.u" for k in range(1, 7)}
ROBOT |= {f"axis{k}.motor.La.i": f"m{k}.La.i" for k in range(1, 7)}
ROBOT |= {f"axis{k}.gear.spring.phi_rel": f"-d{k}.spring.twist" for k in (1, 2, 3)}
ROBOT |= {f"axis{k}.gear.spring.w_rel": f"-d{k}.spring.rate" for k in (1, 2, 3)}
ROBOT |= {f"axis{k}.gear.bearingFriction.mode": f"d{k}.friction.mode" for k in range(1, 7)}
ROBOT |= {f"mechanics.r{k}.phi": f"arm.r{k}.q" for k in range(1, 7)}
ROBOT |= {f"mechanics.r{k}.w": f"arm.r{k}.qd" for k in (1, 3, 4, 5, 6)}
ROBOT |= {"mechanics.b2.body.w_a[1]": "arm.m2.va(1)"}


@pytest.fixture(scope="module")
def load(tmp_path_factory):
    """load(library, file) -> the object of the file in models/r3 with this multibody library."""

    @cache
    def with_library(library: str, file: str):
        if library == "mbssim":  # as it is, which is a case, too
            return translated(f"../../../models/r3/{file}", objects_of(f"r3/{file}")[-1])
        folder = tmp_path_factory.mktemp(library) / "r3"
        copytree(ROOT / "models" / "r3", folder)
        line = folder / "multibody.mo"
        line.write_text(line.read_text().replace("\n@mbssim as mbs", f"\n@{library} as mbs"))
        return cutset.load(folder / file)

    return with_library


def apart(run, names, reference):
    def course(name):
        return MODES[run[name].astype(int)] if name.endswith(".mode") else run[name]

    return distances(reference, names, run.time, course, instants(reference))


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(
    ("file", "table", "names", "stop"),
    [("one_axis.mo", "r3_axis.csv", AXIS, 1.4981317008), ("r3.mo", "r3_full.csv", ROBOT, 1.8560450019)],
)
def test_every_signal_meets_its_curve(load, library, file, table, names, stop):
    reference = read_reference(REFERENCE / table)
    assert set(names) == set(reference.columns)
    run = load(library, file).simulate(stop, interval=reference.step / 5, rtol=1e-6, atol=1e-6)
    found = apart(run, names, reference)
    assert max(found.values()) <= 2e-3, {name: d for name, d in found.items() if d > 2e-3}


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_robot_holds_itself_at_the_start(load, library):
    """Currents and states of the controllers from the torques that hold the arm against gravity: -k*i*ratio is the
    torque."""
    run = load(library, "r3.mo").simulate(0.0)
    currents = [0, -1.8880913341, -3.6788347724, -0.6004243932, -0.7242793154, 0]
    controls = [0, -5.1469369767, -7.7260604475, -1.2008487864, -1.4485586308, 0]
    np.testing.assert_allclose([run[f"m{k}.La.i"][0] for k in range(1, 7)], currents, atol=1e-6)
    np.testing.assert_allclose([run[f"c{k}.PI.x"][0] for k in range(1, 7)], controls, atol=1e-6)
    np.testing.assert_allclose(
        [-run[f"d{k}.spring.twist"][0] for k in (1, 2, 3)], [0, 0.2741508617, 0.0736781805], atol=1e-6
    )


def test_sizes(load):
    """Dymola's: 36 states, a system of 137 equations torn to 6."""
    order_n, forces = (load(library, "r3.mo").inspect() for library in LIBRARIES)
    assert order_n["states"] == forces["states"] == 36
    assert max(system["torn"] for system in order_n["linear_systems"]) <= 4
    assert max(system["size"] for system in order_n["linear_systems"]) <= 4
    assert max(system["torn"] for system in forces["linear_systems"]) == 1


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_inverse_problem_has_no_system_of_equations(load, library):
    sizes = load(library, "inverse.mo").inspect()
    assert sizes["linear_systems"] == sizes["nonlinear_systems"] == [] and sizes["states"] == 0


@pytest.mark.parametrize("library", LIBRARIES)
def test_torques_of_the_inverse_problem_move_the_arm_so(load, library, tmp_path):
    """The direct problem with these torques has the accelerations of the path, wherever it is."""
    inverse = load(library, "inverse.mo").simulate(1.4, points=57)
    text = (
        "@arm\nmodel Direct\nsubmodel (mbs.JointForce) drive(6)\nsubmodel (R3mbs) arm\ninput tau(6)\nconnect "
        + ", ".join(f"drive({k}) at arm:j{k}" for k in range(1, 7))
    )
    text += "\nfor k = 1..6 do\ndrive(k).f = tau(k)\nendfor\nend\n"
    folder = tmp_path / "r3"
    copytree(ROOT / "models" / "r3", folder)
    line = folder / "multibody.mo"
    line.write_text(line.read_text().replace("\n@mbssim as mbs", f"\n@{library} as mbs"))
    (folder / "direct.mo").write_text(text)
    direct = cutset.load(folder / "direct.mo")
    places = [
        [f"arm.r{k}.q" for k in range(1, 7)].index(n) if n.endswith(".q") else int(n[5]) - 1 for n in direct.states
    ]
    for row in range(len(inverse.time)):
        q, qd, qdd = ([inverse[f"arm.r{k}.{name}"][row] for k in range(1, 7)] for name in ("q", "qd", "qdd"))
        x = [(q if name.endswith(".q") else qd)[place] for name, place in zip(direct.states, places, strict=True)]
        tau = {name: inverse[name][row] for name in direct.inputs}
        rates = direct.evaluate(inverse.time[row], x, [tau[name] for name in direct.inputs])
        for name, place, rate in zip(direct.states, places, rates, strict=True):
            wanted = qd[place] if name.endswith(".q") else qdd[place]
            assert abs(rate - wanted) <= 1e-8 * max(1.0, *map(abs, qdd)), (name, row)


IDEAL = """@arm
@sources
model Ideal "the arm with motors that give every torque at once: those of the inverse problem"
  submodel (KinematicPTP2) way(n=6, q0=1 deg*[-60, 20, 90, 0, -110, 0], q1=1 deg*[60, -70, -35, 45, 110, 45],
                               v_max=[3, 1.5, 5, 3.1, 3.1, 4.1], a_max=[15, 15, 15, 60, 60, 60])
  submodel (R3mbs) pattern, arm(q10=-60 deg, q20=20 deg, q30=90 deg, q50=-110 deg)
  submodel (mbs.Motion) wanted(6)
  submodel (mbs.JointForce) motor(6)
  parameter kp = 500, kd = 50
  local q(6)(unit="rad"), qd(6)(unit="rad/s")
  output tau(6)
CONNECTIONS
  for k = 1..6 do
    wanted(k).q_ref = way.q(k)
    motor(k).f = wanted(k).f + kp*(way.q(k) - q(k)) + kd*(way.v(k) - qd(k))
    tau(k) = motor(k).f
  endfor
end
"""


def test_the_ideal_robot_has_the_torques_of_the_inverse_problem(load, tmp_path):
    """Simulated along the whole way with the other library, it deviates by errors of the integration alone."""
    joints = range(1, 7)
    lines = [
        f"  connect wanted({k}) at pattern:j{k}, motor({k}) at arm:j{k}\n  q({k}) = arm.r{k}.q\n  qd({k}) = arm.r{k}.qd"
        for k in joints
    ]
    folder = tmp_path / "r3"
    copytree(ROOT / "models" / "r3", folder)
    (folder / "ideal.mo").write_text(IDEAL.replace("CONNECTIONS", "\n".join(lines)))
    settings = {"interval": 0.005, "rtol": 1e-11, "atol": 1e-12}
    ideal = cutset.load(folder / "ideal.mo").simulate(1.5, **settings)
    inverse = load("mbs", "inverse.mo").simulate(1.5, **settings)
    assert np.array_equal(ideal.time, inverse.time)
    assert max(np.abs(ideal[f"arm.r{k}.q"] - ideal[f"way.q({k})"]).max() for k in joints) < 1e-9
    most = max(np.abs(inverse[f"tau({k})"]).max() for k in joints)
    assert most > 1000
    for k in joints:
        np.testing.assert_allclose(ideal[f"tau({k})"], inverse[f"tau({k})"], atol=1e-8 * most, rtol=0)
