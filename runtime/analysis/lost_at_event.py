"""Explains a variable that loses its value at an event: the points before and after it -> what determined it before.

An ideal switch that opens takes the current of an inductor its path; one that closes joins capacitors whose voltages
differ. The equations of such a mode contradict each other or leave a variable open, and the one that has no value is
named after the switch. What it depended on just before names the others.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cutset.contract.metadata import ModelInfo, Origin
from cutset.runtime.analysis.singular_point import Point
from cutset.runtime.interface import CompiledModel, Values, Vector

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
