"""Trees of rigid bodies, in absolute inertial coordinates.

Newton's and Euler's equations of all bodies, projected with their Jacobians: M(q)*qdd = tau - h(q, qd), where
M = sum of J'*diag(inertia, mass)*J is built and factorized as a whole (no recursion over the tree). It shares
no formula with the library it is compared with. All frames are parallel to the inertial one at q = 0.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp

Vector = np.ndarray
INERTIAL = -1


@dataclass(frozen=True)
class Joint:
    """Turns about (revolute) or slides along (prismatic) `axis`, or both, by `lead` for an angle of 1 (a screw).
    `offset`: from the origin of the parent joint's moving frame to this joint, in that frame. One coordinate, one
    velocity, `inertia` beside that of the bodies."""

    parent: int
    axis: tuple[float, float, float]
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    prismatic: bool = False
    lead: float = 0.0
    inertia: float = 0.0

    coordinates = 1
    freedom = 1

    def motion(self, turn: np.ndarray, q: Vector) -> JointMotion:
        """`turn`: from the parent's frame to the inertial one."""
        axis = turn @ (np.array(self.axis, float) / np.linalg.norm(self.axis))
        if self.prismatic:
            return JointMotion(turn, axis * q[0], np.zeros((3, 1)), axis[:, None])
        turned = _rotation(axis, q[0]) @ turn
        return JointMotion(turned, axis * self.lead * q[0], axis[:, None], self.lead * axis[:, None])


@dataclass(frozen=True)
class Ball:
    """Turns in any way and, where `moves`, goes anywhere. Coordinates: Euler parameters (vector part first), then the
    position in the parent's frame; velocities: the relative angular velocity in its own frame, then the derivative of
    the position."""

    parent: int
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    moves: bool = False

    inertia = 0.0

    @property
    def coordinates(self) -> int:
        return 7 if self.moves else 4

    @property
    def freedom(self) -> int:
        return 6 if self.moves else 3

    def motion(self, turn: np.ndarray, q: Vector) -> JointMotion:
        """`turn`: from the parent's frame to the inertial one."""
        half = 2 * np.arctan2(np.linalg.norm(q[:3]), q[3])
        turned = turn @ (_rotation(q[:3] / np.linalg.norm(q[:3]), half) if np.any(q[:3]) else np.eye(3))
        if not self.moves:
            return JointMotion(turned, np.zeros(3), turned, np.zeros((3, 3)))
        nothing = np.zeros((3, 3))
        return JointMotion(turned, turn @ q[4:], np.hstack([turned, nothing]), np.hstack([nothing, turn]))


@dataclass(frozen=True)
class Weld:
    """No freedom: turned by `angle` about `axis`, at `offset`, in the parent's frame."""

    parent: int
    axis: tuple[float, float, float]
    angle: float
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)

    coordinates = 0
    freedom = 0
    inertia = 0.0

    def motion(self, turn: np.ndarray, q: Vector) -> JointMotion:
        """`turn`: from the parent's frame to the inertial one."""
        axis = turn @ (np.array(self.axis, float) / np.linalg.norm(self.axis))
        return JointMotion(_rotation(axis, self.angle) @ turn, np.zeros(3), np.zeros((3, 0)), np.zeros((3, 0)))


@dataclass(frozen=True)
class JointMotion:
    """Inertial orientation of the moving frame, its displacement, and what each velocity gives to the angular velocity
    and to the velocity of the origin, (3, freedom)."""

    turn: np.ndarray
    displacement: Vector
    angular: np.ndarray
    linear: np.ndarray


@dataclass(frozen=True)
class Body:
    """Moves with joint `joint`; center of mass and inertia about it (I11, I22, I33, I21, I31, I32) in that joint's
    frame."""

    joint: int
    mass: float
    center: tuple[float, float, float]
    inertia: tuple[float, float, float, float, float, float] = (0.0,) * 6

    @property
    def tensor(self) -> np.ndarray:
        i11, i22, i33, i21, i31, i32 = self.inertia
        return np.array([[i11, i21, i31], [i21, i22, i32], [i31, i32, i33]])


@dataclass(frozen=True)
class LineSpring:
    """Pulls with c*(s - s0) along the line between two points, each fixed in the frame of a joint or the inertial
    one."""

    first: int
    first_point: tuple[float, float, float]
    second: int
    second_point: tuple[float, float, float]
    c: float
    s0: float


@dataclass(frozen=True)
class Motion:
    """Per joint frame: orientation, origin, angular velocity, velocity, and both accelerations at qdd = 0."""

    turn: list[np.ndarray]
    origin: list[Vector]
    omega: list[Vector]
    velocity: list[Vector]
    alpha: list[Vector]
    acceleration: list[Vector]
    columns: list[JointMotion]


@dataclass(frozen=True)
class PointMotion:
    """Of a point that is fixed in a frame: its place, the angular velocity of the frame, its own velocity, both
    accelerations without those of the velocities of the joints, and the matrices of these in both velocities."""

    place: Vector
    spin: Vector
    velocity: Vector
    twist: Vector
    slip: Vector
    angular: np.ndarray
    linear: np.ndarray


