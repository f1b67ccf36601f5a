"""Meshes of MJCF are drawn where MuJoCo has them, in the colors of the geoms."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

import cutset
from cutset.runtime.animation.drawing import scene_of

mujoco = pytest.importorskip("mujoco")

OBJ = """mtllib m.mtl
v 0.1 0.2 0.3\nv 1.1 0.2 0.3\nv 0.1 0.7 0.3\nv 0.1 0.2 0.5
usemtl blue\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4
"""
MESHES = {  # scale, refpos, refquat
    "plain": "2 1 1", "turned": '3 3 3" refpos="0.5 0.1 0" refquat="0.7 0.1 0.2 0.3',
    "mirrored": '2 1 -3" refpos="0.5 0.1 0', "inside_out": '-3 -3 -3" refpos="0.5 0.1 0" refquat="0.7 0.1 0.2 0.3',
}  # fmt: skip
BODY = """<body name="{0}" pos="1 0 {1}"><joint name="{0}" axis="0 1 1"/>
<geom type="mesh" mesh="{0}" pos="0.1 0.2 0.3" euler="10 20 30" rgba="1 0 0 1"/></body>"""
# The scales differ, so that a turned mesh would be sheared.
SHEARED = '<mesh name="sheared" file="m.obj" scale="1 2 3" refquat="0.7 0.1 0.2 0.3"/>'


def turned(q: np.ndarray, points: np.ndarray) -> np.ndarray:
    matrix = np.zeros(9)
    mujoco.mju_quat2Mat(matrix, np.array([q[3], *q[:3]], dtype=float))
    return points @ matrix.reshape(3, 3).T


def test_vertices_are_where_mujoco_has_them(tmp_path: Path) -> None:
    (tmp_path / "m.obj").write_text(OBJ)
    (tmp_path / "m.mtl").write_text("newmtl blue\nKd 0 0 1\n")  # MuJoCo does not read it
    assets = "".join(f'<mesh name="{name}" file="m.obj" scale="{scale}"/>' for name, scale in MESHES.items())
    bodies = "".join(BODY.format(name, k) for k, name in enumerate([*MESHES, "sheared"]))
    path = tmp_path / "robot.xml"
    path.write_text(f"<mujoco><asset>{assets}{SHEARED}</asset><worldbody>{bodies}</worldbody></mujoco>")
    with pytest.warns(cutset.NotImported, match="it has no file from which it can be drawn"):
        text = cutset.import_robot(path, meshes=tmp_path / "parts")
    (tmp_path / "robot.mo").write_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        models = [cutset.load(path), cutset.load(tmp_path / "robot.mo")]
    compiled = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(compiled)
    for model in models:
        run = model.simulate(0.1, points=2)
        scene = scene_of(run.description, run)
        data.qpos[:] = [run[f"{name}.q"][-1] for name in [*MESHES, "sheared"]]
        mujoco.mj_forward(compiled, data)
        drawn = [(node, part) for node in scene.nodes for part in node.parts if part.solid in scene.surfaces]
        assert len(drawn) == len(MESHES)
        for geom, (node, part) in enumerate(drawn):
            assert part.color == (1.0, 0.0, 0.0)
            points = turned(part.turn, scene.surfaces[part.solid].corners * part.size) + part.place
            points = turned(node.turn[-1], points) + node.place[-1]
            first, count = compiled.mesh_vertadr[geom], compiled.mesh_vertnum[geom]
            corners = compiled.mesh_vert[first : first + count]
            other = corners @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom]
            distances = np.linalg.norm(points[:, None, :] - other[None, :, :], axis=2)
            assert distances.min(axis=0).max() < 1e-6 and distances.min(axis=1).max() < 1e-6  # numbers of 32 bits
