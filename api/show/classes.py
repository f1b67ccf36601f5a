"""Lists what a library offers: name, kind, interface, parameters and documentation of each class.

Instantiates nothing, prints nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cutset.api.files.exit_errors import UsageError
from cutset.compiler.diagnostics import Source, did_you_mean
from cutset.compiler.instantiate.names.foreign_files import is_file
from cutset.compiler.instantiate.names.library import load_library
from cutset.compiler.instantiate.names.standard_libraries import enumerated, libraries_with
from cutset.compiler.options import Options
from cutset.compiler.syntax import tree
from cutset.compiler.syntax.print import print_sides
from cutset.lsp.facts import quantity, size_of
from cutset.lsp.symbols import Lookup
from cutset.stdlib import FOLDER


@dataclass(frozen=True)
class Parameter:
    """A parameter of a class as declared: `name` includes its dimensions, as r(3); `default` is the text of its value.
    Missing facts are empty."""

    name: str
    unit: str
    default: str
    documentation: str


@dataclass(frozen=True)
class Declared:
    """A declaration of a file. `kind` is class, object, function, type or cut class. `interface` lists the cuts of a
    class with their cut classes, inherited ones too; the arguments of a function; the values of an enumeration; or the
    variables of a cut class. `documentation` is the first sentence of the comment, `place` is file:line:column.
    `parameters` are those of a class, inherited ones too."""

    name: str
    kind: str
    interface: str
    documentation: str
    place: str
    parameters: tuple[Parameter, ...] = ()


def standard_libraries() -> dict[str, Path]:
    """The files of the standard library by the names with which `@` includes them."""
    folder = Path(FOLDER)
    return {path.relative_to(folder).with_suffix("").as_posix(): path for path in sorted(folder.rglob("*.mo"))}


def is_library(name: str, folders: tuple[Path, ...]) -> bool:
    """True for a file, or the name of a library in the folders or in the standard library. A path or the name of a
    model file that does not exist counts as one, since it is no word to search for."""
    own = (folder / end for folder in folders for end in (name, f"{name}.mo"))
    is_path = not name or name.startswith("@") or name.endswith(".mo") or "/" in name
    return is_path or name in standard_libraries() or any(is_file(path) for path in (Path(name), *own))


def find_library(name: str, folders: tuple[Path, ...]) -> Path:
    """The file with that name, or the library that `@name` finds in the folders or in the standard library. UsageError
    if there is none."""
    own = [Path(name), *(folder / end for folder in folders for end in (name, f"{name}.mo"))]
    found = next((path for path in own if is_file(path)), None) or standard_libraries().get(name.removeprefix("@"))
    if found is None:
        whole = [each for each in standard_libraries() if "/" not in each]
        hint = did_you_mean(name, standard_libraries()) or f"the libraries are: {', '.join(whole)}"
        if libraries := libraries_with(name):
            hint = f"it is a class of {enumerated(libraries, 'and')}: cutset classes {libraries[0]}"
        raise UsageError(f"there is no file and no library '{name}', and no class with this word; {hint}")
    return found


def matching_classes(
    words: Sequence[str], found: Mapping[str, tuple[Declared, ...]]
) -> dict[str, tuple[Declared, ...]]:
    """The declarations whose name, documentation or library contains each of the words, by library; libraries without
    any are omitted."""
    lowered = [word.lower() for word in words]
    kept = {
        library: tuple(
            each
            for each in declared
            if all(word in f"{library} {each.name} {each.documentation}".lower() for word in lowered)
        )
        for library, declared in found.items()
    }
    return {library: declared for library, declared in kept.items() if declared}


def declared_in(name: str, path: Path, options: Options) -> dict[str, tuple[Declared, ...]]:
    """The declarations of a library by file name, each in the order of its text: the file itself under `name`, and the
    files in the folder of the same name, which are its parts; for a whole library, also the parts of others that it
    includes. A file without declarations offers everything that it includes, under the names used there. ModelError if
    one of the files has errors."""
    library = load_library(path, options.library_path, options.cache)
    names = {id(d): known for known, d in library.all_names.items()}
    lookup = Lookup(library)
    root, folder = library.source, os.path.abspath(path.with_suffix("")) + os.sep
    files = {os.path.abspath(source.name) for source in library.names}
    home = os.path.dirname(os.path.abspath(root.name))
    is_whole = not os.path.isfile(_library_of(root.name))

    def is_part(source: Source) -> bool:
        whole = _library_of(source.name)
        is_shared = is_whole and whole not in files and os.path.dirname(whole) == home
        return os.path.abspath(source.name).startswith(folder) or is_shared

    of_root = _of_file(lookup, root, names)
    shown = [source for source in library.names if source is not root and (not of_root or is_part(source))]
    found = {root: of_root} | {source: _of_file(lookup, source, names) for source in shown}
    labels = {os.path.abspath(file): known for known, file in standard_libraries().items()}
    listed = {source: labels.get(os.path.abspath(source.name), source.name) for source in found} | {root: name}
    return {listed[source]: own for source, own in found.items() if own or (source is root and not any(found.values()))}


def _library_of(part: str) -> str:
    """The file of the library of which a file would be a part."""
    return f"{os.path.dirname(os.path.abspath(part))}.mo"


def _of_file(lookup: Lookup, source: Source, names: Mapping[int, str]) -> tuple[Declared, ...]:
    library = lookup.library
    own: list[tree.Declaration] = [d for d in library.all_names.values() if d.span.source is source]
    prefix = names[id(own[0])].removesuffix(own[0].name) if own else ""
    own += [f for f in library.names[source].functions.values() if f.span.source is source]
    return tuple(described(lookup, each, prefix) for each in sorted(own, key=lambda d: (d.span.line, d.span.column)))


def described(lookup: Lookup, declared: tree.Declaration, prefix: str = "") -> Declared:
    """What describes a declaration, whose name has a prefix where it is listed."""
    parameters: tuple[Parameter, ...] = ()
    match declared:
        case tree.Class():
            kind, interface = "object" if declared.is_object else "class", ", ".join(_cuts(lookup, declared))
            parameters = tuple(_parameters(lookup, declared))
        case tree.Function():
            kind, interface = "function", ", ".join(argument.name for argument in declared.arguments)
        case tree.Type():
            kind, interface = "type", ", ".join(literal.name for literal in declared.literals)
        case tree.CutClass():
            kind, interface = "cut class", print_sides(declared)
    return Declared(
        prefix + declared.name, kind, interface, _first_sentence(declared.documentation), str(declared.span), parameters
    )


def _cuts(lookup: Lookup, declared: tree.Class) -> Iterator[str]:
    """`A (Pin)` for each cut, those of superclasses first."""
    for each in lookup.members(declared).points.values():
        if isinstance(each.node, tree.CutItem) and isinstance(each.declaration, tree.CutDeclaration):
            reference = each.declaration.class_reference
            yield f"{each.name}{size_of(each.node)}{f' ({reference.name})' if reference else ''}{_parts(each.node)}"


def _parameters(lookup: Lookup, declared: tree.Class) -> Iterator[Parameter]:
    """The parameters, those of superclasses first. A redeclared one keeps the facts that it does not give again."""
    for name, each in lookup.members(declared).values.items():
        if each.kind == "parameter":
            facts = quantity(each, lookup, declared)
            shape = f"({facts.shape})" if facts.shape else ""
            yield Parameter(name + shape, facts.unit, facts.value, _first_sentence(facts.documentation))


def _parts(cut: tree.CutItem) -> str:
    """` [A, B]` for a hierarchical cut."""
    if cut.parts is None:
        return ""
    return f" [{', '.join(point.span.text for point in cut.parts)}]"


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=[.!?])\s", " ".join(text.split()), maxsplit=1)[0]
