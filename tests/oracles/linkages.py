"""Random linkages that move though their joints ask for more conditions than there are coordinates: Bennett's loops of
four joints, Bricard's of six, loops whose axes are parallel or meet in one point. All are closed by a revolute joint in
space. Nothing dissipates, so that energy is the oracle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

Vector = np.ndarray
GRAVITY = np.array([0.3, -0.2, -1.0])
KINDS = ("bennett", "parallel", "spherical", "bricard")


@dataclass(frozen=True)
class Linkage:
    """Axes and points of the joints in the home position, and of each moving link its mass, the place of its center and
    its inertia."""

    axes: Vector
    points: Vector
    masses: Vector
    centers: Vector
    inertias: Vector

    def text(self, library: str, closing: str = "CutRevolute") -> str:
        """The model: the first joint turns at the start."""
        n = len(self.axes) - 1
        lines = [
            f"@{library}",
            "model Linkage",
            f"submodel (Inertial) world({_numbers('ng', GRAVITY)})",
            "submodel (JointState) drive",
        ]
        lines.append(f"submodel (Bar) base({_numbers('r', self.points[0])}), ground({_numbers('r', self.points[-1])})")
        for k in range(n):
            speed = ", qd0=1" if k == 0 else ""
            lines.append(f"submodel (Revolute) j{k}({_numbers('n', self.axes[k])}{speed})")
            lines.append(f"submodel (Bar) b{k}({_numbers('r', self.points[k + 1] - self.points[k])})")
            inertia = ", ".join(f"I{i}{i}={value!r}" for i, value in enumerate(self.inertias[k].tolist(), 1))
            lines.append(
                f"submodel (Body) m{k}(m={float(self.masses[k])!r}, {_numbers('r', self.centers[k])}, {inertia})"
            )
        lines.append(f"submodel ({closing}) c({_numbers('n', self.axes[-1])})")
        chain = " to ".join(f"j{k} to b{k}" for k in range(n))
        lines.append(f"connect world to base to {chain} to c, world to ground, ground:b at c:b, drive at j0:ext")
        lines.append("connect " + ", ".join(f"m{k} at j{k}:b" for k in range(n)))
        return "\n".join([*lines, "end", ""])

    def energy(self, run) -> Vector:  # type: ignore[no-untyped-def]
        """Kinetic and potential energy over the rows of a run."""
        total = 0.0
        for k, (mass, center, inertia) in enumerate(zip(self.masses, self.centers, self.inertias, strict=False)):
            place, speed, spin = _in_absolute(run, k) if f"m{k}.x(1)" in run else _relative(run, k, center)
            height = -GRAVITY @ place / np.linalg.norm(GRAVITY)
            total = total + mass * (speed**2).sum(axis=0) / 2 + inertia @ spin**2 / 2 + 9.81 * mass * height
        return np.asarray(total)


def _vector(run, name: str, first: int = 1) -> Vector:  # type: ignore[no-untyped-def]
    return np.array([run[f"{name}({first + i})"] for i in range(3)])


def _relative(run, k: int, center: Vector) -> tuple[Vector, Vector, Vector]:  # type: ignore[no-untyped-def]
    """The place and the velocity of the center of body k, and its angular velocity, from the motion of its frame in
    mbs."""
    turn = np.array([[run[f"m{k}.Ta({i},{j})"] for j in (1, 2, 3)] for i in (1, 2, 3)])
    spin = _vector(run, f"m{k}.va")
    place = _vector(run, f"m{k}.ra") + np.einsum("ijt,j->it", turn, center)
    return place, _vector(run, f"m{k}.va", 4) + np.cross(spin.T, center).T, spin


def _in_absolute(run, k: int) -> tuple[Vector, Vector, Vector]:  # type: ignore[no-untyped-def]
    """The same in mbsabs."""
    return _vector(run, f"m{k}.x"), _vector(run, f"m{k}.v"), _vector(run, f"m{k}.wa")


def linkage(seed: int) -> Linkage:
    """One of each kind in turn."""
    generator = np.random.default_rng(seed)
    kinds = {"bennett": _bennett, "parallel": _parallel, "spherical": _spherical, "bricard": _bricard}
    axes, points = kinds[KINDS[seed % len(KINDS)]](generator)
    turn = _rotation(generator)
    axes, points = axes @ turn.T, points @ turn.T + generator.uniform(-1, 1, 3)
    n = len(axes) - 1
    centers = (points[1:] - points[:-1]) / 2 + generator.uniform(-0.1, 0.1, (n, 3))
    return Linkage(axes, points, generator.uniform(0.5, 2, n), centers, generator.uniform(0.05, 0.08, (n, 3)))


def _bennett(generator: np.random.Generator) -> tuple[Vector, Vector]:
    """G. T. Bennett, A new mechanism, Engineering 76 (1903) 777: opposite links are equal, a/sin(alpha) =
    b/sin(beta)."""
    a, alpha = 1.0, generator.uniform(0.4, 0.8)
    b = generator.uniform(1.1, 1.3)
    beta, first = np.arcsin(b / a * np.sin(alpha)), generator.uniform(0.5, 1.2)
    second = 2 * np.arctan(np.sin((beta + alpha) / 2) / np.sin((beta - alpha) / 2) / np.tan(first / 2))
    frame, axes, points = np.eye(4), [], []
    for angle, length, twist in zip(
        (first, second, -first, -second), (a, b, a, b), (alpha, beta, alpha, beta), strict=False
    ):
        axes.append(frame[:3, 2])
        points.append(frame[:3, 3])
        (c, s), (ct, st) = (np.cos(angle), np.sin(angle)), (np.cos(twist), np.sin(twist))
        step = [[c, -s * ct, s * st, length * c], [s, c * ct, -c * st, length * s], [0, st, ct, 0], [0, 0, 0, 1]]
        frame = frame @ np.array(step)
    return np.array(axes), np.array(points)


def _parallel(generator: np.random.Generator) -> tuple[Vector, Vector]:
    """Four or five parallel axes; the joints do not lie in one plane."""
    corners = (
        [(0, 0), (0, 1), (1.5, 1.6), (2.2, 0)]
        if generator.random() < 0.7
        else [(0, 0), (-0.4, 1), (1, 1.9), (2.2, 1), (2, 0)]
    )
    plane = np.array(corners) + generator.uniform(-0.1, 0.1, (len(corners), 2))
    points = np.column_stack([plane, generator.uniform(-0.3, 0.3, len(corners))])
    return np.tile([0.0, 0.0, 1.0], (len(corners), 1)), points


def _spherical(generator: np.random.Generator) -> tuple[Vector, Vector]:
    """Four axes that meet in the origin."""
    angles = np.array([0.1, 1.5, 3.2, 4.6]) + generator.uniform(-0.2, 0.2, 4)
    axes = np.column_stack([np.cos(angles), np.sin(angles), generator.uniform(0.5, 1.2, 4)])
    axes /= np.linalg.norm(axes, axis=1)[:, None]
    return axes, axes * generator.uniform(0.6, 1.2, 4)[:, None]


def _bricard(generator: np.random.Generator) -> tuple[Vector, Vector]:
    """R. Bricard, Leçons de cinématique II, Paris 1927: the trihedral linkage, each axis at a right angle to the next
    one, here along the edges of a box."""
    edges = np.vstack([np.diag(box := generator.uniform(0.8, 1.3, 3)), -np.diag(box)])
    points = np.cumsum(edges, axis=0)
    return np.eye(3)[[2, 0, 1, 2, 0, 1]], points


def _rotation(generator: np.random.Generator) -> Vector:
    q, r = np.linalg.qr(generator.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    return q * np.sign(np.linalg.det(q))


def _numbers(name: str, vector: Vector) -> str:
    return ", ".join(f"{name}{k}={value!r}" for k, value in enumerate(vector.tolist(), 1))
