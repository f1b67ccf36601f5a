"""Assigns a place to each stored node: a local of its chunk, or an element of the work array."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cutset.compiler.codegen.chunks import Chunks, Periods
from cutset.compiler.codegen.program import Read, TableRef, row_width
from cutset.compiler.codegen.temporaries import Selection
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.sparse import band_of
from cutset.contract.quick_dataclass import dataclass


@dataclass(frozen=True)
class Places:
    """The place of each stored node, the places of the points of tables, and the first index of the work array that is
    free after them."""

    values: Mapping[Expr, Read]
    tables: Mapping[Expr, TableRef]
    free: int


def assign_places(selection: Selection, chunks: Chunks, scratch: Read | None) -> Places:
    """Assign a local if all uses are in the node's chunk, else an element of `scratch` (the array and its first free
    index). The tables that are `kept` are in the work array too."""
    return _Assignment(selection, chunks, scratch).places()


def iteration_scratch(n: int) -> int:
    """The number of places that the iteration of n unknowns needs after its solution."""
    return 2 * n * n + 13 * n


class _Assignment:
    """Assigns places in order."""

    def __init__(self, selection: Selection, chunks: Chunks, scratch: Read | None):
        self._selection, self._chunks = selection, chunks
        self._array = scratch.array if scratch else ""
        self._free = scratch.index if scratch else 0
        self._locals = [0] * chunks.count
        self._values: dict[Expr, Read] = {}
        self._tables: dict[Expr, TableRef] = {}

    def places(self) -> Places:
        """The place of each stored node."""
        last_use = _last_uses(self._selection, self._chunks)
        periods = {found.nodes[0]: (first, found) for first, found in self._chunks.periods.items()}
        for node in self._selection.nodes:
            if node in periods:
                self._place_periods(*periods[node], last_use)
            if node in self._selection.temporaries and node.op != "apply" and node not in self._values:
                chunk = self._chunks.number[node]
                self._place(node, chunk, last_use.get(node, chunk) == chunk)
        return Places(self._values, self._tables, self._free)

    def _place(self, node: Expr, chunk: int, stays: bool) -> None:
        """`stays`: all uses are in the chunk."""
        stays = stays and node not in self._selection.used_inside
        if node.op == "table":
            is_local = stays and node not in self._selection.kept
            place = self._local(chunk, 1) if is_local else self._scratch(2 * node.data)
            self._tables[node] = TableRef(place.array, place.index, node.data)
        elif node.op == "solve":
            n = len(node.data)
            matrix = n * row_width(n, *band_of(node))
            first = self._scratch(matrix + n)
            self._values[node] = Read(first.array, first.index + matrix)
        elif node.op == "newton":
            n = len(node.data.unknowns)
            self._values[node] = self._scratch(n + iteration_scratch(n))
        else:
            self._values[node] = self._local(chunk, 1) if stays else self._scratch(1)

    def _local(self, chunk: int, count: int) -> Read:
        place = Read("local", self._locals[chunk])
        self._locals[chunk] += count
        return place

    def _scratch(self, count: int) -> Read:
        place = Read(self._array, self._free)
        self._free += count
        return place

    def _place_periods(self, first: int, periods: Periods, last_use: Mapping[Expr, int]) -> None:
        """Places in equal steps, so that the periods become rounds of a loop: a value that one of them passes on has a
        place in all."""
        iterations = [periods.stored(k, self._selection.partner) for k in range(periods.count)]
        is_local = [
            all(
                last_use.get(node, first + k) == first + k and node not in self._selection.used_inside
                for k, node in enumerate(same)
            )
            for same in zip(*iterations, strict=True)
        ]
        for nodes in iterations:
            local = 0
            for node, stays in zip(nodes, is_local, strict=True):
                self._values[node] = Read("local", local) if stays else self._scratch(1)
                local += stays


def _last_uses(selection: Selection, chunks: Chunks) -> dict[Expr, int]:
    """The last chunk that reads each stored node."""
    last_use: dict[Expr, int] = {}
    walked: dict[Expr, int] = {}  # the last chunk for which the uses below a node that is not stored were noted
    for user in selection.temporaries:
        _note_uses(selection, user.args, chunks.number[user], last_use, walked)
    _note_uses(selection, [e for _, e in selection.targets], chunks.count - 1, last_use, walked)
    return last_use


def _note_uses(
    selection: Selection, roots: Sequence[Expr], chunk: int, last_use: dict[Expr, int], walked: dict[Expr, int]
) -> None:
    stack = list(roots)
    while stack:
        node = stack.pop()
        if node in selection.temporaries:
            last_use[node] = max(last_use.get(node, 0), chunk)
        elif node not in selection.known and walked.get(node, -1) < chunk:
            walked[node] = chunk
            stack += node.args
