"""Reads mesh files in the formats OBJ, DAE and GLB by the package trimesh: bytes -> surfaces, one for each color.

Axes are those of the file, whatever its "up" axis, as in ROS. The unit of a DAE file is applied. Textures are not
drawn: their mean color is. Files are not trusted: no entities, and no further files outside the folder of the mesh.
"""

from __future__ import annotations

import io
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from cutset.contract.mesh_file import MOST_BYTES
from cutset.runtime.animation.surfaces import Surface
from cutset.runtime.interface import Vector

Color = tuple[float, float, float]
# More colors than these are a picture, and become their mean.
_MOST_COLORS = 32


def surfaces(data: bytes, extension: str, path: str) -> list[Surface]:
    """The surfaces of a file; `path` is that of the file. ValueError with a sentence about the file, without its
    name."""
    try:
        trimesh: Any = import_module("trimesh")
        if extension == ".dae":
            import_module("collada")
            _refuse_entities(data)
    except ImportError:
        raise ValueError("it needs the packages trimesh and pycollada: pip install 'cutset[meshes]'") from None
    try:
        resolver = _resolver(trimesh, Path(path).resolve().parent)
        loaded = trimesh.load(io.BytesIO(data), file_type=extension[1:], resolver=resolver, process=False)
        pieces = list(_pieces(trimesh, loaded, linear=extension == ".glb"))
    except Exception as error:  # such files make the readers fail in any way
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise ValueError(f"it is not a valid {extension[1:].upper()} file ({reason})") from error
    merged: dict[Color | None, list[Vector]] = {}
    for triangles, color in pieces:
        merged.setdefault(color, []).append(triangles)
    return [Surface(np.concatenate(parts), color) for color, parts in merged.items()]


def _refuse_entities(data: bytes) -> None:
    if b"\0" in data or re.search(rb"<!\s*(DOCTYPE|ENTITY)", data, re.IGNORECASE):
        raise ValueError("it declares a document type or entities, which are not read")


def _resolver(trimesh: Any, folder: Path) -> Any:
    """What opens the files that a mesh names, such as materials: those in its folder only."""

    class Near(trimesh.resolvers.Resolver):  # type: ignore[misc]  # of an untyped package
        def __init__(self) -> None:
            pass

        def get(self, name: str) -> bytes:
            place = (folder / name.strip()).resolve()
            if not place.is_relative_to(folder) or not place.is_file() or place.stat().st_size > MOST_BYTES:
                raise FileNotFoundError(name)
            return place.read_bytes()

        def write(self, name: str, data: object) -> None:
            raise PermissionError(name)

        def namespaced(self, namespace: str) -> Any:
            raise FileNotFoundError(namespace)

        def keys(self) -> list[str]:
            return []

    return Near()


def _pieces(trimesh: Any, loaded: Any, linear: bool) -> Any:
    """Triangles and colors of all parts, each in the frame of the file."""
    if isinstance(loaded, trimesh.Trimesh):
        placed = [(np.eye(4), loaded)]
    else:
        graph = loaded.graph
        placed = [(graph[node][0], loaded.geometry[graph[node][1]]) for node in graph.nodes_geometry]
    for transform, mesh in placed:
        if not isinstance(mesh, trimesh.Trimesh) or not len(mesh.faces):
            continue
        unit = re.fullmatch(r"(\S+) \* meters", str(mesh.metadata.get("units", "")))
        points = np.asarray(mesh.vertices, dtype=float) @ transform[:3, :3].T + transform[:3, 3]
        triangles = points[np.asarray(mesh.faces)] * (float(unit[1]) if unit else 1.0)
        if np.linalg.det(transform[:3, :3]) < 0.0:
            triangles = triangles[:, ::-1]
        yield from _colored(mesh.visual, triangles, trimesh.visual.color.DEFAULT_COLOR, linear)


def _colored(visual: Any, triangles: Vector, default: Any, linear: bool) -> Any:
    if getattr(visual, "kind", None) in ("face", "vertex"):
        colors, kinds = np.unique(np.asarray(visual.face_colors)[:, :3], axis=0, return_inverse=True)
        if len(colors) > _MOST_COLORS:
            yield triangles, _plain(np.asarray(visual.face_colors)[:, :3].mean(axis=0) / 255.0, False)
            return
        for number, color in enumerate(colors):
            yield triangles[kinds.reshape(-1) == number], _plain(color / 255.0, False)
        return
    material = getattr(visual, "material", None)
    image = getattr(material, "baseColorTexture", None) or getattr(material, "image", None)
    given = getattr(material, "main_color", None)
    if image is not None:
        mean = np.asarray(image.convert("RGB")).reshape(-1, 3).mean(axis=0) / 255.0
        yield triangles, _plain(mean, False)
    elif given is None or np.array_equal(np.asarray(given), default):
        yield triangles, None
    else:
        yield triangles, _plain(np.asarray(given, dtype=float)[:3] / 255.0, linear)


def _plain(color: Vector, linear: bool) -> Color:
    """Three numbers from 0 to 1; those of glTF are linear."""
    if linear:
        color = np.where(color <= 0.0031308, 12.92 * color, 1.055 * np.maximum(color, 1e-9) ** (1 / 2.4) - 0.055)
    red, green, blue = (round(min(max(float(x), 0.0), 1.0), 4) for x in color)
    return red, green, blue
