"""A file into a program, or its classes checked, with the cache of parsed files. Loads nothing that a run needs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from cutset.compiler.codegen.program import Program
from cutset.compiler.pipeline import Observer, Options, check_library, compile_model
from cutset.compiler.syntax.cache import TreeCache
from cutset.runtime.cache import private_folder, trim


def options_of(library_path: Iterable[Path]) -> Options:
    """The options of a user: folders for includes, and the cache where there is one."""
    folder = private_folder()
    return Options(library_path=tuple(library_path), cache=TreeCache(folder) if folder else None)


def translate_file(path: Path, name: str | None, options: Options, observer: Observer) -> Program:
    """The program of the object `name`, of the last one where None. ModelError with all mistakes."""
    program = compile_model(path, name, options, observer)
    _empty(options.cache)
    return program


def check_classes(path: Path, options: Options) -> tuple[str, ...]:
    """Checks each class of a file by itself, as far as that goes without values and connections, and gives their names.
    ModelError with all mistakes."""
    names = check_library(path, options)
    _empty(options.cache)
    return names


def _empty(cache: TreeCache | None) -> None:
    """Keeps the cache below its limit."""
    if cache and cache.has_grown:
        trim(cache.folder)
