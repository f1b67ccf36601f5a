"""Writes values in another way: numbers as parameters, values that a run gives in the text, states in other units."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from functools import partial

from cutset.api.verify.restated.edits import Edit
from cutset.api.verify.restated.wordings import PRESCRIBED, inherited
from cutset.compiler.diagnostics import Span
from cutset.compiler.instantiate.names.library import Library
from cutset.compiler.syntax import tree
from cutset.compiler.syntax.tree import Node, mapped

# Numbers that the compiler treats as themselves: a parameter in their place may change what is divided by what.
_OWN = {0.0, 1.0}
_FACTOR = 1000.0
# Makes a new value from a name and a value.
NewValue = Callable[[str, float], float]
_SCALED = "_scaled"
# Functions whose arguments need not be known at translation.
_OPEN = {"sin", "cos", "tan", "exp", "sqrt", "tanh", "abs", "min", "max"}


def constants(root: tree.Class) -> Iterator[Edit]:
    """Each constant and each number in an equation of the object as a parameter."""
    fixed = {name for member in root.members for name in _needed(member)}
    for member in root.members:
        if isinstance(member, tree.VariableDeclaration) and _is_free(member, fixed):
            yield Edit(f"make '{member.span.text}' a parameter", tree.VariableDeclaration, member.span, _parameter)
        if isinstance(member, tree.Equation):
            for number, each in enumerate(_numbers(member)):
                name = f"number_{member.span.line}_{member.span.column}_{number}"
                change = partial(_named, each.span, each.value, name)
                yield Edit(
                    f"make {each.value:g} in '{member.span.text[:50]}' a parameter", tree.Class, root.span, change
                )


def given(
    root: tree.Class, library: Library, parameters: Mapping[str, float], states: Collection[str], change: NewValue
) -> Iterator[Edit]:
    """Each parameter of a submodel, and each own parameter and start value of the object, written in the text with the
    value that `change` makes of its name and value. `parameters` are those that a run may give."""
    for member in root.members:
        if isinstance(member, tree.SubmodelDeclaration):
            for item in member.items:
                for name in _parameters(member, item, library):
                    if (full := f"{item.name}.{name}") in parameters:
                        value = change(full, parameters[full])
                        yield Edit(f"{full} = {value:g} in the text", tree.SubmodelItem, item.span,
                                   partial(_with_binding, name, value), given=((full, value),))  # fmt: skip
        elif isinstance(member, tree.VariableDeclaration):
            for own in member.items:
                start = next((a.value for a in own.attributes if a.name == "start"), None)
                if member.kind == "parameter" and own.name in parameters and not own.dimensions:
                    value = change(own.name, parameters[own.name])
                    yield Edit(f"{own.name} = {value:g} in the text", tree.VariableItem, own.span,
                               partial(_with_value, value), given=((own.name, value),))  # fmt: skip
                elif own.name in states and isinstance(start, tree.Number):
                    value = change(own.name, start.value)
                    yield Edit(f"{own.name} (start = {value:g}) in the text", tree.VariableItem, own.span,
                               partial(_started, value), initial=((own.name, value),))  # fmt: skip


def scaled(root: tree.Class, numbers: Collection[str]) -> Iterator[Edit]:
    """Each of the variables that the object declares, in a unit that is smaller by a factor."""
    for member in root.members:
        if isinstance(member, tree.VariableDeclaration) and member.kind == "local":
            for item in member.items:
                if item.name in numbers:
                    what, change = f"{item.name}{_SCALED}", partial(_rescaled, item.name)
                    scale = ((item.name, what, _FACTOR),)
                    yield Edit(
                        f"write '{item.name}' as {what}/{_FACTOR:g}", tree.Class, root.span, change, scaled=scale
                    )


def _parameters(member: tree.SubmodelDeclaration, item: tree.SubmodelItem, library: Library) -> list[str]:
    """The scalar parameters of a submodel that its parentheses may give; n1, n2 are not those of a given n."""
    found = library.find(member.class_reference, tree.Class)
    if item.dimensions or not isinstance(found, tree.Class):
        return []
    bound = {binding.name for binding in item.bindings}
    names = [
        own.name
        for each in inherited(found, library)
        if isinstance(each, tree.VariableDeclaration) and each.kind == "parameter"
        for own in each.items
        if not own.dimensions
    ]
    return [n for n in dict.fromkeys(names) if n in bound or n.rstrip("0123456789") not in bound]


def _number(span: Span, value: float) -> tree.Expression:
    number = tree.Number(span, abs(value))
    return tree.Unary(span, "-", number) if math.copysign(1.0, value) < 0 else number


def _with_value(value: float, item: Node) -> Node:
    return replace(item, value=_number(item.span, value))


def _with_binding(name: str, value: float, item: Node) -> Node:
    others = tuple(binding for binding in item.bindings if binding.name != name)
    return replace(item, bindings=(*others, tree.Binding(item.span, name, _number(item.span, value))))


def _started(value: float, item: Node) -> Node:
    new = (replace(a, value=_number(a.span, value)) if a.name == "start" else a for a in item.attributes)
    return replace(item, attributes=tuple(new))


def _parameter(member: Node) -> Node:
    return replace(member, kind="parameter")


def _is_free(member: tree.VariableDeclaration, fixed: set[str]) -> bool:
    return member.kind == "constant" and not fixed & {item.name for item in member.items}


def _needed(member: tree.Member) -> Iterator[str]:
    """What constants and settings of runs need, which parameters cannot give."""
    found: list[tree.Expression] = []
    if isinstance(member, tree.Experiment):
        found += [setting.value for setting in member.settings]
    elif isinstance(member, tree.VariableDeclaration) and member.kind == "constant":
        found += [item.value for item in member.items if item.value is not None]
    yield from (reference.parts[0].name for reference in tree.references(*found))


def _numbers(equation: tree.Equation) -> Iterator[tree.Number]:
    """The numbers that are factors and terms outside of calls and exponents."""
    waiting: list[tree.Expression] = [equation.right, equation.left]
    while waiting:
        e = waiting.pop()
        match e:
            case tree.Number() if e.value not in _OWN:
                yield e
            case tree.Binary(operator="+" | "-" | "*" | "/"):
                waiting += [e.right, e.left]
            case tree.Binary(operator="^"):
                waiting.append(e.left)
            case tree.Unary(operator="+" | "-"):
                waiting.append(e.operand)
            case tree.Reference():
                name, arguments = tree.called(e)
                waiting += arguments if name in _OPEN else ()


def _named(span: Span, value: float, name: str, root: Node) -> Node:
    def change(node: Node) -> Node:
        is_it = isinstance(node, tree.Number) and node.span == span
        return tree.Reference(span, (tree.Part(span, name),)) if is_it else node

    item = tree.VariableItem(span, name, value=tree.Number(span, value))
    declared = tree.VariableDeclaration(span, "parameter", (item,))
    return replace(root, members=(declared, *mapped(root.members, change)))


def _rescaled(name: str, root: Node) -> Node:
    new = name + _SCALED

    def change(node: Node) -> Node:
        match node:
            case tree.VariableItem() if node.name == name:
                return replace(node, name=new, attributes=tuple(map(_in_new_unit, node.attributes)))
            case tree.Reference() if node.parts[0].name == name and len(node.parts) == 1:
                return _times_factor("/", replace(node, parts=(replace(node.parts[0], name=new),)))
            case tree.Reference(parts=(tree.Part(arguments=(tree.Binary() as scaled,)) as called,)) if (
                called.name in PRESCRIBED and isinstance(scaled.left, tree.Reference)
            ):
                return _times_factor("/", replace(node, parts=(replace(called, arguments=(scaled.left,)),)))
            case tree.Equation(left=tree.Binary(left=tree.Reference() as called)) if (
                tree.called(called)[0] in PRESCRIBED
            ):
                return replace(node, left=called, right=_times_factor("*", node.right))
        return node

    return replace(root, members=mapped(root.members, change))


def _in_new_unit(attribute: tree.Attribute) -> tree.Attribute:
    if attribute.name not in ("start", "min", "max", "nominal") or attribute.value is None:
        return attribute
    return replace(attribute, value=_times_factor("*", attribute.value))


def _times_factor(operator: str, e: tree.Expression) -> tree.Expression:
    return tree.Binary(e.span, operator, e, tree.Number(e.span, _FACTOR))
