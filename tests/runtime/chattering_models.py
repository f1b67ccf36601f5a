"""Random models whose relations come to rest at their crossing, or cross it within a rounding, run by every method:
``python tests/runtime/chattering_models.py 200 --first 0``.

A run must end soon: with the right values, or with E620 where the solution slides along a crossing.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cutset import Experiment, load
from cutset.runtime.errors import RunError
from cutset.runtime.outcome import Outcome

METHODS = ("auto", "dopri5", "bs32", "cvode-bdf", "cvode-adams", "ida", "radau", "rk4")
KINDS = 6
# Evaluations of a run; rk4 with fixed steps has 4000, all others fewer.
_MOST = 40_000
_NEAR = 2e-3


@dataclass(frozen=True)
class Drawn:
    """A model, its stop time, the value of `x` at each time, and from when on it slides (inf if it does not)."""

    text: str
    stop: float
    x: Callable[[float], float]
    slides: float


def draw(number: int) -> Drawn:
    """Model `number`, always the same."""
    rng = random.Random(number)
    return (_relay, _moving, _resting, _rounded, _friction, _whole)[number % KINDS](rng)


def _difference(rng: random.Random, left: str, right: str) -> str:
    """left > right, in a form whose rounding errors are larger than those of the two."""
    offset, parts = rng.choice((0.0, 10.0, 1e3, 1e6)), rng.choice((0.1, 0.3, 0.7))
    forms = (
        f"{left} > {right}",
        f"({left} + {offset}) - {offset} > {right}",
        f"{parts}*{left} + {1.0 - parts}*{left} > {right}",
        f"({left} - {right})*{rng.uniform(0.1, 9.0)} > 0",
    )
    return rng.choice(forms)


def _relay(rng: random.Random) -> Drawn:
    """Slides along a constant."""
    c, a, b, d = rng.uniform(-3, 3), rng.uniform(0.2, 3), rng.uniform(0.2, 3), rng.choice((-1, 1)) * rng.uniform(0.1, 1)
    meets = abs(d) / (a if d > 0 else b)
    text = f"  local x (start={c + d!r})\n  der(x) = if {_difference(rng, 'x', repr(c))} then {-a!r} else {b!r}"

    def x(t: float) -> float:
        return c + d - math.copysign(a if d > 0 else b, d) * t if t < meets else c

    return Drawn(_model(text), 2.0 * meets + 1.0, x, meets)


def _moving(rng: random.Random) -> Drawn:
    """Slides along another state that decays."""
    a, q, d = rng.uniform(3, 6), rng.uniform(0.2, 1), rng.uniform(0.2, 1)
    text = f"""  local x (start={1 + d!r}), y (start=1)
  der(x) = if {_difference(rng, "x", "y")} then {-a!r} else {a!r}
  der(y) = {-q!r}*y"""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if 1 + d - a * middle > math.exp(-q * middle) else (low, middle)
    return Drawn(_model(text), 2.0, lambda t: 1 + d - a * t if t < low else math.exp(-q * t), low)


def _resting(rng: random.Random) -> Drawn:
    """Comes ever nearer to its crossing, and stays on its side but for rounding."""
    c, a, d = rng.uniform(-3, 3), rng.uniform(0.5, 4), rng.uniform(0.1, 1)
    text = f"  local x (start={c + d!r})\n  der(x) = if {_difference(rng, 'x', repr(c))} then {-a!r}*(x - {c!r}) else 0"
    return Drawn(_model(text), 60.0 / a, lambda t: c + d * math.exp(-a * t), 0.0)


def _rounded(rng: random.Random) -> Drawn:
    """Crosses for good, where the difference has few digits: this must not end."""
    w, c = rng.uniform(1, 5), rng.uniform(-0.8, 0.8)
    above = [t for k in range(4) for t in (2 * math.pi * k + math.asin(c), 2 * math.pi * k + math.pi - math.asin(c))]
    text = f"""  local y (start=0), z (start=1), x (start=0)
  der(y) = {w!r}*z
  der(z) = {-w!r}*y
  der(x) = if {_difference(rng, "y", repr(c))} then 1 else 0"""

    def x(t: float) -> float:
        spans = zip(above[0::2], above[1::2], strict=True)
        return sum(max(0.0, min(w * t, end) - max(0.0, begin)) for begin, end in spans) / w

    return Drawn(_model(text), 15.0 / w, x, math.inf)


def _friction(rng: random.Random) -> Drawn:
    """A body that dry friction stops, and holds: its speed slides along zero."""
    f, k, v0 = rng.uniform(-0.8, 0.8), rng.uniform(1, 3), rng.choice((-1, 1)) * rng.uniform(0.1, 2)
    slope = f - math.copysign(k, v0)
    sign = rng.choice(("sign(v)", "sign((v + 1000) - 1000)", "(if v > 0 then 1 else -1)", "(if v < 0 then -1 else 1)"))
    text = f"  local x (start=0), v (start={v0!r})\n  der(x) = v\n  der(v) = {f!r} - {k!r}*{sign}"
    rests = -v0 / slope

    def x(t: float) -> float:
        moves = min(t, rests)
        return v0 * moves + 0.5 * slope * moves**2

    return Drawn(_model(text), 2.0 * rests + 1.0, x, rests)


def _whole(rng: random.Random) -> Drawn:
    """Slides along a whole number from its start, or from a start that leads to it."""
    n, up, down = rng.randint(-3, 3), rng.uniform(0.2, 3), rng.uniform(0.2, 3)
    d = rng.choice((0.0, rng.uniform(0.1, 0.9), -rng.uniform(0.1, 0.9), 0.3, -0.5))
    above = rng.choice((f"floor(x) - {n - 1}", f"ceil(x) - {n}", f"floor(2*x - x) - {n - 1}", f"{1 - n} - ceil(-x)"))
    text = f"  local x (start={n + d!r})\n  der(x) = {up!r} - {up + down!r}*({above})"
    meets = abs(d) / (down if d > 0 else up)

    def x(t: float) -> float:
        return n + d - math.copysign(down if d > 0 else up, d) * t if t < meets else float(n)

    return Drawn(_model(text), 2.0 * meets + 1.0, x, meets)


def _model(body: str) -> str:
    return f"model M\n{body}\nend\n"


def faults(number: int, folder: Path, methods: tuple[str, ...] = METHODS) -> list[str]:
    """What is wrong with the runs of model `number`."""
    drawn, path, found = draw(number), folder / "model.mo", list[str]()
    path.write_text(drawn.text, encoding="utf-8")
    model = load(path)
    for k, method in enumerate(methods):
        points = (2, 500)[(number + k) % 2]
        try:
            result = model.run(Experiment(drawn.stop, points=points, method=method))
        except RunError as error:
            found.append(f"{number} {method}: {error}")
            continue
        at, evaluations = float(result.time[-1]), result.statistics.evaluations
        wrong = abs(float(result["x"][-1]) - drawn.x(at))
        early = result.outcome is not Outcome.COMPLETED and not at >= drawn.slides - _NEAR
        if early or wrong > _NEAR or result.outcome not in (Outcome.COMPLETED, Outcome.CHATTERING):
            found.append(f"{number} {method}: {result.outcome.name} at {at:g}, {wrong:.1e} from the solution")
        if evaluations > _MOST:
            found.append(f"{number} {method}: {evaluations} evaluations")
    return found


def main() -> int:
    """Exit code 1 if a run is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--first", type=int, default=0)
    arguments = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(arguments.first, arguments.first + arguments.count):
            found = faults(number, Path(folder))
            wrong += bool(found)
            for line in found:
                print(line, flush=True)
    print(f"{arguments.count} models, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
