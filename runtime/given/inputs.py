"""Evaluates the signals of inputs at an instant. A signal is a number or a function of time, which may be a table."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Mapping
from dataclasses import field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from cutset.contract.metadata import ModelInfo
from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.errors import RunError, unknown_name
from cutset.runtime.given.history import History
from cutset.runtime.given.piecewise import BrokenPolynomial, Packed, PiecewisePolynomial, packed
from cutset.runtime.given.table_signals import TableSignal
from cutset.runtime.interface import Vector
from cutset.runtime.targets.binding import finite_number

InputSignal = float | Callable[[float], float]


class InputFailure(Exception):
    """A function that drives an input failed, or returned no number, at a time: what happened, in words."""

    def __init__(self, what: str, time: float):
        self.what, self.time = what, float(time)
        super().__init__(what)


@dataclass(frozen=True, eq=False)
class Inputs:
    """The inputs of a run: `constant` holds all values, 0 in place of functions; `functions` holds those by index. The
    delayed values of `history`, if any, follow.

    `window` is the time between two breaks of tables: the values up to its start are those just after it, and from its
    end on those just before it. C reads it too.
    """

    constant: Vector
    functions: Mapping[int, Callable[[float], float]]
    history: History | None = None
    window: Vector = field(default_factory=lambda: np.array([-math.inf, math.inf]))

    @cached_property
    def polynomials(self) -> Mapping[int, PiecewisePolynomial]:
        """The functions that C evaluates."""
        return {k: f for k, f in self.functions.items() if isinstance(f, PiecewisePolynomial)}

    @cached_property
    def scripted(self) -> Mapping[int, Callable[[float], float]]:
        """The functions that Python evaluates."""
        return {k: f for k, f in self.functions.items() if k not in self.polynomials}

    @cached_property
    def packed(self) -> Packed:
        """The polynomials as arrays for C."""
        return packed(self.polynomials)

    @cached_property
    def broken(self) -> tuple[BrokenPolynomial, ...]:
        """Those of tables and time series among the functions."""
        return tuple(f for f in self.functions.values() if isinstance(f, BrokenPolynomial))

    @cached_property
    def breaks(self) -> Vector:
        """The instants at which functions have kinks or jumps, ascending."""
        return np.array(sorted({t for function in self.broken for t in function.kinks}))

    @cached_property
    def jumps(self) -> NDArray[np.bool_]:
        """For each break whether a value jumps there."""
        jumps = {t for function in self.broken for t in function.jumps}
        return np.array([t in jumps for t in self.breaks.tolist()], dtype=bool)

    def require(self, start: float, stop: float) -> None:
        """RunError E605 if a table does not reach over a run."""
        for function in self.broken:
            if isinstance(function, TableSignal):
                function.require(start, stop)

    def without_value(self, t: float) -> int | None:
        """The number of the first input whose function returns no finite number at t; None if there is none."""
        return next((index for index, f in self.scripted.items() if not math.isfinite(f(t))), None)

    def at(self, t: float) -> Vector:
        """The inputs and the delayed values at time t: a new array."""
        u = self.given_at(t)
        return u if self.history is None else np.concatenate([u, self.history.at(t)])

    def given_at(self, t: float) -> Vector:
        """The inputs without delayed values at time t: shape (n_inputs,), a new array."""
        u = self.constant.copy()
        for index, function in self.scripted.items():
            u[index] = function(t)
        for index, polynomial in self.polynomials.items():
            u[index] = polynomial.within(t, *self.window.tolist())
        return u

    def over(self, times: Vector) -> Vector:
        """The inputs and delayed values at n instants of the window, one row each."""
        given = np.array([self.given_at(t) for t in times.tolist()]).reshape(len(times), len(self.constant))
        return given if self.history is None else np.concatenate([given, self.history.over(times)], axis=1)


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
        if isinstance(signal, PiecewisePolynomial):
            functions[slot.index] = signal if slot.sign > 0 else signal.negated()
        elif callable(signal):
            functions[slot.index] = _numeric(name, slot.sign, signal)
        else:
            constant[slot.index] = slot.sign * finite_number(f"the input '{name}'", signal)
    for index, function in list(functions.items()):
        _follow_derivatives(info, index, function, given, functions)
    return Inputs(constant, functions)


def _follow_derivatives(
    info: ModelInfo,
    index: int,
    function: Callable[[float], float],
    given: Container[int],
    functions: dict[int, Callable[[float], float]],
) -> None:
    """Add the derivatives of a table that the model needs and that are not given. RunError E605 for another function
    without its derivative."""
    slope, order = derivative_of(info.inputs[index]), 1
    while slope in info.inputs and (at := info.inputs.index(slope)) not in given:
        if not isinstance(function, TableSignal):
            raise RunError(
                "E605",
                f"the input '{info.inputs[index]}' is a function of time, and '{slope}' is not given",
                f"the model needs this derivative: also give '{slope}' as a function of time or a number",
            )
        functions[at] = function.slope(order)
        slope, order = derivative_of(slope), order + 1


def derivative_of(name: str) -> str:
    """The name of the derivative of an input: der(u), der(u,2), ..."""
    if not name.startswith("der("):
        return f"der({name})"
    inner, _, order = name[4:-1].rpartition(",")
    return f"der({inner},{int(order) + 1})" if inner and order.isdigit() else f"der({name[4:-1]},2)"


def _numeric(name: str, sign: float, signal: Callable[[float], float]) -> Callable[[float], float]:
    """The signal times the sign. InputFailure if it does not return a number: numpy would convert None to nan, and a
    string to its value. Where it returns nan, a method tries a shorter step."""

    def at(t: float) -> float:
        try:
            value = signal(t)
        except InputFailure:
            raise
        except Exception as error:
            raise InputFailure(f"the function of the input '{name}' failed: {told(error)}", t) from error
        try:
            if isinstance(value, str | bytes) or value is None:
                raise TypeError
            return sign * float(value)
        except (TypeError, ValueError):
            raise InputFailure(f"the function of the input '{name}' returned {value!r}", t) from None

    return at


def told(error: Exception) -> str:
    """The kind of the exception and its message."""
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
