"""Fills in the values that texts of assertions name: a text, the state of a run -> words."""

from __future__ import annotations

import numpy as np

from cutset.contract.names import filled
from cutset.runtime.runs.snapshot import Snapshot


def with_values(text: str, end: Snapshot) -> str:
    """The text with the values of variables at the end of a run: `level = {tank.h} m`."""
    return filled(text, lambda name: _shown(name, end)) if "{" in text else text


def _shown(name: str, end: Snapshot) -> str | None:
    if name == "time":
        return f"{end.t:.6g}"
    slot = end.model.info.names.get(name)
    if slot is None:
        number = end.model.info.folded.get(name)
        return None if number is None else f"{number:.6g}"
    u = end.inputs.at(end.t)
    arrays = {"x": end.x, "u": u, "m": end.m, "p": end.values.p}
    if slot.array == "y":
        y = end.model.variables(np.array([end.t]), end.x[None], u[None], end.values, end.m[None])[0]
    return f"{slot.sign * (y if slot.array == 'y' else arrays[slot.array])[slot.index]:.6g}"
