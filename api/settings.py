"""Values by name, as a user gives them -> what each is: a parameter, a start value, an input."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cutset.runtime.errors import RunError
from cutset.runtime.interface import ModelInfo
from cutset.runtime.selection import matching


def by_kind(info: ModelInfo, assignments: Iterable[tuple[str, Any]]) -> dict[str, dict[str, Any]]:
    """The arguments 'initial' (of states and discrete variables), 'inputs' and 'parameters' of a run; a name that is nothing counts
    as a parameter."""
    by_array: dict[str, dict[str, Any]] = {"x": {}, "m": {}, "u": {}, "p": {}}
    for name, value in assignments:
        slot = info.names.get(name)
        by_array[slot.array if slot and slot.array in by_array else "p"][name] = value
    return {"initial": by_array["x"] | by_array["m"], "inputs": by_array["u"], "parameters": by_array["p"]}


def named(info: ModelInfo, assignments: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Values by name, where patterns stand for all that match of what can be given: parameters, states, discrete variables, inputs. What is said
    later holds. RunError E602 for a pattern that matches nothing."""
    changeable = dict.fromkeys([*info.parameters, *info.folded, *info.states, *info.discrete, *info.inputs])
    found: dict[str, Any] = {}
    for name, value in assignments:
        names = matching(name, changeable) if "*" in name or "?" in name else [name]
        if not names:
            raise RunError("E602", f"no parameter, state or input matches '{name}'", "'cutset inspect FILE --variables' lists all names")
        found |= dict.fromkeys(names, value)
    return found
