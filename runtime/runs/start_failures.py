"""Says why a run has no start: what C or `initialize` found -> RunError, EventFailure. Solves nothing."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from ctypes import c_double
from dataclasses import replace
from typing import Never

import numpy as np

from cutset.contract.metadata import ModelInfo, Slot, StartCheck
from cutset.runtime.analysis.explain import Failure
from cutset.runtime.errors import ADVICE, RunError
from cutset.runtime.events.event_failure import EventFailure
from cutset.runtime.given.given_starts import bound, differ, gives_all_states, place_in_run, start_determined
from cutset.runtime.given.inputs import InputFailure
from cutset.runtime.interface import CompiledModel, Values, Vector, shown_states
from cutset.runtime.outcome import Outcome
from cutset.runtime.runs.failures import contradictory_relations
from cutset.runtime.runs.run import Run
from cutset.runtime.targets.c_records import constant

_BAD_VALUES, _BAD_DELAY, _CONTRADICTION, _NO_END, _NOT_CONSTANT = map(
    constant, ("BAD_VALUES", "BAD_DELAY", "CONTRADICTION_AT_START", "NO_END_AT_START", "NOT_CONSTANT")
)
# Of a relation, as in c/events/agree.h.
_CHANGING = 1.0
_SIDES_DIFFER, _NOTHING = 1e-6, 1e-9
_OF_VALUE = re.compile(r"the start value of '(.*)'")


def refused(run: Run, parameters: Mapping[str, float], initial: Mapping[str, float]) -> RunError:
    """The error for the start that C has not found in this memory, with these values given."""
    try:
        raise_reason(run, parameters, initial)
    except RunError as error:
        return error
    except (EventFailure, InputFailure) as error:
        return error_at(run.model.info, error, run.events.now.t)


def error_at(info: ModelInfo, error: EventFailure | InputFailure, t: float) -> RunError:
    """The error for a failure of the start at this time."""
    none = dict.fromkeys(info.states, 0.0)
    if isinstance(error, InputFailure):
        return Failure(Outcome.INPUT_FAILED, t, none, error.time, none, None, None, None, None, error.what).error()
    return Failure(error.outcome, t, none, t, none, None, None, None, error.fault, error.what, error.details).error()


def raise_reason(run: Run, parameters: Mapping[str, float], initial: Mapping[str, float]) -> Never:
    """Raise RunError, EventFailure or InputFailure for the start that C has not found, with these values given; or what
    a function in Python has raised."""
    model, cause, events, part = run.model, run.start_data.cause, run.events, run.part
    info, n, m = model.info, len(model.info.states), part["now.m"]
    if run.errors:
        raise run.errors[0]
    if cause == _BAD_VALUES:
        bound(model, parameters, initial)
    if cause == _BAD_DELAY:
        _check_delays(info, part["delays"])
    if cause == _CONTRADICTION:
        kinds = _numbers(events.searched, 4 * len(info.relations))[3 * len(info.relations) :]
        raise contradictory_relations(
            info, np.flatnonzero(kinds == _CHANGING).tolist(), bool(run.start_data.is_singular)
        )
    if cause == _NO_END:
        found = _numbers(events.updated, len(info.discrete))
        raise without_end(info, run.start_data.passes, np.flatnonzero(found != m[len(info.relations) :]).tolist())
    if cause == _NOT_CONSTANT:
        raise not_constant(info, _numbers(events.constant, len(info.delays)))
    values = _values(run)
    check_states(model, values, initial, part["begins"][:n], m)
    check_conditions(info, initial, part["begins"][n:])
    check_written(model, values, initial, part["u"], events.now.t, part["begins"][:n], m)
    raise AssertionError("C has found no start, and the rules of Python see nothing wrong")


def _values(run: Run) -> Values:
    return replace(run.values, w=run.values.w.copy(), controllers=run.controllers)


def _check_delays(info: ModelInfo, delays: Vector) -> None:
    for name, delay in zip(info.delays, delays.tolist(), strict=True):
        if not 0.0 < delay < math.inf:
            raise RunError("E645", f"{name}: the delay is {delay!r}", "give a time greater than 0")


def _numbers(place: int, n: int) -> Vector:
    return np.array((c_double * n).from_address(place))


def without_end(info: ModelInfo, passes: int, changing: Sequence[int]) -> EventFailure:
    """The failure for discrete variables, by number, that keep changing."""
    what = f"initialization does not converge after {passes} passes"
    return EventFailure(Outcome.EVENT_WITHOUT_END, what, [f"{info.discrete[k]} keeps changing" for k in changing])


def not_constant(info: ModelInfo, values: Vector) -> EventFailure:
    """The failure for delayed quantities that cannot be constant before the start."""
    names = [f"{name} = {value!r}" for name, value in zip(info.delays, values.tolist(), strict=False)]
    what = "no start values were found for which the delayed quantities are constant"
    return EventFailure(Outcome.NO_START, what, names[:12])


def check_conditions(info: ModelInfo, initial: Mapping[str, float], left: Vector) -> None:
    """RunError if a condition that follows from others is violated."""
    for condition, rest, size in zip(info.start_conditions, left[0::2].tolist(), left[1::2].tolist(), strict=False):
        if abs(rest) <= _SIDES_DIFFER * size + _NOTHING:
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


def check_written(
    model: CompiledModel, values: Values, initial: Mapping[str, float], u: Vector, t: float, x: Vector, m: Vector
) -> None:
    """RunError if a variable does not start at the value that the model or the run gives, because other start values
    contradict it. If the run gives all states, a value that only the model gives to another variable is not used:
    see `not_used`."""
    info = model.info
    if not (info.start_checks or info.given_starts):
        return
    y = model.variables(np.array([t]), x[None, :], u[None, :], values, m[None, :])[0]
    first, arrays = len(info.states) + len(info.discrete), {"x": x, "y": y, "m": m, "p": values.p, "u": u}
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
    _check_given(info, initial, arrays)


def check_given(run: Run, initial: Mapping[str, float]) -> None:
    """RunError if a variable whose start value the run gives does not start there."""
    if not any(name in run.model.info.given_starts for name in initial):
        return
    model, part = run.model, run.part
    if run.has_rows:
        times, x, m, guesses, _ = run.rows()
    else:  # only the start is known
        times, x, m = np.array([run.events.now.t]), part["now.x"][None, :], part["now.m"][None, :]
        guesses = part["w"][None, : model.info.n_guesses]
    values, u = _values(run), run.inputs.at(float(times[0]))
    y = model.variables(times[:1], x[:1], u[None, :], values, m[:1], guesses[:1])[0]
    _check_given(model.info, initial, {"x": x[0], "y": y, "m": m[0], "p": values.p, "u": u})


def _check_given(info: ModelInfo, initial: Mapping[str, float], arrays: Mapping[str, Vector]) -> None:
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


def check_states(model: CompiledModel, values: Values, initial: Mapping[str, float], x: Vector, m: Vector) -> None:
    """EventFailure or RunError if the states x have no values, or are not those that the run gives."""
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
        if abs(given - solved) > _SIDES_DIFFER * max(abs(given), abs(solved)):
            values_of_both = f"the given value is {slot.sign * given!r}, the solution is {slot.sign * solved!r}"
            raise start_determined(name, [values_of_both])
