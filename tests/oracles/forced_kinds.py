"""``python -m tests.oracles.forced_kinds``: models driven in ways that ``forced_models`` does not draw, against scipy.

Chirps, nested functions, functions of the user, sawteeth by `mod`, pulses beside their jumps, inputs as data, products
of tables and waves, forcing inside `noevent`, in submodels whose parameters a run gives, and constraints whose
derivatives drive.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from oracles.forced_models import LIMIT, METHODS, Forced, _number, _table, _wave, errors
from scipy.interpolate import PchipInterpolator

import cutset
from cutset import RunError


def chirp(r: np.random.Generator, f: float, stop: float) -> tuple[str, float]:
    """A wave that sweeps to f, or from it; perhaps narrow, modulated or a power."""
    rate, start = f / stop, f * 10.0 ** r.uniform(-3.0, -0.3)
    kind = r.integers(5)
    phase = (
        f"2*pi*({_number(start)}*time + {_number(0.5 * rate)}*time^2)",
        f"2*pi*{_number(f / (3 * stop * stop))}*time^3",
        f"2*pi*{_number(start * stop / np.log(f / start))}*exp({_number(np.log(f / start) / stop)}*time)",
        f"2*pi*{_number(f)}*(time - {_number(0.5 / stop)}*time^2)",
        f"2*pi*{_number(f * stop)}*sqrt(1 + {_number(r.uniform(0.1, 2.0) / stop / stop)}*time^2)",
    )[kind]
    wave = f"sin({phase} + {_number(r.uniform(0, 6.28))})"
    k = r.uniform(2.0, 60.0)
    return (
        (wave, 0.02),
        (f"exp(-{_number(k)}*(1 - {wave}))", 0.02 / k**0.5),
        (f"tanh({_number(0.3 * k)}*{wave})", 0.02 / k),
        (f"(1 + 0.5*{_wave(r, f / 7)})*{wave}", 0.02),
        (f"{wave}^{int(r.integers(2, 9))}", 0.01),
    )[r.integers(5)]


def nested(r: np.random.Generator, f: float, stop: float) -> tuple[str, float]:
    """Functions of functions of waves."""
    a, b, k = _wave(r, f), _wave(r, f / r.uniform(2.0, 5.0)), r.uniform(1.0, 15.0)
    return (
        (f"sin({_number(k)}*{a} + 2*{b})", 0.05 / (k + 2)),
        (f"exp(sin({_number(k)}*{a})) - 1", 0.05 / (k + 1)),
        (f"1/(1 + {_number(k * k)}*{a}^2)", 0.03 / k),
        (f"{a}/(1.05 + {b})", 0.01),
        (f"sqrt(0.001 + {a}^2)", 0.004),
        (f"atan({_number(5 * k)}*{a}*{b})", 0.01 / k),
        (f"tanh({_number(k)}*sin({_number(0.5 * k)}*{b}))", 0.03 / k**2),
        (f"exp(-{_number(k)}*({a} - {b})^2)", 0.03 / k),
    )[r.integers(8)]


def with_function(r: np.random.Generator, f: float, stop: float) -> tuple[str, float, str, Mapping[str, Any]]:
    """A function of the user, with a branch or a loop."""
    k, w = r.uniform(2.0, 40.0), float(_number(2 * np.pi * f))
    c = float(_number(k))
    kind = r.integers(4)
    if kind == 0:
        body = f"  y := exp(-{c!r}*(1 - sin({w!r}*t)))\n"
        return "own(time)", 0.05 / k**0.5, body, {"own": lambda t: np.exp(-c * (1 - np.sin(w * t)))}
    if kind == 1:
        body = f"  local s\n  s := sin({w!r}*t)\n  if s > 0 then\n    y := s^2\n  else\n    y := 0.1*s\n  endif\n"
        return (
            "own(time)",
            0.02,
            body,
            {"own": lambda t: np.where(np.sin(w * t) > 0, np.sin(w * t) ** 2, 0.1 * np.sin(w * t))},
        )
    if kind == 2:
        body = f"  y := 0\n  for i = 1..3 do\n    y := y + sin({w!r}*t*i/3)^(2*i)\n  endfor\n"
        return "own(time)", 0.02, body, {"own": lambda t: sum(np.sin(w * t * i / 3) ** (2 * i) for i in (1, 2, 3))}
    f = min(f, 8.0 / stop)  # nothing is known of it: steps of 1/50 of the run
    loop = f"  s := {_number(f)}*t\n  while s > 1 do\n    s := s - 1\n  endwhile\n"
    body = f"  local s\n{loop}  y := exp(-{c!r}*(s - 0.5)^2)\n"
    return "own(time)", 0.05 / k**0.5, body, {"own": lambda t: np.exp(-c * ((float(_number(f)) * t) % 1 - 0.5) ** 2)}


def sawtooth(r: np.random.Generator, f: float, stop: float) -> tuple[str, float]:
    """Pulses of a phase that jumps back; they are continuous there."""
    k, c = 10.0 ** r.uniform(1.0, 4.0), r.uniform(0.3, 0.7)
    phase = f"mod({_number(f)}*time, 1)"
    return (
        (f"exp(-{_number(k)}*({phase} - {_number(c)})^2)", 0.05 / k**0.5),
        (f"max(0, 1 - {_number(k**0.5)}*abs({phase} - {_number(c)}))", 0.02 / k**0.5),
        (f"({phase}*(1 - {phase}))^{int(r.integers(1, 12))}*4", 0.01),
        (f"sin(2*pi*{phase}^2)^2*(1 - {phase})", 0.01),
        (f"abs({phase} - {_number(c)})", 0.02),
    )[r.integers(5)]


def one_sided(r: np.random.Generator, f: float, stop: float) -> tuple[str, float]:
    """Pulses beside the jumps of a phase."""
    n, c = int(10.0 ** r.uniform(0.5, 2.7)), 10.0 ** r.uniform(0.5, 2.7)
    phase = f"mod({_number(f)}*time, 1)"
    return (
        (f"{phase}^{n}", 0.1 / n),
        (f"(1 - {phase})^{n}", 0.1 / n),
        (f"exp(-{_number(c)}*{phase})", 0.1 / c),
        (f"exp({_number(c)}*({phase} - 1))", 0.1 / c),
        (f"{phase}^{n} + 0.5*{_wave(r, f / 7)}", 0.1 / n),
    )[r.integers(5)]


def times_table(r: np.random.Generator, f: float, stop: float) -> tuple[str, float]:
    """A table times a wave, of a wave or of a power of time."""
    table, scale = _table(r, f, stop)
    inner = f"({_number(0.5 * stop)}*(1 + {_wave(r, 1.0 / stop)}))"
    return (
        (f"{table}*{_wave(r, f)}", min(scale, 0.05)),
        (f"{table}^2 + {_wave(r, f)}", min(scale, 0.05)),
        (table.replace("time", inner), scale / 7),
        (table.replace("time", f"(time^2/{_number(stop)})"), scale / 2),
        (f"{table}*exp(-5*(1 - {_wave(r, f)}))", min(scale, 0.02)),
    )[r.integers(5)]


def without_event(r: np.random.Generator, f: float, stop: float) -> tuple[str, float]:
    """Kinks and jumps inside `noevent`."""
    c, a, b = _number(r.uniform(-0.8, 0.95)), _wave(r, f), _wave(r, f / r.uniform(2.0, 6.0))
    return (
        (f"noevent(max({a}, {c}))", 0.02),
        (f"noevent(if {a} > {c} then {a} - {c} else 0)", 0.02),
        (f"noevent(abs({a}*{b}))", 0.02),
        (f"noevent(if {a} > {b} then 1 else -1)", 0.004),
        (f"noevent(sign({a}) + floor(2*{b}))", 0.004),
        (f"noevent(if {a} > {c} then exp(-20*(1 - {a})) else {b})", 0.004),
    )[r.integers(6)]


KINDS: dict[str, Callable[[np.random.Generator, float, float], Any]] = {
    "chirp": chirp, "nested": nested, "function": with_function, "sawtooth": sawtooth, "table": times_table,
    "noevent": without_event, "data": chirp, "submodel": nested, "constraint": nested,
    "one_sided": one_sided,
}  # fmt: skip


def _translated(u: str) -> str:
    """In Python: a branch is numpy's."""
    text = u.replace("^", "**").replace("arctan", "atan")
    while " then " in text:
        head, rest = text.rsplit("if ", 1)
        condition, rest = rest.split(" then ", 1)
        first, rest = rest.split(" else ", 1)
        depth, end = 0, len(rest)
        for k, letter in enumerate(rest):
            depth += (letter == "(") - (letter == ")")
            if depth < 0:
                end = k
                break
        text = f"{head}where({condition}, {first}, {rest[:end]}){rest[end:]}"
    return text


