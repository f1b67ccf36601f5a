"""Defines the symbols of models: what a name refers to, and the members of a class with those of its superclasses."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from cutset.compiler.diagnostics import Source, Span
from cutset.compiler.instantiate.names.library import Library
from cutset.compiler.instantiate.names.visible import Declaration, find_visible
from cutset.compiler.syntax import tree
from cutset.contract.names import split

# Kinds whose value an enclosing model provides by name: all declarations of one name belong together.
SHARED_KINDS = frozenset({"internal", "external"})
# Kinds that other models see.
OUTSIDE = frozenset({"parameter", "terminal", "input", "output", "constant", "cut variable", "submodel"})


class Key(NamedTuple):
    """Identifies a symbol: its file and the place of its name."""

    path: str
    line: int
    column: int


@dataclass(frozen=True, eq=False)
class Symbol:
    """A declared thing. `span` covers its name; `node` is its syntax, `declaration` that of the list that it is an item
    of; `owner` is the class or function in which it is declared, None for those of files."""

    key: Key
    name: str
    kind: str
    span: Span
    node: object = None
    declaration: object = None
    owner: tree.Class | tree.Function | tree.CutClass | tree.Type | None = None

    @property
    def source(self) -> Source:
        """The text that declares it."""
        return self.span.source


@dataclass
class Members:
    """The members of a class by name: `values` are variables and submodels; `points` cuts, nodes, paths and submodels;
    `classes` the class parameters. Of several declarations of one name the first counts, that of the most distant
    superclass; `latest` is the last one, whose value counts."""

    values: dict[str, Symbol] = field(default_factory=dict)
    points: dict[str, Symbol] = field(default_factory=dict)
    classes: dict[str, Symbol] = field(default_factory=dict)
    latest: dict[str, Symbol] = field(default_factory=dict)


def path_of(source: Source) -> str:
    """The absolute path of the file of a source."""
    return os.path.abspath(source.name)


def symbol(
    span: Span,
    name: str,
    kind: str,
    node: object = None,
    declaration: object = None,
    owner: tree.Class | tree.Function | tree.CutClass | tree.Type | None = None,
) -> Symbol:
    """The symbol whose name is written at `span`."""
    if kind in SHARED_KINDS:
        return Symbol(Key(f"internal {name}", 0, 0), name, kind, span, node, declaration, owner)
    return Symbol(Key(path_of(span.source), span.line, span.column), name, kind, span, node, declaration, owner)


def name_span(span: Span, name: str) -> Span:
    """The first occurrence of a name as a word at or after the start of a span; the start if there is none."""
    column = span.column
    pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    for line in range(span.line, max(span.line, span.end_line) + 1):
        found = pattern.search(span.source.line(line), column - 1)
        if found:
            return Span(span.source, line, found.start() + 1, line, found.end() + 1)
        column = 1
    return Span(span.source, span.line, span.column, span.line, span.column + len(name))


def declarations(contents: tree.SyntaxTree) -> list[Declaration]:
    """All declarations of a file, in the order of the text."""
    found: list[Declaration] = [*contents.classes, *contents.functions, *contents.types, *contents.cut_classes]
    return sorted(found, key=lambda each: (each.span.line, each.span.column))


def symbol_of(declared: Declaration) -> Symbol:
    """The symbol of a class, a function, a type or a cut class."""
    match declared:
        case tree.Class():
            kind = "object" if declared.is_object else "class"
        case tree.Function():
            kind = "function"
        case tree.Type():
            kind = "type"
        case tree.CutClass():
            kind = "cut class"
    return symbol(declared.span, declared.name, kind, declared)


def declared_in(owner: tree.Class) -> Iterator[Symbol]:
    """The symbols that a class declares itself, in the order of the text. A default of a terminal is no declaration if
    the terminal is declared elsewhere; it has the kind 'default'."""
    for parameter in owner.class_parameters:
        yield symbol(parameter.span, parameter.name, "class parameter", parameter, None, owner)
    for member in owner.members:
        match member:
            case tree.VariableDeclaration():
                for item in member.items:
                    yield symbol(item.span, item.name, member.kind, item, member, owner)
            case tree.SubmodelDeclaration():
                for sub in member.items:
                    yield symbol(sub.span, sub.name, "submodel", sub, member, owner)
            case tree.CutDeclaration():
                yield from _of_cuts(member, owner)
            case tree.PathDeclaration():
                yield symbol(
                    name_span(_behind_word(member.span), member.name), member.name, "path", member, None, owner
                )
            case tree.NodeDeclaration():
                for node in member.items:
                    yield symbol(node.span, node.name, "node", node, member, owner)


def _behind_word(span: Span) -> Span:
    """The span of a path without the keywords before its name, as it could be named 'path' otherwise."""
    found = re.compile(r"(main\s+)?path\b").match(span.source.line(span.line), span.column - 1)
    return span if found is None else Span(span.source, span.line, found.end() + 1, span.end_line, span.end_column)


def _of_cuts(member: tree.CutDeclaration, owner: tree.Class) -> Iterator[Symbol]:
    for cut in member.items:
        yield symbol(cut.span, cut.name, "cut", cut, member, owner)
        for entry in cut.entries:
            if entry.name:
                yield symbol(name_span(entry.span, entry.name), entry.name, "cut variable", entry, cut, owner)


class Lookup:
    """Looks up names in a library of which parts may be missing."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._members: dict[int, Members] = {}

    def declared(self, reference: tree.ClassReference) -> Declaration | None:
        """What a class reference names in the file where it is written."""
        return self.named(reference.name, reference.span.source)

    def named(self, name: str, source: Source) -> Declaration | None:
        """The class, type or cut class with this name, which may have prefixes, in a file."""
        *prefixes, last = split(name)
        if source not in self.library.names:
            return None
        behind = find_visible(self.library.names, source, prefixes)
        return None if isinstance(behind, str) else behind.declared.get(last)

    def line(self, declared: tree.Class) -> list[tree.Class]:
        """The class and its superclasses, each once, the most distant first."""
        line: list[tree.Class] = []
        waiting = [declared]
        while waiting:
            current = waiting.pop(0)
            if not any(current is each for each in line):
                line.insert(0, current)
                above = (self.declared(reference) for reference in current.supers)
                waiting += [found for found in above if isinstance(found, tree.Class)]
        return line

    def members(self, declared: tree.Class) -> Members:
        """The members of a class and its superclasses."""
        known = self._members.get(id(declared))
        if known is not None:
            return known
        found = self._members[id(declared)] = Members()
        entries: list[Symbol] = []
        for owner in self.line(declared):
            for each in declared_in(owner):
                if each.kind == "class parameter":
                    found.classes.setdefault(each.name, each)
                elif each.kind == "cut variable":
                    entries.append(each)
                    continue
                elif each.kind in ("cut", "node", "path"):
                    found.points.setdefault(each.name, each)
                    entries += self.entries_of_class(each)
                elif each.kind != "default" or each.name not in found.values:
                    found.values.setdefault(each.name, each)
                    if each.kind == "submodel":
                        found.points.setdefault(each.name, each)
                found.latest[each.name] = each
        for each in entries:
            found.values.setdefault(each.name, each)
            found.latest.setdefault(each.name, each)
        return found

    def entries_of_class(self, cut: Symbol) -> list[Symbol]:
        """The variables of a cut that only its cut class names."""
        item, declaration = cut.node, cut.declaration
        if not isinstance(item, tree.CutItem) or not isinstance(declaration, tree.CutDeclaration):
            return []
        if item.across is not None or item.through is not None or declaration.class_reference is None:
            return []
        of_class = self.declared(declaration.class_reference)
        if not isinstance(of_class, tree.CutClass):
            return []
        return [
            symbol(name_span(entry.span, entry.name), entry.name, "cut variable", entry, item, of_class)
            for entry in of_class.entries
            if entry.name
        ]

    def class_of(self, submodel: Symbol, inside: tree.Class | None = None) -> tree.Class | None:
        """The class of a submodel; for a class parameter its default."""
        declaration = submodel.declaration
        if not isinstance(declaration, tree.SubmodelDeclaration):
            return None
        reference = declaration.class_reference
        for owner in (inside, submodel.owner):
            parameter = self.members(owner).classes.get(reference.name) if isinstance(owner, tree.Class) else None
            if parameter is not None:
                node = parameter.node
                known = [node.default, *node.limits] if isinstance(node, tree.ClassParameter) else []
                default = next(filter(None, known), None)
                found = self.declared(default) if default else None
                return found if isinstance(found, tree.Class) else None
        found = self.declared(reference)
        return found if isinstance(found, tree.Class) else None
