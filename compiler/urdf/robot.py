"""Defines a robot as a URDF file gives it: links, joints, shapes. Units are m, kg, rad, s, N."""

from __future__ import annotations

from dataclasses import dataclass

from cutset.compiler.diagnostics import Span
from cutset.compiler.urdf.rotations import Matrix, Triple

TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
# These have one coordinate, and so a drive, limits, friction; others can mimic them.
DRIVEN = ("revolute", "continuous", "prismatic")


@dataclass(frozen=True)
class Pose:
    """A frame in another one: its origin, and the rotation that turns its vectors into the other."""

    xyz: Triple
    rpy: Triple
    turned: Matrix


@dataclass(frozen=True)
class Inertial:
    """Mass, center of mass and inertia about the center, both in the frame of the link. `possible` is false if no body
    has this inertia."""

    mass: float
    center: Triple
    inertia: Matrix
    possible: bool
    span: Span


@dataclass(frozen=True)
class Shape:
    """A shape that is drawn: `kind` is box, cylinder, sphere or mesh; `size` its numbers; `file` that of a mesh;
    `color` red, green, blue if known."""

    kind: str
    pose: Pose
    size: tuple[float, ...]
    file: str
    color: tuple[float, ...]


@dataclass(frozen=True)
class Link:
    """A link; without `inertial` it has no mass."""

    name: str
    inertial: Inertial | None
    shapes: tuple[Shape, ...]
    span: Span


@dataclass(frozen=True)
class Mimic:
    """The coordinate is multiplier*q + offset, where q is that of another joint."""

    joint: str
    multiplier: float
    offset: float


@dataclass(frozen=True)
class Joint:
    """A joint; `origin` is the frame of the child in that of the parent while the coordinate is zero, `axis` a unit
    vector in that frame. `lower` and `upper` are None without limits; `effort` and
    `velocity` are zero if they are not given."""

    name: str
    kind: str
    parent: str
    child: str
    origin: Pose
    axis: Triple
    lower: float | None
    upper: float | None
    effort: float
    velocity: float
    damping: float
    friction: float
    mimic: Mimic | None
    span: Span

    @property
    def is_driven(self) -> bool:
        """True if the joint has one coordinate that is independent of the others."""
        return self.kind in DRIVEN and self.mimic is None


@dataclass(frozen=True)
class Transmission:
    """A transmission and its joints."""

    name: str
    joints: tuple[str, ...]


@dataclass(frozen=True)
class Robot:
    """A tree of links; `joints` are in an order in which each parent comes before its children. `dropped` says what
    the file contains in addition."""

    name: str
    root: str
    links: dict[str, Link]
    joints: tuple[Joint, ...]
    transmissions: tuple[Transmission, ...]
    dropped: tuple[str, ...]
