"""Gives C what is the same in all runs: the tableaus of methods, and the functions that check for Ctrl-C."""

from __future__ import annotations

import ctypes
import functools
from ctypes import c_void_p

import numpy as np

from cutset.runtime.solvers.tableau import Tableau
from cutset.runtime.targets.c_records import TableauData, address


@functools.cache
def tableau_in_c(tableau: Tableau) -> TableauData:
    """The tableau as C takes it."""
    nodes = np.array([node for node, _ in tableau.rows])
    weights = np.array([weight for _, row in tableau.rows for weight in row])
    arrays = [nodes, weights, np.array(tableau.error), np.array(tableau.bump)]
    data = TableauData(len(tableau.rows), tableau.order, *(address(a) if len(a) else None for a in arrays))
    data.kept = arrays  # as long as the structure points to them
    return data


@functools.cache
def signal_functions() -> dict[str, int | None]:
    """The functions of Python with which C checks for Ctrl-C."""
    api = ctypes.pythonapi
    functions = {
        "gil_ensure": api.PyGILState_Ensure,
        "check_signals": api.PyErr_CheckSignals,
        "clear_error": api.PyErr_Clear,
        "gil_release": api.PyGILState_Release,
    }
    return {name: ctypes.cast(function, c_void_p).value for name, function in functions.items()}
