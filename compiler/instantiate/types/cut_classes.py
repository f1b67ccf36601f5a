"""Applies cut classes: a cut with a class -> the same cut with the dimensions and attributes of its class.

Evaluates nothing. Shapes and units are checked elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from cutset.compiler.diagnostics import Diagnostic
from cutset.compiler.instantiate.names.library import Library
from cutset.compiler.instantiate.types import messages
from cutset.compiler.syntax import tree

# The attributes that a cut class may give to its variables. The others belong to a single variable.
_ATTRIBUTES = ("unit", "display", "start", "min", "max", "nominal", "symmetric", "rotation", "optional")
# An attribute of the position in the cut, not of the variable there.
_OF_THE_PLACE = "optional"
# A variable with a minus sign in its cut is the negative of that of the class, so these do not apply.
_SIGNED = ("start", "min", "max")


class CutClasses:
    """The cut classes of a library; an error in one is reported as soon as they are read."""

    def __init__(self, library: Library, diagnostics: list[Diagnostic]):
        self._library = library
        self._diagnostics = diagnostics
        for declared in library.all_of(tree.CutClass):
            diagnostics += _mistakes(declared)

    def find(self, reference: tree.ClassReference, instance: str) -> tree.CutClass | None:
        """The cut class of that name, or None after a diagnostic."""
        found = self._library.find(reference, tree.CutClass)
        if isinstance(found, tree.CutClass):
            return found
        if found.code == "E205":  # otherwise a prefix is unknown
            known, other = self._library.cut_classes, what_it_is(self._library, reference)
            hint = self._library.to_include(reference, tree.CutClass)
            found = messages.unknown_cut_class(reference.name, reference.span, known, other, instance, hint)
        self._diagnostics.append(replace(found, instance=instance))
        return None

    def applied(self, cut: tree.CutItem, cut_class: tree.CutClass, instance: str) -> tree.CutItem | None:
        """The cut with the attributes of the class in its entries; None after a diagnostic if they do not fit."""
        what = _difference(cut, cut_class)
        if what:
            if not cut.through and len(cut.across or ()) == 1:
                what += f"; an array of cuts is {cut.name}({cut.entries[0].name or 'n'}) ()"
            name, span = cut_class.name, cut_class.span
            self._diagnostics.append(messages.cut_class_differs(what, name, cut.span, span, instance))
            return None
        if cut.across is None and cut.through is None:
            return cut
        across, through = _filled(cut.across or (), cut_class.across), _filled(cut.through or (), cut_class.through)
        return replace(cut, across=across, through=through)


def least(entries: tuple[tree.CutEntry, ...]) -> int:
    """The number of variables on a side that a cut must have: those up to the last that is not optional."""
    return max((k for k, entry in enumerate(entries, 1) if not _is_optional(entry)), default=0)


def documented(cuts: Mapping[str, tree.CutItem], classes: Mapping[str, tree.CutClass]) -> dict[str, str]:
    """The documentation of variables by their cuts: that of the only cut that contains a variable, whose name it tells,
    else, or if the cut has none, that of the class."""
    cuts_of: dict[str, list[str]] = {}
    for name, cut in cuts.items():
        for entry in cut.entries:
            cuts_of.setdefault(entry.name, []).append(name)
    found: dict[str, str] = {}
    for variable, names in cuts_of.items():
        own = cuts[names[0]].documentation if len(names) == 1 else ""
        general = {classes[name].documentation if name in classes else "" for name in names}
        found[variable] = f"cut {names[0]}: {own}" if own else general.pop() if len(general) == 1 else ""
    return {variable: text for variable, text in found.items() if variable and text}


def what_it_is(library: Library, reference: tree.ClassReference) -> str:
    """The kind of declaration that has the name; empty if there is none."""
    words = {tree.Class: "a model class", tree.Type: "a type", tree.CutClass: "a cut class"}
    return words.get(type(library.find(reference, object)), "")


def _filled(entries: tuple[tree.CutEntry, ...], of_class: tuple[tree.CutEntry, ...]) -> tuple[tree.CutEntry, ...]:
    """The entries with the attributes of the class; omitted positions at the end are empty."""
    empty = tuple(tree.CutEntry(general.span, "", 1) for general in of_class[len(entries) :])
    return tuple(
        _entry(entry, general) if entry.name else entry
        for entry, general in zip(entries + empty, of_class, strict=False)
    )


def _entry(entry: tree.CutEntry, general: tree.CutEntry) -> tree.CutEntry:
    attributes = _handed_on(entry, general) + entry.attributes
    return replace(entry, dimensions=entry.dimensions or general.dimensions, attributes=attributes)


def _handed_on(entry: tree.CutEntry, general: tree.CutEntry) -> tuple[tree.Attribute, ...]:
    return tuple(a for a in general.attributes if a.name != _OF_THE_PLACE and (entry.sign > 0 or a.name not in _SIGNED))


def _difference(cut: tree.CutItem, cut_class: tree.CutClass) -> str:
    if cut.parts is not None:
        return "it consists of other cuts, and those have their own classes"
    if cut.across is None and cut.through is None:
        return ""
    pairs = ("across", cut.across or (), cut_class.across), ("through", cut.through or (), cut_class.through)
    for kind, own, general in pairs:
        if not least(general) <= len(own) <= len(general):
            return f"it has {_counted(len(own), kind)}, but the class has {len(general) or 'none'}"
        for entry, named in zip(own, general, strict=False):
            if entry.dimensions and len(entry.dimensions) != len(named.dimensions):
                return (
                    f"'{entry.name}' has {_dimensions(entry)}, but '{named.name}' of the class has {_dimensions(named)}"
                )
            if entry.is_carried != named.is_carried:
                is_carried = f"'{entry.name}' is {'' if entry.is_carried else 'not '}carried"
                return f"{is_carried}, but '{named.name}' of the class is{' not' if entry.is_carried else ''}"
            if entry.name and not named.name:
                return f"the class has no variable at the position of '{entry.name}'"
    return ""


def _is_optional(entry: tree.CutEntry) -> bool:
    return any(attribute.name == _OF_THE_PLACE for attribute in entry.attributes)


def _counted(n: int, kind: str) -> str:
    return f"{n or 'no'} {kind} variable{'' if n == 1 else 's'}"


def _dimensions(entry: tree.CutEntry) -> str:
    n = len(entry.dimensions)
    return "one dimension" if n == 1 else f"{n or 'no'} dimensions"


def _mistakes(cut_class: tree.CutClass) -> list[Diagnostic]:
    """Contents that are not allowed in a cut class, since it is outside of all models."""
    found: list[Diagnostic] = []
    names: set[str] = set()
    for side in (cut_class.across, cut_class.through):
        for entry in side[: least(side)]:
            if _is_optional(entry):
                hint = "put optional variables after the others"
                found.append(
                    messages.bad_declaration(
                        f"'{entry.name}' is optional, but a variable after it is not", entry.span, hint
                    )
                )
    for entry in cut_class.entries:
        if entry.is_carried and _is_optional(entry):
            hint = "remove 'optional': whatever flows into a cut needs a value"
            found.append(messages.bad_declaration(f"'{entry.name}' is carried and optional", entry.span, hint))
        if entry.sign < 0:
            hint = "write the sign in the cut: cut (Pin) B (Vb / -i)"
            found.append(messages.bad_declaration("a variable of a cut class has no sign", entry.span, hint))
        if entry.name and entry.name in names:
            hint = "give each variable a different name"
            found.append(messages.bad_declaration(f"'{entry.name}' occurs twice in the cut class", entry.span, hint))
        names.add(entry.name)
        for attribute in entry.attributes:
            if attribute.name not in _ATTRIBUTES:
                what = f"a cut class cannot give the attribute '{attribute.name}'"
                hint = f"it can give {', '.join(_ATTRIBUTES)}; give other attributes in the cut or in a declaration"
                found.append(messages.bad_declaration(what, attribute.span, hint))
        written = (*entry.dimensions, *(a.value for a in entry.attributes if a.value is not None))
        found += names_used(written, "a cut class")
    return found


def names_used(
    expressions: tuple[tree.Expression, ...], where: str, is_literal: Callable[[tree.Reference], bool] = lambda e: False
) -> list[Diagnostic]:
    """A diagnostic for each expression that uses a name of a model, except for values of enumerations."""
    hint = "write numbers; if you need a parameter, give this in the declaration in the model"
    found = []
    for expression in expressions:
        used = _name_in(expression)
        if used is not None and not is_literal(used):
            found.append(
                messages.bad_declaration(
                    f"{where} cannot use '{tree.dotted(used)}', which belongs to a model", expression.span, hint
                )
            )
    return found


def _name_in(expression: tree.Expression) -> tree.Reference | None:
    """The first name in the expression that is not a function, true or false."""
    names = (e for e in tree.references(expression) if not tree.called(e)[0])
    return next((e for e in names if tree.dotted(e) not in ("true", "false")), None)
