"""A model and its start values in, the states at the start out, with the guesses of all iterations at one and the same
solution. Checks nothing.

Where equations have several solutions the one that is nearest to the start values is meant: a loop of a mechanism
closes in two ways or more, and with any joint turned once more; a start value on one solution of another equation says
that it is that one. Newton's method may come to another one, or to none where bars lie in line. So solutions are looked
for from beside the guesses, too, and compared, whichever unknowns the equations are solved for.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterator, Mapping
from random import Random
from typing import NamedTuple

import numpy as np

from cutset.contract.metadata import ModelInfo
from cutset.runtime.interface import CompiledModel, Values, Vector

_TRIES, _TRIES_FOR_ANY, _FARTHEST = 24, 12, 3.0
# So many rad or m away a joint is where rounding alone closes the loop.
_MOST = 1e4
# What is so near to the start values needs no comparison: of a joint in rad or m, of others as a part of the start
# value.
_NEAR = 0.05
# What is written counts so much more than a default.
_WRITTEN = 1e3
# Distances that differ by less are equal.
_SAME = 1e-6


def begun(model: CompiledModel, t: float, u: Vector, values: Values, m: Vector) -> Vector:
    """What `start` says of the states and behind them, states not finite where its equations have no solution."""
    return _Beginning(model, t, u, values, m).states()


class _Started(NamedTuple):
    """A variable with a start value that follows from an iteration. `size`: the unit in which a difference is
    measured."""

    name: str
    iteration: int
    wanted: float
    size: float
    is_written: bool

    def away(self, value: float) -> float:
        return abs(value - self.wanted) / self.size


class _Found(NamedTuple):
    """The states and behind them, the guesses, how far these are from the start values, infinitely where they are no
    solution, and where the variables with start values are, by name."""

    x: Vector
    w: Vector
    distance: float
    at: tuple[float, ...]

    @property
    def is_solution(self) -> bool:
        return math.isfinite(self.distance)

    def is_nearer(self, other: _Found) -> bool:
        """Of two that are as near, as in a mirror, one and the same is taken in each order of declaration."""
        if not (self.is_solution and other.is_solution):
            return self.is_solution
        differ = self.distance - other.distance
        return differ < 0.0 if abs(differ) > _SAME * (1.0 + other.distance) else _ahead(self.at, other.at)


def _ahead(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return next((a > b for a, b in zip(one, other, strict=False) if abs(a - b) > _SAME * (1.0 + abs(b))), False)


class _Beginning:
    def __init__(self, model: CompiledModel, t: float, u: Vector, values: Values, m: Vector):
        self._model, self._at, self._w = model, (u, values, m), values.w
        self._t, self._n = t, len(model.info.states)
        self._closings, self._slots = model.info.closings, _slots(model.info)
        self._loops = {k for k, closing in enumerate(self._closings) if _is_loop(model.info, closing.instances)}
        self._first = self._failing = values.w[: model.info.n_guesses].copy()
        self._started = sorted(_started(model.info, values, self._loops))

    def states(self) -> Vector:
        known = any(self._w[slot.stop] for slot in self._slots)
        x = self._look(self._first)
        if known or not self._started:
            return x
        best = self._found(x)
        groups = self._groups(self._far(best) or self._loops)
        if (best.is_solution and not self._far(best)) or not groups:
            return x
        self._model.fault()
        if not best.is_solution:
            best = self._somewhere(best, set().union(*groups))
        if not best.is_solution:
            x = self._look(self._failing)
            self._w[: len(self._first)] = self._first  # nothing is known that others could begin with
            return x if not np.isfinite(x[: self._n]).all() else np.full(len(x), math.nan)
        for group in groups:
            best = self._nearest(best, group)
        self._w[: len(best.w)] = best.w
        return best.x

    def _look(self, guesses: Vector) -> Vector:
        """The states from these guesses. What the start solves is where all other iterations for the same unknowns
        begin: from their own guesses they might come to another solution."""
        w = self._w
        w[: len(guesses)] = guesses
        for slot in self._slots:
            w[slot.stop] = 0.0  # the orientation of a branch: it is known of what has been solved
        x = self._model.start(self._t, *self._at)
        solved: dict[str, float] = {}
        for slot, closing in zip(self._slots, self._closings, strict=False):
            solved |= zip(closing.unknowns, w[slot].tolist(), strict=False) if w[slot.stop] else ()
        for slot, closing in zip(self._slots, self._closings, strict=False):
            if not w[slot.stop]:
                w[slot] = [
                    solved.get(name, value) for name, value in zip(closing.unknowns, w[slot].tolist(), strict=False)
                ]
        if self._started and np.isfinite(x[: self._n]).all() and self._farthest(w, self._loops) <= _MOST:
            self._model.derivatives(self._t, x[: self._n], *self._at)
        return x

    def _found(self, x: Vector) -> _Found:
        """What `_look` has found."""
        u, values, m = self._at
        states, distance, at = x[: self._n], math.inf, tuple[float, ...]()
        if np.isfinite(states).all():
            y = self._model.variables(np.array([self._t]), states[None, :], u[None, :], values, m[None, :])[0]
            arrays, slots = {"x": states, "y": y}, [self._model.info.names[s.name] for s in self._started]
            at = tuple(slot.sign * float(arrays[slot.array][slot.index]) for slot in slots)
            parts = (
                s.away(value) * (_WRITTEN if s.is_written else 1.0) for s, value in zip(self._started, at, strict=False)
            )
            distance = math.hypot(*parts)
        found = _Found(x, self._w[: len(self._first)].copy(), distance, at)
        solved = (
            all(self._w[self._slots[k].stop] for k in self._loops) and self._farthest(found.w, self._loops) <= _MOST
        )
        return found if solved else found._replace(distance=math.inf)

    def _far(self, found: _Found) -> set[int]:
        """The iterations with another solution that may be meant; none where nothing is found."""
        return {s.iteration for s, value in zip(self._started, found.at, strict=False) if not s.away(value) <= _NEAR}

    def _groups(self, among: set[int]) -> list[set[int]]:
        """These, each with the others for the same unknowns."""
        groups: list[set[int]] = []
        for k, closing in enumerate(self._closings):
            names = set(closing.unknowns)
            near = [group for group in groups if any(not names.isdisjoint(self._closings[j].unknowns) for j in group)]
            groups = [*(group for group in groups if group not in near), {k}.union(*near)]
        return [group for group in groups if not group.isdisjoint(among)]

    def _somewhere(self, found: _Found, group: set[int]) -> _Found:
        """A solution, from beside the guesses of the loops among these; as it was where there is none."""
        joints = {name: 1.0 for k in group & self._loops for name in self._closings[k].unknowns}
        for shift in self._beside(joints, _TRIES_FOR_ANY):
            guesses = self._shifted(self._first, group, shift)
            tried = self._found(self._look(guesses))
            self._model.fault()
            if tried.is_solution:
                return tried
            if not np.isfinite(tried.x[: self._n]).all() and self._failing is self._first:
                self._failing = guesses
        return found

    def _nearest(self, best: _Found, group: set[int]) -> _Found:
        """The nearest solution of those that are found for a group, with the others where they are."""
        others = best.w
        for shift in self._shifts(best, group):
            for _ in range(2):
                tried = self._found(self._look(self._shifted(others, group, shift)))
                self._model.fault()
                best = tried if tried.is_nearer(best) else best
                if not tried.is_solution or self._farthest(tried.w, group) <= math.pi:
                    break
                shift = self._turned(tried, group)
            if best.distance <= _NEAR:
                break
        return best

    def _shifts(self, found: _Found, group: set[int]) -> Iterator[Mapping[str, float]]:
        """Where else solutions are looked for: with less whole turns; with what is written at its start value and the
        rest where it has been found; and beside the guesses."""
        if self._farthest(found.w, group) > math.pi:
            yield self._turned(found, group)
        sizes = {name: 1.0 for k in group & self._loops for name in self._closings[k].unknowns}
        kept: dict[str, float] = {}
        for k in group if not sizes else ():
            slot, written = self._slots[k], {name for name, is_written in self._closings[k].started if is_written}
            values, nominals = found.w[slot].tolist(), found.w[slot.stop + 1 : 2 * slot.stop - slot.start + 1].tolist()
            for name, first, value, nominal in zip(
                self._closings[k].unknowns, self._first[slot].tolist(), values, nominals, strict=False
            ):
                if name not in written:
                    kept[name], sizes[name] = value - first, max(abs(nominal), abs(value))
        if kept:
            yield kept
        yield from self._beside(sizes, _TRIES)

    def _beside(self, sizes: Mapping[str, float], tries: int) -> Iterator[Mapping[str, float]]:
        """Ever farther, the same for each unknown whatever the order of the equations is."""
        for k in range(tries if sizes else 0):
            reach = _FARTHEST * (k + 1) / tries
            yield {name: size * Random(f"{name} {k}").uniform(-reach, reach) for name, size in sizes.items()}

    def _shifted(self, guesses: Vector, group: set[int], shift: Mapping[str, float]) -> Vector:
        """These guesses, of the group the first ones, shifted."""
        found = guesses.copy()
        for k in group:
            moves = [shift.get(name, 0.0) for name in self._closings[k].unknowns]
            found[self._slots[k]] = self._first[self._slots[k]] + moves
        return found

    def _farthest(self, w: Vector, group: set[int]) -> float:
        """How far the unknowns of loops are from their guesses."""
        slots = [self._slots[k] for k in group & self._loops]
        return max((float(np.abs(w[slot] - self._first[slot]).max()) for slot in slots), default=0.0)

    def _turned(self, found: _Found, group: set[int]) -> dict[str, float]:
        """From the guesses to where the loops are, less whole turns."""
        shift: dict[str, float] = {}
        for k in group & self._loops:
            away = (found.w[self._slots[k]] - self._first[self._slots[k]]).tolist()
            shift |= {
                name: math.remainder(distance, 2 * math.pi)
                for name, distance in zip(self._closings[k].unknowns, away, strict=False)
            }
        return shift


def _started(info: ModelInfo, values: Values, loops: Container[int]) -> Iterator[_Started]:
    """Each variable once. Those of loops count, and others that are written."""
    first = len(values.s) - info.n_guesses - info.n_started
    wanted = iter(values.s[first : first + info.n_started].tolist())
    seen: set[str] = set()
    for k, closing in enumerate(info.closings):
        for name, is_written in closing.started:
            value = next(wanted)
            if name in seen or info.names[name].array not in ("x", "y") or not (is_written or k in loops):
                continue
            seen.add(name)
            size = 1.0 if k in loops else abs(value) or 1.0
            yield _Started(name, k, value, size, is_written)


def _slots(info: ModelInfo) -> list[slice]:
    """Where the guesses of each iteration stand in w: behind them the orientation and the nominal values."""
    slots, first = [], 0
    for n in info.iterations:
        slots.append(slice(first, first + n))
        first += 2 * n + 1
    return slots


def _is_loop(info: ModelInfo, instances: tuple[str, ...]) -> bool:
    """Does an element close a loop of a mechanism by these equations?"""
    return any(f"{name}.ra(1)" in info.names for name in instances)
