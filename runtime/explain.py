"""The point at which a run failed in, the equation that is to blame out. Integrates nothing, renders nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from cutset.contract.metadata import ModelInfo, Origin
from cutset.runtime.errors import ADVICE, RunError
from cutset.runtime.interface import CompiledModel, Fault, Values, Vector, shown_states
from cutset.runtime.outcome import Outcome

# In the place of the advice to take a method for stiff models.
_FOR_STIFF = (
    "look at the equation of that state: something in it may oscillate or jump without end; or allow more steps with "
    "--max-steps "
    "(in Python max_steps), or loosen the tolerance"
)


_UNDEFINED = (Outcome.NOT_FINITE, Outcome.NOT_FINITE_AT_START)


@dataclass(frozen=True)
class Failure:
    """Where and why a run ended early. `time` and `states` are the last that were reached; `at` and `tried` the point
    that was evaluated for `origin`: the equation of the first unknown, in the order of evaluation, without a finite
    value there (None: all have one), and that `value`. `fastest` is the state that moves fastest for its size; `fault`
    says that a function of the model had no value. What an event finds wrong is told by `what` and `details`.
    `stiff_method` says that the method in use is one for stiff models, `openness` how far a loop stays open."""

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
    stiff_method: bool = False
    openness: tuple[str, ...] = ()

    @property
    def is_unsolved(self) -> bool:
        """Has the iteration of a system of equations found no solution?"""
        return self.fault is not None and self.fault.code == "E633"

    def error(self) -> RunError:
        """The failure as an error, for those who want no partial result."""
        if self.what:
            return RunError(self.outcome.code, f"{self.what}, at time {self.time!r}", self.outcome.advice, self.details)
        notes = []
        if self.origin is not None:
            o = self.origin
            where = f"{o.place}: " if o.place else ""
            notes += [f"at time {self.at!r}, {o.variable} = {self.value} by the equation", f"{where}{o.equation}"]
            notes += [f"in {o.instance}"] if o.instance else []
        elif self.fastest is not None:
            notes.append(f"the state that changes fastest there is {self.fastest}")
        notes += [f"{name} = {value!r}" for name, value in list(self.tried.items())[:12]]
        outcome, fault = self.outcome, self.fault
        if fault is not None:
            return RunError(
                fault.code,
                f"{fault.text}, at time {self.at!r}",
                ADVICE[fault.code],
                [*self.openness, *fault.notes, *notes],
            )
        advice = _FOR_STIFF if outcome is Outcome.TOO_MANY_STEPS and self.stiff_method else outcome.advice
        return RunError(outcome.code, f"{outcome.message}, at time {self.time!r}", advice, notes)


@dataclass(frozen=True, eq=False)
class Point:
    """One instant of a run, as a model is evaluated there."""

    t: float
    x: Vector
    u: Vector
    modes: Vector


def explain(model: CompiledModel, values: Values, outcome: Outcome, last: Point, tried: Point | None) -> Failure:
    """Why a run ended at `last`; `tried` is a point just ahead at which the right-hand side was not finite, if any."""
    at = tried or last
    model.fault()  # of other points
    y = model.variables(np.array([at.t]), at.x[None, :], at.u[None, :], values, at.modes[None, :])[0]
    fault = model.fault()
    states = model.info.states
    origin, value = _first_undefined(model.info, y)
    if outcome in _UNDEFINED and _rates_are_finite(model, values, at):
        if origin is None:
            origin, value = _undefined_guard(model.info, values)
        if origin is not None:
            outcome = Outcome.VARIABLE_NOT_FINITE
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
    )


def _first_undefined(info: ModelInfo, y: Vector) -> tuple[Origin | None, float | None]:
    """The equation of the first variable without a finite value, or else that of the first side of a relation; and the
    value."""
    wrong = np.flatnonzero(~np.isfinite(y[: info.n_variables + 2 * len(info.relations)]))
    if not len(wrong):
        return None, None
    first = int(wrong[0])
    if first < info.n_variables:
        return info.origins[first], float(y[first])
    r = info.relations[(first - info.n_variables) // 2]
    return Origin(f"a side of {r.text}", r.text, r.place, r.instance), float(y[first])


def _undefined_guard(info: ModelInfo, values: Values) -> tuple[Origin | None, float | None]:
    """What else has to have a value beside the rates: a number in the equation of a variable, or one that nothing but a
    condition uses."""
    numbers = values.w[info.n_guesses : info.n_guesses + info.n_guards]
    for (variable, text), number in zip(info.guards, numbers.tolist(), strict=False):
        if not math.isfinite(number):
            user = info.origins[variable] if variable >= 0 else Origin("", text, "", "")
            return replace(user, variable=text), number
    return None, None


def _rates_are_finite(model: CompiledModel, values: Values, at: Point) -> bool:
    return bool(np.isfinite(model.derivatives(at.t, at.x, at.u, values, at.modes)).all())


def _fastest(model: CompiledModel, values: Values, at: Point) -> str | None:
    if not len(at.x):
        return None
    with np.errstate(all="ignore"):
        rate = np.abs(model.derivatives(at.t, at.x, at.u, values, at.modes)) / (np.abs(at.x) + 1e-6)
    # A rate that is not a number is the worst of all.
    return model.info.states[int(np.argmax(np.where(np.isnan(rate), np.inf, rate)))]
