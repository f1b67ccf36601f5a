"""The state just before an event in, the state just after it out: one instant, settled. Integrates nothing.

An event goes in passes. In each the relations are brought into agreement with the equations while the discrete
variables are held; then the branches act whose conditions have become true, and give discrete variables and states new
values. It is over when a pass changes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from cutset.contract.metadata import Assertion, ModelInfo
from cutset.runtime.consistency import Contradiction, Look, agree
from cutset.runtime.crossings import SLOPE_NOISE, Crossings
from cutset.runtime.interface import Vector
from cutset.runtime.outcome import Outcome
from cutset.runtime.relations import Circumstances, Pins, Reading, Slacks, evaluate, has_values, holds, read, same
from cutset.runtime.rivals import contradiction
from cutset.runtime.solvers.method import Problem
from cutset.runtime.time_events import TimeEvents

_PASSES = 100
# What relations at their crossing are allowed at first, as part of the most that they are.
_SLACK = 1e-9
# Passes in which discrete variables follow relations that are held.
_FOLLOWING = 10
# An integrator that is right meets a crossing within this part of the run.
_LOCATED = 1e-11
# Sides of a relation at its crossing, as part of the largest number of the model.
_CROSSING = 1e-9


class EventFailure(Exception):
    """An event went wrong: how the run ends, what happened, and further facts, one a line; and the relations that have
    not come to rest, where it is for these."""

    def __init__(self, outcome: Outcome, what: str, details: Collection[str] = (), relations: Collection[int] = ()):
        self.outcome, self.what, self.details, self.relations = outcome, what, tuple(details), tuple(relations)
        super().__init__(what)


@dataclass(frozen=True, eq=False)
class Moment:
    """An instant of the run: the states and what is held; the conditions of the branches, and for each relation of kind
    'edge' whether it is true, as the latest pass has left them; (first, interval) of each sample, and the size of
    the sides of each crossing. `ending` is the
    assertion by which the model has ended the run. `pins` are the relations at their crossing, see `Circumstances`.
    `slacks` has for relations by how much they may be on the other side of their crossing, for each value. `acted`
    tells whether a branch has acted in the event."""

    t: float
    x: Vector
    m: Vector
    conditions: Vector
    truths: Vector
    samples: Vector
    scales: Vector
    ending: Assertion | None = None
    pins: Pins = field(default_factory=dict)
    slacks: Slacks = field(default_factory=dict)
    acted: bool = False


class Events:
    """The events of one run. `same` tells whether two instants are one; `span` is the length of the run, in s."""

    def __init__(self, problem: Problem, same: Callable[[float, float], bool], span: float):
        self._problem, self._model, self.info = problem, problem.model, problem.model.info
        self.same, self._span = same, span or 1.0
        self._crossings = Crossings(problem, self._span)
        self._of_time = TimeEvents(self.info, problem.values, same, self._span) if self.info.isolated else None
        places = self.info.places_of_relations
        self._samples = np.asarray(places["sample"])
        self._crossing = np.array(self.info.crossings, dtype=int)
        self._places = {k: j for j, k in enumerate(self.info.crossings)}
        self._latest: tuple[tuple[float, bytes, bytes], Reading] = (
            (math.nan, b"", b""),
            read(self.info, np.zeros(self.info.n_results)),
        )
        self._pulses = np.concatenate([places["sample"], places["edge"]])

    def settle(self, before: Moment, crossed: Mapping[int, float] | None = None, ticks: Collection[int] = ()) -> Moment:
        """The moment after the event. `crossed` has the values that relations take by crossing, `ticks` are the samples
        that tick. EventFailure where it does not come to rest, or an assertion does not hold.

        A crossing at which the states stay is looked at once more in the direction in which they go on: a ball that
        has bounced is above the floor again."""
        before, crossed = replace(before, acted=False), crossed or {}
        while True:
            try:
                return self._settled(before, crossed, ticks)
            except EventFailure as failure:
                # The error of the integrator may have made them contradict each other.
                slacks = self.slacks(before, failure.relations)
                if not slacks:
                    raise
            before = replace(before, slacks={**before.slacks, **slacks})
            crossed = {k: value for k, value in crossed.items() if k not in slacks}

    def slacks(self, moment: Moment, relations: Collection[int]) -> Slacks:
        """Those of the relations whose sides differ by no more than rounding and the integrator may make of it,
        whichever value they have, and what is allowed for each value: ten times what it was, or what it takes."""
        slacks: dict[int, Mapping[float, float]] = {}
        for k in relations:
            if k not in self._places:
                continue
            j = self._places[k]
            flipped = moment.m.copy()
            flipped[k] = 1.0 - flipped[k]
            own, grows = dict(moment.slacks.get(k, {})), False
            for m in (moment.m, self._following(moment, flipped)):
                most = (
                    0.0
                    if m is None
                    else 4.0 * self._rounding(replace(moment, m=m))
                    + self._crossings.uncertainty(moment.t, moment.x, m, j)
                )
                size = math.inf if m is None else abs(float(self._crossings.at(moment.t, moment.x, m)[j]))
                if not size <= most:
                    break
                was = own.get(float(m[k]), 0.0)
                own[float(m[k])] = min(max(10.0 * was, 8.0 * size, _SLACK * most), most)
                grows |= own[float(m[k])] > was
            else:
                if grows:
                    slacks[k] = own
        return slacks

    def _settled(self, before: Moment, crossed: Mapping[int, float], ticks: Collection[int]) -> Moment:
        pins = {k: pin for k, pin in before.pins.items() if k not in crossed and before.m[k] == pin[0]}
        if self.info.crossings:
            was = np.abs(self._crossings.at(before.t, before.x, before.m))
            most = self._rounding(before)
            pins |= {k: (value, min(2.0 * float(was[self._places[k]]), most)) for k, value in crossed.items()}
        moment, turned = self._passes(replace(before, pins=pins), ticks), set[int]()
        while True:
            leaning = {k: pin for k, pin in self._leaning(moment).items() if k not in turned}
            if not leaning:
                return moment
            turned |= leaning.keys()
            moment = self._passes(replace(moment, pins={**moment.pins, **leaning}), ())

    def without_errors(self, moment: Moment, crossed: Mapping[int, int]) -> Moment | None:
        """The moment with pins for those of the crossed relations that go back to where they come from, or have not
        left their crossing and do not go on: there the error of the integrator has crossed, not the solution. None
        where there are none."""
        now = self._crossings.at(moment.t, moment.x, moment.m)
        slopes = self._crossings.slopes(moment.t, moment.x, moment.m, now, moment.scales, bends=False)
        reach = _LOCATED * max(abs(moment.t), self._span)
        pins = {}
        for j, k in enumerate(self.info.crossings):
            slope, size = float(slopes[j]), abs(float(now[j]))
            near = size <= reach * abs(slope) + SLOPE_NOISE * moment.scales[j] + moment.pins.get(k, (0.0, 0.0))[1]
            back = slope * crossed.get(k, 0) < 0.0 or (
                slope == 0.0 and k in moment.pins and abs(crossed.get(k, 0)) == 2
            )
            if back and near:
                pins[k] = float(moment.m[k]), 2.0 * size
        return replace(moment, pins={**moment.pins, **pins}) if pins else None

    def reading(self, t: float, x: Vector, m: Vector) -> Reading:
        """What the model says there."""
        info = self.info
        if info.n_results == info.n_variables:  # nothing of events
            return read(info, np.zeros(info.n_results))
        # Passes ask again and again for the point that they have just looked at.
        point = t, x.tobytes(), m.tobytes()
        if point != self._latest[0]:
            u = self._problem.inputs.at(t)
            y = self._model.variables(np.array([t]), x[None, :], u[None, :], self._problem.values, m[None, :])[0]
            self._latest = point, read(info, y)
        return self._latest[1]

    def moment(self, t: float, x: Vector, m: Vector, reading: Reading) -> Moment:
        """The moment at which the model says this."""
        truths = (reading.sides[:, 0] != 0.0).astype(float)
        samples = reading.sides[self._samples]
        scales = np.abs(reading.sides[self._crossing]).max(axis=1, initial=0.0)
        return Moment(t, x, m, reading.conditions, truths, samples, scales)

    def _passes(self, before: Moment, ticks: Collection[int]) -> Moment:
        info, n = self.info, len(self.info.relations)
        moment, ending = before, before.ending
        seen: set[bytes] | None = set()
        for _ in range(_PASSES):
            m = self._modes(moment, ticks)
            reading = self.reading(moment.t, moment.x, m)
            acting = _acting(info, reading.conditions, moment.conditions)
            ending = self.check(reading, acting) or ending
            discrete, x = self._updates(moment, m, acting)
            rests = _equal(discrete, m[n:]) and _equal(x, moment.x) and not m[:n][self._pulses].any()
            was, ticks = moment, ()
            moment = self.moment(moment.t, x, np.concatenate([m[:n], discrete]), reading)
            acted = was.acted or bool(acting.any())
            moment = replace(moment, pins=before.pins, slacks=before.slacks, ending=ending, acted=acted)
            if rests:
                return replace(moment, ending=ending or self.check(reading))
            if acting.any():
                seen = set()
            elif seen is not None and moment.m.tobytes() in seen:
                # Round in a circle.
                seen, moment = None, self._out_of_the_circle(was, moment)
            elif seen is not None:
                seen.add(moment.m.tobytes())
        raise self._restless(was, moment)

    def _modes(self, moment: Moment, ticks: Collection[int]) -> Vector:
        """What is held with the relations in agreement with the equations. Discrete variables are held, but where no
        relations agree then."""
        n = len(self.info.relations)
        if not n:
            return moment.m

        def reading(values: Vector) -> Reading:
            return self.reading(moment.t, moment.x, np.concatenate([values, moment.m[n:]]))

        def look(pins: Pins, values: Vector) -> Vector:
            return self._say(moment, np.concatenate([values, moment.m[n:]]), ticks, pins)

        # At its crossing a relation has either value; where rounding contradicts both it has that which is coming.
        most = self._rounding(moment)
        firm = {k: (value, most) for k, (value, _) in moment.pins.items()}
        for pins in (moment.pins, firm) if firm else (moment.pins,):
            try:
                values = agreeing(self.info, partial(look, pins), reading, moment.m[:n])
            except EventFailure as error:
                failure = error
            else:
                return np.concatenate([values, moment.m[n:]])
        m = self._together(moment, ticks)
        if m is None:
            raise failure
        return m

    def _out_of_the_circle(self, was: Moment, moment: Moment) -> Moment:
        """The moment with what agrees, where passes come again that have been before. EventFailure where relations
        change in them and nothing agrees."""
        n = len(self.info.relations)
        other = self._together(moment)
        if other is not None:
            return replace(moment, m=other)
        changing = np.flatnonzero(was.m[:n] != moment.m[:n]).tolist()
        if not changing:
            return moment
        outcome = Outcome.RELATIONS_CONTRADICT
        raise EventFailure(outcome, outcome.message, [described(self.info, k) for k in changing], changing)

    def _following(self, moment: Moment, m: Vector) -> Vector | None:
        """m with the discrete variables that follow from its relations, no branch acting; None where they do not come
        to rest."""
        none, n = np.zeros(sum(self.info.whens)), len(self.info.relations)
        for _ in range(_FOLLOWING):
            discrete = self._updates(moment, m, none)[0]
            if np.array_equal(discrete, m[n:]):
                return m
            m = np.concatenate([m[:n], discrete])
        return None

    def _say(self, moment: Moment, m: Vector, ticks: Collection[int], pins: Pins) -> Vector:
        """What the equations say of the relations where m is held."""
        given = Circumstances(
            moment.t, self.instants(moment.t, m), self.same, ticks, moment.truths, pins, moment.slacks
        )
        reading = self.reading(moment.t, moment.x, m)
        return evaluate(self.info, reading, m[: len(self.info.relations)], given)

    def _together(self, moment: Moment, ticks: Collection[int] = ()) -> Vector | None:
        """What is held where relations agree together with the discrete variables that follow from them, no branch
        acting; None where nothing is."""
        n = len(self.info.relations)
        if not n:
            return None
        pins = {k: pin for k, pin in moment.pins.items() if k not in moment.slacks}

        def following(values: Vector) -> Vector | None:
            return self._following(moment, np.concatenate([values, moment.m[n:]]))

        def look(values: Vector) -> Vector:
            m = following(values)
            return 1.0 - values if m is None else self._say(moment, m, ticks, pins)

        try:
            return following(agree(look, moment.m[:n]))
        except Contradiction:
            return None

    def _rounding(self, moment: Moment) -> float:
        """What may part the sides of a relation at its crossing."""
        magnitude = self.reading(moment.t, moment.x, moment.m).magnitude
        return _CROSSING * max(magnitude, float(np.abs(moment.x).max(initial=0.0)))

    def instants(self, t: float, m: Vector) -> Vector:
        """(instant, sign of the slope) of the relations of `ModelInfo.timed`, as seen from t."""
        known = self._model.instants(self._problem.values, m) if self.info.instants else np.zeros((0, 2))
        return known if self._of_time is None else np.concatenate([known, self._of_time.instants(t, m)])

    def _updates(self, moment: Moment, m: Vector, acting: Vector) -> tuple[Vector, Vector]:
        if not self.info.discrete and not acting.any():
            return m[len(m) :], moment.x
        n = len(self.info.discrete)
        u = self._problem.inputs.at(moment.t)
        e = self._model.updates(moment.t, moment.x, u, self._problem.values, m, acting)
        rest = n + len(moment.x)
        wrong = contradiction(self.info, acting, e[rest:]) if len(e) > rest else None
        if wrong is not None:
            raise EventFailure(Outcome.TWO_RESTARTS, *wrong)
        return e[:n], e[n:rest]

    def check(self, reading: Reading, acting: Vector | None = None) -> Assertion | None:
        """The assertion that ends the run well, if any; EventFailure for one that does not hold. Those of the branches
        that act or, without these, those that belong to none."""
        for assertion, value in zip(self.info.assertions, reading.assertions.tolist(), strict=False):
            own = acting is None if assertion.branch < 0 else acting is not None and acting[assertion.branch] != 0.0
            if own and assertion.terminates and value != 0.0:
                return assertion
            if own and not assertion.terminates and value == 0.0:
                raise violated(assertion)
        return None

    def _leaning(self, moment: Moment) -> dict[int, tuple[float, float]]:
        """The crossings at which the states are and that go on to the other side than that which is held, as pins."""
        info, t = self.info, moment.t
        if not info.crossings or not len(moment.x):
            return {}
        now = self._crossings.at(t, moment.x, moment.m)
        alike = same(self.reading(t, moment.x, moment.m).sides)[self._crossing]
        at = alike.copy()
        for k, (_, most) in moment.pins.items():
            at[self._places[k]] |= abs(now[self._places[k]]) <= most
        near = {
            info.crossings[j]: j
            for j in np.flatnonzero(at).tolist()
            if info.relations[info.crossings[j]].operator not in ("==", "<>") and info.crossings[j] not in moment.slacks
        }
        slopes = self._crossings.slopes(t, moment.x, moment.m, now, moment.scales, bends=True) if near else now
        leaning = {}
        # Where the sides jump the relation has left its crossing at once, however near they are.
        reach = _LOCATED * max(abs(t), self._span) * np.abs(slopes) + SLOPE_NOISE * moment.scales
        for k, j in near.items():
            value = holds(info, k, float(slopes[j]))
            if slopes[j] != 0.0 and (alike[j] or abs(now[j]) <= reach[j]) and value != moment.m[k]:
                leaning[k] = value, 2.0 * abs(float(now[j]))
        return leaning

    def _restless(self, was: Moment, moment: Moment) -> EventFailure:
        info, n = self.info, len(self.info.relations)
        changing = np.flatnonzero(was.m != moment.m)
        details = [
            f"{info.discrete[k - n]} goes from {float(was.m[k])!r} to {float(moment.m[k])!r}"
            if k >= n
            else described(info, k)
            for k in changing.tolist()
        ]
        states = np.flatnonzero(was.x != moment.x).tolist()
        details += [f"{info.states[i]} goes from {float(was.x[i])!r} to {float(moment.x[i])!r}" for i in states]
        what = f"an event has not come to an end after {_PASSES} passes"
        return EventFailure(Outcome.EVENT_WITHOUT_END, what, details, changing[changing < n].tolist())


def described(info: ModelInfo, relation: int) -> str:
    """A relation in words: place, text and instance."""
    r = info.relations[relation]
    return f"{r.place}: {r.text}" + (f", in {r.instance}" if r.instance else "")


def agreeing(info: ModelInfo, look: Look, reading: Callable[[Vector], Reading], held: Vector) -> Vector:
    """Relations that agree with the equations, where `held` are those so far and `reading` what the model says with
    some. Where none do EventFailure, but any where the equations have no values so far: that ends the run with a
    message of its own."""
    first = look(held)
    if np.array_equal(first, held):
        return first
    try:
        return agree(look, first)
    except Contradiction as error:
        if not has_values(reading(held)):
            return first
        outcome, details = Outcome.RELATIONS_CONTRADICT, [described(info, k) for k in error.changing]
        if not has_values(reading(first)):
            details.append(
                "with the values that they would take together the equations are singular: a part that floats, say"
            )
        raise EventFailure(outcome, outcome.message, details, error.changing) from error


def violated(assertion: Assertion) -> EventFailure:
    """An assertion that does not hold."""
    where = assertion.place + (f", in {assertion.instance}" if assertion.instance else "")
    if assertion.of_wish:
        return EventFailure(Outcome.WISH_SINGULAR, assertion.text, [f"they are bound to each other at {where}"])
    details = [f"the assertion stands at {where}"]
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


def _equal(a: Vector, b: Vector) -> bool:
    return np.array_equal(a, b, equal_nan=True)
