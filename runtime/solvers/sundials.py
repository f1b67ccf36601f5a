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
from pathlib import Path
from typing import Any

from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.c_records import Library

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
    "SUNSparseMatrix": (_OBJECT, c_long, c_long, c_long, c_int, _OBJECT),
    "SUNSparseMatrix_Data": (_OBJECT, _OBJECT),
    "SUNSparseMatrix_IndexPointers": (_OBJECT, _OBJECT),
    "SUNSparseMatrix_IndexValues": (_OBJECT, _OBJECT),
    "SUNSparseFromDenseMatrix": (_OBJECT, _OBJECT, c_double, c_int),
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
    "GetCurrentStep": (c_int, _OBJECT, POINTER(c_double)),
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
    "IDASetId": (c_int, _OBJECT, _OBJECT),
    "IDASetSuppressAlg": (c_int, _OBJECT, c_int),
    "IDASetMaxErrTestFails": (c_int, _OBJECT, c_int),
    "IDASetNonlinConvCoef": (c_int, _OBJECT, c_double),
    **_LINEAR,
    **{"IDA" + name: types for name, types in _SOLVER.items()},
}
# The direct solver for sparse matrices, a library of its own that some wheels lack.
_SPARSE: _Table = {
    "SUNLinSol_SuperLUMT": (_OBJECT, _OBJECT, _OBJECT, c_int, _OBJECT),
    "SUNLinSolInitialize_SuperLUMT": (c_int, _OBJECT),
    "SUNLinSolSetup_SuperLUMT": (c_int, _OBJECT, _OBJECT),
}
CSC = 0  # sparse matrices are stored by columns


@dataclass(frozen=True)
class Sparse:
    """The library of the direct solver, and that of its threads, if it uses OpenMP."""

    library: Any
    threads: Any

    def solver(self, vector: int, matrix: int, context: Any) -> int:
        """A new solver for this matrix. It works in the calling thread alone: waking others takes longer than they
        save."""
        if self.threads is not None:
            self.threads.omp_set_num_threads(1)
        made: int = self.library.SUNLinSol_SuperLUMT(vector, matrix, 1, context)
        return made


@dataclass(frozen=True)
class Sundials:
    """The loaded libraries, with all functions of the tables above declared; `sparse` is None if the wheel has no
    direct solver for sparse matrices."""

    core: Any
    cvode: Any
    ida: Any
    sparse: Sparse | None = None

    def functions(self, prefix: str) -> Library:
        """The functions that C calls, with this prefix: CVode or IDA."""
        return _functions(self.core, self.ida if prefix == "IDA" else self.cvode, self.sparse, prefix)


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
    core, cvode, ida = libraries
    return Sundials(core, cvode, ida, _sparse(paths[0]))


def _sparse(core: Path) -> Sparse | None:
    try:
        (path, *_) = sorted(core.parent.glob("*sundials_sunlinsolsuperlumt[.-]*"))
        library = ctypes.CDLL(str(path))
        _declare(library, _SPARSE)
        threads = next((ctypes.CDLL(str(each)) for each in sorted(core.parent.glob("*gomp[.-]*"))), None)
    except (OSError, AttributeError, ValueError):
        return None
    return Sparse(library, threads)


@functools.cache
def index_size() -> int:
    """The number of bytes of an index of a sparse matrix, seen in one that SUNDIALS makes."""
    library = load()
    assert library is not None, "the caller has loaded SUNDIALS"
    context = c_void_p()
    library.core.SUNContext_Create(0, ctypes.byref(context))
    dense = library.ida.SUNDenseMatrix(2, 2, context)
    numbers = (c_double * 4).from_address(library.ida.SUNDenseMatrix_Data(dense))
    numbers[:] = [1.0, 0.0, 0.0, 1.0]
    matrix = library.ida.SUNSparseFromDenseMatrix(dense, 0.0, CSC)
    first = (ctypes.c_int32 * 2).from_address(library.ida.SUNSparseMatrix_IndexPointers(matrix))[1]
    for made in (matrix, dense):
        library.core.SUNMatDestroy(made)
    library.core.SUNContext_Free(ctypes.byref(context))
    return 4 if first == 1 else 8


@functools.cache
def _functions(core: Any, own: Any, sparse: Sparse | None, prefix: str) -> Library:
    places = [each for each in (core, own, sparse and sparse.library, sparse and sparse.threads) if each]
    made = Library()
    for name, *_ in made._fields_:
        found = (getattr(each, own_name, None) for each in places for own_name in (name, prefix + name))
        setattr(made, name, next((ctypes.cast(each, c_void_p).value for each in found if each), None))
    return made


def _declare(library: Any, table: _Table) -> None:
    for name, (result, *arguments) in table.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
