"""Finds what a file can say in another way: members in another order, sides exchanged, chains turned round."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from random import Random

from cutset.api.verify.restated.edits import Edit
from cutset.compiler.diagnostics import Source, Span
from cutset.compiler.instantiate.names.library import Library
from cutset.compiler.syntax import tree
from cutset.compiler.syntax.parse import parse
from cutset.compiler.syntax.tree import Node

# What prescribes a value, and is no equation between two sides.
PRESCRIBED = {"new", "init"}
# The first letters of a statement that are shown.
_SHOWN = 50
_LARGE = """model Large
  local large_beside
  large_beside = 1e13*(1 + time)
end
"""


def sides(contents: tree.SyntaxTree) -> Iterator[Edit]:
    """Each equation with its sides exchanged."""
    for each in contents.classes:
        for equation in _equations(each.members):
            if not (_prescribes(equation.left) or _prescribes(equation.right)):
                yield Edit(f"exchange the sides of '{_shown(equation)}'", tree.Equation, equation.span, _exchanged)


def orders(contents: tree.SyntaxTree, are_numbered: bool, rng: Random) -> Iterator[Edit]:
    """Each declaration, equation and connection at another place of its class, and the connections of each list in the
    opposite order. Where submodels are numbered in the order of the text, they keep it."""
    for each in contents.classes:
        for member in each.members:
            if not (are_numbered and isinstance(member, tree.SubmodelDeclaration)):
                move = partial(_moved, member.span, rng.randrange(len(each.members)))
                yield Edit(f"move '{_shown(member)}'", tree.Class, each.span, move)
            if isinstance(member, tree.Connect) and len(member.connections) > 1:
                yield Edit(f"turn the list '{_shown(member)}'", tree.Connect, member.span, _other_way)


def unrelated(root: tree.Class) -> Iterator[Edit]:
    """A variable that nothing depends on, larger than all others."""
    (model,) = parse(Source("Large", _LARGE)).classes
    yield Edit("add a large number", tree.Class, root.span, partial(_with_members, model.members))


def turns(contents: tree.SyntaxTree, library: Library) -> Iterator[Edit]:
    """Each chain of connections written from its end."""
    for each in contents.classes:
        change = partial(_turned, partial(has_path, each, library))
        for member in each.members:
            for connection in member.connections if isinstance(member, tree.Connect) else ():
                link = connection.connection if isinstance(connection, tree.Repeated) else connection
                if isinstance(link, tree.Chain):
                    yield Edit(f"turn '{_shown(link)}' round", tree.Chain, link.span, change)


def has_path(around: tree.Class, library: Library, name: str) -> bool:
    """True if the submodel of this name in a class has a main path, so that its two ends differ."""
    for reference in _submodels(around, library, name):
        found = library.find(reference, tree.Class)
        if isinstance(found, tree.Class):
            return any(isinstance(m, tree.PathDeclaration) and m.main for m in inherited(found, library))
    return False


def inherited(each: tree.Class, library: Library) -> Iterator[tree.Member]:
    """The members of a class and of its superclasses."""
    waiting, seen = [each], {each.span}
    while waiting:
        one = waiting.pop()
        yield from one.members
        for parent in (library.find(reference, tree.Class) for reference in one.supers):
            if isinstance(parent, tree.Class) and parent.span not in seen:
                seen.add(parent.span)
                waiting.append(parent)


def _submodels(around: tree.Class, library: Library, name: str) -> Iterator[tree.ClassReference]:
    defaults = {parameter.name: parameter.default for parameter in around.class_parameters}
    for member in inherited(around, library):
        if isinstance(member, tree.SubmodelDeclaration) and any(item.name == name for item in member.items):
            yield defaults.get(member.class_reference.name) or member.class_reference


def _equations(members: tuple[tree.Statement | tree.Member, ...]) -> Iterator[tree.Equation]:
    """The equations of a class; those at events and of loops prescribe values. Recursion is over the nesting of
    blocks."""
    for member in members:
        match member:
            case tree.Equation(is_closed=False, others=()):
                yield member
            case tree.For() | tree.Initial():
                yield from _equations(member.members)
            case tree.If():
                for branch in member.branches:
                    yield from _equations(branch.members)


def _prescribes(e: tree.Expression) -> bool:
    return isinstance(e, tree.Reference) and tree.called(e)[0] in PRESCRIBED


def _exchanged(equation: Node) -> Node:
    return replace(equation, left=equation.right, right=equation.left)


def _with_members(members: tuple[tree.Member, ...], each: Node) -> Node:
    return replace(each, members=(*each.members, *members))


def _other_way(connect: Node) -> Node:
    return replace(connect, connections=tuple(reversed(connect.connections)))


def _moved(span: Span, place: int, each: Node) -> Node:
    kept = [member for member in each.members if member.span != span]
    chosen = [member for member in each.members if member.span == span]
    return replace(each, members=(*kept[:place], *chosen, *kept[place:]))


def _turned(has_two_ends: partial[bool], link: Node) -> Node:
    """The link from its end. Recursion is over parentheses."""
    match link:
        case tree.Chain():
            return replace(link, links=tuple(_turned(has_two_ends, each) for each in reversed(link.links)))
        case tree.Reversed():
            return link.link
        case tree.PointReference():
            two = len(link.parts) == 1 and has_two_ends(link.parts[0].name)
            return tree.Reversed(link.span, link) if two else link
        case tree.Parallel():
            first = link.links[0]
            inner = first.link if isinstance(first, tree.Reversed) else first
            return link if _turned(has_two_ends, inner) == inner else tree.Reversed(link.span, link)
    return tree.Reversed(link.span, link)


def _shown(node: Node) -> str:
    text: str = node.span.text
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."
