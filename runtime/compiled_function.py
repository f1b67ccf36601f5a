"""Evaluates a translated function at one point or at many: arrays -> array. Solves nothing."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cutset.runtime.c_model import CModel, Points, address
from cutset.runtime.interface import CompiledModel, Values, Vector

_NONE = np.zeros(0)


class CompiledFunction:
    """The function in a compiled model, for fixed values of parameters: `arguments` are the names of its arguments,
    each with the size of its last axis; `shape` is that of its result. Not for several threads at one time."""

    def __init__(
        self, model: CompiledModel, values: Values, arguments: Sequence[tuple[str, int]], shape: tuple[int, ...]
    ):
        self._arguments, self._shape = tuple(arguments), shape
        self._widths = tuple(size for _, size in arguments)
        self._model, self._values = model, values
        self._in_c = isinstance(model, CModel)
        if isinstance(model, CModel):
            self._prepare(model)

    def _prepare(self, model: CModel) -> None:
        self._u = np.zeros(max(1, sum(self._widths)))
        c, w = self._values.addresses
        points = self._points = Points(groups=len(self._widths), outputs=int(np.prod(self._shape)), c=c, w=w)
        points.u = address(self._u)
        for k, size in enumerate(self._widths):
            points.widths[k] = size
        self._address, self._map, self._connect = ctypes.addressof(points), model.functions.map, model.connect

    def __call__(self, *given: ArrayLike) -> NDArray[np.float64]:
        """The results at points (..., size) for each argument, with equal leading axes: shape (..., *shape). Where the
        function is not defined they are inf or nan. ValueError for other shapes."""
        arrays = [np.ascontiguousarray(each, dtype=float) for each in given]
        lead = arrays[0].shape[:-1]
        for array, size in zip(arrays, self._widths, strict=True):
            if array.shape != (*lead, size):
                raise self._misfit(arrays)
        results = np.empty((*lead, *self._shape))
        if self._in_c:
            self._in_points(arrays, lead, results)
        else:
            self._one_by_one(arrays, results.reshape(-1, int(np.prod(self._shape))))
        return results

    def _in_points(self, arrays: Sequence[Vector], lead: tuple[int, ...], results: Vector) -> None:
        points = self._points
        points.n = int(np.prod(lead)) if lead else 1
        for k, array in enumerate(arrays):
            points.given[k] = address(array)
        points.results = address(results)
        self._connect()
        self._map(self._address)

    def _one_by_one(self, arrays: Sequence[Vector], results: Vector) -> None:
        columns = [array.reshape(-1, size) for array, size in zip(arrays, self._widths, strict=True)]
        for k, row in enumerate(results):
            u = np.concatenate([column[k] for column in columns]) if columns else _NONE
            row[:] = self._model.derivatives(0.0, _NONE, u, self._values, _NONE)

    def _misfit(self, arrays: Sequence[Vector]) -> ValueError:
        wanted = ", ".join(f"{name} (..., {size})" for name, size in self._arguments)
        found = ", ".join(str(array.shape) for array in arrays)
        return ValueError(f"the shapes must be {wanted} with the same leading axes, not {found}")
