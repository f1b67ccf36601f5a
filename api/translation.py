"""A file into a program, or its classes checked, with the cache of parsed files. Loads nothing that a run needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from cutset.compiler.codegen.program import Program
from cutset.compiler.diagnostics import Diagnostic, Label, ModelError
from cutset.compiler.flatten.model import FlatModel
from cutset.compiler.instantiate.names.library import Library
from cutset.compiler.options import Options
from cutset.compiler.pipeline import Declarations, check_library, compile_model, read_library
from cutset.compiler.syntax.cache import TreeCache
from cutset.observer import Enough, Listener, Loose, Observer, Remarks, Sizes
from cutset.runtime.cache import trim, user_cache


def options_of(library_path: Iterable[Path], many_files: bool = False) -> Options:
    """The options of a user: folders for includes, and the cache where there is one, which holds what it has read where
    many files are to be translated."""
    return Options(library_path=tuple(library_path), cache=_cache(many_files))


def translate_file(path: Path, name: str | None, options: Options, observer: Observer) -> Program:
    """The program of the object `name`, of the last one where None. ModelError with all mistakes."""
    options = replace(options, cache=options.cache or _cache())
    program = compile_model(path, name, options, observer)
    _empty(options.cache)
    return program


def loose_ends(path: Path, name: str | None, options: Options) -> tuple[Label, ...]:
    """What looks like a forgotten connection, of a model that can be translated but does not run; what else is wrong is
    not said."""
    loose = Loose()
    with suppress(Enough, ModelError):
        compile_model(path, name, options, Observer([loose, _end_when_flat]))
    return loose.found


def _end_when_flat(stage: str, result: object) -> None:
    if isinstance(result, FlatModel):
        raise Enough


def _cache(many_files: bool = False) -> TreeCache | None:
    disk = user_cache()
    return TreeCache(disk, many_files) if disk else None


class Dependencies:
    """A listener that keeps what a translation depends on: the `texts` of files by their paths, and the places that are
    `absent`, where an included file was looked for."""

    def __init__(self) -> None:
        self.texts: dict[Path, str] = {}
        self.absent: tuple[Path, ...] = ()

    def __call__(self, stage: str, result: object) -> None:
        if isinstance(result, Library):
            self.texts = {Path(source.name): source.text for source in result.names}
            self.absent = result.absent


@dataclass(frozen=True)
class CheckedObject:
    """An object that is right: what each stage has made of it, in words, and the seconds that it took; `loose` is what
    looks like a forgotten connection, `remarks` what is worth saying of the start."""

    name: str
    sizes: tuple[tuple[str, str], ...]
    seconds: Mapping[str, float]
    loose: tuple[Label, ...]
    remarks: tuple[str, ...]


@dataclass(frozen=True)
class CheckedFile:
    """A file that is right: its objects, and what else it declares."""

    objects: tuple[CheckedObject, ...]
    declared: Declarations


def check_file(path: Path, name: str | None, options: Options, listeners: Iterable[Listener] = ()) -> CheckedFile:
    """Translates the object `name`; where None, each object of the file, and checks by itself each class that none of
    them uses. ModelError with the mistakes of all."""
    library, names = None, [name] if name is not None else []
    if name is None:
        library = read_library(path, options)
        names = [declared.name for declared in library.objects]
    mistakes: list[Diagnostic] = []
    objects: list[CheckedObject] = []
    declared = Declarations()
    for each in names:
        sizes, loose, remarks = Sizes(), Loose(), Remarks()
        observer = Observer([*listeners, sizes, loose, remarks])
        with collected(mistakes):
            compile_model(path, each, options, observer)
            objects.append(CheckedObject(each, tuple(sizes.lines), observer.seconds, loose.found, tuple(remarks.notes)))
    if library is not None:
        with collected(mistakes):
            declared = check_library(library, options)
            if not names and not declared:
                compile_model(path, None, options)  # says that there is nothing
    _empty(options.cache)
    if mistakes:
        raise ModelError(sorted(mistakes, key=_place))
    return CheckedFile(tuple(objects), declared)


@contextmanager
def collected(mistakes: list[Diagnostic]) -> Iterator[None]:
    """Takes over what a ModelError brings, but for what is there already."""
    try:
        yield
    except ModelError as error:
        known = {(d.code, d.span, d.span is None and d.message) for d in mistakes}
        mistakes += [d for d in error.diagnostics if (d.code, d.span, d.span is None and d.message) not in known]


def _place(diagnostic: Diagnostic) -> tuple[str, int, int]:
    span = diagnostic.span
    return ("", 0, 0) if span is None else (span.source.name, span.line, span.column)


def _empty(cache: TreeCache | None) -> None:
    """Keeps the cache below its limit."""
    disk = user_cache() if cache and cache.has_grown else None
    if disk:
        trim(disk.folder)
