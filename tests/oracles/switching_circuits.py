"""Random switching circuits, as texts: ideal diodes, thyristors and switches among sources, R, L and C. The switches
follow the time; those of circuits from number 10000 follow voltages of capacitors and currents of inductors too.

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
from cutset.runtime.results.result import Result

_STOP, _POINTS = 1e-3, 201
# What ways may differ, in parts of the range of a quantity.
_ALLOWED = {"bdf": 2e-3, "python": 1e-6}
# The first circuit whose switches depend on states.
_BY_STATES = 10000


def switching_circuit(seed: int) -> str:
    """The text of the circuit of that number: a diode, a switch, a source and up to five more elements between two or
    three nodes and the ground. A switch always has a resistance: how ideal ones in parallel share a current is open."""
    return _Maker(random.Random(seed), seed >= _BY_STATES).text()


class _Maker:
    def __init__(self, rng: random.Random, by_states: bool):
        self._rng, self._by_states, count = rng, by_states, rng.randint(2, 3)
        self._states: list[tuple[str, float]] = []  # with their usual size
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
        if self._by_states and not self._parts:  # which of several branches to the ground conduct would be open
            self._add(f"Resistor) ground_n1(R={10 ** rng.uniform(0, 3):.3g}", "n1", self._nodes[0])
        more = rng.randint(2 * count, 8) - 3
        first = ["capacitor", rng.choice(("capacitor", "inductor"))] if self._by_states else []
        for k, kind in enumerate([*first, "source", "diode", "switch", *(rng.choice(_KINDS) for _ in range(more))]):
            getattr(self, f"_{kind}")(k)
        libraries = ["@electrical", "@logic", "@discrete", *(["@blocks"] if self._by_states else [])]
        lines = [*libraries, "model Circuit", "  submodel (Ground) ground"]
        lines += [f"  submodel {part}" for part in self._parts]
        middles = [f"m{k}" for k in range(12) if any(f"m{k}" in pair for pair in self._pairs)]
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
        self._states.append((f"l{k}.i", 1.0))

    def _capacitor(self, k: int) -> None:
        self._add(f"Capacitor) c{k}(C={10 ** self._rng.uniform(-6, -4):.3g}, u0={self._rng.uniform(-5, 5):.3g}")
        self._states.append((f"(c{k}.Va - c{k}.Vb)", 5.0))

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
        if self._by_states and rng.random() < 0.7:
            self._equations.append(f"{name}.{signal} = {self._follower(name)}")
            return
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

    def _follower(self, name: str) -> str:
        """A truth value that follows from a state: by hysteresis, from a comparison with a signal, or by a latch that a
        clock sets and the state resets, as in a converter with current control."""
        rng = self._rng
        state, size = rng.choice(self._states)
        level, sign = rng.uniform(-0.8, 0.8) * size, rng.choice(("", "not "))
        match rng.randrange(4):
            case 0:
                width = rng.uniform(0.02, 0.4) * size
                self._parts.append(f"(Hysteresis) h_{name}(low={level - width:.4g}, high={level + width:.4g})")
                self._equations.append(f"h_{name}.u = {state}")
                return f"{sign}h_{name}.y"
            case 1:
                wave = (
                    f"{size * rng.uniform(0.2, 1):.3g}*sin({rng.uniform(1e4, 4e4):.5g}*time + {6 * rng.random():.3g})"
                )
                return f"{sign}({state} > {level:.4g} + {wave})"
            case 2:
                self._parts += [f"(PWM) pwm_{name}(f={rng.uniform(4e3, 2e4):.4g})", f"(SRFlipFlop) latch_{name}"]
                self._equations += [f"pwm_{name}.u = 0.1", f"latch_{name}.u1 = pwm_{name}.y"]
                self._equations.append(f"latch_{name}.u2 = {state} > {level:.4g}")
                return f"latch_{name}.y"
            case _:
                self._parts.append(f"(OnDelay) delay_{name}(T={rng.uniform(1e-5, 1e-4):.3g})")
                self._equations.append(f"delay_{name}.u = {sign}({state} > {level:.4g})")
                return f"delay_{name}.y"

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
    """What bdf and Python compute otherwise than auto does in C. A circuit without solution has none in any way."""
    model = cutset.load(path)
    expected = _run(model, "auto")
    found = []
    for way, allowed in _ALLOWED.items():
        run = _run(model, way)
        if isinstance(run, Result) and isinstance(expected, Result):
            names = [n for n in expected.names() if n.endswith((".i", ".u")) and n not in model.parameters]
            size, name = _largest(run, expected, names)
            found += [f"{way}: {name} differs by {size:.1e} of its range"] if not size <= allowed else []
        elif isinstance(run, Result) or isinstance(expected, Result):
            found.append(f"{way}: {_told(run)}, auto: {_told(expected)}")
    return found


def _run(model: cutset.Model, way: str) -> Result | RunError:
    try:
        if way == "bdf":
            return model.simulate(_STOP, points=_POINTS, method="bdf", rtol=1e-7, atol=1e-8)
        target = "python" if way == "python" else "auto"
        return model.simulate(_STOP, points=_POINTS, rtol=1e-8, atol=1e-10, target=target)
    except RunError as error:
        return error


def _told(run: Result | RunError) -> str:
    return "runs" if isinstance(run, Result) else str(run).splitlines()[0]


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
