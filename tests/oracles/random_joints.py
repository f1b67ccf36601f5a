"""``python -m tests.oracles.random_joints --first 0 --count 20``: joints by T and r alone, random functions of q, in
all multibody libraries: their motions behind a revolute joint, and the energy by the poses. Prints what differs."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

import cutset

LIBRARIES = ("mbs", "mbssim", "mbsmat", "mbsabs")
# Directions and origins of the frames of the bodies at the coordinates.
Poses = Callable[[np.ndarray], list[tuple[np.ndarray, np.ndarray]]]


class Mass(NamedTuple):
    """A body: its mass, its center and the diagonal of its inertia about this, in its frame."""

    m: float
    center: Sequence[float]
    inertia: Sequence[float]

    def __str__(self) -> str:
        return f"m={self.m}, r={list(self.center)}, I=diagonal({list(self.inertia)})"


def turned(angle: float, axis: Sequence[float] = (0, 0, 1)) -> np.ndarray:
    """The directions of a frame that is turned about an axis."""
    n = np.array(axis) / np.linalg.norm(axis)
    cross = np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def energy(poses: Poses, bodies: Sequence[Mass], up: Sequence[float], q: np.ndarray, qd: np.ndarray) -> float:
    """Kinetic and potential energy, the motion of each body by differences of its pose."""
    step, total = 1e-4, 0.0
    near = [poses(q + k * step * qd) for k in (-2, -1, 0, 1, 2)]
    for k, body in enumerate(bodies):
        directions, points = zip(*((T, p + T @ body.center) for T, p in (each[k] for each in near)), strict=True)
        turning, v = ((x[0] - 8 * x[1] + 8 * x[3] - x[4]) / (12 * step) for x in (directions, points))
        spin = directions[2].T @ turning
        w = np.array([spin[2, 1], spin[0, 2], spin[1, 0]])
        total += (
            body.m * (v @ v) / 2 + w @ (body.inertia * w) / 2 + body.m * 9.81 * (points[2] @ up) / np.linalg.norm(up)
        )
    return float(total)


BODIES = (Mass(1, [0.2, 0, 0], [0.1, 0.2, 0.25]), Mass(2, [0.2, 0.1, 0.3], [0.3, 0.2, 0.4]))
UP = (0, 1, 1)
TEXT = """@mbs
model class (JointN) Own
  parameter n = {n}
{turns}
  T = {product}
  r = [{r}]
end
model M
  submodel (Inertial) i(ng=[0, -1, -1])
  submodel (Revolute) base(n=[1, 0, 1], q0=0.2, qd0=0.5)
  submodel (Own) own(q0={q0}, qd0={qd0})
  submodel (Body) first({first}), second({second})
  connect i to base to own to second, first at base:b
end
"""


def drawn(number: int) -> tuple[str, int, Poses]:
    """The text, the number of coordinates, and the poses at the angle of the revolute joint and these."""
    rng = np.random.default_rng([3939, number])
    n = int(rng.integers(1, 5))
    turns = int(rng.integers(1, 4))
    axes = [tuple(rng.choice([-1, 0, 1, 2], 3)) for _ in range(turns)]
    axes = [tuple(map(int, axis)) if any(axis) else (0, 0, 1) for axis in axes]

    def function() -> str:
        """It vanishes where all coordinates do."""
        terms = []
        for k in range(1, n + 1):
            a, b = rng.uniform(-1, 1, 2).round(3)
            other = rng.integers(1, n + 1)
            form = rng.choice(
                ["{a}*q({k})", "{a}*sin({b}*q({k}))", "{a}*q({k})*q({o})", "{a}*(1 - cos(q({k}) + {b}*q({o})))"]
            )
            terms.append(str(form).format(a=a, b=b, k=k, o=other))
        return " + ".join(terms)

    # Each coordinate moves something at the start, so that no mass vanishes.
    angles = [f"q({(k % n) + 1}) + 0.3*({function()})" for k in range(turns)]
    shifts = [f"q({((k + turns) % n) + 1}) + 0.3*({function()})" for k in range(3)]

    def poses(q: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        scope = {"q": lambda k: q[k], "sin": np.sin, "cos": np.cos}
        base = turned(q[0], (1, 0, 1))
        own = np.eye(3)
        for axis, angle in zip(axes, angles, strict=True):
            own = own @ turned(eval(angle, scope), axis)
        return [(base, np.zeros(3)), (base @ own, base @ [eval(shift, scope) for shift in shifts])]

    rotation = "  local R{k}(3,3), e{k}(3), f{k}\n  e{k} = [{axis}]/norm([{axis}])\n  f{k} = {angle}\n"
    rotation += "  R{k} = e{k}*e{k}' + (identity(3) - e{k}*e{k}')*cos(f{k}) - skew(e{k})*sin(f{k})"
    rows = [
        rotation.format(k=k, axis=", ".join(map(str, axis)), angle=angle)
        for k, (axis, angle) in enumerate(zip(axes, angles, strict=True))
    ]
    text = TEXT.format(
        n=n, turns="\n".join(rows), product="*".join(f"R{k}" for k in reversed(range(turns))), r=", ".join(shifts),
        q0=rng.uniform(-0.5, 0.5, n).round(3).tolist(), qd0=rng.uniform(-1, 1, n).round(3).tolist(),
        first=BODIES[0], second=BODIES[1],
    )  # fmt: skip
    return text, n, poses


def wrong(path: Path, names: Sequence[str], coordinates: Callable[[np.ndarray], float], stop: float) -> list[str]:
    """What differs: the energy, of the coordinates with these names and their derivatives, and the ends of the runs."""
    found, ends = list[str](), list[np.ndarray]()
    for library in LIBRARIES:
        run = cutset.load(path, instead={"mbs": library}).simulate(stop, rtol=1e-10, atol=1e-12, points=4)
        x = np.array([run[name] for name in names]).T
        kept = [coordinates(row) for row in x]
        if not np.allclose(kept, kept[0], rtol=1e-6, atol=1e-6):
            found.append(f"{library}: energy {kept}")
        ends.append(x[-1])
        if not np.allclose(ends[0], x[-1], rtol=1e-6, atol=1e-6):
            found.append(f"{library}: {x[-1]}, not {ends[0]}")
    return found


def _kept(poses: Poses, n: int, x: np.ndarray) -> float:
    return energy(poses, BODIES, UP, x[:n], x[n:])


def main() -> int:
    """Runs the tool."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=20)
    arguments, differing = parser.parse_args(), 0
    for number in range(arguments.first, arguments.first + arguments.count):
        text, n, poses = drawn(number)
        names = [name for x in ("q", "qd") for name in (f"base.{x}", *(f"own.{x}({k + 1})" for k in range(n)))]
        kept = partial(_kept, poses, n + 1)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "own.mo"
            path.write_text(text, encoding="utf-8")
            try:
                found = wrong(path, names, kept, 0.3)
            except (cutset.ModelError, cutset.RunError) as error:
                found = [str(error)]
        differing += bool(found)
        print(f"{number}: {n} coordinates" + "".join(f"\n  {each}" for each in found), flush=True)
    print(f"{arguments.count} joints, {differing} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
