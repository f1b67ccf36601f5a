"""``python tests/runtime/singular_models.py FIRST COUNT``: random models with a pole inside the run, whose instant is
known. Each run must end there with an error that names the equation, by each method and target."""

from __future__ import annotations

import math
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

import scipy.integrate
import scipy.optimize

import cutset
from cutset.runtime.errors import RunError

METHODS = ("auto", "dopri5", "tsit5", "bs32", "rk4", "radau", "cvode-adams", "cvode-bdf", "ida", "bdf")


@dataclass(frozen=True)
class Singular:
    """`text` has the pole at time `pole`."""

    text: str
    pole: float


def singular(number: int) -> Singular:
    """A state approaches the value c, at which the unknown y goes to infinity: y is its derivative, up to a factor, or
    that of another state; y follows from a linear equation or from two, from a nonlinear one, or by a function."""
    draw = Random(number)
    start, c, a = (round(draw.uniform(*limits), 3) for limits in ((-1.0, 1.0), (1.5, 3.0), (0.2, 2.0)))
    q, s = (round(draw.uniform(0.5, 2.0), 3) for _ in range(2))
    away = f"({c} - x)"
    kinds: list[tuple[str, Callable[[float], float]]] = [
        (f"{away}*y = {a}", lambda x: a / (c - x)),
        (f"y = {a}/{away} + {s}", lambda x: a / (c - x) + s),
        (f"y = {a}/tan({q}*{away}/4)", lambda x: a / math.tan(q * (c - x) / 4)),
        (f"y = {a}/sin({away}/4)", lambda x: a / math.sin((c - x) / 4)),
        (f"{away}*y + {q}*v = {a} + {q * s}\n  v - {q}*{away}*y = {s}", lambda x: a / (1 + q * q) / (c - x)),
        (f"{away}^3*y = {a}", lambda x: a / (c - x) ** 3),
        (f"{away}*y + 0.1*y/(1 + y^2) = {a}", lambda x: _nonlinear(c - x, a)),
    ]
    equation, value = draw.choice(kinds)
    own = draw.random() < 0.6
    moving = f"der(x) = {s}*y" if own else f"der(x) = {q}\n  der(z) = y"
    unknowns = f"x (start={start}), y (start=1)" + (", z" * (not own)) + (", v" * ("v" in equation))
    reached = c if value(start) > 0 else c - 4 * math.pi / q  # the other pole of the tangent
    pole = scipy.integrate.quad(lambda x: 1 / (s * value(x)), start, reached)[0] if own else (c - start) / q
    return Singular(f"model M\n  local {unknowns}\n  {moving}\n  {equation}\nend\n", pole)


def _nonlinear(distance: float, a: float) -> float:
    """The y of distance*y + 0.1*y/(1 + y^2) = a."""
    return float(scipy.optimize.brentq(lambda y: distance * y + 0.1 * y / (1 + y * y) - a, 0.0, a / distance))


def fault(model: cutset.Model, case: Singular, method: str, target: str) -> str:
    """What is wrong with the end of a run, in words; "" if nothing is."""
    step = case.pole / 100
    options = {"max_step": step} if method == "rk4" else {}
    try:
        model.simulate(2.0 * case.pole, method=method, target=target, points=41, max_steps=20_000, **options)
    except RunError as error:
        said = str(error)
        if "by the equation" not in said:
            return f"does not name the equation: {said}"
        time = float(said.split("at time ")[1].split("\n")[0])
        near = 4e-2 if method == "rk4" else 1e-3  # without error control
        return "" if abs(time - case.pole) < near * case.pole else f"ends at {time} instead of {case.pole}: {said}"
    return "goes on"


def main() -> int:
    """Exit code 1 if a run ends in another way."""
    first, count, wrong = int(sys.argv[1]), int(sys.argv[2]), 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(first, first + count):
            case, path = singular(number), Path(folder) / f"m{number}.mo"
            path.write_text(case.text, encoding="utf-8")
            model = cutset.load(path)
            for target in ("c", "python"):
                for method in METHODS:
                    found = fault(model, case, method, target)
                    wrong += bool(found)
                    if found:
                        print(f"{number}, {method}, {target}: {found}\n{case.text}", flush=True)
    print(f"{count} models by {len(METHODS)} methods in 2 targets: {wrong} wrong ends")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
