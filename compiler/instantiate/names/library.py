"""Loads a file and everything that it includes: file name -> Library with the names that each file sees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import TypeVar

from cutset.compiler.diagnostics import Diagnostic, Label, ModelError, Source, Span
from cutset.compiler.instantiate.names import class_messages
from cutset.compiler.instantiate.names.data_files import DataFiles
from cutset.compiler.instantiate.names.foreign_files import ForeignFile
from cutset.compiler.instantiate.names.loader import Loader, Meshes
from cutset.compiler.instantiate.names.suggestions import to_include
from cutset.compiler.instantiate.names.table_files import TableFile
from cutset.compiler.instantiate.names.visible import (
    Declaration,
    File,
    VisibleNames,
    find_visible,
    qualified,
    visible_names,
)
from cutset.compiler.syntax.cache import TreeCache
from cutset.compiler.syntax.tree import Class, ClassReference, CutClass, SyntaxTree, Type
from cutset.contract.names import rpartition, split
from cutset.contract.quick_dataclass import dataclass

T = TypeVar("T")
D = TypeVar("D", bound=Declaration)


@dataclass(frozen=True)
class Library:
    """`names` are the names visible in each file; `objects` those of the file itself, in the order of the text;
    `all_names` the declarations that can be reached from it, by the names that they have there; `absent` the places
    that were searched for an included file before the one where it was found; `instead` the library that is used
    instead of another one, by the name of that one; `foreign` the files of external functions, by the place of the
    function; `fmus` the classes of FMUs and `tables` the tables in files, by the place that names them,
    `data` those that parameters name;
    `foreign_texts` what was read of all of these files; `named` the files that robots name, and the `meshes`;
    `included` the files that the file itself includes, by the places of its includes; `contents` its tree; `hidden`
    remarks on declarations that hide others."""

    source: Source
    names: Mapping[Source, VisibleNames]
    objects: tuple[Class, ...]
    all_names: Mapping[str, Declaration]
    absent: tuple[Path, ...] = ()
    instead: Mapping[str, str] = field(default_factory=dict)
    foreign: Mapping[Span, ForeignFile] = field(default_factory=dict)
    foreign_texts: Mapping[Path, str] = field(default_factory=dict)
    fmus: Mapping[Span, Class] = field(default_factory=dict)
    named: tuple[Path, ...] = ()
    tables: Mapping[Span, TableFile] = field(default_factory=dict)
    data: DataFiles | None = None
    meshes: Meshes = Meshes()
    included: Mapping[Span, Source] = field(default_factory=dict)
    contents: SyntaxTree | None = None
    hidden: tuple[Label, ...] = ()

    @property
    def classes(self) -> dict[str, Class]:
        """The classes and objects that the file can name."""
        return {name: c for name, c in self.all_names.items() if isinstance(c, Class)}

    @property
    def looked_at(self) -> tuple[Path, ...]:
        """The files that were read for it, and the places where an included file was not found."""
        sources = (Path(source.name) for source in self.names)
        return (*sources, *self.foreign_texts, *self.named, *self.missed)

    @property
    def missed(self) -> tuple[Path, ...]:
        """The places where files were searched in vain so far."""
        return self.absent if self.data is None else tuple(self.data.absent)

    @property
    def types(self) -> dict[str, Type]:
        """The types that the file can name."""
        return {name: c for name, c in self.all_names.items() if isinstance(c, Type)}

    @property
    def cut_classes(self) -> dict[str, CutClass]:
        """The cut classes that the file can name."""
        return {name: c for name, c in self.all_names.items() if isinstance(c, CutClass)}

    def to_include(self, reference: ClassReference, kind: type[Type] | type[CutClass]) -> str:
        """The remedy for a name that a file declares which was read, but not included here; '' if none does."""
        files = (d.span.source for d in self.all_of(kind) if d.name == rpartition(reference.name)[2])
        return next((to_include(file, reference.span) for file in files), "")

    def all_of(self, kind: type[D]) -> list[D]:
        """The declarations of this kind in all files, also those that the file itself cannot name."""
        return [d for d in self._declarations() if isinstance(d, kind)]

    def _declarations(self) -> Iterator[Declaration]:
        for source, names in self.names.items():
            yield from (d for d in names.declared.values() if d.span.source is source)

    def find(self, reference: ClassReference, kind: type[T], own: Iterable[str] = ()) -> T | Diagnostic:
        """The declaration of this kind to which the reference refers at its place; otherwise the error, which may
        propose names that only the surrounding class has (`own`)."""
        if reference.file:
            of_fmu = self.fmus.get(reference.span)
            return of_fmu if isinstance(of_fmu, kind) else class_messages.fmu_as_type(reference.file, reference.span)
        *prefixes, name = split(reference.name)
        source = reference.span.source
        behind = find_visible(self.names, source, prefixes)
        if isinstance(behind, str):
            prefixed = {rpartition(n)[0] for n, _ in qualified(self.names, source)} - {""}
            given = (seen.prefixes[behind][0] for seen in self.names.values() if behind in seen.prefixes)
            return class_messages.unknown_prefix(behind, reference.name, reference.span, prefixed, next(given, None))
        found = behind.declared.get(name)
        if isinstance(found, kind):
            return found
        near = {".".join((*prefixes, n)): d for n, d in behind.declared.items()}
        candidates = [n for n, d in near.items() if isinstance(d, kind) and not _is_object(d)]
        around = [n for n, d in qualified(self.names, source) if isinstance(d, kind) and not _is_object(d)]
        here = [n for n in around if rpartition(n)[2] == name]
        files = (d.span.source for d in self._declarations() if d.name == name and isinstance(d, kind))
        known = [*own, *candidates, *around]
        file = next(files, None)
        return class_messages.unknown_class(reference.name, reference.span, known, here, file, self.instead)

    def name_of(self, declared: Declaration) -> str:
        """The name of a declaration as the file itself would write it."""
        return next((name for name, d in self.all_names.items() if d is declared), declared.name)

    def __str__(self) -> str:
        return "\n".join(f"{'object' if c.is_object else 'class'} {name}" for name, c in self.classes.items())


def _is_object(declared: Declaration) -> bool:
    return isinstance(declared, Class) and declared.is_object


def load_library(
    path: Path,
    library_path: tuple[Path, ...] = (),
    cache: TreeCache | None = None,
    instead: Mapping[str, str] | None = None,
    text: str = "",
    unsaved: Mapping[Path, str] | None = None,
) -> Library:
    """Read `path`, or the `text` that is in no file, and, each once, all included files; `unsaved` has the texts of
    files, by their resolved paths, that are used instead of those on the disk. Where one of them includes a library
    that `instead` names, the other library that is given there is included; files of the standard library include what
    they name. Raises ModelError with the errors of all files."""
    loader = Loader(library_path, cache, instead or {}, text, unsaved or {})
    root = loader.read(path, None, (path.parent,))
    loader.read_includes()
    if root is not None:
        loader.check_exchanged(root)
    foreign, texts, fmus = loader.foreign_files()
    data = loader.data_files(path.parent, texts)
    tables, meshes = loader.tables(data), loader.meshes()
    hidden: list[Label] = []
    names = visible_names(loader.files, loader.diagnostics, hidden)
    if loader.diagnostics:
        raise ModelError(loader.diagnostics)
    assert root is not None
    return replace(
        _library(loader, root, names),
        instead=loader.instead,
        foreign=foreign,
        foreign_texts=texts,
        fmus=fmus,
        named=tuple(loader.named),
        tables=tables,
        data=data,
        meshes=meshes,
        hidden=tuple(hidden),
    )


def load_tolerant(
    path: Path, library_path: tuple[Path, ...], cache: TreeCache | None, unsaved: Mapping[Path, str]
) -> Library | None:
    """As `load_library`, but without what has errors: statements, includes, declarations with a name that is taken.
    Without external functions, FMUs and tables. None if the file cannot be read."""
    loader = Loader(library_path, cache, {}, "", unsaved, is_tolerant=True)
    root = loader.read(path, None, (path.parent,))
    loader.read_includes()
    return None if root is None else _library(loader, root, visible_names(loader.files, []))


def _library(loader: Loader, root: File, names: Mapping[Source, VisibleNames]) -> Library:
    contents, reachable = root.contents, dict(qualified(names, root.contents.source))
    objects = tuple(c for c in contents.classes if c.is_object)
    included = {include.span: behind for include, behind in root.includes}
    absent = tuple(loader.absent)
    return Library(contents.source, names, objects, reachable, absent, included=included, contents=contents)
