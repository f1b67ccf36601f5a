"""Makes functions of Python that evaluate compiled functions without conversions: c/python_calls.h. Solves nothing."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from ctypes import CDLL, POINTER, addressof, c_char_p, c_int, c_void_p, cast, py_object, pythonapi
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from cutset.runtime.targets.c_model import CModel
from cutset.runtime.targets.c_records import Call, Points, address

_NAME = b"cutset"
_TP_NEW = 65
_ARRAY, _NEW_ARRAY = 2, 93


@dataclass(frozen=True, eq=False)
class DirectCall:
    """`function` takes as many arrays as the compiled function has arguments and returns new ones. It is valid as long
    as this object."""

    function: Callable[..., Any]
    kept: tuple[object, ...]


def direct_call(
    model: CModel,
    points: Points,
    shapes: Sequence[tuple[int, ...]],
    kind: type[tuple[Any, ...]] | None,
    otherwise: Callable[..., Any],
) -> DirectCall:
    """A call of the function that `points` describe, with results of these shapes: one array, or two in a tuple of this
    kind. `otherwise` takes arguments that are not vectors of numbers of the right length."""
    api, results = _interface(), np.zeros(sum(math.prod(shape) for shape in shapes))
    points.results = address(results)
    call = Call(**api.pointers, otherwise=id(otherwise), data=object.__basicsize__, points=points)
    call.tuple = None if kind is None else id(kind)
    for place, shape in zip(call.shapes, shapes, strict=False):
        place.sizes[: len(shape)], place.numbers, place.axes = shape, math.prod(shape), len(shape)
    model.functions.capsule.value = api.get_pointer
    capsule = api.new_capsule(addressof(call), _NAME, None)
    function = api.new_function(model.functions.definition, capsule, None)
    return DirectCall(function, (call, capsule, results, kind, otherwise))


@dataclass(frozen=True)
class _Interface:
    """Functions of Python's stable interface and numpy's: pointers for C, and two that are called here."""

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
        "drop": "Py_DecRef",
        "pack": "PyTuple_Pack",
    }
    own: CDLL = pythonapi
    pointers = {field: cast(own[name], c_void_p).value for field, name in names.items()}
    new_capsule, new_function, slot = own["PyCapsule_New"], own["PyCFunction_NewEx"], own["PyType_GetSlot"]
    new_capsule.restype, new_capsule.argtypes = py_object, (c_void_p, c_char_p, c_void_p)
    new_function.restype, new_function.argtypes = py_object, (c_void_p, py_object, c_void_p)
    slot.restype, slot.argtypes = c_void_p, (py_object, c_int)
    pointers |= _of_numpy() | {"new_tuple": slot(tuple, _TP_NEW)}
    return _Interface(pointers, cast(own["PyCapsule_GetPointer"], c_void_p).value, new_capsule, new_function)


def _of_numpy() -> dict[str, int | None]:
    """The type of arrays and PyArray_New, by their places in numpy's table of functions, which are those in its headers
    since 1.0."""
    core = "numpy._core" if np.lib.NumpyVersion(np.__version__) >= "2.0.0" else "numpy.core"
    capsule, get = import_module(f"{core}._multiarray_umath")._ARRAY_API, pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = c_void_p, (py_object, c_char_p)
    table = cast(get(capsule, None), POINTER(c_void_p))
    return {"array": table[_ARRAY], "new_array": table[_NEW_ARRAY]}