@dataclass(frozen=True)
class Tree:
    """`joints` in an order in which parents come first; gravity is the acceleration of free fall."""

    joints: tuple[Joint | Ball | Weld, ...]
    bodies: tuple[Body, ...]
    gravity: tuple[float, float, float] = (0.0, 0.0, 0.0)
    springs: tuple[LineSpring, ...] = ()
    damping: tuple[float, ...] = ()

    def accelerations(self, q: Vector, qd: Vector, tau: Vector | None = None) -> Vector:
        """qdd for the joint forces tau, which come on top of springs and damping."""
        return np.linalg.solve(*self.equations(q, qd, tau))

    def equations(self, q: Vector, qd: Vector, tau: Vector | None = None) -> tuple[np.ndarray, Vector]:
        """The mass matrix, and what it is times qdd."""
        motion = self.motion(q, qd)
        n = len(qd)
        mass, force = np.zeros((n, n)), np.zeros(n) if tau is None else np.array(tau, float)
        for k, columns in enumerate(self.velocities):
            mass[columns, columns] += self.joints[k].inertia * np.eye(self.joints[k].freedom)
        if self.damping:
            force -= np.array(self.damping) * qd
        for body in self.bodies:
            k = body.joint
            center = motion.turn[k] @ np.array(body.center)
            tensor = motion.turn[k] @ body.tensor @ motion.turn[k].T
            angular, linear = self._jacobians(motion, k, motion.origin[k] + center)
            mass += body.mass * linear.T @ linear + angular.T @ tensor @ angular
            omega, alpha = motion.omega[k], motion.alpha[k]
            bias = motion.acceleration[k] + np.cross(alpha, center) + np.cross(omega, np.cross(omega, center))
            force -= linear.T @ (body.mass * (bias - np.array(self.gravity)))
            force -= angular.T @ (tensor @ alpha + np.cross(omega, tensor @ omega))
        force += self._spring_forces(motion)
        return mass, force

    @property
    def velocities(self) -> list[slice]:
        """Where those of each joint stand in qd."""
        return _slices(joint.freedom for joint in self.joints)

    @property
    def coordinates(self) -> list[slice]:
        """Where those of each joint stand in q."""
        return _slices(joint.coordinates for joint in self.joints)

    def energy(self, q: Vector, qd: Vector) -> float:
        """Kinetic energy and the potential energy of gravity and springs."""
        motion = self.motion(q, qd)
        total = 0.5 * sum(j.inertia * qd[v] @ qd[v] for j, v in zip(self.joints, self.velocities, strict=True))
        for body in self.bodies:
            k = body.joint
            center = motion.turn[k] @ np.array(body.center)
            velocity = motion.velocity[k] + np.cross(motion.omega[k], center)
            tensor = motion.turn[k] @ body.tensor @ motion.turn[k].T
            total += 0.5 * body.mass * velocity @ velocity + 0.5 * motion.omega[k] @ tensor @ motion.omega[k]
            total -= body.mass * np.array(self.gravity) @ (motion.origin[k] + center)
        for spring in self.springs:
            first, second = self._ends(motion, spring)
            total += 0.5 * spring.c * (np.linalg.norm(second - first) - spring.s0) ** 2
        return float(total)

    def point(self, q: Vector, joint: int, local: Vector) -> Vector:
        """Inertial position of a point of a joint's moving frame."""
        return self._position(self.motion(q, np.zeros(self.velocities[-1].stop)), joint, np.asarray(local, float))

    def cut_force(
        self, q: Vector, qd: Vector, qdd: Vector, joint: int, parent: int, point: Vector
    ) -> tuple[Vector, Vector]:
        """Force and torque that what hangs on a joint receives through it, and the torque about `point` of the frame of
        its parent; both resolved in the inertial frame."""
        motion = self.motion(q, qd)
        center_of_torque = self._position(motion, parent, np.asarray(point, float))
        force, torque = np.zeros(3), np.zeros(3)
        for body in self.bodies:
            k = body.joint
            if not self._hangs_on(k, joint):
                continue
            center = motion.turn[k] @ np.array(body.center)
            tensor = motion.turn[k] @ body.tensor @ motion.turn[k].T
            angular, linear = self._jacobians(motion, k, motion.origin[k] + center)
            omega, alpha = motion.omega[k], motion.alpha[k]
            bias = motion.acceleration[k] + np.cross(alpha, center) + np.cross(omega, np.cross(omega, center))
            pull = body.mass * (bias + linear @ qdd - np.array(self.gravity))
            force += pull
            torque += np.cross(motion.origin[k] + center - center_of_torque, pull)
            torque += tensor @ (alpha + angular @ qdd) + np.cross(omega, tensor @ omega)
        for k, end, pull in self.pulls(motion):
            if self._hangs_on(k, joint):
                force -= pull
                torque -= np.cross(end - center_of_torque, pull)
        return force, torque

    def _hangs_on(self, k: int, joint: int) -> bool:
        while k not in (joint, INERTIAL):
            k = self.joints[k].parent
        return k == joint

    def point_motion(self, motion: Motion, joint: int, local: Vector) -> PointMotion:
        """Of a point of a joint's moving frame, or of the inertial one."""
        angular, linear = self._jacobians(motion, joint, place := self._position(motion, joint, np.asarray(local)))
        if joint == INERTIAL:
            zero = np.zeros(3)
            return PointMotion(place, zero, zero, zero, zero, angular, linear)
        spin, twist, arm = motion.omega[joint], motion.alpha[joint], place - motion.origin[joint]
        velocity = motion.velocity[joint] + np.cross(spin, arm)
        slip = motion.acceleration[joint] + np.cross(twist, arm) + np.cross(spin, np.cross(spin, arm))
        return PointMotion(place, spin, velocity, twist, slip, angular, linear)

    # --- kinematics --------------------------------------------------------------------------------

    def motion(self, q: Vector, qd: Vector) -> Motion:
        """Of the frames of all joints."""
        zero, unit = np.zeros(3), np.eye(3)
        motion = Motion([], [], [], [], [], [], [])
        for joint, place, rates in zip(self.joints, self.coordinates, self.velocities, strict=True):
            k = joint.parent
            inertial = k == INERTIAL
            turn, origin = (unit, zero) if inertial else (motion.turn[k], motion.origin[k])
            omega, velocity = (zero, zero) if inertial else (motion.omega[k], motion.velocity[k])
            alpha, acceleration = (zero, zero) if inertial else (motion.alpha[k], motion.acceleration[k])
            own = joint.motion(turn, q[place])
            arm = turn @ np.array(joint.offset) + own.displacement
            spin, slip = own.angular @ qd[rates], own.linear @ qd[rates]
            motion.columns.append(own)
            motion.turn.append(own.turn)
            motion.omega.append(omega + spin)
            motion.alpha.append(alpha + np.cross(omega, spin))
            motion.origin.append(origin + arm)
            motion.velocity.append(velocity + np.cross(omega, arm) + slip)
            motion.acceleration.append(
                acceleration + np.cross(alpha, arm) + np.cross(omega, np.cross(omega, arm)) + 2 * np.cross(omega, slip)
            )
        return motion

    def _jacobians(self, motion: Motion, joint: int, point: Vector) -> tuple[np.ndarray, np.ndarray]:
        """Of the angular velocity of a joint's frame and of the velocity of a point fixed in it."""
        velocities = self.velocities
        n = velocities[-1].stop
        angular, linear = np.zeros((3, n)), np.zeros((3, n))
        while joint != INERTIAL:
            own, rates, arm = motion.columns[joint], velocities[joint], point - motion.origin[joint]
            angular[:, rates] = own.angular
            linear[:, rates] = own.linear + np.cross(own.angular.T, arm).T
            joint = self.joints[joint].parent
        return angular, linear

    def _spring_forces(self, motion: Motion) -> Vector:
        force = np.zeros(self.velocities[-1].stop)
        for k, end, pull in self.pulls(motion):
            force += self._jacobians(motion, k, end)[1].T @ pull
        return force

    def pulls(self, motion: Motion) -> Iterator[tuple[int, Vector, Vector]]:
        """The forces of the springs on joint frames, and the points where they act."""
        for spring in self.springs:
            first, second = self._ends(motion, spring)
            line = second - first
            length = np.linalg.norm(line)
            pull = spring.c * (length - spring.s0) * line / length
            yield spring.first, first, pull
            yield spring.second, second, -pull

    def _ends(self, motion: Motion, spring: LineSpring) -> tuple[Vector, Vector]:
        first = self._position(motion, spring.first, np.array(spring.first_point))
        return first, self._position(motion, spring.second, np.array(spring.second_point))

    def _position(self, motion: Motion, joint: int, local: Vector) -> Vector:
        return local if joint == INERTIAL else motion.origin[joint] + motion.turn[joint] @ local


def trajectory(
    accelerations: Callable[[Vector, Vector], Vector], q: Vector, qd: Vector, times: Vector, tolerance: float = 1e-11
) -> tuple[np.ndarray, np.ndarray]:
    """q and qd at `times`, one row each, of qdd = accelerations(q, qd); times[0] is the start."""
    n = len(q)

    def rate(t: float, x: Vector) -> Vector:
        return np.concatenate([x[n:], accelerations(x[:n], x[n:])])

    start, span = np.concatenate([q, qd]), (times[0], times[-1])
    result = solve_ivp(rate, span, start, method="DOP853", t_eval=times, rtol=tolerance, atol=tolerance)
    assert result.success, result.message
    return result.y[:n].T, result.y[n:].T


def _rotation(axis: Vector, angle: float) -> np.ndarray:
    """Rodrigues' formula for a unit axis."""
    x, y, z = axis
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def _slices(sizes: Iterable[int]) -> list[slice]:
    """One behind the other."""
    ends = [0]
    for size in sizes:
        ends.append(ends[-1] + size)
    return [slice(first, last) for first, last in itertools.pairwise(ends)]
