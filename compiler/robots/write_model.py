"""Writes a robot as the text of a model."""

from __future__ import annotations

import math
import textwrap
from dataclasses import dataclass
from pathlib import Path

from cutset.compiler.robots.definitions import definitions
from cutset.compiler.robots.names import Names, shown
from cutset.compiler.robots.numbers import elements, number, vector
from cutset.compiler.robots.robot import DRIVEN, Closure, Inertial, Joint, Mimic, Pose, Robot
from cutset.compiler.robots.rotations import Triple, cardan_angles
from cutset.compiler.robots.shapes import is_drawn, mesh_text, shape_text
from cutset.compiler.robots.write_actuators import ActuatorWriter
from cutset.compiler.robots.write_contacts import ContactWriter

# A stop yields by this under the greatest force of its drive, and takes this time to damp.
_GIVES = {"revolute": 0.01, "prismatic": 0.001}
_STOP_TIME = 0.01


@dataclass(frozen=True)
class Settings:
    """How a robot is written: the library, if its root link floats, if limits become stops, if an inertia can be
    negative about an axis, if forces act at the motors, before the gears of transmissions, if it is a class, and which
    contacts it has: none, those with planes, or all."""

    library: str = "mbssim"
    floating: bool = False
    stops: bool = True
    any_inertia: bool = False
    gears: bool = False
    is_class: bool = False
    contacts: str = "none"


def write_model(robot: Robot, settings: Settings, path: Path) -> str:
    """The text of the model of the robot in this file."""
    return _Writer(robot, settings, path).text()


