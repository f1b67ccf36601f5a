"""Reads the actuators of MuJoCo's compiled model, and the springs and dampers of tendons."""

from __future__ import annotations

from typing import Any

from cutset.compiler.mjcf.poses import triple
from cutset.compiler.mjcf.read_bodies import Names
from cutset.compiler.robots.names import counted
from cutset.compiler.robots.robot import Actuator
from cutset.compiler.robots.rotations import Triple

_JOINT, _JOINT_IN_PARENT, _TENDON = 0, 1, 3  # mjtTrn
_NO_DYNAMICS, _INTEGRATOR, _FILTER, _EXACT_FILTER = range(4)  # mjtDyn
_OF_JOINTS = 1  # mjtWrap: a tendon that is a sum of coordinates
_SINGLE = (2, 3)  # mjtJoint: slide, hinge
_NONE: Triple = (0.0, 0.0, 0.0)
_OF_TENDONS = {
    "tendon_limited": "the limits",
    "tendon_frictionloss": "the friction",
    "tendon_armature": "the armature",
    "tendon_actfrclimited": "the limits of the actuator force",
}
_FEATURES = {
    "actuator_damping": "its damping",
    "actuator_armature": "the armature",
    "actuator_delay": "its delay",
}


def actuators_of(model: Any, names: Names, off: frozenset[str]) -> tuple[list[Actuator], list[str]]:
    """The actuators, and notes about those that cannot be carried over, or not all of them."""
    found, notes = [], list[str]()
    if "ACTUATION" in off:
        return [], []
    for k in range(int(getattr(model, "nactuator", model.nu))):
        name = model.actuator(k).name or _target(model, k, names)
        reason = _obstacle(model, k)
        if reason:
            notes.append(f"the actuator {name}: {reason}")
            continue
        found.append(_actuator(model, k, name, names, off))
        for key, what in _FEATURES.items():
            if hasattr(model, key) and (getattr(model, key)[k] != 0).any():
                notes.append(f"of the actuator {name} {what}")
        if model.actuator_actlimited[k] and int(model.actuator_dyntype[k]) != _NO_DYNAMICS:
            notes.append(f"the limits of the activation of the actuator {name}")
    return found, notes


def _obstacle(model: Any, k: int) -> str:
    """Why this actuator has no counterpart; "" if it has one."""
    if int(model.actuator_plugin[k]) >= 0:
        return "a plugin of MuJoCo computes its force"
    if int(model.actuator_dyntype[k]) > _EXACT_FILTER:
        return "its dynamics are those of a muscle, or of another kind that models have no class for"
    if int(model.actuator_gaintype[k]) > 1 or int(model.actuator_biastype[k]) > 1:
        return "its force is neither constant nor affine in length and velocity"
    if hasattr(model, "actuator_ctrlnum") and int(model.actuator_ctrlnum[k]) != 1:
        return "it has several controls, or none"
    kind, target = int(model.actuator_trntype[k]), int(model.actuator_trnid[k][0])
    if kind == _TENDON:
        return "" if _terms(model, k) else "its tendon is not a sum of coordinates of one kind"
    if kind not in (_JOINT, _JOINT_IN_PARENT):
        return "it acts at a site, a body or a slider-crank, not at a joint"
    return "" if int(model.jnt_type[target]) in _SINGLE else "its joint has several coordinates"


def _terms(model: Any, k: int) -> list[tuple[int, float]]:
    """The joints and factors whose sum is the length, without the gear; [] for other tendons."""
    target = int(model.actuator_trnid[k][0])
    return _of_tendon(model, target) if int(model.actuator_trntype[k]) == _TENDON else [(target, 1.0)]


def _of_tendon(model: Any, t: int) -> list[tuple[int, float]]:
    """The joints and factors whose sum is the length; [] for tendons along a path, and for sums of angles and ways."""
    first = int(model.tendon_adr[t])
    wraps = range(first, first + int(model.tendon_num[t]))
    if any(int(model.wrap_type[w]) != _OF_JOINTS for w in wraps):
        return []
    found = [(int(model.wrap_objid[w]), float(model.wrap_prm[w])) for w in wraps]
    return found if len({int(model.jnt_type[joint]) for joint, _ in found}) == 1 else []


def tendons_of(model: Any, names: Names, off: frozenset[str]) -> tuple[list[Actuator], list[str]]:
    """Springs and dampers of tendons that are sums of joint coordinates, and notes about the other tendons."""
    found, notes, without = [], list[str](), dict[str, list[str]]()
    for t in range(int(model.ntendon)):
        name, terms = model.tendon(t).name or f"tendon{t}", _of_tendon(model, t)
        stiffness = 0.0 if "SPRING" in off else float(model.tendon_stiffness[t])
        damping = 0.0 if "DAMPER" in off else float(model.tendon_damping[t])
        rest, longest = (float(x) for x in model.tendon_lengthspring[t])
        if (stiffness or damping) and terms and (rest == longest or not stiffness):
            joints = tuple((names.joints[joint], factor) for joint, factor in terms)
            bias = (stiffness * rest, -stiffness, -damping)
            found.append(Actuator(name, joints, _NONE, bias, None, None, passive=True))
        elif stiffness or damping:
            reason = "it has a range without force" if terms else "it is not a sum of coordinates of one kind"
            notes.append(f"the spring and damper of the tendon {name}: {reason}")
        lost = [what for key, what in _OF_TENDONS.items() if hasattr(model, key) and getattr(model, key)[t]]
        if lost:
            without.setdefault(", ".join(lost), []).append(name)
    for what, tendons in without.items():
        more = ", ..." if len(tendons) > 8 else ""
        notes.append(f"of {counted(len(tendons), 'tendon')} ({', '.join(tendons[:8])}{more}): {what}")
    return found, notes


def _actuator(model: Any, k: int, name: str, names: Names, off: frozenset[str]) -> Actuator:
    gear = float(model.actuator_gear[k][0])
    gain, bias = model.actuator_gainprm[k], model.actuator_biasprm[k]
    dynamics = int(model.actuator_dyntype[k])
    control = _limits(model.actuator_ctrlrange, k) if model.actuator_ctrllimited[k] else None
    return Actuator(
        name,
        tuple((names.joints[joint], gear * factor) for joint, factor in _terms(model, k)),
        triple(gain) if int(model.actuator_gaintype[k]) else (float(gain[0]), 0.0, 0.0),
        triple(bias) if int(model.actuator_biastype[k]) else _NONE,
        None if "CLAMPCTRL" in off else control,
        _limits(model.actuator_forcerange, k) if model.actuator_forcelimited[k] else None,
        max(float(model.actuator_dynprm[k][0]), 1e-15) if dynamics in (_FILTER, _EXACT_FILTER) else None,
        dynamics == _INTEGRATOR,
    )


def _limits(ranges: Any, k: int) -> tuple[float, float]:
    return float(ranges[k][0]), float(ranges[k][1])


def _target(model: Any, k: int, names: Names) -> str:
    """A name for an actuator without one: that of its joint, if it has one."""
    is_at_joint = int(model.actuator_trntype[k]) in (_JOINT, _JOINT_IN_PARENT)
    return names.joints[int(model.actuator_trnid[k][0])] if is_at_joint else f"actuator{k}"
