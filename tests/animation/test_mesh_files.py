"""Mesh files: their triangles and colors, and what is said about a broken one."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import struct
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from moving import node_positions

import cutset
from cutset.contract.mesh_file import BadMesh, MeshFile
from cutset.runtime.animation import drawn_meshes
from cutset.runtime.animation.animate import glb
from cutset.runtime.animation.drawing import scene_of
from cutset.runtime.animation.mesh_files import read_mesh, surfaces_of
from cutset.runtime.animation.page import data_of, page
from cutset.runtime.animation.stl import read_stl, write_stl
from cutset.runtime.animation.surfaces import Surface, simplified, smooth

# A tetrahedron with the volume 1/6; its faces are counter-clockwise from outside.
CORNERS = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
TETRAHEDRON = CORNERS[FACES]
TEXT_STL = "solid t\n" + "".join(
    "facet normal 0 0 0 outer loop " + " ".join(f"vertex {x:g} {y:g} {z:g}" for x, y, z in face) + " endloop endfacet\n"
    for face in TETRAHEDRON
)
OBJ = (
    "mtllib t.mtl\n"
    + "".join(f"v {x:g} {y:g} {z:g}\n" for x, y, z in CORNERS)
    + "".join(f"usemtl {'red' if k < 2 else 'blue'}\nf {a + 1} {b + 1} {c + 1}\n" for k, (a, b, c) in enumerate(FACES))
)
MTL = "newmtl red\nKd 1 0 0\nnewmtl blue\nKd 0 0 0.5\n"
DAE = f"""<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><created>2026-01-01T00:00:00</created><modified>2026-01-01T00:00:00</modified><unit meter="0.5"/>
<up_axis>Y_UP</up_axis></asset>
<library_effects><effect id="e"><profile_COMMON><technique sid="c"><lambert><diffuse><color>0 1 0 1</color></diffuse>
</lambert></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="12">
{" ".join(f"{x:g}" for x in CORNERS.ravel())}</float_array><technique_common><accessor source="#a" count="4" stride="3">
<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common>
</source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices><triangles count="4" material="x">
<input semantic="VERTEX" source="#v" offset="0"/><p>{" ".join(map(str, FACES.ravel()))}</p></triangles></mesh>
</geometry></library_geometries><library_visual_scenes><visual_scene id="s"><node><translate>2 0 0</translate>
<instance_geometry url="#g"><bind_material><technique_common><instance_material symbol="x" target="#m"/>
</technique_common></bind_material></instance_geometry></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>"""


def volume(triangles: np.ndarray) -> float:
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    return float(np.sum(a * np.cross(b, c)) / 6.0)


def file_of(path: Path, data: bytes) -> MeshFile:
    path.write_bytes(data)
    return MeshFile(str(path), hashlib.sha256(data).hexdigest())


@pytest.mark.parametrize("data", [write_stl(TETRAHEDRON), TEXT_STL.encode(), TEXT_STL.upper().encode()])
def test_stl(data: bytes) -> None:
    assert np.array_equal(read_stl(data), TETRAHEDRON)


def test_normals_in_written_stl_point_outwards() -> None:
    record = struct.unpack("<12fH", write_stl(TETRAHEDRON)[84:134])
    assert record[:3] == (0.0, 0.0, -1.0)


def test_obj_has_its_colors_from_a_file_beside_it_only(tmp_path: Path) -> None:
    (tmp_path / "t.mtl").write_text(MTL)
    found = read_mesh(file_of(tmp_path / "t.obj", OBJ.encode()))
    assert {surface.color: len(surface.triangles) for surface in found} == {(1, 0, 0): 2, (0, 0, 0.502): 2}
    assert volume(np.concatenate([surface.triangles for surface in found])) == pytest.approx(1 / 6)
    (tmp_path / "in").mkdir()
    outside = OBJ.replace("mtllib t.mtl", "mtllib ../t.mtl").encode()
    found = read_mesh(file_of(tmp_path / "in" / "t.obj", outside))
    assert [surface.color for surface in found] == [None]


def test_dae_has_its_unit_its_nodes_and_its_colors_but_not_its_up_axis() -> None:
    (found,) = surfaces_of(DAE.encode(), "t.dae")
    assert found.color == (0, 1, 0)
    assert np.allclose(found.triangles, 0.5 * (TETRAHEDRON + np.array([2, 0, 0])))


def test_glb_has_linear_colors() -> None:
    trimesh = pytest.importorskip("trimesh")
    made = trimesh.Trimesh(CORNERS, FACES, process=False)
    material = trimesh.visual.material.PBRMaterial(baseColorFactor=[0.5, 0.0, 1.0, 1.0])
    made.visual = trimesh.visual.TextureVisuals(uv=np.zeros((4, 2)), material=material)
    (found,) = surfaces_of(made.export(file_type="glb"), "t.glb")
    assert volume(found.triangles) == pytest.approx(1 / 6)
    # sRGB of 0.5, rounded to 1/255: IEC 61966-2-1.
    assert found.color == pytest.approx((0.735, 0.0, 1.0), abs=0.005)


@pytest.mark.parametrize(
    ("data", "name", "said"),
    [
        (write_stl(TETRAHEDRON)[:-1], "t.stl", "its length is not that of its triangles"),
        (write_stl(TETRAHEDRON[:0]), "t.stl", "it has no triangle"),
        (write_stl(TETRAHEDRON * np.nan), "t.stl", "it has a corner that is not finite"),
        (b"solid t facet vertex 0 0 0 vertex 1 0 0", "t.stl", "it has 2 vertices, not three for each triangle"),
        (b"solid t facet vertex 0 0 x", "t.stl", "could not convert"),
        (b"nothing", "t.obj", "it is not a valid OBJ file|it has no triangle"),
        (b"\x00\x01", "t.glb", "it is not a valid GLB file"),
        (DAE.encode()[:-40], "t.dae", "it is not a valid DAE file"),
        (
            b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>' + DAE.encode(),
            "t.dae",
            "document type or entities",
        ),
        (DAE.encode("utf-16"), "t.dae", "document type or entities"),
    ],
)
def test_broken_meshes(data: bytes, name: str, said: str) -> None:
    with pytest.raises(BadMesh, match=said):
        surfaces_of(data, name)


@pytest.mark.parametrize("package", ["trimesh", "collada"])
def test_missing_package_is_named(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(BadMesh, match=r"it needs the packages trimesh and pycollada: pip install 'cutset\[meshes\]'"):
        surfaces_of(DAE.encode(), "t.dae")


def test_result_file_cannot_name_any_file(tmp_path: Path) -> None:
    file = file_of(tmp_path / "t.stl", write_stl(TETRAHEDRON))
    with pytest.raises(BadMesh, match="it has changed"):
        read_mesh(replace(file, checksum="0" * 64))
    with pytest.raises(BadMesh, match="it is not a regular file"):
        read_mesh(replace(file, path=str(tmp_path)))


def test_edges_stay_sharp_and_curves_become_smooth() -> None:
    edged = smooth(TETRAHEDRON)
    assert len(edged.corners) == 12 and edged.triangles.dtype == np.uint16
    angles = np.linspace(0.0, 2.0 * np.pi, 37)
    around = np.stack([np.cos(angles), np.sin(angles), np.zeros(37)], axis=1)
    low, high = around, around + np.array([0, 0, 1])
    pipe = np.concatenate([np.stack([low[:-1], low[1:], high[1:]], 1), np.stack([low[:-1], high[1:], high[:-1]], 1)])
    found = smooth(pipe)
    # The weights are areas, so that normals lean towards a neighbor by a quarter of the angle between faces at most.
    assert len(found.corners) == 72
    assert np.min(np.sum(found.normals[:, :2] * found.corners[:, :2], axis=1)) > np.cos(np.radians(2.6))


def test_simplified_meshes_keep_their_shape() -> None:
    points = np.linspace(0.0, 1.0, 61)
    grid = np.stack([*np.meshgrid(points, points), np.zeros((61, 61))], axis=2)
    a, b, c, d = grid[:-1, :-1], grid[:-1, 1:], grid[1:, 1:], grid[1:, :-1]
    plane = np.concatenate([np.stack([a, b, c], 2).reshape(-1, 3, 3), np.stack([a, c, d], 2).reshape(-1, 3, 3)])
    found = simplified(plane, 500)
    assert 200 < len(found) <= 500
    area = np.linalg.norm(np.cross(found[:, 1] - found[:, 0], found[:, 2] - found[:, 0]), axis=1).sum() / 2
    assert area == pytest.approx(1.0, abs=0.15)
    assert simplified(plane, 7200) is plane


MODEL = """@mbssim
model M
  submodel (Inertial) world(ng3=-1)
  submodel (Revolute) j(n2=1, q0=0.5)
  submodel (Body) b(m=1, r1=0.2, I22=0.1)
  submodel (MeshShape) m(file=mesh("parts/t.stl"), r1=0.3, n3=1, angle=0.5, scale1=0.1, scale2=-0.2, red=1)
  connect world to j, b at j:b, m at j:b
