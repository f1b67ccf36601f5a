"""Resolves all names of a file: tree -> occurrences, each with the symbol to which it refers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cutset.compiler.diagnostics import Span
from cutset.compiler.instantiate.names.visible import Declaration, find_function
from cutset.compiler.syntax import tree
from cutset.contract.names import split
from cutset.lsp.symbols import Lookup, Symbol, declarations, declared_in, name_span, symbol, symbol_of

_Owner = tree.Class | tree.Function


class Occurrence(NamedTuple):
    """A name in the text at `span`, and what it refers to."""

    span: Span
    symbol: Symbol
    is_declaration: bool = False


def resolve(lookup: Lookup, contents: tree.SyntaxTree) -> list[Occurrence]:
    """The occurrences of a file, in the order of the text. Unknown names and built-in functions are missing."""
    resolver = _Resolver(lookup)
    resolver.file(contents)
    return sorted(resolver.found, key=lambda each: (each.span.line, each.span.column))


class Scope(NamedTuple):
    """The names at a place: of the class or function, and indices of loops, the innermost first."""

    owner: _Owner
    local: dict[str, Symbol]
    indices: tuple[Symbol, ...] = ()

    @property
    def inside(self) -> tree.Class | None:
        """The class; None in a function."""
        return self.owner if isinstance(self.owner, tree.Class) else None


class _Resolver:
    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self.found: list[Occurrence] = []

    def file(self, contents: tree.SyntaxTree) -> None:
        for include in contents.includes:
            self._include(include)
        for declared in declarations(contents):
            self.found.append(Occurrence(declared.span, symbol_of(declared), True))
        for each in contents.types:
            self._type(each)
        for cut_class in contents.cut_classes:
            for entry in cut_class.entries:
                self._entry(entry, cut_class)
        for function in contents.functions:
            self._function(function)
        for each_class in contents.classes:
            self._class(each_class)

    def _include(self, include: tree.Include) -> None:
        names = self._lookup.library.names.get(include.span.source)
        if include.prefix:
            span = _last_word(include.span, include.prefix)
            found = names.prefixes.get(include.prefix) if names else None
            behind = found[1] if found else None
            made = symbol(span, include.prefix, "prefix", behind)
            self.found.append(Occurrence(span, made, True))

    def _type(self, declared: tree.Type) -> None:
        if declared.base:
            self._class_reference(declared.base)
        for literal in declared.literals:
            made = symbol(literal.span, literal.name, "literal", literal, declared, declared)
            self.found.append(Occurrence(literal.span, made, True))

    def _entry(self, entry: tree.CutEntry, owner: tree.CutClass) -> None:
        if entry.name:
            span = name_span(entry.span, entry.name)
            self.found.append(Occurrence(span, symbol(span, entry.name, "cut variable", entry, owner, owner), True))

    # --- functions and classes ---

    def _function(self, function: tree.Function) -> None:
        local = {each.name: each for each in declared_of_function(function)}
        for each in local.values():
            self.found.append(Occurrence(each.span, each, True))
        scope = Scope(function, local)
        self._names(scope, function.arguments, function.result, function.more, function.members)

    def _class(self, declared: tree.Class) -> None:
        members = self._lookup.members(declared)
        scope = Scope(declared, members.values)
        for each in declared_in(declared):
            known = (
                members.classes
                if each.kind == "class parameter"
                else members.points
                if each.kind in ("cut", "node", "path")
                else members.values
            ).get(each.name, each)
            self.found.append(Occurrence(each.span, known, known.key == each.key))
        self._names(scope, declared.supers, declared.class_parameters, declared.members)

    def _names(self, scope: Scope, *nodes: object) -> None:
        """Adds the names in nodes of the tree."""
        stack = [(scope, node) for node in nodes]
        while stack:
            scope, node = stack.pop()
            match node:
                case tree.Reference():
                    self._reference(scope, node)
                case tree.PointReference():
                    self._point(scope, node)
                case tree.ClassReference():
                    self._class_reference(node)
                case tree.For():
                    scope = self._with_indices(scope, node.index)
                case tree.Repeated():
                    scope = self._with_indices(scope, *node.indices)
                case tree.SubmodelDeclaration():
                    self._submodels(scope, node)
            if not isinstance(node, tree.ForIndex | tree.SubmodelDeclaration | tree.Experiment):
                stack += [(scope, part) for part in _parts(node)]

    def _submodels(self, scope: Scope, member: tree.SubmodelDeclaration) -> None:
        reference, owner = member.class_reference, scope.owner
        self._class_reference(reference, owner)
        for item in member.items:
            made = scope.local.get(item.name)
            of = self._lookup.class_of(made, scope.inside) if made and made.kind == "submodel" else None
            if made is None or made.declaration is not member:
                declared = None if reference.file else self._lookup.declared(reference)
                of = declared if isinstance(declared, tree.Class) else of
            for binding in item.bindings:
                self._binding(scope, binding, of)
            self._names(scope, item.dimensions, item.condition)

    def _binding(self, scope: Scope, binding: tree.Binding, of: tree.Class | None) -> None:
        span, target = binding.span, None
        for name in split(binding.name):
            members = self._lookup.members(of) if of else None
            target = members and (members.values.get(name) or members.classes.get(name))
            if not target:
                break
            here = name_span(span, name)
            self.found.append(Occurrence(here, target))
            span = Span(span.source, here.end_line, here.end_column, span.end_line, span.end_column)
            of = self._lookup.class_of(target, of) if target.kind == "submodel" else None
        # The value of a class parameter is a class, and that of a submodel, too: the values of a data sheet.
        if target and target.kind in ("class parameter", "submodel") and isinstance(binding.value, tree.Reference):
            self._class_reference(tree.ClassReference(binding.value.span, tree.dotted(binding.value)), scope.owner)
        else:
            self._names(scope, binding.value)

    def _with_indices(self, scope: Scope, *indices: tree.ForIndex) -> Scope:
        for index in indices:
            self._names(scope, index.range)
            made = symbol(index.span, index.name, "index", index, None, scope.owner)
            self.found.append(Occurrence(index.span, made, True))
            scope = scope._replace(indices=(made, *scope.indices))
        return scope

    def _point(self, scope: Scope, point: tree.PointReference) -> None:
        inside = scope.inside
        for part in point.parts:
            target = self._lookup.members(inside).points.get(part.name) if inside else None
            if target is None:
                return
            self.found.append(Occurrence(_name_of(part), target))
            inside = self._lookup.class_of(target, inside) if target.kind == "submodel" else None

    # --- names ---

    def _class_reference(self, reference: tree.ClassReference, inside: _Owner | None = None) -> None:
        if reference.file:
            return
        *prefixes, last = split(reference.name)
        span = reference.span
        if not prefixes and isinstance(inside, tree.Class):
            parameter = self._lookup.members(inside).classes.get(last)
            if parameter is not None:
                self.found.append(Occurrence(name_span(span, last), parameter))
                return
        rest = self._prefixes(prefixes, span)
        found = self._lookup.declared(reference)
        if found is not None:
            self.found.append(Occurrence(_last_word(rest, last), symbol_of(found)))

    def _prefixes(self, prefixes: Iterable[str], span: Span) -> Span:
        """Adds the prefixes before a name; the span of the rest."""
        source = span.source
        names = self._lookup.library.names
        for prefix in prefixes:
            here = name_span(span, prefix)
            span = Span(span.source, here.end_line, here.end_column, span.end_line, span.end_column)
            found = names[source].prefixes.get(prefix) if source in names else None
            if found is None:
                return span
            include, source = found
            place = _last_word(include.span, prefix)
            self.found.append(Occurrence(here, symbol(place, prefix, "prefix", source)))
        return span

    def _reference(self, scope: Scope, reference: tree.Reference) -> None:
        parts = reference.parts
        first = parts[0]
        target = next((i for i in scope.indices if i.name == first.name), None) or scope.local.get(first.name)
        if target is None:
            self._foreign(parts)
            return
        inside = scope.inside
        for part in parts:
            if part is not first:
                target = self._lookup.members(inside).values.get(part.name) if inside else None
            if target is None:
                return
            self.found.append(Occurrence(_name_of(part), target))
            inside = self._lookup.class_of(target, inside) if target.kind == "submodel" else None

    def _foreign(self, parts: tuple[tree.Part, ...]) -> None:
        """A function of the user, a value of an enumeration or, as the value of a class parameter, a class."""
        names = self._lookup.library.names
        source = parts[0].span.source
        if source not in names:
            return
        last = parts[-1]
        function = find_function(names, parts)
        if function is not None and (last.arguments is not None or not function.arguments):
            self._prefixes([part.name for part in parts[:-1]], parts[0].span.to(last.span))
            self.found.append(Occurrence(_name_of(last), symbol_of(function)))
            return
        found: Declaration | None = self._lookup.named(".".join(part.name for part in parts[:-1]), source)
        literal = (
            next((n for n in found.literals if n.name == last.name), None) if isinstance(found, tree.Type) else None
        )
        if isinstance(found, tree.Type) and literal is not None:
            self._class_reference(
                tree.ClassReference(
                    parts[0].span.to(parts[-2].span), tree.dotted(tree.Reference(parts[0].span, parts[:-1]))
                )
            )
            made = symbol(literal.span, literal.name, "literal", literal, found, found)
            self.found.append(Occurrence(_name_of(last), made))


def declared_of_function(function: tree.Function) -> Iterator[Symbol]:
    """The arguments, the result and the local variables of a function."""
    for argument in (*function.arguments, *((function.result,) if function.result else ()), *function.more):
        yield symbol(argument.span, argument.name, "argument", argument, None, function)
    for member in function.members:
        if isinstance(member, tree.VariableDeclaration):
            for item in member.items:
                yield symbol(item.span, item.name, member.kind, item, member, function)


def _parts(node: object) -> Iterable[object]:
    """What a node of the tree consists of, or the members of a tuple."""
    if type(node) is tuple:
        return node
    return [getattr(node, name) for name in getattr(node, "__slots__", ()) if name != "span"]


def _name_of(part: tree.Part) -> Span:
    span = part.span
    return Span(span.source, span.line, span.column, span.line, span.column + len(part.name))


def _last_word(span: Span, word: str) -> Span:
    """The last occurrence of a word in a span."""
    found = name_span(span, word)
    while True:
        rest = Span(span.source, found.end_line, found.end_column, span.end_line, span.end_column)
        following = name_span(rest, word)
        is_word = span.source.line(following.line)[following.column - 1 : following.end_column - 1] == word
        behind = (following.end_line, following.end_column) > (span.end_line, span.end_column)
        if not is_word or behind or following == found:
            return found
        found = following
