"""Reads the meshes of a scene: the files of a description -> solids with colors, simplified if they are too large."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

from cutset.contract.mesh_file import BadMesh, MeshFile
from cutset.runtime.animation.mesh_files import read_mesh
from cutset.runtime.animation.meshes import Mesh
from cutset.runtime.animation.surfaces import Surface, simplified, smooth

# A page has about 40 bytes for each triangle.
MOST_TRIANGLES = 250_000
# A simplified surface keeps as many.
_LEAST = 200

Color = tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class DrawnMeshes:
    """`solids` by their names; `of_file` has the names of the solids of each file and their colors, by the number of
    the file; `notes` are sentences."""

    solids: dict[str, Mesh]
    of_file: dict[int, list[tuple[str, Color | None]]]
    notes: tuple[str, ...]


def drawn_meshes(files: tuple[MeshFile, ...], numbers: Iterable[int]) -> DrawnMeshes:
    """The meshes with these numbers, which count the files from 1. What cannot be drawn is in the notes."""
    notes: list[str] = []
    read: dict[int, list[Surface]] = {}
    for number in sorted(set(numbers)):
        if not 1 <= number <= len(files):
            notes.append(f"mesh {number} is not drawn: the model has {len(files)}")
            continue
        try:
            read[number] = read_mesh(files[number - 1])
        except BadMesh as error:
            notes.append(f"{_shown(files[number - 1].path)} is not drawn: {error}")
    total = sum(len(surface.triangles) for surfaces in read.values() for surface in surfaces)
    share = min(1.0, MOST_TRIANGLES / max(total, 1))
    solids: dict[str, Mesh] = {}
    of_file: dict[int, list[tuple[str, Color | None]]] = {}
    for number, surfaces in read.items():
        for k, surface in enumerate(surfaces, 1):
            most = len(surface.triangles) if share == 1.0 else max(_LEAST, int(share * len(surface.triangles)))
            mesh = smooth(simplified(surface.triangles, most))
            if len(mesh.triangles):
                name = f"mesh {number}.{k}"
                solids[name] = mesh
                of_file.setdefault(number, []).append((name, surface.color))
    if share < 1.0:
        drawn = sum(len(mesh.triangles) for mesh in solids.values())
        notes.append(f"meshes of {total} triangles are simplified to {drawn}; the limit is {MOST_TRIANGLES}")
    return DrawnMeshes(solids, of_file, tuple(notes))


def _shown(path: str) -> str:
    """The name of the file, without what a terminal obeys."""
    return "".join(c if c.isprintable() else "?" for c in os.path.basename(path))[:120]
