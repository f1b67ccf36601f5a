"""Resolves the names in connect statements to ConnectionPoints: main cuts, paths, and parts of hierarchical cuts.

Does not compare shapes: cuts without body have none until everything is connected.
"""

from __future__ import annotations

from collections.abc import Iterable

from cutset.compiler.diagnostics import ModelError
from cutset.compiler.instantiate import messages
from cutset.compiler.instantiate.instance import End
from cutset.compiler.instantiate.names import class_messages
from cutset.compiler.instantiate.tree import connection_messages
from cutset.compiler.instantiate.tree.declarations import whole_size
from cutset.compiler.instantiate.tree.scope import Node, Within
from cutset.compiler.instantiate.values.evaluate import Evaluator
from cutset.compiler.syntax import tree
from cutset.contract.quick_dataclass import dataclass

Ends = tuple[End, ...]

# The side of an end of an absent submodel.
ABSENT = "absent"


@dataclass(frozen=True)
class ConnectionPoint:
    """Something that can be connected: its parts, each a row of elementary ends, and the rows at its two ends."""

    name: str
    parts: tuple[Ends, ...]
    left: Ends
    right: Ends

    @property
    def is_absent(self) -> bool:
        """True if nothing of it exists."""
        return all(end.side == ABSENT for end in (*self.whole, *self.left, *self.right))

    @property
    def whole(self) -> Ends:
        """All elementary ends in order."""
        return tuple(end for part in self.parts for end in part)


def connection_point(here: Within, reference: tree.PointReference) -> ConnectionPoint:
    """Resolves `sub:cut`, a submodel, an own cut or a node; raises ModelError."""
    if len(reference.parts) == 1:
        return _bare(here, reference.parts[0])
    owner = here.node
    for part in reference.parts[:-1]:
        owner = here.child(owner, part)
        if owner.is_absent:
            return _absent(owner.path)
    cut = reference.parts[-1]
    _forbid_index(here.instance, cut)
    name = ":".join(part.name for part in reference.parts)
    if cut.name not in owner.body.cuts:
        known = owner.body.cuts
        raise ModelError([connection_messages.unknown_cut(cut.name, owner.path, cut.span, known, here.instance)])
    parts = _cut_parts(here, owner, cut.name, "outside")
    whole = tuple(end for part in parts for end in part)
    return ConnectionPoint(name, parts, whole, whole)


def check_points(here: Within) -> None:
    """Report unknown names in hierarchical cuts and paths, connected or not."""
    cuts = [reference for item in here.node.body.cuts.values() for reference in item.parts or ()]
    for reference in (*cuts, *(c for path in here.node.body.paths.values() for c in path.cuts)):
        try:
            _reference_ends(here, here.node, reference, "inside")
        except ModelError as error:
            here.report(*error.diagnostics)


def _absent(path: str) -> ConnectionPoint:
    """Any point of an absent submodel: one end that no join uses."""
    ends = (End(path, "", ABSENT),)
    return ConnectionPoint(path, (ends,), ends, ends)


def _forbid_index(instance: str, part: tree.Part) -> None:
    if part.arguments is not None:
        raise ModelError(
            [messages.bad_index(f"'{part.name}' is not an array", part.span, instance, "remove the parentheses")]
        )


def _bare(here: Within, part: tree.Part) -> ConnectionPoint:
    node, name, span = here.node, part.name, part.span
    kinds = []
    if name in node.body.submodels:
        kinds.append("a submodel")
    if name in node.body.cuts:
        kinds.append("a cut")
    if name in node.body.nodes:
        kinds.append("a node")
    if len(kinds) > 1:
        raise ModelError([connection_messages.ambiguous_point(name, span, kinds, here.instance)])
    if kinds == ["a submodel"]:
        return _submodel(here, part)
    if kinds == ["a node"]:
        return _node(here, part)
    if kinds:
        _forbid_index(here.instance, part)
    if kinds == ["a cut"]:
        parts = _cut_parts(here, node, name, "inside")
        whole = tuple(end for part in parts for end in part)
        return ConnectionPoint(name, parts, whole, whole)
    known = [*node.body.submodels, *node.body.cuts, *node.body.nodes]
    nodes, is_place = node.body.nodes, name in _places(node.body.statements)
    raise ModelError([connection_messages.unknown_point(name, span, known, nodes, is_place, here.instance)])


