"""Finds the tree of elements and frames to which the equations of a block belong: FlatModel, Block -> depths, kinds.

A frame is a node whose cuts have direction cosines; frames whose unknown motion is the same are one node, and those
with known motion are the bases. Elements without equations and coordinates in the block, such as springs, are no part
of the tree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple, TypeVar

from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.walk import variables_of
from cutset.compiler.flatten.model import EquationSystem, FlatModel
from cutset.compiler.instantiate.instance import CutVariable, leaves_of
from cutset.compiler.sort.system import Block
from cutset.contract.names import rpartition

# Kinds of unknowns: through and across variables of cuts, and others, such as the force of a body at a node; and the
# forces of elements that close loops.
THROUGH, ACROSS, OWN, CLOSING = "through", "across", "own", "closing"
# The parameter of joints that says that they close a loop.
_CLOSES = "closing"
Edge = tuple[str, str]
Vertex = str | frozenset[Expr]
# A node is named by its unknown motion, a base by nothing.
_BASE = frozenset[Expr]()


class Tree(NamedTuple):
    """Of a block: the element of each equation, and its depth, None for sums at nodes and elements without frames; the
    kind of each unknown; what each element passes on: the motion of far cuts, and the force at the near one; the
    equations of what closes loops, and the forces of this that are not known."""

    elements: list[str]
    depths: list[int | None]
    kinds: list[str]
    passed: dict[str, set[int]]
    closing: set[int]
    forces: set[Expr]


class ConnectionTrees:
    """The trees of the blocks of a model."""

    def __init__(self, model: FlatModel, system: EquationSystem):
        self._model = model
        self._given = {equation.residual for equation in system.equations}
        self._values = {alias.name: alias.value for alias in system.aliases}
        frames = {key: cut for key, cut in model.cuts.items() if cut.is_frame}
        self._motions = {key: frozenset(self._variables(cut.across)) for key, cut in frames.items()}
        # Submodels that have submodels with frames: their cuts are nodes, too.
        self._wholes = {path for instance, _ in frames for path in _paths_above(instance)}

    @property
    def has_frames(self) -> bool:
        """True for a mechanism."""
        return bool(self._motions)

    def tree_of(self, block: Block, later: set[Expr]) -> Tree | None:
        """The tree; None if the block has none, or if frames close a loop. `later` are the unknowns of this block and
        of those after it."""
        if not self._motions:
            return None
        unknowns = frozenset(block.unknowns)
        elements = [self._owner(equation.origin.instance) for equation in block.equations]
        owners = {*elements, *(e for u in block.unknowns for e in self._moving.get(u, ()))} - self._wholes
        closing = self._closing(owners, unknowns)
        nodes = {key: motion & later for key, motion in self._motions.items() if key[0] in owners - closing}
        edges: list[tuple[Vertex, Vertex]] = list(dict.fromkeys((key[0], node) for key, node in nodes.items()))
        depths = depths_of(edges, [_BASE])
        # What a joint with equations of its own holds is reached from its nearest node.
        for key in sorted(nodes, key=self._distances.__getitem__):
            if nodes[key] not in depths:
                depths |= depths_of(edges, [nodes[key]])
        if not edges or len(edges) > len(depths) - len([d for d in depths.values() if not d]):
            return None
        kinds = [self._kinds.get(u, OWN) for u in block.unknowns]
        outside = self._links - (owners - closing)
        forces = {v for key in self._motions if key[0] in outside for v in self._forces(key)}
        loose = {key[0] for key, motion in self._motions.items() if motion & later not in depths}
        others = {v for key in self._motions if key[0] in outside - loose for v in self._forces(key)}
        kinds = [CLOSING if u in forces else kind for u, kind in zip(block.unknowns, kinds, strict=True)]
        held = {
            e
            for e, equation in enumerate(block.equations)
            if equation.residual not in self._given or elements[e] in closing
        }
        if len(held) == len(elements):
            return None
        found = [depths.get(element) for element in elements]
        return Tree(elements, found, kinds, self._passed(block, nodes, depths), held, others & later)

    def _closing(self, owners: set[str], unknowns: Collection[Expr]) -> set[str]:
        """The elements between two frames whose equations do not contain the motion of these, but conditions, or that
        say so."""
        closes = {rpartition(name)[0] for name, value in self._model.folded.items() if name.endswith(_CLOSES) and value}
        links = owners & self._links
        return {element for element in links if element in closes or self._own[element].isdisjoint(unknowns)}

    @cached_property
    def _links(self) -> set[str]:
        """The elements between two frames that move differently."""
        frames: dict[str, set[frozenset[Expr]]] = {}
        for (instance, _), motion in self._motions.items():
            frames.setdefault(instance, set()).add(motion)
        return {instance for instance, motions in frames.items() if len(motions) > 1} - self._wholes

    def _forces(self, key: Edge) -> Iterator[Expr]:
        return self._variables(self._model.cuts[key].through)

    @cached_property
    def _own(self) -> dict[str, set[Expr]]:
        """For each element the variables of its frames in its equations, or of which these are aliases."""
        found: dict[str, set[Expr]] = {instance: set() for instance in self._instances}
        for equation in self._model.equations:
            owner = self._owner(equation.instance)
            if owner in found:
                for element in (*equation.left.elements, *equation.right.elements):
                    found[owner].update(root for v in variables_of(element) if (root := self._root(v)) is not None)
        motions = {key[0]: set[Expr]() for key in self._motions}
        for key, motion in self._motions.items():
            motions[key[0]] |= motion
        return {element: variables & motions[element] for element, variables in found.items()}

    def _passed(
        self, block: Block, nodes: Mapping[Edge, frozenset[Expr]], depths: Mapping[Vertex, int]
    ) -> dict[str, set[int]]:
        index = {u: k for k, u in enumerate(block.unknowns)}
        passed: dict[str, set[int]] = {}
        for (instance, name), node in nodes.items():
            cut = self._model.cuts[instance, name]
            of_cut = self._variables(cut.across if depths[node] > depths[instance] else cut.through)
            passed.setdefault(instance, set()).update(index[v] for v in of_cut if v in index)
        return passed

    @cached_property
    def _distances(self) -> dict[Edge, int]:
        """How far each cut is from the bases of the whole model."""
        depths = depths_of([(key[0], motion) for key, motion in self._motions.items()], [_BASE])
        return {key: depths.get(motion, len(depths)) for key, motion in self._motions.items()}

    @cached_property
    def _moving(self) -> dict[Expr, set[str]]:
        """The elements that have a variable, of no cut, that is an alias of this one."""
        of_cuts = {
            leaf.data
            for cut in self._model.cuts.values()
            for entry in (*(cut.across or ()), *(cut.through or ()))
            for leaf in (entry.value.elements if entry.value is not None else ())
        }
        found: dict[Expr, set[str]] = {}
        for variable in self._model.variables:
            for leaf in variable.value.elements:
                if leaf.data not in of_cuts and (root := self._root(leaf)) is not None:
                    found.setdefault(root, set()).add(self._owner(rpartition(variable.name)[0]))
        for state, slope in self._model.derivatives.items():
            root, instance = self._root(slope), rpartition(str(state.data))[0]
            if root is not None:
                found.setdefault(root, set()).add(self._owner(instance))
        return found

    @cached_property
    def _kinds(self) -> dict[Expr, str]:
        kinds: dict[Expr, str] = {}
        frames = Counter(instance for instance, _ in self._motions)
        for kind in (ACROSS, THROUGH):
            for instance, name in self._motions:
                cut = self._model.cuts[instance, name]
                for variable in self._variables(cut.across if kind == ACROSS else cut.through):
                    if kind == ACROSS or frames[instance] != 1 or instance not in self._moving.get(variable, ()):
                        kinds[variable] = kind
        return kinds

    def _variables(self, entries: Iterable[CutVariable] | None) -> Iterator[Expr]:
        """The variables of which the entries of a cut are aliases."""
        return (root for leaf in leaves_of(entries) if (root := self._root(leaf)) is not None)

    def _root(self, leaf: Expr) -> Expr | None:
        """The variable of which this is an alias; None for one of parameters."""
        while True:
            leaf = leaf.args[0] if leaf.op == "neg" else leaf
            if leaf.op != "variable":
                return None
            if leaf.data not in self._values:
                return leaf
            leaf = self._values[leaf.data]

    def _owner(self, instance: str) -> str:
        """The innermost submodel with frames on the path."""
        while instance and instance not in self._instances:
            instance = rpartition(instance)[0]
        return instance

    @cached_property
    def _instances(self) -> set[str]:
        return {instance for instance, _ in self._motions} - self._wholes


def _paths_above(path: str) -> Iterator[str]:
    while path := rpartition(path)[0]:
        yield path


# --- the order of a tree --------------------------------------------------------------------------

V = TypeVar("V", bound=Hashable)


def depths_of(edges: Iterable[tuple[V, V]], roots: Iterable[V]) -> dict[V, int]:
    """The number of edges from each vertex to the nearest root; vertices that no root reaches have none."""
    beside: dict[V, list[V]] = {}
    for a, b in edges:
        beside.setdefault(a, []).append(b)
        beside.setdefault(b, []).append(a)
    depths = dict.fromkeys(roots, 0)
    queue = list(depths)
    for at in queue:  # grows during the loop
        for other in beside.get(at, ()):
            if other not in depths:
                depths[other] = depths[at] + 1
                queue.append(other)
    return depths