def model(r: np.random.Generator, kind: str) -> Forced:
    """A random model of this kind."""
    f, periods = 10.0 ** r.uniform(-2.0, 5.0), 10.0 ** r.uniform(0.3, 1.7)
    stop = periods / f
    u, scale, *own = KINDS[kind](r, f, stop)
    classes, named, lines, given = "", dict[str, Any](), "", dict[str, Any]()
    rate = float(_number(f * 10.0 ** r.uniform(-np.log10(periods), 1.0)))
    theirs, jumps = _translated(u), tuple[float, ...]()
    named = {"where": np.where, "atan": np.arctan, "sign": np.sign, "floor": np.floor}
    if own:
        classes, named = f"function own(t) result y\n{own[0]}end\n", named | own[1]
    if kind == "data":
        times = np.linspace(0.0, stop, int(r.integers(5, 300)))
        code = compile(theirs, "data", "eval")
        values = np.array([eval(code, {name: getattr(np, name) for name in ("sin", "exp", "tanh", "sqrt")},
                                {"time": t, "pi": np.pi}) for t in times])  # fmt: skip
        lines, u, theirs = "  input u\n", "u", "u(time)"
        way = ("linear", "smooth", "hold")[r.integers(3)]
        given = {"inputs": {"u": cutset.table((times, values), way)}}
        named["u"] = {"linear": lambda t: np.interp(t, times, values), "smooth": PchipInterpolator(times, values),
                      "hold": lambda t: values[np.searchsorted(times, t, side="right") - 1]}[way]  # fmt: skip
        scale, jumps = 0.5, tuple(times.tolist())
    if kind == "submodel":
        own_u = u.replace("time", "(w*time)")
        classes = "model class Source\n  parameter w = 0, pi = 3.14159265358979323846\n"
        classes += f"  terminal y\n  y = {own_u}\nend\n"
        lines, u, given = "  submodel (Source) s\n", "s.y", {"parameters": {"s.w": 1.0}}
    equations = _driven(r, kind, u, theirs, rate)
    if kind == "one_sided":
        g = float(_number(f))
        jumps = tuple(k / g for k in range(int(stop * g) + 2))
    if kind == "constraint":
        lines += f"  local c, d\n  c = {u}\n  d = der(c)\n"
        named["slope"] = _slope_of(theirs)
    return Forced(kind, equations, stop, min(scale, 0.05) / f, jumps, classes, lines, given, named)


