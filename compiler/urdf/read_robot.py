"""Reads a robot: XML elements -> links, joints and shapes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from cutset.compiler.diagnostics import Diagnostic, ModelError, Source
from cutset.compiler.robots.elements import Element, read_root
from cutset.compiler.robots.names import counted
from cutset.compiler.robots.robot import (
    DRIVEN,
    TYPES,
    Inertial,
    Joint,
    Link,
    Mimic,
    Robot,
    Shape,
    Transmission,
)
from cutset.compiler.robots.rotations import is_positive, is_possible, turned_inertia
from cutset.compiler.urdf import messages
from cutset.compiler.urdf.attributes import Attributes, unit_vector
from cutset.compiler.urdf.tree import checked_tree

# Parts of a joint that have no counterpart, and why.
_OF_JOINTS = {
    "safety_controller": "soft limits belong to a controller",
    "calibration": "reference positions of encoders have no meaning here",
}
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
    return Robot(name, first, links, ordered, transmissions, (*notes, *reader.notes, *reader.dropped()))


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
        bodies = sum(1 for link in self._root.all("link") if link.first("collision"))
        if bodies:
            notes.append(f"collision shapes of {counted(bodies, 'link')}: contacts are not computed")
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
