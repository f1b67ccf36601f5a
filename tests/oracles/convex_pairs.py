"""Compares the nearest points and the least depth of random convex shapes with a certificate.

    python -m tests.oracles.convex_pairs [--first 0] [--count 1000]

Hulls of random points, boxes, prisms, segments and points in random poses: face on face, edge on edge, one inside
the other, and gaps of 1e-3 down to 1e-15 m between faces. The nearest points are in the shapes (HiGHS), and the plane
across the line between them separates the shapes by the distance, so that it is the least one. Where they overlap, the
least depth is that of the faces of the hull of all differences (Qhull). Prints what is wrong; the exit code is then 1.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from scipy.optimize import linprog
from scipy.spatial import ConvexHull, QhullError
from scipy.spatial.transform import Rotation

SOURCE = Path(__file__).parents[2] / "stdlib" / "multibody" / "convex.c"
_REAL, _REALS = ctypes.c_double, np.ctypeslib.ndpointer(dtype=float, flags="C")
# Below this gap of the shapes without their radii, in m, rounding decides the direction.
_NARROW = 1e-8


class Convex:
    """The functions of convex.c, compiled into a folder."""

    def __init__(self, folder: Path):
        made = folder / "convex.so"
        compiler = shlex.split(os.environ.get("CC", "cc"))
        subprocess.run([*compiler, "-shared", "-fPIC", "-o", str(made), str(SOURCE), "-lm"], check=True)
        self._distance = ctypes.CDLL(str(made)).hull_distance
        self._distance.argtypes = [*[_REALS, _REAL, _REALS, _REAL] * 2, _REALS, _REALS, _REALS]

    def distance(self, a: np.ndarray, b: np.ndarray, radii: tuple[float, float], turn: np.ndarray, r: np.ndarray):
        """The distance and the nearest points; b is turned and moved."""
        z, none = np.zeros(7), np.zeros(3)
        turned = np.ascontiguousarray(turn.T)
        self._distance(a, len(a), none, radii[0], b, len(b), none, radii[1], turned, r, z)
        return float(z[0]), z[1:4], z[4:7]


def shape(rng: np.random.Generator) -> np.ndarray:
    """The corners of a random shape."""
    kind, size = rng.integers(7), rng.uniform(0.02, 0.4, 3)
    if kind == 0:
        return np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * size
    if kind == 1:
        return rng.normal(size=(rng.integers(4, 65), 3)) * size
    if kind == 2:
        return np.array([[0.0, 0.0, -size[0]], [0.0, 0.0, size[0]]])
    if kind == 3:
        return np.zeros((1, 3))
    if kind == 4:
        turns = 2 * np.pi * np.arange(24) / 24
        return np.array([[np.cos(t), np.sin(t), z] for z in (-1, 1) for t in turns]) * size
    if kind == 5:
        points = rng.normal(size=(64, 3))
        return points / np.linalg.norm(points, axis=1)[:, None] * size
    return np.round(rng.uniform(-2, 2, (12, 3))) * size  # with points in planes, and double ones


def pose(rng: np.random.Generator, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A rotation and a place of b: anywhere, or with a face of it near one of a."""
    kind = rng.integers(5)
    turn = Rotation.random(random_state=int(rng.integers(1 << 30))).as_matrix()
    if kind < 2:
        turn = Rotation.from_euler("z", rng.choice([0.0, 0.3, np.pi / 4, np.pi / 2])).as_matrix()
    if kind == 3:
        return turn, rng.normal(size=3) * 1e-3
    if kind == 4:
        return turn, rng.normal(size=3) * rng.choice([0.05, 0.3, 0.6, 2])
    n = np.eye(3)[rng.integers(3)]
    gap = rng.choice([0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3, -1e-12, -1e-6, -1e-3])
    aside = np.round(rng.uniform(-0.1, 0.1, 3), 1) * (1 - n)
    return turn, aside + n * ((a @ n).max() - (b @ turn.T @ n).min() + gap)


def fault(convex: Convex, number: int) -> str:
    """What is wrong with the pair of this number, or nothing."""
    rng = np.random.default_rng([39, 600, number])
    a, b, radii = shape(rng), shape(rng), (float(rng.choice([1e-3, 0.1])), float(rng.choice([1e-3, 0.1])))
    turn, r = pose(rng, a, b)
    distance, pa, pb = convex.distance(a, b, radii, turn, r)
    moved, core = b @ turn.T + r, distance + sum(radii)
    least = depth(a, moved)
    if not np.isfinite([distance, *pa, *pb]).all():
        return f"not finite: {distance}, {pa}, {pb}"
    if least > _NARROW:
        # It may be a local one, which is at most a little larger.
        return "" if least - 1e-9 < -core < 1.05 * least + 1e-9 else f"depth {-core}, not {least}"
    if core < _NARROW or abs(distance) < 1e-6:
        return "" if core > -_NARROW or least == 0 else f"depth {-core}, not {least}"
    n = (pb - pa) / distance
    gap = float((moved @ n).min() - (a @ n).max())
    outside = max(_outside(a, pa - radii[0] * n), _outside(moved, pb + radii[1] * n))
    wrong = abs(gap - core) > 1e-9 or outside > 1e-9
    return f"distance {core}, gap {gap}, points outside by {outside}" if wrong else ""


def depth(a: np.ndarray, b: np.ndarray) -> float:
    """The least depth of two hulls, negative where they are apart, zero if none has a volume."""
    try:
        return float(-ConvexHull((b[:, None, :] - a[None, :, :]).reshape(-1, 3)).equations[:, 3].max())
    except QhullError:
        return 0.0


def _outside(corners: np.ndarray, x: np.ndarray) -> float:
    """How far a point is from the hull, at most, along an axis."""
    one = np.ones((3, 1))
    limits = np.block([[corners.T, -one], [-corners.T, -one]])
    shares = [[*np.ones(len(corners)), 0.0]]
    return float(linprog([*np.zeros(len(corners)), 1.0], limits, np.r_[x, -x], shares, [1.0], method="highs").fun)


def main() -> int:
    """Runs the tool."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        convex = Convex(Path(folder))
        numbers = range(arguments.first, arguments.first + arguments.count)
        found = {number: wrong for number in numbers if (wrong := fault(convex, number))}
    for number, wrong in found.items():
        print(f"{number}: {wrong}")
    print(f"{arguments.count} pairs, {len(found)} wrong")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
