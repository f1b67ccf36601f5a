"""Meshes of robots: where they are drawn, in which files they are found, and what is said about the others."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

import cutset
from cutset.api.command_line.command import main
from cutset.runtime.animation.drawing import scene_of
from cutset.runtime.animation.stl import read_stl, write_stl

mujoco = pytest.importorskip("mujoco")
TRIANGLES = np.array([[[0.0, 0, 0], [0.3, 0, 0], [0, 0.2, 0]], [[0, 0, 0], [0, 0.2, 0], [0, 0, 0.1]]])
ROBOT = """<robot name="two">
  <mujoco><compiler discardvisual="false" fusestatic="false" balanceinertia="true"/></mujoco>
  <link name="base"/>
  <joint name="j1" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0.1 0 0.5" rpy="0.3 0 0.2"/>
    <axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
  <link name="upper">{body}
    <visual><origin xyz="0.1 0.2 0.3" rpy="0.4 0.5 0.6"/><geometry><mesh filename="{file}" scale="2 1 -3"/></geometry>
      <material name="red"><color rgba="1 0 0 1"/></material></visual>
  </link>
  <joint name="j2" type="prismatic"><parent link="upper"/><child link="fore"/><origin xyz="0.4 0 0" rpy="0 0.7 0"/>
    <axis xyz="1 0 0"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
  <link name="fore">{body}<visual><geometry><mesh filename="{file}"/></geometry></visual></link>
