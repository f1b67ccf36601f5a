"""Reads and writes mesh files in the format STL, binary and text.

A triangle takes 50 bytes after a header of 84: its normal, its three corners (32-bit numbers), and two bytes of any
use.
"""

from __future__ import annotations

import re
import struct

import numpy as np

from cutset.runtime.interface import Vector

_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
_HEADER = 84
_VERTEX = re.compile(rb"\bvertex\s+(\S+)\s+(\S+)\s+(\S+)", re.IGNORECASE)


def read_stl(data: bytes) -> Vector:
    """The corners of all triangles, (n, 3, 3). ValueError with what is wrong."""
    count = int.from_bytes(data[_HEADER - 4 : _HEADER], "little")
    if len(data) >= _HEADER and len(data) == _HEADER + count * _TRIANGLE.itemsize:
        corners = np.frombuffer(data, _TRIANGLE, count, _HEADER)["corners"].astype(float)
    elif data.lstrip()[:5].lower() == b"solid":
        corners = _of_text(data)
    else:
        raise ValueError("its length is not that of its triangles")
    if not len(corners):
        raise ValueError("it has no triangle")
    return corners


def write_stl(triangles: Vector) -> bytes:
    """The binary file of triangles (n, 3, 3)."""
    corners = triangles.astype("<f4")
    records = np.zeros(len(corners), _TRIANGLE)
    records["corners"] = corners
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    records["normal"] = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    # A binary file must not begin with the word that begins a text.
    return b"Binary STL, lengths in m".ljust(_HEADER - 4) + struct.pack("<I", len(records)) + records.tobytes()


def _of_text(data: bytes) -> Vector:
    numbers = [[float(word) for word in words] for words in _VERTEX.findall(data)]
    if len(numbers) % 3:
        raise ValueError(f"it has {len(numbers)} vertices, not three for each triangle")
    return np.array(numbers).reshape(-1, 3, 3)
