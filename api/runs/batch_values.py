"""Checks the values of a batch: numbers and arrays by name -> for each scalar its values in all runs. Runs nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cutset.api.translate.parameter_values import numbers
from cutset.compiler.codegen.statistics import Domain
from cutset.contract.metadata import ModelInfo
from cutset.runtime.counted import counted
from cutset.runtime.errors import RunError, unknown_name
from cutset.runtime.interface import Vector
from cutset.runtime.runs.experiment import Experiment

# What each kind of value is called, and the arrays of the contract that hold such variables.
_KINDS = {
    "parameters": ("parameter", "p"),
    "initial": ("variable with a start value", "xmy"),
    "inputs": ("input", "u"),
}


@dataclass(frozen=True, eq=False)
class Given:
    """The values of `runs` runs by scalar name: arrays with one number for each run, or one for all. `signals` are
    inputs that are functions of time or tables, the same for all runs."""

    runs: int
    parameters: Mapping[str, Vector]
    initial: Mapping[str, Vector]
    inputs: Mapping[str, Vector]
    signals: Mapping[str, Any]

    def of_run(self, k: int, experiment: Experiment) -> Experiment:
        """The experiment with the values of run number k."""
        parts = {"parameters": self.parameters, "initial": self.initial, "inputs": self.inputs}
        chosen = {
            kind: {name: float(values[k] if len(values) > 1 else values[0]) for name, values in part.items()}
            for kind, part in parts.items()
        }
        inputs = {**self.signals, **chosen["inputs"]}
        return replace(experiment, parameters=chosen["parameters"], initial=chosen["initial"], inputs=inputs)


def given_values(info: ModelInfo, domains: Mapping[str, Domain], settings: Mapping[str, Any]) -> Given:
    """The values in `settings`: its parameters, initial and inputs. RunError E602 or E604 for a wrong name, E605 for
    other arrays than of one number for each run."""
    found: dict[str, dict[str, Vector]] = {}
    signals: dict[str, Any] = {}
    for kind in _KINDS:
        given = settings.get(kind) or {}
        if not isinstance(given, Mapping):
            what = f"{kind} must be values by name, such as {{'R.R': [100.0, 200.0]}}, not {given!r}"
            raise RunError("E605", what)
        plain = {name: value for name, value in given.items() if not (kind == "inputs" and _is_signal(value))}
        signals |= {name: value for name, value in given.items() if name not in plain}
        found[kind] = {
            scalar: values for name, value in plain.items() for scalar, values in _scalars(info, kind, name, value)
        }
    lengths = {name: len(values) for part in found.values() for name, values in part.items() if values.ndim}
    if not lengths:
        raise RunError("E605", "a batch needs an array with a value for each run", "for one run, use simulate")
    runs = max(lengths.values())
    for name, length in lengths.items():
        if length != runs:
            most = next(name for name, length in lengths.items() if length == runs)
            what = f"'{name}' has {counted(length, 'value')}, but '{most}' has {runs}"
            raise RunError("E605", what, "give one number, or one for each run")
    for name, values in found["parameters"].items():
        if name in domains:
            for value in np.asarray(sorted(set(values.ravel().tolist()))):
                numbers({name: float(value)}, {name: domains[name]})
    parts = [{name: np.atleast_1d(values) for name, values in part.items()} for part in found.values()]
    return Given(runs, parts[0], parts[1], parts[2], signals)


def _is_signal(value: Any) -> bool:
    """True for a function of time or a table: a pair of times and values, a file, a DataFrame."""
    return callable(value) or not isinstance(value, int | float | list | np.ndarray | np.number)


def _scalars(info: ModelInfo, kind: str, name: str, value: Any) -> list[tuple[str, Vector]]:
    """The scalars of a variable with their values, without dimensions if they are the same for all runs."""
    noun, arrays = _KINDS[kind]
    try:
        values = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise RunError("E605", f"the values of '{name}' must be numbers, not {value!r}") from None
    if not np.isfinite(values).all():
        raise RunError("E605", f"the values of '{name}' must be finite numbers")
    of_it = re.compile(re.escape(str(name)) + r"\(\d+(,\d+)?\)")
    elements = [other for other in (*info.names, *info.folded) if of_it.fullmatch(other)]
    if name not in info.names and name not in info.folded and not elements:
        known = [other for other, slot in info.names.items() if slot.array in arrays]
        raise RunError("E602", *unknown_name(noun, str(name), [*known, *(info.folded if kind == "parameters" else ())]))
    for scalar in elements or [name]:
        slot = None if scalar in info.folded else info.names.get(scalar)
        if (slot.array not in arrays) if slot else kind != "parameters":
            raise RunError("E604", f"'{name}' is not {'an' if noun[0] in 'aeiou' else 'a'} {noun}")
    inner = values.shape[1:]
    parts = {name: values}
    if elements:
        parts = {
            f"{name}({','.join(str(i + 1) for i in index)})": values[(slice(None), *index)]
            for index in np.ndindex(inner)
        }
    if values.ndim > (2 if elements else 1) + 1 or parts.keys() != set(elements or [name]) or (inner and not elements):
        shape = "(runs, ...) with the shape of the variable" if elements else "(runs,)"
        raise RunError("E605", f"the values of '{name}' have the shape {values.shape}; expected {shape}")
    if 0 in values.shape:
        raise RunError("E605", f"'{name}' has no values")
    return list(parts.items())
