"""The Manutec r3 as trees for the oracle: the paper's geometry and the later one."""

from __future__ import annotations

from oracles.multibody import INERTIAL, Body, Joint, Tree

_X, _Y, _Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)

ARM_DAMPING = (10.0, 10.0, 10.0, 2.0, 2.0, 2.0)
ARM_Q0 = (-1.0, 0.35, 1.5, 0.2, -1.9, 0.3)
ARM_QD0 = (0.5, -0.4, 0.3, 0.6, -0.7, 0.8)


def r3mbs(load: float = 15.0, arm: tuple[float, float, float] = (0.1, 0.1, 0.25)) -> Tree:
    """R3mbs of Otter, Elmqvist and Cellier, section 7 (z up): a point load at the end of the bar `arm`."""
    joints = (
        Joint(INERTIAL, _Z),
        Joint(0, _X),
        Joint(1, _X, (0, 0, 0.5)),
        Joint(2, _Z),
        Joint(3, _X, (0, 0, 0.73)),
        Joint(4, _Z),
    )
    bodies = (
        Body(0, 0.0, (0, 0, 0), (0, 0, 1.16, 0, 0, 0)),
        Body(1, 56.5, (0.172, 0, 0.205), (2.58, 2.73, 0.64, 0, -0.46, 0)),
        Body(2, 26.4, (0.064, 0, -0.034), (0.279, 0.413, 0.245, 0, -0.070, 0)),
        Body(3, 28.7, (0, 0, 0.32), (1.67, 1.67, 0.081, 0, 0, 0)),
        Body(4, 5.2, (0, 0, 0.023), (1.25, 1.53, 0.81, 0, 0, 0)),
        Body(5, load, arm),
    )
    return Tree(joints, bodies, (0, 0, -9.81))


def r3_arm(damping: tuple[float, ...] = ARM_DAMPING, small: float = 0.001, tip: float = 0.5) -> Tree:
    """The later geometry and masses (y up), a load of 15 kg. `small`: inertias where none are given."""
    default = (small, small, small, 0.0, 0.0, 0.0)
    joints = (
        Joint(INERTIAL, _Y, (0, 0.351, 0)),
        Joint(0, _X, (0, 0.324, 0.3)),
        Joint(1, _X, (0, 0.65, 0)),
        Joint(2, _Y, (0, 0.414, -0.155)),
        Joint(3, _X, (0, 0.186, 0)),
        Joint(4, _Y, (0, 0.125, 0)),
    )
    bodies = (
        Body(0, 1.0, (0, 0, 0), (small, 1.16, small, 0, 0, 0)),
        Body(1, 56.5, (0.172, 0.205, 0), (2.58, 0.64, 2.73, -0.46, 0, 0)),
        Body(2, 26.4, (0.064, -0.034, 0), (0.279, 0.245, 0.413, -0.070, 0, 0)),
        Body(3, 28.7, (0, 0, 0), (1.67, 0.081, 1.67, 0, 0, 0)),
        Body(4, 5.2, (0, 0, 0), (1.25, 0.81, 1.53, 0, 0, 0)),
        Body(5, tip, (0.05, 0.05, 0.05), default),
        Body(5, 15.0, (0.1, 0.25, 0.1), default),
    )
    return Tree(joints, bodies, (0, -9.81, 0), damping=damping)
