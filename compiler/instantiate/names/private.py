"""Renames private variables and indices of superclasses where a subclass declares the same name.

The statements of a class mean the variables that it sees: its own and those of its superclasses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from cutset.compiler.instantiate.names.inheritance import Ancestors
from cutset.compiler.syntax import tree
from cutset.compiler.syntax.tree import Node, mapped

# A name that no model can contain begins with it.
_HIDDEN = "$"


def with_own_names(line: Sequence[tree.Class], ancestors: Ancestors) -> list[tuple[tree.Member, ...]]:
    """The members of each class of the line, which has superclasses first."""
    declared = [_declared(owner) for owner in line]
    indices = [set(_indices(owner)) for owner in line]
    used: dict[str, list[tuple[tree.Class, bool]]] = {}  # with indices, which are not private
    for owner, variables, own in zip(line, declared, indices, strict=True):
        for name, is_private in (dict.fromkeys(own, False) | variables).items():
            used.setdefault(name, []).append((owner, is_private))
    shared = {name: found for name, found in used.items() if len(found) > 1 and any(p for _, p in found)}
    members = []
    for owner, own in zip(line, indices, strict=True):
        # A class may use names of a class beside it: what it means is what the first class sees that inherits both.
        readers = (
            [owner, *(each for each in line if each is not owner and ancestors.has(each, owner))] if shared else []
        )
        starts = {name: _hidden(readers, found, ancestors) for name, found in shared.items()}
        names = {name: start + name for name, start in starts.items() if start}
        for other, variables in zip(line, declared, strict=True) if own else ():
            taken = own & variables.keys()
            if taken and not ancestors.has(owner, other):
                names |= {name: _HIDDEN + name for name in taken}
        members.append(mapped(owner.members, partial(_renamed, names)) if names else owner.members)
    return members


def _hidden(readers: Iterable[tree.Class], found: Sequence[tuple[tree.Class, bool]], ancestors: Ancestors) -> str:
    """What the other name of the private variable begins with that the first of these classes sees, which sees any;
    empty if it keeps its name."""
    visible = ([each for each in found if ancestors.has(reader, each[0])] for reader in readers)
    seen = next(filter(None, visible), [])
    if not seen or len(seen) == len(found) or not all(is_private for _, is_private in seen):
        return ""
    return f"{_HIDDEN}{seen[-1][0].name}_"


def _renamed(names: Mapping[str, str], node: Node) -> Node:
    match node:
        case tree.VariableItem() | tree.CutEntry() | tree.ForIndex() if node.name in names:
            return replace(node, name=names[node.name])
        case tree.Reference(parts=(part,)) if part.name in names:
            return replace(node, parts=(replace(part, name=names[part.name]),))
    return node


def _declared(owner: tree.Class) -> dict[str, bool]:
    """The variables that the text of a class declares, and whether they are private."""
    found: dict[str, bool] = {}
    for member in owner.members:
        match member:
            case tree.VariableDeclaration() if member.kind != "default":
                items: Iterable[tree.VariableItem | tree.CutEntry] = member.items
            case tree.CutDeclaration():
                items = (entry for cut in member.items for entry in cut.entries)
            case _:
                continue
        for item in items:
            is_private = any(attribute.name == "private" for attribute in item.attributes)
            found[item.name] = found.get(item.name, False) or is_private
    return found


def _indices(owner: tree.Class) -> Iterator[str]:
    for member in tree.with_inner(owner.members):
        if isinstance(member, tree.For):
            yield member.index.name
        elif isinstance(member, tree.Connect):
            repeated = (each for each in member.connections if isinstance(each, tree.Repeated))
            yield from (index.name for each in repeated for index in each.indices)
