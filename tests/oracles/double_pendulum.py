"""The double pendulum of Otter, Elmqvist and Cellier, section 3, by Lagrange's equations of the second kind, derived
with sympy.

Two point masses m1, m2 at 0.25 and 0.2 below the joints, which are 0.5 apart, z downwards; a spring from the
end of the second bar, 0.4 long, to the point (0, 0, 1.3). Both angles turn about y, the second relative to the first.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import sympy
from oracles.multibody import INERTIAL, Body, Joint, LineSpring, Tree

GRAVITY, C, S0 = 9.81, 1.0, 0.5


def tree() -> Tree:
    """The same for the general oracle."""
    down = (0.0, 0.0, 1.0)
    y = (0.0, 1.0, 0.0)
    joints = Joint(INERTIAL, y), Joint(0, y, (0.0, 0.0, 0.5))
    bodies = Body(0, 1.0, (0.0, 0.0, 0.25)), Body(1, 1.0, (0.0, 0.0, 0.2))
    spring = LineSpring(INERTIAL, (0.0, 0.0, 1.3), 1, (0.0, 0.0, 0.4), C, S0)
    return Tree(joints, bodies, tuple(GRAVITY * d for d in down), (spring,))


def lagrange() -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """qdd as a function of q, qd."""
    t = sympy.Symbol("t")
    q = [sympy.Function(name)(t) for name in ("phi1", "phi2")]
    first, second = q[0], q[0] + q[1]

    def below(angle: sympy.Expr, length: float) -> sympy.Matrix:
        return sympy.Matrix([length * sympy.sin(angle), length * sympy.cos(angle)])

    positions = [below(first, 0.25), below(first, 0.5) + below(second, 0.2)]
    kinetic = sum((p.diff(t).dot(p.diff(t)) for p in positions), sympy.Integer(0)) / 2
    gap = sympy.Matrix([0, 1.3]) - below(first, 0.5) - below(second, 0.4)
    spring = C * (sympy.sqrt(gap.dot(gap)) - S0) ** 2 / 2
    potential = spring - GRAVITY * sum(p[1] for p in positions)

    plain_q, plain_qd = sympy.symbols("q1:3"), sympy.symbols("qd1:3")
    plain = dict(zip([v.diff(t) for v in q], plain_qd, strict=False)) | dict(zip(q, plain_q, strict=False))
    energy = (kinetic - potential).subs(plain)
    momenta = [energy.diff(v) for v in plain_qd]
    mass = sympy.Matrix([[p.diff(v) for v in plain_qd] for p in momenta])
    drift = [sum(p.diff(x) * v for x, v in zip(plain_q, plain_qd, strict=False)) for p in momenta]
    force = sympy.Matrix([energy.diff(x) - d for x, d in zip(plain_q, drift, strict=False)])
    solve = sympy.lambdify((plain_q, plain_qd), (mass, force), "numpy")

    def accelerations(angles: np.ndarray, rates: np.ndarray) -> np.ndarray:
        matrix, right = solve(angles, rates)
        return np.linalg.solve(matrix, right).ravel()

    return accelerations
