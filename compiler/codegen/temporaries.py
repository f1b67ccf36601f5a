"""Chooses which nodes of expressions become statements, and describes their form. Assigns no places.

A node is stored if it is used more than once, is needed by name, or is too deep in its user's expression. `nodes` are
ordered children first everywhere; the `known` have a place already. The loops visit all nodes of a model: most have two
arguments, so these have separate cases.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from cutset.compiler.codegen.code import Read, TableRef
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.walk import inside_iterations, reachable
from cutset.contract.quick_dataclass import dataclass

_DEEPEST = 8
# Each of these has its own kind of statement.
_WHOLE = frozenset({"solve", "newton", "apply", "table"})
# Leaves that are elements of arrays.
FILLED = {"mode": "m", "start": "s", "acting": "f"}

Known = Mapping[Expr, Read | TableRef]


@dataclass(frozen=True)
class Selection:
    """What a schedule computes, and which nodes of it are stored."""

    # The places of the results, the places of other known nodes, and the tables that are kept.
    targets: Sequence[tuple[Read, Expr]]
    known: Known
    kept: Set[Expr]
    # All nodes outside of iterations, children first, and those of them that the rounds of an iteration use.
    nodes: Sequence[Expr]
    used_inside: Set[Expr]
    # The nodes that become statements; for sine and cosine of one argument each is the other's partner.
    temporaries: Set[Expr]
    partner: Mapping[Expr, Expr]
    # The number of operations in the statement of a stored node, or in the expression of another one.
    operations: Mapping[Expr, int]

    @property
    def target_sizes(self) -> list[tuple[int, int]]:
        """The number of values stored and of operations, for the statement of each target."""
        return [(1, 1 if e in self.temporaries else 1 + self.operations[e]) for _, e in self.targets]


def select(targets: Sequence[tuple[Read, Expr]], known: Known, kept: Sequence[Expr], sincos: bool) -> Selection:
    """Select what must be computed for the targets and the tables that are `kept`; with `sincos` a sine and a cosine of
    one argument are both stored."""
    every = reachable([*(e for _, e in targets), *kept], known)
    inside = inside_iterations(every, known)
    nodes = [n for n in every if n not in inside]
    # Values that the rounds of an iteration use are computed before them, where they are accessible.
    users = [*inside, *(n for n in nodes if n.op == "newton" and n not in known)]
    used_inside = {a for n in users for a in n.args if a not in inside}
    temporaries = _choose_temporaries(nodes, known, [e for _, e in targets], used_inside, sincos)
    partner = _partners(nodes, temporaries) if sincos else {}
    operations = _count_operations(nodes, known, temporaries)
    return Selection(targets, known, frozenset(kept), nodes, used_inside, temporaries, partner, operations)


def is_result(node: Expr) -> bool:
    """True for a result of a call."""
    return node.op == "element" and node.args[0].op == "apply"


def _choose_temporaries(
    nodes: Sequence[Expr], known: Known, targets: Sequence[Expr], shared: Set[Expr], sincos: bool
) -> set[Expr]:
    """The nodes that become statements. The `shared` ones always do, except for elements; with `sincos` so do the sine
    and the cosine of one argument."""
    several = _used_more_than_once(nodes, known, targets)
    both: set[Expr] = set()
    if sincos:
        both = {n.args[0] for n in nodes if n.op == "sin"} & {n.args[0] for n in nodes if n.op == "cos"}
    temporaries: set[Expr] = set()
    depth: dict[Expr, int] = {}
    for node in nodes:
        args, op = node.args, node.op
        if node in known or (not args and op != "apply"):
            depth[node] = 0
            continue
        if len(args) == 2:
            a, b = depth.get(args[0], 0), depth.get(args[1], 0)
            below = a if a > b else b
        else:
            below = max((depth.get(a, 0) for a in args), default=0)
        if op == "element":
            chosen = is_result(node)
        else:
            pair = op in ("sin", "cos") and args[0] in both
            chosen = op in _WHOLE or node in shared or node in several or below >= _DEEPEST or pair
        if chosen:
            temporaries.add(node)
        depth[node] = 0 if chosen else below + 1
    return temporaries


def _used_more_than_once(nodes: Sequence[Expr], known: Known, targets: Sequence[Expr]) -> set[Expr]:
    once: set[Expr] = set()
    several: set[Expr] = set()
    for node in nodes:
        if node not in known:
            for a in node.args:
                if a in once:
                    several.add(a)
                else:
                    once.add(a)
    for e in targets:
        if e in once:
            several.add(e)
        else:
            once.add(e)
    return several


def _partners(nodes: Sequence[Expr], temporaries: Set[Expr]) -> dict[Expr, Expr]:
    """Each stored sine with the stored cosine of its argument, and vice versa."""
    sines = {n.args[0]: n for n in nodes if n.op == "sin" and n in temporaries}
    cosines = {n.args[0]: n for n in nodes if n.op == "cos" and n in temporaries}
    pairs: dict[Expr, Expr] = {}
    for argument, sine in sines.items():
        if argument in cosines:
            pairs[sine], pairs[cosines[argument]] = cosines[argument], sine
    return pairs


def _count_operations(nodes: Sequence[Expr], known: Known, temporaries: Set[Expr]) -> dict[Expr, int]:
    """The number of operations in the statement of each stored node, and in the expression of each other one."""
    counts: dict[Expr, int] = {}
    for node in nodes:
        total = 1 if node.args else 0
        if node not in known:
            for a in node.args:
                if a not in temporaries:
                    total += counts.get(a, 0)
        counts[node] = total
    return counts


def shapes_of(selection: Selection) -> dict[Expr, int]:
    """The same number for stored nodes whose statements differ in places only."""
    numbers: dict[object, int] = {"stored": 0}
    used: dict[Expr, int] = {}
    own: dict[Expr, int] = {}
    for node in selection.nodes:
        place = selection.known.get(node)
        key: object
        if place is None:
            key = _shape(node, used, selection.partner)
        else:
            key = ("known", place.array) if isinstance(place, Read) else ("points", place.array, place.size)
        number = own[node] = numbers.setdefault(key, len(numbers))
        used[node] = 0 if node in selection.temporaries else number
    return own


def _shape(node: Expr, used: Mapping[Expr, int], partner: Mapping[Expr, Expr]) -> object:
    op, args = node.op, node.args
    if op in _WHOLE:
        return node
    if not args:
        return op, repr(node.data) if op not in FILLED else ""
    if op == "element":
        return "stored"
    return op, node in partner, *[used[a] for a in args]
