"""``python -m tests.oracles.tanks``: tanks joined by orifices whose slope is infinite at rest, against scipy.

A flow is k*|d|^p of the difference d of two levels, with p from 0.4 to 0.9, written in three ways. A wave fills
one tank, and one leaks: differences pass zero, touch it and stay there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from oracles.forced_models import LIMIT
from scipy.integrate import solve_ivp

import cutset
from cutset import RunError

METHODS = ("auto", "cvode-bdf", "cvode-adams", "ida", "radau")
# The levels between which the third way of writing is smooth.
_SMOOTH = 1e-10


@dataclass(frozen=True)
class Orifice:
    """From tank to tank."""

    start: int
    end: int
    k: float
    p: float
    way: int

    def law(self, d: str) -> str:
        """The flow in the language."""
        if self.way == 0:
            return f"if {d} >= 0 then {self.k}*{d}^{self.p} else -{self.k}*(-{d})^{self.p}"
        if self.way == 1:
            return f"{self.k}*sign({d})*abs({d})^{self.p}"
        return f"{self.k}*{d}*({d}^2 + {_SMOOTH})^(({self.p} - 1)/2)"

    def flow(self, d: float) -> float:
        """The same."""
        if self.way == 2:
            return self.k * d * (d * d + _SMOOTH) ** ((self.p - 1.0) / 2.0)
        return float(self.k * np.sign(d) * abs(d) ** self.p)


@dataclass(frozen=True)
class Tanks:
    """Levels at the start, areas, orifices, the wave that fills the first tank, the tank that leaks, and the end."""

    levels: tuple[float, ...]
    areas: tuple[float, ...]
    orifices: tuple[Orifice, ...]
    wave: tuple[float, float, float]
    leak: tuple[int, float]
    stop: float

    def text(self) -> str:
        """The model in the language."""
        lines = []
        for k, each in enumerate(self.orifices):
            lines += [f"  local q{k}, d{k}", f"  d{k} = h{each.start} - h{each.end}", f"  q{k} = {each.law(f'd{k}')}"]
        size, rate, mean = self.wave
        for n, (level, area) in enumerate(zip(self.levels, self.areas, strict=True)):
            flows = [f"- q{k}" for k, each in enumerate(self.orifices) if each.start == n]
            flows += [f"+ q{k}" for k, each in enumerate(self.orifices) if each.end == n]
            flows += [f"+ {size}*sin({rate}*time) + {mean}"] * (n == 0)
            flows += [f"- {self.leak[1]}*h{n}"] * (n == self.leak[0])
            lines += [f"  local h{n} (start={level})", f"  {area}*der(h{n}) = {' '.join(flows)}"]
        return "\n".join(["model Levels", *lines, "end", ""])

    def rates(self, t: float, h: np.ndarray) -> np.ndarray:
        """dh/dt."""
        inflows = np.zeros(len(h))
        for each in self.orifices:
            q = each.flow(h[each.start] - h[each.end])
            inflows[each.start] -= q
            inflows[each.end] += q
        size, rate, mean = self.wave
        inflows[0] += size * np.sin(rate * t) + mean
        inflows[self.leak[0]] -= self.leak[1] * h[self.leak[0]]
        return inflows / np.array(self.areas)


def tanks(r: np.random.Generator) -> Tanks:
    """Some at random."""

    def number(low: float, high: float) -> float:
        return float(f"{r.uniform(low, high):.3g}")

    def size(low: float, high: float) -> float:
        return float(f"{10.0 ** r.uniform(low, high):.3g}")

    n = int(r.integers(2, 6))
    pairs = [(k, k + 1) for k in range(n - 1)] + [(0, n - 1)] * int(n > 2 and r.random() < 0.4)
    orifices = [
        Orifice(*pair, size(-0.7, 0.7), number(0.4, 0.9) if r.random() < 0.5 else 0.5, int(r.integers(3)))
        for pair in pairs
    ]
    return Tanks(
        tuple(number(0.1, 1.5) for _ in range(n)),
        tuple(size(-0.5, 0.5) for _ in range(n)),
        tuple(orifices),
        (number(0.05, 0.3), size(-0.3, 1.0), number(0.0, 0.1)),
        (int(r.integers(n)), number(0.01, 0.2)),
        number(2.0, 6.0),
    )


def solution(drawn: Tanks, times: np.ndarray) -> np.ndarray | None:
    """The levels at these times; None if scipy takes too long where a difference rests."""
    left = 60_000

    def rates(t: float, h: np.ndarray) -> np.ndarray:
        nonlocal left
        left -= 1
        if left < 0:
            raise OverflowError
        return drawn.rates(t, h)

    try:
        return solve_ivp(rates, (0.0, drawn.stop), drawn.levels, "Radau", rtol=1e-8, atol=1e-10, t_eval=times).y
    except OverflowError:
        return None


def error(drawn: Tanks, method: str, right: np.ndarray, times: np.ndarray) -> float:
    """The largest difference of a level in a run with default settings, in tolerances."""
    found = cutset.loads(drawn.text()).simulate(drawn.stop, method=method, points=len(times))
    rows = np.searchsorted(found.time, times, side="right") - 1
    return max(
        float((abs(found[f"h{n}"][rows] - level) / (1e-6 * abs(level) + 1e-8)).max()) for n, level in enumerate(right)
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run models; the exit code is 1 if one is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--methods", default=",".join(METHODS))
    given = parser.parse_args(arguments)
    wrong: dict[str, int] = dict.fromkeys(given.methods.split(","), 0)
    for seed in range(given.first, given.first + given.count):
        drawn = tanks(np.random.default_rng(seed))
        times = np.linspace(0.0, drawn.stop, 11)
        right = solution(drawn, times)
        for method in wrong if right is not None else ():
            try:
                found = error(drawn, method, right, times)
            except RunError as failure:
                print(f"{seed} {method}: {str(failure).splitlines()[0]}", flush=True)
                continue
            if not found <= LIMIT:
                wrong[method] += 1
                print(f"{seed} {method}: {found:.3g} tolerances", flush=True)
    print(f"{given.count} models, wrong: {wrong}")
    return int(any(wrong.values()))


if __name__ == "__main__":
    sys.exit(main())
