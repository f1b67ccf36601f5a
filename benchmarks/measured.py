"""Prints the processor times of calls of the installed package as JSON, for compare.py. Imports nothing else of the
project: old commits lack it."""

from __future__ import annotations

import json
from collections.abc import Callable
from time import process_time


def measured() -> dict[str, float]:
    """The times of calls in this process, whose package is that of one of the commits."""
    import numpy as np

    import cutset

    arm, robot = cutset.load("models/r3_arm.mo"), cutset.load("models/r3/r3.mo")
    clutches = cutset.load("tests/cases/models/shafts.mo", "CoupledClutches")
    x = np.zeros((1000, len(arm.states)))
    return {
        "1000 points": _least(lambda: arm.evaluate(0.0, x), 20),
        "run of 1 us": _least(lambda: arm.simulate(1e-6, points=2), 100),
        "arm, 2 s": _least(lambda: arm.simulate(2.0, method="dopri5"), 20),
        "robot, 1.86 s": _least(lambda: robot.simulate(1.856, points=2), 3),
        "clutches": _least(lambda: clutches.simulate(1.5), 20),
    }


def _least(call: Callable[[], object], repetitions: int) -> float:
    call()
    found = []
    for _ in range(7):
        began = process_time()
        for _ in range(repetitions):
            call()
        found.append((process_time() - began) / repetitions)
    return min(found)


if __name__ == "__main__":
    print(json.dumps(measured()))
