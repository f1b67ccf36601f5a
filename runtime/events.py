"""Settles an event: the state just before it -> the state just after it, at one instant. Integrates nothing.

An event is processed in passes. In each pass the relations are made consistent with the equations while the discrete
variables are held; then the branches whose conditions have become true act, and assign discrete variables and states.
The event ends with a pass that changes nothing.

Near a crossing, rounding and the error of the integrator decide the sign of a difference. Two rules keep relations from
following these errors:

at crossing  The states are where the sides of a relation meet. The relation has the value of the side to which the
             states move, as long as its sides differ by at most a small distance (`AtCrossing`).
hysteresis   Relations contradict each other, or do not converge, by differences that these errors explain. Each of
             them keeps its value until the difference exceeds a width, one for each value (`Hysteresis`). A width that
             is too small grows tenfold, up to what the errors explain.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from cutset.contract.metadata import Assertion, ModelInfo
from cutset.runtime.consistency import Contradiction, Evaluate, agree
from cutset.runtime.crossings import CROSSING, SLOPE_NOISE, Crossings
from cutset.runtime.event_state import EventFailure, EventState
from cutset.runtime.failures import (
    contradictory_relations,
    cycling_relations,
    endless_passes,
    faulty_function,
    rival_values,
    violated,
)
from cutset.runtime.interface import Vector
from cutset.runtime.isolation import relations_of_time
from cutset.runtime.jumps import Before, Jumps
from cutset.runtime.outcome import Outcome
from cutset.runtime.relations import (
    AtCrossing,
    EventIndicators,
    Hysteresis,
    RelationContext,
    Relations,
    event_indicators,
    has_values,
    holds,
    same,
)
from cutset.runtime.rivals import contradiction
from cutset.runtime.rounds import Rounds
from cutset.runtime.solvers.method import Problem

_PASSES = 100
# The first width of a hysteresis, relative to the largest.
_FIRST_WIDTH = 1e-9
# What widens a hysteresis at least.
_GROWS = 1.5
# The limit on passes in which discrete variables follow held relations.
_FOLLOWING = 10
# An accurate integrator locates a crossing within this fraction of the run.
_LOCATED = 1e-11
_NO_EVENTS = np.zeros((0, 2))


class Events:
    """Settles the events of one run. `same` tells whether two instants are equal; `span` is the length of the run in
    s. `of_time` are the relations of time that are located in advance, if there are any; `past` tells of each assertion
    whether it has ended the run before, which this one continues, and still holds."""

    def __init__(self, problem: Problem, same: Callable[[float, float], bool], span: float):
        self._problem, self._model, self.info = problem, problem.model, problem.model.info
        self.same, self._span = same, span or 1.0
        self.crossings = Crossings(problem, self._span)
        self.of_time = relations_of_time(problem.model, problem.values, self._span)
        self._rounds, self.jumps = Rounds(self.info), Jumps(problem)
        self._before: Before | None = None  # from where constraints jump, within an event
        self.relations, self.past = Relations(self.info), np.zeros(len(self.info.assertions), dtype="l")
        kinds = [relation.kind for relation in self.info.relations]
        self._samples = np.array([k for k, kind in enumerate(kinds) if kind == "sample"], dtype=int)
        self._crossing = np.array(self.info.crossings, dtype=int)
        self._places = {k: j for j, k in enumerate(self.info.crossings)}
        self._latest: tuple[tuple[float, bytes, bytes], EventIndicators] = (
            (math.nan, b"", b""),
            event_indicators(self.info, np.zeros(self.info.n_results)),
        )
        self._asked: tuple[tuple[float, bytes], Vector] = (math.nan, b""), _NO_EVENTS
        self._arrived = np.zeros(0, int)  # of `timed`: those at their instant whose sides are equal there
        self._pulses = np.array([k for k, kind in enumerate(kinds) if kind in ("sample", "edge")], dtype=int)

    def settle(
        self,
        before: EventState,
        crossed: Mapping[int, float] | None = None,
        samples_due: Collection[int] = (),
        arrived: Sequence[int] = (),
    ) -> EventState:
        """The state after the event. `crossed` holds the values of relations that crossed, `samples_due` the samples
        that are due, `arrived` the numbers in `ModelInfo.timed` of relations that change now. EventFailure if the
        iteration does not converge, or if an assertion is violated.

        A crossing at which the states do not change is checked again in the direction in which they continue: a ball
        that has bounced is above the floor again.
        """
        before, crossed, early = replace(before, acted=False), crossed or {}, set[int]()
        pairs = [i for i in arrived if self.info.relations[self.info.timed[i]].opposite >= 0]
        while True:
            first = self._before = self.jumps.before(before.t, before.x, before.m)
            self._arrived = np.array(pairs, int)
            try:
                state = self._settled(before, crossed, samples_due, early)
                if self._before is first:  # otherwise the model restarts states
                    self.jumps.check(first, state.m)
                self.jumps.forget_steps()
                self._before = None
                return state
            except EventFailure as failure:
                # The error of the integrator may have caused the contradiction. Or the crossing was located early: then
                # a diode that is about to conduct has a current that is further from zero than its voltage is, by its
                # conductance; it has not crossed yet.
                hysteresis = self.hysteresis(before, failure.relations)
                is_early = failure.outcome is Outcome.RELATIONS_CONTRADICT and not early.issuperset(failure.relations)
                if not hysteresis and not is_early:
                    self._before = None
                    raise
                left = hysteresis or failure.relations
                early.update(() if hysteresis else failure.relations)
                self._problem.call_again(before.t)
            before = replace(before, hysteresis={**before.hysteresis, **hysteresis})
            crossed = {k: value for k, value in crossed.items() if k not in left}

    def hysteresis(self, state: EventState, relations: Collection[int]) -> Hysteresis:
        """A wider hysteresis for those of the relations whose sides differ, with either value, by no more than the
        errors explain; empty if it has its largest width already."""
        wider: dict[int, Mapping[float, float]] = {}
        for k in relations:
            if k not in self._places:
                continue
            j = self._places[k]
            flipped = state.m.copy()
            flipped[k] = 1.0 - flipped[k]
            own, grows = dict(state.hysteresis.get(k, {})), False
            for m in (state.m, self._following(state, flipped)):
                if m is None:
                    break
                x = self._moved(state.x, m)
                most = 4.0 * self.rounding(replace(state, x=x, m=m))
                most += self.crossings.uncertainty(state.t, x, m, j)
                size = abs(float(self.crossings.at(state.t, x, m)[j]))
                if not size <= most:
                    break
                was = own.get(float(m[k]), 0.0)
                own[float(m[k])] = min(max(10.0 * was, 8.0 * size, _FIRST_WIDTH * most), most)
                grows |= own[float(m[k])] > _GROWS * was  # not just because the states have grown
            else:
                if grows:
                    wider[k] = own
        return wider

    def noise(self, state: EventState) -> Vector:
        """The noise of each crossing at this state, see `Crossings.noise`."""
        return self.crossings.noise(state.t, state.x, state.m)

    def _settled(
        self, before: EventState, crossed: Mapping[int, float], samples_due: Collection[int], early: Collection[int]
    ) -> EventState:
        """As `settle`; the relations `early` have not crossed."""
        at_crossing = {
            k: here for k, here in before.at_crossing.items() if k not in crossed and before.m[k] == here.value
        }
        if crossed:
            at_crossing |= self.crossings.met(before, crossed, self.rounding(before), self.noise(before))
        state, turned = self._passes(replace(before, at_crossing=at_crossing), samples_due), set(early)
        while True:
            found = self._leaning(state)
            at_crossing = {k: here for k, here in found.items() if k not in turned}
            leaning = {k for k, here in at_crossing.items() if here.value != state.m[k]}
            state = replace(state, at_crossing={**state.at_crossing, **at_crossing})
            if not leaning and not len(self._arrived):
                return state
            turned, self._arrived = turned | leaning, np.zeros(0, int)
            state = self._passes(state, ())

    def without_errors(self, state: EventState, crossed: Mapping[int, int]) -> EventState | None:
        """The state with some crossed relations back at their crossing: those that return to their old side, or that
        have not left the crossing and do not continue. There the integration error crossed, not the solution. None if
        there are none."""
        now = self.crossings.at(state.t, state.x, state.m)
        slopes = self._slopes(state, now, bends=False)
        reach = _LOCATED * max(abs(state.t), self._span)
        at_crossing = {}
        for j, k in enumerate(self.info.crossings):
            slope, size = float(slopes[j]), abs(float(now[j]))
            here = state.at_crossing.get(k)
            distance = 0.0 if here is None else here.distance
            near = size <= reach * abs(slope) + SLOPE_NOISE * state.scales[j] + distance
            back = slope * crossed.get(k, 0) < 0.0 or (
                slope == 0.0 and here is not None and abs(crossed.get(k, 0)) == 2
            )
            if back and near:
                at_crossing[k] = AtCrossing(float(state.m[k]), 2.0 * size)
        return replace(state, at_crossing={**state.at_crossing, **at_crossing}) if at_crossing else None

    def _slopes(self, state: EventState, now: Vector, bends: bool) -> Vector:
        rest = self.crossings.rest(self.rounding(state))
        return self.crossings.slopes(state.t, state.x, state.m, now, state.scales, rest, bends)

    def indicators(self, t: float, x: Vector, m: Vector) -> EventIndicators:
        """The event indicators at this point."""
        info = self.info
        if info.n_results == info.n_variables:  # the model has no events
            return event_indicators(info, np.zeros(info.n_results))
        # Passes evaluate the same point repeatedly.
        inputs = self._problem.inputs
        delayed = b"" if inputs.history is None else inputs.history.at(t).tobytes()
        point = t, x.tobytes(), m.tobytes() + inputs.window.tobytes() + delayed
        if point != self._latest[0]:
            u = inputs.at(t)
            y = self._model.variables(np.array([t]), x[None, :], u[None, :], self._problem.values, m[None, :])[0]
            self._latest = point, event_indicators(info, y)
        return self._latest[1]

    def state(self, t: float, x: Vector, m: Vector, indicators: EventIndicators) -> EventState:
        """The state with these indicators."""
        return EventState(t, x, m, *self._seen(indicators))

    def _seen(self, indicators: EventIndicators) -> tuple[Vector, Vector, Vector, Vector]:
        """The conditions, truths, samples and scales of an `EventState`."""
        sides = indicators.sides
        scales = self.crossings.scales(np.abs(sides[self._crossing]))
        return indicators.conditions, (sides[:, 0] != 0.0).astype(float), sides[self._samples], scales

    def _passes(self, before: EventState, samples_due: Collection[int]) -> EventState:
        info, n = self.info, len(self.info.relations)
        state, was, ending = before, before, before.ending
        seen: set[bytes] | None = set()
        for _ in range(_PASSES):
            m = self._modes(state, samples_due)
            state = replace(state, x=self._moved(state.x, m))
            indicators = self.indicators(state.t, state.x, m)
            acting, in_round = self._rounds.first(_acting(info, indicators.conditions, state.conditions))
            acts = bool(acting.any())
            ending = self.check(indicators, acting) or ending
            discrete, x = self._updates(state, m, acting)
            if in_round:
                discrete, x = self._rounds.settled(discrete, m[n:]), state.x
            # The unknowns that are not integrated follow from the others; each time they differ by rounding.
            first = len(x) - info.n_algebraic
            stays = _equal(x[:first], state.x[:first])
            rests = stays and _equal(discrete, m[n:]) and not m[:n][self._pulses].any()
            if not stays:
                self._before = self.jumps.restarted(state.t, x, m, discrete)
            if rests:
                ending = ending or self.check(indicators)
            was, samples_due = state, ()
            at_crossing = state.at_crossing
            if acts and not _equal(x[:first], state.x[:first]):  # equal sides that part by a jump
                at_crossing = {k: c for k, c in at_crossing.items() if info.relations[k].opposite < 0}
            told = ending, at_crossing, before.hysteresis, was.acted or acts
            seen_now = self._seen(indicators)
            if in_round:
                seen_now = self._rounds.conditions(indicators.conditions, was), was.truths, was.samples, was.scales
            state = EventState(state.t, x, np.concatenate([m[:n], discrete]), *seen_now, *told)
            if rests:
                return state
            if acts:
                seen = set()
            elif seen is not None and state.m.tobytes() in seen:
                # The passes repeat.
                seen, state = None, self._out_of_the_cycle(was, state)
            elif seen is not None:
                seen.add(state.m.tobytes())
        raise endless_passes(self.info, _PASSES, (was.m, state.m), (was.x, state.x))

    def _moved(self, x: Vector, m: Vector) -> Vector:
        """The states x after the jumps of constraints to these held values."""
        return x if self._before is None else self.jumps.after(self._before, m)

    def _modes(self, state: EventState, samples_due: Collection[int]) -> Vector:
        """The held values with relations consistent with the equations. Discrete variables are held unless no relations
        are consistent then."""
        n = len(self.info.relations)
        if not n:
            return state.m

        def indicators(values: Vector) -> EventIndicators:
            m = np.concatenate([values, state.m[n:]])
            return self.indicators(state.t, self._moved(state.x, m), m)

        def evaluate(at_crossing: Mapping[int, AtCrossing], values: Vector) -> Vector:
            return self._say(state, np.concatenate([values, state.m[n:]]), samples_due, at_crossing)

        # At its crossing a relation may have either value; if rounding contradicts both it takes the coming one.
        most = self.rounding(state)
        firm = {k: AtCrossing(here.value, most) for k, here in state.at_crossing.items()}
        held, failure = state.m[:n].copy(), None
        held[self._samples] = [k in samples_due for k in self._samples]  # this is known beforehand
        for at_crossing in (state.at_crossing, firm) if firm else (state.at_crossing,):
            try:
                values = agreeing(self.info, partial(evaluate, at_crossing), indicators, held)
            except EventFailure as error:
                failure = error
            else:
                return np.concatenate([values, state.m[n:]])
        m = self._together(state, samples_due)
        if m is None:
            assert failure is not None
            raise failure
        return m

    def _out_of_the_cycle(self, was: EventState, state: EventState) -> EventState:
        """A consistent state, after passes have repeated. EventFailure if relations change in the cycle and none is
        consistent."""
        n = len(self.info.relations)
        other = self._together(state)
        if other is not None:
            return replace(state, m=other)
        changing = np.flatnonzero(was.m[:n] != state.m[:n]).tolist()
        if not changing:
            return state
        if self._meet(was, changing) and self._meet(state, changing):
            raise cycling_relations(self.info, changing)
        raise contradictory_relations(self.info, changing, False)

    def _meet(self, state: EventState, relations: Sequence[int]) -> bool:
        """True if the state is at the crossing of one of these relations, which change in a cycle: then every event
        leads to the next one, as where x slides along a whole number with floor(x)."""
        now = self.crossings.at(state.t, state.x, state.m)
        most = self.rounding(state)
        return any(k in self._places and abs(now[self._places[k]]) <= most for k in relations)

    def _following(self, state: EventState, m: Vector) -> Vector | None:
        """m with the discrete variables that follow from its relations, no branch acting; None if they do not
        converge."""
        none, n = np.zeros(sum(self.info.whens)), len(self.info.relations)
        for _ in range(_FOLLOWING):
            discrete = self._updates(replace(state, x=self._moved(state.x, m)), m, none)[0]
            if np.array_equal(discrete, m[n:]):
                return m
            m = np.concatenate([m[:n], discrete])
        return None

    def _say(
        self, state: EventState, m: Vector, samples_due: Collection[int], at_crossing: Mapping[int, AtCrossing]
    ) -> Vector:
        """The relations that the equations imply for the held values m."""
        instants = self.time_events(state.t, m)
        if len(self._arrived):
            instants = instants.copy()
            instants[self._arrived, 1] = math.nan
        context = RelationContext(
            state.t, instants, self.same, samples_due, state.truths, at_crossing, state.hysteresis
        )
        indicators = self.indicators(state.t, self._moved(state.x, m), m)
        return self.relations.values(indicators, m[: len(self.info.relations)], context)

    def _together(self, state: EventState, samples_due: Collection[int] = ()) -> Vector | None:
        """Held values with relations consistent with the discrete variables that follow from them, no branch acting;
        None if there are none."""
        n = len(self.info.relations)
        if not n:
            return None
        at_crossing = {k: here for k, here in state.at_crossing.items() if k not in state.hysteresis}

        def following(values: Vector) -> Vector | None:
            return self._following(state, np.concatenate([values, state.m[n:]]))

        def evaluate(values: Vector) -> Vector:
            m = following(values)
            return 1.0 - values if m is None else self._say(state, m, samples_due, at_crossing)

        try:
            return following(agree(evaluate, state.m[:n]))
        except Contradiction:
            return None

    def rounding(self, state: EventState) -> float:
        """The possible difference of the sides of a relation at its crossing."""
        return CROSSING * self.magnitude(state)

    def magnitude(self, state: EventState) -> float:
        """The largest number of the model."""
        magnitude = self.indicators(state.t, state.x, state.m).magnitude
        return max(magnitude, float(np.abs(state.x).max(initial=0.0)))

    def time_events(self, t: float, m: Vector) -> Vector:
        """(instant, sign of the slope) of the relations of `ModelInfo.timed`, as seen from t."""
        if not self.info.time_events and self.of_time is None:
            return _NO_EVENTS
        # Passes ask repeatedly.
        asked = t, m.tobytes()
        if asked != self._asked[0]:
            known = self._model.time_events(self._problem.values, m) if self.info.time_events else _NO_EVENTS
            if self.of_time is not None:
                known = np.concatenate([known, self.of_time.time_events(t, m)])
            self._asked = asked, known
        return self._asked[1]

    def _updates(self, state: EventState, m: Vector, acting: Vector) -> tuple[Vector, Vector]:
        if not self.info.discrete and not acting.any() and not self.info.n_algebraic:
            return m[len(m) :], state.x
        n, u = len(self.info.discrete), self._problem.inputs.at(state.t)
        self._model.fault()  # clear faults of earlier points
        flags = np.concatenate([acting, np.zeros(self.info.n_before)])
        e = self._model.updates(state.t, state.x, u, self._problem.values, m, flags)
        rest = n + len(state.x)
        if np.isnan(e[:rest]).any() and (fault := self._model.fault()) is not None:
            raise faulty_function(fault)
        wrong = contradiction(self.info, acting, e[rest:]) if self.info.rivals else None
        if wrong is not None:
            raise rival_values(self.info, *wrong)
        return e[:n], e[n:rest]

    def check(self, indicators: EventIndicators, acting: Vector | None = None) -> Assertion | None:
        """The assertion that ends the run successfully, if any; EventFailure for a violated one. Checks the assertions
        of the acting branches or, without these, those outside of all branches, except for those that are `past`."""
        self.past[(indicators.assertions == 0.0) & (acting is None)] = 0
        values = np.where(self.past, math.nan, indicators.assertions).tolist()
        for assertion, value in zip(self.info.assertions, values, strict=False):
            own = acting is None if assertion.branch < 0 else acting is not None and acting[assertion.branch] != 0.0
            if own and assertion.terminates and abs(value) > 0.0:  # nor nan
                return assertion
            if own and not assertion.terminates and value == 0.0:
                raise violated(assertion)
        return None

    def _leaning(self, state: EventState) -> dict[int, AtCrossing]:
        """The crossings at which the states are, and from which they move to the side opposite to the held value."""
        info, t = self.info, state.t
        if not info.crossings:
            return {}
        now = self.crossings.at(t, state.x, state.m)
        alike = same(self.indicators(t, state.x, state.m).sides)[self._crossing]
        at = alike.copy()
        for k, here in state.at_crossing.items():
            at[self._places[k]] |= abs(now[self._places[k]]) <= here.distance
        near = {info.crossings[j]: j for j in np.flatnonzero(at).tolist() if info.crossings[j] not in state.hysteresis}
        slopes, leaning = self._slopes(state, now, bends=True) if near else now, {}
        # If the sides jump, the relation has left its crossing at once, however close they are.
        reach = _LOCATED * max(abs(t), self._span) * np.abs(slopes) + SLOPE_NOISE * state.scales
        for k, j in near.items():
            value = holds(info, k, float(slopes[j]))
            if slopes[j] != 0.0 and (alike[j] or abs(now[j]) <= reach[j]) and value != state.m[k]:
                leaning[k] = AtCrossing(value, 2.0 * abs(float(now[j])))
            other = info.relations[k].opposite
            if slopes[j] == 0.0 and other >= 0 and not state.m[k] and not state.m[other]:  # the sides stay equal
                was = state.at_crossing.get(k, AtCrossing(0.0, 0.0)).distance
                leaning[k] = AtCrossing(0.0, max(was, self.crossings.rest(self.rounding(state))[j]))
        return leaning


def agreeing(
    info: ModelInfo, evaluate: Evaluate, indicators: Callable[[Vector], EventIndicators], held: Vector
) -> Vector:
    """Relations consistent with the equations, near to `held`; `indicators` evaluates the model for given relations.
    EventFailure if there are none. If the equations have no values for `held`, any relations are returned: that error
    has its own message."""
    first = evaluate(held)
    if np.array_equal(first, held):
        return first
    try:
        return agree(evaluate, first)
    except Contradiction as error:
        if not has_values(indicators(held)):
            return first
        raise contradictory_relations(info, error.changing, not has_values(indicators(first))) from error


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
    return a is b or np.array_equal(a, b) or np.array_equal(a, b, equal_nan=True)
