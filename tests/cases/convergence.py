"""Draws start values near those of the cases and of `models/`, and compares the end of a run at several tolerances.

``python tests/cases/convergence.py DRAWS`` does it for every case and every model, with so many draws each.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

import cutset
from cases.case import FOLDER
from cases.cases import CASES
from cutset.compiler.diagnostics import Source
from cutset.compiler.syntax.parse import parse
from cutset.runtime.errors import RunError

ROOT = Path(__file__).parents[2]
TOLERANCES = (1e-4, 1e-6, 1e-8, 1e-10)
# Start values move by so much, of their size or of one.
_NEAR = 1e-3
# Of the range of a variable: what the distance of two runs at 1e-8 and 1e-10 may be.
_MOST = 1e-4
# Conditions of the start fix such states, and a value near by contradicts them.
_CONTRADICTED = frozenset({"E621", "E635", "E633"})


@dataclass(frozen=True)
class Subject:
    """A run: the model, up to when, with which method and parameters."""

    path: Path
    model: str
    stop: float
    method: str = "auto"
    parameters: Mapping[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.path.stem}:{self.model}"


def subjects() -> Iterator[Subject]:
    """Every case, then every object of `models/` that runs without values from outside."""
    for case in CASES:
        stop = min(case.stop, case.until or case.stop)
        yield Subject(FOLDER / "models" / case.file, case.model, stop, case.method, dict(case.parameters))
    for path in sorted((ROOT / "models").rglob("*.mo")):
        for declared in parse(Source(str(path), path.read_text(encoding="utf-8"))).classes:
            if declared.is_object:
                yield Subject(path, declared.name, 0.5)


def ends(subject: Subject, rng: random.Random) -> list[np.ndarray]:
    """The last values of all variables, at each tolerance, in parts of their ranges; from the model's own start where
    those near it contradict its conditions."""
    model = cutset.load(subject.path, subject.model)
    first = model.simulate(0.0, parameters=subject.parameters)
    initial = {
        name: float(first[name][0]) + _NEAR * rng.uniform(-1, 1) * max(1.0, abs(float(first[name][0])))
        for name in model.states
    }
    try:
        model.simulate(0.0, initial=initial, parameters=subject.parameters)
    except RunError as error:
        if error.code not in _CONTRADICTED:
            raise
        initial = {}
    settings = {"method": subject.method, "parameters": subject.parameters, "initial": initial}
    runs = [model.simulate(subject.stop, rtol=tolerance, atol=tolerance, **settings) for tolerance in TOLERANCES]
    names = [name for name in runs[-1].names() if name not in model.parameters]
    ranges = _ranges(runs[-1], names)
    return [np.array([run[name][-1] for name in names]) / ranges for run in runs]


def _ranges(run: cutset.Result, names: list[str]) -> np.ndarray:
    """The range of each variable; of an element of a vector that of the vector, as the elements share their rounding
    errors."""
    largest: dict[str, float] = {}
    for name in names:
        vector = name.partition("(")[0]
        largest[vector] = max(largest.get(vector, 1e-6), float(np.ptp(run[name])), float(np.abs(run[name]).max()))
    return np.array([largest[name.partition("(")[0]] for name in names])


def distances(subject: Subject, rng: random.Random) -> list[float]:
    """The largest distance of the end at each tolerance from that at the tightest."""
    *others, best = ends(subject, rng)
    return [float(np.abs(other - best).max(initial=0.0)) for other in others]


def converges(apart: list[float]) -> bool:
    """Does the distance shrink with the tolerance, to next to nothing?"""
    coarse, middle, fine = apart
    if fine > _MOST:  # an orbit that doubles every distance soon, as a double pendulum's, is far off at 1e-4 too
        return fine <= coarse / 30 and fine <= middle / 3
    return fine <= max(middle, 1e-6) and middle <= max(coarse, 1e-3)


def _all(draws: int) -> int:
    wrong = 0
    for subject in subjects():
        for draw in range(draws):
            try:
                apart = distances(subject, random.Random(f"{subject} {draw}"))
            except Exception as error:
                print(f"{subject} {draw}: {type(error).__name__}: {str(error).splitlines()[0]}", flush=True)
                wrong += 1
                continue
            if not converges(apart):
                wrong += 1
                print(f"{subject} {draw}: " + ", ".join(f"{d:.1e}" for d in apart), flush=True)
    return wrong


if __name__ == "__main__":
    found = _all(int(sys.argv[1]))
    print(f"{found} of them do not converge")
    sys.exit(found > 0)
