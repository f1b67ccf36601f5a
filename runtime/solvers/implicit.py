"""Describes Jacobians and solvers of SUNDIALS for C, which opens a solver and keeps it for the next runs."""

from __future__ import annotations

from ctypes import Structure, addressof, byref
from weakref import finalize

from cutset.contract.metadata import ModelInfo
from cutset.runtime.interface import Vector
from cutset.runtime.solvers import sundials
from cutset.runtime.solvers.families import Family
from cutset.runtime.solvers.matrix_layout import Layout, layout_of, sparse_layout
from cutset.runtime.targets.c_records import Data, Slopes, Solver, address, place_memory
from cutset.runtime.targets.engine import Engine


class ImplicitSolver:
    """A solver for the model by a method of this family, which one run at a time uses. `record` is how C finds it."""

    def __init__(self, engine: Engine, family: Family, library: Structure):
        info, n = engine.info, len(engine.info.states)
        has_sparse = family.sparse and library.SUNLinSol_SuperLUMT is not None
        index = engine.functions.index_size(byref(library)) if has_sparse else 0
        self._engine, self.family = engine, family
        self._layout = sparse_layout(info, index) if index else layout_for(engine)
        bound = n - info.n_multipliers
        record = self.record = Solver(
            library=addressof(library), multistep=family.of_cvode or 0, n_tested=bound - info.n_slopes, n_bound=bound
        )
        record.slopes = slopes_in(info, self._layout)
        record.slopes.index_bytes = index
        memory = place_memory((record, record.slopes), memory_sizes(self._layout))
        finalize(self, _closed, engine.functions.close, record, memory, library)

    def serve(self, data: Data, nominals: int) -> None:
        """Let the next run use it: its data, and the address of the nominal values of its states."""
        self.record.data, self.record.slopes.nominals, self.record.has_tolerances = addressof(data), nominals, 0

    def free(self) -> None:
        """Let another run use it."""
        self._engine.memories.solvers[self.family.name].append(self)

    @property
    def name(self) -> str:
        """The name of the method, its matrix and the origin of its Jacobian."""
        return f"{self.family.name}, {self._layout.kind}, {origin(self._layout, self.record.slopes)}"


def solver_for(engine: Engine, family: Family | None, data: Data, nominals: Vector) -> ImplicitSolver | None:
    """A solver for a run with these data, which has it until it is free again; None without SUNDIALS."""
    library = sundials.load()
    if library is None or family is None:
        return None
    kept: list[ImplicitSolver] = engine.memories.solvers.setdefault(family.name, [])
    try:
        solver = kept.pop()
    except IndexError:
        solver = ImplicitSolver(engine, family, library.functions(family.prefix))
    solver.serve(data, address(nominals))
    return solver


def layout_for(engine: Engine) -> Layout:
    """The layout of a matrix that is not sparse."""
    if engine.memories.layout is None:
        engine.memories.layout = layout_of(engine.info)
    layout: Layout = engine.memories.layout
    return layout


def slopes_in(info: ModelInfo, layout: Layout) -> Slopes:
    """The Jacobian as C has it, without its memory, of these `memory_sizes`."""
    slopes = Slopes(n=len(layout.rows), exact=info.has_jacobian, groups=layout.groups, is_banded=layout.banded)
    for name in ("rows", "columns", "places", "diagonal", "sequence", "first", "order", "pointers", "indices"):
        numbers = getattr(layout, name)
        setattr(slopes, name, None if numbers is None else address(numbers))
    slopes.lower, slopes.upper = layout.lower, layout.upper
    slopes.n_sparse = 0 if layout.indices is None else len(layout.indices)
    return slopes


def memory_sizes(layout: Layout) -> dict[str, int]:
    """The numbers of which its sizes are made."""
    return {"states": layout.n, "entries": len(layout.rows)}


def origin(layout: Layout, slopes: Slopes) -> str:
    """The origin of the Jacobian, in words."""
    if slopes.exact:
        count = slopes.by_differences
        return "exact Jacobian" + (f" (not finite at {count} points)" if count else "")
    return f"Jacobian by differences in {layout.groups} groups"


def _closed(close: object, record: Solver, *_kept: object) -> None:
    assert callable(close)
    close(byref(record))
