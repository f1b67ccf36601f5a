"""Random linear models with more equations than unknowns -> their text, and what their unknowns are.

The derivatives of states x and the other unknowns z are w; M*w + N*x + f(time) = 0 with a regular M of whole numbers,
each row written as a sum on both sides of an equation. Each equation too many is a sum of others, with factors that are
whole numbers, decimal fractions or a parameter. One of them may be `wrong`: a constant too large, or true for the
present value of a parameter alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import numpy as np

FACTORS = {"1": 1.0, "-1": -1.0, "2": 2.0, "0.1": 0.1, "-3": -3.0, "k": 2.5}
COURSES = {"sin(time)": np.sin, "exp(-time)": lambda t: np.exp(-t), "1": lambda t: 1.0}


@dataclass(frozen=True)
class Surplus:
    """`rates` gives the value of each unknown by its name, derivatives under the names of their states."""

    text: str
    surplus: int
    states: tuple[str, ...]
    others: tuple[str, ...]
    m: np.ndarray
    n: np.ndarray
    f: np.ndarray

    def values(self, x: np.ndarray, time: float) -> np.ndarray:
        """w at a point."""
        f = self.f @ np.array([course(time) for course in COURSES.values()])
        return np.linalg.solve(self.m, -(self.n @ x + f))


def surplus_model(seed: int, wrong: str = "") -> Surplus:
    """`wrong` is '', 'constant' or 'parameter'."""
    draw = Random(seed)
    size, count = draw.randint(1, 7), draw.randint(1, 3)
    order = draw.randint(0, size)
    m = _regular(draw, size)
    n = np.array([[draw.choice((0, 0, 1, -2)) for _ in range(order)] for _ in range(size)], dtype=float).reshape(
        size, order
    )
    f = np.array([[draw.choice((0, 0, 0, 1, 3)) for _ in COURSES] for _ in range(size)], dtype=float)
    names = [*(f"der(x{k})" for k in range(order)), *(f"z{k}" for k in range(size - order))]
    atoms = [*names, *(f"x{k}" for k in range(order)), *COURSES]
    rows = [{a: {"1": c} for a, c in zip(atoms, row, strict=False) if c} for row in np.hstack([m, n, f]).tolist()]
    rows += [_sum_of(draw, rows[:size]) for _ in range(count)]
    if wrong:
        rows[-1] = _spoilt(rows[-1], wrong)
    draw.shuffle(rows)
    declared = ", ".join([*(f"x{k} (start={draw.randint(-2, 2)})" for k in range(order)), *names[order:]])
    lines = [
        "model Surplus",
        "parameter k = 2.5",
        f"local {declared}",
        *(_equation(draw, row) for row in rows),
        "end",
        "",
    ]
    return Surplus("\n".join(lines), count, tuple(f"x{k}" for k in range(order)), tuple(names[order:]), m, n, f)


def _regular(draw: Random, size: int) -> np.ndarray:
    """Sparse, with rows that are other names of an unknown among them."""
    while True:
        m = np.zeros((size, size))
        for row in m:
            for _ in range(draw.choice((1, 2, 2, 3))):
                row[draw.randrange(size)] = draw.choice((1, -1, 2))
        if abs(np.linalg.det(m)) > 0.5:
            return m


def _sum_of(draw: Random, rows: list[dict]) -> dict:
    """Of each atom the coefficient, as a sum of factors with their numbers."""
    total: dict[str, dict[str, float]] = {}
    for row in draw.sample(rows, draw.randint(1, min(3, len(rows)))):
        factor = draw.choice(list(FACTORS))
        for atom, coefficient in row.items():
            own = total.setdefault(atom, {})
            own[factor] = own.get(factor, 0.0) + coefficient["1"]
    return total


def _spoilt(row: dict, wrong: str) -> dict:
    """With a constant added that is not zero, or that is so for the present value of k."""
    added = {"constant": {"1": 1.0}, "parameter": {"k": 1.0, "1": -2.5}}[wrong]
    before = row.get("1", {})
    return {**row, "1": {factor: before.get(factor, 0.0) + added.get(factor, 0.0) for factor in (*before, *added)}}


def _equation(draw: Random, row: dict) -> str:
    sides: tuple[list[str], list[str]] = ([], [])
    for atom, coefficient in row.items():
        for factor, number in coefficient.items():
            if number:
                side = draw.randrange(2)
                sides[side].append(f"({factor})*({number if side == 0 else -number:g})*{atom}")
    left, right = (" + ".join(side) or "0" for side in sides)
    return f"{left} = {right}"
