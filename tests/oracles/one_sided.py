"""Random branches that have values on their own side of a relation only, against closed solutions.

A signal x of known form passes a threshold c several times; y is a pair of branches of it, and s the integral of y.

``python -m tests.oracles.one_sided --count 300`` runs many.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

METHODS = ("auto", "cvode-bdf", "radau", "tsit5", "rk4", "dopri5", "ida", "bdf")
Numbers = np.ndarray
# Functions of the distance d >= 0 from the threshold, which have no value for d < 0, or none at it.
_SIDED: dict[str, Callable[[Numbers], Numbers]] = {
    "sqrt({0})": np.sqrt,
    "({0})^1.5": lambda d: d**1.5,
    "({0})^0.7": lambda d: d**0.7,
    "acos(1 - 0.1*({0}))": lambda d: np.arccos(1 - 0.1 * d),
    "half({0})": lambda d: 0.5 * np.sqrt(d),
    "0.3*sqrt(2*({0}) + ({0})^2)": lambda d: 0.3 * np.sqrt(2 * d + d * d),
    "-sqrt({0})/(1 + ({0})^0.5)": lambda d: -np.sqrt(d) / (1 + np.sqrt(d)),
    "sin({0})/({0})": lambda d: np.sinc(d / np.pi),
    "({0})^2.2*log({0} + 1e-9)": lambda d: d**2.2 * np.log(d + 1e-9),
}
# Branches around the side that is `above`: text with both functions, and whether it is one of x or of an unknown.
_FORMS = (
    "if x > c then {above} else {below}",
    "if x <= c then {below} else {above}",
    "if not (c >= x) and not (x < c) then {above} else {below}",
    "if x < c - 0.2 then {below} elseif x < c then {below} else {above}",
    "if is_above then {above} else {below}",
    "2*(if x - c >= 0 then 0.5*({above}) else 0) + (if c > x then {below} else 0)",
    "if other > c + shift then {above} else {below}",
)
_SIGNALS: tuple[tuple[str, str, Callable[[Numbers], Numbers]], ...] = (
    ("x (start=1), v (start=0)", "der(x) = v; der(v) = -9*x", lambda t: np.cos(3 * t)),
    ("x (start=1)", "der(x) = -x", lambda t: np.exp(-t)),
    ("x (start=-1)", "der(x) = 1", lambda t: t - 1),
    ("x", "x = sin(2.5*time + 0.3)", lambda t: np.sin(2.5 * t + 0.3)),
    ("x", "x = 0.7*time - 0.5", lambda t: 0.7 * t - 0.5),
    ("x (start=0.2), v (start=1)", "der(x) = v; der(v) = -0.4*v - 4*x", lambda t: _damped(t)),
)


def _damped(t: Numbers) -> Numbers:
    w = np.sqrt(4 - 0.04)
    return np.exp(-0.2 * t) * (0.2 * np.cos(w * t) + (1 + 0.2 * 0.2) / w * np.sin(w * t))


@dataclass(frozen=True)
class Case:
    """The text of a model, what x and s are at 2 s, and the largest y."""

    text: str
    x: float
    s: float
    size: float


def random_case(seed: int) -> Case:
    rng = np.random.default_rng(seed)
    declared, equations, signal = _SIGNALS[int(rng.integers(len(_SIGNALS)))]
    (above_text, above), (below_text, below) = (list(_SIDED.items())[int(rng.integers(len(_SIDED)))] for _ in range(2))
    c = float(np.round(rng.uniform(-0.4, 0.6), 3))
    is_one_sided = rng.random() < 0.3
    form = _FORMS[int(rng.integers(len(_FORMS)))]
    names = "dp" if rng.random() < 0.3 else "x - c", "-dp" if rng.random() < 0.3 else "c - x"
    texts = above_text.format(names[0]), "0" if is_one_sided else f"-({below_text.format(names[1])})"
    expression = form.format(above=texts[0], below=texts[1])
    t, weights = _nodes(signal, c)
    way = signal(t) - c
    outside = np.where(way > 0, above(np.maximum(way, 0)), 0 if is_one_sided else -below(np.maximum(-way, 0)))
    implicit = rng.random() < 0.3
    if implicit:  # y + w = branches of y, which is the monotone inverse where branches rise
        expression = "q"
        equations += "; q + 0.5*(if q > 0 then q^1.5 elseif q < 0 then -(-q)^1.5 else 0) = x - c"
        outside = _inverse(way)
    lines = [
        *equations.split("; "),
        *([] if implicit else ["dp = x - c", "is_above = x > c", "other = x + shift"]),
        f"y = {expression}",
        "der(s) = y",
    ]
    names_of = "q" if implicit else "dp, is_above, other"
    body = "\n  ".join(lines)
    text = (
        "function half(z) result r\n  r := 0.5*sqrt(z)\nend\n"
        f"model M\n  parameter c = {c!r}, shift = 0.5\n  local {declared}, y, s (start=0), {names_of}\n  {body}\nend\n"
    )
    text = text.replace("is_above, other", "other\n  local (Boolean) is_above")
    return Case(
        text, float(signal(np.array([2.0]))[0]), float(weights @ outside), max(1.0, float(np.abs(outside).max()))
    )


def _inverse(way: Numbers) -> Numbers:
    q = np.zeros_like(way)
    low, high = np.full_like(way, -10.0), np.full_like(way, 10.0)
    for _ in range(80):
        q = 0.5 * (low + high)
        above = q + 0.5 * np.sign(q) * np.abs(q) ** 1.5 > way
        low, high = np.where(above, low, q), np.where(above, q, high)
    return q


_GAUSS = np.polynomial.legendre.leggauss(40)


def _nodes(signal: Callable[[Numbers], Numbers], c: float) -> tuple[Numbers, Numbers]:
    """Points and weights of Gauss between the crossings, in a variable with which roots at the ends are smooth."""
    grid = np.linspace(0, 2, 20011)
    side = signal(grid) - c
    found = [0.0, 2.0]
    for k in np.flatnonzero(side[:-1] * side[1:] < 0).tolist():
        low, high = grid[k], grid[k + 1]
        for _ in range(60):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if (signal(np.array([middle]))[0] - c) * side[k] > 0 else (low, middle)
        found.append(0.5 * (low + high))
    found.sort()
    ends = np.array([found[:-1], found[1:]])[:, :, None]
    u = 0.5 * (_GAUSS[0] + 1)
    t = ends[0] + (ends[1] - ends[0]) * u**4 * (35 - 84 * u + 70 * u**2 - 20 * u**3)
    weights = 0.5 * _GAUSS[1] * 140 * (u * (1 - u)) ** 3 * (ends[1] - ends[0])
    return t.ravel(), weights.ravel()


def error_of(case: Case, folder: Path, method: str, target: str = "c") -> float:
    """The error at the end, relative to the size of y; the steps of rk4 are short."""
    import cutset

    path = folder / "branches.mo"
    path.write_text(case.text)
    longest = {"max_step": 1e-3} if method == "rk4" else {}
    run = cutset.load(path).simulate(2.0, points=7, method=method, target=target, **longest)
    return max(abs(run["x"][-1] - case.x), abs(run["s"][-1] - case.s) / case.size)


def main() -> int:
    """Exit code 1 where one is wrong or refused."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracles.one_sided", description=__doc__)
    parser.add_argument("--count", type=int, default=300, help="how many models")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--target", default="c", help="what computes them")
    arguments = parser.parse_args()
    wrong, largest = 0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.first, arguments.first + arguments.count):
            method = METHODS[seed % len(METHODS)]
            try:
                error = error_of(random_case(seed), Path(folder), method, arguments.target)
            except Exception as failure:
                print(seed, method, str(failure).splitlines()[0], flush=True)
                wrong += 1
                continue
            largest = max(largest, error)
            if not error < 1e-4:
                print(seed, method, error, flush=True)
                wrong += 1
    print(f"{arguments.count} models, {wrong} wrong, largest error {largest:.1e}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
