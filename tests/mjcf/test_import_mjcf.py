"""Robots in MJCF: accelerations against MuJoCo, closed loops, what is lost, and what a file must not read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import cutset
from cutset.api.command_line.command import main
from cutset.compiler.diagnostics import Source
from cutset.compiler.syntax.parse import parse

mujoco = pytest.importorskip("mujoco")

BOX = '<geom type="box" size=".1 .2 .05" pos="0.1 0 0.2"/>'
# Joints of all types, several in one body, with references, rotated inertias, springs, friction, actuators, a tendon.
ALL = f"""<mujoco model="all">
  <option gravity="1 2 -9"/>
  <default><joint damping="0.02" armature="0.03"/></default>
  <worldbody>
    <body pos="0.1 0.2 0.3" euler="10 20 30">
      <joint type="ball" stiffness="0.7" pos="0.01 0.02 0.03"/>{BOX}
      <body pos="0.4 0 0" quat="1 2 3 4">
        <joint name="h" axis="1 1 0" ref="30" springref="-20" stiffness="2" pos="0 .1 0" frictionloss="0.2"/>
        <joint name="s" type="slide" axis="0 1 1" ref="0.3" springref="0.1" stiffness="3"/>
        <joint name="k" axis="0 0 1" pos="0.2 0 0"/>
        <geom type="ellipsoid" size=".1 .2 .05" pos="0.1 0 0.2"/>
      </body>
    </body>
    <body name="h" pos="1 2 3" quat="4 3 2 1"><joint type="free"/>{BOX}</body>
  </worldbody>
  <tendon><fixed name="both" stiffness="3" damping="0.2"><joint joint="h" coef="2"/><joint joint="k" coef="-1"/></fixed>
  </tendon>
  <actuator>
    <position joint="h" kp="20" kv="3" gear="2"/><velocity joint="s" kv="2" forcerange="-1 1"/>
    <motor name="pull" tendon="both" gear="-3" ctrllimited="true" ctrlrange="-0.5 0.5"/>
    <general joint="k" dyntype="filter" dynprm="0.1" gaintype="affine" gainprm="1 2 3"
      biastype="affine" biasprm="4 5 6"/>
    <intvelocity joint="k" kp="5" actrange="-9 9"/>
  </actuator>
</mujoco>"""
ROD = '<geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.02"/>'
# A four-bar, joints that follow another one or nothing, and a body that is welded to a pendulum.
LOOPS = f"""<mujoco model="loops"><worldbody>
  <body name="a" pos="0 0 1"><joint name="a" axis="0 1 0" damping="0.1"/>
    <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02"/>
    <body name="b" pos="0.3 0 0"><joint name="b" axis="0 1 0"/>{ROD}</body></body>
  <body name="c" pos="0.8 0 1"><joint name="c" axis="0 1 0"/>{ROD}</body>
  <body pos="2 0 1"><joint name="d" axis="0 1 0" ref="10"/>{ROD}
    <body pos="0 0 -.5"><joint name="e" axis="0 1 0" ref="20"/>{ROD}
      <body pos="0 0 -.5"><joint name="g" axis="0 1 0"/>{ROD}</body></body></body>
  <body name="w" pos="5 0 0"><freejoint/>{BOX}</body>
  <body name="x" pos="5 1 0" euler="10 20 30"><joint type="ball"/>{BOX}</body>
</worldbody><equality>
  <connect body1="b" body2="c" anchor="0 0 -0.5"/><joint joint1="e" joint2="d" polycoef="0.1 0.5 0.2 0 0"/>
  <joint joint1="g" polycoef="0.3 0 0 0 0"/><weld body1="w" body2="x"/>
