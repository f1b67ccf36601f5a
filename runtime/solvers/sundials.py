"""Finds and loads SUNDIALS from the scikit-sundae wheel, and declares the functions used. Integrates nothing.

Needs no headers and no linking: the signatures below are those of SUNDIALS 7 (user guides of CVODE and IDA). Its index
type, 32 or 64 bits wide, is only passed by value in a register, where the wider one serves both.
"""

from __future__ import annotations

import ctypes
import functools
import importlib.util
from collections.abc import Mapping
from ctypes import POINTER, c_double, c_int, c_long, c_void_p
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_OBJECT = c_void_p  # N_Vector, SUNMatrix, SUNContext and the others are pointers
_COUNT = (c_int, _OBJECT, POINTER(c_long))
# The result and the arguments of each function.
_Table = Mapping[str, tuple[Any, ...]]

_CORE: _Table = {
    "SUNContext_Create": (c_int, c_int, POINTER(_OBJECT)),
    "SUNContext_ClearErrHandlers": (c_int, _OBJECT),
    "SUNContext_Free": (c_int, POINTER(_OBJECT)),
    "SUNLinSolFree": (c_int, _OBJECT),
    "SUNMatDestroy": (None, _OBJECT),
    "N_VDestroy": (None, _OBJECT),
    "N_VGetArrayPointer": (_OBJECT, _OBJECT),
}
# The same in the libraries of CVODE and IDA.
_LINEAR: _Table = {
    "N_VMake_Serial": (_OBJECT, c_long, _OBJECT, _OBJECT),
    "SUNDenseMatrix": (_OBJECT, c_long, c_long, _OBJECT),
    "SUNDenseMatrix_Data": (_OBJECT, _OBJECT),
    "SUNLinSol_Dense": (_OBJECT, _OBJECT, _OBJECT, _OBJECT),
    "SUNBandMatrix": (_OBJECT, c_long, c_long, c_long, _OBJECT),
    "SUNBandMatrix_Data": (_OBJECT, _OBJECT),
    "SUNLinSol_Band": (_OBJECT, _OBJECT, _OBJECT, _OBJECT),
}
# With the prefix CVode or IDA.
_SOLVER: _Table = {
    "SVtolerances": (c_int, _OBJECT, c_double, _OBJECT),
    "SetUserData": (c_int, _OBJECT, _OBJECT),
    "SetMaxNumSteps": (c_int, _OBJECT, c_long),
    "SetMinStep": (c_int, _OBJECT, c_double),
    "SetStopTime": (c_int, _OBJECT, c_double),
    "SetMaxStep": (c_int, _OBJECT, c_double),
    "GetDky": (c_int, _OBJECT, c_double, c_int, _OBJECT),
    "SetLinearSolver": (c_int, _OBJECT, _OBJECT, _OBJECT),
    "SetJacFn": (c_int, _OBJECT, _OBJECT),
    "GetNumSteps": _COUNT,
    "GetNumErrTestFails": _COUNT,
    "Free": (None, POINTER(_OBJECT)),
}
_CVODE: _Table = {
    "CVodeCreate": (_OBJECT, c_int, _OBJECT),
    "CVodeInit": (c_int, _OBJECT, _OBJECT, c_double, _OBJECT),
    "CVodeSetMaxHnilWarns": (c_int, _OBJECT, c_int),
    "CVode": (c_int, _OBJECT, c_double, _OBJECT, POINTER(c_double), c_int),
    **_LINEAR,
    **{"CVode" + name: types for name, types in _SOLVER.items()},
}
_IDA: _Table = {
    "IDACreate": (_OBJECT, _OBJECT),
    "IDAInit": (c_int, _OBJECT, _OBJECT, c_double, _OBJECT, _OBJECT),
    "IDASolve": (c_int, _OBJECT, c_double, POINTER(c_double), _OBJECT, _OBJECT, c_int),
    **_LINEAR,
    **{"IDA" + name: types for name, types in _SOLVER.items()},
}


@dataclass(frozen=True)
class Sundials:
    """The loaded libraries, with all functions of the tables above declared."""

    core: Any
    cvode: Any
    ida: Any


@functools.cache
def locate() -> tuple[Path, Path, Path] | None:
    """The files of the core, of CVODE and of IDA, which also contain the serial vector and the matrices; None if
    absent."""
    spec = importlib.util.find_spec("sksundae")
    if spec is None or not spec.submodule_search_locations:
        return None
    package = Path(spec.submodule_search_locations[0])
    # auditwheel, delocate and delvewheel each use another folder for libraries.
    for folder in (package.parent / "scikit_sundae.libs", package / ".dylibs"):
        files = [sorted(folder.glob(f"*sundials_{name}[.-]*")) for name in ("core", "cvode", "ida")]
        if all(files):
            core, cvode, ida = (found[0] for found in files)
            return core, cvode, ida
    return None


def load() -> Sundials | None:
    """SUNDIALS ready to call; None if it is absent or of an unknown version."""
    paths = locate()
    return _load(*paths) if paths else None


@functools.cache
def _load(*paths: Path) -> Sundials | None:
    try:
        # Not RTLD_GLOBAL: another package may load another SUNDIALS into the process.
        libraries = [ctypes.CDLL(str(path)) for path in paths]
        for library, table in zip(libraries, (_CORE, _CVODE, _IDA), strict=True):
            _declare(library, table)
    except (OSError, AttributeError):
        return None
    return Sundials(*libraries)


def _declare(library: Any, table: _Table) -> None:
    for name, (result, *arguments) in table.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
