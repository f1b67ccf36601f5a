"""Turns robots into JSON data and back, for the disk cache and for other processes.

Places are not stored: everything that was read of a file has the place that the reader gives.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from cutset.compiler.diagnostics import Span
from cutset.compiler.robots.robot import Robot


def to_plain(thing: Any) -> Any:
    """JSON data of a robot or a part of it."""
    if isinstance(thing, Span):
        return None
    if is_dataclass(thing):
        return {field.name: to_plain(getattr(thing, field.name)) for field in fields(thing)}
    if isinstance(thing, tuple):
        return [to_plain(each) for each in thing]
    return {name: to_plain(each) for name, each in thing.items()} if isinstance(thing, dict) else thing


def robot_from(plain: Any, span: Span) -> Robot:
    """The robot in JSON data, all of it at this place. ValueError if the data is not a robot."""
    robot = _read(Robot, plain, span)
    assert isinstance(robot, Robot)
    return robot


def _read(kind: Any, data: Any, span: Span) -> Any:
    """The thing of this type in JSON data. ValueError for data of another one."""
    if kind is Span:
        return span
    if kind in (bool, int, float, str):
        if isinstance(data, int | float if kind is float else kind) and (kind is bool or not isinstance(data, bool)):
            return kind(data)
    elif isinstance(kind, type) and is_dataclass(kind):
        hints = _hints(kind)
        if isinstance(data, Mapping) and data.keys() == hints.keys():
            return kind(**{name: _read(hint, data[name], span) for name, hint in hints.items()})
    else:
        origin, arguments = get_origin(kind), get_args(kind)
        if origin in (Union, types.UnionType):
            (inner,) = (each for each in arguments if each is not type(None))
            return None if data is None and inner is not Span else _read(inner, data, span)
        if origin is dict and isinstance(data, Mapping):
            return {str(name): _read(arguments[1], each, span) for name, each in data.items()}
        if origin is tuple and isinstance(data, list):
            inners = arguments[:1] * len(data) if Ellipsis in arguments else arguments
            if len(inners) == len(data):
                return tuple(_read(inner, each, span) for inner, each in zip(inners, data, strict=True))
    raise ValueError(f"{data!r} is not of the type {kind}")


@cache
def _hints(kind: Any) -> Mapping[str, Any]:
    return get_type_hints(kind)
