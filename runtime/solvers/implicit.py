"""Describes a solver of SUNDIALS for C, which opens it and keeps it for the next runs of the model."""

from __future__ import annotations

from ctypes import Structure, addressof, byref
from weakref import finalize

from cutset.runtime.c_model import CModel
from cutset.runtime.c_records import Data, Slopes, Solver, address, place_memory
from cutset.runtime.interface import Vector
from cutset.runtime.solvers import sundials
from cutset.runtime.solvers.jacobian import origin
from cutset.runtime.solvers.matrix_layout import layout_of, sparse_layout
from cutset.runtime.solvers.method import Family


class ImplicitSolver:
    """A solver for the model by a method of this family, which one run at a time uses. `record` is how C finds it."""

    def __init__(self, model: CModel, family: Family, library: Structure):
        info, n = model.info, len(model.info.states)
        has_sparse = family.sparse and library.SUNLinSol_SuperLUMT is not None
        index = model.functions.index_size(byref(library)) if has_sparse else 0
        layout = self._layout = sparse_layout(info, index) if index else layout_of(info)
        self._model, self.family = model, family
        slopes = Slopes(n=len(layout.rows), exact=info.has_jacobian, groups=layout.groups, is_banded=layout.banded)
        for name in ("rows", "columns", "places", "diagonal", "sequence", "first", "order", "pointers", "indices"):
            numbers = getattr(layout, name)
            setattr(slopes, name, None if numbers is None else address(numbers))
        slopes.lower, slopes.upper, slopes.index_bytes = layout.lower, layout.upper, index
        slopes.n_sparse = 0 if layout.indices is None else len(layout.indices)
        bound = n - info.n_multipliers
        record = self.record = Solver(
            library=addressof(library), multistep=family.of_cvode or 0, n_tested=bound - info.n_slopes, n_bound=bound
        )
        record.slopes = slopes
        memory = place_memory((record, record.slopes), {"states": n, "entries": len(layout.rows)})
        finalize(self, _closed, model.functions.close, record, memory, library)

    def serve(self, data: Data, nominals: int) -> None:
        """Let the next run use it: its data, and the address of the nominal values of its states."""
        self.record.data, self.record.slopes.nominals, self.record.has_tolerances = addressof(data), nominals, 0

    def free(self) -> None:
        """Let another run use it."""
        self._model.memories.solvers.setdefault(self.family.name, []).append(self)

    @property
    def name(self) -> str:
        """The name of the method, its matrix and the origin of its Jacobian."""
        slopes, layout = self.record.slopes, self._layout
        return f"{self.family.name}, {layout.kind}, {origin(layout, slopes.exact != 0, slopes.by_differences)}"


def solver_for(model: CModel, family: Family | None, data: Data, nominals: Vector) -> ImplicitSolver | None:
    """A solver for a run with these data, which has it until it is free again; None without SUNDIALS."""
    library = sundials.load()
    if library is None or family is None:
        return None
    kept = model.memories.solvers.get(family.name)
    try:
        solver: ImplicitSolver = kept.pop() if kept else ImplicitSolver(model, family, library.functions(family.prefix))
    except IndexError:  # another thread was faster
        solver = ImplicitSolver(model, family, library.functions(family.prefix))
    solver.serve(data, address(nominals))
    return solver


def _closed(close: object, record: Solver, *_kept: object) -> None:
    assert callable(close)
    close(byref(record))
