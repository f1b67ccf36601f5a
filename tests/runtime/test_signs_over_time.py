"""The signs of random functions of time, poles and jumps among them, are those that many samples show.

``python tests/runtime/test_signs_over_time.py COUNT`` looks at so many functions.
"""

from __future__ import annotations

import math
import random
import sys

import numpy as np
import pytest
from bounds_in_c import TimeBounds

import cutset
from cutset.contract.functions import FUNCTIONS, RELATIONS
from cutset.contract.metadata import TimeCrossing
from cutset.runtime.targets.toolchain import find_compiler

needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="no C compiler on this machine")

ONE = [op for op, row in FUNCTIONS.items() if row.arity == 1]
TWO = ["add", "sub", "mul", "div", "min", "max", "atan2"]
START, END = 0.0, 10.0
# A function with more changes, such as tan(tan(t)), is sampled by C too.
FEW = 500
# An unknown sign: rounding hides it.
HIDDEN = 2


def random_tape(rng: random.Random) -> tuple[tuple[object, ...], ...]:
    """Of some operations; the last entry is the function."""
    tape: list[tuple[object, ...]] = [("time",)]
    for _ in range(rng.randint(2, 7)):
        tape.append(("number", round(rng.uniform(-3, 3), 2)))
        tape.append(("number", float(rng.choice([2, 3, -1, -2, 0.5, -0.5]))))
        number = len(tape) - 2
        values = [k for k in range(number + 1) if tape[k][0] not in (*RELATIONS, "points")]
        match rng.randrange(8):
            case 0:
                tape.append(("pow", rng.choice(values), number + 1))
            case 1:
                tape.append((rng.choice(list(RELATIONS)), rng.choice(values), number))
                tape.append(("if", len(tape) - 1, rng.choice(values), rng.choice(values)))
            case 2:
                xs = sorted(rng.uniform(-3, 8) for _ in range(4))
                tape.append(("points", tuple(xs), tuple(rng.uniform(-2, 2) for _ in xs)))
                tape.append(("interp1", rng.choice(values), len(tape) - 1))
            case 3 | 4:
                tape.append((rng.choice(TWO), rng.choice(values), rng.choice([number, rng.choice(values)])))
            case _:
                tape.append((rng.choice(ONE), rng.choice(values)))
    return tuple(tape)


def crossing_of(rng: random.Random) -> TimeCrossing:
    """Compared with a number."""
    tape = (*random_tape(rng), ("number", round(rng.uniform(-1, 1), 2)))
    return TimeCrossing(0, len(tape) - 2, len(tape) - 1, tape)


def faults(crossing: TimeCrossing) -> list[float]:
    """Instants at which a sample has another sign than the one that is found from change to change, and its neighbors
    too."""
    f, start, signs, instants = TimeBounds(crossing, span=END - START), START, [], []
    while start <= END:
        instant, slope = f.next_change(start)
        signs.append(HIDDEN if slope == 0.0 else 0 if math.isnan(slope) else -int(slope))
        if instant <= END:
            instants.append(instant)
        start = instant
    if len(instants) > FEW:
        return []
    t = np.linspace(START, END, 40_001)[1:-1] + 1e-5 * np.pi
    value, noise = f.at(t)
    with np.errstate(all="ignore"):
        clear = (np.abs(value) > 4 * noise) & np.isfinite(value)
    expected = np.array(signs)[np.searchsorted(instants, t, side="right")]
    near = np.zeros(len(t), bool)
    for instant in instants:
        near |= np.abs(t - instant) < 1e-9
    return t[clear & ~near & (np.sign(value) != expected)].tolist()


def wrong(first: int, end: int) -> dict[int, list[float]]:
    found = {seed: faults(crossing_of(random.Random(seed))) for seed in range(first, end)}
    return {seed: bad[:3] for seed, bad in found.items() if bad}


@needs_compiler
@pytest.mark.parametrize("first", range(0, 300, 100))
def test_random_functions(first: int) -> None:
    assert wrong(first, first + 100) == {}


@needs_compiler
@pytest.mark.parametrize(
    ("operator", "times", "zeros"),
    [("sin", 1.0, [math.pi, 2 * math.pi, 3 * math.pi]), ("exp", -40.0, [-math.log(0.3) / 40.0]), ("cos", 0.1, [])],
)
def test_all_zeros_are_located(operator: str, times: float, zeros: list[float]) -> None:
    level = 0.3 if operator == "exp" else 0.0
    tape = (("time",), ("number", times), ("mul", 0, 1), (operator, 2), ("number", level))
    f, found, t = TimeBounds(TimeCrossing(0, 3, 4, tape), span=END), [], 0.01
    while (t := f.next_change(t)[0]) <= END:
        found.append(t)
    assert found == pytest.approx(zeros, abs=1e-14)


POLES = """
model Poles
  local x (start=0), y (start=0), z (start=0)
  der(x) = if tan(time) > 1 then 1 else 0
  der(y) = if 1/sin(time + 0.5) > 2 then 1 else 0
  der(z) = if 1/(time - 3.3) > 0.5 then 1 else 0
end
"""


@pytest.mark.parametrize("method", ["dopri5", "radau", "cvode-bdf"])
def test_relations_change_at_poles(write_model, method: str) -> None:
    """tan(t) > 1 for a quarter of each turn, 1/sin(t) > 2 for a sixth, 1/(t - a) > 1/2 for two seconds."""
    run = cutset.load(write_model(POLES)).simulate(100.0, points=2, method=method)
    assert run["x"][-1] == pytest.approx(8 * np.pi, abs=1e-6)
    assert run["y"][-1] == pytest.approx(32 * np.pi / 6 - 0.5, abs=1e-6)
    assert run["z"][-1] == pytest.approx(2.0, abs=1e-6)


if __name__ == "__main__":
    bad = wrong(0, int(sys.argv[1]))
    for seed, found in bad.items():
        print(seed, found, random_tape(random.Random(seed)))
    print(f"{len(bad)} wrong")
