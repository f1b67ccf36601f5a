"""Sums over the masses of a mechanism: their center, momentum and energy, from the motion of their cut-frames."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import NamedTuple

from cutset.compiler.expressions.array import Array, cross, elementwise, multiply, scalar, transpose
from cutset.compiler.expressions.pool import Expr, Pool


class Mass(NamedTuple):
    """A rigid body: its mass, its center and its inertia about it, resolved in its cut-frame, and the motion of that:
    direction cosines, position in the inertial frame, velocity and angular velocity in the cut-frame."""

    m: Expr
    center: Array
    inertia: Array
    turn: Array
    place: Array
    spin: Array
    velocity: Array


class Masses:
    """The sums over some bodies; without mass the center has no value."""

    def __init__(self, pool: Pool, masses: Sequence[Mass]):
        self._pool, self._masses = pool, masses
        self._mass = reduce(pool.add, (each.m for each in masses), pool.zero)
        self._centers = [self._plus(each.place, multiply(pool, each.turn, each.center)) for each in masses]

    def center(self) -> list[Expr]:
        """The position of the center of mass."""
        return list(self._center().elements)

    def momentum(self) -> list[Expr]:
        """The angular momentum about the center of mass, and the linear momentum. D. Orin, A. Goswami, S.-H. Lee,
        Centroidal dynamics of a humanoid robot, Autonomous Robots 35 (2013) 161-176, equations (12) and (15)."""
        pool, whole = self._pool, self._center()
        angular, linear = (scalar(pool.zero),) * 2
        for each, center in zip(self._masses, self._centers, strict=True):
            own = multiply(pool, scalar(each.m), multiply(pool, each.turn, self._velocity(each)))
            spin = multiply(pool, each.turn, multiply(pool, each.inertia, each.spin))
            arm = elementwise(pool.sub, center, whole, "subtracted")
            angular = self._plus(angular, self._plus(spin, cross(pool, arm, own)))
            linear = self._plus(linear, own)
        return [*angular.elements, *linear.elements]

    def energy(self, base: Array) -> list[Expr]:
        """The kinetic energy, and the potential one where the inertial system accelerates by `base` instead of
        gravity."""
        pool, kinetic, potential = self._pool, self._pool.zero, self._pool.zero
        for each, center in zip(self._masses, self._centers, strict=True):
            v = self._velocity(each)
            turning = self._dot(each.spin, multiply(pool, each.inertia, each.spin))
            twice = pool.add(pool.mul(each.m, self._dot(v, v)), turning)
            kinetic = pool.add(kinetic, pool.mul(pool.constant(0.5), twice))
            potential = pool.add(potential, pool.mul(each.m, self._dot(base, center)))
        return [kinetic, potential]

    def _center(self) -> Array:
        pool, total = self._pool, scalar(self._pool.zero)
        for each, center in zip(self._masses, self._centers, strict=True):
            total = self._plus(total, multiply(pool, scalar(each.m), center))
        return total.map(lambda e: pool.div(e, self._mass))

    def _velocity(self, each: Mass) -> Array:
        """That of the center of the body, in its cut-frame."""
        return self._plus(each.velocity, cross(self._pool, each.spin, each.center))

    def _plus(self, a: Array, b: Array) -> Array:
        return b if not a.shape else elementwise(self._pool.add, a, b, "added")

    def _dot(self, a: Array, b: Array) -> Expr:
        return multiply(self._pool, transpose(a), b).scalar
