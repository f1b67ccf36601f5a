"""Solves the jumps of constraints at an event: the states just before it -> the states just after it.

A source that steps across a loop of capacitors, or a drive whose speed steps, makes a constraint between states jump,
and with it all states of the constraint. The equations between their derivatives are known from index reduction. They
are linear in the derivatives, so also in their impulses: if the constraint moved at a large rate, the derivatives would
be this rate times the changes of the states. So charge, flux and momentum are kept, whichever states are integrated.
The constraint moves along a straight line from where it held before the event to where it must hold after it; along
this way the changes are integrated, since the equations between derivatives may depend on the states.

A position that jumps would need more than an impulse: that is an error.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from cutset.contract.metadata import ModelInfo
from cutset.runtime.event_tables import made_discrete
from cutset.runtime.failures import jumping_constraint, jumping_input, jumping_motion
from cutset.runtime.inputs import derivative_of
from cutset.runtime.interface import Vector
from cutset.runtime.relations import event_indicators, holds
from cutset.runtime.solvers.method import Problem

# The accuracy to which an instant is located lets a smooth motion change by this much: relative to its size, and in m
# or rad.
_RELATIVE, _ABSOLUTE = 1e-6, 1e-7
# A constraint jumps if its residual is larger than this part of its terms.
_JUMPS = 1e-10
# How fast a constraint moves while it jumps, per s: all that does not follow from this rate counts as nothing.
_JUMP_RATE = 2.0**70
# Derivatives and sides of relations are proportional to the rate, up to this part.
_PROPORTIONAL = 1e-6
# A change is hidden by the rate if it is shorter than that by so many times the other derivatives.
_UNSEEN = 16.0
# The last number of steps along the way, and the change of the states below which a number is enough, or a smaller one
# if more steps do not reduce it to less than this part.
_MOST_JUMP_STEPS, _ACCURATE, _CLOSE, _STALLED = 1024, 1e-9, 1e-6, 0.5
# The size of a state or its change, for these comparisons, is at least this part of the largest.
_LEAST = 1e-9
# The limit on changes of relations by impulses.
_MOST_DECISIONS = 32


class Before(NamedTuple):
    """A point just before an event, or just after a restart within it: time, states, held values, the values of the
    variables in constraints that may jump, and the inputs that step: (number, that of the derivative, size)."""

    t: float
    x: Vector
    m: Vector
    values: Vector
    steps: tuple[tuple[int, int, float], ...] = ()


def steppable(info: ModelInfo) -> list[tuple[int, int]]:
    """The inputs whose derivative is an input too, but no further one, and that derivative, by number."""
    place = {name: k for k, name in enumerate(info.inputs)}
    slopes = [(k, derivative_of(name)) for k, name in enumerate(info.inputs)]
    return [(k, place[slope]) for k, slope in slopes if slope in place and derivative_of(slope) not in place]


class Jumps:
    """Solves the jumps of constraints of one run."""

    def __init__(self, problem: Problem):
        self._problem, self._model, info = problem, problem.model, problem.model.info
        self._info, self._first = info, len(info.relations)
        solved = [k for k, jump in enumerate(info.jumps) if jump.rate >= 0]
        self._solved, self._firm = solved, [k for k in range(len(info.jumps)) if k not in solved]
        self._offsets = self._first + np.array([info.jumps[k].offset for k in solved], dtype=int)
        self._rates = self._first + np.array([info.jumps[k].rate for k in solved], dtype=int)
        timed = set(info.timed)
        self._watched = [
            k for k, r in enumerate(info.relations) if r.kind == "state" and r.operator in "<=>=" and k not in timed
        ]
        self._made = np.flatnonzero(made_discrete(info))
        self._latest: tuple[Before | None, bytes, Vector] = None, b"", np.zeros(0)
        self._steps: list[tuple[int, int, float]] = []

    def before(self, t: float, x: Vector, m: Vector) -> Before:
        """The point from which constraints jump."""
        info = self._info
        values = self._updates(t, x, m, np.zeros(info.n_before))[info.n_updates - info.n_before :] if info.jumps else x
        return Before(t, x, m, values, tuple(self._steps))

    def restarted(self, t: float, x: Vector, m: Vector, discrete: Vector) -> Before:
        """The same after restarts within an event, which gives discrete variables these values: constraints jump with
        those of the model from here; a choice of states has changed with the states."""
        held = m.copy()
        held[self._first + self._made] = discrete[self._made]
        return self.before(t, x, held)._replace(steps=())

    def after(self, before: Before, m: Vector) -> Vector:
        """The states with these held values; nan if they cannot follow."""
        if not before.steps and (not self._solved or np.array_equal(before.m, m)):
            return before.x
        key = m.tobytes()
        if self._latest[0] is not before or self._latest[1] != key:  # passes ask repeatedly
            self._latest = before, key, self._after(before, m)
        return self._latest[2]

    def step_inputs(self, was: Vector) -> None:
        """At the next event inputs step from these values: those whose derivative is an input too, and zero."""
        now, functions = self._problem.inputs.constant, self._problem.inputs.functions
        for k, d in steppable(self._info):
            if now[k] != was[k] and now[d] == was[d] == 0.0 and not {k, d} & set(functions):
                self._steps.append((k, d, float(now[k] - was[k])))

    def forget_steps(self) -> None:
        """The event at which inputs step is over."""
        self._steps = []

    def check(self, before: Before, m: Vector) -> None:
        """EventFailure if a position jumps, or if the states could not follow a constraint."""
        follows = bool(np.isfinite(self.after(before, m)).all())
        if before.steps and not follows:
            raise jumping_input(self._info, before.steps[0][0])
        if np.array_equal(before.m, m):
            return
        moved = _moved_position(self._problem, before, m)
        if moved is not None:
            raise jumping_motion(self._info, *moved)
        if not self._info.jumps or (follows and not self._firm):
            return
        sizes, terms = self._sizes(before, m)
        far = [k for k in self._firm if abs(sizes[k]) > _RELATIVE * terms[k] + _ABSOLUTE]
        for k in far or [k for k in self._solved if sizes[k] and not follows]:
            raise jumping_constraint(self._info, k, bool(far))

    def _updates(self, t: float, x: Vector, m: Vector, values: Vector) -> Vector:
        u, none = self._problem.inputs.at(t), np.zeros(sum(self._info.whens))
        return self._model.updates(t, x, u, self._problem.values, m, np.concatenate([none, values]))

    def _sizes(self, before: Before, m: Vector) -> tuple[Vector, Vector]:
        """By how much each constraint jumps, 0 if not, and the sizes of their terms."""
        info, count = self._info, len(self._info.jumps)
        e = self._updates(before.t, before.x, m, before.values)
        rest, size = e[info.n_updates - info.n_before - 2 * count :][: 2 * count].reshape(-1, 2).T
        return np.where(np.abs(rest) <= _JUMPS * size, 0.0, rest), size

    def _after(self, before: Before, m: Vector) -> Vector:
        sizes, terms = (each[self._solved] for each in self._sizes(before, m))
        if not sizes.any() and not before.steps:
            return before.x
        way = _Way(self, before, sizes)
        found = way.end(m)
        if not np.isfinite(found).all() and not before.steps and (np.abs(sizes) <= _RELATIVE * terms).all():
            return before.x  # it is located late, and does not jump
        return found


def _sizes_of(numbers: Vector) -> Vector:
    found: Vector = np.maximum(numbers, _LEAST * numbers.max(initial=0.0))
    return found


class _Way:
    """The way of constraints that jump by these sizes, from its start at 0 to its end at 1."""

    def __init__(self, jumps: Jumps, before: Before, sizes: Vector):
        self._jumps, self._before, self._sizes = jumps, before, sizes
        problem = jumps._problem
        # The guesses of the run must not change.
        self._model, self._u = problem.model, problem.inputs.at(before.t)
        self._values = replace(problem.values, w=problem.values.w.copy())

    def end(self, m: Vector) -> Vector:
        """The states at its end, for these held values after the event; nan if there are none."""
        before, held = self._before, self.relations(m)
        if held is None or not self.is_proportional(held):
            return np.full(len(before.x), np.nan)
        steps, found = 1, self.gone(held, 1)
        size, latest = _sizes_of(np.maximum(np.abs(before.x), np.abs(found))), np.inf
        while True:
            coarse, steps = found, 2 * steps
            found = self.gone(held, steps)
            error = float(np.max(np.abs(found - coarse) / np.where(size > 0.0, size, 1.0), initial=0.0))
            if not error > _ACCURATE or (error <= _CLOSE and error > _STALLED * latest):
                return found
            if steps >= _MOST_JUMP_STEPS:
                return np.full(len(found), np.nan)
            latest = error

    def _held(self, m: Vector, at: float, rate: float) -> Vector:
        held = m.copy()
        held[self._jumps._offsets] = (at - 1.0) * self._sizes
        held[self._jumps._rates] = rate * self._sizes
        return held

    def _slope(self, m: Vector, at: float, x: Vector, rate: float = _JUMP_RATE) -> Vector:
        """The change of the states along the way."""
        return (self._rates(m, at, x, rate) - self._rates(m, at, x, 0.0)) / rate

    def _rates(self, m: Vector, at: float, x: Vector, rate: float) -> Vector:
        return self._model.derivatives(self._before.t, x, self._inputs(at, rate), self._values, self._held(m, at, rate))

    def _inputs(self, at: float, rate: float) -> Vector:
        u = self._u
        for k, d, step in self._before.steps:
            u = u.copy()
            u[k] += (at - 1.0) * step
            u[d] += rate * step
        return u

    def is_proportional(self, m: Vector) -> bool:
        """True if the changes do not depend on the rate, as they do if an impulse is squared. Those that the rate hides
        do not count."""
        x = self._before.x
        one, other = (self._slope(m, 0.0, x, rate) for rate in (_JUMP_RATE, 2.0 * _JUMP_RATE))
        hidden = _UNSEEN * np.abs(self._rates(m, 0.0, x, 0.0)) / _JUMP_RATE
        size = _sizes_of(np.maximum(np.abs(x), np.abs(one)))
        return bool((np.abs(other - one) <= _PROPORTIONAL * size + hidden).all())

    def gone(self, m: Vector, steps: int) -> Vector:
        """The states at the end of the way, by the classical Runge-Kutta method."""
        x, h = self._before.x, 1.0 / steps
        for k in range(steps):
            k1 = self._slope(m, k * h, x)
            k2 = self._slope(m, (k + 0.5) * h, x + 0.5 * h * k1)
            k3 = self._slope(m, (k + 0.5) * h, x + 0.5 * h * k2)
            k4 = self._slope(m, (k + 1.0) * h, x + h * k3)
            x = x + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
        return x

    def relations(self, m: Vector) -> Vector | None:
        """The held values in which the relations that impulses decide agree with these: no friction withstands an
        impulse. None if none are found."""
        info, relations = self._jumps._info, self._jumps._watched
        if not relations:
            return m
        for _ in range(_MOST_DECISIONS):
            one, two = (self._differences(m, rate)[relations] for rate in (_JUMP_RATE, 2.0 * _JUMP_RATE))
            decided = np.abs(two - one) >= 0.5 * np.abs(one)
            now = np.where(decided & (one != 0.0), _signs(info, relations, one), m[relations])
            if np.array_equal(now, m[relations]):
                return m
            m = m.copy()
            m[relations] = now
        return None

    def _differences(self, m: Vector, rate: float) -> Vector:
        before, held = self._before, self._held(m, 0.0, rate)
        t, x, u = np.array([before.t]), before.x[None, :], self._inputs(0.0, rate)[None, :]
        y = self._model.variables(t, x, u, self._values, held[None, :])[0]
        left, right = event_indicators(self._jumps._info, y).sides.T
        differences: Vector = left - right
        return differences


def _signs(info: ModelInfo, relations: list[int], differences: Vector) -> Vector:
    return np.array([holds(info, k, float(d)) for k, d in zip(relations, differences, strict=True)])


def _moved_position(problem: Problem, before: Before, after: Vector) -> tuple[int, float, float] | None:
    """Which position of `ModelInfo.continuous` jumps, from where to where; None if none does. `after` are the held
    values after the event."""
    info, t, x = problem.model.info, before.t, before.x
    if not info.continuous:
        return None
    u, numbers = problem.inputs.at(t), list(info.continuous)
    was, now = (
        problem.model.variables(np.array([t]), x[None, :], u[None, :], problem.values, m[None, :])[0][numbers]
        for m in (before.m, after)
    )
    size = np.maximum(np.abs(was), np.abs(now))
    places = np.flatnonzero(np.abs(now - was) > _RELATIVE * size + _ABSOLUTE)
    return (int(places[0]), float(was[places[0]]), float(now[places[0]])) if len(places) else None
