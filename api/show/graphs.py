"""Shows a translated model as networkx graphs: connections of submodels, topology, incidence of equations, blocks.

Reads the results of the stages; decides nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

import networkx as nx

from cutset.api.mechanics.topology import topology_of
from cutset.compiler.expressions.text import text
from cutset.compiler.expressions.walk import variables_of
from cutset.compiler.flatten.model import FlatModel
from cutset.compiler.instantiate.instance import Instance
from cutset.compiler.sort.system import SolvedSystem, SortedSystem


def connection_graph(flat: FlatModel) -> nx.MultiGraph:
    """The connections. Nodes: submodels by full names (attributes class_name, place), and the nodes of the model.
    Edges: one for each pair of ends in a connection, with the cuts of both (first, second) and the place of the
    connection."""
    graph = nx.MultiGraph(name=flat.name)
    for name, place in flat.places.items():
        graph.add_node(name, class_name=flat.classes.get(name, ""), place=str(place))
    for number, joined in enumerate(flat.sets):
        for join in joined.joins:
            first, second = (end.instance or f"{flat.name}:{end.name}" for end in (join.first, join.second))
            cuts = {"first": (first, join.first.name), "second": (second, join.second.name)}
            graph.add_edge(first, second, place=str(join.span), set=number, **cuts)
    return graph


def incidence_graph(ordered: SortedSystem) -> nx.Graph:
    """The incidence as a bipartite graph. Nodes: equations by number in the order of evaluation (bipartite=0; text,
    place, instance) and variables by name (bipartite=1; is_state). Edges: the equation contains the variable; `matched`
    is True if the equation determines it."""
    graph = nx.Graph(name=ordered.system.name)
    states = set(ordered.states)
    number = 0
    for block in ordered.blocks:
        for equation, unknown in zip(block.equations, block.unknowns, strict=True):
            origin = equation.origin
            words = {"text": f"0 = {text(equation.residual)}", "place": str(origin.span), "instance": origin.instance}
            graph.add_node(number, bipartite=0, **words)
            for variable in variables_of(equation.residual):
                graph.add_node(str(variable.data), bipartite=1, is_state=variable in states)
                graph.add_edge(number, str(variable.data), matched=variable is unknown)
            number += 1
    return graph


def block_graph(solved: SolvedSystem) -> nx.DiGraph:
    """The blocks. Nodes: blocks by number in the order of evaluation (unknowns, torn: names; equations: places). Edges:
    from a block to each block that uses its unknowns."""
    ordered = solved.sorted_system
    torn = {a.unknown for a in solved.assignments if a.is_torn}
    block_of = {u: b for b, block in enumerate(ordered.blocks) for u in block.unknowns}
    graph = nx.DiGraph(name=ordered.system.name)
    for b, block in enumerate(ordered.blocks):
        graph.add_node(
            b,
            unknowns=[str(u.data) for u in block.unknowns],
            torn=[str(u.data) for u in block.unknowns if u in torn],
            equations=[str(e.origin.span) for e in block.equations],
        )
        used = {block_of[v] for e in block.equations for v in variables_of(e.residual) if v in block_of}
        graph.add_edges_from((other, b) for other in sorted(used - {b}))
    return graph


def graph_of(kind: str, stages: Mapping[str, object]) -> nx.Graph:
    """The graph of a kind: 'connections', 'topology', 'incidence' or 'blocks'. ValueError if there is no such kind."""
    if kind == "topology":
        return _topology_graph(stages["instantiate"], stages["flatten"])
    match kind, stages["flatten"], stages["sort"], stages["solve"]:
        case "connections", FlatModel() as flat, _, _:
            return connection_graph(flat)
        case "incidence", _, SortedSystem() as ordered, _:
            return incidence_graph(ordered)
        case "blocks", _, _, SolvedSystem() as solved:
            return block_graph(solved)
    raise ValueError(f"there is no graph '{kind}': the graphs are 'connections', 'topology', 'incidence' and 'blocks'")


def _topology_graph(root: object, flat: object) -> nx.MultiDiGraph:
    assert isinstance(root, Instance) and isinstance(flat, FlatModel)
    return topology_of(root, flat).graph()
