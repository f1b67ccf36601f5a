"""Evaluates a model at random points near its start, and runs it: the motion with which others are compared.

Knows translated models and their results; decides nothing about what must be equal, see `cutset.comparison`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from cutset.balances import Element, largest_violation
from cutset.comparison import Difference, Table, compared_at_points, compared_in_runs, stacked, table_of
from cutset.frame_quantities import DriveCut, Place
from cutset.given_states import NoValue, evaluated_at
from cutset.model import Model
from cutset.retranslation import weakly_started
from cutset.runtime.errors import RunError
from cutset.runtime.result import Result
from cutset.runtime.solvers import OF_ALL_EQUATIONS

# Variables of joints that mean the same in all libraries; the quantities of frames that runs compare.
_COORDINATES, _PLACES = ("q", "qd", "qdd"), ("rotation", "position")
# What formulations may distribute differently in loops with redundant constraints.
_FORCES = ("force", "torque")
# The relative distances of points that show how a quantity grows with the states, and how rounding grows; their number.
_NEAR, _ROUNDED, _NEARBY = 1e-6, 1e-15, 2
# The sizes of random changes of the start values: the next one is tried where the model has no solution.
_CHANGES = (0.5, 0.1, 0.02)
# The relative tolerances of the two runs, the absolute ones as a part of these, and the number of rows. The method bdf
# keeps the absolute one for forces too, whose rounding is larger.
_TOLERANCES, _ABSOLUTE, _ROWS = (1e-6, 1e-8), 1e-2, 101
_TOLERANCES_OF_BDF, _ABSOLUTE_OF_BDF = (1e-5, 1e-7), 1.0
# At an event a run by all equations solves for all unknowns several times: it ends after so many events, or more if
# their number times that of operations is less than the work.
_EVENTS, _WORK = 40, 5000
# Start values that differ by more are not those that were asked for.
_APART = 1e-6


class Elsewhere(Exception):
    """A translation starts at another point than it was told."""


@dataclass(frozen=True)
class Subject:
    """A translated model: the library of its mechanism (empty for none), its cut-frames and drive lines, its elements
    with cut-frames, the cuts in loops, the paths below which variables differ from library to library, and how it is
    evaluated."""

    model: Model
    library: str
    cuts: Mapping[str, Place]
    elements: tuple[Element, ...]
    in_loops: frozenset[str]
    inner: frozenset[str]
    target: str = "python"
    method: str = "auto"

    def at(self, point: Point) -> Result:
        """The model at a point. RunError or NoValue if it has no solution there."""
        if self._is_direct(point):
            return evaluated_at(self.model, point.initial, point.inputs, self.target)
        known = {*self.model.states, *self.model.moving}
        initial = {name: value for name, value in point.initial.items() if name in known}
        return self.model.simulate(
            0.0, start=0.0, initial=initial, inputs=point.inputs, target=self.target, method=self.method
        )

    def _is_direct(self, point: Point) -> bool:
        """True if a run from the point would need a translation of its own, because the model gives some start values
        weakly, and is not needed, because the point has all states."""
        weak = weakly_started(self.model.translated.info, point.initial)
        return bool(weak) and self.method == "auto" and point.initial.keys() >= set(self.model.states)

    def takes(self, point: Point) -> bool:
        """True unless a run from the point would need a translation of its own."""
        return self._is_direct(point) or not weakly_started(self.model.translated.info, point.initial)

    def runs(self, stop: float) -> tuple[Result, Result]:
        """The motion until `stop` at two tolerances, from the model's own start. RunError if a run fails."""
        is_bdf = self.method in OF_ALL_EQUATIONS
        relative, part = (_TOLERANCES_OF_BDF, _ABSOLUTE_OF_BDF) if is_bdf else (_TOLERANCES, _ABSOLUTE)
        coarse, fine = (
            self.model.simulate(
                stop, start=0.0, points=_ROWS, method=self.method, rtol=tolerance, atol=part * tolerance
            )
            for tolerance in relative
        )
        return coarse, fine

    def violation(self, results: Sequence[Result]) -> Difference | None:
        """The law of mechanics that the results violate most; None without a mechanism."""
        return largest_violation(self.elements, self.model.folded, results)

    def table(self, results: Sequence[Result], other: Subject) -> Table:
        """All that must be equal in the other translation, a row for each result."""
        differs, shared = self.selection(other)
        cuts, names = self.cuts if differs else {}, self._names(results[0], differs)

        def unique(kind: str, cut: str) -> bool:
            return kind not in _FORCES or cut not in shared

        return stacked([table_of(result, names, cuts, unique=unique) for result in results])

    def selection(self, other: Subject) -> tuple[bool, frozenset[str]]:
        """What decides which quantities must be equal in the other translation: whether it has another library, and the
        cuts whose forces are not unique."""
        is_open = any(each.model.translated.info.open_systems for each in (self, other))
        return self.library != other.library, self.in_loops | other.in_loops if is_open else frozenset()

    def places(self, result: Result, names: Sequence[str]) -> Table:
        """The variables `names` and the places of all frames, at equidistant times."""
        rows = np.searchsorted(result.time, np.linspace(result.time[0], result.time[-1], _ROWS), side="right") - 1
        return table_of(result, names, self.cuts, _PLACES).rows(rows)

    def _names(self, result: Result, has_other_library: bool) -> list[str]:
        parameters = self.model.parameters
        own = [name for name in result.names() if name not in parameters and "$" not in name]
        if not has_other_library:
            return own
        differing = {name for each in self.cuts.values() if isinstance(each, DriveCut) for name in each.own()}
        return [name for name in own if name not in differing and _means_the_same(name, self.inner)]


