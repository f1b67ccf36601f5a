"""A library -> what it declares: name, kind, interface and documentation of each. Instantiates nothing, prints nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from cutset.compiler.diagnostics import did_you_mean
from cutset.compiler.instantiate.library import Library, load_library
from cutset.compiler.options import Options
from cutset.compiler.syntax import tree
from cutset.endings import UsageError


@dataclass(frozen=True)
class Declared:
    """A declaration of a file. `kind` is class, object, function, type or cut class. `interface` has the cuts of a class,
    inherited ones too, each with its class of cuts; the arguments of a function; the values of an enumeration; the variables
    of a class of cuts. `documentation` is the first sentence of what is written behind the name, `place` file:line:column."""

    name: str
    kind: str
    interface: str
    documentation: str
    place: str


def standard_libraries() -> dict[str, Path]:
    """The files of the standard library by the names that `@` includes them with."""
    folder = Path(str(resources.files("cutset.stdlib")))
    return {path.relative_to(folder).with_suffix("").as_posix(): path for path in sorted(folder.rglob("*.mo"))}


def find_library(name: str, folders: tuple[Path, ...]) -> Path:
    """The file of that name, or the library as `@name` would find it in one of the folders or the standard library.
    UsageError where there is none."""
    own = [Path(name), *(folder / end for folder in folders for end in (name, f"{name}.mo"))]
    found = next((path for path in own if _is_file(path)), None) or standard_libraries().get(name.removeprefix("@"))
    if found is None:
        hint = did_you_mean(name, standard_libraries()) or f"libraries are: {', '.join(standard_libraries())}"
        raise UsageError(f"there is no file and no library '{name}'; {hint}")
    return found


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False


def declared_in(path: Path, options: Options) -> tuple[Declared, ...]:
    """What the file declares itself, in the order of its text. ModelError where it or what it includes is wrong."""
    library = load_library(path, options.library_path, options.cache)
    own = [d for d in library.all_names.values() if d.span.source is library.source]
    own += [f for f in library.names[library.source].functions.values() if f.span.source is library.source]
    return tuple(_declared(library, each) for each in sorted(own, key=lambda d: (d.span.line, d.span.column)))


def _declared(library: Library, declared: tree.Declaration) -> Declared:
    match declared:
        case tree.Class():
            kind, interface = "object" if declared.is_object else "class", ", ".join(_cuts(library, declared))
        case tree.Function():
            kind, interface = "function", ", ".join(argument.name for argument in declared.arguments)
        case tree.Type():
            kind, interface = "type", ", ".join(literal.name for literal in declared.literals)
        case tree.CutClass():
            sides = (", ".join(entry.name or "." for entry in side) for side in (declared.across, declared.through))
            kind, interface = "cut class", " / ".join(side for side in sides if side)
    return Declared(declared.name, kind, interface, _first_sentence(declared.documentation), str(declared.span))


def _cuts(library: Library, declared: tree.Class) -> Iterator[str]:
    """`A (Pin)` for each cut, those of superclasses first."""
    said: set[str] = set()
    for owner in _line(library, declared):
        for member in owner.members:
            if isinstance(member, tree.CutDeclaration):
                of_class = f" ({member.class_reference.name})" if member.class_reference else ""
                new = [cut for cut in member.items if cut.name not in said]
                said.update(cut.name for cut in new)
                yield from (f"{cut.name}{of_class}{_parts(cut)}" for cut in new)


def _parts(cut: tree.CutItem) -> str:
    """` [A, B]` for a hierarchical cut."""
    if cut.parts is None:
        return ""
    return f" [{', '.join(':'.join(part.name for part in point.parts) for point in cut.parts)}]"


def _line(library: Library, declared: tree.Class) -> list[tree.Class]:
    """The class and all superclasses that are known, each once, the farthest first."""
    line: list[tree.Class] = []
    waiting = [declared]
    while waiting:
        current = waiting.pop(0)
        if current not in line:
            line.insert(0, current)
            above = (library.find(reference, tree.Class) for reference in current.supers)
            waiting += [found for found in above if isinstance(found, tree.Class)]
    return line


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=[.!?])\s", " ".join(text.split()), maxsplit=1)[0]
