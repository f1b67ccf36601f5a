"""Repeats the structures of the C loops for ctypes, and gives addresses of arrays.

A test compares their sizes with those in C.
"""

from __future__ import annotations

import ctypes
from ctypes import CFUNCTYPE, POINTER, Structure, c_double, c_int, c_long, c_ssize_t, c_void_p
from typing import Any

from numpy.typing import NDArray

InputsCallback = CFUNCTYPE(None, c_double, POINTER(c_double))
ExternalCallback = CFUNCTYPE(None, c_int, POINTER(c_double), POINTER(c_double))


# The largest numbers of arguments and results of a function, and of axes of a result: CUTSET_GROUPS and so on.
GROUPS, RESULTS, AXES = 3, 2, 2


class Watch(Structure):
    """``struct cutset_watch``."""

    _fields_ = [
        ("n", c_long),
        *((name, c_void_p) for name in ("side", "margin", "armed", "base", "floor", "touch")),
        *((name, c_void_p) for name in ("crossed", "low", "high", "trial", "older", "oldest", "sizes", "z")),
        *((name, c_double) for name in ("older_at", "oldest_at", "pace")),
        *((name, c_long) for name in ("known", "n_watched", "places", "doubtful")),
        *((name, c_void_p) for name in ("watched", "weighed")),
        ("has_free", c_long),
    ]


class Slopes(Structure):
    """``struct cutset_slopes``."""

    _fields_ = [
        ("n", c_long),
        *((name, c_void_p) for name in ("rows", "columns", "places", "diagonal")),
        *((name, c_long) for name in ("exact", "groups")),
        *(
            (name, c_void_p)
            for name in ("sequence", "first", "least", "values", "x", "z", "h", "dx", "shifted", "numbers")
        ),
        ("by_differences", c_long),
    ]


class Sparse(Structure):
    """``struct cutset_sparse``."""

    _fields_ = [
        *((name, c_long) for name in ("pointer_bytes", "index_bytes")),
        *((name, c_void_p) for name in ("pointers", "indices", "pointers_of", "indices_of")),
    ]


class HistoryData(Structure):
    """``struct cutset_history``."""

    _fields_ = [
        *((name, c_void_p) for name in ("starts", "ends", "pieces", "roots", "levels", "values", "delays", "window")),
        *((name, c_void_p) for name in ("found", "values_now", "x", "guesses")),
        *((name, c_double) for name in ("span", "rtol", "atol", "shortest", "longest")),
        *(
            (name, c_double)
            for name in ("reach", "longest_step", "kept_step", "floor", "next", "next_level", "most_levels")
        ),
        *((name, c_long) for name in ("count", "offset", "size", "capacity", "added", "is_full")),
    ]


class SignalsData(Structure):
    """``struct cutset_signals``."""

    _fields_ = [
        *((name, c_void_p) for name in ("breaks", "coefficients", "sizes")),
        ("count", c_long),
        ("window", c_void_p),
    ]


class BranchData(Structure):
    """``struct cutset_branch``."""

    _fields_ = [
        ("n", c_long),
        *((name, c_double) for name in ("t", "t_before")),
        *(
            (name, c_void_p)
            for name in (
                "x",
                "last",
                "before",
                "anchor",
                "motion",
                "found",
                "size",
                "from",
                "from_before",
                "guess",
                "end",
                "z",
                "dz",
            )
        ),
        ("ended", c_double),
        *((name, c_long) for name in ("lost", "solved", "care", "unsolved")),
    ]


class PolesData(Structure):
    """``struct cutset_poles``."""

    _fields_ = [
        *((name, c_void_p) for name in ("rise", "x", "dx", "last_x", "last_dx", "z", "dz", "low", "high")),
        *((name, c_double) for name in ("t", "last_t")),
        *((name, c_long) for name in ("known", "grown", "suspect")),
    ]


