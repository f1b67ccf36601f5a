"""Evaluates a model at random points near its start, and runs it: the motion with which others are compared.

Knows translated models and their results; decides nothing about what must be equal, see `cutset.api.verify.comparison`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from subprocess import SubprocessError
from typing import Any

import numpy as np

from cutset.api.translate.retranslation import weakly_started
from cutset.api.verify.comparison import (
    Curves,
    Difference,
    Table,
    compared_at_points,
    compared_in_runs,
    curves_of,
    undetermined,
)
from cutset.api.verify.entries import entries
from cutset.api.verify.given_states import NoValue
from cutset.api.verify.restated.edits import Naming
from cutset.api.verify.subject import OF_TWO_RUNS, Point, Subject
from cutset.runtime.errors import RunError
from cutset.runtime.interface import Vector
from cutset.runtime.results.result import Result
from cutset.runtime.solvers import OF_ALL_EQUATIONS

# The relative distances of points that show how a quantity grows with the states, and how rounding grows; their number.
_NEAR, _ROUNDED, _NEARBY = 1e-6, 1e-15, 2
# The sizes of random changes of the start values: the next one is tried where the model has no solution.
_CHANGES = (0.5, 0.1, 0.02)
# The rows of a run, those of one with many, and the steps of one with bounded steps: at least and at most, and in a
# period of forcing. Rows beside an event are not compared; 97 intervals are a prime number, which samples rarely meet.
_ROWS, _MANY, _STEPS, _MOST_STEPS, _OF_PERIOD = 98, 2001, 1000, 200_000, 50
# The limit on steps between two rows of a run with other values, or by another method: with some a model moves very
# fast, and an explicit method takes millions of steps for a stiff one.
_STEPS_GIVEN = 10_000
# The part of the tolerance at which motions are compared that differ in their formulation only, the first that works.
_ACCURATE = (1e-3, 1e-2, 3e-2)
# At an event a run by all equations solves for all unknowns several times: it ends after so many events, or more if
# their number times that of operations is less than the work.
_EVENTS, _WORK = 40, 5000
# Quantities that multiply errors of states by more show what a method does not control.
_MULTIPLIED = 10.0
# What rounding of states may change, in tolerances: a thousandth of what runs at a thousandth of it may differ.
_LEFT = 1e-4
# Start values that differ by more are not those that were asked for.
_APART = 1e-6


class Elsewhere(Exception):
    """A translation starts at another point than it was told."""


class ReferenceMotion:
    """The values of a model at its start and at `number` random points near it, and its motion until `stop` (in s; none
    for 0). RunError if it does not start or run."""

    def __init__(self, subject: Subject, number: int, seed: int, stop: float):
        self.subject, rng = subject, np.random.default_rng(seed)
        start = subject.at(Point({}, {}))
        self._names = _given(subject, start)
        drawn = [(Point({}, {}), start), *(self._drawn(start, rng) for _ in range(number))]
        found = [each for each in drawn if each is not None]
        self.points, self._values = [point for point, _ in found], [result for _, result in found]
        self._near = {distance: [self._nearby(distance, rng) for _ in range(_NEARBY)] for distance in (_NEAR, _ROUNDED)}
        self._tables: dict[tuple[object, ...], Table] = {}
        self._curves: dict[object, tuple[Curves, Curves]] = {}
        self.times = np.linspace(0.0, stop, _ROWS if stop > 0.0 else 1)
        self.accurate = _ACCURATE[0]
        self._default = subject.run(self.times) if stop > 0.0 else start
        period = subject.shortest_period(self._default) if stop > 0.0 else np.inf
        self._step = min(stop / _STEPS, max(period / _OF_PERIOD, stop / _MOST_STEPS))
        self._exact: tuple[Result, ...] = self._bounded() if stop > 0.0 else ()
        operations = subject.model.translated.statistics.mul_div + subject.model.translated.statistics.add_sub
        most = max(_EVENTS, _WORK // max(operations, 1))
        self._stop_of_all = _after_events(self._exact[1], stop, most) if self._exact else 0.0

    def _bounded(self) -> tuple[Result, ...]:
        """Runs with bounded steps at a tenth and at a thousandth of the tolerance, or at one that is less tight if the
        steps become too short for rounding. RunError if that fails too."""
        coarse = self.bounded(self.subject, 0.1)
        for part in _ACCURATE[:-1]:
            with suppress(RunError):
                return coarse, self.bounded(self.subject, part)
            self.accurate = _ACCURATE[_ACCURATE.index(part) + 1]
        return coarse, self.bounded(self.subject, _ACCURATE[-1])

    def bounded(self, other: Subject, part: float, **settings: Any) -> Result:
        """A run of a translation with bounded steps and a part of the tolerance of the model, and further settings.
        RunError if it fails."""
        own, bound = self.subject.model.experiment, {"max_step": self._step}
        return other.run(self.times, **bound | settings, rtol=part * own.rtol, atol=part * own.atol)

    def own_violation(self) -> Difference | None:
        """The law that the values at the points or a run violate most, or the equation; None if there are none."""
        found = self.subject.laws(self._dense()) if self._exact else []
        of_points = self.subject.violation(self._values)
        return max([*found, *([of_points] if of_points else [])], key=lambda each: each.size, default=None)

    def _dense(self) -> Result:
        """A run with bounded steps and many rows."""
        own = self.subject.model.experiment
        stop = float(self.times[-1])
        return self.subject.run(np.linspace(0.0, stop, _MANY), rtol=own.rtol * self.accurate, max_step=self._step)

    def at_points(self, other: Subject) -> tuple[Difference | None, Difference | None]:
        """The largest difference of the other translation at the points, and the law that it violates most there.
        RunError or NoValue if it has no solution at one of them, Elsewhere if it does not start there."""
        taken = [k for k, point in enumerate(self.points) if other.takes(point)]
        found = [other.at(self.points[k]) for k in taken]
        apart = [self._apart(k, result, other.naming) for k, result in zip(taken, found, strict=True)]
        expected = self._table([self._values[k] for k in taken], other)
        near = {
            distance: [self._table([each[k] for k in taken], other) for each in results]
            for distance, results in self._near.items()
        }
        difference = compared_at_points(expected, near, other.table(found, self.subject), np.array(apart))
        return difference, other.violation(found)

    def _table(self, results: Sequence[Result], other: Subject) -> Table:
        """`Subject.table` of own results, which are the same for several other translations."""
        key = (*map(id, results), *self.subject.selection(other))
        if key not in self._tables:
            self._tables[key] = self.subject.table(results, other)
        return self._tables[key]

    def times_of(self, method: str) -> Vector:
        """The times at which runs by this method are compared; none without runs."""
        if not self._exact:
            return np.zeros(0)
        return self.times[self.times <= self._stop_of_all] if method in OF_ALL_EQUATIONS else self.times

    def in_runs(self, other: Subject) -> Difference | None:
        """The largest difference in its motion: of a run with bounded steps; of one with the default settings by its
        own method or in Python; or of two by all equations. RunError if a run fails."""
        times = self.times_of(other.method)
        if len(times) < 2:
            return None
        if other.method in OF_ALL_EQUATIONS:
            # Their unknowns have errors of the tolerance, which a comparison without event may show as a jump.
            names = self._controlled - self.subject.without_events()
            return self._against(other, other.runs(times), times, names=names)
        if other.method != self.subject.method or other.run_target == "python":  # with bounded steps it takes minutes
            return self._by_default(other)
        own = self.determined if other.library == self.subject.library else None
        return self._against(other, [self.bounded(other, self.accurate)], times, self.accurate, own)

    def own_difference(self) -> Difference | None:
        """The largest difference of a run with the default settings, with one at a tenth of the tolerance as the
        yardstick, from one with bounded steps. RunError if it fails."""
        return self._by_default(self.subject) if self._exact else None

    def started(self, factor: float) -> dict[str, float]:
        """Another start value of one of the states that any entry can give; empty if there is none."""
        info, start = self.subject.model.translated.info, self._values[0]
        for name in self._names:
            if not weakly_started(info, [name]):
                value = float(start[name][0])
                return {name: factor * value if value else factor - 1.0}
        return {}

    def through_entries(
        self, given: Mapping[str, float], starts: Mapping[str, float], among: Collection[str] | None = None
    ) -> Iterator[tuple[str, Difference | Exception | None]]:
        """The largest difference of a run through each entry, or those `among` these, with these values of parameters
        and start values, or why it failed; without the start values for one that cannot take them. RunError if a run
        with bounded steps and these values fails."""
        subject, without = replace(self.subject, parameters=given, initial=starts), list[str]()
        tolerance, atol = self.subject.model.experiment.rtol, self.subject.model.experiment.atol
        runs = [
            self.bounded(subject, 0.1, max_steps=_STEPS_GIVEN),
            self.bounded(subject, self.accurate, max_steps=_STEPS_GIVEN),
            subject.run(self.times, rtol=0.1 * tolerance, max_steps=_STEPS_GIVEN),
        ]
        coarse, fine, tighter = (subject.curves(run, self.times, subject) for run in runs)
        rows = self.times[:-1]  # a sample may act where the run ends, and some entries tell the last row only
        for name, entry in entries(subject.model, rows, given, starts).items():
            if among is not None and name not in among:
                continue
            try:
                times, columns = entry()
                if starts and not columns:
                    without.append(name)
                    continue
                found = [tighter.at(times).of(self._controlled), curves_of(times, columns).of(self._controlled)]
                compared = partial(compared_in_runs, (coarse, fine), found, tolerance, 1.0)
                disturbed = partial(self._disturbed, subject, runs[1], subject)
                yield name, _unless_disturbed(compared, partial(disturbed, tolerance), partial(disturbed, 0.0, atol))
            except (RunError, OSError, SubprocessError) as error:
                yield name, error
        if without:
            yield from self.through_entries(given, {}, without)

    def undetermined(self) -> tuple[int, float]:
        """The number of quantities that the reference leaves open, and the time from which they are not compared."""
        if not self._exact:
            return 0, 0.0
        return undetermined(self._expected(self.subject), self.subject.model.experiment.rtol)

    @cached_property
    def _controlled(self) -> frozenset[str]:
        """The quantities that a method controls as it controls states: those that do not multiply errors of states, as
        derivatives in stiff models do."""
        tolerance = self.subject.model.experiment.rtol
        return self._calm(tolerance, _MULTIPLIED * tolerance)

    @cached_property
    def determined(self) -> frozenset[str]:
        """The quantities that rounding leaves, as it does not the current of a capacitor that is charged."""
        return self._calm(_ROUNDED, _LEFT * self.subject.model.experiment.rtol)

    def _calm(self, distance: float, most: float) -> frozenset[str]:
        """The quantities that change by less than `most` of their range where states change by the distance."""
        one, other = (
            self.subject.curves(self._exact[-1], self.times, self.subject),
            self._shaken(distance, self.subject),
        )
        moved = np.nan_to_num(np.abs(one.table.values - other.table.values)).max(axis=0, initial=0.0)
        return frozenset(n for n, calm in zip(one.table.names, moved <= most * one.table.ranges(), strict=True) if calm)

    def _shaken(self, distance: float, other: Subject) -> Curves:
        """What is compared with another translation, where states, and the guesses of iterations, which leave a rest,
        change by the distance relative to their size."""
        model, exact = self.subject.model, self._exact[-1]
        compiled, rows, rng = model.build("auto"), exact.rows, np.random.default_rng(0)
        are_values = np.array([k < n for n in compiled.info.iterations for k in range(2 * n + 1)], bool)

        def beside(values: Vector) -> Vector:
            sizes = np.abs(values).max(axis=0, initial=0.0)
            found: Vector = values + distance * sizes * rng.choice((-1.0, 1.0), values.shape)
            return found

        moved = replace(rows, x=beside(rows.x), guesses=np.where(are_values, beside(rows.guesses), rows.guesses))
        shaken = Result(compiled, compiled.bind(model.experiment.parameters), moved, exact.statistics)
        return self.subject.curves(shaken, self.times, other)

    def _by_default(self, other: Subject) -> Difference | None:
        is_own = other.method == self.subject.method
        settings = {} if is_own else {"max_steps": _STEPS_GIVEN}
        tighter = other.run(self.times, rtol=0.1 * self.subject.model.experiment.rtol, **settings)
        # A method controls the errors of states; those of the method of the model are seen in other variables too.
        names = self._controlled if is_own else set(self.subject.model.moving)
        run = self._default if other is self.subject else other.run(self.times, **settings)
        return self._against(other, [tighter, run], self.times, names=names)

    def _against(
        self,
        other: Subject,
        runs: Sequence[Result],
        times: Vector,
        part: float = 1.0,
        names: Collection[str] | None = None,
    ) -> Difference | None:
        """The largest difference of runs of the other translation at these times, in all variables or in `names`: of
        the last, with this part of the tolerance."""
        found = [other.curves(run, times, self.subject).of(names) for run in runs]
        tolerance, atol = self.subject.model.experiment.rtol, self.subject.model.experiment.atol
        compared = partial(compared_in_runs, self._expected(other), found, tolerance, part)
        if len(found) == 1:
            return _unless_disturbed(compared, partial(self._shaken, part * tolerance, other))
        atol = OF_TWO_RUNS[-1] if other.method in OF_ALL_EQUATIONS else atol
        disturbed = partial(self._disturbed, self.subject, self._exact[1], other)
        return _unless_disturbed(compared, partial(disturbed, tolerance), partial(disturbed, 0.0, atol))

    def _disturbed(
        self, subject: Subject, run: Result, other: Subject, relative: float, absolute: float = 0.0
    ) -> Curves:
        """The motion with bounded steps from a start that is off by these tolerances, relative to the size that each
        state reaches in the run and absolute, where it may be given; what is compared with another translation.
        RunError if it fails."""
        beside, rng = subject, np.random.default_rng(0)
        for name in self._names:
            start, size = float(run[name][0]), float(np.abs(run[name]).max())
            part = rng.choice((-1.0, 1.0)) * rng.uniform(0.5, 1.5)  # equal errors would leave differences as they are
            value = start + relative * size + part * self._absolute(name, absolute, start)
            near = replace(beside, initial={**beside.initial, name: value})
            with suppress(RunError):
                near.run(self.times[:1])
                beside = near
        return subject.curves(self.bounded(beside, self.accurate, max_steps=_STEPS_GIVEN), self.times, other)

    def _absolute(self, name: str, atol: float, start: float) -> float:
        """The absolute tolerance of a state: relative to its nominal value or, without one, at most to its start."""
        nominal, relative = self._nominal.get(name, 1.0), self.subject.model.experiment.rtol * abs(start)
        return min(atol, relative) if nominal == 1.0 and start else atol * nominal

    @cached_property
    def _nominal(self) -> Mapping[str, float]:
        compiled = self.subject.model.build("auto")
        bound = compiled.bind(self.subject.model.experiment.parameters)
        return dict(zip(compiled.info.states, bound.n.tolist(), strict=True))

    def _expected(self, other: Subject) -> tuple[Curves, Curves]:
        """The reference, with what must be equal in the other translation."""
        key = self.subject.selection(other)
        if key not in self._curves:
            coarse, fine = (self.subject.curves(run, self.times, other) for run in self._exact)
            self._curves[key] = coarse, fine
        return self._curves[key]

    def _drawn(self, start: Result, rng: np.random.Generator) -> tuple[Point, Result] | None:
        """A point with random start values and inputs, and the values there; None if none was found that has a
        solution."""
        model, values = self.subject.model, {name: float(start[name][0]) for name in self._names}
        for change in _CHANGES:
            initial = {name: x + change * rng.uniform(-1.0, 1.0) * max(1.0, abs(x)) for name, x in values.items()}
            point = Point(initial, {name: float(rng.uniform(-1.0, 1.0)) for name in model.inputs})
            with suppress(RunError, NoValue):
                return point, self.subject.at(point)
        return None

    def _nearby(self, distance: float, rng: np.random.Generator) -> list[Result]:
        """The values at points that are so far from the points, relative to their states."""
        found = []
        for point, result in zip(self.points, self._values, strict=True):
            values = {name: float(result[name][0]) for name in self._names}
            initial = {name: x + distance * rng.choice((-1.0, 1.0)) * max(1.0, abs(x)) for name, x in values.items()}
            found.append(self.subject.at(Point(initial, point.inputs)))
        return found

    def _apart(self, k: int, found: Result, naming: Naming) -> float:
        """How far the states of the result are from those at point k, relative to them."""
        columns = {name: naming.after(name) for name in self.points[k].initial if naming.after(name) in found}
        sizes = {
            name: (float(self._values[k][name][0]), float(found[at][0]) / naming.factor(name))
            for name, at in columns.items()
        }
        apart = {name: abs(x - y) / max(1.0, abs(x)) for name, (x, y) in sizes.items()}
        worst = max(apart, key=apart.__getitem__, default="")
        if worst and not apart[worst] <= _APART:
            raise Elsewhere(f"{worst} starts at {sizes[worst][1]:.9g} instead of {sizes[worst][0]:.9g}")
        return apart.get(worst, 0.0)


def _unless_disturbed(compared: Callable[..., Difference | None], *makes: Callable[[], Curves]) -> Difference | None:
    """The difference; motions that start beside, by the relative and the absolute tolerance, are computed only where
    they decide."""
    found, made = compared(), list[Curves]()
    with suppress(RunError):
        for make in makes:
            if found is None or not found.is_wrong:
                break
            made.append(make())
            found = compared(*made)
    return found


def _after_events(run: Result, stop: float, number: int) -> float:
    """The time in the middle between the last of so many events and the next; `stop` if there are fewer. Each adds
    rows at its instant."""
    instants = np.unique(run.time[1:][np.diff(run.time) == 0.0])
    instants = instants[instants > run.time[0]]
    return stop if len(instants) <= number else float(instants[number - 1 : number + 1].mean())


def _given(subject: Subject, start: Result) -> list[str]:
    """The states whose start values can be given together: others follow from them."""
    names = [name for name in subject.model.states if "$" not in name]
    for left in range(len(names), 0, -1):
        if _starts(subject, start, names):
            break
        without = ([other for other in names if other != name] for name in reversed(names))
        names = next((some for some in without if _starts(subject, start, some)), names[: left - 1])
    return names


def _starts(subject: Subject, start: Result, names: Sequence[str]) -> bool:
    values = {name: float(start[name][0]) for name in names}
    try:
        subject.at(Point({name: x + _NEAR * max(1.0, abs(x)) for name, x in values.items()}, {}))
    except (RunError, NoValue):
        return False
    return True
