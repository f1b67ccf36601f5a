"""Turns robots into JSON data and back, for the disk cache and for other processes.

Places are not stored: everything that was read of a file has the place that the reader gives.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from cutset.compiler.diagnostics import Span
from cutset.compiler.robots.robot import Robot

Reader = Callable[[Any, Span], Any]


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
    robot = _reader(Robot)(plain, span)
    assert isinstance(robot, Robot)
    return robot


@cache
def _reader(kind: Any) -> Reader:
    """Reads data of this type; ValueError for data of another one."""
    if is_dataclass(kind) and isinstance(kind, type):
        return _of_dataclass(kind)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is tuple:
        return _of_tuple(arguments)
    if origin is dict:
        return _of_dict(_reader(arguments[1]))
    if origin in (Union, types.UnionType):
        (inner,) = (_reader(each) for each in arguments if each is not type(None))
        optional_place = Span in arguments
        return lambda data, span: inner(data, span) if optional_place or data is not None else None
    if kind is Span:
        return lambda _, span: span
    assert isinstance(kind, type)
    return _of_scalar((int, float) if kind is float else (kind,), kind)


def _of_scalar(accepted: tuple[type, ...], kind: type) -> Reader:
    def read(data: Any, _: Span) -> Any:
        if not isinstance(data, accepted) or (isinstance(data, bool) and kind is not bool):
            raise ValueError(f"{data!r} is not of the type {kind.__name__}")
        return kind(data)

    return read


def _of_tuple(arguments: tuple[Any, ...]) -> Reader:
    is_long = len(arguments) == 2 and arguments[1] is Ellipsis
    readers = [_reader(each) for each in arguments if each is not Ellipsis]

    def read(data: Any, span: Span) -> Any:
        if not isinstance(data, list) or not (is_long or len(data) == len(readers)):
            raise ValueError(f"{data!r} is not a list of {len(readers)}")
        pairs = zip(readers * len(data) if is_long else readers, data, strict=True)
        return tuple(read_one(each, span) for read_one, each in pairs)

    return read


def _of_dict(inner: Reader) -> Reader:
    def read(data: Any, span: Span) -> Any:
        if not isinstance(data, Mapping):
            raise ValueError(f"{data!r} is not an object")
        return {str(name): inner(each, span) for name, each in data.items()}

    return read


def _of_dataclass(kind: type) -> Reader:
    readers = {name: _reader(hint) for name, hint in get_type_hints(kind).items()}

    def read(data: Any, span: Span) -> Any:
        if not isinstance(data, Mapping) or data.keys() != readers.keys():
            raise ValueError(f"{data!r} is not a {kind.__name__}")
        return kind(**{name: read_one(data[name], span) for name, read_one in readers.items()})

    return read
