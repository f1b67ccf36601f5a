"""Writes objects of Python as data for JSON and reads them again. Holds no code: reading runs nothing.

Numbers, strings, None, lists, tuples, dictionaries, sets, deques and numpy arrays of numbers are plain.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

_DEEPEST = 50


class NotPlain(Exception):
    """An object that is no plain data; the message names it and its place."""


def to_plain(value: Any, where: str = "its state", depth: int = 0) -> Any:
    """The value as data for JSON. NotPlain."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        return {"array": value.ravel().tolist(), "shape": list(value.shape), "type": value.dtype.str}
    if isinstance(value, np.generic) and value.dtype.kind in "biuf":
        return value.item()
    if depth > _DEEPEST:
        raise NotPlain(f"{where} is nested deeper than {_DEEPEST} levels")
    if type(value) is dict:
        pairs = [
            [to_plain(key, f"a key of {where}", depth + 1), to_plain(item, f"{where}[{key!r}]", depth + 1)]
            for key, item in value.items()
        ]
        return {"dict": pairs}
    for kind in (list, tuple, set, deque):
        if type(value) is kind:
            items = [to_plain(item, f"{where}[{k}]", depth + 1) for k, item in enumerate(value)]
            most = {"most": value.maxlen} if isinstance(value, deque) else {}
            return {kind.__name__: items, **most}
    raise NotPlain(f"{where} is a {type(value).__name__}")


def from_plain(data: Any) -> Any:
    """What `to_plain` was given. Recursion is over its nesting, which JSON limits."""
    if not isinstance(data, dict):
        return data
    if "array" in data:
        return np.array(data["array"], dtype=data["type"]).reshape(data["shape"])
    if "dict" in data:
        return {from_plain(key): from_plain(item) for key, item in data["dict"]}
    name = next(iter(data))
    items = [from_plain(item) for item in data[name]]
    if name == "deque":
        return deque(items, data["most"])
    made: Any = {"list": list, "tuple": tuple, "set": set}[name](items)
    return made
