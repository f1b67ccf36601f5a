"""Writes an animation: a result -> a file, whose extension selects the format.

Khronos Group: glTF 2.0 Specification (ISO/IEC 12113:2022); its y axis points up, so that a root node turns the scene.
"""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cutset.runtime.animation.drawing import scene_of
from cutset.runtime.animation.inline import Inline
from cutset.runtime.animation.meshes import Mesh
from cutset.runtime.animation.page import page
from cutset.runtime.animation.scene import Node, Part, Scene, turned_to
from cutset.runtime.errors import RunError
from cutset.runtime.interface import Vector
from cutset.runtime.results.trajectories import Trajectories
from cutset.runtime.whole_files import write_whole

_FLOAT, _SHORT, _INT = 5126, 5123, 5125
_VERTICES, _INDICES = 34962, 34963
_KINDS = {1: "SCALAR", 3: "VEC3", 4: "VEC4"}


def glb(scene: Scene) -> bytes:
    """The bytes of the file. Of two rows at one instant (an event) the second is kept, since times must ascend."""
    writer = _Writer(scene.solids())
    rows = _ascending(scene.times)
    times = writer.times(scene.times[rows])
    channels: list[dict[str, Any]] = []
    samplers: list[dict[str, Any]] = []
    nodes: list[dict[str, Any]] = [{"name": scene.title, "rotation": _plain(_upright(scene.up)), "children": []}]
    for node in scene.nodes:
        number = len(nodes)
        nodes[0]["children"].append(number)
        nodes.append({"name": ", ".join(node.names) or ", ".join(part.name for part in node.parts)})
        for path, trajectory in (("translation", node.place), ("rotation", node.turn), ("scale", node.stretch)):
            # Programs that do not play animations show the first row.
            nodes[number][path] = _plain(trajectory[0])
            if len(trajectory) > 1:
                channels.append({"sampler": len(samplers), "target": {"node": number, "path": path}})
                samplers.append(
                    {"input": times, "output": writer.accessor(trajectory[rows]), "interpolation": "LINEAR"}
                )
        _add_parts(nodes, number, node, writer)
    document: dict[str, Any] = {
        "asset": {"version": "2.0", "generator": "Cutset"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": nodes,
    }
    if channels:
        document["animations"] = [{"name": "motion", "channels": channels, "samplers": samplers}]
    document |= writer.lists()
    return _container(document, bytes(writer.data))


def _add_parts(nodes: list[dict[str, Any]], number: int, node: Node, writer: _Writer) -> None:
    for part in node.parts:
        nodes[number].setdefault("children", []).append(len(nodes))
        place = {"translation": _plain(part.place), "rotation": _plain(part.turn), "scale": _plain(part.size)}
        nodes.append({"name": part.name, "mesh": writer.mesh(part)} | place)


def _upright(up: Vector) -> Vector:
    """The quaternion that turns `up` to the y axis."""
    (turn,) = turned_to(up[None, :])
    return np.asarray(turn * np.array([-1.0, -1.0, -1.0, 1.0]))


def _plain(numbers: Vector) -> list[float]:
    return [float(np.float32(number)) + 0.0 for number in numbers]


def _ascending(times: Vector) -> NDArray[np.intp]:
    """The rows whose times differ in 32 bits, the last of each."""
    rounded = (times - times[0]).astype(np.float32)
    return np.flatnonzero(np.append(rounded[1:] > rounded[:-1], True))


class _Writer:
    """The growing buffer and the lists that describe it; equal data is stored once."""

    def __init__(self, solids: Mapping[str, Mesh]) -> None:
        self._solids = solids
        self.data = bytearray()
        self._views: list[dict[str, Any]] = []
        self._accessors: list[dict[str, Any]] = []
        self._meshes: list[dict[str, Any]] = []
        self._materials: list[dict[str, Any]] = []
        self._numbers: dict[Any, int] = {}

    def lists(self) -> dict[str, Any]:
        """The lists that are not empty: the specification does not allow empty ones."""
        found = {
            "meshes": self._meshes,
            "materials": self._materials,
            "accessors": self._accessors,
            "bufferViews": self._views,
        }
        return {name: each for name, each in found.items() if each} | (
            {"buffers": [{"byteLength": len(self.data)}]} if self.data else {}
        )

    def times(self, times: Vector) -> int:
        """The accessor of the times, from 0 on, since no time may be negative."""
        column = (times - times[0]).astype(np.float32)
        number = self.accessor(column[:, None])
        self._accessors[number] |= {"min": [float(column[0])], "max": [float(column[-1])]}
        return number

    def accessor(self, numbers: Vector) -> int:
        """The accessor of floats (n, 1), (n, 3) or (n, 4) outside of meshes."""
        data = np.ascontiguousarray(numbers, dtype="<f4")
        key = data.shape, data.tobytes()
        if key not in self._numbers:
            self._numbers[key] = self._add(data.tobytes(), len(data), _FLOAT, _KINDS[data.shape[1]])
        return self._numbers[key]

    def mesh(self, part: Part) -> int:
        """The number of the mesh of this solid in this color."""
        key = part.solid, part.color
        if key not in self._numbers:
            self._numbers[key] = len(self._meshes)
            attributes, triangles = self._solid(part.solid)
            primitive = {
                "attributes": attributes,
                "indices": triangles,
                "material": self._material(part.color),
                "mode": 4,
            }
            self._meshes.append({"name": part.solid, "primitives": [primitive]})
        return self._numbers[key]

    def _solid(self, name: str) -> tuple[dict[str, int], int]:
        if name not in self._numbers:
            mesh = self._solids[name]
            corners = mesh.corners.astype("<f4")
            limits = {"min": _plain(corners.min(axis=0)), "max": _plain(corners.max(axis=0))}
            self._numbers[name] = self._add(corners.tobytes(), len(corners), _FLOAT, "VEC3", _VERTICES, limits)
            normals = mesh.normals / np.linalg.norm(mesh.normals, axis=1, keepdims=True)
            self._add(normals.astype("<f4").tobytes(), len(normals), _FLOAT, "VEC3", _VERTICES)
            wide = mesh.triangles.dtype.itemsize == 4
            triangles = mesh.triangles.astype("<u4" if wide else "<u2")
            self._add(triangles.tobytes(), triangles.size, _INT if wide else _SHORT, "SCALAR", _INDICES)
        first = self._numbers[name]
        return {"POSITION": first, "NORMAL": first + 1}, first + 2

    def _material(self, color: tuple[float, float, float]) -> int:
        if ("material", color) not in self._numbers:
            self._numbers["material", color] = len(self._materials)
            linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color]
            surface = {"baseColorFactor": [*linear, 1.0], "metallicFactor": 0.1, "roughnessFactor": 0.55}
            self._materials.append({"pbrMetallicRoughness": surface})
        return self._numbers["material", color]

    def _add(
        self,
        data: bytes,
        count: int,
        component: int,
        kind: str,
        target: int | None = None,
        limits: dict[str, Any] | None = None,
    ) -> int:
        self.data += bytes(-len(self.data) % 4)
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data)} | (
            {"target": target} if target else {}
        )
        self.data += data
        accessor = {"bufferView": len(self._views), "componentType": component, "count": count, "type": kind}
        self._views.append(view)
        self._accessors.append(accessor | (limits or {}))
        return len(self._accessors) - 1


