"""Solves the initial system: start values -> states at the start, with the guesses of all iterations at one solution.

If equations have several solutions, the one nearest to the start values is chosen: a loop of a mechanism closes in two
ways or more, and with any joint turned by a full turn; a start value on a solution of another equation selects that
solution. Newton's method may find another one, or none if bars are collinear. So solutions are also sought from points
near the guesses, and compared, regardless of the unknowns for which the equations are solved. Checks nothing.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterator, Mapping
from random import Random
from typing import NamedTuple

import numpy as np

from cutset.contract.metadata import ModelInfo
from cutset.runtime.interface import CompiledModel, Values, Vector
from cutset.runtime.start_tables import is_loop, places_of_guesses

_TRIES, _TRIES_FOR_ANY, _FARTHEST = 24, 12, 3.0
# The limits on starts without a solution, each for other relations: on those with a search near the guesses of loops,
# and on others, whose equations may be singular for most relations.
_MOST_SEARCHES, _MOST_UNSOLVED = 4, 200
# Beyond this many rad or m, only rounding closes the loop.
_MOST = 1e4
# A solution this near to the start values needs no comparison: in rad or m for a joint, else relative to the start
# value.
_NEAR = 0.05
# The weight of a given start value relative to a default.
_WRITTEN = 1e3
# Distances with a smaller difference are equal.
_SAME = 1e-6


class Searched:
    """The starts of one initialization that have no solution, for different relations: few searches for a position
    that closes a loop, which relations rarely change, and many without a search."""

    def __init__(self) -> None:
        self._failing: dict[tuple[bytes, bytes], Vector] = {}
        self._unsolved = 0

    def failing(self, m: Vector, guesses: Vector) -> Vector | None:
        """The guesses of a failure with a message; None if there was no search for these held values and guesses."""
        return self._failing.get((m.tobytes(), guesses.tobytes()))

    def add(self, m: Vector, guesses: Vector, failing: Vector) -> None:
        """Remember a search."""
        self._failing[m.tobytes(), guesses.tobytes()] = failing

    def count(self) -> None:
        """Remember a start without a search."""
        self._unsolved += 1

    @property
    def is_over(self) -> bool:
        """True if other relations will not help."""
        return len(self._failing) >= _MOST_SEARCHES or self._unsolved >= _MOST_UNSOLVED


def begun(model: CompiledModel, t: float, u: Vector, values: Values, m: Vector, searched: Searched) -> Vector:
    """The states and start conditions of `CompiledModel.start`; the states are not finite if its equations have no
    solution."""
    return _Beginning(model, t, u, values, m, searched).states()


class _Started(NamedTuple):
    """A variable with a start value that is computed by an iteration. `size` is the unit in which a difference is
    measured."""

    name: str
    iteration: int
    wanted: float
    size: float
    is_written: bool

    def away(self, value: float) -> float:
        return abs(value - self.wanted) / self.size


class _Found(NamedTuple):
    """The states and start conditions; the guesses; their distance from the start values, infinite if there is no
    solution; and the positions of the variables with start values."""

    x: Vector
    w: Vector
    distance: float
    at: tuple[float, ...]

    @property
    def is_solution(self) -> bool:
        return math.isfinite(self.distance)

    def is_nearer(self, other: _Found) -> bool:
        """True if this solution is nearer. Of two at equal distance, as in a mirror, the choice does not depend on the
        order of declarations."""
        if not (self.is_solution and other.is_solution):
            return self.is_solution
        differ = self.distance - other.distance
        return differ < 0.0 if abs(differ) > _SAME * (1.0 + other.distance) else _ahead(self.at, other.at)


def _ahead(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return next((a > b for a, b in zip(one, other, strict=False) if abs(a - b) > _SAME * (1.0 + abs(b))), False)


class _Beginning:
    def __init__(self, model: CompiledModel, t: float, u: Vector, values: Values, m: Vector, searched: Searched):
        self._model, self._at, self._w, self._searched = model, (u, values, m), values.w, searched
        self._t, self._n = t, len(model.info.states)
        self._closings, self._slots = model.info.closings, places_of_guesses(model.info)
        self._loops = {k for k, closing in enumerate(self._closings) if is_loop(model.info, closing.instances)}
        self._first = self._failing = values.w[: model.info.n_guesses].copy()
        self._started = sorted(_started(model.info, values, self._loops))

    def states(self) -> Vector:
        known = any(self._w[slot.stop] for slot in self._slots)
        failing = self._searched.failing(self._at[2], self._first)
        if failing is not None:
            return self._failed(failing)
        x = self._look(self._first)
        if known or not self._started:
            return self._counted(x)
        best = self._found(x)
        groups = self._groups(self._far(best) or self._loops)
        if (best.is_solution and not self._far(best)) or not groups:
            return self._counted(x)
        self._model.fault()
        if not best.is_solution:
            best = self._somewhere(best, set().union(*groups))
        if not best.is_solution:
            self._searched.add(self._at[2], self._first, self._failing)
            return self._failed(self._failing)
        for group in groups:
            best = self._nearest(best, group)
        self._w[: len(best.w)] = best.w
        return best.x

    def _counted(self, x: Vector) -> Vector:
        """x, which counts if an iteration found no solution."""
        if not np.isfinite(x[: self._n]).all() and not all(self._w[slot.stop] for slot in self._slots):
            self._searched.count()
        return x

    def _failed(self, guesses: Vector) -> Vector:
        """No states, with the message of the failure from these guesses."""
        x = self._look(guesses)
        self._w[: len(self._first)] = self._first  # no starting point for others is known
        return x if not np.isfinite(x[: self._n]).all() else np.full(len(x), math.nan)

    def _look(self, guesses: Vector) -> Vector:
        """The states from these guesses. The solution of the start also replaces the guesses of other iterations for
        the same unknowns: from their own guesses they might find another solution."""
        w = self._w
        w[: len(guesses)] = guesses
        for slot in self._slots:
            w[slot.stop] = 0.0  # the orientation of a branch is known only after a solution
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
        """The outcome of `_look` with its distance."""
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
        """The iterations that may have a better solution; none if no solution was found."""
        return {s.iteration for s, value in zip(self._started, found.at, strict=False) if not s.away(value) <= _NEAR}

    def _groups(self, among: set[int]) -> list[set[int]]:
        """These iterations, each grouped with the others for the same unknowns."""
        groups: list[set[int]] = []
        for k, closing in enumerate(self._closings):
            names = set(closing.unknowns)
            near = [group for group in groups if any(not names.isdisjoint(self._closings[j].unknowns) for j in group)]
            groups = [*(group for group in groups if group not in near), {k}.union(*near)]
        return [group for group in groups if not group.isdisjoint(among)]

    def _somewhere(self, found: _Found, group: set[int]) -> _Found:
        """A solution from points near the guesses of these loops; unchanged if there is none."""
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
        """The nearest solution for a group, with the others unchanged."""
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
        """Starting points for the search: without full turns; given start values with the rest as found; and points
        near the guesses."""
        if self._farthest(found.w, group) > math.pi:
            yield self._turned(found, group)
        sizes = {name: 1.0 for k in group & self._loops for name in self._closings[k].unknowns}
        kept: dict[str, float] = {}
        for k in group if not sizes else ():
            slot, written = self._slots[k], {name for name, is_written in self._closings[k].started if is_written}
            values, nominals = found.w[slot].tolist(), found.w[slot.stop + 1 : 2 * slot.stop - slot.start + 1].tolist()
            for name, first, value, nominal in zip(
                self._closings[k].unknowns, self._first[slot].tolist(), values, nominals, strict=True
            ):
                if name not in written:
                    kept[name], sizes[name] = value - first, max(abs(nominal), abs(value))
        if kept:
            yield kept
        yield from self._beside(sizes, _TRIES)

    def _beside(self, sizes: Mapping[str, float], tries: int) -> Iterator[Mapping[str, float]]:
        """Points at growing distances, the same for each unknown whatever the order of the equations is."""
        for k in range(tries if sizes else 0):
            reach = _FARTHEST * (k + 1) / tries
            yield {name: size * Random(f"{name} {k}").uniform(-reach, reach) for name, size in sizes.items()}

    def _shifted(self, guesses: Vector, group: set[int], shift: Mapping[str, float]) -> Vector:
        """The guesses, with those of the group reset to their first values and shifted."""
        found = guesses.copy()
        for k in group:
            moves = [shift.get(name, 0.0) for name in self._closings[k].unknowns]
            found[self._slots[k]] = self._first[self._slots[k]] + moves
        return found

    def _farthest(self, w: Vector, group: set[int]) -> float:
        """The largest distance of the unknowns of loops from their guesses."""
        slots = [self._slots[k] for k in group & self._loops]
        return max((float(np.abs(w[slot] - self._first[slot]).max()) for slot in slots), default=0.0)

    def _turned(self, found: _Found, group: set[int]) -> dict[str, float]:
        """The differences between loops and their guesses, without full turns."""
        shift: dict[str, float] = {}
        for k in group & self._loops:
            away = (found.w[self._slots[k]] - self._first[self._slots[k]]).tolist()
            shift |= {
                name: math.remainder(distance, 2 * math.pi)
                for name, distance in zip(self._closings[k].unknowns, away, strict=False)
            }
        return shift


def _started(info: ModelInfo, values: Values, loops: Container[int]) -> Iterator[_Started]:
    """Each variable with a start value once: those of loops, and others whose value is given."""
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