class Data(Structure):
    """``struct cutset_data``."""

    _fields_ = [
        *((name, c_void_p) for name in ("array", "inputs")),
        *((name, c_void_p) for name in ("gil_ensure", "check_signals", "clear_error", "gil_release")),
        *((name, c_void_p) for name in ("c", "m", "u", "w", "bad_x")),
        ("bad_t", c_double),
        *(
            (name, c_long)
            for name in ("n_states", "evaluations", "bad_evaluations", "interrupted", "refusals", "tries")
        ),
        ("tried_t", c_double),
        ("watch", Watch),
        *((name, c_void_p) for name in ("order", "states", "rates")),
        ("slopes", Slopes),
        ("n_rates", c_long),
        ("sparse", Sparse),
        ("history", HistoryData),
        ("now", c_void_p),
        ("guesses", c_void_p),
        *((name, c_long) for name in ("n_guesses", "n_guards")),
        ("branch", BranchData),
        ("poles", PolesData),
        ("signals", SignalsData),
        ("forcing", c_void_p),
    ]


class Control(Structure):
    """``struct cutset_control``."""

    _fields_ = [
        ("rtol", c_double),
        ("atol", c_void_p),
        *((name, c_double) for name in ("max_step", "nearest")),
        *((name, c_long) for name in ("max_steps", "detect_stiffness", "has_grown")),
    ]


class TableauData(Structure):
    """``struct cutset_tableau``."""

    _fields_ = [
        *((name, c_long) for name in ("rows", "order")),
        *((name, c_void_p) for name in ("nodes", "weights", "error", "bump")),
    ]


class Report(Structure):
    """``struct cutset_report``."""

    _fields_ = [
        *((name, c_double) for name in ("t", "h", "next")),
        *((name, c_long) for name in ("reached", "steps", "rejected", "crossed", "stiff", "gentle")),
    ]


class Solver(Structure):
    """``struct cutset_sundials``."""

    _fields_ = [
        *((name, c_void_p) for name in ("data", "cvode", "ida", "state", "memory", "y", "dy", "z")),
        *((name, c_void_p) for name in ("y_numbers", "z_numbers", "x")),
        ("max_steps", c_long),
        *((name, c_double) for name in ("longest", "rtol")),
        ("atol", c_void_p),
        *((name, c_void_p) for name in ("restart", "restart_ida", "set_stop", "next_step", "set_shortest")),
        ("set_longest", c_void_p),
        *((name, c_void_p) for name in ("count_steps", "count_failures")),
    ]


class Points(Structure):
    """``struct cutset_points``."""

    _fields_ = [
        *((name, c_long) for name in ("n", "groups", "outputs")),
        ("given", c_void_p * GROUPS),
        ("widths", c_long * GROUPS),
        *((name, c_void_p) for name in ("u", "w", "results", "c")),
    ]


class Shape(Structure):
    """``struct cutset_shape``."""

    _fields_ = [("sizes", c_ssize_t * AXES), ("numbers", c_long), ("axes", c_int)]


class Call(Structure):
    """``struct cutset_call``."""

    _fields_ = [
        *((name, c_void_p) for name in ("get_buffer", "release", "call", "clear_error", "drop", "pack")),
        *((name, c_void_p) for name in ("new_tuple", "new_array", "array", "tuple", "otherwise")),
        ("data", c_long),
        ("shapes", Shape * RESULTS),
        ("points", Points),
    ]


_NOTHING = ctypes.c_double()
_NO_NUMBERS = ctypes.addressof(_NOTHING)


def address(array: NDArray[Any]) -> int:
    """The address of the numbers of a contiguous array; the caller keeps the array alive. Not zero for an empty
    array."""
    if array.size == 0:  # ctypes refuses it, and the exception costs ten times as much
        return _NO_NUMBERS
    try:
        numbers: Any = array
        return ctypes.addressof(ctypes.c_char.from_buffer(numbers))
    except (TypeError, ValueError):  # a read-only array; slower
        pointer: int = array.__array_interface__["data"][0]
        return pointer