def _slope_of(theirs: str) -> Callable[[float], float]:
    """The derivative by a complex step."""
    code, known = compile(theirs, "slope", "eval"), {n: getattr(np, n) for n in ("sin", "exp", "tanh", "sqrt")}
    known |= {"atan": np.arctan, "pi": np.pi}

    def slope(t: float) -> float:
        h = 1e-30 * max(abs(t), 1e-30)
        return float(np.imag(eval(code, known, {"time": t + 1j * h})) / h)

    return slope


def _driven(r: np.random.Generator, kind: str, u: str, theirs: str, rate: float) -> dict[str, tuple[str, str]]:
    """The equations of the states."""
    if kind == "constraint":
        tau = _number(10.0 ** r.uniform(-1.0, 0.0) / rate)
        d, v = f"{tau}*d", f"{tau}*slope(time)"
        return {
            "x": (f"{rate}*({d} - x)", f"{rate}*({v} - x)"),
            "y": (f"{rate}*(({d})^2 - y - x)", f"{rate}*(({v})**2 - y - x)"),
        }
    law = "1 - 1.001/(1 + 0.001*exp(min(20*(5*({u}) - x), 60)))"
    shapes = (
        {"x": f"{rate}*({{u}})"},
        {"x": f"{rate}*({{u}} - x)"},
        {"x": f"{rate}*(({law}) - 0.05*x)"},
        {"x": f"{rate}*({{u}} - x - y)", "y": f"0.3*{rate}*(x - 0.2*y)"},
        {"x": f"{rate}*y", "y": f"{rate}*(({{u}}) - 0.4*y - x - 0.3*x^3)"},
        {"x": f"{rate}*(({{u}})*(1 + 0.5*y) - x)", "y": f"{rate}*(0.5*x - y)"},
    )
    chosen = shapes[r.integers(len(shapes))]
    return {n: (t.replace("{u}", u), t.replace("{u}", f"({theirs})").replace("^", "**")) for n, t in chosen.items()}


def solved(seed: int, kind: str) -> tuple[Forced, np.ndarray, list[float]]:
    """The model with this number, and its solution at some times."""
    forced = model(np.random.default_rng(seed), kind)
    times = np.linspace(0.0, forced.stop, 8)[1:].tolist()
    return forced, forced.solution(times, 1e-10), times


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the models; the exit code is 1 if one is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=100, help="of each kind")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--methods", default=",".join(METHODS))
    given = parser.parse_args(arguments)
    wrong: dict[tuple[str, str], int] = {}
    for seed in range(given.first, given.first + given.count):
        for kind in given.kinds.split(","):
            forced, expected, times = solved(seed, kind)
            for method in given.methods.split(","):
                try:
                    error = errors(forced, method, expected, times)
                except RunError as failure:
                    error = np.inf
                    print(f"{seed} {kind} {method}: {str(failure).splitlines()[0]}")
                if not error <= LIMIT:
                    wrong[kind, method] = wrong.get((kind, method), 0) + 1
                    print(f"{seed} {kind} {method}: {error:.3g} tolerances", flush=True)
    print(f"{given.count} models of each kind, wrong: {wrong}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
