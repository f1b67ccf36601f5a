"""Contacts of imported robots: what falls rests where its shape and the law of its contacts put it."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

import cutset
from cutset.compiler.robots import colliders
from cutset.compiler.robots.robot import HERE

SINKS = 1e-4  # of a point with the whole weight
SCENE = """<mujoco model="things">
  <asset><mesh name="pyramid" vertex="0 0 0  0.2 0 0  0 0.2 0  0.2 0.2 0  0.1 0.1 0.2"/></asset>
  <default><geom contype="4" conaffinity="0"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1" pos="0 0 0.5" contype="0" conaffinity="7"/>
    <body name="box" pos="1 0 0.62"><freejoint/><geom type="box" size="0.1 0.2 0.1" contype="1" conaffinity="2"/></body>
    <body name="ball" pos="2 0 0.62"><freejoint/><geom type="sphere" size="0.1"/></body>
    <body name="capsule" pos="3 0 0.62" euler="90 0 0"><freejoint/><geom type="capsule" size="0.1 0.2"/></body>
    <body name="cylinder" pos="4 0 0.72"><freejoint/><geom type="cylinder" size="0.1 0.2"/></body>
    <body name="pyramid" pos="5 0 0.52"><freejoint/><geom type="mesh" mesh="pyramid"/></body>
    <body name="upper" pos="1 0 0.85"><freejoint/><geom type="sphere" size="0.1" contype="2"/></body>
    <body name="other" pos="1 1 0.62"><freejoint/>
      <geom type="box" size="0.1 0.1 0.1" contype="1" conaffinity="2"/></body>
    <body name="ghost" pos="6 0 0.62"><freejoint/><geom type="sphere" size="0.1" contype="0" conaffinity="0"/></body>
    <body name="egg" pos="7 0 0.62"><freejoint/><geom type="ellipsoid" size="0.1 0.1 0.1"/></body>
    <body name="paired" pos="8 0 0.62"><freejoint/>
      <geom name="paired" type="sphere" size="0.1" contype="0" conaffinity="0"/></body>
  </worldbody>
  <contact><pair geom1="paired" geom2="floor" friction="0.3" margin="0.02" gap="0.01"/>
    <exclude body1="upper" body2="other"/></contact>
</mujoco>
"""


def test_what_falls_rests_on_its_shape(tmp_path: Path):
    """A ball rests on a box, which its bits let collide, and each thing on the plane, which is at 0.5 m."""
    file = tmp_path / "things.xml"
    file.write_text(SCENE, encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cutset.NotImported)  # the mesh is not drawn
        text = cutset.import_robot(file, contacts="all")
    assert (text.count("(Collision)"), text.count("(PlaneCollision)")) == (1, 9)
    assert text.count("mu=0.3") == 1
    model = cutset.loads(text)
    run = model.simulate(1.5, points=151)
    masses = {name: mass for name, mass in model.parameters.items() if name.endswith(".m")}
    weight = 9.81 * sum(mass for name, mass in masses.items() if name != "ghost.m")
    planes = [f"contact{k}" for k in range(1, 11) if f"contact{k}.n3" in {each.name for each in model.variables()}]
    assert sum(run[f"{name}.N"][-1] for name in planes) == pytest.approx(weight, rel=1e-6)
    assert run["ghost.ra(3)"][-1] < -5
    heights = {
        "box": 0.6,
        "ball": 0.6,
        "capsule": 0.6,
        "cylinder": 0.7,
        "pyramid": 0.5,
        "upper": 0.8,
        "paired": 0.61,
        "egg": 0.6,
    }
    found = {name: run[f"{name}.ra(3)"][-1] for name in heights}
    for name, height in heights.items():
        assert -2.1 * SINKS < found[name] - height < 0, name
    assert max(run[f"contact{k}.depth"].max() for k in range(1, 11)) < 1e-3


def test_a_hull_has_64_points_inside_of_its_faces():
    """Of a sphere of 1,000 points: rounded, it stays inside, and near the surface."""
    rng = np.random.default_rng(3)
    vertices = rng.normal(size=(1000, 3))
    vertices /= np.linalg.norm(vertices, axis=1)[:, None]
    found, outside = colliders.hull("link", HERE, vertices)
    radii = np.linalg.norm(found.points, axis=1)
    assert len(found.points) == colliders.MOST_POINTS
    assert radii.max() + found.radius < 1 and radii.min() > 0.99
    assert 0.02 < outside < 0.1


def test_a_hull_of_a_cube_is_its_box():
    corners = [(x, y, z) for x in (-0.1, 0.3) for y in (-0.1, 0.1) for z in (0.0, 0.1)]
    found, outside = colliders.hull("link", HERE, corners)
    assert (outside, found.radius) == (0.0, 1e-3)
    expected = [(x, y, z) for x in (-0.099, 0.299) for y in (-0.099, 0.099) for z in (0.001, 0.099)]
    np.testing.assert_allclose(sorted(found.points), sorted(expected), atol=1e-12)


def test_a_flat_mesh_has_no_hull():
    with pytest.raises(ValueError, match="in a plane"):
        colliders.hull("link", HERE, [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)])


def test_an_ellipsoid_is_near_its_surface():
    """Along its axes and between, by at most 3 % of what it differs from a sphere."""
    axes = np.array([0.2, 0.1, 0.15])
    found = colliders.ellipsoid("link", HERE, tuple(axes))
    directions = np.random.default_rng(4).normal(size=(500, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    reach = (directions @ np.array(found.points).T).max(axis=1) + found.radius
    assert abs(reach - np.linalg.norm(directions * axes, axis=1)).max() < 0.03 * (0.2 - 0.1**2 / 0.2)
    assert colliders.ellipsoid("link", HERE, (0.1, 0.1, 0.1)).points == ((0, 0, 0),)


INERTIA = '<inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/>'
URDF = f"""<robot name="sled">
  <link name="base"><inertial><mass value="3"/>{INERTIA}</inertial>
    <collision><geometry><box size="0.4 0.2 0.1"/></geometry></collision></link>
  <link name="arm"><inertial><mass value="1"/>{INERTIA}</inertial>
    <collision><origin xyz="0 0 0.2"/><geometry><sphere radius="0.05"/></geometry></collision>
    <collision><geometry><mesh filename="arm.stl"/></geometry></collision></link>
  <joint name="hinge" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 0.1"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="10" velocity="1"/></joint>
