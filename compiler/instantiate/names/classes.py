"""Collects the members of a class and its superclasses: class name -> ClassBody, indexed by name, without duplicates.

Evaluates nothing: the result is shared by all instances of the class.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from functools import cached_property

from cutset.compiler.diagnostics import Diagnostic, Source, Span
from cutset.compiler.instantiate import messages
from cutset.compiler.instantiate.instance import ValueType
from cutset.compiler.instantiate.names import class_messages
from cutset.compiler.instantiate.names.followed import followed
from cutset.compiler.instantiate.names.given_settings import given_settings
from cutset.compiler.instantiate.names.inheritance import Ancestors, Inherited, captured, declared_names
from cutset.compiler.instantiate.names.library import Library
from cutset.compiler.instantiate.names.meanings import Meanings
from cutset.compiler.instantiate.names.private import with_own_names
from cutset.compiler.instantiate.names.visible import VisibleNames
from cutset.compiler.instantiate.tree import connection_messages
from cutset.compiler.instantiate.types.cut_classes import CutClasses, documented
from cutset.compiler.instantiate.types.inferred import infer_types
from cutset.compiler.instantiate.types.value_types import DeclaredType, Types
from cutset.compiler.syntax import tree
from cutset.compiler.syntax.results import separate
from cutset.contract.names import partition
from cutset.contract.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Declared:
    """A variable of a class and its declaration. kind is 'cut' for one that only a cut names. `default` is the item
    whose value counts (a subclass may give a new default), with its `tolerance`; `attributes` include those of its
    type, and `documentation` is that of its type if it has none; `type_name` is the name of the type. An `is_internal`
    variable can be used in all submodels below; with a value it is a parameter."""

    name: str
    kind: str
    span: Span
    dimensions: tuple[tree.Expression, ...]
    attributes: tuple[tree.Attribute, ...]
    default: tree.Expression | None
    documentation: str
    type: ValueType | None = None
    is_internal: bool = False
    type_name: str = ""
    tolerance: tree.Number | tree.Quantity | None = None

    def attribute(self, name: str) -> tree.Attribute | None:
        """The attribute of that name; the last of several counts."""
        for attribute in reversed(self.attributes):
            if attribute.name == name:
                return attribute
        return None


@dataclass
class ClassBody:
    """What an instance needs to know of its class. Filled once, then read only. Cuts have the dimensions and attributes
    of their class in `cut_classes`, if they have one; `single_cuts` allow one connection. `class_names` holds for a
    submodel the class parameters that its declaration may name, `defaults` the values of terminals that nothing else
    determines, `followed` the values that follow from others, by their identity, `claims` equations that the statements
    must fulfil. `line` has the names and the files of the class and of its superclasses, its own first."""

    name: str
    span: Span
    types: Types
    files: Mapping[Source, VisibleNames]
    documentation: str = ""
    class_parameters: dict[str, tree.ClassParameter] = field(default_factory=dict)
    variables: dict[str, Declared] = field(default_factory=dict)
    submodels: dict[str, tuple[tree.SubmodelItem, tree.ClassReference]] = field(default_factory=dict)
    class_names: dict[str, frozenset[str]] = field(default_factory=dict)
    defaults: dict[str, tree.VariableItem] = field(default_factory=dict)
    cuts: dict[str, tree.CutItem] = field(default_factory=dict)
    cut_classes: dict[str, tree.CutClass] = field(default_factory=dict)
    single_cuts: set[str] = field(default_factory=set)
    nodes: dict[str, tree.NodeItem] = field(default_factory=dict)
    paths: dict[str, tree.PathDeclaration] = field(default_factory=dict)
    statements: list[tree.ModelStatement] = field(default_factory=list)
    followed: set[int] = field(default_factory=set)
    claims: list[tree.Equation] = field(default_factory=list)
    main_cut: str = ""
    main_path: str = ""
    experiment: dict[str, tree.Binding] = field(default_factory=dict)
    line: tuple[tuple[str, Source], ...] = ()

    @cached_property
    def meanings(self) -> Meanings:
        """The meanings of references in the class; valid after all names are declared."""
        return Meanings(self.variables, self.submodels, self.types, self.files)

    def cut(self, name: str) -> tree.CutItem:
        """The cut of this name, or that of an array whose element has it: `p(2)`."""
        return self.cuts[partition(name, "(")[0]]

    @cached_property
    def flows(self) -> Mapping[str, tree.CutEntry]:
        """For each carried quantity the flow that carries it."""
        cuts = self.cuts.values()
        return {entry.name: cut.through[0] for cut in cuts if cut.through for entry in cut.through if entry.is_carried}


TERMINALS = ("terminal", "input", "output")
_POINT = "cut, node or path"


def _declared_cuts(owner: tree.Class) -> list[str]:
    return [cut.name for m in owner.members if isinstance(m, tree.CutDeclaration) for cut in m.items]


class Classes:
    """The bodies of the classes of a library, created on first use."""

    def __init__(self, library: Library, types: Types, diagnostics: list[Diagnostic]):
        self._library = library
        self._diagnostics = diagnostics
        self._cut_classes = CutClasses(library, diagnostics)
        self._types = types
        self._bodies: dict[int, ClassBody | None] = {}

    def report(self, diagnostic: Diagnostic) -> None:
        """Store the diagnostic with the others."""
        self._diagnostics.append(diagnostic)

    def find(self, reference: tree.ClassReference, instance: str, own: Iterable[str] = ()) -> ClassBody | None:
        """The body of the named class, or None after a diagnostic, which may propose one of the class parameters
        `own`."""
        declared = self.declared(reference, instance, own)
        return None if declared is None else self.body(declared)

    def declared(self, reference: tree.ClassReference, instance: str, own: Iterable[str] = ()) -> tree.Class | None:
        """The class to which the reference refers at its place, or None after a diagnostic."""
        found = self._library.find(reference, tree.Class, own)
        if isinstance(found, Diagnostic):
            self._diagnostics.append(replace(found, instance=instance))
        elif found.is_object:
            self._diagnostics.append(class_messages.object_as_class(reference.name, reference.span, found.span))
        else:
            return found
        return None

    def siblings_with(self, body: ClassBody, parameter: str) -> list[str]:
        """The classes with this parameter that start with the same letter and have the superclasses of the class of
        `body`."""
        own = next((c for c in self._library.classes.values() if c.span == body.span), None)
        if own is None or not own.supers:
            return []
        supers = [s.name for s in own.supers]
        return [
            name for name, c in self._library.classes.items()
            if c.name[:1] == own.name[:1] and parameter in _parameters(c)
            and {*supers} <= {each.name for each in self._ancestry(c) or ()}
        ]  # fmt: skip

    def body(self, declared: tree.Class) -> ClassBody | None:
        """The members of `declared` and its superclasses, those of superclasses first."""
        if id(declared) not in self._bodies:
            line = self._ancestry(declared)
            self._bodies[id(declared)] = None if line is None else self._merge(declared, line)
        return self._bodies[id(declared)]

    def _ancestry(self, declared: tree.Class) -> list[tree.Class] | None:
        """All superclasses and the class itself, each once, superclasses first."""
        line: dict[int, tree.Class] = {}
        active: dict[int, tree.Class] = {}
        stack: list[tuple[tree.Class, bool]] = [(declared, False)]
        while stack:
            current, done = stack.pop()
            if done:
                line[id(current)] = active.pop(id(current))
                continue
            if id(current) in line:
                continue
            active[id(current)] = current
            stack.append((current, True))
            for reference in reversed(current.supers):
                if (
                    parameter := next((p for p in current.class_parameters if p.name == reference.name), None)
                ) is not None:
                    self.report(
                        class_messages.class_parameter_inherited(reference.name, reference.span, parameter.span)
                    )
                    return None
                above = self.declared(reference, "")
                if above is None:
                    return None
                if id(above) in active:
                    cycle = list(active.values())
                    first = next(k for k, c in enumerate(cycle) if c is above)
                    chain = [self._library.name_of(c) for c in (*cycle[first:], above)]
                    self._diagnostics.append(
                        class_messages.contains_itself(chain[-1], reference.span, chain, "inherits from")
                    )
                    return None
                stack.append((above, False))
        return list(line.values())

    def _merge(self, declared: tree.Class, line: list[tree.Class]) -> ClassBody:
        body = ClassBody(
            self._library.name_of(declared), declared.span, self._types, self._library.names, declared.documentation
        )
        body.line = tuple((owner.name, owner.span.source) for owner in reversed(line))
        owners: dict[str, tree.Class] = {}
        cut_owners: dict[str, tree.Class] = {}
        ancestors = Ancestors(self._ancestry)
        for owner, members in zip(line, with_own_names(line, ancestors), strict=True):
            above = Inherited(owner, owners, ancestors)
            for member in members:
                self._take(body, member, above)
            self._defaults(body, members, above)
            self._class_parameters(body, owner, above)
            for name in declared_names(members, owner.class_parameters):
                owners.setdefault(name, owner)
            for name in _declared_cuts(owner):
                cut_owners.setdefault(name, owner)
        body.experiment |= given_settings(line, ancestors, self._diagnostics)
        for name, parameter in body.class_parameters.items():
            if name in body.variables:
                self._new("variable or class parameter", name, body.variables[name].span, parameter.span, body)
        cuts = {name: (item, cut_owners[name]) for name, item in body.cuts.items()}
        variables = {name: (v.span, owners[name]) for name, v in body.variables.items() if name in owners}
        self._diagnostics += captured(cuts, variables, ancestors, body.name)
        for item in body.cuts.values():
            for entry in item.entries:
                if entry.name and not self._has_declaration(body, entry):
                    body.variables[entry.name] = Declared(
                        entry.name, "cut", entry.span, entry.dimensions, entry.attributes, None, ""
                    )
        for name in body.cut_classes:
            item = body.cuts[name]
            for entry in item.entries:
                known = body.variables.get(entry.name)
                if known is not None and known.span != entry.span:
                    dimensions = known.dimensions or entry.dimensions
                    attributes = entry.attributes + known.attributes
                    body.variables[entry.name] = replace(known, dimensions=dimensions, attributes=attributes)
        for entry_name, documentation in documented(body.cuts, body.cut_classes).items():
            known = body.variables.get(entry_name)
            if known is not None and not known.documentation:
                body.variables[entry_name] = replace(known, documentation=documentation)
        held, body.claims = followed({name: d.attributes for name, d in body.variables.items()}, body.statements)
        body.statements += held
        body.followed = {id(equation.right) for equation in held}
        infer_types(body.variables, body.statements, body.types)
        self._diagnostics += _wrongly_carried(body)
        return body

    def _class_parameters(self, body: ClassBody, owner: tree.Class, inherited: Inherited) -> None:
        """Add the class parameters of one class, which may redefine inherited defaults; all its submodels may name
        them."""
        own = {parameter.name for parameter in owner.class_parameters}
        visible = frozenset(own | inherited.among(body.class_parameters))
        for parameter in owner.class_parameters:
            known = body.class_parameters.get(parameter.name)
            if known is not None and parameter.name not in inherited:
                self._new("class parameter", parameter.name, parameter.span, known.span, body)
            else:
                limits = (*(known.limits if known is not None else ()), *parameter.limits)
                body.class_parameters[parameter.name] = replace(parameter, limits=limits)
                inherited.discard(parameter.name)
        for member in owner.members:
            if isinstance(member, tree.SubmodelDeclaration):
                body.class_names |= {item.name: visible for item in member.items}

    def _defaults(self, body: ClassBody, members: Iterable[tree.Member], above: Inherited) -> None:
        """Processed after all other members of a class, so that the position of a default does not matter."""
        for member in members:
            if isinstance(member, tree.VariableDeclaration) and member.kind == "default":
                wrong = [d for item in member.items if (d := _take_default(body, item, above)) is not None]
                self._diagnostics += wrong

    def _has_declaration(self, body: ClassBody, entry: tree.CutEntry) -> bool:
        """A variable of a cut may also be declared separately or occur in several cuts; the more complete entry
        counts."""
        known = body.variables.get(entry.name)
        return known is not None and bool(known.kind != "cut" or known.dimensions or not entry.dimensions)

    def _take(self, body: ClassBody, member: tree.Member, above: Inherited) -> None:
        match member:
            case tree.VariableDeclaration() if member.kind != "default":
                of_type = self._types.find(member.type_reference, body.name) if member.type_reference else None
                for item in member.items:
                    self._variable(body, member.kind, item, above, of_type)
            case tree.SubmodelDeclaration():
                for sub in member.items:
                    if self._new("submodel", sub.name, sub.span, self._submodel(body, sub.name), body):
                        body.submodels[sub.name] = (sub, member.class_reference)
            case tree.CutDeclaration():
                self._cuts(body, member)
            case tree.NodeDeclaration():
                for node in member.items:
                    if self._new(_POINT, node.name, node.span, self._point(body, node.name), body):
                        body.nodes[node.name] = node
            case tree.PathDeclaration():
                if self._new(_POINT, member.name, member.span, self._point(body, member.name), body):
                    body.paths[member.name] = member
                    if member.main and self._is_only("path", body.main_path, body.paths, member.name, body):
                        body.main_path = member.name
            case (
                tree.Equation()
                | tree.Connect()
                | tree.For()
                | tree.If()
                | tree.When()
                | tree.Initial()
                | tree.Assertion()
            ):
                body.statements += separate((member,))

    def _cuts(self, body: ClassBody, declaration: tree.CutDeclaration) -> None:
        reference = declaration.class_reference
        cut_class = self._cut_classes.find(reference, body.name) if reference else None
        for cut in declaration.items:
            if self._new(_POINT, cut.name, cut.span, self._point(body, cut.name), body):
                filled = self._cut_classes.applied(cut, cut_class, body.name) if cut_class else None
                if cut_class is not None and filled is not None:
                    body.cut_classes[cut.name] = cut_class
                body.cuts[cut.name] = _of_array(filled or cut)
                if declaration.single:
                    body.single_cuts.add(cut.name)
                if declaration.main and self._is_only("cut", body.main_cut, body.cuts, cut.name, body):
                    body.main_cut = cut.name

    def _submodel(self, body: ClassBody, name: str) -> Span | None:
        return body.submodels[name][0].span if name in body.submodels else None

    def _is_only(
        self,
        what: str,
        before: str,
        known: Mapping[str, tree.CutItem | tree.PathDeclaration],
        name: str,
        body: ClassBody,
    ) -> bool:
        """True if there is no other `main`."""
        if before:
            self._diagnostics.append(
                connection_messages.two_mains(what, name, known[name].span, known[before].span, body.name)
            )
        return not before

    def _point(self, body: ClassBody, name: str) -> Span | None:
        for points in (body.cuts, body.paths, body.nodes):
            if name in points:
                return points[name].span
        return None

    def _new(self, what: str, name: str, span: Span, known: Span | None, body: ClassBody) -> bool:
        if known is None:
            return True
        self._diagnostics.append(messages.declared_twice(what, name, span, known, body.name))
        return False

    def _variable(
        self, body: ClassBody, kind: str, item: tree.VariableItem, above: Inherited, of_type: DeclaredType | None
    ) -> None:
        known = body.variables.get(item.name)
        is_internal = kind == "internal"
        if is_internal and item.value is not None:
            kind = "parameter"
        new_default = known is not None and item.name in above and known.kind == kind == "parameter"
        if known is not None and of_type is not None and of_type.value_type != known.type:
            new_default = False
        new_default = new_default and known is not None and is_internal <= known.is_internal
        hint = "" if item.name in above else "rename one of them, or remove it"
        if (
            known is not None
            and new_default
            and item.dimensions
            and _texts(item.dimensions) != _texts(known.dimensions)
        ):
            new_default, hint = False, "a new default keeps the dimensions: remove them"
        if known is not None and not new_default:
            wrong = messages.declared_twice("variable", item.name, item.span, known.span, body.name, hint)
            self._diagnostics.append(wrong)
            return
        above.discard(item.name)
        body.variables[item.name] = Declared(
            item.name,
            kind,
            item.span,
            item.dimensions if known is None else known.dimensions,
            (known.attributes if known else ()) + (of_type.attributes_for(kind) if of_type else ()) + item.attributes,
            item.value,
            item.documentation or (known.documentation if known else of_type.documentation if of_type else ""),
            known.type if known else of_type.value_type if of_type else None,
            is_internal or (known is not None and known.is_internal),
            known.type_name if known else of_type.name if of_type else "",
            item.tolerance,
        )


def _wrongly_carried(body: ClassBody) -> Iterator[Diagnostic]:
    """Carried quantities that are no variables, and those in several places: what flows in there would differ."""
    first: dict[str, Span] = {}
    for entry in (entry for cut in body.cuts.values() for entry in cut.entries if entry.name):
        known = first.setdefault(entry.name, entry.span)
        if entry.name not in body.flows:
            continue
        if known is not entry.span:
            hint = f"give each place a name of its own, and write an equation: {entry.name}2 = {entry.name}"
            yield messages.wrongly_carried(entry.name, "is in two places", entry.span, hint, body.name)
            continue
        declared = body.variables[entry.name]
        if declared.kind in ("parameter", "constant", "external"):
            hint = "carry a variable, and give it the value in an equation"
            yield messages.wrongly_carried(entry.name, f"is a {declared.kind} value", entry.span, hint, body.name)
        elif declared.type is not None and declared.type.kind not in ("Real", ""):
            hint = "only real numbers mix: carry the share of what is meant, from 0 to 1"
            yield messages.wrongly_carried(entry.name, f"is {declared.type}", entry.span, hint, body.name)


def _of_array(cut: tree.CutItem) -> tree.CutItem:
    """The cut whose variables have an element, or a row, for each of an array of cuts."""
    if not cut.dimensions or cut.across is None:
        return cut
    across, through = (
        tuple(replace(e, dimensions=cut.dimensions + e.dimensions) if e.name else e for e in side or ())
        for side in (cut.across, cut.through)
    )
    return replace(cut, across=across, through=through)


def _parameters(declared: tree.Class) -> list[str]:
    members = (m for m in declared.members if isinstance(m, tree.VariableDeclaration) and m.kind == "parameter")
    return [item.name for m in members for item in m.items]


def _texts(dimensions: tuple[tree.Expression, ...]) -> list[str]:
    return ["".join(dimension.span.text.split()) for dimension in dimensions]


def _take_default(body: ClassBody, item: tree.VariableItem, above: Inherited) -> Diagnostic | None:
    """Set the default of a terminal, and declare the terminal if necessary; returns the error, if any."""
    if item.value is None:
        return messages.default_without_value(item.name, item.span, body.name)
    known = body.variables.get(item.name)
    if known is None:
        known = Declared(item.name, "terminal", item.span, item.dimensions, item.attributes, None, item.documentation)
    elif known.kind not in TERMINALS:
        return messages.default_of_other(item.name, known.kind, item.span, known.span, body.name)
    elif item.dimensions or item.attributes:
        return messages.declared_twice("variable", item.name, item.span, known.span, body.name)
    before = body.defaults.get(item.name)
    if before is not None and item.name not in above:
        return messages.declared_twice("default", item.name, item.span, before.span, body.name)
    above.discard(item.name)
    body.variables[item.name] = known
    body.defaults[item.name] = item
    return None
