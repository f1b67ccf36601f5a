"""Runs the compiler: one line per stage, no logic. Text -> ... -> Program -> SourceFiles."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Protocol, TypeVar

from cutset.compiler.codegen.emit import emit as files_of
from cutset.compiler.codegen.lower import lower
from cutset.compiler.codegen.program import Program
from cutset.compiler.collection import collection_paused
from cutset.compiler.diagnose.explain import closing_elements, explained, repeated_equations
from cutset.compiler.diagnostics import ModelError
from cutset.compiler.expressions.pool import TooLarge
from cutset.compiler.flatten.aliases import eliminate_aliases
from cutset.compiler.flatten.connect import flatten
from cutset.compiler.flatten.model import FlatModel
from cutset.compiler.flatten.prescribed import with_prescribed
from cutset.compiler.function.definition import Function
from cutset.compiler.function.equations import function_model
from cutset.compiler.function.outputs import no_events, no_start, solved_function
from cutset.compiler.instantiate import messages
from cutset.compiler.instantiate.instantiate import instantiate
from cutset.compiler.instantiate.names.library import Library, load_library
from cutset.compiler.instantiate.standalone_checks import Declarations, check_declarations
from cutset.compiler.instantiate.stop_condition import with_stop
from cutset.compiler.options import Options
from cutset.compiler.reduce.reduce import reduce_system
from cutset.compiler.reduce.repeated import without_repeated
from cutset.compiler.reduce.system import ReducedSystem
from cutset.compiler.sort.apply import apply_plan
from cutset.compiler.sort.events import solve_events
from cutset.compiler.sort.incidence import incidence_of
from cutset.compiler.sort.redundancy import without_redundancy
from cutset.compiler.sort.selection import Selection, select_sets
from cutset.compiler.sort.solve import solve
from cutset.compiler.sort.stabilized import stabilized
from cutset.compiler.sort.start import solve_start
from cutset.compiler.sort.state_select import check_state_select
from cutset.compiler.sort.system import SortedSystem
from cutset.compiler.sort.unreduced import Unreduced, unreduced
from cutset.compiler.structure.analyze import analyze

__all__ = ["Declarations", "Observer", "Options", "check_library", "compile_model", "emit"]

T = TypeVar("T")


class Observer(Protocol):
    """Called after every stage with its result, which it returns: timing, dumps, checks, stops."""

    def __call__(self, stage: str, result: T) -> T: ...


def silent(stage: str, result: T) -> T:
    """The observer that does nothing."""
    return result


@contextmanager
def size_in_words() -> Iterator[None]:
    """Reports a model that is too large for this machine as an error of the model."""
    try:
        yield
    except TooLarge as error:
        raise ModelError([messages.too_large(str(error), error.where)]) from error


def compile_model(
    path: Path,
    name: str | None,
    options: Options = Options(),
    observe: Observer = silent,
    library: Library | None = None,
) -> Program:
    """Translate the object `name` of the file, or its last object if None. `library` is what `read_library` returned
    for the file, if it was read before. ModelError with all errors."""
    with collection_paused(), size_in_words():
        return _stages(path, name, options, observe, library)


def emit(program: Program, target: str) -> dict[str, str]:
    """The files of one target, including model.json. KeyError for an unknown target."""
    with collection_paused():
        return files_of(program, target)


def read_library(path: Path, options: Options = Options()) -> Library:
    """The file and everything that it includes. ModelError if a file cannot be read."""
    with collection_paused(), size_in_words():
        return load_library(path, options.library_path, options.cache, options.instead, options.text, options.unsaved)


def check_library(library: Library, options: Options = Options()) -> Declarations:
    """Check each class and function of a file on its own. ModelError with all errors."""
    with collection_paused(), size_in_words():
        return check_declarations(library, options.allow_external)


def _stages(path: Path, name: str | None, options: Options, observe: Observer, library: Library | None) -> Program:
    flat = _flat(path, name, options, observe, library)
    if options.function is not None:
        return _function(flat, options.function, options, observe)
    reduced, selection = _selected(flat, options, observe)
    with explained(flat):
        sorted_system = observe("sort", apply_plan(selection.system, selection.plan))
    if not options.solved:
        return _unreduced(unreduced(sorted_system), options, observe, "lower")
    beside: Program | None = None
    if options.stabilized:
        beside = _unreduced(stabilized(reduced.system, reduced.plan, selection), options, observe, "lower_stabilized")
    elif options.unreduced:
        beside = _unreduced(unreduced(sorted_system), options, observe, "lower_unreduced")
    with explained(flat):
        solved = observe("solve", solve(sorted_system))
    start = observe("start", solve_start(solved.sorted_system))
    events = observe("events", solve_events(solved))
    return replace(observe("lower", lower(solved, start, events, options.passes)), unreduced=beside)


def _unreduced(whole: Unreduced, options: Options, observe: Observer, stage: str) -> Program:
    whole = observe("unreduced", whole)
    return observe(stage, lower(whole.solved, whole.start, whole.events, options.passes))


def _function(flat: FlatModel, function: Function, options: Options, observe: Observer) -> Program:
    model = observe("function", function_model(flat, function))
    with explained(model.flat):
        solved = observe("solve", solve(_sorted(model.flat, options, observe)))
    computed = observe("outputs", solved_function(solved, model))
    return observe("lower", lower(computed, no_start(), no_events(), options.passes))


def _flat(path: Path, name: str | None, options: Options, observe: Observer, library: Library | None) -> FlatModel:
    library = observe("parse", read_library(path, options) if library is None else library)
    if options.until:
        library = with_stop(library, name, options.until)
    tell = partial(observe, "errors")
    values = options.unfold, options.structural
    found = instantiate(library, name, *values, options.allow_external, tell, options.pause, options.fold)
    instance = observe("instantiate", found)
    flat = flatten(instance, options.started, options.unfold, options.terminals)
    return observe("flatten", with_prescribed(flat, options.known, options.find))


def _sorted(flat: FlatModel, options: Options, observe: Observer) -> SortedSystem:
    _, selection = _selected(flat, options, observe)
    with explained(flat):
        return observe("sort", apply_plan(selection.system, selection.plan, has_events=False))


def _selected(flat: FlatModel, options: Options, observe: Observer) -> tuple[ReducedSystem, Selection]:
    with explained(flat):
        closing = cache(partial(closing_elements, flat))
        told = partial(repeated_equations, flat)
        system = observe("aliases", without_repeated(eliminate_aliases(flat, closing), told))
        incidence = observe("incidence", incidence_of(system))
        independent = observe("redundancy", without_redundancy(flat, system, incidence, closing))
    with explained(flat, independent.not_searched):
        plan = observe("analyze", analyze(independent.incidence, differentiation=independent.differentiation))
        reduced = observe("reduce", reduce_system(independent.system, independent.incidence, plan))
        in_vain = check_state_select(flat, reduced.system, reduced.plan)
        selection = observe(
            "select", replace(select_sets(reduced.system, reduced.plan, options.preferences), notes=in_vain)
        )
        return reduced, selection
