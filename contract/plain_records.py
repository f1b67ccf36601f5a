"""Turns records into JSON data and back, by the types of their fields: for caches, files and other processes."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")
# What is not stored, by its type: the reader gives it.
Given = Mapping[type, Any]


def plain_of(thing: Any, omitted: type | tuple[type, ...] = ()) -> Any:
    """JSON data of a record or a part of it; null for what is of the `omitted` types."""
    if isinstance(thing, omitted):
        return None
    if is_dataclass(thing):
        return {field.name: plain_of(getattr(thing, field.name), omitted) for field in fields(thing)}
    if isinstance(thing, tuple):
        return [plain_of(each, omitted) for each in thing]
    return {name: plain_of(each, omitted) for name, each in thing.items()} if isinstance(thing, dict) else thing


def record_of(kind: type[T], data: Any, given: Given = types.MappingProxyType({})) -> T:
    """The record of this type in JSON data. ValueError for data of another one."""
    found: T = _read(kind, data, given)
    return found


def _read(kind: Any, data: Any, given: Given) -> Any:
    if kind in given:
        return given[kind]
    if kind in (bool, int, float, str):
        if isinstance(data, int | float if kind is float else kind) and (kind is bool or not isinstance(data, bool)):
            return kind(data)
    elif isinstance(kind, type) and is_dataclass(kind):
        hints = _hints(kind)
        if isinstance(data, Mapping) and data.keys() == hints.keys():
            return kind(**{name: _read(hint, data[name], given) for name, hint in hints.items()})
    else:
        origin, arguments = get_origin(kind), get_args(kind)
        if origin in (Union, types.UnionType):
            (inner,) = (each for each in arguments if each is not type(None))
            return None if data is None and inner not in given else _read(inner, data, given)
        if origin in (dict, Mapping) and isinstance(data, Mapping):
            if arguments[1] is str and all(type(each) is str for each in data.values()):  # long, in descriptions
                return dict(data)
            return {str(name): _read(arguments[1], each, given) for name, each in data.items()}
        if origin is tuple and isinstance(data, list):
            inners = arguments[:1] * len(data) if Ellipsis in arguments else arguments
            if len(inners) == len(data):
                return tuple(_read(inner, each, given) for inner, each in zip(inners, data, strict=True))
    raise ValueError(f"{data!r} is not of the type {kind}")


@cache
def _hints(kind: Any) -> Mapping[str, Any]:
    return get_type_hints(kind)
