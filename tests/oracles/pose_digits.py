"""``python -m tests.oracles.pose_digits``: how many digits of the accelerations are right in random poses and near
singular ones, with each multibody library, against Newton's and Euler's equations in 50 digits. Prints the table of
docs/papers.md.

A wrist has axes through one point with no mass between them; where its outer axes coincide it loses a freedom. Two axes
do so where they hold a point mass on the first one.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import mpmath as mp
import numpy as np

import cutset

mp.mp.dps = 50
DISTANCES = (None, 1e-2, 1e-4, 1e-6, 1e-8)
# The columns of the table: the library, and the late passes that are left out.
WAYS: dict[str, tuple[str, tuple[str, ...]]] = {
    "`mbs`": ("mbs", ()),
    "`mbs` without `factors`": ("mbs", ("factors",)),
    "`mbssim`": ("mbssim", ()),
    "`mbsmat`": ("mbsmat", ()),
}
GRAVITY = mp.matrix([0, 0, -9.81])
WRIST = ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
SKEW = ((0.48, 0.6, 0.64), (0.8, 0.0, -0.6), (0.48, 0.6, 0.64))
TENSOR = ("I11", "I22", "I33", "I21", "I31", "I32")


@dataclass(frozen=True)
class Link:
    """A revolute joint about `axis`; then, unless there is no mass, a bar `r` with a body at its end: its mass, and its
    `tensor` (I11, I22, I33, I21, I31, I32) about that point."""

    axis: tuple[float, ...]
    r: tuple[float, ...] = (0.0, 0.0, 0.0)
    mass: float = 0.0
    tensor: tuple[float, ...] = (0.0,) * 6


@dataclass(frozen=True)
class Chain:
    """Links one after the other; joint `critical` is at 0 in the singular pose, if there is one."""

    links: tuple[Link, ...]
    critical: int | None = None

    def text(self, library: str) -> str:
        """The model in the language."""
        lines, way, bodies = [f"@{library}", "model Chain", "  submodel (Inertial) i(ng3=-1)"], ["i"], list[str]()
        for k, link in enumerate(self.links):
            axis = ", ".join(f"n{i + 1}={x}" for i, x in enumerate(link.axis))
            lines.append(f"  submodel (Revolute) j{k}({axis})")
            way.append(f"j{k}")
            if link.mass:
                numbers = ", ".join(f"{name}={x}" for name, x in zip(TENSOR, link.tensor, strict=True) if x)
                lines.append(f"  submodel (Bar) l{k}({', '.join(f'r{i + 1}={x}' for i, x in enumerate(link.r))})")
                lines.append(f"  submodel (Body) m{k}(m={link.mass}{', ' if numbers else ''}{numbers})")
                way.append(f"l{k}")
                bodies.append(f"m{k} at l{k}:b")
        return "\n".join([*lines, f"  connect {' to '.join(way)}, {', '.join(bodies)}", "end", ""])

    def accelerations(self, q: Sequence[float], qd: Sequence[float]) -> list[mp.mpf]:
        """Those of the joints in 50 digits: the torques are linear in them."""
        n = len(self.links)
        none = [mp.mpf(0)] * n
        bias = self._torques(q, qd, none, GRAVITY)
        unit = [[mp.mpf(int(i == k)) for i in range(n)] for k in range(n)]
        columns = [self._torques(q, none, each, mp.matrix(3, 1)) for each in unit]
        mass = mp.matrix(n, n)
        for k, column in enumerate(columns):
            for i in range(n):
                mass[i, k] = column[i]
        return list(mp.lu_solve(mass, -mp.matrix(bias)))

    def _torques(
        self, q: Sequence[float], qd: Sequence[float], qdd: Sequence[mp.mpf], gravity: mp.matrix
    ) -> list[mp.mpf]:
        """The torques of the joints for this motion: Newton's and Euler's equations of each body, link by link."""
        turn, omega, alpha, origin, pull = mp.eye(3), mp.matrix(3, 1), mp.matrix(3, 1), mp.matrix(3, 1), -gravity
        axes, origins, loads = list[mp.matrix](), list[mp.matrix](), list[tuple[mp.matrix, mp.matrix, mp.matrix]]()
        for k, link in enumerate(self.links):
            axis = mp.matrix([mp.mpf(x) for x in link.axis])
            axis = axis / mp.norm(axis)
            turn = turn * _rotation(axis, mp.mpf(q[k]))
            axis = turn * axis
            alpha = alpha + axis * qdd[k] + _cross(omega, axis) * mp.mpf(qd[k])
            omega = omega + axis * mp.mpf(qd[k])
            axes.append(axis)
            origins.append(origin)
            r = turn * mp.matrix([mp.mpf(x) for x in link.r])
            origin = origin + r
            pull = pull + _cross(alpha, r) + _cross(omega, _cross(omega, r))
            i11, i22, i33, i21, i31, i32 = (mp.mpf(x) for x in link.tensor)
            tensor = turn * mp.matrix([[i11, i21, i31], [i21, i22, i32], [i31, i32, i33]]) * turn.T
            moment = tensor * alpha + _cross(omega, tensor * omega)
            loads.append((origin, pull * mp.mpf(link.mass), moment))
        return [
            sum(_dot(axis, moment + _cross(place - at, force)) for place, force, moment in loads[k:])
            for k, (axis, at) in enumerate(zip(axes, origins, strict=True))
        ]


def _cross(a: mp.matrix, b: mp.matrix) -> mp.matrix:
    return mp.matrix([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def _dot(a: mp.matrix, b: mp.matrix) -> mp.mpf:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _rotation(axis: mp.matrix, angle: mp.mpf) -> mp.matrix:
    cross = mp.matrix([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return mp.eye(3) + cross * mp.sin(angle) + cross * cross * (1 - mp.cos(angle))


def random_link(rng: np.random.Generator, is_skew: bool) -> Link:
    """A rigid body that no two of its axes hold alike."""
    axis = rng.normal(size=3) if is_skew else np.eye(3)[rng.integers(3)]
    moments = rng.uniform(0.07, 0.1, 3)
    tensor = (*moments, *rng.uniform(-0.02, 0.02, 3))
    return Link(
        tuple(map(float, axis)), tuple(map(float, rng.uniform(-0.5, 0.5, 3))), float(rng.uniform(0.5, 2)), tensor
    )


def chains(seed: int) -> Iterator[tuple[str, Chain]]:
    """The kinds of chains, each drawn at random."""
    rng = np.random.default_rng([39, seed])
    skew = bool(rng.integers(2))
    base = [random_link(rng, skew) for _ in range(rng.integers(1, 6))]
    tail = [random_link(rng, skew) for _ in range(rng.integers(1, 5))]
    yield "links with mass", Chain((*base, *tail))
    wrist = [Link(axis) for axis in (SKEW if skew else WRIST)]
    hand = random_link(rng, skew)
    last = Link(wrist[-1].axis, hand.r, hand.mass, hand.tensor)
    yield "a wrist at the end", Chain((*base, *wrist[:-1], last), len(base) + 1)
    yield "a wrist in the middle", Chain((*base, *wrist[:-1], last, *tail), len(base) + 1)
    point = Link((0.0, 1.0, 0.0), (0.0, 0.0, 0.8), 1.0)
    yield "a point mass on two axes", Chain((*base, Link((0.0, 0.0, 1.0)), point), len(base) + 1)


def poses(chain: Chain, seed: int) -> Iterator[tuple[float | None, dict[str, float], list[mp.mpf]]]:
    """Distances from the singular pose, the states there, and the accelerations."""
    rng = np.random.default_rng([40, seed])
    for distance in DISTANCES if chain.critical is not None else (None,):
        q, qd = rng.uniform(-2, 2, len(chain.links)), rng.uniform(-1, 1, len(chain.links))
        if distance is not None:
            q[chain.critical] = distance
        pose = {f"j{k}.q": x for k, x in enumerate(q)} | {f"j{k}.qd": x for k, x in enumerate(qd)}
        yield distance, pose, chain.accelerations(list(q), list(qd))


def digits(model: cutset.Model, pose: Mapping[str, float], expected: Sequence[mp.mpf], target: str = "c") -> float:
    """The right digits of the accelerations, as parts of the largest."""
    states = [pose[name] for name in model.states]
    slopes = dict(zip(model.states, model.evaluate(0.0, states, target=target), strict=True))
    found = [slopes[f"j{k}.qd"] for k in range(len(expected))]
    error = max(abs(mp.mpf(a) - b) for a, b in zip(found, expected, strict=True)) / max(map(abs, expected))
    return -math.log10(float(error) + 1e-17)


def table(count: int) -> dict[tuple[str, float | None], dict[str, float]]:
    """The fewest digits in `count` chains of each kind, by kind and distance from the singular pose, and by way."""
    found: dict[tuple[str, float | None], dict[str, float]] = {}
    for seed in range(count):
        for kind, chain in chains(seed):
            models = {name: cutset.loads(chain.text(library), without=out) for name, (library, out) in WAYS.items()}
            for distance, pose, expected in poses(chain, seed):
                row = found.setdefault((kind, distance), {})
                for name, model in models.items():
                    row[name] = min(row.get(name, math.inf), digits(model, pose, expected))
    return found


def main() -> int:
    """Exit code 1 where `mbs` loses six digits more with the pass `factors` than without it."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracles.pose_digits", description=__doc__)
    parser.add_argument("--count", type=int, default=20, help="chains of each kind")
    found = table(parser.parse_args().count)
    print(f"| chain | distance | {' | '.join(WAYS)} |\n| --- | ---: |{' ---: |' * len(WAYS)}")
    for (kind, distance), row in found.items():
        place = "random pose" if distance is None else f"{distance:.0e}".replace("e-0", "e-")
        print(f"| {kind} | {place} | {' | '.join(f'{max(each, 0.0):.1f}' for each in row.values())} |")
    with_pass, without = list(WAYS)[:2]
    return int(any(row[without] - row[with_pass] > 6 for row in found.values()))


if __name__ == "__main__":
    sys.exit(main())
