"""Collects the types of a library: for each name the type of its values and its attributes.

Evaluates nothing: a type is declared outside of all models.
"""

from __future__ import annotations

from dataclasses import replace

from cutset.compiler.diagnostics import Diagnostic, ModelError
from cutset.compiler.instantiate.instance import BOOLEAN, INTEGER, OPEN, REAL, TEXT, ValueType
from cutset.compiler.instantiate.names.library import Library
from cutset.compiler.instantiate.types import messages
from cutset.compiler.instantiate.types.cut_classes import names_used, what_it_is
from cutset.compiler.syntax import tree
from cutset.contract.quick_dataclass import dataclass

BUILT_IN = {t.name: t for t in (REAL, INTEGER, BOOLEAN, TEXT)}
# Attributes of time-varying quantities.
OF_VARIABLES = ("start", "fixed", "nominal", "state", "follows", "rotation")
_ATTRIBUTES = ("unit", "display", "start", "fixed", "min", "max", "nominal", "state")


def literal_number(enumeration: ValueType, part: tree.Part, instance: str) -> int:
    """The number of `Free` in an enumeration. ModelError if it has no such value."""
    if part.name not in enumeration.literals:
        name, literals = enumeration.name, enumeration.literals
        raise ModelError([messages.unknown_literal(part.name, name, literals, part.span, instance)])
    return enumeration.literals.index(part.name) + 1


@dataclass(frozen=True)
class DeclaredType:
    """What a type gives to a variable: the type of its values, attributes (those of its base first), its name and its
    documentation."""

    value_type: ValueType
    attributes: tuple[tree.Attribute, ...] = ()
    name: str = ""
    documentation: str = ""

    def attributes_for(self, kind: str) -> tuple[tree.Attribute, ...]:
        """The attributes that apply to a kind of declaration: a parameter has no start."""
        if kind not in ("parameter", "constant"):
            return self.attributes
        return tuple(a for a in self.attributes if a.name not in OF_VARIABLES)


class Types:
    """All types of a library, including built-in ones; those with errors fit everything."""

    def __init__(self, library: Library, diagnostics: list[Diagnostic]):
        self._library = library
        self._diagnostics = diagnostics
        self._known: dict[int, DeclaredType] = {}
        types = library.all_of(tree.Type)
        for declared in types:
            self._check_name(declared)
            if declared.literals:
                self._enumeration(declared)
        for declared in types:
            if not declared.literals:
                self._derived(declared)

    def find(self, reference: tree.ClassReference, instance: str) -> DeclaredType:
        """The type of that name; after a diagnostic a type that fits everything."""
        if reference.name in BUILT_IN:
            return DeclaredType(BUILT_IN[reference.name])
        found = self._library.find(reference, tree.Type)
        if isinstance(found, tree.Type):
            return self._known[id(found)]
        if found.code == "E205":  # otherwise a prefix is unknown
            known = [*BUILT_IN, *self._library.types]
            other = what_it_is(self._library, reference)
            hint = self._library.to_include(reference, tree.Type)
            found = messages.unknown_type(reference.name, reference.span, known, other, instance, hint)
        self._diagnostics.append(replace(found, instance=instance))
        return DeclaredType(OPEN)

    def enumeration(self, parts: tuple[tree.Part, ...]) -> ValueType | None:
        """The enumeration with this name at its place, None if there is none."""
        if not parts:
            return None
        name = ".".join(part.name for part in parts)
        found = self._library.find(tree.ClassReference(parts[0].span, name), object)
        return self._known[id(found)].value_type if isinstance(found, tree.Type) and found.literals else None

    def with_literal(self, name: str) -> list[str]:
        """`Mode.Free` for each enumeration of the library with the value `Free`."""
        types = self._library.types.items()
        return [
            f"{known}.{name}" for known, declared in types if name in [literal.name for literal in declared.literals]
        ]

    def _enumeration(self, declared: tree.Type) -> None:
        names = [literal.name for literal in declared.literals]
        seen: set[str] = set()
        for literal in declared.literals:
            if literal.name in seen:
                what = f"'{literal.name}' occurs twice in the type '{declared.name}'"
                self._diagnostics.append(messages.bad_declaration(what, literal.span, "remove one of them"))
            seen.add(literal.name)
        value_type = ValueType("enumeration", declared.name, tuple(names), declared.span)
        self._known[id(declared)] = DeclaredType(value_type, (), declared.name, declared.documentation)

    def _derived(self, declared: tree.Type) -> None:
        """Add a type after those that it is derived from."""
        line: list[tree.Type] = []
        passed: set[int] = set()
        current: tree.Type | None = declared
        while current is not None and id(current) not in self._known:
            if id(current) in passed:
                chain = [t.name for t in (*line, current)]
                what = f"types depend on each other in a cycle: {' > '.join(chain)}"
                self._diagnostics.append(
                    messages.bad_declaration(what, declared.span, "derive one of them from a built-in type")
                )
                self._known |= {id(step): DeclaredType(OPEN) for step in line}
                return
            line.append(current)
            passed.add(id(current))
            current = self._base(current)
        for step in reversed(line):
            base = self.find(step.base, "") if step.base else DeclaredType(REAL)
            self._check_attributes(step)
            attributes, documentation = base.attributes + step.attributes, step.documentation or base.documentation
            self._known[id(step)] = DeclaredType(base.value_type, attributes, step.name, documentation)

    def _base(self, declared: tree.Type) -> tree.Type | None:
        if declared.base is None or declared.base.name in BUILT_IN:
            return None
        found = self._library.find(declared.base, tree.Type)
        return found if isinstance(found, tree.Type) else None

    def _check_name(self, declared: tree.Type) -> None:
        if declared.name in BUILT_IN:
            hint = "choose another name"
            self._diagnostics.append(
                messages.bad_declaration(f"'{declared.name}' is a built-in type", declared.span, hint)
            )

    def _is_literal(self, e: tree.Reference) -> bool:
        enumeration = self.enumeration(e.parts[:-1])
        return enumeration is not None and e.parts[-1].name in enumeration.literals

    def _check_attributes(self, declared: tree.Type) -> None:
        for attribute in declared.attributes:
            if attribute.name not in _ATTRIBUTES:
                what = f"a type cannot give the attribute '{attribute.name}'"
                hint = f"it can give {', '.join(_ATTRIBUTES)}"
                self._diagnostics.append(messages.bad_declaration(what, attribute.span, hint))
            elif attribute.value is not None and attribute.name != "state":
                self._diagnostics += names_used((attribute.value,), "a type", self._is_literal)
