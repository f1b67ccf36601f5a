"""The types of a library -> for each name the type of its values and the attributes that it hands on.

Must not evaluate anything: a type stands outside of all models.
"""

from __future__ import annotations

from dataclasses import dataclass

from cutset.compiler.diagnostics import Diagnostic
from cutset.compiler.instantiate.instance import BOOLEAN, INTEGER, REAL, ValueType
from cutset.compiler.instantiate.library import Library
from cutset.compiler.instantiate.types import messages
from cutset.compiler.instantiate.types.cut_classes import names_used
from cutset.compiler.syntax import tree

# Of a type that is wrong: what it holds is not checked.
OPEN = ValueType("", "")
BUILT_IN = {t.name: t for t in (REAL, INTEGER, BOOLEAN)}
_ATTRIBUTES = ("unit", "start", "fixed", "min", "max", "nominal", "state")


@dataclass(frozen=True)
class DeclaredType:
    """What a type gives to a variable: the type of its values, and attributes, those of its base first."""

    value_type: ValueType
    attributes: tuple[tree.Attribute, ...] = ()


class Types:
    """All types of a library by name, the built-in ones included. `enumerations` has those that list their values."""

    def __init__(self, library: Library, diagnostics: list[Diagnostic]):
        self._library = library
        self._diagnostics = diagnostics
        self._known = {name: DeclaredType(t) for name, t in BUILT_IN.items()}
        self.enumerations: dict[str, ValueType] = {}
        for declared in library.types.values():
            self._check_name(declared)
            if declared.literals:
                self._enumeration(declared)
        for declared in library.types.values():
            if not declared.literals:
                self._derived(declared)

    def find(self, reference: tree.ClassReference, instance: str) -> DeclaredType:
        """The type of that name, or one that nothing is known of after a diagnostic."""
        found = self._known.get(reference.name)
        if found is None and reference.name not in self._library.types:  # else it is wrong, which was reported
            library, name = self._library, reference.name
            other = "a model class" if name in library.classes else "a class of cuts" if name in library.cut_classes else ""
            self._diagnostics.append(messages.unknown_type(name, reference.span, self._known, other, instance))
        return found or DeclaredType(OPEN)

    def _enumeration(self, declared: tree.Type) -> None:
        names = [literal.name for literal in declared.literals]
        for k, literal in enumerate(declared.literals):
            if literal.name in names[:k]:
                what = f"'{literal.name}' stands twice in the type '{declared.name}'"
                self._diagnostics.append(messages.bad_declaration(what, literal.span, "remove one of them"))
        value_type = ValueType("enumeration", declared.name, tuple(names), declared.span)
        self.enumerations[declared.name] = value_type
        self._known[declared.name] = DeclaredType(value_type)

    def _derived(self, declared: tree.Type) -> None:
        """Takes up a type and those that it is made from, the first of them first."""
        line: list[tree.Type] = []
        current: tree.Type | None = declared
        while current is not None and current.name not in self._known:
            if current in line:
                chain = [t.name for t in (*line[line.index(current) :], current)]
                what = f"types are made of each other in a circle: {' > '.join(chain)}"
                self._diagnostics.append(messages.bad_declaration(what, declared.span, "make one of them of a built-in type"))
                self._known |= {step.name: DeclaredType(OPEN) for step in line}
                return
            line.append(current)
            current = self._library.types.get(current.base.name) if current.base else None
        for step in reversed(line):
            base = self.find(step.base, "") if step.base else DeclaredType(REAL)
            self._check_attributes(step)
            self._known[step.name] = DeclaredType(base.value_type, base.attributes + step.attributes)

    def _check_name(self, declared: tree.Type) -> None:
        if declared.name in BUILT_IN:
            hint = "choose another name"
            self._diagnostics.append(messages.bad_declaration(f"the type '{declared.name}' is built in", declared.span, hint))

    def _check_attributes(self, declared: tree.Type) -> None:
        literals = {f"{t.name}.{literal}" for t in self.enumerations.values() for literal in t.literals}
        for attribute in declared.attributes:
            if attribute.name not in _ATTRIBUTES:
                what = f"a type cannot say '{attribute.name}' of its variables"
                hint = f"it may give {', '.join(_ATTRIBUTES)}"
                self._diagnostics.append(messages.bad_declaration(what, attribute.span, hint))
            elif attribute.value is not None and attribute.name != "state":
                self._diagnostics += names_used((attribute.value,), "a type", literals)