end
"""


def test_mesh_of_a_model_is_drawn_and_replaces_body_and_joint(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "t.stl").write_bytes(write_stl(TETRAHEDRON))
    (tmp_path / "m.mo").write_text(MODEL)
    run = cutset.load(tmp_path / "m.mo").simulate(0.1, points=2)
    scene = scene_of(run.description, run)
    (part,) = [part for node in scene.nodes for part in node.parts if part.name != "world"]
    assert part.name == "m" and part.color == (1.0, 0.6, 0.6)
    assert np.allclose(part.size, [0.1, -0.2, 0.1]) and np.allclose(part.place, [0.3, 0, 0])
    assert np.allclose(part.turn, [0, 0, np.sin(0.25), np.cos(0.25)])
    assert scene.notes == () and len(scene.surfaces[part.solid].triangles) == 4
    # The lowest point is a corner of the mesh: 0.4 m from the joint at the angle 0.5.
    assert scene.low[2] < -0.1
    run.to_npz(tmp_path / "m.npz")
    assert cutset.read(tmp_path / "m.npz").description == run.description
    (tmp_path / "parts" / "t.stl").write_bytes(write_stl(2 * TETRAHEDRON))
    with pytest.warns(UserWarning, match="t.stl is not drawn: it has changed since the model was translated"):
        run.animate(tmp_path / "m.html")
    with pytest.warns(UserWarning, match="t.stl is not drawn"):
        assert run.animate() is not None
    assert "joint" not in {part.name for node in scene.nodes for part in node.parts}
    names = {part.name for node in scene_of(run.description, run).nodes for part in node.parts}
    assert names == {"world", "j", "b"}


def test_too_large_meshes_are_simplified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawn_meshes, "MOST_TRIANGLES", 1000)
    rng = np.random.default_rng(1)
    file = file_of(tmp_path / "t.stl", write_stl(rng.random((4000, 3, 3))))
    found = drawn_meshes.drawn_meshes((file,), [1])
    assert len(found.solids["mesh 1.1"].triangles) <= 1000
    assert re.fullmatch(r"meshes of 4000 triangles are simplified to \d+; the limit is 1000", found.notes[0])


def test_unchanged_files_are_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = []

    def counted(file: MeshFile) -> list[Surface]:
        read.append(file.path)
        return read_mesh(file)

    monkeypatch.setattr(drawn_meshes, "read_mesh", counted)
    path = tmp_path / "t.stl"
    file = file_of(path, write_stl(TETRAHEDRON))
    first = drawn_meshes.drawn_meshes((file,), [1])
    assert drawn_meshes.drawn_meshes((file,), [1]) is first and read == [str(path)]
    path.write_bytes(write_stl(np.concatenate([TETRAHEDRON, TETRAHEDRON + 1])))
    assert "it has changed" in drawn_meshes.drawn_meshes((file,), [1]).notes[0]
    path.unlink()
    assert "it does not exist" in drawn_meshes.drawn_meshes((file, file), [1, 3, 0]).notes[1]


def test_wide_meshes_reach_the_page(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    file = file_of(tmp_path / "t.stl", write_stl(rng.random((30000, 3, 3))))
    mesh = drawn_meshes.drawn_meshes((file,), [1]).solids["mesh 1.1"]
    assert mesh.triangles.dtype == np.uint32
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "t.stl").write_bytes(write_stl(TETRAHEDRON))
    (tmp_path / "m.mo").write_text(MODEL)
    run = cutset.load(tmp_path / "m.mo").simulate(0.1, points=2)
    scene = scene_of(run.description, run)
    text = page(replace(scene, surfaces={"mesh 1.1": mesh}))
    assert '"bytes":4' in text and '"bytes":2' in page(scene)
    if shutil.which("node"):
        name = next(name for node in scene.nodes for name in node.names)
        assert name in node_positions(data_of(replace(scene, surfaces={"mesh 1.1": mesh})))[0]
    binary = glb(replace(scene, surfaces={"mesh 1.1": mesh}))
    document = json.loads(binary[20 : 20 + struct.unpack_from("<I", binary, 12)[0]])
    found = [each["name"] for each in document["meshes"]]
    primitive = document["meshes"][found.index("mesh 1.1")]["primitives"][0]
    indices = document["accessors"][primitive["indices"]]
    assert (indices["componentType"], indices["count"]) == (5125, mesh.triangles.size)  # glTF 2.0, 3.6.2.2
