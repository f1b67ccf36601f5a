"""Robots in URDF: their motion against closed solutions, their names, and what is wrong with files."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import cutset
from cutset.api.command_line.command import main
from cutset.compiler.diagnostics import Source
from cutset.compiler.robots.names import KEYWORDS, Names
from cutset.compiler.syntax.grammar import lexer
from cutset.compiler.syntax.parse import parse

INERTIA = '<inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0.001" ixz="-0.002" iyz="0.003"/>'
BODY = f'<inertial><origin xyz="0.1 0.02 -0.03" rpy="0.7 0.2 -0.9"/><mass value="2"/>{INERTIA}</inertial>'
POINT = '<inertial><mass value="1"/><inertia ixx="{0}" iyy="{0}" izz="{0}"/></inertial>'
SKEW = f"""<robot name="skew">
  <link name="base"/>
  <joint name="turn" type="continuous">
    <parent link="base"/><child link="arm"/><origin xyz="1 2 3" rpy="0.3 -0.4 0.5"/><axis xyz="1 2 -2"/>
  </joint>
  <link name="arm">{BODY}</link>
  <joint name="first" type="fixed"><parent link="arm"/><child link="mid"/><origin xyz="0 0.1 0" rpy="0 1.2 0"/></joint>
  <joint name="second" type="fixed"><parent link="mid"/><child link="tip"/><origin xyz="0 0 0.1" rpy="3 1 2"/></joint>
  <link name="mid"/><link name="tip"/>
</robot>"""
MIMIC = f"""<robot name="gripper">
  <link name="base"/>
  <joint name="a" type="revolute">
    <parent link="base"/><child link="a"/><axis xyz="0 0 1"/><limit lower="-1" upper="2"/><dynamics friction="0.1"/>
  </joint>
  <joint name="b" type="prismatic">
    <parent link="base"/><child link="b"/><axis xyz="1 0 0"/><limit lower="-1" upper="1"/><dynamics damping="3"/>
    <mimic joint="a" multiplier="-0.5" offset="0.2"/>
  </joint>
  <link name="a">{POINT.format(0.04)}</link><link name="b">{POINT.format(0.01)}</link>