class _Writer:
    def __init__(self, robot: Robot, settings: Settings, path: Path):
        self._robot, self._settings, self._path, self._names = robot, settings, path, Names()
        self._model = self._names.add(robot.name, "_robot")
        self._joint = self._names.all([joint.name for joint in robot.joints])
        self._link = self._names.all([link.name for link in robot.links.values() if not link.between], f"_{robot.part}")
        self._driven = [joint for joint in robot.joints if joint.is_driven]
        self._moving = {joint.name: joint for joint in robot.joints if joint.kind in DRIVEN}
        self._lines: list[str] = []
        self._connections: list[str] = []
        self._frame: dict[str, str] = {}  # the cut that is the frame of a link; "" is the inertial system
        self._shapes = 0
        self._classes: set[str] = set()

    def text(self) -> str:
        """The whole text."""
        self._root()
        self._end_part()
        for joint in self._robot.joints:
            self._add_joint(joint)
            self._end_part()
        for closure in self._robot.closures:
            self._add_closure(closure)
            self._end_part()
        self._contacts()
        self._drives()
        head = f"{{ The robot {shown(self._robot.name)}, imported from {shown(self._path.name)}. "
        frame = "link is the cut b of the joint before it" if self._robot.part == "link" else "body is its cut a"
        head += f"The frame of a {frame}. }}"
        lines = [
            *textwrap.wrap(head, 116, break_long_words=False),
            "",
            f"@{self._settings.library}",
            *definitions(self._classes),
            "",
            f"model {'class ' if self._settings.is_class else ''}{self._model}",
            *(f"  {line}" if line else "" for line in self._lines),
            "end",
        ]
        return "\n".join(lines) + "\n"

    def _end_part(self) -> None:
        """Write the connections so far."""
        if self._connections:
            self._lines += _listed("connect ", self._connections)
            self._connections.clear()

    def _submodel(self, kind: str, name: str, values: str = "", about: str = "") -> str:
        self._classes.add(kind)
        about = f' "{about}"' if about else ""
        arguments = f"({values})" if values else ""
        line = f"submodel ({kind}) {name}{arguments}"
        self._lines += (
            [line + about] if len(line + about) < 100 else [line, f"{{ {about[2:-1]} }}"] if about else [line]
        )
        return name

    def _root(self) -> None:
        robot = self._robot
        if robot.controls:
            controls = ", ".join(f"{k}: {shown(each)}" for k, each in enumerate(robot.controls, 1))
            self._lines += textwrap.wrap(f"{{ Controls of the actuators {controls}. }}", 110, break_long_words=False)
            self._lines.append(f"input ctrl({len(robot.controls)})")
        elif self._driven:
            units = ", ".join(
                f"{self._joint[joint.name]} ({'N' if joint.kind == 'prismatic' else 'N.m'})" for joint in self._driven
            )
            self._lines.append(f"{{ Forces of the drives, up: {units}. }}")
            self._lines[-1:] = textwrap.wrap(self._lines[-1], 110, break_long_words=False)
            self._lines.append(f"input tau({len(self._driven)})")
        root = robot.links[robot.root]
        if root.inertial is None and not self._settings.floating:
            world = self._submodel("Inertial", self._link[robot.root], _gravity(robot.gravity), f"{robot.part}, fixed")
            self._frame[robot.root] = self._frame[""] = f"{world}:a"
            self._add_shapes(robot.root)
            return
        world = self._submodel("Inertial", self._names.add("inertial_system"), _gravity(robot.gravity))
        self._frame[robot.root] = self._frame[""] = f"{world}:a"
        if self._settings.floating:
            base = self._submodel("Free", self._names.add("floating_base"))
            self._connect(f"{world} to {base}")
            self._frame[robot.root] = f"{base}:b"
        self._add_link(robot.root)

    def _connect(self, text: str) -> None:
        self._connections.append(text)

    def _add_link(self, link: str) -> None:
        """The mass of a link, or a sensor if it has none."""
        if self._robot.links[link].between:
            return
        inertial, name, part = self._robot.links[link].inertial, self._link[link], self._robot.part
        if inertial is None or _is_nothing(inertial):
            self._submodel("AbsoluteSensor", name, "", f"{part} without mass")
        else:
            self._submodel("Body", name, _of_body(inertial), part if part == "link" else "")
        self._connect(f"{name}:a at {self._frame[link]}")
        self._add_shapes(link)

    def _add_shapes(self, link: str) -> None:
        for shape in self._robot.links[link].shapes:
            if shape.kind == "mesh" and not shape.drawn:
                self._lines.append(f"{{ mesh of {self._link[link]}: {shown(shape.file)} }}")
            for mesh in shape.drawn:
                self._add_shape("MeshShape", mesh_text(mesh, shape.pose), link)
            if is_drawn(shape):
                self._add_shape("FixedShape", shape_text(shape), link)

    def _add_shape(self, kind: str, values: str, link: str) -> None:
        self._shapes += 1
        name = self._submodel(kind, self._names.add(f"shape{self._shapes}"), values)
        self._connect(f"{name}:a at {self._frame[link]}")

    def _add_joint(self, joint: Joint) -> None:
        name, before = self._joint[joint.name], self._frame[joint.parent]
        self._lines.append("")
        origin = _placed(joint.origin)
        if joint.kind == "fixed":
            kind = "Fixed" if "angle" in origin else "Bar"
            self._submodel(kind, name, origin, "fixed joint")
        else:
            if origin:
                place = self._names.add(f"{name}_origin")
                self._submodel("Fixed" if "angle" in origin else "Bar", place, origin)
                self._connect(f"{place}:a at {before}")
                before = f"{place}:b"
            self._moving_joint(joint, name)
        self._connect(f"{name}:a at {before}")
        self._frame[joint.child] = f"{name}:b"
        if any(joint.after):
            end = self._submodel("Bar", self._names.add(f"{name}_end"), f"r={vector(joint.after)}")
            self._connect(f"{end}:a at {name}:b")
            self._frame[joint.child] = f"{end}:b"
        self._add_link(joint.child)

    def _moving_joint(self, joint: Joint, name: str) -> None:
        axis = f"n={vector(joint.axis)}"
        if joint.kind == "floating":
            load = _of_free(joint, name)
            values = ", ".join(each for each in (_start_of_free(joint.placed), load) if each)
            self._submodel("DampedFree" if load else "Free", name, values, "floating joint")
        elif joint.kind == "ball":
            load = _of_ball(joint, name)
            self._submodel("ElasticBall" if load else "Spherical", name, load, "ball joint")
        elif joint.kind == "planar":
            directions = f"{elements('n', joint.axis)}, {elements('nx', _across(joint.axis))}"
            self._submodel("Planar", name, directions, "planar joint")
        else:
            start = _start(joint)
            if joint.mimic is None and start:
                axis += f", q0={number(start)}"
            kind = "Prismatic" if joint.kind == "prismatic" else "Revolute"
            self._submodel(kind, name, axis, _about(joint))
            self._elements_of(joint, name)

    def _elements_of(self, joint: Joint, name: str) -> None:
        """Friction, stops and the mimicked joint, at the coordinate."""
        if joint.mimic is not None:
            kind = "CurvedMimic" if joint.mimic.higher else "MimicJoint"
            mimic = self._submodel(kind, self._names.add(f"{name}_mimic"), _of_mimic(joint.mimic))
            self._connect(f"{mimic}:A at {self._joint[joint.mimic.joint]}:ext")
            self._connect(f"{mimic}:B at {name}:ext")
        friction = self._friction(joint)
        damping = f"d={number(joint.damping)}"
        if friction:
            values = f"fc={number(friction)}" + (f", {damping}" if joint.damping else "")
            self._at("CoulombFriction", f"{name}_friction", values, name)
        elif joint.damping:
            self._at("JointDamper", f"{name}_damper", damping, name)
        if joint.stiffness:
            rest = f", q_rest={number(joint.rest)}" if joint.rest else ""
            self._at("JointSpring", f"{name}_spring", f"c={number(joint.stiffness)}{rest}", name)
        if joint.locked:
            self._at("Lock", f"{name}_lock", "", name)
        if joint.idle:
            self._at("LoopJoint", f"{name}_idle", "", name)
        if joint.inertia:
            self._at("Rotor", f"{name}_rotor", f"J={number(joint.inertia)}", name)
        if self._settings.stops and joint.mimic is None and joint.lower is not None and joint.upper is not None:
            c = joint.stop.stiffness if joint.stop else (joint.effort or 1.0) / _GIVES[joint.kind]
            d = joint.stop.damping if joint.stop else c * _STOP_TIME
            values = f"q_min={number(joint.lower)}, q_max={number(joint.upper)}"
            self._at("JointStop", f"{name}_stop", f"{values}, c={number(c)}, d={number(d)}", name)

    def _friction(self, joint: Joint) -> float:
        """Dry friction: joints that mimic this one slide with it, so that theirs acts here. Two joints that are tied
        together could not both lock."""
        if joint.mimic is not None:
            return 0.0
        found = joint.friction
        for other in self._moving.values():
            factor, at = 1.0, other
            while at.mimic is not None and at.mimic.joint in self._moving:
                factor, at = factor * at.mimic.multiplier, self._moving[at.mimic.joint]
            if at.name == joint.name and other.name != joint.name:
                found += abs(factor) * other.friction
        return found

    def _at(self, kind: str, wanted: str, values: str, joint: str) -> None:
        self._connect(f"{self._submodel(kind, self._names.add(wanted), values)} at {joint}:ext")

    def _add_closure(self, closure: Closure) -> None:
        """Two frames at the links, and the constraint between them."""
        self._lines.append("")
        name = self._names.add(closure.name)
        cuts = []
        for cut, (link, pose) in (("a", closure.first), ("b", closure.second)):
            cuts.append((cut, self._frame[link]))
            if place := _placed(pose):
                at = self._submodel("Fixed" if "angle" in place else "Bar", self._names.add(f"{name}_{cut}"), place)
                self._connect(f"{at}:a at {self._frame[link]}")
                cuts[-1] = cut, f"{at}:b"
        self._submodel("CutFixed" if closure.rigid else "CutSpherical", name, "", "closes a loop")
        for cut, at in cuts:
            self._connect(f"{name}:{cut} at {at}")

    def _contacts(self) -> None:
        """What touches planes, and each other."""
        if self._settings.contacts == "none":
            return
        writer = ContactWriter(self._robot, self._settings.contacts, self._frame, self._names)
        self._lines += ["", *writer.declarations]
        for submodel in writer.submodels:
            self._submodel(*submodel)
        for connection in writer.connections:
            self._connect(connection)
        self._end_part()
        # It takes the shortest steps where contacts begin, and long ones at rest.
        self._lines += ['experiment (method="cvode-bdf")'] if writer.pairs else []

    def _drives(self) -> None:
        if self._robot.actuators:
            writer = ActuatorWriter(self._robot.actuators, self._joint, self._names)
            self._lines.append("")
            for submodel in writer.submodels:
                self._submodel(*submodel)
            self._lines += writer.declarations
            for k, name in enumerate(writer.joints, 1):
                self._connect(f"{writer.drive}({k}) at {self._joint[name]}:ext")
            self._end_part()
            self._lines += writer.equations
        if self._robot.controls or not self._driven:
            return
        self._lines.append("")
        for each in self._robot.transmissions:
            joints = ", ".join(self._joint.get(joint, shown(joint)) for joint in each.joints)
            ratio = "" if each.ratio in (None, 1) else f", ratio {each.ratio:g}"
            self._lines.append(f"{{ transmission {shown(each.name)}: {joints}{ratio} }}")
        self._lines.append(f"submodel (JointForce) drive({len(self._driven)})")
        for k, joint in enumerate(self._driven, 1):
            self._connect(f"drive({k}) at {self._motor(joint)}")
        self._end_part()
        self._lines += [f"for i = 1..{len(self._driven)} do", "  drive(i).f = tau(i)", "endfor"]

    def _motor(self, joint: Joint) -> str:
        """The cut at which the force of a joint acts: the motor's side of the gear, or the joint."""
        name = self._joint[joint.name]
        ratios = [each.ratio for each in self._robot.transmissions if each.joints == (joint.name,)]
        if not self._settings.gears or not ratios or ratios[0] in (None, 1):
            return f"{name}:ext"
        kind = "Rack" if joint.kind == "prismatic" else "IdealGear"
        gear = self._submodel(kind, self._names.add(f"{name}_gear"), f"ratio={number(ratios[0])}")
        self._connect(f"{gear}:B at {name}:ext")
        return f"{gear}:A"


