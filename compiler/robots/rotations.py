"""Computes with rotations and inertias, as tuples of numbers."""

from __future__ import annotations

import math

Triple = tuple[float, float, float]
Matrix = tuple[Triple, Triple, Triple]

UNIT: Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
# What rounding makes of zero: the cosine of the number nearest to pi/2. Angles with a few digits stay what they are.
_ROUNDING = 1e-15


def product(a: Matrix, b: Matrix) -> Matrix:
    """The matrix a*b."""
    rows = [tuple(math.fsum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)) for i in range(3)]
    return tuple(rows)  # type: ignore[return-value]


def transposed(a: Matrix) -> Matrix:
    """The transpose."""
    return tuple(zip(*a, strict=True))  # type: ignore[return-value]


def times(a: Matrix, x: Triple) -> Triple:
    """The vector a*x."""
    return tuple(math.fsum(a[i][k] * x[k] for k in range(3)) for i in range(3))  # type: ignore[return-value]


def cross(x: Triple, y: Triple) -> Triple:
    """The cross product."""
    return x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]


def plus(x: Triple, y: Triple, factor: float = 1.0) -> Triple:
    """The vector x + factor*y."""
    return x[0] + factor * y[0], x[1] + factor * y[1], x[2] + factor * y[2]


def of_roll_pitch_yaw(rpy: Triple) -> Matrix:
    """The rotation about axis 1 by roll, then about the fixed axes 2 and 3 by pitch and yaw."""
    (cr, sr), (cp, sp), (cy, sy) = (
        tuple(0.0 if abs(x) < _ROUNDING else x for x in (math.cos(angle), math.sin(angle))) for angle in rpy
    )
    return (
        (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
        (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
        (-sp, cp * sr, cp * cr),
    )


def axis_and_angle(rpy: Triple) -> tuple[Triple, float]:
    """Axis and angle, 0 to pi, of this rotation; by its quaternion, so that no digits are lost near 0 or pi."""
    (cr, sr), (cp, sp), (cy, sy) = ((math.cos(angle / 2), math.sin(angle / 2)) for angle in rpy)
    w = cr * cp * cy + sr * sp * sy
    return of_quaternion((w, sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy))


def of_quaternion(quaternion: tuple[float, float, float, float]) -> tuple[Triple, float]:
    """Axis and angle, 0 to pi, of a unit quaternion with the scalar first."""
    w, *exact = quaternion
    v = [0.0 if abs(x) < _ROUNDING else x for x in exact]
    length = math.hypot(*v)
    if length == 0.0:
        return (0.0, 0.0, 1.0), 0.0
    sign = -1.0 if w < 0.0 else 1.0
    return (sign * v[0] / length, sign * v[1] / length, sign * v[2] / length), 2.0 * math.atan2(length, abs(w))


def cardan_angles(turned: Matrix) -> Triple:
    """Angles about axis 1, then the turned axis 2, then the turned axis 3 that give this rotation."""
    sine = max(-1.0, min(1.0, turned[0][2]))
    if abs(sine) > 1 - 1e-14:
        return math.atan2(turned[2][1], turned[1][1]), math.copysign(math.pi / 2, sine), 0.0
    second = math.atan2(sine, math.hypot(turned[0][0], turned[0][1]))
    return math.atan2(-turned[1][2], turned[2][2]), second, math.atan2(-turned[0][1], turned[0][0])


def of_axis_and_angle(axis: Triple, angle: float) -> Matrix:
    """The rotation about a unit vector."""
    c, s = (0.0 if abs(x) < _ROUNDING else x for x in (math.cos(angle), math.sin(angle)))
    columns = [
        plus(plus((c * e[0], c * e[1], c * e[2]), cross(axis, e), s), axis, (1 - c) * axis[k])
        for k, e in enumerate(UNIT)
    ]
    return transposed(tuple(columns))  # type: ignore[arg-type]


def turned_inertia(inertia: Matrix, rotation: Matrix) -> Matrix:
    """The same inertia in the frame into which `rotation` turns vectors; exactly symmetric."""
    full = product(product(rotation, inertia), transposed(rotation))
    mean = [[(full[i][j] + full[j][i]) / 2 for j in range(3)] for i in range(3)]
    return tuple(map(tuple, mean))  # type: ignore[return-value]


def is_positive(matrix: Matrix, tolerance: float) -> bool:
    """True if no principal minor of a symmetric matrix is negative, relative to its trace."""
    (a, d, e), (_, b, f), (_, _, c) = matrix
    scale = abs(a) + abs(b) + abs(c)
    minors = min(a * b - d * d, a * c - e * e, b * c - f * f)
    determinant = a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e)
    return (
        min(a, b, c) >= -tolerance * scale and minors >= -tolerance * scale**2 and determinant >= -tolerance * scale**3
    )


def is_possible(inertia: Matrix, tolerance: float) -> bool:
    """True if no moment exceeds the sum of the two others, about any axes."""
    half = (inertia[0][0] + inertia[1][1] + inertia[2][2]) / 2
    second = [[(half if i == j else 0.0) - inertia[i][j] for j in range(3)] for i in range(3)]
    return is_positive(tuple(map(tuple, second)), tolerance)  # type: ignore[arg-type]
