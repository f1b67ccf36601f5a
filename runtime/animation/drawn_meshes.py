"""Reads the meshes of a scene: the files of a description -> solids with colors, simplified if they are too large."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

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
    wanted = tuple(sorted(set(numbers)))
    try:
        return _all_of(files, wanted, tuple(_state(files[number - 1].path) for number in wanted if number > 0))
    except (BadMesh, IndexError, OSError, ValueError):
        return _those_that_can_be_read(files, wanted)


def _state(path: str) -> tuple[int, int]:
    """What changes with the content of a file."""
    found = os.stat(path)
    return found.st_mtime_ns, found.st_size


# While a slider moves, the same files are drawn again and again.
@lru_cache(maxsize=2)
def _all_of(files: tuple[MeshFile, ...], numbers: tuple[int, ...], states: tuple[tuple[int, int], ...]) -> DrawnMeshes:
    """All meshes, of files in these states. BadMesh, or IndexError for a wrong number, if one cannot be drawn."""
    if len(states) < len(numbers):
        raise IndexError
    return _drawn({number: read_mesh(files[number - 1]) for number in numbers}, [])


def _those_that_can_be_read(files: tuple[MeshFile, ...], numbers: tuple[int, ...]) -> DrawnMeshes:
    notes: list[str] = []
    read: dict[int, list[Surface]] = {}
    for number in numbers:
        if not 1 <= number <= len(files):
            notes.append(f"mesh {number} is not drawn: the model has {len(files)}")
            continue
        try:
            read[number] = read_mesh(files[number - 1])
        except BadMesh as error:
            notes.append(f"{_shown(files[number - 1].path)} is not drawn: {error}")
    return _drawn(read, notes)


def _drawn(read: dict[int, list[Surface]], notes: list[str]) -> DrawnMeshes:
    """Solids of these surfaces by the numbers of their files, as many triangles as a page can have."""
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