def _listed(start: str, parts: list[str]) -> list[str]:
    """The parts after `start`, in lines that break at commas."""
    lines, indent = [start + parts[0]], " " * len(start)
    for part in parts[1:]:
        lines[-1] += ","
        if len(lines[-1]) + len(part) > 98:
            lines.append(indent + part)
        else:
            lines[-1] += " " + part
    return lines


def _is_nothing(of: Inertial) -> bool:
    return of.mass == 0 and not any(any(row) for row in of.inertia)


def _of_body(of: Inertial) -> str:
    values = [f"m={number(of.mass)}"]
    if any(of.center):
        values.append(f"r={vector(of.center)}")
    for i, j in ((0, 0), (1, 1), (2, 2), (1, 0), (2, 0), (2, 1)):
        if of.inertia[i][j]:
            values.append(f"I{i + 1}{j + 1}={number(of.inertia[i][j])}")
    return ", ".join(values + ([] if of.possible else ["any_inertia=true"]))


def _gravity(gravity: Triple) -> str:
    """The parameters of the inertial system; 9.81 m/s2 is its default."""
    size = math.hypot(*gravity)
    if size == 0:
        return ""
    g = "" if size == 9.81 else f", g={number(size)}"
    if sum(1 for x in gravity if x) == 1:
        gravity = (gravity[0] / size, gravity[1] / size, gravity[2] / size)
    return elements("ng", gravity) + g


