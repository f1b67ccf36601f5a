"""Random switching circuits, as texts: ideal diodes, thyristors and timed switches among sources, R, L and C.

``python tests/oracles/switching_circuits.py 0 60`` runs each with bdf and auto, in C and in Python, and prints
those that differ.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import numpy as np

import cutset
from cutset.compiler.diagnostics import ModelError
from cutset.runtime.errors import RunError
from cutset.runtime.result import Result

_STOP, _POINTS = 1e-3, 201
# What ways may differ, in parts of the range of a quantity.
_ALLOWED = {"bdf": 3e-3, "python": 1e-6}


def switching_circuit(seed: int) -> str:
    """The text of the circuit of that number: a diode, a switch, a source and up to five more elements between two or
    three nodes and the ground. A switch always has a resistance: how ideal ones in parallel share a current is open."""
    return _Maker(random.Random(seed)).text()


class _Maker:
    def __init__(self, rng: random.Random):
        self._rng, count = rng, rng.randint(2, 3)
        self._nodes = [f"n{k}" for k in range(count + 1)]  # the first is the ground
        # Each node has at least two elements.
        self._open = self._nodes[1:] * 2
        rng.shuffle(self._open)
        self._leak, self._resistance = rng.choice((0, 0, 1e-6, 1e-4)), rng.choice((1e-3, 0.02))
        self._parts: list[str] = []
        self._pairs: list[str] = []
        self._equations: list[str] = []

    def text(self) -> str:
        """The text of a model with one class."""
        rng, count = self._rng, len(self._nodes) - 1
        for node in self._nodes[1:]:
            if rng.random() < (0.6 if self._leak else 0.9):
                self._add(f"Resistor) ground_{node}(R={10 ** rng.uniform(0, 3):.3g}", node, self._nodes[0])
        more = rng.randint(2 * count, 8) - 3
        for k, kind in enumerate(["source", "diode", "switch", *(rng.choice(_KINDS) for _ in range(more))]):
            getattr(self, f"_{kind}")(k)
        lines = ["@electrical", "@logic", "@discrete", "model Circuit", "  submodel (Ground) ground"]
        lines += [f"  submodel {part}" for part in self._parts]
        middles = [f"m{k}" for k in range(9) if any(f"m{k}" in pair for pair in self._pairs)]
        lines += [f"  node {', '.join(self._nodes + middles)}", "  connect ground at n0, " + ", ".join(self._pairs)]
        return "\n".join([*lines, *(f"  {each}" for each in self._equations), "end", ""])

    def _add(self, part: str, a: str = "", b: str = "") -> None:
        if not a:
            a = self._open.pop() if self._open else self._rng.choice(self._nodes)
            b = self._rng.choice([node for node in self._nodes if node != a])
            a, b = self._rng.choice(((a, b), (b, a)))
        self._parts.append(f"({part})")
        self._pairs.append(f"{part.split(') ')[1].split('(')[0]} at ({a}, {b})")

    def _source(self, k: int) -> None:
        rng = self._rng
        volts, start = rng.uniform(1, 15), rng.uniform(1e-4, 5e-4)
        more = rng.choice(("VConst) v{}(V={}", "VSine) v{}(V={}, f={}", "VStep) v{}(V0=0, V={}, t0={}"))
        last = f"{start:.3g}" if "VStep" in more else f"{rng.uniform(500, 3000):.4g}"
        a, b = rng.sample(self._nodes, 2)
        middle = f"m{k}" if rng.random() < 0.8 else b
        self._add(more.format(k, f"{volts:.3g}", last), a, middle)
        if middle != b:
            self._add(f"Resistor) inner{k}(R={10 ** rng.uniform(-1, 1):.3g}", middle, b)

    def _current(self, k: int) -> None:
        self._add(f"IConst) i{k}(I={self._rng.uniform(-2, 2):.3g}")

    def _resistor(self, k: int) -> None:
        self._add(f"Resistor) r{k}(R={10 ** self._rng.uniform(-1, 2):.3g}")

    def _inductor(self, k: int) -> None:
        self._add(f"Inductor) l{k}(L={10 ** self._rng.uniform(-4.5, -2.5):.3g}, i0={self._rng.uniform(-1, 1):.3g}")

    def _capacitor(self, k: int) -> None:
        self._add(f"Capacitor) c{k}(C={10 ** self._rng.uniform(-6, -4):.3g}, u0={self._rng.uniform(-5, 5):.3g}")

    def _diode(self, k: int) -> None:
        self._add(f"IdealDiode) d{k}({self._branches()}, Vknee={self._rng.choice((0, 0, 0.7))}")

    def _switch(self, k: int) -> None:
        self._timed("ClosingSwitch", f"s{k}", "closed")

    def _thyristor(self, k: int) -> None:
        self._timed("IdealThyristor", f"t{k}", "fire")

    def _gate(self, k: int) -> None:
        self._timed("IdealGTO", f"g{k}", "fire")

    def _timed(self, kind: str, name: str, signal: str) -> None:
        rng, t = self._rng, self._rng.uniform(1e-4, 8e-4)
        self._add(f"{kind}) {name}({self._branches()}")
        match rng.randrange(4):
            case 0:
                value = f"time >= {t:.4g}"
            case 1:
                value = f"sin({rng.uniform(2e3, 2e4):.5g}*time + {6 * rng.random():.3g}) > {rng.uniform(-0.7, 0.7):.2g}"
            case 2:
                self._parts.append(f"(PWM) pwm_{name}(f={rng.uniform(2e3, 1e4):.4g})")
                self._equations.append(f"pwm_{name}.u = {rng.uniform(0.2, 0.8):.3g}")
                value = f"pwm_{name}.y"
            case _:
                value = f"time < {t:.4g} or time > {t + rng.uniform(1e-4, 4e-4):.4g}"
        self._equations.append(f"{name}.{signal} = {value}")

    def _branches(self) -> str:
        return f"Ron={self._resistance}, Goff={self._leak}"


_KINDS = (
    "diode",
    "diode",
    "switch",
    "switch",
    "gate",
    "thyristor",
    "inductor",
    "capacitor",
    "resistor",
    "current",
    "source",
)


def differences(path: Path) -> list[str]:
    """What bdf and Python compute otherwise than auto does in C; empty if the circuit has no solution with auto."""
    model = cutset.load(path)
    try:
        expected = model.simulate(_STOP, points=_POINTS, rtol=1e-8, atol=1e-10)
    except RunError:
        return []
    names = [name for name in expected.names() if name.endswith((".i", ".u")) and name not in model.parameters]
    found = []
    for way, allowed in _ALLOWED.items():
        try:
            if way == "bdf":
                run = model.simulate(_STOP, points=_POINTS, method="bdf", rtol=1e-6, atol=1e-6)
            else:
                run = model.simulate(_STOP, points=_POINTS, rtol=1e-8, atol=1e-10, target=way)
        except RunError as error:
            found.append(f"{way}: {str(error).splitlines()[0]}")
        else:
            size, name = _largest(run, expected, names)
            found += [f"{way}: {name} differs by {size:.1e} of its range"] if not size <= allowed else []
    return found


def _largest(run: Result, expected: Result, names: Iterable[str]) -> tuple[float, str]:
    """The largest difference at the outputs in parts of the range; at an event a value may come one output later."""
    times = np.linspace(0.0, _STOP, _POINTS) + 1e-15
    own, others = (np.searchsorted(each.time, times, side="right") - 1 for each in (run, expected))
    worst = 0.0, ""
    for name in names:
        values, wanted = np.asarray(run[name], float)[own], np.asarray(expected[name], float)
        if name not in run:
            continue
        rows = [wanted[others[max(k - 1, 0)] : others[min(k + 1, _POINTS - 1)] + 1] for k in range(_POINTS)]
        low, high = np.array([row.min() for row in rows]), np.array([row.max() for row in rows])
        size = max(float(np.ptp(wanted)), 1e-3 * float(np.abs(wanted).max()), 1e-3)
        apart = np.maximum(np.maximum(low - values, values - high), 0.0) / size
        worst = max(worst, (float(np.nan_to_num(apart, nan=np.inf).max()), name))
    return worst


def main(first: int, end: int) -> int:
    """Print the circuits that differ; their number."""
    wrong = 0
    for seed in range(first, end):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "circuit.mo"
            path.write_text(switching_circuit(seed))
            try:
                found = differences(path)
            except ModelError as error:
                print(seed, "no model:", str(error).splitlines()[0], flush=True)
                continue
        wrong += bool(found)
        for each in found:
            print(seed, each, flush=True)
    return wrong


if __name__ == "__main__":
    sys.exit(int(main(*map(int, sys.argv[1:])) > 0))