</equality></mujoco>"""


def written(folder: Path, text: str) -> Path:
    path = folder / "robot.xml"
    path.write_text(text)
    return path


def test_accelerations_of_joints_springs_and_actuators(tmp_path: Path) -> None:
    from oracles.mujoco_files import Robot

    assert Robot(written(tmp_path, ALL), "mbssim").difference(5) < 1e-12


def test_accelerations_of_loops(tmp_path: Path) -> None:
    from oracles.mujoco_files import Robot

    robot = Robot(written(tmp_path, LOOPS))
    # The bound is that of the difference that gives der(J) of MuJoCo's Jacobian.
    assert robot.difference(4) < 1e-8
    assert "CurvedMimic" in robot.text and "CutFixed" in robot.text


def test_model_starts_in_the_home_pose(tmp_path: Path) -> None:
    with pytest.warns(cutset.NotImported):
        model = cutset.load(written(tmp_path, ALL))
    run = model.simulate(0.001, points=2)
    home = mujoco.MjModel.from_xml_string(ALL)
    data = mujoco.MjData(home)
    mujoco.mj_forward(home, data)
    for name, body in (("body1", 1), ("body2", 2), ("h_body", 3)):
        assert run[f"{name}.ra"][0] == pytest.approx(data.xpos[body], abs=1e-14)
        assert run[f"{name}.Ta"][0].ravel() == pytest.approx(data.xmat[body], abs=1e-14)


def test_limits_hold(tmp_path: Path) -> None:
    text = '<mujoco><worldbody><body><joint name="j" axis="0 1 0" range="-20 20"/><geom size=".1" pos=".3 0 0"/></body>'
    with pytest.warns(cutset.NotImported):
        run = cutset.load(written(tmp_path, text + "</worldbody></mujoco>")).simulate(2.0)
    # In MuJoCo it falls up to 0.3821, and rests at 0.3498.
    assert run["j.q"].max() < 0.3821
    assert run["j.q"][-1] == pytest.approx(0.3498, abs=1e-3)


def test_what_is_lost_is_named_with_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = f"""<mujoco>
  <option density="1000"/>
  <worldbody>
    <body name="arm" gravcomp="1"><joint name="j"/>{BOX}<site name="p"/></body>
  </worldbody>
  <sensor>
    <jointpos joint="j"/>
  </sensor>
  <actuator><muscle name="m" joint="j" lengthrange="0 1"/><motor name="at" site="p"/></actuator>
  <keyframe><key/></keyframe>
</mujoco>"""
    assert main(["import", str(written(tmp_path, text)), "-o", str(tmp_path / "robot.mo")]) == 0
    lost = capsys.readouterr().err
    for part in (
        "1 sensor (robot.xml:7)",
        "fluid",
        "actuator m: ",
        "actuator at: ",
        "keyframe",
        "gravity compensation",
    ):
        assert part in lost
    assert main(["fmt", "--check", str(tmp_path / "robot.mo")]) == 0


PLUGIN = f"""<mujoco model="pid">
  <extension><plugin plugin="mujoco.pid"><instance name="p"/></plugin></extension>
  <worldbody><body name="j"><joint name="j" type="slide" axis="1 0 0"/>{BOX}</body></worldbody>
  <actuator><plugin joint="j" plugin="mujoco.pid" instance="p" ctrlrange="-1 1"/></actuator>
</mujoco>"""


def test_an_actuator_of_a_plugin_gives_no_force_and_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, PLUGIN)
    assert main(["simulate", str(path), "--stop", "1", "--outputs", "j.q"]) == 0
    said = capsys.readouterr()
    assert "note: not imported: the actuator j: a plugin of MuJoCo computes its force\n" in said.err
    assert "note: not imported: 1 name that a body shares with a joint: j is the joint, and j_body the body" in said.err
    with pytest.warns(cutset.NotImported):
        assert cutset.load(path).simulate(1.0, inputs={"tau(1)": 3.0})["j.q"][-1] > 0.0


FUSED = """<mujoco><compiler fusestatic="true" angle="radian"/><worldbody><body name="a" pos="0 0 1">
  <joint name="hinge" axis="1 0 0"/><inertial pos="0 0 0" mass="1" diaginertia="0.1 0.5 0.5"/>
  <body name="b" quat="0.7071067811865476 0 0 0.7071067811865476">
    <inertial pos="0 0 0" mass="1" diaginertia="0.1 0.5 0.5"/></body></body></worldbody></mujoco>"""


def test_bodies_are_not_fused(tmp_path: Path) -> None:
    """MuJoCo before 4.0 adds the inertias of fused bodies in different frames."""
    mechanics = cutset.load(written(tmp_path, FUSED)).mechanics()
    assert mechanics.mass_matrix([0.0])[0, 0] == pytest.approx(0.6, rel=1e-12)
    assert mechanics.pose("b:a", [0.0]).T[0] == pytest.approx([0.0, -1.0, 0.0], abs=1e-12)


def test_names_cannot_add_text_to_the_model(tmp_path: Path) -> None:
    evil = "x&quot; } end&#10;model Evil { {"
    text = f"""<mujoco model="{evil}"><worldbody><body name="{evil}"><joint name="{evil}"/>{BOX}</body></worldbody>