def _placed(pose: Pose) -> str:
    values = [f"r={vector(pose.xyz)}"] if any(pose.xyz) else []
    if pose.angle:
        values += [elements("n", pose.axis), f"angle={number(pose.angle)}"]
    return ", ".join(values)


def _of_ball(joint: Joint, name: str) -> str:
    """The spring, damper and inertia of a joint that turns freely."""
    found = _values(c=joint.stiffness, d=joint.damping, J=joint.inertia)
    return f"{found}, tau={name}.load" if found else ""


def _of_free(joint: Joint, name: str) -> str:
    d, inertia = joint.damping, joint.inertia
    found = _values(df=d, dt=d, m=inertia, J=inertia)
    return f"{found}, f={name}.load, tau={name}.turn_load" if found else ""


def _values(**of: float) -> str:
    return ", ".join(f"{name}={number(value)}" for name, value in of.items() if value)


def _start_of_free(placed: Pose) -> str:
    x, angles = placed.xyz, cardan_angles(placed.turned)
    return ", ".join(each for each in (elements("x", x), elements("angle", angles)) if each)


def _of_mimic(mimic: Mimic) -> str:
    offset = f", offset={number(mimic.offset)}" if mimic.offset else ""
    if not mimic.higher:
        return f"multiplier={number(mimic.multiplier)}{offset}"
    factors = ", ".join(f"c{k}={number(value)}" for k, value in enumerate((mimic.multiplier, *mimic.higher), 1))
    return f"{factors}{offset}" + (f", start={number(mimic.start)}" if mimic.start else "")


def _start(joint: Joint) -> float:
    """The given start, otherwise zero, or the middle of the range if zero is outside."""
    if joint.start is not None:
        return joint.start
    if joint.lower is None or joint.upper is None or joint.lower <= 0 <= joint.upper:
        return 0.0
    return (joint.lower + joint.upper) / 2


def _about(joint: Joint) -> str:
    unit = "m" if joint.kind == "prismatic" else "rad"
    words = [f"{joint.kind} joint"]
    if joint.lower is not None and joint.upper is not None:
        words.append(f"{joint.lower:g} to {joint.upper:g} {unit}")
    if joint.effort:
        words.append(f"at most {joint.effort:g} {'N' if unit == 'm' else 'N.m'}")
    if joint.velocity:
        words.append(f"at most {joint.velocity:g} {unit}/s")
    return ", ".join(words)


def _across(axis: Triple) -> Triple:
    """A direction in the plane: axis 1 of the frame if it lies there, as for a normal along axis 3."""
    x, y, z = axis
    if abs(x) < 0.9:
        return 1 - x * x, -x * y, -x * z
    return -y * x, 1 - y * y, -y * z
