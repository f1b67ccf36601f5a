"""The arm of models/ur5.mo as a Tree."""

from __future__ import annotations

from oracles.multibody import INERTIAL, Body, Joint, Tree

# Of each link: mass, radius and length in kg and m, the number of its axis, and the center of mass.
_TUBES = (
    (3.7, 0.06, 0.15, 2, (0, -0.00193, 0.063549)),
    (8.393, 0.06, 0.425, 0, (-0.2125, -0.11336, 0)),
    (2.33, 0.054, 0.39225, 0, (-0.24225, -0.0265, 0)),
    (1.219, 0.045, 0.12, 1, (0, -0.10735, -0.01634)),
    (1.219, 0.045, 0.12, 2, (0, -0.01634, -0.09285)),
    (0.1879, 0.0375, 0.0375, 1, (0, -0.081141, 0)),
)


def ur5() -> Tree:
    """Lengths and masses of the manufacturer, links as solid cylinders; axis 3 points upwards."""
    joints = (
        Joint(INERTIAL, (0, 0, 1), (0, 0, 0)),
        Joint(0, (0, -1, 0), (0, 0, 0.089159)),
        Joint(1, (0, -1, 0), (-0.425, 0, 0)),
        Joint(2, (0, -1, 0), (-0.39225, 0, 0)),
        Joint(3, (0, 0, -1), (0, -0.10915, 0)),
        Joint(4, (0, -1, 0), (0, 0, -0.09465)),
    )
    bodies = []
    for k, (mass, radius, length, axis, center) in enumerate(_TUBES):
        inertia = [mass * (radius**2 / 4 + length**2 / 12)] * 3
        inertia[axis] = mass * radius**2 / 2
        bodies.append(Body(k, mass, center, (*inertia, 0, 0, 0)))
    return Tree(joints, tuple(bodies), (0, 0, -9.81))
