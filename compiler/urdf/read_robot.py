"""Reads a robot: XML elements -> links, joints and shapes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from cutset.compiler.diagnostics import Diagnostic, ModelError, Source
from cutset.compiler.robots import colliders as shapes
from cutset.compiler.robots.elements import Element, read_root
from cutset.compiler.robots.names import counted
from cutset.compiler.robots.robot import (
    DRIVEN,
    HERE,
    TYPES,
    Collider,
    Inertial,
    Joint,
    Link,
    Mimic,
    Robot,
    Shape,
    Touching,
    Transmission,
    by_branch,
)
from cutset.compiler.robots.rotations import (
    UNIT,
    Matrix,
    Triple,
    cross,
    is_positive,
    is_possible,
    plus,
    times,
    turned_inertia,
)
from cutset.compiler.urdf import messages
from cutset.compiler.urdf.attributes import Attributes, unit_vector

# Parts of a joint that have no counterpart, and why.
_OF_JOINTS = {
    "safety_controller": "soft limits belong to a controller",
    "calibration": "reference positions of encoders have no meaning here",
}
_FRICTION = 1.0  # URDF has none
_REDUCTIONS = ("mechanicalReduction", "mechanical_reduction")
_TOLERANCE = 5e-7  # below that of the class Body
_XACRO = re.compile(r"\$[({].{0,60}")
_BLANK = "blank lines before <?xml, which other readers refuse"


def read_robot(source: Source, any_inertia: bool = False) -> Robot:
    """The robot in the text of a URDF file. ModelError E150 to E155 with all errors of one step.
    With `any_inertia`, an inertia can be negative about an axis."""
    root = read_root(source, "robot", messages.not_a_robot)
    _refuse_xacro(root)
    reader = _Reader(root, any_inertia)
    links, joints, transmissions = reader.links(), reader.joints(), reader.transmissions()
    if not links and not reader.errors:
        reader.errors.append(messages.missing("link", "the robot", root.span))
    if reader.errors:
        raise ModelError(sorted(reader.errors, key=_place))
    first, ordered = checked_tree(links, joints)
    name = root.attributes.get("name", "").strip() or "robot"
    notes = [_BLANK] if source.text[:1].isspace() and source.text.lstrip().startswith("<?xml") else []
    notes += [f"motion of the joint {each.name}, which moves no mass: it is held" for each in ordered if each.locked]
    colliders = reader.colliders()
    dropped = (*notes, *reader.notes, *reader.dropped())
    touching = _touching(colliders, ordered)
    return Robot(name, first, links, ordered, transmissions, dropped, colliders=colliders, touching=touching)


def _touching(colliders: Sequence[Collider], joints: Sequence[Joint]) -> tuple[Touching, ...]:
    """All pairs but those of one rigid part of the robot, and of parts that a joint connects."""
    part: dict[str, str] = {}
    for joint in joints:
        above = part.setdefault(joint.parent, joint.parent)
        part[joint.child] = above if joint.kind == "fixed" else joint.child
    near = {frozenset((part[joint.parent], part[joint.child])) for joint in joints}
    at = [part.get(each.link, each.link) for each in colliders]
    return tuple(
        Touching(i, j, _FRICTION)
        for j in range(len(at))
        for i in range(j)
        if at[i] != at[j] and frozenset((at[i], at[j])) not in near
    )


def _refuse_xacro(root: Element) -> None:
    """ModelError E151 for what xacro would have replaced."""
    for element in root.walk():
        if element.name.startswith("xacro:"):
            raise ModelError([messages.macro(f"<{element.name}>", element.span)])
        for value in element.attributes.values():
            if found := _XACRO.search(value):
                raise ModelError([messages.macro(f"'{found[0]}'", element.span)])


def _place(diagnostic: Diagnostic) -> tuple[int, int]:
    return (0, 0) if diagnostic.span is None else (diagnostic.span.line, diagnostic.span.column)


class _Reader:
    def __init__(self, root: Element, any_inertia: bool):
        self._root, self._any_inertia, self._values = root, any_inertia, Attributes()
        self.errors = self._values.errors
        # What is only drawn, or does not matter here, may be wrong.
        self.notes: list[str] = []
        self._colors = {
            each.attributes.get("name", ""): color for each in root.all("material") if (color := self._color(each))
        }

    def links(self) -> dict[str, Link]:
        found: dict[str, Link] = {}
        for element in self._root.all("link"):
            name = self._values.text(element, "name", "the link")
            if name in found:
                self.errors.append(messages.given_twice("link", name, element.span, found[name].span))
            shapes = tuple(shape for each in element.all("visual") for shape in self._drawn(each, name))
            found[name] = Link(name, self._inertial(element, name), shapes, element.span)
        return found

    def colliders(self) -> tuple[Collider, ...]:
        """The plane z = 0 of the inertial system, and the shapes of <collision>; none if there are none."""
        found = list[Collider]()
        for element in self._root.all("link"):
            name = element.attributes.get("name", "")
            for shape in (each for collision in element.all("collision") for each in self._drawn(collision, name)):
                size = shape.size
                if shape.kind == "mesh":
                    found.append(Collider(name, (), mesh=shape))
                elif shape.kind == "box" and min(size) > 0:
                    found.append(shapes.box(name, shape.pose, (size[0], size[1], size[2])))
                elif shape.kind == "sphere" and size[0] > 0:
                    found.append(shapes.capsule(name, shape.pose, size[0], 0.0))
                elif shape.kind == "cylinder" and min(size) > 0:
                    found.append(shapes.cylinder(name, shape.pose, size[0], size[1] / 2))
        return (shapes.plane("", HERE), *found) if found else ()

    def _inertial(self, link: Element, name: str) -> Inertial | None:
        element = link.first("inertial")
        if element is None:
            return None
        owner = f"the link '{name}'"
        mass, tensor = element.first("mass"), element.first("inertia")
        for what, found in (("mass", mass), ("inertia", tensor)):
            if found is None:
                self.errors.append(messages.missing(f"<{what}> in its <inertial>", owner, element.span))
        if mass is None or tensor is None:
            return None
        kilograms = self._values.number(mass, "value", None, owner)
        xx, yy, zz = (self._values.number(tensor, key, None, owner) for key in ("ixx", "iyy", "izz"))
        xy, xz, yz = (self._values.number(tensor, key, 0.0, owner) for key in ("ixy", "ixz", "iyz"))
        given = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
        pose = self._values.pose(element)
        turned = turned_inertia(given, pose.turned)
        if kilograms < 0:
            self.errors.append(messages.negative_mass(name, kilograms, mass.span))
        if not (self._any_inertia or is_positive(given, 1e-6)):
            self.errors.append(messages.negative_inertia(name, tensor.span))
        possible = is_possible(turned, _TOLERANCE) and is_positive(turned, 0.0)
        return Inertial(kilograms, pose.xyz, turned, possible, element.span)

    def joints(self) -> list[Joint]:
        found: dict[str, Joint] = {}
        for element in self._root.all("joint"):
            joint = self._joint(element)
            if joint.name in found:
                self.errors.append(messages.given_twice("joint", joint.name, element.span, found[joint.name].span))
            found[joint.name] = joint
        return list(found.values())

    def _joint(self, element: Element) -> Joint:
        values = self._values
        name = values.text(element, "name", "the joint")
        owner = f"the joint '{name}'"
        kind = values.text(element, "type", owner)
        if kind and kind not in TYPES:
            self.errors.append(messages.unknown_type(name, kind, TYPES, element.span))
        axis = values.vector(element.first("axis"), "xyz", (1.0, 0.0, 0.0))
        direction = unit_vector(axis)
        if direction is None and kind in (*DRIVEN, "planar"):
            text = " ".join(f"{x:g}" for x in axis)
            span = (element.first("axis") or element).span
            self.errors.append(messages.wrong_value("xyz", text, "a direction, not zero", span))
        limit, dynamics = element.first("limit"), element.first("dynamics")
        if limit is None and kind in ("revolute", "prismatic"):
            self.notes.append(f"a range of {owner}, which is {kind}: it has no <limit>")
        ranged = limit if kind in ("revolute", "prismatic") else None
        lower, upper = (values.number(ranged, key, 0.0, owner) for key in ("lower", "upper"))
        if lower > upper and ranged is not None:
            self.notes.append(f"the range of {owner}, whose lower limit, {lower:g}, is above its upper one, {upper:g}")
            ranged = None
        return Joint(
            name,
            kind,
            self._end(element, "parent", owner),
            self._end(element, "child", owner),
            values.pose(element),
            direction or (1.0, 0.0, 0.0),
            lower if ranged else None,
            upper if ranged else None,
            values.at_least_zero(limit, "effort"),
            values.at_least_zero(limit, "velocity"),
            values.at_least_zero(dynamics, "damping"),
            values.at_least_zero(dynamics, "friction"),
            self._mimic(element, owner),
            element.span,
        )

    def _end(self, joint: Element, end: str, owner: str) -> str:
        element = joint.first(end)
        if element is None:
            self.errors.append(messages.missing(f"<{end}>", owner, joint.span))
            return ""
        return self._values.text(element, "link", f"<{end}> of {owner}")

    def _mimic(self, joint: Element, owner: str) -> Mimic | None:
        element = joint.first("mimic")
        if element is None or joint.attributes.get("type") not in DRIVEN:
            return None
        other = self._values.text(element, "joint", f"<mimic> of {owner}")
        multiplier = self._values.number(element, "multiplier", 1.0, owner)
        return Mimic(other, multiplier, self._values.number(element, "offset", 0.0, owner))

    def _color(self, material: Element) -> tuple[float, ...]:
        color = material.first("color")
        if color is None:
            return ()
        numbers = self._values.numbers(color, "rgba", 4, "<color>")[:3]
        return tuple(min(1.0, max(0.0, each)) for each in numbers)

    def _drawn(self, visual: Element, link: str) -> list[Shape]:
        """The shapes; none, and a note, if their description is wrong."""
        first = len(self.errors)
        shapes = list(self._shapes(visual, link))
        for wrong in self.errors[first:]:
            self.notes.append(f"a shape of the link {link}: {wrong.message}")
        is_right = len(self.errors) == first
        del self.errors[first:]
        return shapes if is_right else []

    def _shapes(self, visual: Element, link: str) -> Iterator[Shape]:
        geometry, material = visual.first("geometry"), visual.first("material")
        owner, values = f"the shape of the link '{link}'", self._values
        color: tuple[float, ...] = ()
        if material is not None:
            color = self._color(material) or self._colors.get(material.attributes.get("name", ""), ())
        for each in geometry.children if geometry else ():
            size: tuple[float, ...] = ()
            if each.name == "box":
                size = values.numbers(each, "size", 3, owner)
            elif each.name == "cylinder":
                size = tuple(values.number(each, key, None, owner) for key in ("radius", "length"))
            elif each.name == "sphere":
                size = (values.number(each, "radius", None, owner),)
            scale = values.vector(each, "scale", (1.0, 1.0, 1.0))
            file = each.attributes.get("filename", "").strip()
            yield Shape(each.name, values.pose(visual), size, file, color, scale, span=each.span)

    def transmissions(self) -> tuple[Transmission, ...]:
        return tuple(
            Transmission(
                each.attributes.get("name", "transmission"),
                tuple(joint.attributes.get("name", "?") for joint in each.all("joint")),
                self._ratio(each),
            )
            for each in self._root.all("transmission")
        )

    def _ratio(self, transmission: Element) -> float | None:
        joints, motors = (len(list(transmission.all(name))) for name in ("joint", "actuator"))
        given = [each for each in transmission.walk() if each.name in _REDUCTIONS]
        if (joints, motors) != (1, 1) or len(given) > 1:
            return None
        if not given:
            return 1.0
        ratio = self._values.content(given[0])
        if ratio == 0:
            self.errors.append(messages.wrong_value(given[0].name, given[0].text.strip(), "not zero", given[0].span))
        return ratio

    def dropped(self) -> tuple[str, ...]:
        """What the file has in addition to links, joints and shapes, in words."""
        count = Counter(each.name for each in self._root.children)
        notes = []
        for name, reason in _OF_JOINTS.items():
            joints = sum(1 for joint in self._root.all("joint") if joint.first(name))
            if joints:
                notes.append(f"<{name}> of {counted(joints, 'joint')}: {reason}")
        rigid = [each for each in self._root.all("joint") if each.attributes.get("type") not in DRIVEN]
        mimics = sum(1 for each in rigid if each.first("mimic"))
        if mimics:
            notes.append(f"<mimic> of {counted(mimics, 'joint')} without a single coordinate")
        known = {"link", "joint", "material", "transmission"}
        notes += [f"{counted(n, 'element')} <{name}>" for name, n in sorted(count.items()) if name not in known]
        return tuple(notes)


# --- tree -----------------------------------------------------------------------------------------


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
    ordered = by_branch(joints, roots)
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