</robot>
"""


def test_a_robot_in_urdf_stands_on_the_ground(tmp_path: Path):
    file = tmp_path / "sled.urdf"
    file.write_text(URDF, encoding="utf-8")
    with pytest.warns(cutset.NotImported) as notes:
        text = cutset.import_robot(file, floating=True, contacts="planes")
    told = [str(note.message) for note in notes]
    assert any(each.startswith("the mesh arm.stl (sled.urdf:6): it does not exist") for each in told), told
    assert any(each.startswith("contacts of 2 shapes: --contacts all writes those with each other") for each in told)
    run = cutset.loads(text).simulate(1.0, initial={"floating_base.x(3)": 0.06})
    assert -2 * SINKS < run["floating_base.x(3)"][-1] - 0.05 < 0
    assert run["contact1.N"][-1] == pytest.approx(4 * 9.81, rel=1e-3)
    with pytest.raises(ValueError, match="contacts must be one of none, planes, all, not 'floor'"):
        cutset.import_robot(file, contacts="floor")


def test_a_mesh_in_urdf_collides_as_its_hull(tmp_path: Path):
    """A pyramid in mm, mirrored and turned around: it rests on its base, 40 mm below its origin."""
    corners = np.array([(-90, -60, 0), (90, -60, 0), (90, 60, 0), (-90, 60, 0), (0, 0, 200)])
    faces = [(0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4), (0, 2, 1), (0, 3, 2)]
    rows = ["facet normal 0 0 0 outer loop", *["vertex {} {} {}"] * 3, "endloop endfacet"]
    solid = "\n".join("\n".join(rows).format(*corners[list(face)].ravel()) for face in faces)
    (tmp_path / "tent.stl").write_text(f"solid tent\n{solid}\nendsolid tent\n", encoding="utf-8")
    shape = '<geometry><mesh filename="tent.stl" scale="0.001 -0.001 0.001"/></geometry>'
    collision = f'<collision><origin xyz="0 0 0.04" rpy="3.141592653589793 0 0"/>{shape}</collision>'
    inertial = f'<inertial><mass value="3"/>{INERTIA}</inertial>'
    file = tmp_path / "tent.urdf"
    file.write_text(f'<robot name="tent"><link name="base">{inertial}{collision}</link></robot>', encoding="utf-8")
    model = cutset.loads(cutset.import_robot(file, floating=True, contacts="planes"))
    run = model.simulate(1.0, initial={"floating_base.x(3)": 0.06, "floating_base.p": [1, 0, 0, 0]})
    assert run["floating_base.x(3)"][-1] == pytest.approx(0.04, abs=2 * SINKS)
    assert run["contact1.N"][-1] == pytest.approx(3 * 9.81, rel=1e-6)
    assert run["contact1.depth"].max() < 1e-3
