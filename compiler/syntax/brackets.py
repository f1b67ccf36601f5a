"""Interprets the parentheses after a name in a declaration (stage 1, fourth step): dimensions, attributes, bindings.

Raises ModelError for invalid contents (E114).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, NoReturn

from cutset.compiler.diagnostics import Diagnostic, ModelError, Span
from cutset.compiler.syntax import tree
from cutset.compiler.syntax.lexemes import Lexeme
from cutset.compiler.syntax.print import print_expression
from cutset.contract.names import split

# Attributes without a value: such a name alone in parentheses is an attribute, not a dimension.
BARE_ATTRIBUTES = ("symmetric", "optional", "private")


class Named(NamedTuple):
    """`name = value` in parentheses: an attribute or a binding."""

    span: Span
    name: Lexeme
    value: tree.Expression
    tolerance: tree.Number | tree.Quantity | None = None


class OfVariable(NamedTuple):
    """`h(start = value)` in parentheses: attributes of a variable of a submodel."""

    span: Span
    name: Lexeme
    attributes: list[Named]


class Bracket(NamedTuple):
    """The parentheses after a name in a declaration."""

    span: Span
    entries: list[Named | OfVariable | tree.Expression]


def dimensions_and_attributes(
    brackets: list[Bracket], open_allowed: bool = False
) -> tuple[tuple[tree.Expression, ...], tuple[tree.Attribute, ...]]:
    """Two pairs of parentheses are dimensions and attributes; a single one holds attributes if one of its entries is an
    attribute."""
    if not brackets:
        return (), ()
    if len(brackets) == 1 and any(_is_attribute(entry) for entry in brackets[0].entries):
        return (), tuple(attribute(entry) for entry in brackets[0].entries)
    dimensions: list[tree.Expression] = []
    for entry in brackets[0].entries:
        if isinstance(entry, Named):
            reject(
                "with two pairs of parentheses after a name, the first holds dimensions, but this is an attribute",
                entry.span,
                "write dimensions first, then attributes: x(3)(start=0)",
            )
        if isinstance(entry, OfVariable):
            reject("a dimension must be a number", entry.span, "write attributes as 'name = value'")
        if isinstance(entry, tree.Everything) and not open_allowed:
            hint = "write the number of elements; only an argument of a function can leave it open"
            reject("a dimension must be a number", entry.span, hint)
        dimensions.append(entry)
    second = brackets[1].entries if len(brackets) == 2 else []
    return tuple(dimensions), tuple(attribute(entry) for entry in second)


def length_of(brackets: list[Bracket], what: str, example: str) -> tuple[tree.Expression, ...]:
    """The number of nodes or cuts of an array; nothing for a single one."""
    dimensions, _ = dimensions_and_attributes(brackets)
    if len(dimensions) != len(brackets):
        text = f"a {what} has no attributes, and an array of {what}s one length"
        reject(text, brackets[0].span, f"write: {example}")
    return dimensions


def dimensions_and_bindings(brackets: list[Bracket]) -> tuple[tuple[tree.Expression, ...], tuple[tree.Binding, ...]]:
    """Two pairs of parentheses are dimensions and bindings; for a single one its first entry decides."""
    brackets = [b._replace(entries=[_named_row(entry) for entry in b.entries]) for b in brackets]
    has_dimensions = len(brackets) == 2 or any(not isinstance(b.entries[0], (Named, OfVariable)) for b in brackets)
    dimensions: list[tree.Expression] = []
    for entry in brackets[0].entries if has_dimensions else ():
        if isinstance(entry, (Named, OfVariable)):
            reject(
                "with two pairs of parentheses after a submodel, the first holds its dimensions, but this is a binding",
                entry.span,
                "write the dimensions first, in its own parentheses: c(6)(p = 1)",
            )
        dimensions.append(entry)
    if len(dimensions) > 2:
        hint = "write bindings as name = value; a third dimension can be an array in the class"
        reject("an array of submodels has one or two dimensions", brackets[0].span, hint)
    bindings: list[tree.Binding] = []
    for bracket in brackets[has_dimensions:]:
        for entry in bracket.entries:
            if isinstance(entry, OfVariable):
                bindings += (
                    tree.Binding(entry.name.span, entry.name.text, a.value, a.name.text) for a in entry.attributes
                )
                continue
            if not isinstance(entry, Named):
                reject(
                    "the parentheses after a submodel hold bindings, but this is not a binding",
                    entry.span,
                    "write 'name = value'",
                )
            bindings.append(tree.Binding(entry.name.span, entry.name.text, entry.value, tolerance=entry.tolerance))
    return tuple(dimensions), tuple(bindings)


def _named_row(entry: Named | OfVariable | tree.Expression) -> Named | OfVariable | tree.Expression:
    """A row of a catalog, row("motors.csv", "RE 40"), which is a binding of several parameters and has no name."""
    if isinstance(entry, tree.Reference) and tree.is_row(entry):
        return Named(entry.span, Lexeme("NAME", "", entry.span), entry)
    return entry


def with_starts(items: tuple[tree.SubmodelItem, ...], reference: tree.ClassReference) -> tuple[tree.SubmodelItem, ...]:
    """The submodels with the names of parameters for start values, which classes of FMUs have."""
    if not any(b.attribute for item in items for b in item.bindings):
        return items
    return tuple(replace(item, bindings=tuple(_start(b, item, reference) for b in item.bindings)) for item in items)


def _start(binding: tree.Binding, item: tree.SubmodelItem, reference: tree.ClassReference) -> tree.Binding:
    if not binding.attribute:
        return binding
    if reference.file and binding.attribute == "start":
        return replace(binding, name=binding.name + tree.START)
    name = binding.name
    what = f"the attributes of '{name}' belong to the class of '{item.name}' and cannot be given here"
    hint = f"give a parameter of '{reference.name}' ('cutset classes' lists the parameters of each library)"
    if reference.file:
        hint = f"only a start value can be given: {item.name}({name}(start=...))"
    elif binding.attribute in ("start", "fixed"):
        hint += (
            "; many have one for the start value: u0, i0, q0, phi0, T0; or write between 'initial' and 'endinitial': "
            f"{item.name}.{name} = {print_expression(binding.value)}"
        )
    reject(what, binding.span, hint, "E132")


def _is_attribute(entry: Named | OfVariable | tree.Expression) -> bool:
    return isinstance(entry, Named) or _bare_name(entry) in BARE_ATTRIBUTES


def _bare_name(expression: OfVariable | tree.Expression) -> str:
    if isinstance(expression, tree.Reference) and len(expression.parts) == 1 and expression.parts[0].arguments is None:
        return expression.parts[0].name
    return ""


def attribute(entry: Named | OfVariable | tree.Expression) -> tree.Attribute:
    """An attribute of a declaration; `symmetric` and `optional` need no value."""
    if isinstance(entry, Named) and len(split(entry.name.text)) > 1:
        reject("an attribute has a name of one part", entry.span, "write an attribute as 'name = value'")
    if isinstance(entry, Named):
        reject_tolerance(entry.tolerance)
        return tree.Attribute(entry.span, entry.name.text, entry.value)
    if not _bare_name(entry):
        reject(
            "this is not an attribute",
            entry.span,
            "write an attribute as 'name = value'; dimensions come before, in their own parentheses: x(3)(start=0)",
        )
    return tree.Attribute(entry.span, _bare_name(entry), None)


def reject_tolerance(tolerance: tree.Expression | None) -> None:
    """Reject one that does not belong to the value of a parameter."""
    if tolerance is not None:
        hint = "remove it, or put parentheses around a negative number: a + (-b)"
        reject("only the value of a parameter has a tolerance", tolerance.span, hint, "E142")


def check_flows(across: Sequence[tree.CutEntry], through: Sequence[tree.CutEntry]) -> None:
    """Raise the error for a carried quantity that does not follow the only flow of its cut."""
    carried = next((entry for entry in (*across, *through) if entry.is_carried), None)
    if carried is None:
        return
    flows = [entry for entry in through if not entry.is_carried]
    hint = f"write it after the flow that carries it: (p / m, {tree.CARRIED} {carried.name})"
    if any(entry.is_carried for entry in across) or not flows or through[0].is_carried or not flows[0].name:
        reject(f"no flow before it carries '{carried.name}'", carried.span, hint, "E107")
    if len(flows) > 1:
        what = f"one flow carries '{carried.name}', and this cut has {len(flows)}"
        reject(what, flows[1].span, "give each flow that carries something a cut of its own", "E107")


def reject(message: str, span: Span, hint: str, code: str = "E114") -> NoReturn:
    """Raise the error for invalid contents of parentheses."""
    raise ModelError((Diagnostic(code, message, span, hint),))
