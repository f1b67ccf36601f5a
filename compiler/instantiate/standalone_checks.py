"""Checks each class and function on its own: finds errors that do not depend on parameters, connections or arguments.

A class that others inherit may use their names, so it is checked as a part of them. Does not check whether the
equations determine the unknowns, which they need not do before anything is connected.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from cutset.compiler.diagnostics import ModelError
from cutset.compiler.instantiate.instantiate import attempt, check_alone, in_order
from cutset.compiler.instantiate.names.library import Library
from cutset.compiler.syntax import tree
from cutset.contract.quick_dataclass import dataclass

# Values of parameters without defaults. Errors that occur with both do not depend on the values: ones fit as sizes and
# indices, and differences of primes are never zero by accident.
_ONES = (1.0,)
_PRIMES = (2.0, 3.0, 5.0, 7.0, 11.0, 13.0, 17.0, 19.0, 23.0)


# Errors about names that the surrounding model of a class provides.
_FROM_OUTSIDE = frozenset({"E258", "E263"})


@dataclass(frozen=True)
class Declarations:
    """The names that a file declares besides its objects, in the order of the text; `looked_at` are the files that were
    read for it, and the places where an included file was not found."""

    classes: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    cut_classes: tuple[str, ...] = ()
    looked_at: tuple[Path, ...] = ()

    def __bool__(self) -> bool:
        return any((self.classes, self.functions, self.types, self.cut_classes))


def check_declarations(library: Library, allow_external: bool = False) -> Declarations:
    """The declarations of the library's own file. Raises ModelError with the errors of all. Classes that an object of
    the file uses are checked with it."""
    own = [c for c in library.classes.values() if c.span.source is library.source and not c.is_object]
    inherited = {id(found) for c in library.all_of(tree.Class) for found in _named(library, c.supers)}
    used = _used(library)
    diagnostics = check_alone(library, allow_external)
    for declared in [c for c in own if id(c) not in inherited | used]:
        _, with_ones = attempt(library, declared, assumed=_ONES, allow_external=allow_external)
        if with_ones:
            _, with_primes = attempt(library, declared, assumed=_PRIMES, allow_external=allow_external)
            places = {(d.code, d.span) for d in with_primes}
            diagnostics += [d for d in with_ones if (d.code, d.span) in places and d.code not in _FROM_OUTSIDE]
    if diagnostics:
        raise ModelError(in_order(diagnostics, library.source.name))
    functions = library.names[library.source].functions.values()
    return Declarations(
        tuple(c.name for c in own),
        tuple(f.name for f in functions if f.span.source is library.source),
        tuple(t.name for t in library.types.values() if t.span.source is library.source),
        tuple(c.name for c in library.cut_classes.values() if c.span.source is library.source),
        library.looked_at,
    )


def _used(library: Library) -> set[int]:
    """The classes that the objects of the file use."""
    used: set[int] = set()
    waiting = list(library.objects)
    while waiting:
        declared = waiting.pop()
        references = [
            *declared.supers,
            *(c for p in declared.class_parameters for c in (p.default, *p.limits) if c),
            *(m.class_reference for m in declared.members if isinstance(m, tree.SubmodelDeclaration)),
        ]
        new = [found for found in _named(library, references) if id(found) not in used]
        used.update(map(id, new))
        waiting += new
    return used


def _named(library: Library, references: Iterable[tree.ClassReference]) -> list[tree.Class]:
    """The classes with these names; other names are omitted, as class parameters are."""
    found = [library.find(reference, tree.Class) for reference in references]
    return [declared for declared in found if isinstance(declared, tree.Class)]
