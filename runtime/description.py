"""Describes the results of a model: units, documentation, and the elements that can be drawn. Pure data.

It is stored in result files as one JSON object, so that a file can be drawn without the model.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, field
from typing import Any

from cutset.contract.mesh_file import MeshFile
from cutset.contract.plain_records import record_of
from cutset.contract.quick_dataclass import dataclass
from cutset.contract.tolerance import Tolerance

# The kinds of elements, and the least and largest number of their frames.
KINDS = {
    "ground": (1, 1), "body": (1, 1), "shape": (1, 1), "mesh": (1, 1), "solid": (1, 1),
    "joint": (2, 2), "line": (2, 2), "rod": (2, 2), "link": (2, 2), "beam": (2, 2), "linkage": (3, 100),
}  # fmt: skip


@dataclass(frozen=True)
class FrameNames:
    """The cut by its own name, and the variables of a cut-frame by their full names without indices: `turn` (3,3) turns
    vectors of the frame into the inertial frame, `origin` (3,) is its position. `force` names the cut-force (6,) =
    [torque; force] that acts on the element, resolved in the frame, or its factors (I, a, b) of force = I*a + b; () if
    the frame has neither."""

    cut: str
    turn: str
    origin: str
    force: tuple[str, ...] = ()


@dataclass(frozen=True)
class Element:
    """A submodel with cut-frames. `kind` is

    ground    the inertial system; parameters ng1 to ng3 are the direction of gravity
    body      has a mass m and may have a center of mass r1 to r3
    shape     is only drawn: solid, length, width, height, place and direction, color
    mesh      is only drawn: the number of a file in the description, origin and rotation, scale, color
    solid     a bar with mass from its frame to r1 to r3, with width and height, a diameter, or an area
    joint     moves along or about the axis n(1..3)
    line      a force along the line between its two frames
    rod       keeps the origins of its two frames at a distance
    beam      is bent from its first frame through particles, whose positions are given in that frame, to the second
    link      transmits the motion of its first frame to the second in any other way
    linkage   has rods from the last of its frames to the others
    """

    name: str
    kind: str
    frames: tuple[FrameNames, ...]


@dataclass(frozen=True)
class Shown:
    """The unit in which people see a quantity: how many of its own unit one is, and which value is its zero."""

    unit: str
    factor: float
    zero: float


@dataclass(frozen=True)
class Description:
    """The name of the model, `units` and `documentation` by the names of variables, the `elements` that can be
    drawn, and the `meshes` of elements, which count them from 1. `nodes` has for each node the names of a few across
    variables there. `displays` has the quantities that are shown in another unit than their own, `tolerances` those of
    parameters."""

    model: str = ""
    units: Mapping[str, str] = field(default_factory=dict)
    documentation: Mapping[str, str] = field(default_factory=dict)
    elements: tuple[Element, ...] = ()
    meshes: tuple[MeshFile, ...] = ()
    nodes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    displays: Mapping[str, Shown] = field(default_factory=dict)
    tolerances: Mapping[str, Tolerance] = field(default_factory=dict)

    def shown_unit(self, name: str) -> str:
        """The unit in which people see the quantity; empty if it has none."""
        return self.displays[name].unit if name in self.displays else self.units.get(name, "")

    def label(self, name: str) -> str:
        """The name, with the unit in which people see the quantity if that is not its own."""
        return f"{name} [{self.displays[name].unit}]" if name in self.displays else name

    def shown(self, name: str, values: Any) -> Any:
        """A number, or an array of numbers, of the quantity in that unit."""
        display = self.displays.get(name)
        return values if display is None else (values - display.zero) / display.factor

    def to_json(self) -> str:
        """The description as JSON text, for `from_json`."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @staticmethod
    def from_json(text: str) -> Description:
        """The description in JSON text. ValueError if the text is not one."""
        data = json.loads(text)
        if isinstance(data, dict):  # earlier files lack these
            data = {"meshes": [], "nodes": {}, "displays": {}, "tolerances": {}, **data}
        try:
            found = record_of(Description, data)
        except ValueError as error:
            raise ValueError(f"the description is invalid: {error}") from error
        for each in found.elements:
            least, most = KINDS.get(each.kind, (1, 0))
            if not least <= len(each.frames) <= most or any(len(frame.force) not in (0, 1, 3) for frame in each.frames):
                raise ValueError(f"the description of {each.name!r} is invalid")
        return found