def length_of(here: Within, name: str) -> int | None:
    """The number of elements of an array of submodels or nodes; None for other names."""
    node = here.node
    if name in node.body.submodels:
        return len(here.submodels.children[node, name]) if node.body.submodels[name][0].dimensions else None
    item = node.body.nodes.get(name)
    return whole_size(here, item.dimensions[0], f"the length of '{name}'") if item and item.dimensions else None


def _node(here: Within, part: tree.Part) -> ConnectionPoint:
    name, length = part.name, length_of(here, part.name)
    if length is None:
        _forbid_index(here.instance, part)
    else:
        name = f"{name}({Evaluator(here).number_of(part, length, 'nodes')})"
    ends = (End(here.node.path, name, "node"),)
    return ConnectionPoint(name, (ends,), ends, ends)


def _places(statements: Iterable[tree.ModelStatement]) -> set[str]:
    """The names at which something is connected."""
    return {
        target.parts[0].name
        for connect in statements if isinstance(connect, tree.Connect)
        for placed in connect.connections if isinstance(placed, tree.Placement)
        for target in placed.targets if len(target.parts) == 1
    }  # fmt: skip


def _submodel(here: Within, part: tree.Part) -> ConnectionPoint:
    """A submodel is represented by its main cut and its main path; if one is missing the other replaces it."""
    child = here.child(here.node, part)
    if child.is_absent:
        return _absent(child.path)
    name, span, body = child.path.removeprefix(f"{here.node.path}."), part.span, child.body
    path_ends = (
        [_reference_ends(here, child, c, "outside") for c in body.paths[body.main_path].cuts] if body.main_path else []
    )
    if body.main_cut:
        parts = _cut_parts(here, child, body.main_cut, "outside")
    elif path_ends:
        parts = tuple(path_ends)
    else:
        raise ModelError([connection_messages.no_main_cut(name, body.name, span, body.cuts, here.instance)])
    whole = tuple(end for part in parts for end in part)
    return ConnectionPoint(name, parts, path_ends[0] if path_ends else whole, path_ends[-1] if path_ends else whole)


def _cut_parts(here: Within, owner: Node, name: str, side: str) -> tuple[Ends, ...]:
    """The parts of a cut of `owner`, seen from `side`; an elementary cut is its own only part."""
    item = owner.body.cuts[name]
    if item.parts is None:
        return ((End(owner.path, name, side),),)
    return tuple(_reference_ends(here, owner, reference, side) for reference in item.parts)


def _reference_ends(here: Within, owner: Node, reference: tree.PointReference, side: str) -> Ends:
    """Elementary ends of a cut that a hierarchical cut or a path names; hierarchies are traversed in a loop."""
    ends: list[End] = []
    stack: list[tuple[Node, tree.PointReference, str, tuple[str, ...]]] = [(owner, reference, side, ())]
    while stack:
        at, wanted, seen_from, chain = stack.pop()
        holder = at
        for part in wanted.parts[:-1]:
            holder, seen_from = here.of(at).child(holder, part), "outside"
            if holder.is_absent:
                break
        if holder.is_absent:
            ends.append(End(holder.path, "", ABSENT))
            continue
        _forbid_index(at.instance, wanted.parts[-1])
        name = wanted.parts[-1].name
        item = holder.body.cuts.get(name)
        if item is None:
            known = holder.body.cuts
            raise ModelError([connection_messages.unknown_cut(name, holder.instance, wanted.span, known, at.instance)])
        if item.parts is None:
            ends.append(End(holder.path, name, seen_from))
            continue
        step = f"{holder.instance}:{name}"
        if step in chain:
            cycle = [*chain[chain.index(step) :], step]
            raise ModelError([class_messages.contains_itself(name, wanted.span, cycle, "contains", "cut")])
        stack += [(holder, inner, seen_from, (*chain, step)) for inner in reversed(item.parts)]
    return tuple(ends)