<actuator><motor name="{evil}" joint="{evil}"/></actuator></mujoco>"""
    with pytest.warns(cutset.NotImported):
        found = cutset.import_robot(written(tmp_path, text))
    assert [each.name for each in parse(Source("robot", found)).classes if each.is_object] == ["x_end_model_Evil_"]


TRIANGLES = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
MESH = (
    '<asset><mesh name="m" file="{}"/></asset><worldbody><body name="arm"><joint/>{}<geom type="mesh" mesh="m"/></body>'
)
INERTIAL = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("E150", "<mujoco>"),
        ("E150", '<!DOCTYPE m [<!ENTITY b SYSTEM "/etc/passwd">]><mujoco/>'),
        ("E156", "<sdf/>"),
        ("E156", "<mujoco><worldbody><boddy/></worldbody></mujoco>"),
        ("E158", '<mujoco><include file="../secret.xml"/></mujoco>'),
        ("E158", "<mujoco>" + MESH.format("../secret.obj", "") + "</worldbody></mujoco>"),
        ("E158", '<mujoco><compiler meshdir=".."/>' + MESH.format("secret.obj", "") + "</worldbody></mujoco>"),
        ("E158", "<mujoco>" + MESH.format("link/secret.obj", "") + "</worldbody></mujoco>"),
        ("E158", '<mujoco><include file="robot.xml"/></mujoco>'),
        ("E159", '<mujoco><include file="missing.xml"/></mujoco>'),
        ("E159", "<mujoco>" + MESH.format("missing.obj", "") + "</worldbody></mujoco>"),
    ],
)  # fmt: skip
def test_wrong_files(code: str, text: str, tmp_path: Path) -> None:
    (tmp_path / "secret.obj").write_text(TRIANGLES)
    (tmp_path / "secret.xml").write_text("<mujoco/>")
    folder = tmp_path / "robot"
    folder.mkdir()
    os.symlink(tmp_path, folder / "link")
    with pytest.raises(cutset.ModelError) as caught:
        cutset.import_robot(written(folder, text))
    assert caught.value.diagnostics[0].code == code and caught.value.diagnostics[0].span is not None


def test_folders_of_the_user_are_allowed(tmp_path: Path) -> None:
    (tmp_path / "part.obj").write_text(TRIANGLES)
    folder = tmp_path / "robot"
    folder.mkdir()
    path = written(folder, "<mujoco>" + MESH.format("../part.obj", "") + "</worldbody></mujoco>")
    with pytest.warns(cutset.NotImported):
        assert "m=166.6" in cutset.import_robot(path, library_path=[tmp_path])


def test_mesh_that_is_only_drawn_can_be_missing(tmp_path: Path) -> None:
    path = written(tmp_path, "<mujoco>" + MESH.format("missing.obj", INERTIAL) + "</worldbody></mujoco>")
    with pytest.warns(cutset.NotImported, match="mesh 'missing.obj', which does not exist"):
        assert "m=1," in cutset.import_robot(path)


def test_changed_include_is_read_again(tmp_path: Path) -> None:
    joint = '<mujoco><worldbody><body><joint name="j" damping="{}"/>' + BOX + "</body></worldbody></mujoco>"
    path = written(tmp_path, '<mujoco><include file="part.xml"/></mujoco>')
    for damping in (0.25, 0.75):
        (tmp_path / "part.xml").write_text(joint.format(damping))
        with pytest.warns(cutset.NotImported):
            assert cutset.load(path).parameters["j_damper.d"] == damping


def test_warnings_of_mujoco_are_notes_and_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = f'<mujoco><compiler settotalmass="2"/><worldbody><body><joint/>{BOX}</body></worldbody></mujoco>'
    with pytest.warns(cutset.NotImported) as caught:
        cutset.import_robot(written(tmp_path, text))
    if mujoco.__version__ >= "4":  # older versions do not warn of this
        assert any("settotalmass" in str(each.message) for each in caught)
    assert [each.name for each in tmp_path.iterdir()] == ["robot.xml"]


PLANAR = """<mujoco model="fourbar"><compiler angle="radian"/><worldbody>
  <body name="crank"><joint name="c" axis="0 1 0" ref="0.5"/><geom size=".02" pos=".1 0 0"/>
    <body name="rod" pos="0.2 0 0"><joint name="r" axis="0 1 0"/><geom size=".02" pos=".2 0 0"/></body></body>
  <body name="rocker" pos="0.5 0 0.2"><joint name="k" axis="0 1 0"/><geom size=".02" pos="0 0 -.1"/></body>
