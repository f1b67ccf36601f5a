"""Random hybrid models, and the derivatives of their runs by central differences at the tightest tolerances.

`python -m oracles.sensitivities 200` compares 200 of them, each by its parameters, and prints those that differ.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import cutset
from cutset.runtime.errors import RunError

_TIGHT = {"rtol": 1e-12, "atol": 1e-13, "interval": 0.5}
_STOP, _STEP, _AGREE = 2.0, 3e-4, 1e-6


class RandomHybrid:
    """`text` has one object with the parameters `names`; `kinds` are the events that it has."""

    def __init__(self, seed: int):
        self._random = random.Random(seed)
        self.names = ("a", "b", "c", "k", "r", "s", "T")
        self.kinds = self._random.sample(sorted(_EVENTS), self._random.choice((1, 1, 2)))
        values = {name: f"{self._random.uniform(0.3, 1.6):.3f}" for name in self.names}
        values["T"] = f"{self._random.uniform(0.11, 0.7):.4f}"
        lines = ["model Hybrid", "  parameter " + ", ".join(f"{n} = {v}" for n, v in values.items())]
        lines += ["  local x (start=0.4*b), v (start=0.3), w (start=-0.2), z (start=0.5), y, i1, i2"]
        started = "local u (start=0.1*a), " if "sample" in self.kinds else "local u, "
        started += "on (start=1)" if "relay" in self.kinds else "on"
        lines += [f"  {started}", "  der(x) = v", f"  der(v) = {self._force()}"]
        lines += [
            f"  der(w) = {self._term('w')} - b*w + i1",
            self._implicit(),
            f"  y = sqrt(1 + x^2) + {self._term('z')}",
        ]
        lines += ["  (1 + x^2)*i1 + b*i2 = v + u", "  a*i1 - (2 + sin(x))*i2 = z - w"]
        whens = [line for kind in self.kinds for line in _EVENTS[kind]]
        updated = "".join(whens)
        lines += whens
        lines += [] if "new(u)" in updated else ["  u = 0.1*a*x"]
        lines += [] if "new(on)" in updated else ["  on = cos(b*x)"]
        self.text = "\n".join([*lines, "end", ""])

    def _term(self, name: str) -> str:
        return self._random.choice((f"k*sin({name})", f"c*{name}*v", f"a*{name}^2/(1 + {name}^2)", f"b*cos({name})*w"))

    def _force(self) -> str:
        force = f"-a*x - 0.2*v + {self._term('x')} + u*on + 1.5*cos(3*time)"
        if "switch" in self.kinds:
            return f"(if x > 0.4*c then -k*x else 0.5) + {force}"
        return f"(if time > T then k*w else -0.3) + {force}" if "time" in self.kinds else force

    def _implicit(self) -> str:
        return self._random.choice(("  z + a*z^3 = x + b", "  z + 0.5*sin(z) = c*w", "  exp(0.3*z) + z = v + k"))


_EVENTS: dict[str, Sequence[str]] = {
    "switch": (),
    "time": (),
    "bounce": ("  when x < -0.1*r then", "    init(v) = -0.8*r*v + 0.1*c", "  endwhen"),
    "sample": ("  when sample(0.1*s, T) then", "    new(u) = k*(r - x) + 0.3*u", "  endwhen"),
    "relay": (
        "  when x > 0.5*s then",
        "    new(on) = c*v",
        "  elsewhen x < 0.1*r then",
        "    new(on) = 1",
        "  endwhen",
    ),
    "reset": ("  when time > 0.9*T*s then", "    init(w) = a*x + time", "  endwhen"),
}


def differences(model: cutset.Model, name: str, outputs: Sequence[str]) -> NDArray[np.float64] | None:
    """The derivatives of the outputs by the parameter at all output times: shape (outputs, times); None if the events
    of the runs differ."""
    at = model.parameters[name]
    rows, events = [], set()
    for k in (-2, -1, 1, 2):
        run = model.simulate(_STOP, parameters={name: at * (1 + k * _STEP)}, **_TIGHT)
        events.add(len(run.time))
        rows.append(_rows(run, [run[o] for o in outputs]))
    low2, low, high, high2 = rows
    return None if len(events) > 1 else (8 * (high - low) - (high2 - low2)) / (12 * at * _STEP)


def _rows(run: Any, columns: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    last = np.searchsorted(run.time, np.arange(0.0, _STOP + 0.1, 0.5) + 1e-9) - 1
    return np.array([column[last] for column in columns])


def compared(model: cutset.Model, names: Sequence[str], outputs: Sequence[str]) -> dict[str, float]:
    """For each parameter the largest difference of the sensitivities from central differences, relative to the largest
    of each variable; without those whose events differ."""
    run = model.simulate(_STOP, sensitivities=names, **_TIGHT)
    found = {}
    for name in names:
        expected = differences(model, name, outputs)
        if expected is None:
            continue
        exact = _rows(run, [run.sensitivity(o, name) for o in outputs])
        sizes = 1e-2 + np.abs(expected).max(axis=1, keepdims=True)
        found[name] = float((np.abs(exact - expected) / sizes).max())
    return found


def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(count):
            made, path = RandomHybrid(seed), Path(folder, f"m{seed}.mo")
            path.write_text(made.text)
            try:
                found = compared(cutset.load(path), made.names, ("x", "v", "w", "z", "y", "i1", "u"))
            except (RunError, cutset.ModelError) as error:
                print(seed, made.kinds, str(error)[:300])
                continue
            worst = max(found, key=lambda name: found[name])
            if found[worst] > _AGREE:
                print(seed, made.kinds, {n: f"{e:.1e}" for n, e in found.items() if e > _AGREE})
            print(seed, f"{worst} {found[worst]:.1e}, {len(found)} columns", file=sys.stderr)


if __name__ == "__main__":
    main(int(sys.argv[1]))
