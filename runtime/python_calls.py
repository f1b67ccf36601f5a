"""Makes functions of Python that evaluate compiled functions without conversions: c/python_calls.h. Solves nothing."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import CDLL, Structure, addressof, c_char_p, c_int, c_void_p, cast, py_object, pythonapi
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from cutset.runtime.c_model import Call, CModel, Points

_NAME = b"cutset"
_METH_FASTCALL = 0x80


class _Definition(Structure):
    """``PyMethodDef``."""

    _fields_ = [("name", c_char_p), ("function", c_void_p), ("flags", c_int), ("documentation", c_char_p)]


@dataclass(frozen=True, eq=False)
class DirectCall:
    """`function` takes as many arrays as the compiled function has arguments and returns a new array. It is valid as
    long as this object."""

    function: Callable[..., Any]
    kept: tuple[object, ...]


def direct_call(model: CModel, points: Points, shape: tuple[int, ...], otherwise: Callable[..., Any]) -> DirectCall:
    """A call of the function that `points` describe, with a result of this shape. `otherwise` takes arguments that are
    not vectors of numbers of the right length."""
    api, make = _interface(), partial(np.empty, shape)
    call = Call(**api.pointers, make=id(make), otherwise=id(otherwise), points=points)
    model.functions.capsule.value = api.get_pointer
    place = cast(model.functions.call_function, c_void_p).value
    definition = _Definition(_NAME, place, _METH_FASTCALL, None)
    capsule = api.new_capsule(addressof(call), _NAME, None)
    function = api.new_function(addressof(definition), capsule, None)
    return DirectCall(function, (call, definition, capsule, make, otherwise))


@dataclass(frozen=True)
class _Interface:
    """Functions of Python's stable interface: pointers for C, and two that are called here."""

    pointers: dict[str, int | None]
    get_pointer: int | None
    new_capsule: Callable[..., Any]
    new_function: Callable[..., Any]


@cache
def _interface() -> _Interface:
    names = {
        "get_buffer": "PyObject_GetBuffer",
        "release": "PyBuffer_Release",
        "call": "PyObject_Vectorcall",
        "clear_error": "PyErr_Clear",
    }
    own: CDLL = pythonapi
    pointers = {field: cast(own[name], c_void_p).value for field, name in names.items()}
    new_capsule, new_function = own["PyCapsule_New"], own["PyCFunction_NewEx"]
    new_capsule.restype, new_capsule.argtypes = py_object, (c_void_p, c_char_p, c_void_p)
    new_function.restype, new_function.argtypes = py_object, (c_void_p, py_object, c_void_p)
    return _Interface(pointers, cast(own["PyCapsule_GetPointer"], c_void_p).value, new_capsule, new_function)
