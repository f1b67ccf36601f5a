"""Adds a condition to an object that ends its runs: Library, a name, text of a condition -> Library."""

from __future__ import annotations

from dataclasses import replace

from cutset.compiler.diagnostics import Source
from cutset.compiler.instantiate.instantiate import chosen
from cutset.compiler.instantiate.names.library import Library
from cutset.compiler.syntax.tree import Assertion


def with_stop(library: Library, name: str | None, condition: str) -> Library:
    """The library with `terminate condition` at the end of the object `name`, or of its last object; the same library
    if the text is empty. It has one line. ModelError if it is no expression."""
    if not condition:
        return library
    from cutset.compiler.syntax.parse import parse

    source = Source("until", f'model Until\n  terminate {condition}, ""\nend\n', sees_all=True)
    [member] = parse(source).classes[0].members
    assert isinstance(member, Assertion)
    declared = chosen(library, name)
    stopping = replace(declared, members=(*declared.members, replace(member, text=f"until {condition}")))
    names = {**library.names, source: library.names[declared.span.source]}
    objects = tuple(stopping if each is declared else each for each in library.objects)
    return replace(library, names=names, objects=objects)
