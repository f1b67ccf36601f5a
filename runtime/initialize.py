"""Initializes a run: start values -> the first EventState, solving the initial system together with the relations.

A condition that is true at the start has not become true, so no branch acts here. Steps nothing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from cutset.contract.metadata import ModelInfo, Slot, StartCheck
from cutset.runtime.consistency import Evaluate
from cutset.runtime.errors import ADVICE, RunError
from cutset.runtime.event_state import EventFailure, EventState
from cutset.runtime.events import Events, agreeing
from cutset.runtime.given_starts import differ, gives_all_states, place_in_run, start_determined
from cutset.runtime.initial_system import Searched, begun
from cutset.runtime.inputs import Inputs
from cutset.runtime.interface import CompiledModel, Values, Vector, shown_states
from cutset.runtime.outcome import Outcome
from cutset.runtime.relations import EventIndicators, RelationContext, same
from cutset.runtime.solvers.method import Problem
from cutset.runtime.start_choice import nearest_start
from cutset.runtime.time_event_queue import TimeEventQueue

_ROUNDS = 100
# The limit on evaluations of relations, over all rounds: if each round searches among combinations, a few rounds are
# conclusive.
_MOST_LOOKS = 5000
_CONTRADICTION = 1e-6
_NOTHING = 1e-9
_OF_VALUE = re.compile(r"the start value of '(.*)'")


def initialize(events: Events, problem: Problem, t: float, initial: Mapping[str, float]) -> EventState:
    """The state at the start of the run. RunError if a start value in `initial` is not that of the solution,
    EventFailure if there is no solution."""
    info, n = events.info, len(events.info.relations)
    model, values, u = problem.model, problem.values, problem.inputs.at(t)
    m, before, looks, searched = _undecided(info, values), set[bytes](), 0, Searched()
    begins = x = np.zeros(0)
    for passes in range(1, _ROUNDS + 1):
        m, more = _relations(events, problem, t, m, searched)
        looks += more
        begins = begun(model, t, u, values, m, searched)
        x = begins[: len(info.states)]
        if not len(info.discrete):
            break
        discrete = model.updates(t, x, u, values, m, np.zeros(info.n_flags))[: len(info.discrete)]
        if np.array_equal(discrete, m[n:], equal_nan=True):
            break
        changing = [info.discrete[k] for k in np.flatnonzero(discrete != m[n:])]
        if passes == _ROUNDS or looks > _MOST_LOOKS or m.tobytes() in before:  # the combinations repeat
            what = f"initialization does not converge after {passes} passes"
            raise EventFailure(Outcome.EVENT_WITHOUT_END, what, [f"{name} keeps changing" for name in changing])
        before.add(m.tobytes())
        m = np.concatenate([m[:n], discrete])
    _check(model, values, initial, x, m)
    _check_conditions(info, initial, begins[len(info.states) :])
    state = events.state(t, x, m, events.indicators(t, x, m))
    _check_written(model, values, initial, u, state)
    return state


def starting(model: CompiledModel, values: Values, t: float, u: Vector) -> EventState:
    """The state at the start of a run with constant inputs."""
    problem = _problem(model, values, u)
    return starting_at(problem, t, {})


def starting_at(problem: Problem, t: float, initial: Mapping[str, float]) -> EventState:
    """The state at the start of a run of this problem."""
    return initialize(events_at(problem, t), problem, t, initial)


def events_at(problem: Problem, t: float) -> Events:
    """The events of a run of no length: instants are equal up to the rounding of a run of 1 s."""
    return Events(problem, TimeEventQueue(np.array([t])).same, 1.0)


def held_at(model: CompiledModel, values: Values, t: float, x: Vector, u: Vector) -> Vector:
    """The held values at a point that no run has reached: relations that agree with it, discrete variables at their
    start values."""
    problem = _problem(model, values, u)
    events = events_at(problem, t)
    n, m = len(model.info.relations), _undecided(model.info, values)

    def indicators(relations: Vector) -> EventIndicators:
        return events.indicators(t, x, np.concatenate([relations, m[n:]]))

    return _agreeing(events, t, m, indicators)


def _undecided(info: ModelInfo, values: Values) -> Vector:
    """The held values before anything is known: all relations false, discrete variables at their start values."""
    first = len(info.states)
    return np.concatenate([np.zeros(len(info.relations)), values.s[first : first + len(info.discrete)]])


def _problem(model: CompiledModel, values: Values, u: Vector) -> Problem:
    return Problem(model, values, Inputs(u, {}), 1e-6, 1e-8 * values.n, 1)


def _relations(events: Events, problem: Problem, t: float, m: Vector, searched: Searched) -> tuple[Vector, int]:
    """m with relations that agree with the initial system and discrete variables held; and the number of
    evaluations."""
    looks = 0

    def indicators(relations: Vector) -> EventIndicators:
        nonlocal looks
        looks += 1
        held = np.concatenate([relations, m[len(relations) :]])
        x = begun(problem.model, t, problem.inputs.at(t), problem.values, held, searched)[: len(events.info.states)]
        if searched.is_over:
            _check(problem.model, problem.values, {}, x, held)
        return events.indicators(t, x, held)

    def solution(relations: Vector) -> Vector:
        held, u = np.concatenate([relations, m[len(relations) :]]), problem.inputs.at(t)
        x = begun(problem.model, t, u, problem.values, held, searched)[: len(events.info.states)]
        (y,) = problem.model.variables(np.array([t]), x[None, :], u[None, :], problem.values, held[None, :])
        return np.asarray(y)

    found, n = _agreeing(events, t, m, indicators, is_start=True), len(events.info.relations)
    evaluate = _evaluating(events, t, m, indicators, is_start=True)
    nearest = nearest_start(events.info, problem.values, found[:n], evaluate, solution)
    return np.concatenate([nearest, found[n:]]), looks


def _evaluating(
    events: Events, t: float, m: Vector, indicators: Callable[[Vector], EventIndicators], is_start: bool
) -> Evaluate:
    """The function that computes relations from `indicators`, regardless of their earlier values. Relations of time
    that change at the start of a run have not changed yet."""
    n, timed = len(events.info.relations), list(events.info.timed)

    def evaluate(relations: Vector) -> Vector:
        instants, found = events.time_events(t, np.concatenate([relations, m[n:]])), indicators(relations)
        if is_start and timed:
            change = same(found.sides)[timed]
            instants = np.where(change[:, None], (t, math.nan), instants)
        context = RelationContext(t, instants, events.same, keeps=False)
        return events.relations.values(found, relations, context)

    return evaluate


def _agreeing(
    events: Events, t: float, m: Vector, indicators: Callable[[Vector], EventIndicators], is_start: bool = False
) -> Vector:
    """m with relations that agree with `indicators`, regardless of their earlier values."""
    info, n = events.info, len(events.info.relations)
    if not n:
        return m

    evaluate = _evaluating(events, t, m, indicators, is_start)
    return np.concatenate([agreeing(info, evaluate, indicators, m[:n]), m[n:]])


def _check_conditions(info: ModelInfo, initial: Mapping[str, float], left: Vector) -> None:
    """RunError if a condition that follows from others is violated."""
    for condition, rest, size in zip(info.start_conditions, left[0::2].tolist(), left[1::2].tolist(), strict=False):
        if abs(rest) <= _CONTRADICTION * size + _NOTHING:
            continue
        places = [
            f"{text} {_stands(info, initial, text, place)}"
            for text, place in ((condition.text, condition.place), *condition.others)
        ]
        raise RunError(
            "E644",
            f"{condition.text} contradicts {_in_words([text for text, _ in condition.others])}",
            "remove one of them, or give values that agree",
            [f"if the others hold, its sides differ by {abs(rest):.6g}", *places],
        )


def _stands(info: ModelInfo, initial: Mapping[str, float], text: str, place: str) -> str:
    """The place of a condition, for messages."""
    of_value = _OF_VALUE.fullmatch(text)
    found = place_in_run(info, initial, of_value[1], place) if of_value else place
    return f"is at {place}" if found == place else f"is {found}"


def _check_written(
    model: CompiledModel, values: Values, initial: Mapping[str, float], u: Vector, at: EventState
) -> None:
    """RunError if a variable does not start at the value that the model or the run gives, because other start values
    contradict it. If the run gives all states, a value that only the model gives to another variable is not used:
    see `not_used`."""
    info = model.info
    if not (info.start_checks or info.given_starts):
        return
    y = model.variables(np.array([at.t]), at.x[None, :], u[None, :], values, at.m[None, :])[0]
    first, arrays = len(info.states) + len(info.discrete), {"x": at.x, "y": y, "m": at.m, "p": values.p, "u": u}
    is_complete = gives_all_states(info, initial)
    for k, (check, written) in enumerate(zip(info.start_checks, values.s[first:].tolist(), strict=False), start=first):
        found = _found(info.names[check.variable], arrays)
        if not differ(found, written):
            continue
        if is_complete and check.variable not in initial and written == model.bind({}).s[k]:
            continue
        places = [
            f"'{name}' has a start value ({place_in_run(info, initial, name, place)})" for name, place in check.others
        ]
        own = place_in_run(info, initial, check.variable, check.place)
        raise RunError(
            "E644",
            f"the start value of '{check.variable}' contradicts {_those_of(check)}",
            f"remove {'one of them' if check.others else 'it'}, or give values that agree",
            [
                f"the start value of '{check.variable}' is {written:.12g} ({own})",
                f"the {'other start values' if check.others else 'equations'} give {found + 0.0:.12g}",
                *places,
                *(f"'{text}' is at {place}" for text, place in check.equations),
            ],
        )

    for name in info.given_starts:
        found = _found(info.names[name], arrays)
        if name in initial and differ(found, initial[name]):
            raise start_determined(name, [f"the given value is {initial[name]!r}, the solution is {found!r}"])


def _found(slot: Slot, arrays: Mapping[str, Vector]) -> float:
    return slot.sign * float(arrays[slot.array][slot.index])


def _those_of(check: StartCheck) -> str:
    names = [f"'{name}'" for name, _ in check.others]
    if not names:
        return _in_words([f"'{text}'" for text, _ in check.equations])
    return f"{'that' if len(names) == 1 else 'those'} of {_in_words(names)}"


def _in_words(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0] if names else "the equations"


def _check(model: CompiledModel, values: Values, initial: Mapping[str, float], x: Vector, m: Vector) -> None:
    info, fault = model.info, model.fault()
    names = shown_states(info, m)
    wrong = [f"{names[i]} = {x[i]}" for i in np.flatnonzero(~np.isfinite(x)).tolist()]
    if wrong and fault is not None:
        found = [] if fault.code == "E633" else wrong[:5]  # everything that depends on an unsolved system is undefined
        raise RunError(fault.code, f"{fault.text}, at the start", ADVICE[fault.code], [*fault.notes, *found])
    if wrong:
        raise EventFailure(Outcome.NO_START, Outcome.NO_START.message, wrong[:12])
    for name in initial:
        slot = info.names[name]
        if slot.array != "x":
            continue
        given, solved = float(values.s[slot.index]), float(x[slot.index])
        if abs(given - solved) > _CONTRADICTION * max(abs(given), abs(solved)):
            values_of_both = f"the given value is {slot.sign * given!r}, the solution is {slot.sign * solved!r}"
            raise start_determined(name, [values_of_both])
