"""Cuts the statements of a schedule into chunks, each small enough for a C compiler, and finds those that repeat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cutset.compiler.codegen.repeats import Repetition, find_repetitions
from cutset.compiler.codegen.temporaries import Selection, is_result, shapes_of
from cutset.compiler.expressions.pool import Expr
from cutset.contract.quick_dataclass import dataclass

# The time of C compilers grows faster than a function; functions of a few hundred statements cost nothing at run time.
# With long expressions fewer statements are enough.
CHUNK = 400
MOST_OPERATIONS = 1200


@dataclass(frozen=True)
class Periods:
    """Stored nodes whose statements repeat: `count` periods of `length` nodes each, one after the other."""

    count: int
    length: int
    nodes: Sequence[Expr]

    def stored(self, k: int, partner: Mapping[Expr, Expr]) -> list[Expr]:
        """The nodes that period k stores, a sine with its cosine."""
        nodes = self.nodes[k * self.length : (k + 1) * self.length]
        return [stored for node in nodes for stored in (node, partner.get(node)) if stored is not None]


@dataclass(frozen=True)
class Chunks:
    """The chunk number of each stored node, the number of chunks, and the periods by their first chunk: each period has
    its own chunk. The targets are written in the last chunk."""

    number: Mapping[Expr, int]
    count: int
    periods: Mapping[int, Periods]


def assign_chunks(selection: Selection, is_single: bool, loops: bool) -> Chunks:
    """Assign a chunk to each stored node; one chunk for all if `is_single` or if they are few. With `loops` repeating
    statements are found."""
    order = _statements_of_their_own(selection)
    sizes = [(1 + (node in selection.partner), selection.operations[node]) for node in order]
    numbers = number_chunks([*sizes, *selection.target_sizes])
    if is_single or not order or numbers[-1] == 0:
        return Chunks(dict.fromkeys(selection.temporaries, 0), 1, {})
    repetitions: list[Repetition] = []
    if loops:
        shapes = shapes_of(selection)
        repetitions = find_repetitions([shapes[node] for node in order])
    chunk_of: dict[Expr, int] = {}
    periods: dict[int, Periods] = {}
    done = free = 0
    for repetition in [*repetitions, Repetition(len(order), 1, 0)]:
        straight = order[done : repetition.start]
        if straight:
            numbers = number_chunks(sizes[done : repetition.start])
            chunk_of |= {node: free + k for node, k in zip(straight, numbers, strict=True)}
            free += numbers[-1] + 1
        nodes = order[repetition.start : repetition.end]
        if nodes:
            chunk_of |= {node: free + k // repetition.period for k, node in enumerate(nodes)}
            periods[free] = Periods(repetition.count, repetition.period, nodes)
        free, done = free + repetition.count, repetition.end
    # A call writes its results directly, and a sine comes with its cosine.
    for node in selection.temporaries:
        if node not in chunk_of:
            chunk_of[node] = chunk_of[node.args[0] if is_result(node) else selection.partner[node]]
    # The targets are written by separate chunks, which may be cut anywhere because they have no locals.
    return Chunks(chunk_of, free + 1, periods)


def number_chunks(sizes: Sequence[tuple[int, int]]) -> list[int]:
    """The chunk of each statement, given the number of values it stores and its operations: a chunk has at most CHUNK
    values and, if it has more than one statement, at most MOST_OPERATIONS operations."""
    numbers = []
    number = stored = total = 0
    for values, count in sizes:
        if stored and (stored + values > CHUNK or total + count > MOST_OPERATIONS):
            number, stored, total = number + 1, 0, 0
        stored, total = stored + values, total + count
        numbers.append(number)
    return numbers


def _statements_of_their_own(selection: Selection) -> list[Expr]:
    """The stored nodes in order, without those that the statement of another one computes."""
    order: dict[Expr, None] = {}
    for node in selection.nodes:
        if node in selection.temporaries and not is_result(node) and selection.partner.get(node) not in order:
            order[node] = None
    return list(order)
