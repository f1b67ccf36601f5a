"""Writes a `Scene` as one HTML file that plays it: code and numbers are inside, nothing is fetched."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Iterable
from dataclasses import fields
from typing import Any

import numpy as np

from cutset.runtime.animation.meshes import Mesh
from cutset.runtime.animation.scene import Force, Node, Part, Scene
from cutset.runtime.bundled import bundled
from cutset.runtime.interface import Vector


def page(scene: Scene) -> str:
    """The text of the page. It contains names of the model as data, in which no tag can begin."""
    texts = {
        "TITLE": html.escape(scene.title or "animation"),
        "STYLE": bundled("page.css"),
        "THREE": bundled("three.min.js"),
        "DATA": data_of(scene),
        "VIEWER": bundled("page.js"),
    }
    pieces = bundled("page.html").split("@@")
    # Every second piece is the name of a placeholder; replacements are not scanned again.
    return "".join(texts[piece] if k % 2 else piece for k, piece in enumerate(pieces))


def data_of(scene: Scene) -> str:
    """The scene as JSON for a script element; arrays are little-endian numbers in base64, 64-bit times and 32-bit
    others."""
    data = {
        **_plain(scene, ("title", "up", "low", "high", "floor", "size")),
        "times": _encoded(scene.times, "<f8"),
        "solids": {name: _solid(mesh) for name, mesh in scene.solids().items()},
        "nodes": [
            {
                "names": node.names,
                **_trajectories(node, ("place", "turn", "stretch")),
                "parts": [*map(_part, node.parts)],
            }
            for node in scene.nodes
        ],
        "forces": [{"name": f.name, **_trajectories(f, ("place", "force", "torque"))} for f in scene.forces],
    }
    # A tag could only begin with "<"; the other two would end a line in old engines.
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _encoded(numbers: Vector, kind: str = "<f4") -> str:
    return base64.b64encode(np.ascontiguousarray(numbers, dtype=kind).tobytes()).decode("ascii")


def _solid(mesh: Mesh) -> dict[str, Any]:
    kind = mesh.triangles.dtype.newbyteorder("<")
    return {
        "corners": _encoded(mesh.corners),
        "normals": _encoded(mesh.normals),
        "triangles": base64.b64encode(mesh.triangles.astype(kind).tobytes()).decode("ascii"),
        "bytes": kind.itemsize,
    }


def _trajectories(of: Node | Force, names: Iterable[str]) -> dict[str, str]:
    return {name: _encoded(getattr(of, name)) for name in names}


def _part(part: Part) -> dict[str, Any]:
    return _plain(part, (field.name for field in fields(part)))


def _plain(of: Part | Scene, names: Iterable[str]) -> dict[str, Any]:
    found = {name: getattr(of, name) for name in names}
    return {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in found.items()}
