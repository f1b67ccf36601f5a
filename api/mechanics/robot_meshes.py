"""Writes the meshes of an imported robot as STL files, in m, into a folder next to its model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cutset.compiler.robots.meshes import free_name
from cutset.compiler.robots.robot import DrawnMesh
from cutset.contract.mesh_file import mesh_bytes
from cutset.runtime.animation.mesh_files import surfaces_of
from cutset.runtime.animation.stl import write_stl
from cutset.runtime.animation.surfaces import Surface
from cutset.runtime.whole_files import write_whole

_NO_SCALE = (1.0, 1.0, 1.0)


class MeshFolder:
    """Converts meshes: a file with several colors becomes one STL file for each. `files` are the contents by name,
    which `write` writes into the folder."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.files: dict[str, bytes] = {}
        self._known: dict[tuple[Path, tuple[float, float, float], bool], tuple[DrawnMesh, ...]] = {}

    def __call__(self, path: Path, scale: tuple[float, float, float], own_colors: bool) -> Sequence[DrawnMesh]:
        """The STL files of this mesh, scaled. BadMesh if it cannot be read."""
        key = path, scale, own_colors
        if key not in self._known:
            meshes = [self._added(path, surface, scale, own_colors) for surface in _surfaces(path, own_colors)]
            self._known[key] = tuple(meshes)
        return self._known[key]

    def write(self) -> None:
        """Write the files; without any there is no folder. OSError."""
        if self.files:
            self.folder.mkdir(exist_ok=True)
        for name, data in self.files.items():
            write_whole(self.folder / name, data)

    def _added(self, path: Path, surface: Surface, scale: tuple[float, float, float], own_colors: bool) -> DrawnMesh:
        name = free_name(path.stem, ".stl", self.files)
        triangles = surface.triangles * np.array(scale)
        self.files[name] = write_stl(triangles[:, ::-1] if np.prod(scale) < 0.0 else triangles)
        color = surface.color if own_colors and surface.color else ()
        return DrawnMesh(f"{self.folder.name}/{name}", _NO_SCALE, color)


def corners(path: Path) -> NDArray[np.float64]:
    """The coordinates of all corners of a mesh, a row each. BadMesh if it cannot be read."""
    return np.concatenate([each.triangles for each in surfaces_of(mesh_bytes(path), str(path))]).reshape(-1, 3)


def _surfaces(path: Path, own_colors: bool) -> list[Surface]:
    found = surfaces_of(mesh_bytes(path), str(path))
    return found if own_colors else [Surface(np.concatenate([each.triangles for each in found]), None)]
