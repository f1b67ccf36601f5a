"""Finds and loads SUNDIALS out of the scikit-sundae wheel; declares the functions that are used. Integrates nothing.

No headers and no linking: the signatures below are those of SUNDIALS 7 (CVODE user guide). Its index type, 32 or 64
bits wide, only ever passes by value in a register, where the wider one serves both.
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

_OBJECT = c_void_p  # N_Vector, SUNMatrix, SUNContext and the rest are all pointers
_COUNT = (c_int, _OBJECT, POINTER(c_long))
_CORE = {
    "SUNContext_Create": (c_int, c_int, POINTER(_OBJECT)),
    "SUNContext_ClearErrHandlers": (c_int, _OBJECT),
    "SUNContext_Free": (c_int, POINTER(_OBJECT)),
    "SUNLinSolFree": (c_int, _OBJECT),
    "SUNMatDestroy": (None, _OBJECT),
    "N_VDestroy": (None, _OBJECT),
    "N_VGetArrayPointer": (_OBJECT, _OBJECT),
}
_CVODE = {
    "N_VMake_Serial": (_OBJECT, c_long, _OBJECT, _OBJECT),
    "SUNDenseMatrix": (_OBJECT, c_long, c_long, _OBJECT),
    "SUNLinSol_Dense": (_OBJECT, _OBJECT, _OBJECT, _OBJECT),
    "CVodeCreate": (_OBJECT, c_int, _OBJECT),
    "CVodeInit": (c_int, _OBJECT, _OBJECT, c_double, _OBJECT),
    "CVodeSVtolerances": (c_int, _OBJECT, c_double, _OBJECT),
    "CVodeSetUserData": (c_int, _OBJECT, _OBJECT),
    "CVodeSetMaxNumSteps": (c_int, _OBJECT, c_long),
    "CVodeSetMaxHnilWarns": (c_int, _OBJECT, c_int),
    "CVodeSetMinStep": (c_int, _OBJECT, c_double),
    "CVodeSetStopTime": (c_int, _OBJECT, c_double),
    "CVodeSetLinearSolver": (c_int, _OBJECT, _OBJECT, _OBJECT),
    "CVode": (c_int, _OBJECT, c_double, _OBJECT, POINTER(c_double), c_int),
    "CVodeGetNumSteps": _COUNT,
    "CVodeGetNumErrTestFails": _COUNT,
    "CVodeFree": (None, POINTER(_OBJECT)),
}


@dataclass(frozen=True)
class Sundials:
    """The two libraries, every function of the tables above declared."""

    core: Any
    cvode: Any


@functools.cache
def locate() -> tuple[Path, Path] | None:
    """The files of the core and of CVODE, which holds the serial vector and the dense solver too; None: absent."""
    found = importlib.util.find_spec("sksundae")
    if found is None or not found.submodule_search_locations:
        return None
    package = Path(found.submodule_search_locations[0])
    # auditwheel, delocate and delvewheel each have their own place for libraries.
    for folder in (package.parent / "scikit_sundae.libs", package / ".dylibs"):
        core, cvode = sorted(folder.glob("*sundials_core*")), sorted(folder.glob("*sundials_cvode[.-]*"))
        if core and cvode:
            return core[0], cvode[0]
    return None


def load() -> Sundials | None:
    """SUNDIALS ready to call; None where it is absent or not of the kind that is known here."""
    paths = locate()
    return _load(*paths) if paths else None


@functools.cache
def _load(core_path: Path, cvode_path: Path) -> Sundials | None:
    try:
        # Not RTLD_GLOBAL: another package may bring another SUNDIALS into the process.
        core, cvode = ctypes.CDLL(str(core_path)), ctypes.CDLL(str(cvode_path))
        _declare(core, _CORE)
        _declare(cvode, _CVODE)
    except (OSError, AttributeError):
        return None
    return Sundials(core, cvode)


def _declare(library: Any, table: Mapping[str, tuple[Any, ...]]) -> None:
    for name, (result, *arguments) in table.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
