"""Evaluates a translated function at one point or at many: arrays -> array. Solves nothing."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Sequence
from ctypes import CDLL, POINTER, addressof, c_char_p, c_int, c_void_p, cast, py_object, pythonapi
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from cutset.runtime.interface import CompiledModel, Values, Vector
from cutset.runtime.targets.c_model import CModel
from cutset.runtime.targets.c_records import Call, Points, address

_NONE = np.zeros(0)


class CompiledFunction:
    """The function in a compiled model, for fixed values of parameters: `arguments` are the names of its arguments,
    each with the size of its last axis; `shapes` are those of its results: one, or two in a tuple of the type `kind`.
    Not for several threads at one time."""

    def __init__(
        self,
        model: CompiledModel,
        values: Values,
        arguments: Sequence[tuple[str, int]],
        shapes: Sequence[tuple[int, ...]],
        kind: type[tuple[Any, ...]] | None = None,
    ):
        self._arguments, self._shapes, self._kind = tuple(arguments), tuple(shapes), kind
        self._sizes = [math.prod(shape) for shape in shapes]
        self._widths = tuple(size for _, size in arguments)
        self._model, self._values = model, values
        self._u = np.zeros(max(1, sum(self._widths)))
        self._many: Points | None = None
        # For arrays of one point: as `__call__`, in a fifth of the time.
        self.call: Callable[..., Any] = self.__call__
        if isinstance(model, CModel):
            self._prepare(model)

    def _prepare(self, model: CModel) -> None:
        c, w = self._values.addresses
        one, self._many = (Points(n=1, groups=len(self._widths), outputs=sum(self._sizes), c=c, w=w) for _ in range(2))
        for points in (one, self._many):
            points.u = address(self._u)
            for k, size in enumerate(self._widths):
                points.widths[k] = size
        self._map, self._connect = model.functions.map, None if model.external is None else model.connect
        if self._connect is None:
            self._direct = direct_call(model, one, self._shapes, self._kind, self.__call__)
            self.call = self._direct.function

    def __call__(self, *given: ArrayLike) -> Any:
        """The results at points (..., size) for each argument, with equal leading axes: one array (..., *shape), or two
        in a tuple. Where the function is not defined they are inf or nan. ValueError for other shapes."""
        if len(given) != len(self._widths):
            names = ", ".join(name for name, _ in self._arguments)
            raise ValueError(f"the arguments are {names}, not {len(given)} values")
        return self._at_points([np.ascontiguousarray(each, dtype=float) for each in given])

    def _at_points(self, arrays: Sequence[Vector]) -> Any:
        lead = arrays[0].shape[:-1]
        for array, size in zip(arrays, self._widths, strict=True):
            if array.shape != (*lead, size):
                raise self._misfit(arrays)
        results = np.empty((*lead, sum(self._sizes)))
        if self._many is not None:
            self._fill(self._many, math.prod(lead), arrays, results)
            if self._connect is not None:
                self._connect()
            self._map(ctypes.addressof(self._many))
        else:
            self._one_by_one(arrays, results.reshape(math.prod(lead), results.shape[-1]))
        parts = np.split(results, np.cumsum(self._sizes[:-1]), axis=-1)
        shaped = [part.reshape(*lead, *shape) for part, shape in zip(parts, self._shapes, strict=True)]
        return shaped[0] if self._kind is None else tuple.__new__(self._kind, shaped)

    @staticmethod
    def _fill(points: Points, n: int, arrays: Sequence[Vector], results: Vector) -> None:
        points.n = n
        for k, array in enumerate(arrays):
            points.given[k] = address(array)
        points.results = address(results)

    def _one_by_one(self, arrays: Sequence[Vector], results: Vector) -> None:
        columns = [array.reshape(-1, size) for array, size in zip(arrays, self._widths, strict=True)]
        for k, row in enumerate(results):
            u = np.concatenate([column[k] for column in columns])
            row[:] = self._model.derivatives(0.0, _NONE, u, self._values, _NONE)

    def _misfit(self, arrays: Sequence[Vector]) -> ValueError:
        wanted = ", ".join(f"{name} (..., {size})" for name, size in self._arguments)
        found = ", ".join(str(array.shape) for array in arrays)
        return ValueError(f"the shapes must be {wanted} with the same leading axes, not {found}")


# --- python calls ---------------------------------------------------------------------------------


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
