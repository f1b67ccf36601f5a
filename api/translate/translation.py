"""Translates a file into a program, or checks its classes, with the cache of parsed files.

Loads nothing that only a run needs.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from cutset.api.translate.listeners import Enough, Loose, Remarks, Results, Sizes
from cutset.api.translate.records import State, state_of, state_of_file
from cutset.compiler.codegen.program import Program
from cutset.compiler.diagnostics import Diagnostic, Label, ModelError
from cutset.compiler.instantiate.names.library import Library
from cutset.compiler.observer import Listener, Observer
from cutset.compiler.options import Options
from cutset.compiler.pipeline import Declarations, check_library, compile_model, read_library
from cutset.compiler.syntax.cache import TreeCache
from cutset.compiler.syntax.read import is_robot_file
from cutset.contract.cache import package_cache, user_cache
from cutset.contract.quick_dataclass import dataclass
from cutset.stdlib import FOLDER


def options_of(library_path: Iterable[Path], in_editor: bool = False) -> Options:
    """The compiler options of a user: folders for includes, and the cache of parsed files, to which those of an editor
    add nothing."""
    ours = package_cache()
    package = None if ours is None else (os.path.join(FOLDER, ""), ours)
    return Options(library_path=tuple(library_path), cache=TreeCache(user_cache(), package, not in_editor))


def translate_file(path: Path, name: str | None, options: Options, observer: Observer) -> Program:
    """The program of the object `name`, or of the last object if None. ModelError with all errors."""
    options = replace(options, cache=options.cache or options_of(()).cache)
    return compile_model(path, name, options, observer)


def observe_file(path: Path, name: str | None, options: Options, listeners: Iterable[Listener]) -> None:
    """Translate as `translate_file` does, until a listener has enough."""
    with suppress(Enough):
        translate_file(path, name, options, Observer(listeners))


def loose_ends(path: Path, name: str | None, options: Options) -> tuple[Label, ...]:
    """Cuts that look like forgotten connections, in a model that translates but fails to run. Other errors are not
    reported."""
    loose = Loose()
    with suppress(Enough, ModelError):
        compile_model(path, name, options, Observer([loose, Results("flatten")]))
    return loose.found


class Dependencies:
    """A listener that records what a translation depends on: the `texts` of files by path, and the `absent` paths where
    an included file was searched in vain."""

    def __init__(self) -> None:
        self._library: Library | None = None

    @property
    def texts(self) -> dict[Path, str]:
        """What was read, by path."""
        found = self._library
        if found is None:
            return {}
        texts = {Path(source.name): source.text for source in found.names} | dict(found.foreign_texts)
        return texts | dict.fromkeys(found.named, "")

    def states(self, path: Path, options: Options) -> dict[str, State]:
        """The states of the files that the model at this path read, with the paths that it missed. Texts in the options
        are none of them."""
        given = {os.path.realpath(each) for each, _ in options.unsaved}
        own = [path] if options.text else []
        texts = self.texts
        read = [e for e in texts if e not in own and not (given and os.path.realpath(e) in given)]
        states: dict[str, State] = {os.path.abspath(each): self._state(each, texts[each]) for each in read}
        missed = self._library.missed if self._library is not None else ()
        return states | {os.path.abspath(each): None for each in missed}

    def _state(self, path: Path, text: str) -> State:
        """The state of a file with the text that was read; an FMU, a robot and the files that it names have the state
        that they have now."""
        is_named = self._library is not None and path in self._library.named
        is_read_again = is_named or path.suffix.lower() == ".fmu" or is_robot_file(path)
        return state_of_file(path) if is_read_again else state_of(path, text)

    def __call__(self, stage: str, result: object) -> None:
        if isinstance(result, Library):
            self._library = result


@dataclass(frozen=True)
class CheckedObject:
    """A valid object: the size of each stage's result and its time in seconds; `loose` lists what looks like a
    forgotten connection, `remarks` concern the start."""

    name: str
    sizes: tuple[tuple[str, str], ...]
    seconds: Mapping[str, float]
    loose: tuple[Label, ...]
    remarks: tuple[str, ...]


@dataclass(frozen=True)
class CheckedFile:
    """A valid file: its objects, and its other declarations."""

    objects: tuple[CheckedObject, ...]
    declared: Declarations


def check_file(
    path: Path,
    name: str | None,
    options: Options,
    listeners: Iterable[Listener] = (),
    pause: Callable[[], None] = lambda: None,
) -> CheckedFile:
    """Translate the object `name`; if None, each object of the file, and check each class that no object uses. `pause`
    is called often (see `Observer`). ModelError with all errors."""
    library, names = None, [name] if name is not None else []
    if name is None:
        library = read_library(path, options)
        names = [declared.name for declared in library.objects]
    mistakes: list[Diagnostic] = []
    objects: list[CheckedObject] = []
    declared = Declarations()
    for each in names:
        sizes, loose, remarks = Sizes(), Loose(), Remarks()
        observer = Observer([*listeners, sizes, loose, remarks], pause)
        with collected(mistakes):
            compile_model(path, each, options, observer, library)
            objects.append(CheckedObject(each, tuple(sizes.lines), observer.seconds, loose.found, tuple(remarks.notes)))
        if mistakes:
            observer.errors(mistakes)
    if library is not None:
        with collected(mistakes):
            declared = check_library(library, options)
            if not names and not declared:
                compile_model(path, None, options, library=library)  # raises: the file has no object
    if mistakes:
        raise ModelError(sorted(mistakes, key=_place))
    return CheckedFile(tuple(objects), declared)


@contextmanager
def collected(mistakes: list[Diagnostic]) -> Iterator[None]:
    """Collects the diagnostics of a ModelError, each once."""
    try:
        yield
    except ModelError as error:
        known = {(d.code, d.span, d.span is None and d.message) for d in mistakes}
        mistakes += [d for d in error.diagnostics if (d.code, d.span, d.span is None and d.message) not in known]


def _place(diagnostic: Diagnostic) -> tuple[str, int, int]:
    span = diagnostic.span
    return ("", 0, 0) if span is None else (span.source.name, span.line, span.column)
