"""Checks that links and joints form one tree, and holds joints that move nothing."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from cutset.compiler.diagnostics import Diagnostic, ModelError
from cutset.compiler.robots.robot import DRIVEN, Joint, Link
from cutset.compiler.robots.rotations import (
    UNIT,
    Matrix,
    Triple,
    cross,
    plus,
    times,
    turned_inertia,
)
from cutset.compiler.urdf import messages


def checked_tree(links: dict[str, Link], joints: Sequence[Joint]) -> tuple[str, tuple[Joint, ...]]:
    """The root link, and the joints so that each parent comes before its children; one of a single coordinate that
    moves no mass is locked, or idle if it moves with other joints. ModelError E152, E153, E155."""
    _raise(_unknown_names(links, joints))
    leads_to: dict[str, Joint] = {}
    errors: list[Diagnostic] = []
    for joint in joints:
        if joint.child in leads_to:
            errors.append(messages.two_parents(joint.child, joint.span, leads_to[joint.child].span))
        leads_to[joint.child] = joint
    _raise(errors)
    roots = [name for name in links if name not in leads_to]
    if len(roots) > 1:
        errors.append(messages.roots(roots, links[roots[1]].span))
    ordered = _from(roots, joints)
    if len(ordered) < len(joints):
        errors.append(_cycle(leads_to, {joint.name for joint in ordered}))
    _raise(errors or _self_mimics(joints))
    idle = _without_mass(links, ordered)
    _raise(
        [messages.moves_nothing(each.name, each.span) for each in ordered if each in idle and each.kind not in DRIVEN]
    )
    return roots[0], tuple(_held(each, ordered, idle) if each in idle else each for each in ordered)


def _raise(errors: list[Diagnostic]) -> None:
    if errors:
        raise ModelError(errors)


def _unknown_names(links: dict[str, Link], joints: Sequence[Joint]) -> list[Diagnostic]:
    names = [joint.name for joint in joints]
    kinds = {joint.name: joint.kind for joint in joints}
    found = []
    for joint in joints:
        owner = f"the joint '{joint.name}'"
        for link in (joint.parent, joint.child):
            if link not in links:
                found.append(messages.unknown("link", link, owner, list(links), joint.span))
        if joint.mimic and joint.mimic.joint not in names:
            found.append(messages.unknown("joint", joint.mimic.joint, f"{owner} mimics", names, joint.span))
        elif joint.mimic and (kind := kinds[joint.mimic.joint]) not in DRIVEN:
            found.append(messages.no_coordinate(joint.name, joint.mimic.joint, kind, joint.span))
    return found


def _from(roots: Sequence[str], joints: Sequence[Joint]) -> list[Joint]:
    """The joints that are reached from the roots, branch after branch, in the order of the text."""
    children: dict[str, list[Joint]] = {}
    for joint in joints:
        children.setdefault(joint.parent, []).append(joint)
    waiting = [joint for root in reversed(roots) for joint in reversed(children.get(root, []))]
    ordered = []
    while waiting:
        joint = waiting.pop()
        ordered.append(joint)
        waiting += reversed(children.get(joint.child, []))
    return ordered


def _cycle(leads_to: dict[str, Joint], reached: set[str]) -> Diagnostic:
    joint = next(each for each in leads_to.values() if each.name not in reached)
    path = [joint.child]
    while path[-1] not in path[:-1]:
        path.append(leads_to[path[-1]].parent)
    loop = path[path.index(path[-1]) :][::-1]
    return messages.cycle(loop, leads_to[loop[-1]].span)


def _self_mimics(joints: Sequence[Joint]) -> list[Diagnostic]:
    by_name = {joint.name: joint for joint in joints}
    found = []
    for joint in joints:
        seen, at = {joint.name}, joint.mimic
        while at is not None and at.joint not in seen:
            seen.add(at.joint)
            at = by_name[at.joint].mimic
        if at is not None and at.joint == joint.name:
            found.append(messages.mimics_itself(joint.name, joint.span))
    return found


def _held(joint: Joint, joints: Sequence[Joint], idle: Collection[Joint]) -> Joint:
    following, found = {joint.name}, True
    while found:
        more = {each.name for each in joints if each.mimic and each.mimic.joint in following} - following
        following, found = following | more, bool(more)
    moves_alone = joint.mimic is None and following <= {each.name for each in idle}
    return replace(joint, locked=moves_alone, idle=not moves_alone)


def _without_mass(links: dict[str, Link], ordered: Sequence[Joint]) -> list[Joint]:
    """Joints that move neither a mass nor an inertia, in the home position."""
    # Mass, first moment and inertia about the origin of each link's frame, of the link and everything after it.
    carried = {name: _moments(link) for name, link in links.items()}
    parents = {joint.parent for joint in ordered}
    found = []
    for joint in reversed(ordered):
        mass, moment, inertia = carried[joint.child]
        about = sum(x * y for x, y in zip(joint.axis, times(inertia, joint.axis), strict=True))
        is_last = mass == 0 or joint.child not in parents
        is_turned = joint.kind in ("revolute", "continuous")
        if about <= 0 and (is_last if is_turned else joint.kind != "fixed" and mass <= 0):
            found.append(joint)
        carried[joint.parent] = _sum(carried[joint.parent], _moved((mass, moment, inertia), joint))
    return found[::-1]


Moments = tuple[float, Triple, Matrix]


def _moments(link: Link) -> Moments:
    of = link.inertial
    if of is None:
        nothing = (0.0, 0.0, 0.0)
        return 0.0, nothing, (nothing, nothing, nothing)
    return of.mass, plus((0.0, 0.0, 0.0), of.center, of.mass), _about_origin(of.inertia, of.mass, of.center, 1.0)


def _about_origin(inertia: Matrix, mass: float, center: Triple, sign: float) -> Matrix:
    columns = (plus(inertia[i], cross(center, cross(UNIT[i], center)), sign * mass) for i in range(3))
    return tuple(columns)  # type: ignore[return-value]  # symmetric


def _moved(moments: Moments, joint: Joint) -> Moments:
    """The moments in the frame of the parent."""
    mass, moment, inertia = moments
    if mass == 0:
        return mass, moment, turned_inertia(inertia, joint.origin.turned)
    center: Triple = (moment[0] / mass, moment[1] / mass, moment[2] / mass)
    central = turned_inertia(_about_origin(inertia, mass, center, -1.0), joint.origin.turned)
    moved = plus(times(joint.origin.turned, center), joint.origin.xyz)
    return mass, plus((0.0, 0.0, 0.0), moved, mass), _about_origin(central, mass, moved, 1.0)


def _sum(a: Moments, b: Moments) -> Moments:
    inertia = tuple(plus(x, y) for x, y in zip(a[2], b[2], strict=True))
    return a[0] + b[0], plus(a[1], b[1]), inertia  # type: ignore[return-value]
