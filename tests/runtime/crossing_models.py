"""Random models whose relations cross at known instants, run by every method: ``python tests/runtime/crossing_models.py
200``.

The states have closed solutions; a fine grid of these says how often each relation becomes true and how long it holds.
Models in which something all but touches zero are drawn again.
"""

from __future__ import annotations

import random
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import cutset
from cutset.runtime.solvers import METHODS

STOP = 10.0
# Counts of outputs: results must not depend on them.
POINTS = (2, 5000)
_GRID = np.linspace(0.0, STOP, 400_001)
# The states of every model: text, and the solution of each.
_STATES = """  local x (start=0), r (start=0), y (start=0), z (start=1), d (start=2), q (start=0)
  der(x) = 1
  der(r) = 0.1
  der(y) = {w}*z
  der(z) = -{w}*y
  der(d) = -{a}*d
  der(q) = {v}*cos({v}*time)"""


@dataclass(frozen=True)
class Drawn:
    """A model, and for each of its relations how often it becomes true and how long it is."""

    text: str
    counts: tuple[int, ...]
    lengths: tuple[float, ...]


def draw(number: int) -> Drawn:
    """Model `number`, always the same."""
    for attempt in range(1000):
        found = _draw(random.Random(f"{number} {attempt}"))
        if found is not None:
            return found
    raise AssertionError("no model")


def _draw(rng: random.Random) -> Drawn | None:
    w, a, v, k = (round(rng.uniform(*limits), 3) for limits in ((0.5, 6.0), (0.1, 1.0), (0.5, 8.0), (1.0, 12.0)))
    t = _GRID
    values = {
        "x": t,
        "r": 0.1 * t,
        "y": np.sin(w * t),
        "z": np.cos(w * t),
        "d": 2.0 * np.exp(-a * t),
        "q": np.sin(v * t),
        "time": t,
    }
    names = {
        "sin": np.sin,
        "cos": np.cos,
        "exp": np.exp,
        "abs": np.abs,
        "max": np.maximum,
        "min": np.minimum,
        "mod": np.mod,
    }
    of_time = [
        f"sin({k}*time)",
        f"sin({k}*time) + 0.4*cos({v}*time)",
        f"sin({k}*time)*exp(-{a}*time)",
        f"max(sin({k}*time), cos({w}*time))",
        f"abs(sin({w}*time)) - 0.1*time",
        f"sin({w}*time*time)",
        f"sin({w}*time) - 1.6*mod({v}*time/7, 1)",
        f"interp1(5*sin({w}*time), [-5, -1, 0, 2, 5], [-1, 0.5, -0.7, 0.8, -0.9])",
    ]
    names["interp1"] = lambda u, xs, ys: np.interp(u, xs, ys)
    of_states = [
        f"sin({k}*x)",
        "y",
        f"y + 0.3*sin({k}*r*10)",
        f"d*cos({v}*x)",
        "q",
        "q*z",
        f"r - sin({k}*time)",
        "y*y - 0.2*x",
        f"z + 0.5*sin({v}*x)",
    ]
    chosen = rng.sample(of_time, rng.randint(1, 2)) + rng.sample(of_states, rng.randint(1, 3))
    lines, counts, lengths = [], [], []
    for j, g in enumerate(chosen, start=1):
        level, operator = round(rng.uniform(-0.97, 0.97), 3), rng.choice("<>")
        difference = np.broadcast_to(eval(g, {"__builtins__": {}}, {**values, **names}), t.shape) - level
        if _grazes(difference):
            return None
        holds = difference > 0.0 if operator == ">" else difference < 0.0
        counts.append(int((holds[1:] & ~holds[:-1]).sum()))
        lengths.append(float(holds.mean()) * STOP)
        lines.append(f"  local u{j}, E{j} (start=0), n{j} (start=0)")
        lines.append(f"  u{j} = {g}\n  der(E{j}) = if u{j} {operator} {level} then 1 else 0")
        lines.append(f"  when u{j} {operator} {level} then\n    new(n{j}) = n{j} + 1\n  endwhen")
    text = "\n".join(["model Crossings", _STATES.format(w=w, a=a, v=v), *lines, "end", ""])
    return Drawn(text, tuple(counts), tuple(lengths))


def _grazes(g: np.ndarray) -> bool:
    """Whether an extremum is near zero, or a crossing near an end of the run."""
    turns = np.flatnonzero(np.diff(np.sign(np.diff(g))) != 0.0) + 1
    # At a jump the grid shows turns beside it, one on each side.
    near = np.abs(g[turns]) < 0.01
    crossings = _GRID[1:][np.sign(g[1:]) != np.sign(g[:-1])]
    return bool(
        near.any() or (np.minimum(crossings, STOP - crossings) < 0.01).any() or (np.diff(crossings) < 0.005).any()
    )


def faults(number: int, runs: list[tuple[str, int, str]]) -> list[str]:
    """What is wrong with model `number` in these runs: method, points and target."""
    drawn, found = draw(number), []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.mo"
        path.write_text(drawn.text)
        model = cutset.load(path)
        for method, points, target in runs:
            who = f"model {number}, {method}, {points} points, {target}"
            try:
                run = model.simulate(STOP, method=method, points=points, target=target, rtol=1e-7, atol=1e-9)
            except Exception as error:  # whatever it is, it is to be reported
                found.append(f"{who}: {str(error).splitlines()[0]}")
                continue
            for j, (count, length) in enumerate(zip(drawn.counts, drawn.lengths, strict=False), start=1):
                n, E = float(run[f"n{j}"][-1]), float(run[f"E{j}"][-1])
                allowed = 2e-2 if method == "rk4" else 1e-3
                if n != count or abs(E - length) > allowed:
                    found.append(
                        f"{who}: relation {j} became true {n:g} times, not {count}; held for {E:.6f} s, not "
                        f"{length:.6f} s"
                    )
    return found


def every_run(target: str = "c") -> list[tuple[str, int, str]]:
    """All methods, with few outputs and with many."""
    return [(method, points, target) for method in METHODS for points in POINTS]


def main() -> int:
    """The first so many models, C and for every tenth Python too; 1 where something is wrong."""
    first, last = (0, int(sys.argv[1])) if len(sys.argv) == 2 else map(int, sys.argv[1:3])
    wrong = 0
    for number in range(first, last):
        runs = every_run() + ([(method, 2, "python") for method in METHODS] if number % 10 == 0 else [])
        for fault in faults(number, runs):
            wrong += 1
            print(fault, flush=True)
    print(f"{last - first} models, {wrong} faults")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
