"""Makes the messages of events that fail: facts, or the record in which C notes them -> an `EventFailure`."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cutset.contract.metadata import Assertion, ModelInfo
from cutset.runtime.events.event_failure import EventFailure, described
from cutset.runtime.given.inputs import InputFailure
from cutset.runtime.interface import CompiledModel, Vector
from cutset.runtime.outcome import Outcome
from cutset.runtime.targets.c_records import FailureData, constant

# How segments fail, by the names in driver.h.
_OUTCOMES = {
    constant(outcome.name): outcome
    for outcome in (Outcome.STEP_TOO_SMALL, Outcome.TOO_MANY_STEPS, Outcome.NOT_FINITE, Outcome.NO_CONVERGENCE)
}
# The limit on other names of a motion in a message.
_MOST_NAMES = 4
_SINGULAR = "with the values that they would all take, the equations are singular; a part may float"


def contradictory_relations(info: ModelInfo, changing: Collection[int], is_singular: bool) -> EventFailure:
    """No values of relations agree with the equations; these kept changing. The equations are singular, or not, with
    those that are implied at first."""
    details = [described(info, k) for k in changing] + [_SINGULAR] * is_singular
    outcome = Outcome.RELATIONS_CONTRADICT
    return EventFailure(outcome, outcome.message, details)


def cycling_relations(info: ModelInfo, changing: Collection[int]) -> EventFailure:
    """These relations change in passes that repeat, at their crossing."""
    text = info.relations[min(changing)].text
    what = f"the relation {text} changes without end at one instant"
    return EventFailure(Outcome.CHATTERING, what, [described(info, k) for k in changing])


def endless_passes(info: ModelInfo, passes: int, m: tuple[Vector, Vector], x: tuple[Vector, Vector]) -> EventFailure:
    """After so many passes the last one still changes held values and states, which are given before and after it."""
    n, (m_before, m_after), (x_before, x_after) = len(info.relations), m, x
    changing = np.flatnonzero(m_before != m_after)
    details = [
        f"{info.discrete[k - n]} changes from {float(m_before[k])!r} to {float(m_after[k])!r}"
        if k >= n
        else described(info, k)
        for k in changing.tolist()
    ]
    states = np.flatnonzero(x_before != x_after).tolist()
    details += [f"{info.states[i]} changes from {float(x_before[i])!r} to {float(x_after[i])!r}" for i in states]
    what = f"event iteration does not converge after {passes} passes"
    return EventFailure(Outcome.EVENT_WITHOUT_END, what, details)


def violated(assertion: Assertion) -> EventFailure:
    """An assertion does not hold."""
    where = assertion.place + (f", in {assertion.instance}" if assertion.instance else "")
    if assertion.of_preference:
        return EventFailure(Outcome.PREFERENCE_SINGULAR, assertion.text, [f"a constraint relates them at {where}"])
    details = [f"the assertion is at {where}"]
    return EventFailure(Outcome.ASSERTION, f"an assertion failed: {assertion.text}", details)


def conflicting_restarts(info: ModelInfo, numbers: tuple[int, int], values: tuple[float, float]) -> EventFailure:
    """Two branches that act give one variable different values."""
    both = [info.competing_restarts[k] for k in numbers]
    what = f"two 'init' give '{both[0].variable}' different values at one instant"
    details = [f"{r.place}: {value!r}, in {r.instance}" for r, value in zip(both, values, strict=True)]
    return EventFailure(Outcome.TWO_RESTARTS, what, details)


def jumping_motion(info: ModelInfo, number: int, was: float, now: float) -> EventFailure:
    """The prescribed position of this number in `ModelInfo.continuous` jumps."""
    index = info.continuous[number]
    origin = info.origins[index]
    names = [name for name, slot in info.names.items() if slot.array == "y" and slot.index == index]
    others = [name for name in names if name != origin.variable][:_MOST_NAMES]
    what = f"the prescribed motion '{origin.variable}' jumps from {was:.6g} to {now:.6g}"
    details = [f"prescribed by: {origin.equation}  ({origin.place}), in {origin.instance}"] if origin.place else []
    return EventFailure(Outcome.MOTION_JUMPS, what, details + ([f"other names: {', '.join(others)}"] if others else []))


def jumping_constraint(info: ModelInfo, number: int, is_firm: bool) -> EventFailure:
    """A constraint jumps that must not (it `is_firm`), or that the states cannot follow."""
    jump = info.jumps[number]
    why = "its second derivative belongs to the model" if is_firm else "the states cannot follow it"
    where = f"{jump.place}: {jump.text}, in {jump.instance}"
    return EventFailure(Outcome.MOTION_JUMPS, f"a constraint jumps, and {why}", [where])


def jumping_input(info: ModelInfo, number: int) -> EventFailure:
    """An input jumps that the states cannot follow."""
    what = f"the input '{info.inputs[number]}' jumps, and the states cannot follow it"
    return EventFailure(Outcome.MOTION_JUMPS, what)


def invalid_sample(text: str, first: float, interval: float, span: float) -> EventFailure:
    """The sample that the text describes has no first instant, or no valid interval in a run of this length."""
    what = f"the interval of a sample is {interval!r}"
    if math.isnan(first):
        what = "the first instant of a sample is not a number"
    elif 0.0 < interval < math.inf:
        what = f"the interval of a sample is {interval!r}, too short for a run of {span!r} s"
    return EventFailure(Outcome.BAD_SAMPLE, what, [text])


def chattering_relation(
    info: ModelInfo, relation: int, count: int, times: tuple[float, float], is_faster: bool
) -> EventFailure:
    """A relation has crossed so often between these times, at ever shorter intervals or not."""
    (since, t), text = times, info.relations[relation].text
    what = f"the relation {text} crossed {count} times within {t - since:.3g} s"
    if is_faster:
        what = f"the relation {text} crosses at ever shorter intervals: {count} times within {t - since:.3g} s"
    return EventFailure(Outcome.CHATTERING, what, [described(info, relation), f"from time {since!r} to {t!r}"])


def inaccurate_crossing(info: ModelInfo, relation: int) -> EventFailure:
    """The integration cannot tell whether a relation holds."""
    what = f"the integration is not accurate enough to decide whether {info.relations[relation].text}"
    return EventFailure(Outcome.CHATTERING, what, [described(info, relation)])


def no_sensitivity(info: ModelInfo, relation: int, kind: int) -> EventFailure:
    """The variables after an event have no derivative by a parameter: its relation only touches its crossing (0),
    others change there, too, and move otherwise (1), or a constraint jumps (2)."""
    text = "a constraint" if kind == 2 else info.relations[relation].text
    why = (
        "only touches its crossing at this event",
        "changes at the same instant as another relation, which a parameter moves otherwise",
        "jumps at this event, which sensitivities do not follow",
    )[kind]
    details = [f"by: {', '.join(info.sensitivities)}"]
    return EventFailure(Outcome.NO_SENSITIVITY, f"there is no derivative by a parameter: {text} {why}", details)


class FailedSegment(NamedTuple):
    """How an integration has failed; the latest point without values; whether a branch of solutions ended; and the
    number of the message of the system that was not solved beyond it, 0 if there was another solution."""

    outcome: Outcome
    bad: tuple[float, Vector] | None
    is_lost: bool
    unsolved: int


# Why a run has failed: at an event, in a segment, in a function of an input, or as the derivatives have no values.
Reason = EventFailure | FailedSegment | InputFailure | None


def reason(model: CompiledModel, record: FailureData, span: float) -> Reason:
    """Why a run of this length has failed, as the record tells."""
    if record.cause == constant("FAILED_INTEGRATION"):
        bad = None if math.isnan(record.was) else (record.was, _numbers(record.x_after, len(model.info.states)))
        return FailedSegment(_OUTCOMES[record.number], bad, record.count != 0, record.other if record.count else 0)
    make = next((make for name, make in _OF_CAUSES.items() if constant(name) == record.cause), None)
    return None if make is None else make(model, record, span)  # none for rates without values


def _changing(info: ModelInfo, record: FailureData) -> list[int]:
    flags: list[int] = np.flatnonzero(_numbers(record.changing, len(info.relations), ctypes.c_long)).tolist()
    return flags


def _numbers(at: int, count: int, kind: Any = ctypes.c_double) -> NDArray[Any]:
    return np.array((kind * count).from_address(at)) if count else np.zeros(0)


def _endless(model: CompiledModel, record: FailureData, _: float) -> EventFailure:
    info, n = model.info, len(model.info.states)
    m = _numbers(record.m_before, info.n_modes), _numbers(record.m_after, info.n_modes)
    return endless_passes(info, record.number, m, (_numbers(record.x_before, n), _numbers(record.x_after, n)))


def _sample(model: CompiledModel, record: FailureData, span: float) -> EventFailure:
    samples = [k for k, relation in enumerate(model.info.relations) if relation.kind == "sample"]
    return invalid_sample(described(model.info, samples[record.number]), record.was, record.now, span)


def _chattering(model: CompiledModel, record: FailureData, _: float) -> EventFailure:
    times = record.was, record.now
    return chattering_relation(model.info, record.number, record.count, times, record.other != 0)


_OF_CAUSES: Mapping[str, Callable[[CompiledModel, FailureData, float], EventFailure]] = {
    "CONTRADICTORY_RELATIONS": lambda model, record, _: contradictory_relations(
        model.info, _changing(model.info, record), record.count != 0
    ),
    "CYCLING_RELATIONS": lambda model, record, _: cycling_relations(model.info, _changing(model.info, record)),
    "ENDLESS_PASSES": _endless,
    "VIOLATED_ASSERTION": lambda model, record, _: violated(model.info.assertions[record.number]),
    "FAULTY_FUNCTION": lambda model, record, _: EventFailure(
        Outcome.FUNCTION_FAILED, Outcome.FUNCTION_FAILED.message, fault=model.fault()
    ),
    "CONFLICTING_RESTARTS": lambda model, record, _: conflicting_restarts(
        model.info, (record.number, record.other), (record.was, record.now)
    ),
    "JUMPING_MOTION": lambda model, record, _: jumping_motion(model.info, record.number, record.was, record.now),
    "JUMPING_CONSTRAINT": lambda model, record, _: jumping_constraint(model.info, record.number, record.count != 0),
    "JUMPING_INPUT": lambda model, record, _: jumping_input(model.info, record.number),
    "INVALID_SAMPLE": _sample,
    "CHATTERING_RELATION": _chattering,
    "NO_SENSITIVITY": lambda model, record, _: no_sensitivity(model.info, record.number, record.other),
    "INACCURATE_CROSSING": lambda model, record, _: inaccurate_crossing(model.info, record.number),
}
