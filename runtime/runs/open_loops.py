"""Measures by how much a kinematic loop fails to close at the start, with the given start values and at best.

The distance is minimized by the Levenberg-Marquardt method, from the guesses and from points near them.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

import numpy as np

from cutset.contract.metadata import Closing, ModelInfo
from cutset.runtime.errors import RunError
from cutset.runtime.events.event_failure import EventFailure
from cutset.runtime.interface import Vector, shown_states
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.runs.initialize import begin
from cutset.runtime.runs.opened import bound_run
from cutset.runtime.targets.newton import Failed, Unsolved
from cutset.runtime.targets.python_model import PythonModel

_ROUNDS, _STARTS, _LARGEST = 200, 24, 60
_CLOSED, _STEP, _FIRM = 1e-7, 1e-7, 1e3
# Residuals and their derivatives at a point.
_Look = Callable[[Vector], tuple[Vector, Vector]]


class _Best(NamedTuple):
    """The smallest distance found, and its point: the unknowns, followed by the states that may move."""

    distance: float
    at: Vector


def openness(model: PythonModel, experiment: Experiment) -> tuple[str, ...]:
    """Remarks on the loop whose equations have no solution at the start of the experiment; empty for other
    equations."""
    failed = _first_failure(model, experiment)
    if failed is None or failed.n > _LARGEST:
        return ()
    found = _closing(model.info, failed)
    closing = list(dict.fromkeys(name for name in found.instances if f"{name}.ra(1)" in model.info.names))
    if not closing:
        return ()
    weights = np.array([1.0 if name in closing else _FIRM for name in found.instances])
    return _said(model.info, closing, _System(failed, found.unknowns, weights))


def _first_failure(model: PythonModel, experiment: Experiment) -> Failed | None:
    """The first system that is not solved at the start; None if all are, and if another error comes first."""
    model.care.stops = True
    try:
        begin(bound_run(model, experiment), experiment.start, experiment.initial, experiment.rtol)
    except Unsolved as unsolved:
        return unsolved.failed
    except (EventFailure, RunError):
        return None
    finally:
        model.care.stops = False
    return None


def _closing(info: ModelInfo, failed: Failed) -> Closing:
    """The description of the iteration that failed."""
    first = 0
    for n, closing in zip(info.iterations, info.closings, strict=False):
        if first == failed.guess:
            return closing
        first += 2 * n + 1
    return Closing((), (), ())


class _System(NamedTuple):
    """The unsolvable equations. `weights` are large for equations that hold while the loop stays open, and zero for
    those that may be violated."""

    failed: Failed
    unknowns: tuple[str, ...]
    weights: Vector


def _said(info: ModelInfo, closing: list[str], system: _System) -> tuple[str, ...]:
    failed, generator = system.failed, Random(1)
    x, n_states, loop = np.array(failed.x), len(info.states), f"the loop that {' and '.join(map(repr, closing))} closes"
    places = [np.array(failed.first)]
    places += [places[0] + np.array([generator.uniform(-3.0, 3.0) for _ in places[0]]) for _ in range(_STARTS)]
    held = min((_least(_distance(system, x, ()), z) for z in places), key=lambda best: best.distance)
    kept = _kept(system, x, held.at)
    moving = tuple(k for k in range(n_states) if _matters(system, x, k, held.at))
    names = [shown_states(info, np.array(failed.modes))[k] for k in moving]
    if held.distance <= _CLOSED:
        return (f"{loop} can be closed, with {_values([*system.unknowns], held.at)}: give start values near these",)
    begins = [*zip(names, x[list(moving)], strict=False), *((system.unknowns[k], held.at[k]) for k in kept.values())]
    asked = _asked(info, closing, (*system.unknowns, *names))
    where = " and ".join([*(f"'{name}' starts at {value:.6g}" for name, value in begins), *asked])
    open_by = f"{loop} remains open by {held.distance:.3g} m{f' where {where}' if where else ''}"
    system = system._replace(
        weights=np.array([0.0 if i in kept else weight for i, weight in enumerate(system.weights)])
    )
    first = np.concatenate([places[0], x[list(moving)]])
    best = _nearest(_distance(system, x, moving), first, [held.at, *places[1:]], generator)
    if best.distance > _CLOSED and asked:
        return (open_by,)
    if best.distance > _CLOSED:
        return (
            open_by,
            "no position of its joints closes it: the bars are too short or too long; "
            f"the smallest gap is {best.distance:.3g} m",
        )
    return open_by, f"it can be closed with {_values([*system.unknowns, *names], best.at)}"


def _asked(info: ModelInfo, closing: list[str], free: tuple[str, ...]) -> list[str]:
    """The variables of the loop with start values that equations fix at the start."""
    loops = (each for each in info.closings if not set(closing).isdisjoint(each.instances))
    names = dict.fromkeys(name for each in loops for name, _ in each.started if name not in free)
    return [f"the initial equations fix '{name}'" for name in names]


def _nearest(evaluate: _Look, first: Vector, places: list[Vector], generator: Random) -> _Best:
    """The nearest point to the guesses `first` that closes the loop within half a turn; otherwise the one that leaves
    it least open."""
    best = _least(evaluate, first)
    for z in places:
        if best.distance <= _CLOSED and np.all(np.abs(best.at - first) <= np.pi):
            break
        moved = [value + generator.uniform(-3.0, 3.0) for value in first[len(z) :]]
        other = _least(evaluate, np.concatenate([z, moved]))
        best = min(best, other, key=lambda each: (max(each.distance, _CLOSED), float(np.max(np.abs(each.at - first)))))
    return best


def _kept(system: _System, x: Vector, z: Vector) -> dict[int, int]:
    """The equations that fix an unknown at its start value, with its number: they contain no other unknown and no
    state."""
    n, found = system.failed.n, {}
    r = _residuals(system, x, z)
    slopes = r[n:].reshape(n, n) / system.weights[:, None]
    for i in np.flatnonzero(np.sum(slopes != 0.0, axis=1) == 1).tolist():
        k = int(np.argmax(np.abs(slopes[i])))
        beside = [_residuals(system, x + 0.1 * (np.arange(len(x)) == j), z)[i] for j in range(len(x))]
        if system.weights[i] == _FIRM and abs(slopes[i, k]) == 1.0 and all(value == r[i] for value in beside):
            found[i] = k
    return found


def _values(names: list[str], values: Vector) -> str:
    found = dict(zip(names, values.tolist(), strict=False))
    return ", ".join(f"'{name}' = {value:.6g}" for name, value in found.items())


def _distance(system: _System, x: Vector, moving: tuple[int, ...]) -> _Look:
    """Residuals and their derivatives by the unknowns and the states that may move."""
    n = system.failed.n

    def evaluate(y: Vector) -> tuple[Vector, Vector]:
        states = x.copy()
        states[list(moving)] = y[n:]
        r = _residuals(system, states, y[:n])
        slopes = [r[n:].reshape(n, n)]
        for k in moving:
            beside = states.copy()
            beside[k] += _STEP
            slopes.append(((_residuals(system, beside, y[:n])[:n] - r[:n]) / _STEP)[:, None])
        return r[:n], np.hstack(slopes)

    return evaluate


def _residuals(system: _System, states: Vector, z: Vector) -> Vector:
    n, r = system.failed.n, [0.0] * (system.failed.n + system.failed.n**2)
    try:
        system.failed.evaluate(states.tolist(), z.tolist(), r)
    except (ArithmeticError, ValueError):
        return np.full(len(r), np.nan)
    found = np.array(r)
    found[:n] *= system.weights
    found[n:] *= np.repeat(system.weights, n)
    return found


def _matters(system: _System, x: Vector, k: int, z: Vector) -> bool:
    beside = x.copy()
    beside[k] += 0.1
    return bool(np.any(_residuals(system, beside, z)[: system.failed.n] != _residuals(system, x, z)[: system.failed.n]))


def _least(evaluate: _Look, y: Vector) -> _Best:
    damping, (r, slopes) = 1e-3, evaluate(y)
    for _ in range(_ROUNDS):
        size = float(np.linalg.norm(r))
        if not np.isfinite(size) or size <= 0.1 * _CLOSED or not np.isfinite(slopes).all() or damping > 1e12:
            break
        step = np.linalg.lstsq(
            np.vstack([slopes, np.sqrt(damping) * np.eye(len(y))]), np.concatenate([-r, np.zeros(len(y))]), rcond=None
        )[0]
        following, others = evaluate(y + step)
        if np.linalg.norm(following) < size:
            y, r, slopes, damping = y + step, following, others, damping / 5
        else:
            damping *= 4
    size = float(np.linalg.norm(r))
    return _Best(size if np.isfinite(size) else np.inf, y)
