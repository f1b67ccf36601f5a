"""Renames what the translated object declares, and wraps the object into a class."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from cutset.api.verify.restated.edits import Edit
from cutset.api.verify.restated.wordings import inherited
from cutset.compiler.instantiate.names.library import Library
from cutset.compiler.syntax import tree
from cutset.compiler.syntax.tree import Node, mapped

# Declarations whose names no run, no surrounding model and no submodel uses.
_PRIVATE = {"parameter", "constant", "local", "terminal", "output"}
# What attributes take for keywords.
_KEYWORDS = {"prefer", "avoid", "always", "never", "true", "false", "time"}
Declared = tree.VariableItem | tree.SubmodelItem | tree.NodeItem | tree.CutItem
_OTHER, WRAPPED = "_renamed", "wrapped"


def names(root: tree.Class, library: Library) -> Iterator[Edit]:
    """Each name that the object declares, replaced by another one."""
    free = {item.name for member in root.members for item in _private(member)}
    everywhere = [m for parent in _parents(root, library) for m in inherited(parent, library)]
    taken = {item.name for member in everywhere for item in _items(member)}
    taken |= {item.name for member in root.members for item in _items(member) if item not in _private(member)}
    for name in sorted(free - taken - _KEYWORDS):
        new = f"{name[:-1]}{_OTHER}'" if name.endswith("'") else name + _OTHER
        if new not in free | taken:
            change = partial(_renamed, name, new)
            yield Edit(f"call '{name}' '{new}'", tree.Class, root.span, change, names=((name, new),))


def wraps(root: tree.Class, contents: tree.SyntaxTree) -> Iterator[Edit]:
    """The object of the file as the only submodel of another one, which gives it its parameters and start values."""
    if not any(isinstance(member, tree.CutDeclaration) for member in root.members) and not root.class_parameters:
        at, change = contents.classes[0].span, partial(_wrapped, root.name)
        yield Edit(f"wrap '{root.name}' into a class", tree.SyntaxTree, at, change, names=(("", WRAPPED),))


def _parents(root: tree.Class, library: Library) -> list[tree.Class]:
    found = [library.find(reference, tree.Class) for reference in root.supers]
    return [each for each in found if isinstance(each, tree.Class)]


def _items(member: tree.Member) -> tuple[Declared, ...]:
    if isinstance(
        member, tree.VariableDeclaration | tree.SubmodelDeclaration | tree.NodeDeclaration | tree.CutDeclaration
    ):
        return tuple(member.items)
    return ()


def _private(member: tree.Member) -> tuple[Declared, ...]:
    is_open = isinstance(member, tree.VariableDeclaration) and member.kind not in _PRIVATE
    return () if is_open or isinstance(member, tree.CutDeclaration) else _items(member)


def _renamed(old: str, new: str, root: Node) -> Node:
    def change(node: Node) -> Node:
        match node:
            case tree.VariableItem() | tree.SubmodelItem() | tree.NodeItem() | tree.CutEntry():
                return replace(node, name=new) if node.name == old else node
            case tree.Reference() | tree.PointReference():
                first, *rest = node.parts
                return replace(node, parts=(replace(first, name=new), *rest)) if first.name == old else node
        return node

    return replace(root, members=mapped(root.members, change))


def _wrapped(name: str, contents: Node) -> Node:
    (root,) = (each for each in contents.classes if each.is_object and each.name == name)
    inner, outer, given = list[tree.Member](), list[tree.Member](), list[str]()
    for member in root.members:
        if isinstance(member, tree.Experiment):
            outer.append(member)
        elif isinstance(member, tree.VariableDeclaration) and member.kind in ("local", "terminal", "output"):
            declared, starts = _with_starts_given(member)
            inner += [*starts, declared]
            outer += starts
            given += [item.name for each in starts for item in each.items]
        else:
            inner.append(member)
            if isinstance(member, tree.VariableDeclaration) and member.kind in ("parameter", "constant", "input"):
                outer.append(member)
                given += [item.name for item in member.items if member.kind != "constant"]
    span, inside = root.span, name + "_wrapped"
    item = tree.SubmodelItem(span, WRAPPED, bindings=tuple(tree.Binding(span, n, _name(root, n)) for n in given))
    submodel = tree.SubmodelDeclaration(span, tree.ClassReference(span, inside), (item,))
    wrapped = replace(root, name=inside, is_object=False, members=tuple(inner))
    whole = replace(root, supers=(), members=(*outer, submodel))
    others = (each for each in contents.classes if each is not root)
    return replace(contents, classes=(*others, wrapped, whole))


def _with_starts_given(
    member: tree.VariableDeclaration,
) -> tuple[tree.VariableDeclaration, list[tree.VariableDeclaration]]:
    """The declaration with start values that are parameters, and these: a value that is written in the model has
    priority over one in a class."""
    items, starts = [], list[tree.VariableDeclaration]()
    for item in member.items:
        attributes = []
        for attribute in item.attributes:
            if attribute.name == "start" and _has_shape(item, attribute.value):
                shape = item.dimensions if isinstance(attribute.value, tree.Matrix) else ()
                units = tuple(each for each in item.attributes if each.name == "unit")
                parameter = tree.VariableItem(item.span, f"{item.name}_start", shape, units, attribute.value)
                starts.append(tree.VariableDeclaration(item.span, "parameter", (parameter,), member.type_reference))
                attribute = replace(attribute, value=_name(item, parameter.name))
            attributes.append(attribute)
        items.append(replace(item, attributes=tuple(attributes)))
    return replace(member, items=tuple(items)), starts


def _has_shape(item: tree.VariableItem, start: tree.Expression | None) -> bool:
    """True for a start value whose shape is known without its context."""
    return start is not None and (not item.dimensions or isinstance(start, tree.Matrix | tree.Number))


def _name(at: tree.Class | tree.VariableItem, name: str) -> tree.Reference:
    return tree.Reference(at.span, (tree.Part(at.span, name),))
