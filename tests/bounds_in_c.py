"""Bounds of a function of time over spans, as the interval arithmetic of c/point/isolate.h computes them."""

from __future__ import annotations

import ctypes
import functools
from ctypes import byref, c_void_p
from types import SimpleNamespace

import numpy as np

from cutset.contract.metadata import TimeCrossing
from cutset.runtime.events.isolation import Isolation
from cutset.runtime.targets.c_files import included
from cutset.runtime.targets.c_records import address
from cutset.runtime.targets.toolchain import find_compiler, shared_library

_TEXT = """#include "driver.h"
#include "isolate.h"
CUTSET_SHARED int cutset_fault, cutset_careful, cutset_lost, cutset_beyond;
CUTSET_SHARED void (*cutset_external)(int k, const double *a, double *r);
void t_reach(struct cutset_isolation *s, double start, double end, double span) { reach(s, start, end, span); }
void t_isolate(struct cutset_isolation *s, double t, const double *c, const double *m, double *rows)
{
    isolate(s, t, c, m, INFINITY, rows);
}
void t_bounds(struct cutset_isolation *s, const double *c, const double *m, long n, const double *lo, const double *hi,
              double *out)
{
    long k;
    compute_fixed(s, 0, c, m);
    for (k = 0; k < n; k++) {
        struct cutset_bounds b = difference_over(s, 0, lo[k], hi[k], c);
        double *row = out + 6 * k;
        row[0] = b.value.lo, row[1] = b.value.hi, row[2] = b.slope.lo, row[3] = b.slope.hi;
        row[4] = difference_at(s, 0, lo[k], c, row + 5);
    }
}
"""


@functools.cache
def _library() -> ctypes.CDLL:
    compiler = find_compiler()
    assert compiler is not None
    with shared_library({"model.c": _TEXT, **included(_TEXT)}, compiler) as path:
        library = ctypes.CDLL(str(path))
    library.t_reach.argtypes = [c_void_p, *[ctypes.c_double] * 3]
    library.t_isolate.argtypes = [c_void_p, ctypes.c_double, *[c_void_p] * 3]
    library.t_bounds.argtypes = [*[c_void_p] * 3, ctypes.c_long, *[c_void_p] * 3]
    return library


class TimeBounds:
    """The difference of the sides of a crossing, with these constants and held values."""

    def __init__(self, crossing: TimeCrossing, c: tuple[float, ...] = (), m: tuple[float, ...] = (), span: float = 1.0):
        self._c, self._m = np.array([*c, 0.0]), np.array([*m, 0.0])
        self.search = Isolation(SimpleNamespace(isolated=(crossing,), forcing=()))
        _library().t_reach(byref(self.search.data), 0.0, span, span)

    def next_change(self, t: float) -> tuple[float, float]:
        """The next instant after t at which the sign changes, and that of the slope there."""
        row = np.zeros(2)
        _library().t_isolate(byref(self.search.data), t, *map(address, (self._c, self._m, row)))
        return float(row[0]), float(row[1])

    def _rows(self, lo: np.ndarray, hi: np.ndarray) -> np.ndarray:
        lo, hi = np.ascontiguousarray(lo, float), np.ascontiguousarray(hi, float)
        rows = np.zeros((len(lo), 6))
        places = map(address, (lo, hi, rows))
        _library().t_bounds(byref(self.search.data), address(self._c), address(self._m), len(lo), *places)
        return rows

    def over(
        self, lo: np.ndarray, hi: np.ndarray
    ) -> tuple[tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]:
        """Bounds of its values and of its slopes over spans, each the lower and the upper ones."""
        rows = self._rows(lo, hi).T
        return (rows[0], rows[1]), (rows[2], rows[3])

    def at(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Its values at instants, and by how much rounding may change them."""
        rows = self._rows(t, t).T
        return rows[4], rows[5]
