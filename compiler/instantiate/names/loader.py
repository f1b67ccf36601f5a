"""Reads a model file, what it includes and the other files that they name: file name -> syntax trees, tables, meshes.

Reads no file outside the folder of the model, the library path and the standard library: models are untrusted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from cutset.compiler.diagnostics import STANDARD, Diagnostic, ModelError, Source, Span
from cutset.compiler.instantiate.names import class_messages
from cutset.compiler.instantiate.names.data_files import DataFiles
from cutset.compiler.instantiate.names.file_calls import calls_of, words_of
from cutset.compiler.instantiate.names.foreign_files import ForeignFile, Search, is_file
from cutset.compiler.instantiate.names.table_files import TableFile
from cutset.compiler.instantiate.names.visible import File
from cutset.compiler.syntax.cache import TreeCache
from cutset.compiler.syntax.read import Unreadable, checked_text, is_robot_file, read_text
from cutset.compiler.syntax.tree import START, Class, ClassReference, Include, SubmodelDeclaration, SyntaxTree
from cutset.contract.cache import DiskCache
from cutset.contract.mesh_file import BadMesh, MeshFile, checked_mesh
from cutset.contract.quick_dataclass import dataclass
from cutset.stdlib import FOLDER

if TYPE_CHECKING:
    from cutset.compiler.robots.convert import Converted

# The limit on files of a model.
_MOST_FILES = 1000
_MOST_CHARACTERS = 3_000_000


@dataclass(frozen=True)
class Meshes:
    """The mesh `files` that a model names, each once, and the number of the file, from 1, by the place that names
    it."""

    files: tuple[MeshFile, ...] = ()
    numbers: Mapping[Span, int] = field(default_factory=dict)


def _text_of(
    path: Path, library_path: tuple[Path, ...], store: DiskCache | None
) -> tuple[str, Converted | None, Mapping[str, Path]]:
    """The text of a model file; for a robot the text of its model, the robot, and its meshes by their names in the
    text. FileNotFoundError, Unreadable; ModelError for a robot."""
    text = read_text(path)
    if not is_robot_file(path):
        return text, None, {}
    from cutset.compiler.robots.convert import converted
    from cutset.compiler.robots.meshes import InPlace

    meshes = InPlace()
    robot = converted(path, text, allowed=library_path, placing=meshes, store=store)
    return robot.text, robot, meshes.paths


class Loader:
    """The files still to read, and the results so far."""

    def __init__(
        self,
        library_path: tuple[Path, ...],
        cache: TreeCache | None,
        instead: Mapping[str, str],
        text: str,
        unsaved: Mapping[Path, str],
        is_tolerant: bool = False,
    ):
        self._cache, self._text, self._unsaved, self._is_tolerant = cache, text, unsaved, is_tolerant
        self.instead = {_bare(old): _bare(new) for old, new in instead.items()}
        self._exchanged: dict[Span, str] = {}  # the library that an include names, by its place
        self.diagnostics: list[Diagnostic] = []
        self.files: dict[Source, File] = {}
        self.absent: list[Path] = []
        self.named: list[Path] = []  # by robots
        self._of_robots: dict[str, Mapping[str, Path]] = {}  # mesh files by their names in the text of a robot
        self._seen: dict[tuple[Path, str], File | None] = {}
        self._places: dict[Path, Path] = {}
        self._characters = 0
        self._waiting: list[tuple[Include, Path, File]] = []
        self._standard = Path(FOLDER)
        self._library_path = (*library_path, self._standard)

    def read(self, path: Path, span: Span | None, allowed: tuple[Path, ...], library: str = "") -> File | None:
        """Parse one file, once for each library with which it is included; None (and a diagnostic) if that fails."""
        known = self._place(path), library
        if known not in self._seen:
            self._seen[known] = None
            self._seen[known] = self._read(path, span, allowed, library)
        return self._seen[known]

    def _place(self, path: Path) -> Path:
        """The path without links; each is followed once, since that takes longer than all else about a known file."""
        if path not in self._places:
            self._places[path] = _resolved(path)
        return self._places[path]

    def _read(self, path: Path, span: Span | None, allowed: tuple[Path, ...], library: str) -> File | None:
        try:
            if self._text and span is None:
                text = checked_text(self._text)
            elif (unsaved := self._unsaved.get(self._place(path))) is not None:
                text = checked_text(unsaved)
            else:
                text, robot, meshes = _text_of(
                    path, self._library_path[:-1], self._cache.store if self._cache else None
                )
                self.named += robot.files if robot else ()
                self.absent += robot.absent if robot else ()
                self._of_robots[str(path)] = meshes
        except FileNotFoundError:
            self.diagnostics.append(class_messages.file_not_found(str(path), span, map(str, allowed)))
            return None
        except Unreadable as error:
            self.diagnostics.append(class_messages.file_unreadable(str(path), str(error), span))
            return None
        except ModelError as error:
            self.diagnostics += error.diagnostics
            return None
        self._characters += len(text)
        if len(self._seen) > _MOST_FILES or self._characters > _MOST_CHARACTERS:
            most = f"{_MOST_FILES} files" if len(self._seen) > _MOST_FILES else f"{_MOST_CHARACTERS} characters"
            self.diagnostics.append(class_messages.too_much_text(most, span))
            self._waiting.clear()
            return None
        try:
            shown = self._shown(path) if span or is_robot_file(path) else ""
            tree = self._parsed(Source(str(path), text, shown, library=library))
        except ModelError as error:
            self.diagnostics += error.diagnostics
            return None
        file = self.files[tree.source] = File(tree)
        own = [include for include in tree.includes if include.prefix or not library]
        self._waiting += [(self._exchange(include, path), path.parent, file) for include in own]
        return file

    def _exchange(self, include: Include, path: Path) -> Include:
        """The include, with the library to use instead."""
        if path.is_relative_to(self._standard):
            return include
        for old in (_bare(include.name), _bare(include.library)):
            if old in self.instead:
                self._exchanged[include.span] = old
        return replace(include, name=self._instead_of(include.name), library=self._instead_of(include.library))

    def _instead_of(self, name: str) -> str:
        return self.instead.get(_bare(name), name)

    def check_exchanged(self, root: File) -> None:
        """Report the libraries to replace that no file includes."""
        source = root.contents.source
        for old in self.instead:
            if old not in self._exchanged.values():
                self.diagnostics.append(class_messages.nothing_to_exchange(old, source.name, root.contents.includes))

    def _shown(self, path: Path) -> str:
        """The path in messages for a file of the standard library, whose place differs between machines, and for the
        file of a robot, whose lines are those of the imported text; "" for others."""
        if is_robot_file(path):
            return f"{path}, as imported"
        if not path.is_relative_to(self._standard):
            return ""
        return "/".join([STANDARD, *path.relative_to(self._standard).parts])

    def _parsed(self, source: Source) -> SyntaxTree:
        """The tree of a text. Only valid ones are cached: an invalid file will be edited, and read again anyway."""
        found = self._cache.get(source) if self._cache else None
        if found is None:
            # Loads lark, which the trees of the cache do not need.
            from cutset.compiler.syntax.parse import parse, parse_tolerant

            found, errors = parse_tolerant(source) if self._is_tolerant else (parse(source), ())
            if self._cache and not errors:
                self._cache.put(source, found)
        return found

    def read_includes(self) -> None:
        """Follow includes until none is left; a cycle ends because every file is read once."""
        while self._waiting:
            include, folder, file = self._waiting.pop(0)
            instead = replace(include, name=include.library, library="") if include.library else None
            path, library = self._find(include, folder), self._find(instead, folder) if instead else None
            if path is None or (instead and library is None):
                continue
            known = str(self._place(library)) if library else ""
            is_new = (self._place(path), known) not in self._seen
            included = self.read(path, include.span, (folder,), known)
            if included is not None:
                file.includes.append((include, included.contents.source))
                if path.parent == (folder / include.name).parent:
                    file.of_own_folder.add(included.contents.source)
                if instead and is_new:
                    self._waiting.append((instead, folder, included))

    def foreign_files(self) -> tuple[dict[Span, ForeignFile], dict[Path, str], dict[Span, Class]]:
        """The files of all external functions by the places of these, what was read, and the classes of FMUs by the
        places that name them."""
        search = Search(self._library_path[:-1], self.diagnostics, {}, self.absent)  # without the standard library
        found = {}
        for source, file in self.files.items():
            for function in file.contents.functions:
                known = search.find(function, Path(source.name).parent) if function.external else None
                if known is not None:
                    found[function.span] = known
        fmus, made = {}, dict[tuple[Path, str, frozenset[str]], Class]()
        for source, file in list(self.files.items()):
            for reference, starts in _fmu_references(file.contents):
                from cutset.compiler.instantiate.names.fmus import load_fmu, split_reference  # no other model needs it

                interface, name = split_reference(reference.file)
                path = search.required(name, (Path(source.name).parent, *search.library_path), reference.span)
                if path is not None and (path, interface, starts) not in made:
                    loaded = load_fmu(path, interface, reference.span, starts)
                    if isinstance(loaded, Diagnostic):
                        self.diagnostics.append(loaded)
                        continue
                    contents = self._parsed(Source(str(path), loaded.text))
                    self.files[contents.source] = File(contents)
                    pairs = zip(contents.functions, loaded.names, strict=True)
                    found.update({function.span: ForeignFile(path, (), names) for function, names in pairs})
                    made[path, interface, starts] = contents.classes[0]
                if path is not None and (path, interface, starts) in made:
                    fmus[reference.span] = made[path, interface, starts]
        return found, search.texts, fmus

    def tables(self, files: DataFiles) -> dict[Span, TableFile]:
        """The tables in files that calls name, by the places of these."""
        found = {}
        for file in self.files.values():
            for call in calls_of("table", file.contents):
                try:
                    found[call.span] = files.table(*words_of(call), call.span, call.span)
                except ModelError as error:
                    self.diagnostics += error.diagnostics
        return found

    def data_files(self, folder: Path, texts: dict[Path, str]) -> DataFiles:
        """The files of tables; what is read is added to `texts`."""
        return DataFiles(folder, self._library_path[:-1], texts, self.absent)

    def meshes(self) -> Meshes:
        """The mesh files that calls of `mesh` name, and their numbers."""
        search = Search(self._library_path[:-1], self.diagnostics, {}, self.absent)
        files: dict[Path, MeshFile] = {}
        numbers: dict[Span, int] = {}
        for source, file in self.files.items():
            for call in calls_of("mesh", file.contents):
                name, _ = words_of(call)
                path = self._of_robots.get(source.name, {}).get(name)
                path = path or search.required(name, (Path(source.name).parent, *search.library_path), call.span)
                if path is None:
                    continue
                try:
                    files[path] = files.get(path) or checked_mesh(path)
                    numbers[call.span] = list(files).index(path) + 1
                except BadMesh as error:
                    self.diagnostics.append(class_messages.bad_mesh_file(name, str(error), call.span))
        self.named += files
        return Meshes(tuple(files.values()), numbers)

    def _find(self, include: Include, folder: Path) -> Path | None:
        roots = (folder, *self._library_path)
        outside = False
        for root in roots:
            for name in (include.name, include.name + ".mo"):
                candidate = root / name
                if not is_file(candidate):
                    self.absent.append(candidate)
                    continue
                if self._place(candidate).is_relative_to(self._place(root)):
                    return candidate
                outside = True
        if outside or Path(include.name).is_absolute() or ".." in Path(include.name).parts:
            self.diagnostics.append(class_messages.include_outside(include.name, include.span))
        else:
            searched = [self._shown(r) or str(r) for r in roots]
            old = self._exchanged.get(include.span)
            self.diagnostics.append(
                class_messages.no_library_instead(include.name, old, include.span, searched)
                if old
                else class_messages.file_not_found(include.name, include.span, searched)
            )
        return None


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):  # such as a cycle of links: reading it will report it
        return path


def _bare(name: str) -> str:
    """The name of an included file without its extension."""
    return name.removesuffix(".mo")


def _fmu_references(contents: SyntaxTree) -> Iterator[tuple[ClassReference, frozenset[str]]]:
    """The FMUs, each with the names of the parameters for start values that its submodels give."""
    for declared in contents.classes:
        for member in declared.members:
            if isinstance(member, SubmodelDeclaration) and member.class_reference.file:
                given = (binding.name for item in member.items for binding in item.bindings)
                yield member.class_reference, frozenset(name for name in given if name.endswith(START))
