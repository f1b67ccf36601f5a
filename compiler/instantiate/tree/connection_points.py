"""Resolves the names in connect statements to ConnectionPoints: main cuts, paths, and parts of hierarchical cuts.

Does not compare shapes: cuts without body have none until everything is connected.
"""

from __future__ import annotations

from collections.abc import Iterable

from cutset.compiler.diagnostics import ModelError
from cutset.compiler.expressions.array import Shape
from cutset.compiler.instantiate import messages
from cutset.compiler.instantiate.instance import End, element_names
from cutset.compiler.instantiate.names import class_messages
from cutset.compiler.instantiate.tree import connection_messages
from cutset.compiler.instantiate.tree.declarations import whole_size
from cutset.compiler.instantiate.tree.scope import Node, Within
from cutset.compiler.instantiate.values.evaluate import Evaluator
from cutset.compiler.syntax import tree
from cutset.contract.names import rpartition
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
    owner, names = here.node, []
    for part in reference.parts[:-1]:
        owner = here.child(owner, part)
        if owner.is_absent:
            return _absent(owner.path)
        names.append(rpartition(owner.path)[2])
    cut = reference.parts[-1]
    if cut.name not in owner.body.cuts:
        known = owner.body.cuts
        raise ModelError([connection_messages.unknown_cut(cut.name, owner.path, cut.span, known, here.instance)])
    return _cut(here, owner, cut, "outside", names)


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
    if kinds == ["a cut"]:
        return _cut(here, node, part, "inside", [])
    _forbid_index(here.instance, part)
    known = [*node.body.submodels, *node.body.cuts, *node.body.nodes]
    nodes, is_place = node.body.nodes, name in _places(node.body.statements)
    raise ModelError([connection_messages.unknown_point(name, span, known, nodes, is_place, here.instance)])


def shape_of(here: Within, owner: Node, name: str, is_cut: bool = False) -> Shape:
    """The lengths of an array of submodels, cuts or nodes, with `is_cut` of cuts; none for other names."""
    if name in owner.body.submodels and not is_cut:
        return here.submodels.shapes.get((owner, name), ())
    cut, node = owner.body.cuts.get(name), here.node.body.nodes.get(name)
    if cut is not None and cut.dimensions:
        return (_length(owner, name),)
    is_array = cut is None and not is_cut and node is not None and node.dimensions
    return (whole_size(here, node.dimensions[0], f"the length of '{name}'"),) if node and is_array else ()


def _length(owner: Node, name: str) -> int:
    """The length of an array of cuts; one that is wrong is reported."""
    if name not in owner.lengths:
        raise ModelError([])
    return owner.lengths[name]


def _elements(here: Within, part: tree.Part, length: int, elements: str) -> list[str]:
    """The names of the elements of an array of cuts or nodes that a part names, of all without an index."""
    if part.arguments is None:
        return element_names(part.name, (length,))
    evaluator = Evaluator(here)
    evaluator.arguments_of(part, (length,), elements)
    (chosen,) = evaluator.indices(part, (length,))
    numbers = chosen if isinstance(chosen, range) else [chosen]
    return [f"{part.name}({k + 1})" for k in numbers if isinstance(k, int)]


def _node(here: Within, part: tree.Part) -> ConnectionPoint:
    names, shape = [part.name], shape_of(here, here.node, part.name)
    if shape:
        names = _elements(here, part, shape[0], "nodes")
    else:
        _forbid_index(here.instance, part)
    whole = tuple(End(here.node.path, name, "node") for name in names)
    return ConnectionPoint(_name(names, part), tuple((end,) for end in whole), whole, whole)


def _name(elements: list[str], part: tree.Part) -> str:
    """That of the only element, or of the array, in messages."""
    return elements[0] if len(elements) == 1 else part.name


def _cut(here: Within, owner: Node, part: tree.Part, side: str, path: list[str]) -> ConnectionPoint:
    parts = _cut_parts(here, owner, part, side)
    whole = tuple(end for each in parts for end in each)
    name = _name([end.name for end in whole], part) if owner.body.cuts[part.name].dimensions else part.name
    return ConnectionPoint(":".join([*path, name]), parts, whole, whole)


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
        parts = _cut_parts(here, child, tree.Part(span, body.main_cut), "outside")
    elif path_ends:
        parts = tuple(path_ends)
    else:
        raise ModelError([connection_messages.no_main_cut(name, body.name, span, body.cuts, here.instance)])
    whole = tuple(end for part in parts for end in part)
    return ConnectionPoint(name, parts, path_ends[0] if path_ends else whole, path_ends[-1] if path_ends else whole)


def _cut_parts(here: Within, owner: Node, part: tree.Part, side: str) -> tuple[Ends, ...]:
    """The parts of a cut of `owner`, seen from `side`; an elementary cut is its own only part."""
    item = owner.body.cuts[part.name]
    if item.parts is None:
        return tuple((end,) for end in _elementary(here, owner, part, side))
    _forbid_index(here.instance, part)
    return tuple(_reference_ends(here, owner, reference, side) for reference in item.parts)


def _elementary(here: Within, owner: Node, part: tree.Part, side: str) -> Ends:
    """The end of an elementary cut, or those of the elements of an array; `here` is the scope of the index."""
    if owner.body.cuts[part.name].dimensions:
        names = _elements(here, part, _length(owner, part.name), "cuts")
        return tuple(End(owner.path, name, side) for name in names)
    _forbid_index(here.instance, part)
    return (End(owner.path, part.name, side),)


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
        name = wanted.parts[-1].name
        item = holder.body.cuts.get(name)
        if item is None:
            known = holder.body.cuts
            raise ModelError([connection_messages.unknown_cut(name, holder.instance, wanted.span, known, at.instance)])
        if item.parts is None:
            ends += _elementary(here.of(at) if item.dimensions else here, holder, wanted.parts[-1], seen_from)
            continue
        _forbid_index(at.instance, wanted.parts[-1])
        step = f"{holder.instance}:{name}"
        if step in chain:
            cycle = [*chain[chain.index(step) :], step]
            raise ModelError([class_messages.contains_itself(name, wanted.span, cycle, "contains", "cut")])
        stack += [(holder, inner, seen_from, (*chain, step)) for inner in reversed(item.parts)]
    return tuple(ends)
