"""Class name -> ClassBody: the members of a class and its supers in one, indexed by name and checked for doubles.

Must not evaluate anything: the result is shared by all instances of the class.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from cutset.compiler.diagnostics import Diagnostic, Span
from cutset.compiler.instantiate import messages
from cutset.compiler.instantiate.library import Library
from cutset.compiler.instantiate.types.cut_classes import CutClasses
from cutset.compiler.syntax import tree


@dataclass(frozen=True, slots=True)
class Declared:
    """A variable of a class, wherever it is declared. kind is 'cut' for one that only a cut names.
    `default` is the item whose value counts (a subclass may give a new default)."""

    name: str
    kind: str
    span: Span
    dimensions: tuple[tree.Expression, ...]
    attributes: tuple[tree.Attribute, ...]
    default: tree.Expression | None
    documentation: str


@dataclass
class ClassBody:
    """What an instance needs to know of its class. Filled once, then only read. Cuts have the dimensions and
    attributes of their class in `cut_classes`, if they have one."""

    name: str
    span: Span
    variables: dict[str, Declared] = field(default_factory=dict)
    submodels: dict[str, tuple[tree.SubmodelItem, tree.ClassReference]] = field(default_factory=dict)
    cuts: dict[str, tree.CutItem] = field(default_factory=dict)
    cut_classes: dict[str, tree.CutClass] = field(default_factory=dict)
    nodes: dict[str, Span] = field(default_factory=dict)
    paths: dict[str, tree.PathDeclaration] = field(default_factory=dict)
    behaviour: list[tree.Behaviour] = field(default_factory=list)
    main_cut: str = ""
    main_path: str = ""


class Classes:
    """Bodies of the classes of a library, made on first use."""

    def __init__(self, library: Library, diagnostics: list[Diagnostic]):
        self._library = library
        self._diagnostics = diagnostics
        self._cut_classes = CutClasses(library, diagnostics)
        self._bodies: dict[int, ClassBody | None] = {}

    def find(self, reference: tree.ClassReference, instance: str) -> ClassBody | None:
        """The body of the named class, or None after a diagnostic."""
        declared = self.declared(reference, instance)
        return None if declared is None else self.body(declared)

    def declared(self, reference: tree.ClassReference, instance: str) -> tree.Class | None:
        """The class that is meant where the reference is written, or None after a diagnostic."""
        found = self._library.find(reference, tree.Class)
        if isinstance(found, Diagnostic):
            self._diagnostics.append(replace(found, instance=instance))
        elif found.is_object:
            self._diagnostics.append(messages.object_as_class(reference.name, reference.span, found.span))
        else:
            return found
        return None

    def body(self, declared: tree.Class) -> ClassBody | None:
        """The members of `declared` and its supers, supers first."""
        if id(declared) not in self._bodies:
            line = self._ancestry(declared)
            self._bodies[id(declared)] = None if line is None else self._merge(declared, line)
        return self._bodies[id(declared)]

    def _ancestry(self, declared: tree.Class) -> list[tree.Class] | None:
        """All supers and the class itself, each once, supers before what inherits them."""
        line: list[tree.Class] = []
        active: list[tree.Class] = []
        stack: list[tuple[tree.Class, bool]] = [(declared, False)]
        while stack:
            current, done = stack.pop()
            if done:
                active.pop()
                line.append(current)
                continue
            if any(current is c for c in line):
                continue
            active.append(current)
            stack.append((current, True))
            for reference in reversed(current.supers):
                above = self.declared(reference, "")
                if above is None:
                    return None
                if any(above is c for c in active):
                    first = next(k for k, c in enumerate(active) if c is above)
                    chain = [self._library.name_of(c) for c in (*active[first:], above)]
                    self._diagnostics.append(
                        messages.contains_itself(chain[-1], reference.span, chain, "inherits from")
                    )
                    return None
                stack.append((above, False))
        return line

    def _merge(self, declared: tree.Class, line: list[tree.Class]) -> ClassBody:
        body = ClassBody(self._library.name_of(declared), declared.span)
        for owner in line:
            above = set(body.variables) if owner is not line[0] else set()
            for member in owner.members:
                self._take(body, member, above)
        for name, item in body.cuts.items():
            for entry in (*(item.across or ()), *(item.through or ())):
                if entry.name and not self._has_declaration(body, entry):
                    body.variables[entry.name] = Declared(
                        entry.name, "cut", entry.span, entry.dimensions, entry.attributes, None, ""
                    )
        for name in body.cut_classes:
            item = body.cuts[name]
            for entry in (*(item.across or ()), *(item.through or ())):
                known = body.variables.get(entry.name)
                if known is not None and known.span != entry.span:
                    dimensions = known.dimensions or entry.dimensions
                    attributes = entry.attributes + known.attributes
                    body.variables[entry.name] = replace(known, dimensions=dimensions, attributes=attributes)
        return body

    def _has_declaration(self, body: ClassBody, entry: tree.CutEntry) -> bool:
        """A cut's variable may also be declared by itself or stand in several cuts; the fuller entry counts."""
        known = body.variables.get(entry.name)
        return known is not None and bool(known.kind != "cut" or known.dimensions or not entry.dimensions)

    def _take(self, body: ClassBody, member: tree.Member, above: set[str]) -> None:
        match member:
            case tree.VariableDeclaration():
                for item in member.items:
                    self._variable(body, member.kind, item, above)
            case tree.SubmodelDeclaration():
                for sub in member.items:
                    if self._new("submodel", sub.name, sub.span, {n: i.span for n, (i, _) in body.submodels.items()}, body):
                        body.submodels[sub.name] = (sub, member.class_reference)
            case tree.CutDeclaration():
                self._cuts(body, member)
            case tree.NodeDeclaration():
                for node in member.items:
                    if self._new("cut or node", node.name, node.span, self._points(body), body):
                        body.nodes[node.name] = node.span
            case tree.PathDeclaration():
                body.paths[member.name] = member
                body.main_path = member.name if member.main else body.main_path
            case tree.Equation() | tree.Connect() | tree.For() | tree.If():
                body.behaviour.append(member)

    def _cuts(self, body: ClassBody, declaration: tree.CutDeclaration) -> None:
        reference = declaration.class_reference
        cut_class = self._cut_classes.find(reference, body.name) if reference else None
        for cut in declaration.items:
            if self._new("cut or node", cut.name, cut.span, self._points(body), body):
                filled = self._cut_classes.applied(cut, cut_class, body.name) if cut_class else None
                if cut_class is not None and filled is not None:
                    body.cut_classes[cut.name] = cut_class
                body.cuts[cut.name] = filled or cut
                body.main_cut = cut.name if declaration.main else body.main_cut

    def _points(self, body: ClassBody) -> dict[str, Span]:
        return {**{n: c.span for n, c in body.cuts.items()}, **body.nodes}

    def _new(self, what: str, name: str, span: Span, known: dict[str, Span], body: ClassBody) -> bool:
        if name not in known:
            return True
        self._diagnostics.append(messages.declared_twice(what, name, span, known[name], body.name))
        return False

    def _variable(self, body: ClassBody, kind: str, item: tree.VariableItem, above: set[str]) -> None:
        known = body.variables.get(item.name)
        new_default = known is not None and item.name in above and known.kind == kind == "parameter"
        if known is not None and not new_default:
            self._diagnostics.append(messages.declared_twice("variable", item.name, item.span, known.span, body.name))
            return
        body.variables[item.name] = Declared(
            item.name,
            kind,
            item.span,
            item.dimensions if known is None else known.dimensions,
            item.attributes if known is None else known.attributes + item.attributes,
            item.value,
            item.documentation or (known.documentation if known else ""),
        )
