"""Finds oversights in a mechanism that can be solved.

They are: no gravity, two drives on one joint, degrees for rad, an impossible inertia. Ignores what a model does on
purpose: g = 0, two drives where each joint has one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from cutset.compiler.diagnostics import Label
from cutset.compiler.flatten.model import FlatModel
from cutset.compiler.instantiate.instance import Parameter
from cutset.contract.abridged import quoted
from cutset.contract.names import rpartition

_ANGLE = re.compile(r"(q0\d*|phi0|angle\d*)")
# The text of a value: `q0=90` in the parentheses of a submodel, or the value alone.
_NUMBER = re.compile(r"(?:\w+\s*=\s*)?[-+]?[\d.]+(?:[eE][-+]?\d+)?\s*(?:[,)\"]|$)")
_DRIVE = "DriveCut"


def unintended(model: FlatModel) -> list[Label]:
    """Each oversight at the place to change."""
    return [*_without_weight(model), *_crowded_joints(model), *_degrees(model), *_inertias_of_no_body(model)]


def _number(parameter: Parameter | None) -> float | None:
    """The value of a parameter, if it is a number."""
    if parameter is None or parameter.binding.shape:
        return None
    (value,) = parameter.binding.elements
    return float(value.data) if value.op == "constant" else None


def _without_weight(model: FlatModel) -> Iterator[Label]:
    """Bases whose gravity has no direction, in a model with masses."""
    known = {parameter.name: parameter for parameter in model.parameters}
    masses = [p for p in model.parameters if p.unit == "kg" and rpartition(p.name)[2] == "m" and _number(p) != 0.0]
    for path in model.classes if masses else ():
        directions = [known.get(f"{path}.ng{k}") for k in (1, 2, 3)]
        if all(_number(p) == 0.0 for p in directions) and _number(known.get(f"{path}.g")) not in (None, 0.0):
            yield Label(
                model.places[path],
                f"gravity has no direction in '{path}', so bodies have no weight: give a direction such as ng3=-1, or "
                "set g=0",
            )


def _crowded_joints(model: FlatModel) -> Iterator[Label]:
    """Joints with two drives of one class, while another joint has nothing at its cut."""
    frames: dict[str, int] = {}
    for (path, _), cut in model.cuts.items():
        frames[path] = frames.get(path, 0) + cut.is_frame
    ends = {key for key, cut in model.cuts.items() if cut.cut_class and cut.cut_class.name == _DRIVE}
    joints = {key for key in ends if frames[key[0]] > 1}
    taken: set[tuple[str, str]] = set()
    crowded: list[tuple[tuple[str, str], list[str]]] = []
    for connection in model.sets:
        there = [(end.instance, end.name) for end in connection.ends]
        taken.update(there if len(there) > 1 else ())
        drives: dict[str, list[str]] = {}
        for key in there:
            if key in ends - joints and any(entry.sign < 0 for entry in model.cuts[key].through or ()):
                drives.setdefault(model.classes[key[0]], []).append(key[0])
        own = [key for key in there if key in joints]
        crowded += [(own[0], paths) for paths in drives.values() if own and len(paths) > 1]
    idle = [f"{path}:{name}" for path, name in model.cuts if (path, name) in joints - taken]
    for (path, name), paths in crowded if idle else ():
        text = (
            f"{quoted(paths, 3)} ({model.classes[paths[0]]}) all drive '{path}:{name}', and nothing is connected to "
            f"{quoted(idle, 3)}"
        )
        yield Label(model.places[paths[-1]], text)


def _degrees(model: FlatModel) -> Iterator[Label]:
    """Angles given as a number larger than a full turn in rad."""
    for p in model.parameters:
        value = _number(p)
        if p.unit != "rad" or value is None or p.written is None or not _ANGLE.fullmatch(rpartition(p.name)[2]):
            continue
        text = p.written.source.line(p.written.line)[p.written.column - 1 :]
        if abs(value) > 2 * math.pi * (1 + 1e-9) and _NUMBER.match(text):
            yield Label(
                p.written,
                f"'{p.name}' is {value:g} rad, more than a turn: if you mean degrees, write {math.radians(value):.6g}",
            )


def _inertias_of_no_body(model: FlatModel) -> Iterator[Label]:
    """Inertias that no body can have, and that the model accepts nevertheless (`any_inertia`)."""
    known = {parameter.name: parameter for parameter in model.parameters}
    for path in model.classes:
        if _number(known.get(f"{path}.any_inertia")) != 1.0:
            continue
        i11, i22, i33, i21, i31, i32 = (_number(known.get(f"{path}.I{k}")) or 0.0 for k in (11, 22, 33, 21, 31, 32))
        s11, s22, s33 = (i22 + i33 - i11) / 2, (i11 + i33 - i22) / 2, (i11 + i22 - i33) / 2
        minors = s11 * s22 - i21**2, s11 * s33 - i31**2, s22 * s33 - i32**2
        whole = s11 * s22 * s33 - 2 * i21 * i31 * i32 - s11 * i32**2 - s22 * i31**2 - s33 * i21**2
        size = i11 + i22 + i33
        if min(s11, s22, s33) < -1e-6 * size or min(minors) < -1e-6 * size**2 or whole < -1e-6 * size**3:
            yield Label(
                model.places[path],
                f"no body can have the inertia of '{path}'; it is accepted because of any_inertia=true",
            )
