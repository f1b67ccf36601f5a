"""Values by name, as a user gives them -> what each is: a parameter, a start value, an input."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cutset.runtime.interface import ModelInfo


def by_kind(info: ModelInfo, assignments: Iterable[tuple[str, Any]]) -> dict[str, dict[str, Any]]:
    """The arguments 'initial' (of states and discrete variables), 'inputs' and 'parameters' of a run; a name that is nothing counts
    as a parameter."""
    by_array: dict[str, dict[str, Any]] = {"x": {}, "m": {}, "u": {}, "p": {}}
    for name, value in assignments:
        slot = info.names.get(name)
        by_array[slot.array if slot and slot.array in by_array else "p"][name] = value
    return {"initial": by_array["x"] | by_array["m"], "inputs": by_array["u"], "parameters": by_array["p"]}
