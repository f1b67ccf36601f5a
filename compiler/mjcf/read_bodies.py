"""Reads bodies and joints of MuJoCo's compiled model: MjModel -> links and joints of a robot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from cutset.compiler.diagnostics import Span
from cutset.compiler.mjcf.poses import pose_of, triple
from cutset.compiler.mjcf.shapes import References, shapes_of
from cutset.compiler.robots.robot import HERE, Inertial, Joint, Link, Pose, Stop, by_branch
from cutset.compiler.robots.rotations import (
    Matrix,
    Triple,
    of_axis_and_angle,
    of_quaternion,
    plus,
    product,
    times,
    turned_inertia,
)

_KINDS = ("floating", "ball", "prismatic", "revolute")  # mjtJoint
_NOWHERE: Triple = (0.0, 0.0, 0.0)


class Names:
    """The names of bodies and joints: as in the file, or made up for those without one; each is unique in its kind."""

    def __init__(self, model: Any):
        self.bodies = _unique([model.body(i).name for i in range(model.nbody)], "body")
        self.joints = _unique([model.jnt(j).name for j in range(model.njnt)], "joint")


def _unique(names: Sequence[str], kind: str) -> list[str]:
    taken, found = {*names}, []
    for k, name in enumerate(names):
        made = name or f"{kind}{k}"
        while not name and made in taken:
            made += "_"
        taken.add(made)
        found.append(made)
    return found


def bodies_and_joints(
    model: Any, names: Names, off: frozenset[str], span: Span, references: References
) -> tuple[dict[str, Link], list[Joint]]:
    """Links by name, the world first, and joints in the order of the tree. `off` has the disabled parts of physics,
    `references` the frames of meshes."""
    links = {names.bodies[0]: Link(names.bodies[0], None, shapes_of(model, 0, references), span)}
    joints: list[Joint] = []
    for i in range(1, model.nbody):
        at = names.bodies[int(model.body_parentid[i])]
        chain = _chain(model, i, names, off, span)
        for k, joint in enumerate(chain):
            last = k == len(chain) - 1
            child = names.bodies[i] if last else f"{names.bodies[i]} after {joint.name}"
            joints.append(replace(joint, parent=at, child=child))
            if not last:
                links[child] = Link(child, None, (), span, between=True)
            at = child
        links[names.bodies[i]] = Link(names.bodies[i], _inertial(model, i, span), shapes_of(model, i, references), span)
    # MuJoCo's order is that already, unless bodies are attached later.
    return links, by_branch(joints, names.bodies[:1])


def _chain(model: Any, i: int, names: Names, off: frozenset[str], span: Span) -> list[Joint]:
    """The joints of a body, one after the other; a fixed one if it has none."""
    pose = pose_of(model.body_pos[i], model.body_quat[i])
    first, count = int(model.body_jntadr[i]), int(model.body_jntnum[i])
    if not count:
        name = f"{names.bodies[i]}_fixed"
        return [Joint(name, "fixed", "", "", pose, (1.0, 0.0, 0.0), None, None, 0, 0, 0, 0, None, span)]
    found, point = [], _NOWHERE
    for j in range(first, first + count):
        joint = _joint(model, j, names.joints[j], off, span)
        if joint.kind == "floating":
            return [replace(joint, placed=pose)]
        # A joint turns the body about a point of it; where a body slides does not matter.
        anchor = point if joint.kind == "prismatic" else triple(model.jnt_pos[j])
        origin = Pose(plus(pose.xyz, times(pose.turned, plus(anchor, point, -1.0))), pose.axis, pose.angle, pose.turned)
        found.append(replace(joint, origin=_before(joint, origin, float(model.qpos0[model.jnt_qposadr[j]]))))
        pose, point = HERE, anchor
    found[-1] = replace(found[-1], after=plus(_NOWHERE, point, -1.0))
    return found


def _before(joint: Joint, origin: Pose, home: float) -> Pose:
    """The origin, moved so that the body is in its home pose where the coordinate is `home`."""
    if home == 0 or joint.kind == "ball":
        return origin
    if joint.kind == "prismatic":
        return replace(origin, xyz=plus(origin.xyz, times(origin.turned, joint.axis), -home))
    turned = product(origin.turned, of_axis_and_angle(joint.axis, -home))
    return Pose(origin.xyz, *_axis_of(turned), turned)


def _axis_of(turned: Matrix) -> tuple[Triple, float]:
    """Axis and angle of a rotation, by the largest element of its quaternion."""
    (a, d, e), (b, f, g), (c, h, k) = turned
    squares = (1 + a + f + k, 1 + a - f - k, 1 - a + f - k, 1 - a - f + k)
    rows = (
        (squares[0], h - g, e - c, b - d),
        (h - g, squares[1], d + b, e + c),
        (e - c, d + b, squares[2], g + h),
        (b - d, e + c, g + h, squares[3]),
    )
    row = rows[squares.index(max(squares))]
    length = sum(x * x for x in row) ** 0.5
    return of_quaternion(cast("tuple[float, float, float, float]", tuple(x / length for x in row)))


def _joint(model: Any, j: int, name: str, off: frozenset[str], span: Span) -> Joint:
    kind = _KINDS[int(model.jnt_type[j])]
    place, dof = int(model.jnt_qposadr[j]), int(model.jnt_dofadr[j])
    single = kind in ("revolute", "prismatic")
    limited = single and bool(model.jnt_limited[j]) and "LIMIT" not in off
    lower, upper = (float(x) for x in model.jnt_range[j])
    return Joint(
        name,
        kind,
        "",
        "",
        HERE,
        triple(model.jnt_axis[j]),
        lower if limited else None,
        upper if limited else None,
        0.0,
        0.0,
        0.0 if "DAMPER" in off else float(model.dof_damping[dof]),
        0.0 if "FRICTIONLOSS" in off or not single else float(model.dof_frictionloss[dof]),
        None,
        span,
        stiffness=0.0 if "SPRING" in off or kind == "floating" else float(model.jnt_stiffness[j]),
        rest=float(model.qpos_spring[place]) if single else 0.0,
        inertia=float(model.dof_armature[dof]),
        start=float(model.qpos0[place]) if single else None,
        stop=_stop(model, j, dof) if limited else None,
    )


def _stop(model: Any, j: int, dof: int) -> Stop:
    """A stop on the inertia that the joint feels in the home pose, which holds a load where MuJoCo's limit does: that
    one takes the part d, its impedance, of the load before its own spring."""
    time, ratio = (float(x) for x in model.jnt_solref[j])
    d, width = (min(max(float(x), 1e-4), 0.9999) for x in model.jnt_solimp[j][:2])
    weight = float(model.dof_invweight0[dof]) or 1.0
    if time <= 0:
        stiffness, damping = -time / width**2, -ratio / width
    else:
        time = max(time, 2 * float(model.opt.timestep))
        stiffness, damping = 1 / (width * time * ratio) ** 2, 2 / (width * time)
    share = d / (1 - d)
    return Stop(float(f"{stiffness * share / weight:.4g}"), float(f"{damping * math.sqrt(share) / weight:.4g}"))


def _inertial(model: Any, i: int, span: Span) -> Inertial:
    x, y, z = (float(value) for value in model.body_inertia[i])
    pose = pose_of(model.body_ipos[i], model.body_iquat[i])
    given: Matrix = ((x, 0.0, 0.0), (0.0, y, 0.0), (0.0, 0.0, z))
    possible = x + y >= z and y + z >= x and x + z >= y
    return Inertial(float(model.body_mass[i]), pose.xyz, turned_inertia(given, pose.turned), possible, span)
