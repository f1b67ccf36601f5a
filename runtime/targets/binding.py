"""Binds parameters: parameters by name -> the fixed values of one run. Evaluates no right-hand side."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

from cutset.contract.metadata import Limit, ModelInfo
from cutset.contract.number_texts import advice
from cutset.runtime.errors import Excerpt, Fault, FoldedParameter, RunError, unknown_name
from cutset.runtime.interface import Values, Vector
from cutset.runtime.targets.c_functions import OnceFunctions
from cutset.runtime.targets.not_finite import not_finite


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


def place(info: ModelInfo, given: Mapping[str, float], p: Vector, flags: Vector) -> None:
    """Write the given parameters into p, and 1 for each into the flags. Errors as those of `CompiledModel.bind`."""
    folded = []
    for name, value in given.items():
        slot = info.names.get(name)
        number = finite_number(f"the parameter '{name}'", value)
        if name in info.folded:
            if number != info.folded[name]:
                folded.append(name)
        elif slot is None:
            raise RunError("E602", *unknown_name("parameter", name, [*info.parameters, *info.folded]))
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


def finite_number(what: str, value: float) -> float:
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
        if limit.minimum is not None and value < limit.minimum:
            which = f"less than its min, {limit.minimum:g}"
        elif limit.maximum is not None and value > limit.maximum:
            which = f"more than its max, {limit.maximum:g}"
        else:
            continue
        raise _beyond(info, p, limit, f"{value:g}, which is {which}")


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
