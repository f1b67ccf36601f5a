"""Binds parameters: parameters by name -> the fixed values of one run. Evaluates no right-hand side."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from cutset.contract.abridged import abridged
from cutset.contract.metadata import ExpressionOrigin, Limit, ModelInfo
from cutset.contract.names import filled
from cutset.contract.number_texts import advice
from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.errors import ADVICE, Excerpt, Fault, FoldedParameter, NotFinite, RunError, unknown_name
from cutset.runtime.interface import Values, Vector
from cutset.runtime.outcome import Outcome
from cutset.runtime.targets.c_functions import OnceFunctions


def bind(
    info: ModelInfo, functions: OnceFunctions, given: Mapping[str, float], fault: Callable[[], Fault | None]
) -> Values:
    """`CompiledModel.bind` for both targets; `fault` is that of the model."""
    fault()
    p = np.zeros(len(info.parameters))
    flags = np.zeros(len(info.parameters))
    place(info, given, p, flags)
    functions.bindings(p, flags)
    c = np.zeros(info.n_constants)
    functions.constants(p, c)
    wrong = not_finite(info, p, c, fault())
    if wrong is not None:
        raise wrong
    _check_limits(info, p)
    compared = len(info.start_checks) + len(info.choosing_starts) + info.n_started
    s = np.zeros(len(info.states) + len(info.discrete) + compared + info.n_guesses)
    functions.starts(c, s)
    nominals = np.zeros(len(info.states))
    functions.nominals(c, nominals)
    _check_positive(info, nominals)
    w = np.zeros(info.n_work)
    w[: info.n_guesses] = s[len(s) - info.n_guesses :]
    return Values(p, c, s, w, nominals)


def place(info: ModelInfo, given: Mapping[str, float | str], p: Vector, flags: Vector) -> None:
    """Write the given parameters into p, and 1 for each into the flags. Errors as those of `CompiledModel.bind`."""
    folded = []
    for name, value in given.items():
        slot = info.names.get(name)
        if name in info.texts:
            folded += [name] if info.texts[name] != value else []
            continue
        is_known = slot is not None or name in info.folded
        number = finite_number(f"the parameter '{name}'", value) if is_known else 0.0
        if name in info.folded:
            if number != info.folded[name]:
                folded.append(name)
        elif slot is None:
            raise RunError("E602", *unknown_name("parameter", name, [*info.parameters, *info.folded, *info.texts]))
        elif slot.array != "p":
            kind = {"x": "a state", "u": "an input"}.get(slot.array, "computed by the model")
            hint = (
                "only parameters, start values of states, and inputs can be given; for a start value of this variable, "
            )
            hint += f"write {name} = {number!r} between 'initial' and 'endinitial' in the model"
            if slot.array in ("x", "u"):
                hint = "give the start value of a state, and the signal of an input, in their own settings"
            raise RunError("E604", f"'{name}' is not a parameter: it is {kind}", hint)
        else:
            p[slot.index] = slot.sign * number
            flags[slot.index] = 1.0
    if folded:
        raise FoldedParameter(folded)


def finite_number(what: str, value: float | str) -> float:
    """`value` as a float; RunError if it is not a finite number."""
    try:
        number = math.nan if isinstance(value, str) else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise RunError("E605", f"{what} must be a finite number, not {value!r}", advice(str(value)))
    return number


def _check_limits(info: ModelInfo, p: Vector) -> None:
    for limit in info.limits:
        value = float(p[limit.parameter])
        if which := beyond(value, limit.minimum, limit.maximum):
            raise _beyond(info, p, limit, f"{value:g}, which is {which}")


def beyond(value: float, minimum: float | None, maximum: float | None) -> str:
    """How a value is outside of its limits; empty if it is within. The least number is the min of what must be
    positive."""
    if minimum is not None and value < minimum:
        return "not positive" if minimum == 1e-300 else f"less than its min, {minimum:g}"
    return f"more than its max, {maximum:g}" if maximum is not None and value > maximum else ""


def _beyond(info: ModelInfo, p: Vector, limit: Limit, says: str) -> RunError:
    name, origin = info.parameters[limit.parameter], info.parameter_origins[limit.parameter]
    declared = f"declared at {limit.place}"
    if origin is None:
        return RunError(
            "E605", f"the parameter '{name}' cannot be {says}", "give it a value between its limits", [declared]
        )
    values = [f"{info.parameters[i]} = {p[i]:g}" for i in origin.parameters]
    excerpt = Excerpt(origin.place, origin.line, origin.column, origin.width) if origin.place else None
    sources = ", ".join(info.parameters[i] for i in origin.parameters)
    hint = f"it depends on {sources}: change these values"
    return RunError(
        "E605", f"the computed parameter '{name}' is {says}", hint, [*values, declared], excerpt, origin.instance
    )


def _check_positive(info: ModelInfo, nominals: Vector) -> None:
    wrong = np.flatnonzero(~(np.isfinite(nominals) & (nominals > 0.0)))
    if len(wrong):
        message = f"the nominal value of the state '{info.states[wrong[0]]}' is {nominals[wrong[0]]:g}"
        hint = "the usual magnitude of a state must be greater than 0: change the parameters in it"
        more = [f"also of {info.states[i]}: {nominals[i]:g}" for i in wrong[1:6]]
        raise RunError("E628", message, hint, more)


# --- not finite -----------------------------------------------------------------------------------


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


def _shown(info: ModelInfo, p: Vector, name: str) -> str | None:
    """The value of a parameter, for a text."""
    slot = info.names.get(name)
    return f"{slot.sign * p[slot.index]:.6g}" if slot is not None and slot.array == "p" else None


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
            f"an assertion failed: {filled(broken.text, lambda name: _shown(info, p, name))}",
            hint,
            [stands, first.says, *notes],
            excerpt,
            instance,
        )
    if fault is not None:
        of_fmu = fault.code.startswith("E66")  # its user did not write the expressions
        message, notes = f"{fault.text}, before the run", [*fault.notes, *(() if of_fmu else (first.says, *notes))]
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
