"""``python -m tests.oracles.forced_models``: models that functions of time drive, against scipy with short steps.

A function is a sine of 0.01 Hz to 100 kHz, a power or an exponential of one, a table, a pulse or a burst, modulated and
summed; it drives a state alone, a filter, a rectifier, a mixer, a motor, a phase control or an oscillator. One in ten
has a state in place of time, and one in ten is delayed.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

import cutset
from cutset import RunError

METHODS = ("auto", "dopri5", "tsit5", "bs32", "cvode-adams", "cvode-bdf", "ida", "radau")
# Beyond so many tolerances a state is wrong.
LIMIT = 100.0
_RTOL, _ATOL = 1e-6, 1e-8
_NUMPY: dict[str, Any] = {name: getattr(np, name) for name in ("sin", "cos", "exp", "tanh", "sqrt", "abs")}
_NUMPY |= {"interp1": lambda x, xs, ys: np.interp(x, xs, ys), "mod": np.mod, "noevent": lambda x: x, "step": np.where}
_NUMPY |= {"max": np.maximum, "min": np.minimum}


@dataclass(frozen=True)
class Forced:
    """A model: its equations `der(name) = ...` as texts of both languages, the end of the run, the shortest time scale
    of what drives it, the instants at which that may jump; classes and lines besides, arguments of its run, and what
    scipy calls by name."""

    family: str
    equations: dict[str, tuple[str, str]]
    stop: float
    scale: float
    jumps: tuple[float, ...] = ()
    classes: str = ""
    lines: str = ""
    given: Mapping[str, Any] = field(default_factory=dict)
    named: Mapping[str, Any] = field(default_factory=dict)

    def text(self) -> str:
        """The model in the language."""
        lines = [f"  local {name} (start=0)\n  der({name}) = {of[0]}" for name, of in self.equations.items()]
        return (
            f"{self.classes}model Forced\n  constant pi = 3.14159265358979323846\n{self.lines}"
            + "\n".join(lines)
            + "\nend\n"
        )

    def solution(self, times: Sequence[float], rtol: float) -> np.ndarray:
        """The states at these times by scipy, with steps that resolve everything."""
        names = list(self.equations)
        codes = [compile(of[1], name, "eval") for name, of in self.equations.items()]

        def slopes(t: float, x: np.ndarray) -> list[float]:
            known = dict(zip(names, x, strict=True)) | {"time": t, "pi": np.pi} | dict(self.named)
            return [float(eval(code, _NUMPY, known)) for code in codes]

        x, rows = np.zeros(len(names)), []
        ends = sorted({0.0, *(t for t in self.jumps if 0.0 < t < self.stop), *times})
        aside = 1e-13 * self.stop if self.jumps else 0.0
        for start, end in itertools.pairwise(ends):
            within = (start + aside, end - aside)
            run = solve_ivp(slopes, within, x, "DOP853", rtol=rtol, atol=1e-13, max_step=self.scale)
            x = run.y[:, -1]
            rows += [x] if end in times else []
        return np.array(rows)


def _number(x: float) -> str:
    return f"{x:.6g}"


def _wave(r: np.random.Generator, f: float) -> str:
    return f"sin(2*pi*{_number(f)}*time + {_number(r.uniform(0, 6.28))})"


def _function(r: np.random.Generator, f: float, periods: float) -> tuple[str, float]:
    """A function of time with the largest frequency f, and its shortest time scale as a part of 1/f."""
    slow = f / r.uniform(3.0, 9.0)
    stop = periods / f
    kind = r.integers(11)
    if kind == 0:
        return _wave(r, f), 0.05
    if kind == 1:
        n = int(r.integers(2, 30))
        return f"{_wave(r, f)}^{n}", 0.05 / n**0.5
    if kind == 2:
        k = r.uniform(2.0, 100.0)
        return f"exp(-{_number(k)}*(1 - {_wave(r, f)}))", 0.05 / k**0.5
    if kind == 3:
        k = r.uniform(2.0, 20.0)
        return f"tanh({_number(k)}*{_wave(r, f)})", 0.05 / k
    if kind == 4:
        return f"(1 + {_number(r.uniform(0.1, 1.0))}*{_wave(r, slow)})*{_wave(r, f)}", 0.05
    if kind == 5:
        return f"{_wave(r, f)} + {_number(r.uniform(0.2, 3.0))}*{_wave(r, slow)}", 0.05
    if kind == 6:
        width, at = stop * 10.0 ** r.uniform(-4.0, -1.5), stop * r.uniform(0.2, 0.9)
        return f"exp(-((time - {_number(at)})/{_number(width)})^2)", 0.1 * width * f
    if kind == 7:
        return f"exp(-{_number(r.uniform(1.0, 30.0) * f / periods)}*time)*{_wave(r, f)}", 0.05
    if kind == 8:
        return f"sin(2*pi*{_number(f)}*time + {_number(r.uniform(0.5, 5.0))}*{_wave(r, slow)})", 0.03
    if kind == 9:
        return f"max({_wave(r, f)}, {_number(r.uniform(-0.5, 0.95))})", 0.02
    return _table(r, f, stop)


def _table(r: np.random.Generator, f: float, stop: float) -> tuple[str, float]:
    """A pulse, points of a sine, or points at random."""
    width, at = stop * 10.0 ** r.uniform(-3.0, -1.5), stop * r.uniform(0.2, 0.8)
    xs, ys, kind = [0.0, at, at + width, at + 2.0 * width, 2.0 * stop], [0.0, 0.0, 1.0, 0.2, 0.2], r.integers(3)
    if kind:
        n = int(r.integers(5, 200))
        width = stop / n
        xs = [width * (k + (0.4 * float(r.uniform(-1, 1)) if k else 0.0)) for k in range(n + 1)] + [2.0 * stop]
        turns = r.uniform(0.5, 0.3 * n)
        ys = [float(np.sin(2.0 * np.pi * turns * k / n) if kind == 1 else r.uniform(-1, 1)) for k in range(n + 2)]
    x, y = ("[" + ", ".join(map(repr, v)) + "]" for v in (xs, ys))
    return f"interp1(time, {x}, {y})", 0.05 * width * f


def _both(text: str) -> tuple[str, str]:
    return text, text.replace("^", "**")


def model(r: np.random.Generator) -> Forced:
    """A random model."""
    f, periods = 10.0 ** r.uniform(-2.0, 5.0), 10.0 ** r.uniform(0.0, 1.7)
    stop = periods / f
    u, scale = _function(r, f, periods)
    # The time constant: from a tenth of a period to the run.
    rate = f"{_number(f * 10.0 ** r.uniform(-np.log10(periods), 1.0))}"
    size = _number(f * 10.0 ** r.uniform(-1.0, 1.0))
    law = f"1 - 1.001/(1 + 0.001*exp(min(20*(5*({u}) - x), 60)))"  # of a diode with a resistor
    families: dict[str, Callable[[], dict[str, str]]] = {
        "alone": lambda: {"x": f"{size}*({u})"},
        "filter": lambda: {"x": f"{rate}*({u} - x)"},
        "rectifier": lambda: {"x": f"{rate}*(({law}) - 0.05*x)"},
        "mixer": lambda: {"x": f"{rate}*(({u})*{_wave(r, f)} - x)"},
        "phase": lambda: {"x": f"{rate}*({u} - x)", "y": f"{rate}*(sin(2*pi*{_number(f)}*time + 2*x) - y)"},
        "motor": lambda: {
            "x": f"{rate}*({u} - x - y)", "y": f"{_number(0.3)}*{rate}*(x - 0.2*y)",
        },
        "oscillator": lambda: {"x": f"{rate}*y", "y": f"{rate}*(({u}) - 0.4*y - x - 0.3*x^3)"},
    }  # fmt: skip
    family = str(r.choice([*families, "thyristor"]))
    if family == "thyristor":
        delay = float(r.uniform(0.05, 0.45))
        on = f"mod({_number(f)}*time, 1) > {_number(delay)}"
        wave = f"sin(2*pi*{_number(f)}*time)"
        both = (f"{rate}*(noevent(if {on} then {wave} else 0) - x)", f"{rate}*(step({on}, {wave}, 0) - x)")
        g = float(_number(f))
        jumps = tuple(k / g + d for k in range(int(stop * g) + 2) for d in (0.0, float(_number(delay)) / g))
        return Forced(family, {"x": both}, stop, 0.05 / f, jumps)
    equations = {name: _both(each) for name, each in families[family]().items()}
    forced = Forced(family, equations, stop, min(scale, 0.02 if family == "rectifier" else 0.05) / f)
    relative = r.integers(10)
    if relative == 0:
        return _by_a_clock(forced, f"{_number(r.uniform(0.5, 2.0))}")
    return _delayed(forced, u, float(_number(stop * r.uniform(0.05, 0.4)))) if relative == 1 else forced


def _by_a_clock(forced: Forced, speed: str) -> Forced:
    """The same with a state in place of time."""
    texts = {name: [each.replace("time", f"(s/{speed})") for each in of] for name, of in forced.equations.items()}
    equations = {name: (ours, theirs) for name, (ours, theirs) in texts.items()} | {"s": (speed, speed)}
    return replace(forced, family=f"{forced.family} by a clock", equations=equations)


def _delayed(forced: Forced, u: str, time: float) -> Forced:
    """The same with a delayed function."""
    there, before = u.replace("^", "**"), u.replace("^", "**").replace("time", f"max(time - {time!r}, 0)")
    equations = {
        name: (ours.replace(u, f"delay({u}, {time!r})"), theirs.replace(there, before))
        for name, (ours, theirs) in forced.equations.items()
    }
    return replace(forced, family=f"{forced.family} delayed", equations=equations, jumps=(time,))


def errors(forced: Forced, method: str, expected: np.ndarray, times: Sequence[float], target: str = "auto") -> float:
    """The largest error of a run with default settings, in tolerances."""
    loaded = cutset.loads(forced.text())
    found = loaded.simulate(forced.stop, method=method, points=len(times) + 1, target=target, **forced.given)
    worst = 0.0
    for k, name in enumerate(forced.equations):
        size = _RTOL * max(abs(expected[:, k]).max(), abs(found[name]).max()) + _ATOL
        rows = np.searchsorted(found.time, times, side="right") - 1
        worst = max(worst, float(abs(found[name][rows] - expected[:, k]).max()) / size)
    return worst


def drawn(first: int, count: int) -> Iterator[tuple[int, Forced, np.ndarray, list[float]]]:
    """Well-conditioned models with these numbers, and their solutions."""
    for seed in range(first, first + count):
        forced = model(np.random.default_rng(seed))
        times = np.linspace(0.0, forced.stop, 8)[1:].tolist()
        yield seed, forced, forced.solution(times, 1e-10), times


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the models; the exit code is 1 if one is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--methods", default=",".join(METHODS))
    given = parser.parse_args(arguments)
    wrong: dict[str, int] = dict.fromkeys(given.methods.split(","), 0)
    for seed, forced, expected, times in drawn(given.first, given.count):
        for method in wrong:
            try:
                error = errors(forced, method, expected, times)
            except RunError as failure:
                error = np.inf
                print(f"{seed} {forced.family} {method}: {str(failure).splitlines()[0]}")
            if not error <= LIMIT:
                wrong[method] += 1
                print(f"{seed} {forced.family} {method}: {error:.3g} tolerances", flush=True)
    print(f"{given.count} models, wrong: {wrong}")
    return int(any(wrong.values()))


if __name__ == "__main__":
    sys.exit(main())