@dataclass(frozen=True)
class Point:
    """Start values, and the values of inputs."""

    initial: Mapping[str, float]
    inputs: Mapping[str, float]


class ReferenceMotion:
    """The values of a model at its start and at `number` random points near it, and its motion until `stop` (in s; none
    for 0). RunError if it does not start or run."""

    def __init__(self, subject: Subject, number: int, seed: int, stop: float):
        self._subject, rng = subject, np.random.default_rng(seed)
        start = subject.at(Point({}, {}))
        self._names = _given(subject, start)
        drawn = [(Point({}, {}), start), *(self._drawn(start, rng) for _ in range(number))]
        found = [each for each in drawn if each is not None]
        self.points, self._values = [point for point, _ in found], [result for _, result in found]
        self._near = {distance: [self._beside(distance, rng) for _ in range(_NEARBY)] for distance in (_NEAR, _ROUNDED)}
        self._tables: dict[tuple[object, ...], Table] = {}
        self._runs = {stop: subject.runs(stop)} if stop > 0.0 else {}
        self._stop, self._stop_of_all = stop, stop
        if stop > 0.0:
            operations = subject.model.translated.statistics.mul_div + subject.model.translated.statistics.add_sub
            self._stop_of_all = _after_events(self._runs[stop][1], stop, max(_EVENTS, _WORK // max(operations, 1)))

    def own_violation(self) -> Difference | None:
        """The law that the values at the points violate most; None without a mechanism."""
        return self._subject.violation(self._values)

    def at_points(self, other: Subject) -> tuple[Difference | None, Difference | None]:
        """The largest difference of the other translation at the points, and the law that it violates most there.
        RunError or NoValue if it has no solution at one of them, Elsewhere if it does not start there."""
        taken = [k for k, point in enumerate(self.points) if other.takes(point)]
        found = [other.at(self.points[k]) for k in taken]
        apart = [self._apart(k, result) for k, result in zip(taken, found, strict=True)]
        expected = self._table([self._values[k] for k in taken], other)
        near = {
            distance: [self._table([each[k] for k in taken], other) for each in results]
            for distance, results in self._near.items()
        }
        difference = compared_at_points(expected, near, other.table(found, self._subject), np.array(apart))
        return difference, other.violation(found)

    def _table(self, results: Sequence[Result], other: Subject) -> Table:
        """`Subject.table` of own results, which are the same for several other translations."""
        key = (*map(id, results), *self._subject.selection(other))
        if key not in self._tables:
            self._tables[key] = self._subject.table(results, other)
        return self._tables[key]

    def stop_of(self, method: str) -> float:
        """The stop time of the runs that are compared with those by this method, in s; 0 for none."""
        return self._stop_of_all if method in OF_ALL_EQUATIONS else self._stop

    def in_runs(self, other: Subject) -> Difference | None:
        """The largest difference in its motion until `stop_of`. RunError if a run fails."""
        stop = self.stop_of(other.method)
        if not stop:
            return None
        if stop not in self._runs:
            self._runs[stop] = self._subject.runs(stop)
        own, runs = self._runs[stop], other.runs(stop)
        names = [name for name in self._subject.model.moving if name in runs[0]]
        expected, found = (
            (who.places(coarse, names), who.places(fine, names))
            for who, (coarse, fine) in ((self._subject, own), (other, runs))
        )
        has_events = any(run.statistics.events for run in (*own, *runs))
        return compared_in_runs(expected, found, np.linspace(0.0, stop, _ROWS), has_events)

    def _drawn(self, start: Result, rng: np.random.Generator) -> tuple[Point, Result] | None:
        """A point with random start values and inputs, and the values there; None if none was found that has a
        solution."""
        model, values = self._subject.model, {name: float(start[name][0]) for name in self._names}
        for change in _CHANGES:
            initial = {name: x + change * rng.uniform(-1.0, 1.0) * max(1.0, abs(x)) for name, x in values.items()}
            point = Point(initial, {name: float(rng.uniform(-1.0, 1.0)) for name in model.inputs})
            with suppress(RunError, NoValue):
                return point, self._subject.at(point)
        return None

    def _beside(self, distance: float, rng: np.random.Generator) -> list[Result]:
        """The values at points that are so far from the points, relative to their states."""
        found = []
        for point, result in zip(self.points, self._values, strict=True):
            values = {name: float(result[name][0]) for name in self._names}
            initial = {name: x + distance * rng.choice((-1.0, 1.0)) * max(1.0, abs(x)) for name, x in values.items()}
            found.append(self._subject.at(Point(initial, point.inputs)))
        return found

    def _apart(self, k: int, found: Result) -> float:
        """How far the states of the result are from those at point k, relative to them."""
        names = [name for name in self.points[k].initial if name in found]
        sizes = [(name, float(self._values[k][name][0]), float(found[name][0])) for name in names]
        apart = {name: abs(x - y) / max(1.0, abs(x)) for name, x, y in sizes}
        worst = max(apart, key=apart.__getitem__, default="")
        if worst and not apart[worst] <= _APART:
            raise Elsewhere(
                f"{worst} starts at {float(found[worst][0]):.9g} instead of {float(self._values[k][worst][0]):.9g}"
            )
        return apart.get(worst, 0.0)


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


def _means_the_same(name: str, elements: frozenset[str]) -> bool:
    """True for a variable outside of the elements of a mechanism, and for the coordinates of a joint."""
    while name.startswith("der(") and name.endswith(")"):
        name = name[4:-1]
    *path, last = name.split(".")
    inside = any(".".join(path[:k]) in elements for k in range(1, len(path) + 1))
    return not inside or (".".join(path) in elements and last in _COORDINATES)
