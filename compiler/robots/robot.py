"""Defines a robot as a file describes it: links, joints, drives, shapes. Units are m, kg, rad, s, N."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from cutset.compiler.diagnostics import Span
from cutset.compiler.robots.rotations import UNIT, Matrix, Triple

TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")  # of URDF; MJCF adds "ball"
# These have one coordinate, and so a drive, limits, friction; others can mimic them.
DRIVEN = ("revolute", "continuous", "prismatic")


@dataclass(frozen=True)
class Pose:
    """A frame in another one: its origin, and its rotation as axis and angle, and as the matrix that turns its vectors
    into the other."""

    xyz: Triple
    axis: Triple
    angle: float
    turned: Matrix


HERE = Pose((0.0, 0.0, 0.0), (0.0, 0.0, 1.0), 0.0, UNIT)


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
class DrawnMesh:
    """A mesh as a model names it: the `file` in the folder of the model, the length in m of its unit along each of its
    axes, and red, green, blue if known. Colors in the file replace this one if they are its `own_colors`."""

    file: str
    scale: Triple
    color: tuple[float, ...]
    own_colors: bool = True


@dataclass(frozen=True)
class Shape:
    """A shape that is drawn: `kind` is box, cylinder, sphere or mesh; `size` its numbers; `file` that of a mesh, with
    its `scale`; `color` red, green, blue if known, for what has no color in the file, or for all without `own_colors`.
    `drawn` are the meshes that draw it, if they are found, and `span` is the place of a mesh."""

    kind: str
    pose: Pose
    size: tuple[float, ...]
    file: str
    color: tuple[float, ...]
    scale: Triple = (1.0, 1.0, 1.0)
    own_colors: bool = True
    drawn: tuple[DrawnMesh, ...] = ()
    span: Span | None = None


@dataclass(frozen=True)
class Collider:
    """A convex shape of a link that can touch others, in the frame of the link, or of the inertial system if `link` is
    empty: the hull of `points`, widened by `radius`; with a `normal` the plane through its only point; that of a `mesh`
    has no points until its file is read."""

    link: str
    points: tuple[Triple, ...]
    radius: float = 0.0
    normal: Triple | None = None
    mesh: Shape | None = None


@dataclass(frozen=True)
class Touching:
    """Two colliders, by their numbers, that may touch, at a distance of `margin`; a plane is the first one."""

    first: int
    second: int
    friction: float
    margin: float = 0.0


@dataclass(frozen=True)
class Link:
    """A link; without `inertial` it has no mass. `between` is true if it only separates two joints of one body."""

    name: str
    inertial: Inertial | None
    shapes: tuple[Shape, ...]
    span: Span
    between: bool = False


@dataclass(frozen=True)
class Mimic:
    """The coordinate is multiplier*x + offset + the sum of higher[k]*x^(k + 2), where x = q - start, and q is the
    coordinate of another joint."""

    joint: str
    multiplier: float
    offset: float
    start: float = 0.0
    higher: tuple[float, ...] = ()


@dataclass(frozen=True)
class Stop:
    """The stiffness and damping of a joint at its limits."""

    stiffness: float
    damping: float


@dataclass(frozen=True)
class Joint:
    """A joint; `origin` is its frame in that of the parent while the coordinate is zero, `axis` a unit vector in that
    frame, `after` the origin of the child's frame in it. `lower` and `upper` are None without limits; `effort` and
    `velocity` are zero if they are not given. The spring has no force at the coordinate `rest`; `inertia` moves with
    the coordinate. `start` is the coordinate at the start, or None for zero or the middle of the range, and the
    coordinate of a `locked` joint; an `idle` one moves no mass, and others determine its motion; `placed` is the pose
    of a floating joint at the start."""

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
    after: Triple = (0.0, 0.0, 0.0)
    stiffness: float = 0.0
    rest: float = 0.0
    inertia: float = 0.0
    start: float | None = None
    stop: Stop | None = None
    placed: Pose = HERE
    locked: bool = False
    idle: bool = False

    @property
    def is_driven(self) -> bool:
        """True if the joint has one coordinate that is independent of the others."""
        return self.kind in DRIVEN and self.mimic is None


@dataclass(frozen=True)
class Transmission:
    """A transmission and its joints. The motor turns by `ratio` while the joint turns by one; None if the transmission
    is another one than that of one motor and one joint."""

    name: str
    joints: tuple[str, ...]
    ratio: float | None


@dataclass(frozen=True)
class Actuator:
    """A drive with its own law. With the length L, the sum of factor*q over `joints`, and its rate V, the force along L
    is (gain[0] + gain[1]*L + gain[2]*V)*u + bias[0] + bias[1]*L + bias[2]*V. `u` is the control signal within
    `control`, or follows it: as its integral if `integrates`, otherwise with the time constant `lag`. A `passive` one,
    such as a spring between joints, has no control."""

    name: str
    joints: tuple[tuple[str, float], ...]
    gain: Triple
    bias: Triple
    control: tuple[float, float] | None
    force: tuple[float, float] | None
    lag: float | None = None
    integrates: bool = False
    passive: bool = False


@dataclass(frozen=True)
class Closure:
    """Two points that stay together, or two frames if `rigid`, each in a link; it closes a loop."""

    name: str
    first: tuple[str, Pose]
    second: tuple[str, Pose]
    rigid: bool


@dataclass(frozen=True)
class Robot:
    """A tree of links; `joints` are in an order in which each parent comes before its children. `dropped` says what
    the file contains in addition. A robot with controls is driven by them, otherwise each joint has a force. `part`
    is the format's word for a link. `touching` are the pairs of colliders that the file lets collide."""

    name: str
    root: str
    links: dict[str, Link]
    joints: tuple[Joint, ...]
    transmissions: tuple[Transmission, ...]
    dropped: tuple[str, ...]
    actuators: tuple[Actuator, ...] = ()
    closures: tuple[Closure, ...] = ()
    gravity: Triple = (0.0, 0.0, -9.81)
    part: str = "link"
    colliders: tuple[Collider, ...] = ()
    touching: tuple[Touching, ...] = ()

    @property
    def controls(self) -> tuple[str, ...]:
        """The names of the actuators with a control, in the order of these."""
        return tuple(actuator.name for actuator in self.actuators if not actuator.passive)


def by_branch(joints: Iterable[Joint], roots: Iterable[str]) -> list[Joint]:
    """The joints that are reached from the roots, branch after branch, in their order."""
    children: dict[str, list[Joint]] = {}
    for joint in joints:
        children.setdefault(joint.parent, []).append(joint)
    waiting, found = [joint for root in roots for joint in children.get(root, [])][::-1], []
    while waiting:
        found.append(waiting.pop())
        waiting += reversed(children.get(found[-1].child, []))
    return found
