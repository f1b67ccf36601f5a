"""Random models with stores of one quantity, and the start value that a run gives -> their text, and where they start.

Inertias, heat capacities and capacitors whose states are equal, or in a fixed ratio; the start value of each is the
default of its class (0, 1 or another number), written in the model, or handed on by a class around it. A run gives the
start value of one of them, whatever the others have: all start there.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

_KINDS = ("rotational", "thermal", "electrical", "own")


@dataclass(frozen=True)
class GivenStart:
    """A run gives the `parameter` or the `variable` this value; `expected` are the values of variables at the start."""

    text: str
    parameter: str
    variable: str
    value: float
    expected: dict[str, float]


def given_start(seed: int) -> GivenStart:
    """Two or three stores; with a ratio they are inertias at a gear."""
    draw = Random(seed)
    kind, n = draw.choice(_KINDS), draw.randint(2, 3)
    ratio = draw.choice((1.0, 2.0)) if kind == "rotational" else 1.0
    name, needed, start, state = {
        "rotational": ("Inertia", "J=1", "w0", "w"),
        "thermal": ("HeatCapacitor", "C=1", "T0", "T"),
        "electrical": ("Capacitor", "C=1", "u0", "u"),
        "own": ("Own", "C=1", "x0", "x"),
    }[kind]
    default, value = draw.choice((0, 1, 5, 293.15)), draw.choice((0.0, 1.0, 2.5, 400.0))
    default = {"own": default, "thermal": 293.15}.get(kind, 0)  # equal defaults do not contradict each other
    # What is written for another quantity must agree with what a run gives; of one quantity the run's value counts.
    written = [ratio == 1.0 and draw.random() < 0.3 for _ in range(n)]
    same = draw.choice((0, 1, 3))  # those that are written agree
    wrapped = [draw.random() < 0.3 for _ in range(n)]
    lines, paths, names = [], [], []
    for k in range(n):
        unit = ratio if k == n - 1 else 1.0
        own = f", {start}={same / unit:g}" if written[k] else ""
        lines.append(f"  submodel ({'Wrapped' if wrapped[k] else name}) s{k}({needed}{own})")
        paths.append(f"s{k}.inner.{state}" if wrapped[k] else f"s{k}.{state}")
        names.append(f"s{k}.{start}")
    if kind == "electrical":
        lines.append("  submodel (Ground) g")
        body = ["  node a, b", "  connect g at b, " + ", ".join(f"s{k} at (a, b)" for k in range(n))]
    elif ratio > 1.0:
        lines.append("  submodel (IdealGear) g(ratio=2)")
        body = [f"  connect {' to '.join(f's{k}' for k in range(n - 1))} to g to s{n - 1}"]
    else:
        body = [f"  connect {' to '.join(f's{k}' for k in range(n))}"]
    chosen = draw.randrange(n)
    common = value * (ratio if chosen == n - 1 else 1.0)
    expected = {path: common / (ratio if k == n - 1 else 1.0) for k, path in enumerate(paths)}
    head = {"own": _OWN.format(default=default)}.get(kind, f"@{kind}\n")
    wrapper = _TWO_PINS if kind == "electrical" else _ONE_CUT
    cut = {"rotational": "(phi / tau)", "thermal": "(T / Q)", "own": "(x / f)"}.get(kind, "")
    end = {"rotational": "A", "thermal": "A", "own": "A"}.get(kind, "")
    head += wrapper.format(name=name, needed=needed.split("=")[0], start=start, default=default, cut=cut, end=end)
    text = "\n".join([head, "model M", *lines, *body, "end", ""])
    return GivenStart(text, names[chosen], paths[chosen], value, expected)


_OWN = """
model class Own
  main cut A (x / f)
  parameter C = 1, x0 = {default}
  local x (start=x0)
  C*der(x) = f
end
"""
_ONE_CUT = """
model class Wrapped
  main cut P {cut}
  parameter {needed} = 1, {start} = {default}
  submodel ({name}) inner({needed}={needed}, {start}={start})
  connect inner:{end} at P
end
"""
_TWO_PINS = """
model class Wrapped
  main cut P [A, B]
  cut A (ua / i), B (ub / -i)
  parameter {needed} = 1, {start} = {default}
  submodel ({name}) inner({needed}={needed}, {start}={start})
  connect inner:A at A, inner:B at B
end
"""