</robot>"""
BOX = '<robot name="r"><link name="a">{}</link>{}</robot>'
CYCLE = '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>'
CYCLE += '<joint name="k" type="fixed"><parent link="b"/><child link="a"/></joint>'
JOINT = '<joint name="j" type="{}"><parent link="{}"/><child link="{}"/>{}</joint>'


def load(folder: Path, text: str, **settings: bool) -> cutset.Model:
    path = folder / "robot.urdf"
    path.write_text(text)
    return cutset.loads(cutset.import_robot(path, **settings))


def test_rotated_inertia_about_a_skew_axis(tmp_path: Path) -> None:
    mechanics = load(tmp_path, SKEW).mechanics()
    axis, center, origin = (
        np.array([1, 2, -2]) / 3,
        np.array([0.1, 0.02, -0.03]),
        Rotation.from_euler("xyz", [0.3, -0.4, 0.5]),
    )
    given = np.array([[0.02, 0.001, -0.002], [0.001, 0.03, 0.003], [-0.002, 0.003, 0.04]])
    turned = Rotation.from_euler("xyz", [0.7, 0.2, -0.9]).as_matrix()
    inertia = turned @ given @ turned.T + 2 * (center @ center * np.eye(3) - np.outer(center, center))
    placed = origin * Rotation.from_rotvec(0.8 * axis)
    weight = placed.inv().apply([0, 0, -9.81 * 2])
    expected = (1.5 + axis @ np.cross(center, weight)) / (axis @ inertia @ axis)
    assert mechanics.forward([0.8], [0.7], [1.5]) == pytest.approx([expected], rel=1e-12)
    pose = mechanics.pose("second:b", [0.8])
    first = Rotation.from_euler("xyz", [0, 1.2, 0])
    place = np.array([1, 2, 3]) + placed.apply(np.array([0, 0.1, 0]) + first.apply([0, 0, 0.1]))
    assert pytest.approx((placed * first * Rotation.from_euler("xyz", [3, 1, 2])).as_matrix(), abs=1e-14) == pose.T
    assert pose.r == pytest.approx(place, abs=1e-14)


def test_joint_that_mimics_another_one(tmp_path: Path) -> None:
    path = tmp_path / "robot.urdf"
    path.write_text(MIMIC)
    model = cutset.load(path)
    assert model.inputs == ("tau(1)",)
    run = model.simulate(0.2, inputs={"tau(1)": 1.0}, initial={"a.qd": 0.4}, points=3)
    assert run["b.q"] == pytest.approx(0.2 - 0.5 * run["a.q"], abs=1e-12)
    # 0.29 is the moment of both: 0.04 + 0.5^2*1 kg; friction 0.1, damping 3*0.5^2 of the rate.
    rate = 0.9 / 0.75 + (0.4 - 0.9 / 0.75) * np.exp(-0.75 / 0.29 * 0.2)
    assert run["a.qd"][-1] == pytest.approx(rate, rel=1e-5)


def test_root_that_floats_falls(tmp_path: Path) -> None:
    model = load(tmp_path, BOX.format(BODY, ""), floating=True)
    run = model.simulate(0.1, points=2)
    assert run["floating_base.x(3)"][-1] == pytest.approx(-9.81 / 2 * 0.01, rel=1e-6)


GEAR = """<transmission name="t"><joint name="a"/><actuator name="motor">
<mechanicalReduction>{}</mechanicalReduction></actuator></transmission>"""


def test_forces_of_motors_act_through_gears(tmp_path: Path) -> None:
    text = MIMIC.replace("</robot>", GEAR.format("-20") + "</robot>")
    joint, motor = load(tmp_path, text), load(tmp_path, text, gears=True)
    state = dict(zip(joint.states, [0.1, 0.4], strict=True))
    at_joint = joint.evaluate(0.0, [state[name] for name in joint.states], inputs=[3.0])
    through_gear = motor.evaluate(0.0, [state[name] for name in motor.states], inputs=[-3.0 / 20])
    assert dict(zip(motor.states, through_gear, strict=True))["a.qd"] == pytest.approx(
        dict(zip(joint.states, at_joint, strict=True))["a.qd"], rel=1e-12
    )


def test_pinocchio_agrees(tmp_path: Path) -> None:
    pytest.importorskip("pinocchio")
    from oracles.robot_files import Robot

    path = tmp_path / "robot.urdf"
    path.write_text(SKEW)
    assert max(Robot(path).differences(3, 1).values()) < 1e-12


@pytest.mark.parametrize("floating", [False, True])
def test_pinocchio_agrees_about_planar_and_floating_joints(floating: bool, tmp_path: Path) -> None:
    pytest.importorskip("pinocchio")
    from oracles.robot_files import FloatingRobot

    path = tmp_path / "robot.urdf"
    path.write_text(
        SKEW.replace("continuous", "planar").replace("1 2 -2", "0 0 1").replace('"base"/>', f'"base">{BODY}</link>', 1)
    )
    assert FloatingRobot(path, floating).difference(3) < 1e-12


def test_planar_joint_slides_across_its_axis(tmp_path: Path) -> None:
    axis = np.array([1, 2, -2]) / 3
    model = load(tmp_path, SKEW.replace("continuous", "planar"))
    run = model.simulate(0.5, points=2, initial={"turn.turn.qd": 1.0})
    origin = Rotation.from_euler("xyz", [0.3, -0.4, 0.5])
    # The center of mass falls in the plane only, and gravity has no moment about it.
    place = np.array([run[f"arm.ra({k})"] for k in (1, 2, 3)])[:, -1] - np.array([1, 2, 3])
    center = np.array([0.1, 0.02, -0.03])
    turned = Rotation.from_rotvec(run["turn.turn.q"][-1] * axis)
    fallen = origin.inv().apply(place) + turned.apply(center) - center
    gravity = origin.inv().apply([0, 0, -9.81])
    push = np.cross(axis, center)
    expected = 0.5 * 0.5**2 * (gravity - axis * (axis @ gravity)) + 0.5 * push
    assert fallen == pytest.approx(expected, abs=1e-6)
    assert run["turn.turn.q"][-1] == pytest.approx(0.5, abs=1e-6)


def test_text_is_in_the_standard_layout_and_names_what_is_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shapes = '<visual><geometry><mesh filename="package://robots/m/a.stl"/></geometry></visual>'
    shapes += '<collision><geometry><box size="1 1 1"/></geometry></collision>'
    folder = tmp_path / "robots" / "urdf"
    folder.mkdir(parents=True)
    path = folder / "robot.urdf"
    path.write_text(BOX.format(BODY + shapes, "<gazebo/>"))
    assert main(["import", str(path), "-o", str(tmp_path / "robot.mo"), "--library", "mbs"]) == 0
    lost = capsys.readouterr().err
    assert "contacts of 1 shape:" in lost and "(robot.urdf:1): it does not exist" in lost and "gazebo" in lost
    text = (tmp_path / "robot.mo").read_text()
    assert "@mbs\n" in text and "{ mesh of a: package://robots/m/a.stl }" in text
    assert main(["fmt", "--check", str(tmp_path / "robot.mo")]) == 0


def test_names_cannot_add_text_to_the_model(tmp_path: Path) -> None:
    evil = "x&quot; } end&#10;model Evil&#10; external function f(x) result y &quot;python:os.system&quot; {"
    shape = f'<visual><geometry><mesh filename="{evil}"/></geometry></visual>'
    path = tmp_path / "robot.urdf"
    path.write_text(f'<robot name="{evil}"><link name="{evil}">{BODY}{shape}</link></robot>')
    with pytest.warns(cutset.NotImported):
        found = cutset.import_robot(path)
    code = re.sub(r"\{[^}]*\}", "", found)
    assert len(re.findall(r"\bmodel\b", code)) == 1 and "external " not in code and '"python' not in code
    assert parse(Source("robot", found)).source.name == "robot"


def test_identifiers() -> None:
    names = Names()
    assert names.all(["arm-1", "arm 1", "end", "time", "7dof", "Body", "näme"]) == {
        "arm-1": "arm_1", "arm 1": "arm_1_", "end": "end_", "time": "time_", "7dof": "n7dof", "Body": "Body_",
        "näme": "n_me",
    }  # fmt: skip
    assert set(lexer().words) <= KEYWORDS


TWO = '<link name="b"/>'


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("E150", "<robot>\n<link name=x/></robot>"),
        ("E150", '<!DOCTYPE r [<!ENTITY b SYSTEM "/etc/passwd">]><robot name="&b;"/>'),
        ("E150", ""),
        ("E150", "<robot name='&unknown;'/>"),
        ("E150", "<a>" * 60 + "</a>" * 60),
        ("E151", "<mujoco/>"),
        ("E151", '<robot name="r"/>'),
        ("E151", BOX.format("", "<xacro:macro/>")),
        ("E151", BOX.format(BODY.replace('<mass value="2"/>', ""), "")),
        ("E151", BOX.format(BODY.replace("0.02", "nan"), "")),
        ("E151", BOX.format("", TWO + JOINT.format("hinge", "a", "b", ""))),
        ("E151", BOX.format("", '<joint name="$(optenv SIDE)"/>')),
        ("E151", BOX.format("", TWO + JOINT.format("continuous", "a", "b", '<axis xyz="0 0 0"/>'))),
        ("E151", MIMIC.replace("</robot>", GEAR.format("none") + "</robot>")),
        ("E151", MIMIC.replace("</robot>", GEAR.format("0") + "</robot>")),
        ("E152", BOX.format("", '<link name="a"/>')),
        ("E152", BOX.format("", JOINT.format("fixed", "a", "c", ""))),
        ("E152", MIMIC.replace('"a" type="revolute"', '"a" type="fixed"')),
        ("E151", MIMIC.replace('damping="3"', 'damping="-3"')),
        ("E153", BOX.format("", TWO)),
        ("E153", BOX.format("", TWO + CYCLE)),
        ("E154", BOX.format(BODY.replace('value="2"', 'value="-2"'), "")),
        ("E154", BOX.format(BODY.replace('ixx="0.02"', 'ixx="-0.02"'), "")),
        ("E155", BOX.format("", TWO + JOINT.format("floating", "a", "b", ""))),
    ],
)  # fmt: skip
def test_wrong_files(code: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "robot.urdf"
    path.write_text(text)
    with pytest.raises(cutset.ModelError) as caught:
        cutset.load(path)
    first = caught.value.diagnostics[0]
    assert first.code == code and first.span is not None and first.hint


HAND = """
<?xml version="1.0"?>
<robot name="hand"><link name="palm"/>
  <joint name="thumb" type="prismatic"><parent link="palm"/><child link="one"/><axis xyz="0 1 0"/>
    <limit lower="1" upper="0"/></joint>
  <link name="one"><visual><geometry><mesh filename="one.stl" scale="1 1 1 1"/></geometry></visual></link>
  <joint name="other" type="prismatic"><parent link="palm"/><child link="two"/><axis xyz="0 -1 0"/>
    <mimic joint="thumb"/></joint>
  <link name="two">{}</link></robot>"""
SAID = (
    "blank lines before <?xml",
    "whose lower limit, 1, is above its upper one, 0",
    "it has no <limit>",
    "a shape of the link one",
)


@pytest.mark.parametrize("library", ["mbssim", "mbs", "mbsmat", "mbsabs"])
def test_joints_without_mass_and_what_does_not_matter(tmp_path: Path, library: str) -> None:
    """A joint that moves nothing is held; one that moves a mass with another moves as that mass does."""
    with pytest.warns(cutset.NotImported) as caught:
        moved = load(tmp_path, HAND.format(POINT.format(0.01)), library=library)
    notes = [str(each.message) for each in caught]
    assert all(any(part in note for note in notes) for part in SAID)
    run = moved.simulate(1.0, inputs={"tau(1)": 2.0})
    assert run["thumb.q"][-1] == pytest.approx(1.0, abs=1e-6) and run["other.q"][-1] == pytest.approx(1.0, abs=1e-6)
    with pytest.warns(cutset.NotImported, match="motion of the joint thumb, which moves no mass: it is held"):
        held = load(tmp_path, HAND.format(""), library=library)
    assert held.simulate(1.0, inputs={"tau(1)": 2.0})["other.q"][-1] == 0.0
    assert held.mechanics().mass_matrix([0.1, 0.1]).tolist() == [[0.0, 0.0], [0.0, 0.0]]