</robot>"""
BODY = '<inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>'


def robot(folder: Path, file: str = "meshes/part.stl", name: str = "two.urdf") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(ROBOT.format(body=BODY, file=file))
    return path


def part(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "part.stl"
    path.write_bytes(write_stl(TRIANGLES))
    return path


def turned(q: np.ndarray, points: np.ndarray) -> np.ndarray:
    matrix = np.zeros(9)
    mujoco.mju_quat2Mat(matrix, np.array([q[3], *q[:3]], dtype=float))
    return points @ matrix.reshape(3, 3).T


def drawn(model: cutset.Model) -> list[tuple[np.ndarray, tuple[float, ...]]]:
    """The vertices and colors of the meshes at the end of a run, in the inertial frame."""
    run = model.simulate(0.3, points=2)
    scene = scene_of(run.description, run)
    assert scene.notes == ()
    found = []
    for node in scene.nodes:
        for each in node.parts:
            if each.solid in scene.surfaces:
                points = turned(each.turn, scene.surfaces[each.solid].corners * each.size) + each.place
                found.append((turned(node.turn[-1], points) + node.place[-1], each.color))
    return found, (run["j1.q"][-1], run["j2.q"][-1])


def expected(path: Path, q: tuple[float, float]) -> list[np.ndarray]:
    """The same by MuJoCo, which reads URDF, too."""
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    data.qpos[:] = q
    mujoco.mj_forward(model, data)
    meshes = [(model.mesh_vertadr[k], model.mesh_vertnum[k]) for k in model.geom_dataid]
    return [
        model.mesh_vert[first : first + count] @ data.geom_xmat[g].reshape(3, 3).T + data.geom_xpos[g]
        for g, (first, count) in enumerate(meshes)
    ]


def assert_same(found: np.ndarray, other: np.ndarray) -> None:
    """Each point of the one is one of the other, in any order."""
    distances = np.linalg.norm(found[:, None, :] - other[None, :, :], axis=2)
    assert distances.min(axis=0).max() < 1e-6 and distances.min(axis=1).max() < 1e-6  # numbers of 32 bits


def test_vertices_are_where_mujoco_has_them(tmp_path: Path) -> None:
    # A tetrahedron, since MuJoCo needs a volume.
    corners = np.array([[0.0, 0, 0], [0.3, 0, 0], [0, 0.2, 0], [0, 0, 0.1]])
    (tmp_path / "part.stl").write_bytes(write_stl(corners[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]]))
    path = robot(tmp_path, "part.stl")
    with pytest.warns(cutset.NotImported):
        model = cutset.load(path)
    with pytest.warns(cutset.NotImported):
        (tmp_path / "two.mo").write_text(cutset.import_robot(path, meshes=tmp_path / "parts"))
    assert "scale" not in (tmp_path / "two.mo").read_text()
    for each in (model, cutset.load(tmp_path / "two.mo")):
        found, q = drawn(each)
        assert [color for _, color in found] == [(1.0, 0.0, 0.0), (0.6, 0.6, 0.6)]
        for (points, _), other in zip(found, expected(path, q), strict=True):
            assert_same(points, other)


def test_import_writes_meshes_beside_the_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    part(tmp_path / "in" / "meshes")
    path = robot(tmp_path / "in")
    out = tmp_path / "two.mo"
    assert main(["import", str(path), "-o", str(out)]) == 0
    assert capsys.readouterr().out == f"wrote {out} and 2 meshes in {tmp_path / 'two_meshes'}\n"
    # Scaled, and turned inside out again after the mirror.
    written = read_stl((tmp_path / "two_meshes" / "part.stl").read_bytes())
    assert np.allclose(written, (TRIANGLES * [2, 1, -3])[:, ::-1], atol=1e-7)
    assert np.allclose(read_stl((tmp_path / "two_meshes" / "part_2.stl").read_bytes()), TRIANGLES, atol=1e-7)
    assert main(["fmt", "--check", str(out)]) == 0
    assert len(cutset.load(out).description.meshes) == 2
    assert main(["import", str(path), "-o", str(tmp_path / "none.mo"), "--no-meshes"]) == 0
    assert not (tmp_path / "none_meshes").exists()


def test_packages_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = "package://my_robot/meshes/part.stl"
    elsewhere = tmp_path / "ros" / "repository" / "other_name"
    part(elsewhere / "meshes")
    path = robot(tmp_path / "home" / "urdf", file)

    def found(**settings) -> list[Path]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = cutset.load(path, **settings)
        return [Path(each.path) for each in model.description.meshes]

    monkeypatch.delenv("ROS_PACKAGE_PATH", raising=False)
    monkeypatch.delenv("AMENT_PREFIX_PATH", raising=False)
    assert found() == []
    with pytest.warns(cutset.NotImported) as said:
        cutset.import_robot(path, meshes=tmp_path / "m")
    (note,) = [str(each.message) for each in said if "package" in str(each.message)]
    assert note == (
        "2 meshes of the package 'my_robot', which is not found; looked through --package, ROS_PACKAGE_PATH (not set), "
        "AMENT_PREFIX_PATH (not set), the folders above two.urdf; name its folder: --package my_robot=FOLDER"
    )
    (elsewhere / "package.xml").write_text("<package><name>my_robot</name></package>")
    monkeypatch.setenv("ROS_PACKAGE_PATH", f"/nowhere:{tmp_path / 'ros' / 'repository'}")
    assert found() == [elsewhere / "meshes" / "part.stl"]
    monkeypatch.setenv("ROS_PACKAGE_PATH", str(elsewhere))
    assert found() == [elsewhere / "meshes" / "part.stl"]
    monkeypatch.delenv("ROS_PACKAGE_PATH")
    assert found(library_path=[elsewhere]) == [elsewhere / "meshes" / "part.stl"]
    installed = part(tmp_path / "install" / "share" / "my_robot" / "meshes")
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(tmp_path / "install"))
    assert found() == [installed]
    monkeypatch.delenv("AMENT_PREFIX_PATH")
    assert found(library_path=[tmp_path / "install" / "share"]) == [installed]
    assert found(library_path=[tmp_path / "install"]) == [installed]
    above = part(tmp_path / "home" / "meshes")
    assert found() == []
    (tmp_path / "home" / "package.xml").write_text("<package><name>my_robot</name></package>")
    assert found() == [above]
    given = part(tmp_path / "given" / "meshes")
    text = tmp_path / "two.mo"
    assert main(["import", str(path), "-o", str(text), "--package", f"my_robot={given.parents[1]}"]) == 0
    assert (tmp_path / "two_meshes" / "part.stl").exists()


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("../secret.stl", r"the mesh ../secret.stl \(two.urdf:7\): it is outside the folder of the robot; name .* -I"),
        ("file:///etc/secret.stl", "it is outside the folder of the robot"),
        ("package://home/../secret.stl", "it is outside the folder of the robot"),
        ("package://../secret.stl", "the package '..', which is not found"),
        ("http://host/part.stl", "only package:// and names of files can be read"),
        ("gone.stl", "it does not exist"),
        ("two.urdf", "its format is none of .stl, .obj, .dae, .glb"),
        ("", "it has no file from which it can be drawn"),
    ],
)
def test_meshes_that_are_not_read(tmp_path: Path, file: str, said: str) -> None:
    (tmp_path / "secret.stl").write_bytes(write_stl(TRIANGLES))
    path = robot(tmp_path / "home", file)
    with pytest.warns(cutset.NotImported, match=said):
        model = cutset.load(path)
    assert model.description.meshes == ()
    with pytest.warns(cutset.NotImported, match=said):
        cutset.import_robot(path, meshes=tmp_path / "meshes")
    assert not (tmp_path / "meshes").exists()


def test_allowed_folder_has_meshes(tmp_path: Path) -> None:
    part(tmp_path / "meshes")
    path = robot(tmp_path / "urdf", "../meshes/part.stl")
    with pytest.warns(cutset.NotImported) as said:
        model = cutset.load(path, library_path=[tmp_path])
    assert len(model.description.meshes) == 1 and "mesh" not in " ".join(str(each.message) for each in said)


def test_broken_mesh_is_a_note(tmp_path: Path) -> None:
    part(tmp_path / "meshes").write_bytes(b"not a mesh")
    with pytest.warns(cutset.NotImported, match=r"the mesh meshes/part.stl \(two.urdf:7\): its length is not that"):
        cutset.import_robot(robot(tmp_path), meshes=tmp_path / "m")
    with pytest.warns(cutset.NotImported, match=r"part.stl \(two.urdf:7\): it has 10 bytes, fewer than the header"):
        assert cutset.load(robot(tmp_path)).description.meshes == ()


def test_names_of_meshes_stay_names(tmp_path: Path) -> None:
    name = 'x") y(m=1, "\u2028.stl'
    part(tmp_path).rename(tmp_path / name)
    path = robot(tmp_path, name.replace('"', "&quot;"))
    with pytest.warns(cutset.NotImported):
        text = cutset.import_robot(path, meshes=tmp_path / "m")
        model = cutset.load(path)
    assert '"m/x_y_m_1_.stl"' in text and Path(model.description.meshes[0].path).name == name


def test_a_new_mesh_is_noticed_and_a_changed_one(tmp_path: Path) -> None:
    path = robot(tmp_path)
    with pytest.warns(cutset.NotImported, match="it does not exist"):
        assert cutset.load(path).description.meshes == ()
    file = part(tmp_path / "meshes")
    with pytest.warns(cutset.NotImported):
        (first,) = cutset.load(path).description.meshes
        file.write_bytes(write_stl(TRIANGLES * 2))
        (second,) = cutset.load(path).description.meshes
    assert first.path == second.path and first.checksum != second.checksum
