"""Trees of rigid bodies with one-degree-of-freedom joints, in absolute inertial coordinates.

Newton's and Euler's equations of all bodies, projected with their Jacobians: M(q)*qdd = tau - h(q, qd), where
M = sum of J'*diag(inertia, mass)*J is built and factorised as a whole (no recursion over the tree). It shares
no formula with the library it is compared with. All frames are parallel to the inertial one at q = 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp

Vector = np.ndarray
INERTIAL = -1


@dataclass(frozen=True)
class Joint:
    """Turns about (revolute) or slides along (prismatic) `axis`. `offset`: from the origin of the parent joint's
    moving frame to this joint, in that frame."""

    parent: int
    axis: tuple[float, float, float]
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    prismatic: bool = False


@dataclass(frozen=True)
class Body:
    """Moves with joint `joint`; centre of mass and inertia about it (I11, I22, I33, I21, I31, I32) in that joint's frame."""

    joint: int
    mass: float
    centre: tuple[float, float, float]
    inertia: tuple[float, float, float, float, float, float] = (0.0,) * 6

    @property
    def tensor(self) -> np.ndarray:
        i11, i22, i33, i21, i31, i32 = self.inertia
        return np.array([[i11, i21, i31], [i21, i22, i32], [i31, i32, i33]])


@dataclass(frozen=True)
class LineSpring:
    """Pulls with c*(s - s0) along the line between two points, each fixed in the frame of a joint or the inertial one."""

    first: int
    first_point: tuple[float, float, float]
    second: int
    second_point: tuple[float, float, float]
    c: float
    s0: float


@dataclass(frozen=True)
class _Motion:
    """Per joint frame: orientation, origin, angular velocity, velocity, and both accelerations at qdd = 0."""

    turn: list[np.ndarray]
    origin: list[Vector]
    omega: list[Vector]
    velocity: list[Vector]
    alpha: list[Vector]
    acceleration: list[Vector]
    axis: list[Vector]


@dataclass(frozen=True)
class Tree:
    """`joints` in an order in which parents come first; gravity is the acceleration of free fall."""

    joints: tuple[Joint, ...]
    bodies: tuple[Body, ...]
    gravity: tuple[float, float, float] = (0.0, 0.0, 0.0)
    springs: tuple[LineSpring, ...] = ()
    damping: tuple[float, ...] = ()

    def accelerations(self, q: Vector, qd: Vector, tau: Vector | None = None) -> Vector:
        """qdd for the joint forces tau, which come on top of springs and damping."""
        motion = self._motion(q, qd)
        n = len(self.joints)
        mass, force = np.zeros((n, n)), np.zeros(n) if tau is None else np.array(tau, float)
        if self.damping:
            force -= np.array(self.damping) * qd
        for body in self.bodies:
            k = body.joint
            centre = motion.turn[k] @ np.array(body.centre)
            tensor = motion.turn[k] @ body.tensor @ motion.turn[k].T
            angular, linear = self._jacobians(motion, k, motion.origin[k] + centre)
            mass += body.mass * linear.T @ linear + angular.T @ tensor @ angular
            omega, alpha = motion.omega[k], motion.alpha[k]
            bias = motion.acceleration[k] + np.cross(alpha, centre) + np.cross(omega, np.cross(omega, centre))
            force -= linear.T @ (body.mass * (bias - np.array(self.gravity)))
            force -= angular.T @ (tensor @ alpha + np.cross(omega, tensor @ omega))
        force += self._spring_forces(motion)
        return np.linalg.solve(mass, force)

    def energy(self, q: Vector, qd: Vector) -> float:
        """Kinetic energy and the potential energy of gravity and springs."""
        motion = self._motion(q, qd)
        total = 0.0
        for body in self.bodies:
            k = body.joint
            centre = motion.turn[k] @ np.array(body.centre)
            velocity = motion.velocity[k] + np.cross(motion.omega[k], centre)
            tensor = motion.turn[k] @ body.tensor @ motion.turn[k].T
            total += 0.5 * body.mass * velocity @ velocity + 0.5 * motion.omega[k] @ tensor @ motion.omega[k]
            total -= body.mass * np.array(self.gravity) @ (motion.origin[k] + centre)
        for spring in self.springs:
            first, second = self._ends(motion, spring)
            total += 0.5 * spring.c * (np.linalg.norm(second - first) - spring.s0) ** 2
        return float(total)

    def point(self, q: Vector, joint: int, local: Vector) -> Vector:
        """Inertial position of a point of a joint's moving frame."""
        return self._position(self._motion(q, np.zeros(len(self.joints))), joint, np.asarray(local, float))

    # --- kinematics --------------------------------------------------------------------------------

    def _motion(self, q: Vector, qd: Vector) -> _Motion:
        zero, unit = np.zeros(3), np.eye(3)
        motion = _Motion([], [], [], [], [], [], [])
        for joint, angle, rate in zip(self.joints, q, qd, strict=True):
            k = joint.parent
            inertial = k == INERTIAL
            turn, origin = (unit, zero) if inertial else (motion.turn[k], motion.origin[k])
            omega, velocity = (zero, zero) if inertial else (motion.omega[k], motion.velocity[k])
            alpha, acceleration = (zero, zero) if inertial else (motion.alpha[k], motion.acceleration[k])
            axis = np.array(joint.axis, float)
            axis = turn @ (axis / np.linalg.norm(axis))
            arm = turn @ np.array(joint.offset)
            if joint.prismatic:
                arm = arm + axis * angle
                motion.turn.append(turn)
                motion.omega.append(omega)
                motion.alpha.append(alpha)
            else:
                motion.turn.append(_rotation(axis, angle) @ turn)
                motion.omega.append(omega + axis * rate)
                motion.alpha.append(alpha + np.cross(omega, axis) * rate)
            slip = axis * rate if joint.prismatic else zero
            motion.axis.append(axis)
            motion.origin.append(origin + arm)
            motion.velocity.append(velocity + np.cross(omega, arm) + slip)
            motion.acceleration.append(
                acceleration + np.cross(alpha, arm) + np.cross(omega, np.cross(omega, arm)) + 2 * np.cross(omega, slip)
            )
        return motion

    def _jacobians(self, motion: _Motion, joint: int, point: Vector) -> tuple[np.ndarray, np.ndarray]:
        """Of the angular velocity of a joint's frame and of the velocity of a point fixed in it."""
        angular, linear = np.zeros((3, len(self.joints))), np.zeros((3, len(self.joints)))
        while joint != INERTIAL:
            if self.joints[joint].prismatic:
                linear[:, joint] = motion.axis[joint]
            else:
                angular[:, joint] = motion.axis[joint]
                linear[:, joint] = np.cross(motion.axis[joint], point - motion.origin[joint])
            joint = self.joints[joint].parent
        return angular, linear

    def _spring_forces(self, motion: _Motion) -> Vector:
        force = np.zeros(len(self.joints))
        for spring in self.springs:
            first, second = self._ends(motion, spring)
            line = second - first
            length = np.linalg.norm(line)
            pull = spring.c * (length - spring.s0) * line / length
            force += self._jacobians(motion, spring.first, first)[1].T @ pull
            force -= self._jacobians(motion, spring.second, second)[1].T @ pull
        return force

    def _ends(self, motion: _Motion, spring: LineSpring) -> tuple[Vector, Vector]:
        first = self._position(motion, spring.first, np.array(spring.first_point))
        return first, self._position(motion, spring.second, np.array(spring.second_point))

    def _position(self, motion: _Motion, joint: int, local: Vector) -> Vector:
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
