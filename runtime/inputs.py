"""Evaluates the signals of inputs at an instant. A signal is a number or a function of time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cutset.contract.metadata import ModelInfo
from cutset.runtime.binding import finite_number
from cutset.runtime.errors import RunError, unknown_name
from cutset.runtime.history import History
from cutset.runtime.interface import Vector
from cutset.runtime.piecewise import Packed, PiecewisePolynomial, packed

InputSignal = float | Callable[[float], float]


@dataclass(frozen=True, eq=False)
class Inputs:
    """The inputs of a run: `constant` holds all values, 0 in place of functions; `functions` holds those by index. The
    delayed values of `history`, if any, follow."""

    constant: Vector
    functions: Mapping[int, Callable[[float], float]]
    history: History | None = None

    @cached_property
    def packed(self) -> Packed | None:
        """The functions as arrays for C, if all of them are piecewise polynomials."""
        found = {k: f for k, f in self.functions.items() if isinstance(f, PiecewisePolynomial)}
        return packed(found) if len(found) == len(self.functions) else None

    def at(self, t: float) -> Vector:
        """The inputs and the delayed values at time t: a new array."""
        u = self.given_at(t)
        return u if self.history is None else np.concatenate([u, self.history.at(t)])

    def given_at(self, t: float) -> Vector:
        """The inputs without delayed values at time t: shape (n_inputs,), a new array."""
        u = self.constant.copy()
        for index, function in self.functions.items():
            u[index] = function(t)
        return u

    def over(self, times: Vector) -> Vector:
        """The inputs and delayed values at n instants, one row each."""
        u = np.tile(self.constant, (len(times), 1))
        for index, function in self.functions.items():
            u[:, index] = [function(t) for t in times.tolist()]
        return u if self.history is None else np.concatenate([u, self.history.over(times)], axis=1)


def resolve_inputs(info: ModelInfo, signals: Mapping[str, InputSignal]) -> Inputs:
    """The inputs of a run; an input without a signal is 0. RunError for a name that is not an input, and if the
    derivative of a function of time is also an input and is missing."""
    given: set[int] = set()
    constant = np.zeros(len(info.inputs))
    functions: dict[int, Callable[[float], float]] = {}
    for name, signal in signals.items():
        slot = info.names.get(name)
        if slot is None:
            raise RunError("E602", *unknown_name("input", name, info.inputs))
        if slot.array != "u":
            raise RunError("E604", f"'{name}' is not an input", f"the inputs are: {', '.join(info.inputs) or 'none'}")
        given.add(slot.index)
        if isinstance(signal, PiecewisePolynomial) and slot.sign > 0:
            functions[slot.index] = signal
        elif callable(signal):
            functions[slot.index] = _numeric(name, slot.sign, signal)
        else:
            constant[slot.index] = slot.sign * finite_number(f"the input '{name}'", signal)
    for index in functions:
        slope = derivative_of(info.inputs[index])
        if slope in info.inputs and info.inputs.index(slope) not in given:
            raise RunError(
                "E605",
                f"the input '{info.inputs[index]}' is a function of time, and '{slope}' is not given",
                f"the model needs this derivative: also give '{slope}' as a function of time or a number",
            )
    return Inputs(constant, functions)


def derivative_of(name: str) -> str:
    """The name of the derivative of an input: der(u), der(u,2), ..."""
    if not name.startswith("der("):
        return f"der({name})"
    inner, _, order = name[4:-1].rpartition(",")
    return f"der({inner},{int(order) + 1})" if inner and order.isdigit() else f"der({name[4:-1]},2)"


def _numeric(name: str, sign: float, signal: Callable[[float], float]) -> Callable[[float], float]:
    """The signal times the sign. RunError if it does not return a number: numpy would convert None to nan, and a string
    to its value."""

    def at(t: float) -> float:
        value = signal(t)
        try:
            if isinstance(value, str | bytes) or value is None:
                raise TypeError
            return sign * float(value)
        except (TypeError, ValueError):
            message = f"the input '{name}' returned {value!r} at time {t!r}"
            raise RunError("E605", message, "return one number from the function") from None

    return at
