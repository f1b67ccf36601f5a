"""The state just before an event in, the state just after it out: one instant, settled. Integrates nothing.

An event goes in passes. In each the relations are brought into agreement with the equations while the discrete
variables are held; then the branches act whose conditions have become true, and give discrete variables and states new
values. It is over when a pass changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np

from cutset.runtime.consistency import Contradiction, agree
from cutset.runtime.interface import Assertion, ModelInfo, Vector
from cutset.runtime.outcome import Outcome
from cutset.runtime.relations import Circumstances, Reading, evaluate, holds, read, same_sides
from cutset.runtime.solvers.method import Problem

_PASSES = 100
# How far ahead the way of a crossing is looked at, as part of the run: by its slope, and where that is zero by its bend.
_AHEAD, _FAR_AHEAD = 1e-9, 1e-5
_SLOPE_NOISE = 1e-14


class EventFailure(Exception):
    """An event went wrong: how the run ends, what happened, and further facts, one a line."""

    def __init__(self, outcome: Outcome, what: str, details: Collection[str] = ()):
        self.outcome, self.what, self.details = outcome, what, tuple(details)
        super().__init__(what)


@dataclass(frozen=True, eq=False)
class Moment:
    """An instant of the run: the states and what is held; the conditions of the branches, and for each relation of kind
    'edge' whether it is true, as the latest pass has left them; (first, interval) of each sample. `ending` is the
    assertion by which the model has ended the run."""

    t: float
    x: Vector
    m: Vector
    conditions: Vector
    truths: Vector
    samples: Vector
    ending: Assertion | None = None


class Events:
    """The events of one run. `same` tells whether two instants are one; `span` is the length of the run, in s."""

    def __init__(self, problem: Problem, same: Callable[[float, float], bool], span: float):
        self._problem, self._model, self.info = problem, problem.model, problem.model.info
        self.same, self._span = same, span or 1.0
        kinds = [relation.kind for relation in self.info.relations]
        self._pulses = np.array([kind in ("sample", "edge") for kind in kinds], dtype=bool)

    def settle(self, before: Moment, crossed: Mapping[int, float] | None = None, ticks: Collection[int] = ()) -> Moment:
        """The moment after the event. `crossed` has the values that relations take by crossing, `ticks` are the samples
        that tick. EventFailure where it does not come to rest, or an assertion does not hold.

        A crossing at which the states stay is looked at once more in the direction in which they go on: a ball that
        has bounced is above the floor again."""
        crossed = dict(crossed or {})
        moment, turned = self._passes(before, crossed, ticks), set[int]()
        while True:
            leaning = {k: v for k, v in self._leaning(before, moment, crossed).items() if k not in turned}
            if not leaning:
                return moment
            turned |= leaning.keys()
            moment = self._passes(moment, leaning, ())

    def reading(self, t: float, x: Vector, m: Vector) -> Reading:
        """What the model says there."""
        u = self._problem.inputs.at(t)
        y = self._model.variables(np.array([t]), x[None, :], u[None, :], self._problem.values, m[None, :])[0]
        return read(self.info, y)

    def moment(self, t: float, x: Vector, m: Vector, reading: Reading) -> Moment:
        """The moment at which the model says this."""
        return Moment(t, x, m, reading.conditions, _truths(self.info, reading), _samples(self.info, reading))

    def _passes(self, before: Moment, forced: Mapping[int, float], ticks: Collection[int]) -> Moment:
        info, n = self.info, len(self.info.relations)
        moment, ending = before, before.ending
        for _ in range(_PASSES):
            values = self._relations(moment, forced, ticks)
            m = np.concatenate([values, moment.m[n:]])
            reading = self.reading(moment.t, moment.x, m)
            acting = _acting(info, reading.conditions, moment.conditions)
            ending = self.check(reading, acting) or ending
            discrete, x = self._updates(moment, m, acting)
            rests = _equal(discrete, m[n:]) and _equal(x, moment.x) and not (values * self._pulses).any()
            was, forced, ticks = moment, {}, ()
            moment = self.moment(moment.t, x, np.concatenate([values, discrete]), reading)
            if rests:
                return replace(moment, ending=ending or self.check(reading))
        raise self._restless(was, moment)

    def _relations(self, moment: Moment, forced: Mapping[int, float], ticks: Collection[int]) -> Vector:
        """The relations in agreement with the equations, discrete variables held. Those forced begin with that value."""
        info, n = self.info, len(self.info.relations)
        if not n:
            return moment.m[:0]

        def look(values: Vector) -> Vector:
            m = np.concatenate([values, moment.m[n:]])
            given = Circumstances(moment.t, self.instants(m), self.same, ticks, moment.truths)
            return evaluate(info, self.reading(moment.t, moment.x, m), values, given)

        first = look(moment.m[:n])
        for k, value in forced.items():
            first[k] = value
        if np.array_equal(first, moment.m[:n]):
            return first
        try:
            return agree(look, first)
        except Contradiction as error:
            raise contradiction(info, error.changing) from error

    def instants(self, m: Vector) -> Vector:
        """(instant, sign of the slope) of the relations of time."""
        return self._model.instants(self._problem.values, m) if self.info.instants else np.zeros((0, 2))

    def _updates(self, moment: Moment, m: Vector, acting: Vector) -> tuple[Vector, Vector]:
        if not self.info.discrete and not acting.any():
            return m[len(m) :], moment.x
        n = len(self.info.discrete)
        u = self._problem.inputs.at(moment.t)
        e = self._model.updates(moment.t, moment.x, u, self._problem.values, m, acting)
        return e[:n], e[n:]

    def check(self, reading: Reading, acting: Vector | None = None) -> Assertion | None:
        """The assertion that ends the run well, if any; EventFailure for one that does not hold. Those of the branches that
        act or, without these, those that belong to none."""
        for assertion, value in zip(self.info.assertions, reading.assertions.tolist()):
            own = acting is None if assertion.branch < 0 else acting is not None and acting[assertion.branch] != 0.0
            if own and assertion.terminates and value != 0.0:
                return assertion
            if own and not assertion.terminates and value == 0.0:
                raise violated(assertion)
        return None

    def _leaning(self, before: Moment, moment: Moment, crossed: Mapping[int, float]) -> dict[int, float]:
        """The crossings at which the states are and that go on to the other side than that which is held."""
        info, t = self.info, moment.t
        if not info.crossings or not len(moment.x):
            return {}
        was, now = self._crossings(t, before.x, before.m), self._crossings(t, moment.x, moment.m)
        sides = self.reading(t, moment.x, moment.m).sides
        near = {
            k: j
            for j, k in enumerate(info.crossings)
            if info.relations[k].operator not in ("==", "<>")
            and (same_sides(*sides[k].tolist()) or (k in crossed and abs(now[j]) <= 2.0 * abs(was[j])))
        }
        slopes = self._slopes(moment, now) if near else now
        leaning = {}
        for k, j in near.items():
            noise = _SLOPE_NOISE * float(np.abs(sides[k]).max()) if same_sides(*sides[k].tolist()) else 0.0
            value = holds(info, k, float(slopes[j]))
            if abs(slopes[j]) > noise and value != moment.m[k]:
                leaning[k] = value
        return leaning

    def _slopes(self, moment: Moment, now: Vector) -> Vector:
        """What has the sign of the slope of each crossing, or of its bend where there is no slope."""
        t, x, problem = moment.t, moment.x, self._problem

        def rate(t: float, x: Vector) -> Vector:
            return self._model.derivatives(t, x, problem.inputs.at(t), problem.values, moment.m)

        dx = rate(t, x)
        h = _AHEAD * self._span
        slopes = self._crossings(t + h, x + h * dx, moment.m) - now
        if (slopes == 0.0).any():
            h = _FAR_AHEAD * self._span
            bends = self._crossings(t + h, x + h * rate(t + 0.5 * h, x + 0.5 * h * dx), moment.m) - now
            slopes = np.where(slopes == 0.0, bends, slopes)
        return slopes

    def _crossings(self, t: float, x: Vector, m: Vector) -> Vector:
        return self._model.crossings(t, x, self._problem.inputs.at(t), self._problem.values, m)

    def _restless(self, was: Moment, moment: Moment) -> EventFailure:
        info, n = self.info, len(self.info.relations)
        changing = np.flatnonzero(was.m != moment.m)
        details = [
            f"{info.discrete[k - n]} goes from {was.m[k]!r} to {moment.m[k]!r}" if k >= n else described(info, k)
            for k in changing.tolist()
        ]
        states = np.flatnonzero(was.x != moment.x).tolist()
        details += [f"{info.states[i]} goes from {float(was.x[i])!r} to {float(moment.x[i])!r}" for i in states]
        what = f"an event has not come to an end after {_PASSES} passes"
        return EventFailure(Outcome.EVENT_WITHOUT_END, what, details)


def described(info: ModelInfo, relation: int) -> str:
    """A relation in words: place, text and instance."""
    r = info.relations[relation]
    return f"{r.place}: {r.text}" + (f", in {r.instance}" if r.instance else "")


def contradiction(info: ModelInfo, changing: list[int]) -> EventFailure:
    """No values of these relations agree with the equations."""
    outcome = Outcome.RELATIONS_CONTRADICT
    return EventFailure(outcome, outcome.message, [described(info, k) for k in changing])


def violated(assertion: Assertion) -> EventFailure:
    """An assertion that does not hold."""
    details = [f"the assertion stands at {assertion.place}" + (f", in {assertion.instance}" if assertion.instance else "")]
    return EventFailure(Outcome.ASSERTION, f"an assertion does not hold: {assertion.text}", details)


def _acting(info: ModelInfo, conditions: Vector, before: Vector) -> Vector:
    """1 for each branch that acts: of each `when` the first whose condition has become true."""
    acting, first = np.zeros(len(conditions)), 0
    for size in info.whens:
        new = np.flatnonzero((conditions[first : first + size] != 0.0) & (before[first : first + size] == 0.0))
        if len(new):
            acting[first + new[0]] = 1.0
        first += size
    return acting


def _truths(info: ModelInfo, reading: Reading) -> Vector:
    return (reading.sides[:, 0] != 0.0).astype(float)


def _samples(info: ModelInfo, reading: Reading) -> Vector:
    return reading.sides[[k for k, relation in enumerate(info.relations) if relation.kind == "sample"]]


def _equal(a: Vector, b: Vector) -> bool:
    return np.array_equal(a, b, equal_nan=True)
