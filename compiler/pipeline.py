"""Runs the compiler: one line per stage, no logic. Text -> ... -> Program -> SourceFiles. Holds all results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeAlias

from cutset.compiler.codegen.emit import emit as files_of
from cutset.compiler.codegen.lower import lower
from cutset.compiler.codegen.program import Program
from cutset.compiler.collection import collection_paused
from cutset.compiler.diagnose.explain import closing_elements, explained, repeated_equations
from cutset.compiler.diagnostics import ModelError
from cutset.compiler.expressions.pool import TooLarge
from cutset.compiler.flatten.aliases import eliminate_aliases
from cutset.compiler.flatten.closed_loops import with_closed_loops
from cutset.compiler.flatten.closing_joints import with_loops_closed
from cutset.compiler.flatten.connect import flatten
from cutset.compiler.flatten.model import EquationSystem, FlatModel
from cutset.compiler.flatten.prescribed import with_prescribed
from cutset.compiler.flatten.rotations import with_rotations_solved
from cutset.compiler.function.definition import Function
from cutset.compiler.function.equations import FunctionModel, function_model
from cutset.compiler.function.outputs import no_events, no_start, solved_function
from cutset.compiler.instantiate import messages
from cutset.compiler.instantiate.instance import Instance
from cutset.compiler.instantiate.instantiate import instantiate
from cutset.compiler.instantiate.names.library import Library, load_library
from cutset.compiler.instantiate.standalone_checks import Declarations, check_declarations
from cutset.compiler.instantiate.stop_condition import with_stop
from cutset.compiler.observer import Observer
from cutset.compiler.options import Options
from cutset.compiler.reduce.reduce import reduce_system
from cutset.compiler.reduce.repeated import without_repeated
from cutset.compiler.reduce.system import ReducedSystem
from cutset.compiler.sort.apply import apply_plan
from cutset.compiler.sort.connection_tree import ConnectionTrees
from cutset.compiler.sort.disturbed import with_disturbances
from cutset.compiler.sort.events import solve_events
from cutset.compiler.sort.incidence import incidence_of
from cutset.compiler.sort.redundancy import Independent, with_solutions, without_redundancy
from cutset.compiler.sort.selection import Selection, select_sets
from cutset.compiler.sort.sensitivities import with_sensitivities
from cutset.compiler.sort.solve import solve
from cutset.compiler.sort.stabilized import stabilized
from cutset.compiler.sort.start import solve_start
from cutset.compiler.sort.state_select import check_state_select
from cutset.compiler.sort.system import SolvedEvents, SolvedSystem, SortedSystem, Start
from cutset.compiler.sort.unreduced import Unreduced, unreduced
from cutset.compiler.structure.analyze import analyze
from cutset.compiler.structure.plan import Incidence, StructuralPlan


class Results:
    """What is translated, the object `name` of the file at `path`, and the result of each stage under its name. The
    library is given if the file was read before."""

    parse: Library
    instantiate: Instance
    flatten: FlatModel
    function: FunctionModel
    aliases: EquationSystem
    incidence: Incidence
    redundancy: Independent
    analyze: StructuralPlan
    reduce: ReducedSystem
    select: Selection
    sort: SortedSystem
    unreduced: Unreduced
    lower_unreduced: Program
    solve: SolvedSystem
    outputs: SolvedSystem
    start: Start
    events: SolvedEvents
    lower: Program
    both: Program

    def __init__(self, path: Path, name: str | None, options: Options, observer: Observer, library: Library | None):
        self.path, self.name, self.options, self.observer, self.library = path, name, options, observer, library
        self._closing: dict[str, tuple[str, ...]] | None = None

    def closing(self) -> dict[str, tuple[str, ...]]:
        """The elements that close loops, searched once. No closure: a cycle would keep all results."""
        if self._closing is None:
            self._closing = closing_elements(self.flat)
        return self._closing

    @property
    def flat(self) -> FlatModel:
        """The equations to solve: those of the function, if one is translated instead of the model."""
        return self.function.flat if "function" in vars(self) else self.flatten

    @property
    def not_searched(self) -> int:
        """The number of equations that close loops if they are too many to be searched, otherwise 0."""
        return self.redundancy.not_searched if "redundancy" in vars(self) else 0

    @property
    def of_function(self) -> Function:
        """The function that is translated instead of the model."""
        assert self.options.function is not None
        return self.options.function


__all__ = ["Declarations", "Observer", "Options", "check_library", "compile_model", "emit", "read_library"]

# Stages by name, in order: each takes the results of those before it.
Stages: TypeAlias = dict[str, Callable[[Results], object]]
READ: Stages = {
    "parse": lambda r: r.library or read_library(r.path, r.options),
    "instantiate": lambda r: with_loops_closed(
        lambda values: instantiate(
            with_stop(r.parse, r.name, r.options.until), r.name, r.options.unfold, values,
            r.options.allow_external, r.options.fold, r.observer, r.options.perturbed, r.options.draft,
        ),
        dict(r.options.structural),
    ),
    "flatten": lambda r: with_rotations_solved(
        with_prescribed(
            flatten(r.instantiate, r.options.started, r.options.unfold, r.options.terminals),
            r.options.known, r.options.find,
        )
    ),
}  # fmt: skip
SORT: Stages = {
    "aliases": lambda r: without_repeated(
        eliminate_aliases(r.flat, r.closing, r.options.disturbed), partial(repeated_equations, r.flat)
    ),
    "incidence": lambda r: incidence_of(r.aliases),
    "redundancy": lambda r: with_solutions(
        without_redundancy(r.flat, r.aliases, r.incidence, r.closing), partial(with_closed_loops, closing=r.closing)
    ),
    "analyze": lambda r: analyze(r.redundancy.incidence, differentiation=r.redundancy.differentiation),
    "reduce": lambda r: reduce_system(
        with_disturbances(r.redundancy.system, r.analyze, r.options.disturbed), r.redundancy.incidence, r.analyze
    ),
    "select": lambda r: select_sets(
        r.reduce.system,
        r.reduce.plan,
        r.options.preferences,
        check_state_select(r.flat, r.reduce.system, r.reduce.plan),
    ),
    "sort": lambda r: apply_plan(r.select.system, r.select.plan, has_events=r.options.function is None),
}
SOLVE: Stages = {
    "solve": lambda r: solve(r.sort, ConnectionTrees(r.flat, r.sort.system) if r.options.passes.factors else None)
}
START: Stages = {"start": lambda r: solve_start(r.sort)}
LOWER: Stages = {
    "events": lambda r: solve_events(r.solve),
    "lower": lambda r: lower(
        *with_sensitivities(r.solve, r.start, r.events, r.options.sensitivities, r.options.given),
        r.options.passes,
    ),
}  # fmt: skip
# All unknowns and equations stay, for the methods bdf (unreduced) and ggl (stabilized).
UNREDUCED: Stages = {"unreduced": lambda r: unreduced(r.sort, r.start)}
STABILIZED: Stages = {"unreduced": lambda r: stabilized(r.reduce.system, r.reduce.plan, r.select)}
LOWER_UNREDUCED: Stages = {
    "lower_unreduced": lambda r: lower(r.unreduced.solved, r.unreduced.start, r.unreduced.events, r.options.passes)
}
BOTH: Stages = {"both": lambda r: replace(r.lower, unreduced=r.lower_unreduced)}
FUNCTION: Stages = {"function": lambda r: function_model(r.flatten, r.of_function)}
LOWER_FUNCTION: Stages = {
    "outputs": lambda r: solved_function(r.solve, r.function),
    "lower": lambda r: lower(r.outputs, no_start(), no_events(), r.options.passes),
}

VARIANTS: dict[str, Stages] = {
    "model": READ | SORT | SOLVE | START | LOWER,
    "model and unreduced": READ | SORT | SOLVE | START | LOWER | UNREDUCED | LOWER_UNREDUCED | BOTH,
    "model and stabilized": READ | SORT | SOLVE | START | LOWER | STABILIZED | LOWER_UNREDUCED | BOTH,
    "unreduced": READ | SORT | START | UNREDUCED | {"lower": LOWER_UNREDUCED["lower_unreduced"]},
    "function": READ | FUNCTION | SORT | SOLVE | LOWER_FUNCTION,
}
# A structural error in these stages is explained by the equations of the model.
EXPLAINED = SORT.keys() | SOLVE.keys()


def compile_model(
    path: Path,
    name: str | None,
    options: Options = Options(),
    observer: Observer | None = None,
    library: Library | None = None,
) -> Program:
    """Translate the object `name` of the file, or its last object if None. `library` is what `read_library` returned
    for the file, if it was read before. ModelError with all errors."""
    results = Results(path, name, options, observer or Observer(), library)
    with translating():
        for stage, run in VARIANTS[options.variant].items():
            with explained(results.flat, results.not_searched) if stage in EXPLAINED else nullcontext():
                setattr(results, stage, results.observer(stage, run(results)))
    return results.both if "both" in vars(results) else results.lower


def emit(program: Program, target: str) -> dict[str, str]:
    """The files of one target, including model.json. KeyError for an unknown target."""
    with collection_paused():
        return files_of(program, target)


def read_library(path: Path, options: Options = Options()) -> Library:
    """The file and everything that it includes. ModelError if a file cannot be read."""
    with translating():
        files = dict(options.instead), options.text, dict(options.unsaved)
        return load_library(path, options.library_path, options.cache, *files)


def check_library(library: Library, options: Options = Options()) -> Declarations:
    """Check each class and function of a file on its own. ModelError with all errors."""
    with translating():
        return check_declarations(library, options.allow_external)


@contextmanager
def translating() -> Iterator[None]:
    """Translates without pauses of garbage collection. ModelError for a model that is too large for this machine."""
    with collection_paused():
        try:
            yield
        except TooLarge as error:
            raise ModelError([messages.too_large(str(error), error.where)]) from error
