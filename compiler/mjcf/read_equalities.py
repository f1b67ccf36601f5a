"""Reads the equality constraints of MuJoCo's compiled model: closed loops, and joints that follow others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from cutset.compiler.mjcf.poses import pose_of, triple
from cutset.compiler.mjcf.read_bodies import Names
from cutset.compiler.robots.robot import HERE, Closure, Joint, Mimic, Pose

_CONNECT, _WELD, _JOINT = range(3)  # mjtEq
_SITE = 6  # mjtObj
_KINDS = ("connect", "weld", "joint", "tendon", "flex", "flexvert", "flexstrain", "distance")


def equalities_of(model: Any, names: Names, joints: Sequence[Joint]) -> tuple[list[Joint], list[Closure], list[str]]:
    """The joints with what they follow, the closed loops, and notes about the other constraints."""
    by_name = {joint.name: joint for joint in joints}
    closures, notes = [], list[str]()
    for k in range(int(model.neq)):
        kind = int(model.eq_type[k])
        name = model.eq(k).name or f"equality{k}"
        if not model.eq_active0[k]:
            notes.append(f"the constraint {name}: it is not active at the start")
        elif kind in (_CONNECT, _WELD):
            closures.append(Closure(name, *_ends(model, k, names), kind == _WELD))
        elif kind == _JOINT and not _followed(model, k, names, by_name):
            notes.append(f"the constraint {name}: its joint follows another one already, or has several coordinates")
        elif kind != _JOINT:
            notes.append(f"the constraint {name}, of the kind {_KINDS[kind] if kind < len(_KINDS) else kind}")
    return [by_name[joint.name] for joint in joints], closures, notes


def _ends(model: Any, k: int, names: Names) -> tuple[tuple[str, Pose], tuple[str, Pose]]:
    """The two frames that stay together, each with its body. MuJoCo fills in the data that the file leaves open."""
    data, numbers = model.eq_data[k], (int(model.eq_obj1id[k]), int(model.eq_obj2id[k]))
    if int(model.eq_objtype[k]) == _SITE:
        first, second = (
            (names.bodies[int(model.site_bodyid[s])], pose_of(model.site_pos[s], model.site_quat[s])) for s in numbers
        )
        return first, second
    bodies = [names.bodies[i] for i in numbers]
    if int(model.eq_type[k]) == _CONNECT:
        return (bodies[0], replace(HERE, xyz=triple(data[:3]))), (bodies[1], replace(HERE, xyz=triple(data[3:6])))
    return (bodies[0], pose_of(data[3:6], data[6:10])), (bodies[1], replace(HERE, xyz=triple(data[:3])))


def _followed(model: Any, k: int, names: Names, by_name: dict[str, Joint]) -> bool:
    """True if the first joint of the constraint follows now: the second one, or none, by a polynomial."""
    first, second = int(model.eq_obj1id[k]), int(model.eq_obj2id[k])
    joint = by_name[names.joints[first]]
    single = ("revolute", "prismatic")
    if joint.kind not in single or joint.mimic is not None or joint.locked:
        return False
    constant, *factors = (float(x) for x in model.eq_data[k][:5])
    offset = constant + float(model.qpos0[model.jnt_qposadr[first]])
    if second < 0:
        by_name[joint.name] = replace(joint, locked=True, start=offset)
        return True
    other = by_name[names.joints[second]]
    if other.kind not in single:
        return False
    start, higher = float(model.qpos0[model.jnt_qposadr[second]]), tuple(factors[1:])
    if not any(higher):
        mimic = Mimic(other.name, factors[0], offset - factors[0] * start)
    else:
        mimic = Mimic(other.name, factors[0], offset, start, higher)
    by_name[joint.name] = replace(joint, mimic=mimic)
    return True
