"""Draws models with delays at random, and solves those without events by other means. Run as a script it compares both
targets and the solutions.

    python tests/runtime/delayed_models.py 200 [first]

For each model it prints the largest difference between the targets, relative to the largest value, and from the
independent solution.
"""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import cutset

STOP = 3.0


@dataclass(frozen=True)
class Drawn:
    """The text of a model; and for one without events the rates of its states, as a function of time, states and the
    delayed states, which are (state, delay) in `delays`."""

    text: str
    starts: list[float]
    rates: list[str]
    delays: list[tuple[int, float]]


def drawn(number: int, has_events: bool) -> Drawn:
    """The model of this number: two or three states with one to three delays, the shortest of which may be much shorter
    than a step."""
    draw = random.Random(number)
    n, starts = draw.randint(2, 3), []
    delays = [
        (draw.randrange(n), draw.choice((0.05, 0.3, 0.7, 1.3)) * draw.uniform(0.7, 1.4))
        for _ in range(draw.randint(1, 3))
    ]
    if draw.random() < 0.25:
        delays.append((draw.randrange(n), 10.0 ** draw.uniform(-9, -3)))
    rates = []
    for k in range(n):
        starts.append(draw.uniform(-1, 1))
        own = f"-{draw.uniform(0.3, 2):.3f}*x{k} + {draw.uniform(-1, 1):.3f}*sin(x{draw.randrange(n)})"
        own += f" + {draw.uniform(-1, 1):.3f}*sin({draw.uniform(1, 6):.3f}*time)"
        for j in draw.sample(range(len(delays)), draw.randint(1, len(delays))):
            own += f" + {draw.uniform(-1.5, 1.5):.3f}*" + draw.choice(
                ("d{0}", "sin(2*d{0})", "d{0}*x{1}/(1 + x{1}^2)")
            ).format(j, k)
        rates.append(own)
    lines = [f"  local x{k} (start={start!r})" for k, start in enumerate(starts)]
    lines += [f"  local d{j}" for j in range(len(delays))]
    lines += [f"  d{j} = delay(x{k}, {delay!r})" for j, (k, delay) in enumerate(delays)]
    lines += _events(draw, n, len(delays)) if has_events else []
    extra = " + 0.5*n" if has_events else ""
    lines += [f"  der(x{k}) = {rate}{extra if k == 0 else ''}" for k, rate in enumerate(rates)]
    text = "\n".join(["model Drawn", *lines, "end", ""])
    return Drawn(text, starts, rates, delays)


def _events(draw: random.Random, n: int, delays: int) -> list[str]:
    """A counter that is delayed, a delayed state that decides, and a sample."""
    k, level = draw.randrange(n), draw.uniform(-0.3, 0.3)
    return [
        "  local n (start=0), late, held (start=0)",
        f"  late = delay(n + 0.1*x{k}, {draw.uniform(0.05, 0.6)!r})",
        f"  when d{draw.randrange(delays)} > {level!r} or late > 1.5 then",
        "    new(n) = 1 - n",
        "  endwhen",
        f"  when sample({draw.uniform(0, 0.2)!r}, {draw.uniform(0.15, 0.5)!r}) then",
        f"    new(held) = late + delay(held, {draw.uniform(0.1, 0.8)!r})/2",
        "  endwhen",
    ]


def solved(model: Drawn, times: np.ndarray) -> np.ndarray:
    """The states at these times by the method of steps with DOP853: (times, states)."""
    from scipy.integrate import solve_ivp

    names = {"sin": np.sin}
    code = [compile(rate.replace("^", "**"), "rate", "eval") for rate in model.rates]
    begins, pieces = [0.0], []

    def past(t: float, k: int) -> float:
        if t <= 0.0 or not pieces:  # rounding
            return model.starts[k]
        return float(pieces[min(int(np.searchsorted(begins, t, side="right")), len(pieces)) - 1](t)[k])

    def rates(t: float, x: np.ndarray) -> list[float]:
        known = {"time": t, **{f"x{k}": value for k, value in enumerate(x)}}
        known |= {f"d{j}": past(t - delay, k) for j, (k, delay) in enumerate(model.delays)}
        return [eval(each, names, known) for each in code]

    ends, x = sorted({*breaks(model), STOP}), np.array(model.starts)
    for end in ends:
        found = solve_ivp(rates, (begins[-1], end), x, method="DOP853", rtol=1e-11, atol=1e-12, dense_output=True)
        pieces.append(found.sol)
        x = found.y[:, -1]
        begins.append(end)
    rows = np.array([[past(t, k) for k in range(len(x))] for t in times])
    rows[times == 0.0] = model.starts
    return rows


def breaks(model: Drawn) -> set[float]:
    """The ends of the steps of that method: multiples of the shortest delay, and instants of kinks."""
    shortest = min(delay for _, delay in model.delays)
    found, latest = {shortest * k for k in range(1, int(STOP / shortest) + 1)}, {0.0}
    for _ in range(4):
        latest = {t + delay for t in latest for _, delay in model.delays if t + delay < STOP}
        found |= latest
    apart: list[float] = []
    for t in sorted(found):
        if t < STOP - 1e-9 and (not apart or t - apart[-1] > 1e-9):
            apart.append(t)
    return set(apart)


def difference(one: cutset.Result, other: cutset.Result, names: tuple[str, ...]) -> float:
    """The largest difference relative to the largest value; inf if the rows differ."""
    if len(one.time) != len(other.time) or np.abs(one.time - other.time).max() > 1e-9 * STOP:
        return float("inf")
    return max(float(np.abs(one[k] - other[k]).max() / max(np.abs(one[k]).max(), 1e-3)) for k in names)


def main(count: int, first: int) -> None:
    """Compare so many models."""
    with TemporaryDirectory() as folder:
        for number in range(first, first + count):
            has_events = number % 2 == 1
            model, path = drawn(number, has_events), Path(folder) / f"m{number}.mo"
            path.write_text(model.text)
            loaded = cutset.load(path)
            runs = [loaded.simulate(STOP, target=target, points=101) for target in ("c", "python")]
            names = tuple(name for name in runs[0] if name != "time")
            line = f"{number}: targets {difference(*runs, names):.1e}"
            if not has_events and min(delay for _, delay in model.delays) > 1e-2:
                exact = solved(model, runs[0].time)
                apart = max(np.abs(runs[0][f"x{k}"] - exact[:, k]).max() for k in range(len(model.starts)))
                line += f", solution {apart:.1e}"
            statistics = runs[0].statistics
            print(f"{line}, {dict(statistics.events)}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
