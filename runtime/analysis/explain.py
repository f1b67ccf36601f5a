"""Explains a failed run: the point of failure -> the equation that caused it. Integrates nothing, renders nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from cutset.contract.metadata import ModelInfo, Origin
from cutset.runtime.analysis.singular_point import Ahead, Point
from cutset.runtime.errors import ADVICE, Fault, RunError
from cutset.runtime.interface import CompiledModel, Values, Vector, shown_states
from cutset.runtime.outcome import Outcome
from cutset.runtime.solvers.consistent_point import ConsistentPoint
from cutset.runtime.solvers.solved_unknowns import integrated

# Replaces the advice to choose a method for stiff models.
_FOR_STIFF = (
    "check the equation of this state: it may oscillate or jump without end; or allow more steps with --max-steps (in "
    "Python max_steps), or loosen the tolerance"
)


_UNDEFINED = (Outcome.NOT_FINITE, Outcome.NOT_FINITE_AT_START)
_STUCK = (Outcome.STEP_TOO_SMALL, Outcome.TOO_MANY_STEPS, Outcome.NO_CONVERGENCE)
# How far ahead in time, relative to it, an unknown may lose its value; how large one is that goes to infinity, relative
# to its nominal value.
_AHEAD, _INFINITE = (0.0, 1e-13, 1e-11, 1e-9), 1e12
# How much one changes, relative to its size, over such a time before a pole, and before its equation has no solution.
_STEEP = 1e-2, 1e-6
# How far ahead a singular point explains the end of a run, in parts of the time; less far if it did not get stuck. By
# how much the derivatives grow up to a point that is singular for them.
_REACH, _FAST = (1e-4, 1e-9), 10.0
# A larger state goes to infinity itself.
_DIVERGED = 1e6
# By how much a variable grows over the last step up to a pole, at least.
_POLE = 100.0


@dataclass(frozen=True)
class Failure:
    """Where and why a run ended early.

    time, states  the last point that the run reached
    at, tried     the time and states at which the failing evaluation took place
    origin        the equation of the first unknown, in the order of evaluation, without a finite value there
    value         that value; None, as `origin`, if all values are finite
    fastest       the state that changes fastest relative to its size
    fault         a function of the model that had no value
    what, details an error found at an event, in words
    method        the name of the method in use
    openness      by how much a kinematic loop fails to close
    advice        what to change, instead of what the outcome advises in general
    lost          why a variable has lost its value at an event
    """

    outcome: Outcome
    time: float
    states: Mapping[str, float]
    at: float
    tried: Mapping[str, float]
    origin: Origin | None
    value: float | None
    fastest: str | None
    fault: Fault | None = None
    what: str = ""
    details: tuple[str, ...] = ()
    method: str = ""
    openness: tuple[str, ...] = ()
    advice: str = ""
    lost: Lost | None = None

    @property
    def is_unsolved(self) -> bool:
        """True if the iteration of a system of equations found no solution."""
        return self.fault is not None and self.fault.code == "E633"

    def error(self) -> RunError:
        """The failure as an exception, for callers that want no partial result."""
        if self.what and self.fault is None:
            return RunError(self.outcome.code, f"{self.what}, at time {self.at!r}", self.outcome.advice, self.details)
        notes = []
        if self.origin is not None:
            o = self.origin
            where = f"{o.place}: " if o.place else ""
            notes += [f"at time {self.at!r}, {o.variable} = {self.value} by the equation", f"{where}{o.equation}"]
            notes += [f"in {o.instance}"] if o.instance else []
        elif self.fastest is not None:
            notes.append(f"the fastest state at this time is {self.fastest}")
        notes += [f"{name} = {value!r}" for name, value in list(self.tried.items())[:12]]
        outcome, fault = self.outcome, self.fault
        if fault is not None:
            return RunError(
                fault.code,
                f"{fault.text}, at time {self.at!r}",
                ADVICE[fault.code],
                [*self.openness, *fault.notes, *notes],
            )
        if self.lost is not None:
            what, hint, more = self.lost
            return RunError(outcome.code, f"{what}, at time {self.time!r}", hint, [*notes, *more])
        advice = self.advice or _advice(outcome, self.method.lower())
        return RunError(outcome.code, f"{outcome.message}, at time {self.time!r}", advice, notes)


def _advice(outcome: Outcome, method: str) -> str:
    """The advice to take other methods than this one."""
    if outcome is Outcome.TOO_MANY_STEPS and any(name in method for name in ("bdf", "ida", "radau")):
        return _FOR_STIFF
    advice = outcome.advice
    for name in ("dopri5", "cvode-bdf", "radau"):
        if name in method:
            advice = advice.replace(f"{name} or ", "").replace(f" or {name}", "")
    return advice


def explain(
    model: CompiledModel,
    values: Values,
    outcome: Outcome,
    last: Point,
    tried: Point | None,
    before: Point | None = None,
) -> Failure:
    """Explain why a run ended at `last`; `tried` is a point just ahead at which the right-hand side was not finite,
    `before` the point before the event at `last`, if any."""
    at = tried or last
    model.fault()  # clear faults of earlier points
    y = model.variables(np.array([at.t]), at.x[None, :], at.u[None, :], values, at.modes[None, :])[0]
    fault = model.fault()
    states = model.info.states
    origin, value = _first_undefined(model.info, y)
    unsolved = _undefined_unknown(model, values, outcome, at) if model.info.n_algebraic else None
    if unsolved is not None:
        (at, origin, value), outcome = unsolved, Outcome.VARIABLE_NOT_FINITE
    elif outcome in _UNDEFINED and _rates_are_finite(model, values, at):
        if origin is None:
            origin, value = _undefined_guard(model.info, values)
        if origin is not None:
            outcome = Outcome.VARIABLE_NOT_FINITE
    if origin is None and tried is not None and outcome is Outcome.NOT_FINITE:
        origin, value = _grown(model, values, last, y)
    if origin is None and outcome in (Outcome.NOT_FINITE, *_STUCK) and not model.info.n_algebraic:
        from_ = at if _rates_are_finite(model, values, at) else last
        ahead = Ahead(model, values, from_).lost(_REACH[outcome is Outcome.TOO_MANY_STEPS])
        if ahead is not None:
            slow = _largest_rate(model, values, from_)
            at, origin, value = ahead[0], model.info.origins[ahead[1]], ahead[2]
            fault = model.fault()
            steep = not _largest_rate(model, values, at) <= _FAST * slow
            outcome = Outcome.NOT_FINITE if steep else Outcome.VARIABLE_NOT_FINITE
    lost = None
    if origin is not None and not model.info.n_algebraic and outcome in (*_UNDEFINED, Outcome.VARIABLE_NOT_FINITE):
        lost = lost_at_event(model, values, before, last, origin) if before is not None else None
        lost = lost or left_open(model.info, origin)
    states_are_finite = bool((np.abs(at.x) < _DIVERGED).all())
    if origin is None and outcome is Outcome.STEP_TOO_SMALL and states_are_finite and not model.info.n_algebraic:
        origin, value = _grown(model, values, last, y)  # so near to the pole that no number lies between
        outcome = outcome if origin is None else Outcome.NOT_FINITE
    return Failure(
        outcome=outcome,
        time=last.t,
        states=dict(zip(states, last.x.tolist(), strict=True)),
        at=at.t,
        tried=dict(zip(shown_states(model.info, at.modes), at.x.tolist(), strict=True)),
        origin=origin,
        value=value,
        fastest=_fastest(model, values, at),
        fault=fault if origin is not None else None,
        lost=lost,
    )


def _undefined_unknown(
    model: CompiledModel, values: Values, outcome: Outcome, at: Point
) -> tuple[Point, Origin, float] | None:
    """For a model in which no equation is solved: a point at `at` or just ahead where an unknown has no finite value,
    its equation and its value, if that ended the run."""
    whole, info = integrated(model), model.info
    first, end = len(info.states) - info.n_algebraic, len(info.states) - info.n_multipliers
    rates = whole.derivatives(at.t, at.x, at.u, values, at.modes)[:first]
    if outcome not in (*_UNDEFINED, *_STUCK) or not (np.isfinite(rates).all() and np.isfinite(at.x[:first]).all()):
        return None
    for h in (part * max(abs(at.t), _AHEAD[-1]) for part in _AHEAD):
        point = replace(at, t=at.t + h, x=np.concatenate([at.x[:first] + h * rates, at.x[first:]]))
        left = whole.derivatives(point.t, point.x, point.u, values, point.modes)[first:end]
        wrong = np.flatnonzero(~np.isfinite(left))
        if len(wrong):
            return point, info.residual_origins[wrong[0]], float(left[wrong[0]])
    sizes = np.abs(at.x[first:end]) / values.n[first:end]
    largest = int(np.argmax(sizes))
    if sizes[largest] > _INFINITE:
        return at, info.residual_origins[largest], float(at.x[first + largest])
    return _steep_unknown(model, values, at, rates) if outcome in _STUCK else None


def _steep_unknown(
    model: CompiledModel, values: Values, at: Point, rates: Vector
) -> tuple[Point, Origin, float] | None:
    """The unknown that changed most just before the end, if it changed so fast that it ends there: at a pole, or where
    its equation has no solution from there on."""
    info, point, held = model.info, ConsistentPoint(integrated(model)), (at.u, values, at.modes)
    first, end = len(info.states) - info.n_algebraic, len(info.states) - info.n_multipliers
    for h in (part * max(abs(at.t), _AHEAD[-1]) for part in _AHEAD[1:]):
        before, after = (
            point.near(at.t + way, np.concatenate([at.x[:first] + way * rates, at.x[first:]]), *held) for way in (-h, h)
        )
        change = np.nan_to_num(np.abs(at.x - before) / np.maximum(np.abs(at.x), values.n))[first:end]
        lost = not np.isfinite(after).all()
        if np.max(change, initial=0.0) > _STEEP[lost]:
            k = int(np.argmax(change))
            value = math.nan if lost else float(at.x[first + k])
            return (replace(at, t=at.t + h) if lost else at), info.residual_origins[k], value
    return None


def _first_undefined(info: ModelInfo, y: Vector) -> tuple[Origin | None, float | None]:
    """The equation of the first variable without a finite value, or of the first such side of a relation; and the
    value."""
    wrong = np.flatnonzero(~np.isfinite(y[: info.n_variables + 2 * len(info.relations)]))
    if not len(wrong):
        return None, None
    first = int(wrong[0])
    if first < info.n_variables:
        return info.origins[first], float(y[first])
    r = info.relations[(first - info.n_variables) // 2]
    return Origin(f"a side of {r.text}", r.text, r.place, r.instance), float(y[first])


def _grown(model: CompiledModel, values: Values, last: Point, y: Vector) -> tuple[Origin | None, float | None]:
    """The equation of the first variable that is large in comparison with the last point, and its value."""
    before = model.variables(np.array([last.t]), last.x[None, :], last.u[None, :], values, last.modes[None, :])[0]
    n = model.info.n_variables
    sizes = np.abs(y[:n])
    large = np.flatnonzero((sizes > _POLE * np.abs(before[:n])) & (sizes > 1.0 / _POLE) | (sizes > _INFINITE))
    return (model.info.origins[large[0]], float(y[large[0]])) if len(large) else (None, None)


def _undefined_guard(info: ModelInfo, values: Values) -> tuple[Origin | None, float | None]:
    """The first guarded value (besides the derivatives) that is not finite: a number in the equation of a variable, or
    a variable that only conditions use."""
    numbers = values.w[info.n_guesses : info.n_guesses + info.n_guards]
    for (variable, text), number in zip(info.guards, numbers.tolist(), strict=False):
        if not math.isfinite(number):
            user = info.origins[variable] if variable >= 0 else Origin("", text, "", "")
            return replace(user, variable=text), number
    return None, None


def _rates_are_finite(model: CompiledModel, values: Values, at: Point) -> bool:
    return bool(np.isfinite(model.derivatives(at.t, at.x, at.u, values, at.modes)).all())


def _largest_rate(model: CompiledModel, values: Values, at: Point) -> float:
    with np.errstate(all="ignore"):
        found = np.abs(model.derivatives(at.t, at.x, at.u, values, at.modes))
    model.fault()
    return float(np.max(found, initial=0.0))


def _fastest(model: CompiledModel, values: Values, at: Point) -> str | None:
    if not len(at.x):
        return None
    with np.errstate(all="ignore"):
        rate = np.abs(model.derivatives(at.t, at.x, at.u, values, at.modes)) / (np.abs(at.x) + 1e-6)
    # A derivative that is NaN counts as the fastest.
    return model.info.states[int(np.argmax(np.where(np.isnan(rate), np.inf, rate)))]


# --- lost at event --------------------------------------------------------------------------------

# An ideal switch that opens takes the current of an inductor its path; one that closes joins capacitors whose voltages
# differ. The equations of such a mode contradict each other or leave a variable open, and the one that has no value is
# named after the switch. What it depended on just before names the others.


# How much a value is changed to see what depends on it, and the limit on values that are tried and that are named.
_CHANGE, _MOST_TRIED, _MOST = 1e-3, 300, 4


class Lost(NamedTuple):
    """The message, the remedy, and notes."""

    what: str
    hint: str
    notes: tuple[str, ...]


def lost_at_event(model: CompiledModel, values: Values, before: Point, after: Point, origin: Origin) -> Lost | None:
    """Why the variable of this equation has no value after the event; None if that is not known."""
    info, number = model.info, next((k for k, o in enumerate(model.info.origins) if o is origin), None)
    if number is None or np.array_equal(before.modes, after.modes):
        return None
    kept, first = values.w.copy(), len(info.relations)

    def value(x: Vector, m: Vector) -> float:
        with np.errstate(all="ignore"):
            y = model.variables(np.array([after.t]), x[None, :], after.u[None, :], values, m[None, :])
        return float(y[0][number])

    try:
        was = value(before.x, before.modes)
        # A function that has no value for these states has one for others.
        if not np.isfinite(was) or any(np.isfinite(value(x, after.modes)) for x in _elsewhere(after.x)):
            return None
        states = [info.states[k] for k, x in _changed(before.x) if value(x, before.modes) != was]
        held = {k for k, m in _changed(before.modes, first) if value(before.x, m) != was}
    finally:
        values.w[:] = kept
        model.fault()
    held.update(np.flatnonzero(before.modes != after.modes).tolist())
    zero = [f"{info.discrete[k - first]} = 0" for k in sorted(held) if k >= first and after.modes[k] == 0.0]
    switched = [info.relations[k] for k in sorted(held) if k < first]
    notes = tuple(f"changed at this time: {r.text}  ({r.place}), in {r.instance}" for r in switched[:_MOST])
    return _explained(origin, [s for s in states if "$" not in s], [z for z in zero if "$" not in z], notes)


def left_open(info: ModelInfo, origin: Origin) -> Lost | None:
    """Why the variable of this equation has no value, if its equations leave it open in some modes."""
    if not any(f"'{origin.variable}'" in text for text in info.open_systems):
        return None
    who = origin.instance if origin.instance != info.name else "an element"
    what = f"'{origin.variable}' has no finite value: its equations contradict each other here"
    hint = (
        f"{who} is ideal and has no value here, as an amplifier without feedback or a clutch that locks at once: "
        "give it a finite gain, let it leak or slip a little, or choose another element"
    )
    return Lost(what, hint, ())


def _explained(origin: Origin, states: list[str], zero: list[str], notes: tuple[str, ...]) -> Lost | None:
    name, who = origin.variable, origin.instance
    if states:
        listed = ", ".join(f"'{s}'" for s in states[:_MOST]) + (" and others" if len(states) > _MOST else "")
        what = f"'{name}' has no value once {who} switches: before, it has followed from {listed}"
        hint = (
            "what switches cannot stop what a state prescribes, as the current of an inductor, nor join states that "
            f"differ, as charged capacitors: let {who} conduct a little (Goff) or resist a little (Ron), or give it "
            "another path, as a diode"
        )
        return Lost(what, hint, notes)
    if zero:
        what = f"'{name}' is not determined: {', '.join(zero[:_MOST])}"
        return Lost(what, f"let a little through, or write an equation that determines '{name}' in this case", notes)
    return None


def _elsewhere(x: Vector) -> list[Vector]:
    """Other states."""
    return [np.random.default_rng(k).uniform(-1.0, 1.0, len(x)) * 10.0**k for k in range(4)] if len(x) else []


def _changed(numbers: Vector, first: int = 0) -> list[tuple[int, Vector]]:
    """The numbers with one of them changed, for each from `first` on."""
    found = []
    for k in range(first, min(len(numbers), first + _MOST_TRIED)):
        other = numbers.copy()
        other[k] += _CHANGE * max(1.0, abs(other[k]))
        found.append((k, other))
    return found