def _container(document: dict[str, Any], data: bytes) -> bytes:
    text = json.dumps(document, separators=(",", ":"), allow_nan=False).encode()
    text += b" " * (-len(text) % 4)
    data += bytes(-len(data) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text
    chunks += struct.pack("<II", len(data), 0x004E4942) + data if data else b""
    return struct.pack("<III", 0x46546C67, 2, 12 + len(chunks)) + chunks


# A new format needs only a line here.
KINDS: dict[str, Callable[[Scene], bytes]] = {".html": lambda scene: page(scene).encode(), ".glb": glb}


def inline(trajectories: Trajectories) -> tuple[Inline, tuple[str, ...]]:
    """The animation for a notebook, and notes on meshes that are not drawn. RunError E646 if there is nothing to
    draw."""
    scene = scene_of(trajectories.description, trajectories)
    return Inline(page(scene)), scene.notes


def animate(trajectories: Trajectories, path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Write the file, and return notes on meshes that are not drawn. RunError E605 for another file extension, E646 if
    there is nothing to draw."""
    extension = os.path.splitext(path)[1].lower()
    if extension not in KINDS:
        hint = f"use a name that ends in {' or '.join(repr(kind) for kind in KINDS)}"
        raise RunError("E605", f"'{os.fspath(path)}' is not the name of an animation file", hint)
    scene = scene_of(trajectories.description, trajectories)
    written = KINDS[extension](scene)
    write_whole(path, written)
    return scene.notes
