"""Describes the mechanism of a model: instance tree and FlatModel -> `Mechanism`, and the functions that it defines.

Says which variables of joints are positions, velocities, accelerations and forces, and which `Function` of them each
quantity of mechanics is. Translates and computes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from cutset.api.mechanics.frame_elements import Frame, FrameElement, direction_cosines, elements_of
from cutset.api.mechanics.topology import Topology, topology_of
from cutset.compiler.flatten.model import FlatModel
from cutset.compiler.function.definition import FrameMotion, Function, MassMotion
from cutset.compiler.function.equations import INERTIAL
from cutset.compiler.instantiate.instance import Instance, around, element_names, leaves_of
from cutset.contract.names import partition, rpartition
from cutset.runtime.errors import RunError, unknown_name

_MOST_NAMED = 6
# The classes whose masses are in sums over all, and those with other masses, except the classes of the set.
_SUMMED = {"Body", "PointMass"}
_MASSIVE = {"SpringWithMass": set[str](), "FlexibleBody": {"JointN"}}
# By the names of the positions that a joint declares: velocities, and forces that do work on them.
_CONJUGATES = {
    ("q",): (("qd",), ("lambda",)),
    ("p",): (("w",), ("tau",)),
    ("x", "p"): (("v", "w"), ("f", "tau")),
}


@dataclass(frozen=True)
class JointVariables:
    """The variables of a joint by their full names: positions, as many velocities, accelerations and forces as it has
    degrees of freedom. An acceleration is the derivative of a velocity; velocity times force is power."""

    name: str
    class_name: str
    positions: tuple[str, ...]
    velocities: tuple[str, ...]
    forces: tuple[str, ...]


@dataclass(frozen=True)
class Mechanism:
    """The joints of a mechanism in the order of its bodies, and its elements in the order of the text."""

    topology: Topology
    joints: tuple[JointVariables, ...]
    elements: tuple[FrameElement, ...]

    @cached_property
    def positions(self) -> tuple[str, ...]:
        """The positions of all joints."""
        return tuple(name for joint in self.joints for name in joint.positions)

    @cached_property
    def velocities(self) -> tuple[str, ...]:
        """The velocities of all joints."""
        return tuple(name for joint in self.joints for name in joint.velocities)

    @cached_property
    def accelerations(self) -> tuple[str, ...]:
        """The derivatives of `velocities`."""
        return tuple(f"der({name})" for name in self.velocities)

    @cached_property
    def forces(self) -> tuple[str, ...]:
        """The forces and torques that drive the joints, in the order of `velocities`."""
        return tuple(name for joint in self.joints for name in joint.forces)

    @cached_property
    def frames(self) -> dict[str, Frame]:
        """The cut-frames by name, `element:cut`, those of elements that close loops left out."""
        return {f"{f.instance}:{f.cut}": f for e in self.elements if e.instance.path in self._moving for f in e.frames}

    def frame(self, name: str) -> Frame:
        """The cut-frame of this name. RunError E602 if there is none."""
        if name not in self.frames:
            what, hint = unknown_name("cut-frame", name, list(self.frames))
            some = ", ".join(list(self.frames)[:_MOST_NAMED])
            raise RunError("E602", what, hint or f"cut-frames are: {some}, ...")
        return self.frames[name]

    # --- functions -------------------------------------------------------------------------------

    def inverse(self) -> Function:
        """Forces from positions, velocities and accelerations."""
        return self._function((*self.positions, *self.velocities, *self.accelerations), outputs=self.forces)

    def bias(self) -> Function:
        """Forces from positions and velocities, without accelerations."""
        return self._function((*self.positions, *self.velocities), zeros=self.accelerations, outputs=self.forces)

    def forward(self) -> Function:
        """Accelerations from positions, velocities and forces, where no element closes a loop."""
        return self._function((*self.positions, *self.velocities, *self.forces), outputs=self.accelerations)

    def derivatives(self, change: Literal["tangents", "solved"]) -> Function:
        """The derivatives of forces, or of accelerations ('solved'), from positions, velocities and accelerations."""
        moving = (*self.velocities, *self.accelerations)
        return self._function((*self.positions, *moving), outputs=self.forces, by=moving, change=change)

    def regressor(self) -> Function:
        """The derivatives of the forces by the inertial parameters, from positions, velocities and accelerations. Where
        the centers are in the origins of their frames, those by masses, centers and inertias are the wanted ones."""
        self._require_sums()
        inputs = (*self.positions, *self.velocities, *self.accelerations)
        values = tuple((name, float(name.endswith(".m"))) for name in self.inertial)
        return self._function(inputs, outputs=self.forces, by=self.inertial, parameters=values)

    def of_masses(self, quantity: Literal["center", "momentum", "energy"], by_velocities: bool = False) -> Function:
        """The sum over all masses, or its derivatives by the velocities, from positions, and velocities for those that
        need them."""
        self._require_sums()
        bases = [element.frames[0] for element in self.elements if element.kind == "base"]
        if quantity == "energy" and len(bases) > 1:
            first, second = bases[0].instance, bases[1].instance
            what = f"the potential energy has no gravity of its own: '{first}' and '{second}' may differ in it"
            raise RunError("E605", what, "connect all to one Inertial")
        output = MassMotion(self._masses, bases[0], quantity)
        moving = self.velocities if quantity != "center" else ()
        if by_velocities:
            return self._function(self.positions, self.accelerations, (output,), moving)
        zeros = self.accelerations if moving else (*self.velocities, *self.accelerations)
        return self._function((*self.positions, *moving), zeros, (output,))

    def mass_matrix(self) -> Function:
        """The derivatives of the forces by the accelerations, from positions."""
        return self._function(self.positions, zeros=self.velocities, outputs=self.forces, by=self.accelerations)

    def pose(self, frames: Sequence[Frame]) -> Function:
        """The direction cosines of frames, and then their positions, from positions."""
        places = [FrameMotion(*frame, "position") for frame in frames]
        outputs = (*(each._replace(quantity="rotation") for each in places), *places)
        return self._function(self.positions, (*self.velocities, *self.accelerations), outputs)

    def jacobian(self, frames: Sequence[Frame]) -> Function:
        """The derivatives of the velocities of frames by those of the joints, from positions."""
        outputs = tuple(FrameMotion(*frame, "velocity") for frame in frames)
        return self._function(self.positions, self.accelerations, outputs, self.velocities)

    def jacobian_rate(self, frames: Sequence[Frame]) -> Function:
        """The derivatives of the Jacobian of frames by time, from positions and velocities."""
        moving = (*self.positions, *self.velocities)
        outputs = tuple(FrameMotion(*frame, "velocity") for frame in frames)
        return self._function(moving, self.accelerations, outputs, self.velocities, change="rates")

    def constraints(self, change: Literal["", "rates"] = "") -> Function:
        """The derivatives of the constraints that close loops by the velocities, from positions; or the 'rates' of
        these, from velocities too."""
        for name in self.closing:
            if self._kinds[name] == "joint":
                what = f"the joint '{name}' closes a loop, but its equations have no constraints for the others"
                raise RunError("E605", what, "close the loop with an element without coordinates, such as CutRevolute")
        return self._function(
            (*self.positions, *(self.velocities if change else ())),
            self.accelerations,
            by=self.velocities,
            change=change,
            constraints=self.closing,
        )

    @cached_property
    def body_frames(self) -> tuple[Frame, ...]:
        """The frame of each body in which its joint ends: the last one of an assembly of joints, or the frame of an
        assembly in closed form."""
        ends = {element.instance.path: element.frames[1] for element in self.elements if element.kind == "joint"}
        found = []
        for body in self.topology.bodies:
            coordinates = body.joint.coordinates
            path, _, cut = partition(body.joint.name, ":")
            found.append(ends[rpartition(coordinates[-1])[0]] if coordinates else Frame(path, cut))
        return tuple(found)

    def _function(
        self,
        inputs: tuple[str, ...],
        zeros: tuple[str, ...] = (),
        outputs: tuple[str | FrameMotion | MassMotion, ...] = (),
        by: tuple[str, ...] = (),
        **others: Any,
    ) -> Function:
        independent = (*self.positions, *self.velocities)
        none = (*zeros, *self._from_drives)
        return Function(self._moving, independent, self.forces, inputs, none, outputs, by, **others)

    @cached_property
    def inertial(self) -> tuple[str, ...]:
        """The parameters of all masses: mass, center of mass, and inertia about it, those that an element has."""
        found = {name for e in self.elements if e.kind == "mass" for p in e.instance.parameters for name in [p.name]}
        names = (f"{path}.{name}" for path, _ in self._masses for name in INERTIAL)
        return tuple(name for name in names if name in found)

    @cached_property
    def _masses(self) -> tuple[Frame, ...]:
        """The cut-frames of the masses that move."""
        frames = {element.instance.path: element.frames[0] for element in self.elements if element.kind == "mass"}
        return tuple(frames[path] for body in self.topology.bodies for path in body.masses)

    def _require_sums(self) -> None:
        """RunError E605 if an element has a mass of another form than that of a rigid body."""
        for element in self.elements:
            names = {name for name, _ in element.instance.line}
            own = any(name in names and names.isdisjoint(without) for name, without in _MASSIVE.items())
            if own or (element.kind == "mass" and names.isdisjoint(_SUMMED)):
                what = f"sums over masses lack that of '{element.instance.path}', which is no Body and no PointMass"
                raise RunError("E605", what, "the mass matrix has it: the kinetic energy is v'*M*v/2")

    @cached_property
    def _from_drives(self) -> tuple[str, ...]:
        """What drives add to the equations of joints, through parts of these that are no more than a cut."""
        joints = (e.instance for e in self.elements if e.kind == "joint" and e.instance.path in self._moving)
        parts = (part for joint in joints for part in list(joint.walk())[1:] if not part.equations)
        leaves = (leaf for part in parts for cut in part.cuts for leaf in leaves_of(cut.through))
        return tuple(str((leaf.args[0] if leaf.op == "neg" else leaf).data) for leaf in leaves)

    @cached_property
    def closing(self) -> tuple[str, ...]:
        """The elements that close loops, except assemblies in closed form, which are part of the tree."""
        return tuple(loop.name for loop in self.topology.loops if self._kinds[loop.name] != "assembly")

    @cached_property
    def _kinds(self) -> dict[str, str]:
        return {element.instance.path: element.kind for element in self.elements}

    @cached_property
    def _moving(self) -> frozenset[str]:
        """The elements that move with the tree, with the parts of those that contain no further elements. A part of a
        joint with cuts is a drive line, which is left out."""
        containers = {parent for path in self._kinds for parent in around(path)[:-1]}
        found = set(self._kinds)
        for element in self.elements:
            if element.instance.path not in containers:
                parts = list(element.instance.walk())[1:]
                found.update(part.path for part in parts if element.kind != "joint" or not part.cuts)
        return frozenset(found).difference(self.closing)


def mechanism_of(root: Instance, flat: FlatModel) -> Mechanism:
    """The mechanism of a model. RunError E605 if it has no joints between cut-frames."""
    topology = topology_of(root, flat)
    elements = tuple(elements_of(root))
    coordinates = [name for body in topology.bodies for name in body.joint.coordinates]
    if not coordinates:
        hint = "mechanics needs bodies and joints of mbs, mbssim, mbsmat or mbsabs that are connected with Inertial"
        raise RunError("E605", f"{flat.name} has no joints that carry bodies", hint)
    classes = {element.instance.path: element.instance.class_name for element in elements}
    return Mechanism(topology, tuple(_joints(flat, classes, coordinates)), elements)


def _joints(flat: FlatModel, classes: dict[str, str], coordinates: list[str]) -> Iterator[JointVariables]:
    shapes = {variable.name: variable.value.shape for variable in flat.variables}
    positions: dict[str, dict[str, None]] = {}
    for name in coordinates:
        path, _, own = rpartition(name)
        positions.setdefault(path, {})[partition(own, "(")[0]] = None
    for path, names in positions.items():
        found = (tuple(names), *_CONJUGATES[tuple(names)])
        scalars = [
            tuple(n for v in each for n in element_names(f"{path}.{v}", shapes.get(f"{path}.{v}", ())))
            for each in found
        ]
        yield JointVariables(path, classes.get(path, ""), *scalars)


def library_of(flat: FlatModel) -> str:
    """The name of the file that declares the cut-frames; empty without cut-frames."""
    for cut in flat.cuts.values():
        if cut.cut_class is not None and direction_cosines(cut) is not None:
            return Path(cut.cut_class.span.source.name).stem
    return ""
