"""Reads the mesh files that a description names: the path and checksum of a file -> surfaces.

STL is read here, other formats by the package trimesh. Neither result files nor meshes are trusted: a file with another
content than the translated model had is not read, and a mesh opens no other file outside its folder.
"""

from __future__ import annotations

import hashlib
import os

import numpy as np

from cutset.contract.mesh_file import BadMesh, MeshFile, mesh_bytes
from cutset.runtime.animation.stl import read_stl
from cutset.runtime.animation.surfaces import Surface

# As many as a large robot has before it is simplified.
_MOST_TRIANGLES = 3_000_000
_LARGEST = 1e12


def read_mesh(file: MeshFile) -> list[Surface]:
    """The surfaces of the file. BadMesh if it is missing, has changed, or is not a mesh."""
    data = mesh_bytes(file.path)
    if hashlib.sha256(data).hexdigest() != file.checksum:
        raise BadMesh("it has changed since the model was translated")
    return surfaces_of(data, file.path)


def surfaces_of(data: bytes, path: str) -> list[Surface]:
    """The surfaces of a file with these bytes, whose extension is its format. BadMesh."""
    extension = os.path.splitext(path)[1].lower()
    try:
        if extension == ".stl":
            found = [Surface(read_stl(data), None)]
        else:
            from cutset.runtime.animation.trimesh_formats import surfaces

            found = surfaces(data, extension, path)
    except ValueError as error:
        raise BadMesh(str(error)) from error
    if sum(len(surface.triangles) for surface in found) > _MOST_TRIANGLES:
        raise BadMesh(f"it has more than {_MOST_TRIANGLES} triangles")
    found = [surface for surface in found if len(surface.triangles)]
    if not found:
        raise BadMesh("it has no triangle")
    if not all((np.abs(surface.triangles) < _LARGEST).all() for surface in found):
        raise BadMesh("it has a corner that is not finite")
    return found
