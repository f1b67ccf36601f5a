"""The pipeline: one line per stage, no logic. text -> ... -> Program -> SourceFiles."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeVar

from cutset.compiler.codegen.emit import emit
from cutset.compiler.codegen.lower import lower
from cutset.compiler.codegen.passes import LatePasses
from cutset.compiler.codegen.program import Program
from cutset.compiler.diagnose.explain import explained
from cutset.compiler.diagnostics import ModelError
from cutset.compiler.expressions.pool import TooLarge
from cutset.compiler.flatten.aliases import eliminate_aliases
from cutset.compiler.flatten.connect import flatten
from cutset.compiler.instantiate import messages
from cutset.compiler.instantiate.alone import Declarations, check_declarations
from cutset.compiler.instantiate.instantiate import instantiate
from cutset.compiler.instantiate.library import load_library
from cutset.compiler.sort.apply import apply_plan
from cutset.compiler.sort.events import solve_events
from cutset.compiler.sort.incidence import incidence_of
from cutset.compiler.sort.preferences import check_preferences
from cutset.compiler.sort.selection import select_sets
from cutset.compiler.sort.solve import solve
from cutset.compiler.sort.start import solve_start
from cutset.compiler.sort.system import SolvedSystem
from cutset.compiler.structure.analyse import analyse
from cutset.compiler.syntax.cache import TreeCache

__all__ = ["Declarations", "Observer", "Options", "check_library", "compile_model", "emit", "objects_of"]

T = TypeVar("T")


@dataclass(frozen=True)
class Options:
    """`unfold`: parameters to keep changeable though their value is 0, 1 or -1; `structural`: values of structural
    parameters, instead of the model's own; `library_path`: folders for includes; `cache`: where parsed files are kept;
    `allow_external`: the model may call functions in Python; `passes`: the late passes to be done."""

    unfold: frozenset[str] = frozenset()
    library_path: tuple[Path, ...] = ()
    structural: Mapping[str, float] = field(default_factory=dict)
    cache: TreeCache | None = None
    allow_external: bool = False
    passes: LatePasses = LatePasses()


class Observer(Protocol):
    """Called after every stage with its result, which it hands back: timing, dumps, checks, stops."""

    def __call__(self, stage: str, result: T) -> T: ...


def silent(stage: str, result: T) -> T:
    """The observer that does nothing."""
    return result


@contextmanager
def collection_paused() -> Iterator[None]:
    """Translation makes millions of small objects and no garbage worth looking for: a third of the time saved."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextmanager
def size_in_words() -> Iterator[None]:
    """What is too large for this machine is a mistake of the model like any other."""
    try:
        yield
    except TooLarge as error:
        raise ModelError([messages.too_large(str(error), error.where)]) from error


def compile_model(path: Path, name: str | None, options: Options = Options(), observe: Observer = silent) -> Program:
    """Translates the object `name` of the file (its last where None). Raises ModelError."""
    with collection_paused(), size_in_words():
        return _stages(path, name, options, observe)


def objects_of(path: Path, options: Options = Options()) -> tuple[str, ...]:
    """The names of the objects of a file. Raises ModelError where it cannot be read."""
    with collection_paused(), size_in_words():
        return tuple(declared.name for declared in load_library(path, options.library_path, options.cache).objects)


def check_library(path: Path, options: Options = Options()) -> Declarations:
    """Checks each class and function of a file by itself. Raises ModelError."""
    with collection_paused(), size_in_words():
        return check_declarations(load_library(path, options.library_path, options.cache), options.allow_external)


def _stages(path: Path, name: str | None, options: Options, observe: Observer) -> Program:
    solved = _solved(path, name, options, observe)
    solved.pool.forget()  # the model as it was written is not needed any more
    start = observe("start", solve_start(solved.sorted_system))
    events = observe("events", solve_events(solved))
    return observe("lower", lower(solved, start, events, options.passes))


def _solved(path: Path, name: str | None, options: Options, observe: Observer) -> SolvedSystem:
    library = observe("parse", load_library(path, options.library_path, options.cache))
    instance = observe(
        "instantiate", instantiate(library, name, options.unfold, options.structural, options.allow_external)
    )
    flat = observe("flatten", flatten(instance))
    with explained(flat):
        system = observe("aliases", eliminate_aliases(flat))
        incidence = observe("incidence", incidence_of(system))
        plan = observe("analyse", analyse(incidence))
        check_preferences(flat, system, plan)
        selection = observe("select", select_sets(system, plan))
        sorted_system = observe("sort", apply_plan(selection.system, selection.plan))
        return observe("solve", solve(sorted_system))
