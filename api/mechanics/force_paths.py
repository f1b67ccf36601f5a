"""Finds the cuts in loops of a mechanism: instance tree -> names of cuts.

If constraints in loops are redundant, the forces in these cuts depend on how a formulation distributes them. A cut that
alone joins two parts of the mechanism has the force that the equilibrium of one part demands.
"""

from __future__ import annotations

from collections.abc import Iterable

import networkx as nx
from networkx.utils import UnionFind

from cutset.api.mechanics.frame_quantities import CutFrame, Place
from cutset.compiler.instantiate.instance import Instance
from cutset.contract.names import rpartition

_BASE = {"ng1", "ng2", "ng3"}


def cuts_in_loops(root: Instance, places: Iterable[Place]) -> frozenset[str]:
    """The names of the cut-frames that lie on a closed path of elements and connections; all inertial systems are
    one."""
    joined: UnionFind[tuple[str, str]] = UnionFind()
    bases = set()
    for instance in root.walk():
        if {rpartition(p.name)[2] for p in instance.parameters} >= _BASE:
            bases.add(instance.path)
        for join in instance.joins:
            joined.union((join.first.instance, join.first.name), (join.second.instance, join.second.name))
    graph, edges = nx.Graph(), {}
    for place in places:
        if isinstance(place, CutFrame):
            element = ("element", "" if place.instance in bases else place.instance)
            edges[place.name] = (element, ("connection", joined[place.instance, place.cut]))
            graph.add_edge(*edges[place.name])
    alone = {frozenset(edge) for edge in nx.bridges(graph)}
    return frozenset(name for name, edge in edges.items() if frozenset(edge) not in alone)
