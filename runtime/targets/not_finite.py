"""Explains parameters and constants that are not finite: their values -> an error that names the causes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from cutset.contract.abridged import abridged
from cutset.contract.metadata import ExpressionOrigin, ModelInfo
from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.errors import ADVICE, Excerpt, Fault, NotFinite
from cutset.runtime.interface import Vector
from cutset.runtime.outcome import Outcome

_MOST = 5


@dataclass(frozen=True)
class _Cause:
    """An expression without a finite value, and the instances that contain it in the same line."""

    origin: ExpressionOrigin
    says: str
    instances: tuple[str, ...]


def not_finite(info: ModelInfo, p: Vector, c: Vector, fault: Fault | None) -> NotFinite | None:
    """The error, or None if all required values are finite. Values that follow from others that are not finite are
    omitted; expressions of one equation, and equations of one place, are reported once."""
    causes = _causes(info, p, c)
    if not causes:
        return None
    error = _error(info, p, c, fault, sorted(causes, key=lambda cause: cause.origin.is_made))
    error.values = {info.parameters[i]: float(p[i]) for cause in causes for i in cause.origin.parameters}
    return error


def _error(info: ModelInfo, p: Vector, c: Vector, fault: Fault | None, causes: Sequence[_Cause]) -> NotFinite:
    """The error for these causes, the most important first."""
    first, *others = causes
    notes = [*_values(info, p, first.origin)]
    notes += [_line(cause) for cause in others[:_MOST]]
    notes += [f"and {len(others) - _MOST} more"] if len(others) > _MOST else []
    where = first.origin
    excerpt = Excerpt(where.place, where.line, where.column, where.width) if where.place else None
    instance = abridged(first.instances, 3)
    broken = next(
        (a for a in info.assertions if a.branch < 0 and not a.terminates and a.constant >= 0 and c[a.constant] == 0.0),
        None,
    )
    if broken is not None:  # the cause explains more than its consequences
        stands = f"the assertion is at {broken.place}, in {broken.instance}"
        hint = "change the parameters in its condition"
        return NotFinite(
            Outcome.ASSERTION.code,
            f"an assertion failed: {broken.text}",
            hint,
            [stands, first.says, *notes],
            excerpt,
            instance,
        )
    if fault is not None:
        message, notes = f"{fault.text}, before the run", [*fault.notes, first.says, *notes]
        return NotFinite(fault.code, message, ADVICE[fault.code], notes, excerpt, instance)
    if where.is_made:
        message = "with these values of parameters the equations do not determine all variables"
        return NotFinite("E666", message, "give other values, or change this equation", notes, excerpt, instance)
    hint = "check for a division by zero, or a root or logarithm of a number out of range"
    return NotFinite(
        "E601", f"an expression of parameters has no finite value: {first.says}", hint, notes, excerpt, instance
    )


def _causes(info: ModelInfo, p: Vector, c: Vector) -> list[_Cause]:
    """One cause for each place in the text, in the order of evaluation."""
    found: dict[tuple[str, str], list[tuple[ExpressionOrigin, str]]] = {}
    for origin, says in (*_parameters(info, p), *_constants(info, p, c)):
        found.setdefault((origin.place, origin.place or says), []).append((origin, says))
    causes = []
    for several in found.values():
        origin, says = several[0]
        instances = dict.fromkeys(other.instance for other, _ in several if other.instance)
        causes.append(_Cause(origin, says, tuple(instances)))
    return causes


def _parameters(info: ModelInfo, p: Vector) -> Iterator[tuple[ExpressionOrigin, str]]:
    for i in np.flatnonzero(~np.isfinite(p)).tolist():
        origin = info.parameter_origins[i]
        if origin is None:
            yield ExpressionOrigin(info.parameters[i]), f"the parameter {info.parameters[i]} is {p[i]:g}"
        elif np.isfinite(p[list(origin.parameters)]).all():
            yield origin, f"{info.parameters[i]}, computed from {origin.text}, is {p[i]:g}"


def _constants(info: ModelInfo, p: Vector, c: Vector) -> Iterator[tuple[ExpressionOrigin, str]]:
    # A constant without an origin is not reported as a cause.
    fine = np.isfinite(c) | np.array([origin is None for origin in info.constant_origins], dtype=bool)
    for i in np.flatnonzero(~fine).tolist():
        origin = info.constant_origins[i]
        assert origin is not None
        if np.isfinite(p[list(origin.parameters)]).all() and fine[list(origin.constants)].all():
            yield origin, f"{origin.text} is {c[i]:g}"


def _values(info: ModelInfo, p: Vector, origin: ExpressionOrigin) -> list[str]:
    values = [f"{info.parameters[i]} = {p[i]:g}" for i in origin.parameters]
    return [", ".join(values)] if values else []


def _line(cause: _Cause) -> str:
    where = f"{cause.origin.place}: " if cause.origin.place else ""
    return f"{where}{cause.says}" + (f", in {abridged(cause.instances, 3)}" if cause.instances else "")
