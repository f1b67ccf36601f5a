"""Random trees of elastic beams with bodies: natural frequencies by finite elements of Euler and Bernoulli.

python -m tests.oracles.beam_frames [FIRST [LAST]] compares those of both classes of beams, in mbssim and mbsmat.
"""

from __future__ import annotations

import random
import sys
import tempfile
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh

import cutset

Matrix = NDArray[np.float64]
_E, _G, _DENSITY, _AREA = 2e9, 7e8, 3000.0, 1e-4
_ELEMENTS, _COMPARED = 6, 3


class Frame:
    """A tree of beams; each begins at the end of an earlier one or at the base, and some have a body at their end."""

    def __init__(self, number: int):
        rng = random.Random(number)
        self.beams: list[tuple[int, Matrix, Matrix, float, float, float]] = []
        self.bodies: dict[int, tuple[float, Matrix, Matrix]] = {}
        for k in range(rng.randint(1, 3)):
            along = np.array([rng.choice((0.0, 1.0, -1.0, rng.uniform(-1, 1))) for _ in range(3)])
            along = along if np.linalg.norm(along) > 0.3 else np.array([1.0, 0.0, 0.0])
            across = np.cross(along, [rng.uniform(-1, 1), rng.uniform(-1, 1), 1.0])
            section = [rng.uniform(2e-10, 2e-9) for _ in range(3)]
            self.beams.append((rng.randint(0, k), along, across, *section))
            if rng.random() < 0.6:
                center = np.array([rng.uniform(-0.2, 0.2) for _ in range(3)])
                self.bodies[k] = rng.uniform(0.1, 1.0), center, np.diag([0.01, 0.012, 0.015]) * rng.uniform(0.5, 2.0)

    def text(self, beam: str) -> str:
        """The model with a class of beams and its own parameters."""
        lines = ["@mbs", "model M", "  submodel (Inertial) world(g=0)"]
        for k, (after, along, across, i, ih, jt) in enumerate(self.beams, 1):
            values = f"r={along.tolist()}, w={across.tolist()}, density={_DENSITY}, area={_AREA}, E={_E}, G={_G}"
            lines.append(f"  submodel ({beam}, {values}, I={i}, Ih={ih}, Jt={jt})".replace("NUMBER", str(k)))
            lines.append(f"  connect b{k}:a at {f'b{after}:b' if after else 'world'}")
        for k, (m, center, inertia) in self.bodies.items():
            values = f"m={m}, r={center.tolist()}, I=diagonal({np.diag(inertia).tolist()})"
            lines += [f"  submodel (Body) m{k + 1}({values})", f"  connect m{k + 1} at b{k + 1}:b"]
        return "\n".join([*lines, "end", ""])

    def frequencies(self) -> Matrix:
        """The smallest ones in rad/s, by finite elements that hardly stretch."""
        size = 6 * (_ELEMENTS * len(self.beams) + 1)
        stiffness, mass = np.zeros((size, size)), np.zeros((size, size))
        ends = [0]
        for k, (after, along, across, i, ih, jt) in enumerate(self.beams):
            nodes = [ends[after], *range(_ELEMENTS * k + 1, _ELEMENTS * (k + 1) + 1)]
            ends.append(nodes[-1])
            one, inertia = _element(along / _ELEMENTS, across, (i, ih, jt))
            for first, second in pairwise(nodes):
                at = np.concatenate([6 * first + np.arange(6), 6 * second + np.arange(6)])
                stiffness[np.ix_(at, at)] += one
                mass[np.ix_(at, at)] += inertia
        for k, (m, center, inertia) in self.bodies.items():
            at = 6 * ends[k + 1] + np.arange(6)
            c = _skew(center)
            mass[np.ix_(at, at)] += np.block([[m * np.eye(3), -m * c], [m * c, inertia - m * c @ c]])
        found: Matrix = np.sqrt(eigh(stiffness[6:, 6:], mass[6:, 6:], eigvals_only=True)[:_COMPARED])
        return found


def _skew(a: Matrix) -> Matrix:
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def _element(along: Matrix, across: Matrix, section: tuple[float, float, float]) -> tuple[Matrix, Matrix]:
    """Stiffness and consistent mass for displacements and rotations of both ends, in the inertial frame."""
    length = float(np.linalg.norm(along))
    e = along / length
    h = np.cross(e, across) / np.linalg.norm(np.cross(e, across))
    axes = np.stack([e, np.cross(h, e), h])
    i, ih, jt = section
    stiffness, mass = np.zeros((12, 12)), np.zeros((12, 12))
    bend = np.array([[12, 6, -12, 6], [6, 4, -6, 2], [-12, -6, 12, -6], [6, 2, -6, 4]], dtype=float)
    carry = np.array([[156, 22, 54, -13], [22, 4, 13, -3], [54, 13, 156, -22], [-13, -3, -22, 4]], dtype=float) / 420
    bar, line = np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([[2.0, 1.0], [1.0, 2.0]]) / 6
    m = _DENSITY * _AREA * length
    for at, sign, inertia in (([1, 5, 7, 11], 1.0, i), ([2, 4, 8, 10], -1.0, ih)):
        scale = np.diag([1.0, sign * length, 1.0, sign * length])
        stiffness[np.ix_(at, at)] += _E * inertia / length**3 * scale @ bend @ scale
        mass[np.ix_(at, at)] += m * scale @ carry @ scale
    stiffness[np.ix_([0, 6], [0, 6])] += 100 * _E * _AREA / length * bar
    mass[np.ix_([0, 6], [0, 6])] += m * line
    stiffness[np.ix_([3, 9], [3, 9])] += _G * jt / length * bar
    mass[np.ix_([3, 9], [3, 9])] += _DENSITY * (i + ih) * length * line
    turn = np.kron(np.eye(4), axes)
    return turn.T @ stiffness @ turn, turn.T @ mass @ turn


def difference(number: int, beam: str, library: str) -> float:
    """The largest relative difference of the smallest frequencies."""
    frame = Frame(number)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "frame.mo"
        path.write_text(frame.text(beam), encoding="utf-8")
        run = cutset.load(path, instead={"mbs": library}).simulate(0.0, target="python")
        found = np.sort(np.abs(np.linalg.eigvals(np.array(run.linearize().A))))[::2][:_COMPARED]
    return float(np.abs(found / frame.frequencies() - 1.0).max())


BEAMS = {"SegmentBeam) bNUMBER(segments=2": 5e-2, "ModalBeam) bNUMBER(modes=2": 5e-3}


def main(first: int = 0, last: int = 20) -> None:
    """Print the differences."""
    for number in range(first, last):
        for beam, allowed in BEAMS.items():
            for library in ("mbssim", "mbsmat"):
                found = difference(number, beam, library)
                print(number, beam, library, f"{found:.2e}", "" if found < allowed else "WRONG", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
