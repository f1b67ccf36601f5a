"""Defines the mesh files that a model names for its animation, and reads their bytes. Knows no geometry."""

from __future__ import annotations

import hashlib
import os
import stat

from cutset.contract.quick_dataclass import dataclass

FORMATS = (".stl", ".obj", ".dae", ".glb")
# A robot's link has some hundred thousand triangles at most, of 50 bytes.
MOST_BYTES = 100_000_000
_HEADER, _TRIANGLE = 84, 50  # bytes of binary STL


class BadMesh(Exception):
    """A file that is not a mesh, or cannot be drawn; the message is a sentence about it, without its name."""


@dataclass(frozen=True)
class MeshFile:
    """The absolute path of a mesh file, and the SHA-256 checksum of its bytes, in hexadecimal, when the model was
    translated. A result file is not trusted to name files: one with another content is not used."""

    path: str
    checksum: str


def mesh_bytes(path: str | os.PathLike[str]) -> bytes:
    """The content of a mesh file. BadMesh if it is missing, too large, or not a regular file."""
    try:
        kind = os.stat(path).st_mode
        if not stat.S_ISREG(kind):
            raise BadMesh("it is not a regular file")
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise BadMesh("it does not exist") from None
    except (OSError, ValueError) as error:
        raise BadMesh(f"it cannot be read ({getattr(error, 'strerror', None) or error})") from error
    if len(data) > MOST_BYTES:
        raise BadMesh(f"it is larger than {MOST_BYTES // 1_000_000} MB")
    return data


def checked_mesh(path: str | os.PathLike[str]) -> MeshFile:
    """The file. BadMesh if its name, its size, or the length of a binary STL file is wrong."""
    extension = os.path.splitext(path)[1].lower()
    if extension not in FORMATS:
        raise BadMesh(f"its format is none of {', '.join(FORMATS)}")
    data = mesh_bytes(path)
    if not data:
        raise BadMesh("it is empty")
    if extension == ".stl":
        _check_length(data)
    return MeshFile(os.path.realpath(path), hashlib.sha256(data).hexdigest())


def _check_length(data: bytes) -> None:
    """A binary file starts with a header of any content and the number of triangles, a text with 'solid'."""
    triangles = int.from_bytes(data[_HEADER - 4 : _HEADER], "little")
    expected = _HEADER + _TRIANGLE * triangles
    is_text = data.lstrip()[:5].lower() == b"solid" and b"facet" in data.lower()
    if is_text or (len(data) >= _HEADER and len(data) == expected):
        return
    if len(data) < _HEADER:
        raise BadMesh(f"it has {len(data)} bytes, fewer than the header of an STL file")
    raise BadMesh(f"it has {len(data)} bytes, but its header announces {triangles} triangles, which take {expected}")