</worldbody><equality><connect body1="rod" body2="rocker" anchor="0.3 0 0"/></equality></mujoco>"""


def test_a_planar_loop_is_the_same_when_it_is_read_directly(tmp_path: Path) -> None:
    path = written(tmp_path, PLANAR)
    with pytest.warns(cutset.NotImported):
        direct, text = cutset.load(path), cutset.import_robot(path)
    runs = [model.simulate(0.3)["crank.Ta"][-1] for model in (direct, cutset.loads(text))]
    assert runs[0] == pytest.approx(runs[1], abs=1e-12) and runs[0][0, 0] < 0.9


def five_bar(side: str, y: float, turn: str) -> str:
    masses = '<inertial pos="0 .01 .02" mass=".02" diaginertia="1e-5 1e-5 1e-5"/>'
    return f"""<body name="{side}driver" pos="0 {y} .055"{turn}><joint name="{side}d" axis="1 0 0"/>{masses}
    <body name="{side}coupler" pos="0 .0315 -.004"><joint name="{side}c" axis="1 0 0"/>{masses}</body></body>
  <body name="{side}spring" pos="0 {y / 2} .061"{turn}><joint name="{side}s" axis="1 0 0"/>{masses}
    <body name="{side}follower" pos="0 .055 .0375"><joint name="{side}f" axis="1 0 0" pos="0 -.018 .0065"/>{masses}
    </body></body>"""


def test_a_gripper_of_two_five_bars_with_coupled_drivers(tmp_path: Path) -> None:
    """A turn by pi leaves 1e-16 of directions in which the loops have no condition."""
    text = f"""<mujoco><compiler angle="radian"/><worldbody>{five_bar("r", 0.03, "")}
    {five_bar("l", -0.03, ' quat="0 0 0 1"')}</worldbody><equality>
    <connect anchor="0 0 0" body1="rfollower" body2="rcoupler"/>
    <connect anchor="0 0 0" body1="lfollower" body2="lcoupler"/>
    <joint joint1="rd" joint2="ld" polycoef="0 1 0 0 0"/></equality></mujoco>"""
    run = cutset.load(written(tmp_path, text)).simulate(0.1, points=11)
    for one, other in (("rd", "ld"), ("rs", "ls"), ("rf", "lf"), ("rc", "lc")):
        assert run[f"{one}.q"] == pytest.approx(run[f"{other}.q"], abs=1e-6)
    assert abs(run["rf.q"][-1]) > 0.01


def test_coupled_four_bars_pass_dead_points_where_each_could_turn_back(tmp_path: Path) -> None:
    """The coupling of two equal loops transmits nothing: both move as one does alone, whose angles these are."""
    bodies, ends = "", ""
    for k in (1, 2):
        bodies += "".join(
            f'<body name="{name}{k}" pos="{place}"><joint name="j{name}{k}" axis="0 1 0"/>'
            '<inertial pos="0.3 0 0" mass="1" diaginertia="0.01 0.02 0.02"/>'
            for name, place in (("a", f"0 {k} 1"), ("b", "0.6 0 0"), ("c", "0.6 0 0.3"))
        )
        bodies += "</body></body></body>"
        ends += f'<connect body1="c{k}" body2="world" anchor="0.6 0 0"/>'
    joint = '<joint joint1="ja1" joint2="ja2" polycoef="0 1 0 0 0"/>'
    text = f"<mujoco><worldbody>{bodies}</worldbody><equality>{ends}{joint}</equality></mujoco>"
    run = cutset.load(written(tmp_path, text)).simulate(1.0, points=11)
    for k in (1, 2):
        angles = [run[f"j{name}{k}.q"][-1] for name in "abc"]
        assert angles == pytest.approx([-0.2182089, 0.7939921, -0.9967332], abs=1e-4)
