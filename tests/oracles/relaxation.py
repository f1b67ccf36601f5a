"""Random relaxation oscillators: equations with three solutions that are left where they end, with the instants in
closed form.

Of a = y - y^3/3, with y = (v - v0)/s and a = (c - c0)/k, the solutions |y| > 1 are stable; der(c) = (k/T)*y. In slow
motion da/dt = y/T and da = (1 - y^2) dy, so that y takes T*(ln(y) - y^2/2) from one value to another; at y = 1 the
branch ends and y leaps to -2 (B. van der Pol 1926, J. Guckenheimer, P. Holmes 1983). v is mixed with further unknowns,
so that systems of one to four equations are solved.

``python -m tests.oracles.relaxation --count 200`` runs many.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

METHODS = ("auto", "dopri5", "cvode-bdf", "cvode-adams", "ida", "radau", "rk4")


@dataclass(frozen=True)
class Oscillator:
    """A model text and the first instants at which it leaps."""

    text: str
    leaps: tuple[float, ...]

    @property
    def stop(self) -> float:
        """Between two leaps."""
        return self.leaps[-1] + 0.3 * (self.leaps[-1] - self.leaps[-2])


def random_oscillator(seed: int, leaps: int = 3) -> Oscillator:
    """One to four unknowns, of any sizes."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 5))
    v0, s, c0, k, time = (float(10 ** rng.uniform(-1, 1)) for _ in range(5))
    side, start = float(rng.choice([-1.0, 1.0])), float(rng.uniform(1.3, 1.9))
    y = side * start
    first = time * (math.log(1.0 / start) - 0.5 * (1.0 - start**2))
    half = time * (math.log(0.5) + 1.5)
    others = [f"w{i}" for i in range(1, n)]
    declared = ", ".join([f"c (start={c0 + k * (y - y**3 / 3)!r})", f"v (start={v0 + s * y!r})", *others])
    lines = [f"model Oscillator\n  local {declared}"]
    lines.append(f"  constant v0 = {v0!r}, s = {s!r}, c0 = {c0!r}, k = {k!r}")
    # What is added to the equations of v is zero at each solution, and couples them.
    chain = [f"{rng.uniform(-0.5, 0.5)!r}*{before} + {rng.uniform(-1.0, 1.0)!r}" for before in ["v", *others][: n - 1]]
    mixed = "".join(f" + {rng.uniform(-0.2, 0.2)!r}*({w} - ({value}))" for w, value in zip(others, chain, strict=False))
    lines.append("  local y")
    lines.append("  y = (v - v0)/s")
    lines.append(f"  (c - c0)/k = (v - v0)/s - ((v - v0)/s{mixed})^3/3{mixed}")
    lines.append(f"  der(c) = {k / time!r}*y")
    most = 0.9 / (abs(v0) + 2.5 * s)  # beyond, these equations have solutions of their own
    lines += [
        f"  {w} + {rng.uniform(0.0, most)!r}*v*({w} - ({value})) = {value}"
        for w, value in zip(others, chain, strict=False)
    ]
    return Oscillator("\n".join([*lines, "end\n"]), tuple(first + i * half for i in range(leaps)))


def error_of(
    oscillator: Oscillator, folder: Path, method: str = "auto", target: str = "auto", rtol: float = 1e-7
) -> float:
    """How far the instants of the leaps are wrong, as part of the time between two; infinite where there are others."""
    import cutset

    path = folder / "oscillator.mo"
    path.write_text(oscillator.text)
    run = cutset.load(path).simulate(oscillator.stop, method=method, target=target, rtol=rtol, atol=1e-9, points=200)
    y = run["y"]
    found = run.time[1:][np.sign(y[1:]) != np.sign(y[:-1])]
    if len(found) != len(oscillator.leaps):
        return math.inf
    return float(np.abs(found - oscillator.leaps).max() / (oscillator.leaps[-1] - oscillator.leaps[-2]))


def main() -> int:
    """Exit code 1 where one is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracles.relaxation", description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="how many models")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    arguments = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.first, arguments.first + arguments.count):
            method = METHODS[seed % len(METHODS)]
            try:
                error = error_of(random_oscillator(seed), Path(folder), method)
            except Exception as failure:
                print(seed, method, str(failure).splitlines()[0], flush=True)
                wrong += 1
                continue
            if not error < 1e-3:
                print(seed, method, error, flush=True)
                wrong += 1
    print(f"{arguments.count} oscillators, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
