"""Schedules expressions: targets of values -> statements in chunks.

A node with its own statement is "stored"; all others are part of the expressions that use them. Values that are used
outside their chunk go through the work array.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cutset.compiler.codegen.chunks import CHUNK, Chunks, Periods, assign_chunks, number_chunks
from cutset.compiler.codegen.code import (
    Assign,
    Call,
    FillTable,
    Function,
    Literal,
    Operation,
    Read,
    SineCosine,
    SolveLinear,
    SolveNonlinear,
    Statement,
    TableRef,
    Value,
    row_width,
)
from cutset.compiler.codegen.loop_rolling import folded, rolled
from cutset.compiler.codegen.numbering import Numbering
from cutset.compiler.codegen.temporaries import FILLED, Known, Selection, is_result, select
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.sparse import band_of, nonzeros_of, open_of, right_of
from cutset.contract.quick_dataclass import dataclass

_Chunk = tuple[Statement, ...]


@dataclass(frozen=True)
class Schedule:
    """Statements in order, the places of stored values and tables, and the first free index of the work array after
    them."""

    chunks: tuple[_Chunk, ...]
    values: Mapping[Expr, Read]
    tables: Mapping[Expr, TableRef]
    free: int


def schedule(
    targets: Sequence[tuple[Read, Expr]],
    known: Known,
    numbering: Numbering,
    scratch: Read | None = None,
    kept: Sequence[Expr] = (),
    within: str = "",
) -> Schedule:
    """Statements that compute `targets`, given the places of the `known` nodes (leaves and results of other functions).

    Values that are used outside their chunk go to `scratch`, an array and its first free index. Without scratch there
    is one chunk, however long. The tables that are `kept` are stored there too. The rounds of an iteration become a
    separate function, named after the function `within` which it occurs.
    """
    selection = select(targets, known, kept, numbering.passes.sincos)
    chunks = assign_chunks(selection, scratch is None, numbering.passes.loops)
    places = _Assignment(selection, chunks, scratch).places()
    return _Writer(selection, chunks, places, numbering, within).schedule()


class _Writer:
    """Writes the statement of each stored node into its chunk. The functions of iterations use the work array after the
    places."""

    def __init__(self, selection: Selection, chunks: Chunks, places: Places, numbering: Numbering, within: str):
        self._selection, self._chunks, self._numbering, self._within = selection, chunks, numbering, within
        self._known, self._temporaries = selection.known, selection.temporaries
        self._values, self._tables = places.values, places.tables
        self._free = places.free

    def schedule(self) -> Schedule:
        """The complete schedule."""
        chunks: list[list[Statement]] = [[] for _ in range(self._chunks.count)]
        self._write_stored(chunks)
        chunks[-1] += [Assign(target, self._value(e, None)) for target, e in self._selection.targets]
        *inner, last = chunks
        if self._temporaries and not inner:
            pieces: tuple[_Chunk, ...] = (tuple(last),) if last else ()
        else:
            pieces = (*self._with_loops(inner), *self._pieces(last))
        return Schedule(pieces, self._values, self._tables, self._free)

    def _write_stored(self, chunks: Sequence[list[Statement]]) -> None:
        """Write each stored node once; one statement may compute several."""
        results = self._results()
        done: set[Expr] = set()
        for node in self._selection.nodes:
            if node not in self._temporaries or node in done:
                continue
            chunk = chunks[self._chunks.number[node]]
            done.add(node)
            other = self._selection.partner.get(node)
            if other is not None:
                done.add(other)
                chunk.append(self._sine_and_cosine(node, other))
            elif node.op == "apply":
                done.update(results[node].values())
                chunk.append(self._call(node, results[node]))
            elif node.op == "solve":
                chunk.append(self._linear(node))
            elif node.op == "newton":
                chunk.append(self._iteration(node))
            elif node.op == "table":
                points = tuple(self._value(a, node) for a in node.args)
                chunk.append(FillTable(self._tables[node], points))
            else:
                chunk.append(Assign(self._values[node], self._operation(node)))

    def _with_loops(self, chunks: Sequence[list[Statement]]) -> Iterator[_Chunk]:
        k = 0
        while k < len(chunks):
            periods = self._chunks.periods.get(k)
            if periods is not None:
                yield from folded(chunks[k : k + periods.count], CHUNK)
            elif chunks[k]:
                yield tuple(chunks[k])
            k += periods.count if periods else 1

    def _pieces(self, statements: list[Statement]) -> tuple[_Chunk, ...]:
        """Statements that only write targets, so they may be cut anywhere."""
        if len(statements) > CHUNK:
            return tuple(rolled(statements, CHUNK, self._numbering.passes.loops))
        pieces: dict[int, list[Statement]] = {}
        for number, statement in zip(number_chunks(self._selection.target_sizes), statements, strict=True):
            pieces.setdefault(number, []).append(statement)
        return tuple(map(tuple, pieces.values()))

    # --- statements ------------------------------------------------------------------------------

    def _results(self) -> dict[Expr, dict[int, Expr]]:
        """For each call the elements that are needed, by index."""
        nodes, temporaries = self._selection.nodes, self._temporaries
        found: dict[Expr, dict[int, Expr]] = {n: {} for n in nodes if n.op == "apply" and n in temporaries}
        for node in nodes:
            if is_result(node) and node in temporaries:
                found[node.args[0]][node.data] = node
        return found

    def _sine_and_cosine(self, node: Expr, other: Expr) -> SineCosine:
        sine, cosine = (node, other) if node.op == "sin" else (other, node)
        argument = self._value(node.args[0], node)
        return SineCosine(argument, self._values[sine], self._values[cosine])

    def _call(self, node: Expr, results: Mapping[int, Expr]) -> Call:
        elements = (results.get(k) for k in range(len(node.data.results)))
        places = tuple(None if element is None else self._values[element] for element in elements)
        arguments = tuple(self._value(a, node) for a in node.args)
        return Call(self._numbering.user_function(node.data), arguments, places)

    def _linear(self, node: Expr) -> SolveLinear:
        lower, upper = band_of(node)
        n, solution = len(node.data), self._values[node]
        width = row_width(n, lower, upper)
        # Element i, k of a band is `lower` after the diagonal's.
        step, shift = (width - 1, lower) if width < n else (n, 0)
        first = solution.index - n * width + shift
        values = [(first + i * step + k, a) for i, k, a in nonzeros_of(node)]
        values += [(solution.index + i, a) for i, a in enumerate(right_of(node))]
        fill = [Assign(Read(solution.array, index), self._value(a, node)) for index, a in values]
        chunks = rolled(fill, CHUNK, self._numbering.passes.loops) if len(fill) > CHUNK else [tuple(fill)]
        is_full, number = len(fill) == n * width + n, self._numbering.open_system(open_of(node))
        return SolveLinear(n, lower, upper, tuple(s for c in chunks for s in c), is_full, solution, number)

    def _iteration(self, node: Expr) -> SolveNonlinear:
        """The residuals, followed by the Jacobian, are a function of the unknowns z."""
        system = node.data
        first = self._numbering.guesses[node]
        name = f"{self._within}_newton_{first}"
        known = self._known_inside() | {leaf: Read("z", k) for k, leaf in enumerate(system.unknowns)}
        if system.has_held is not None:
            known[system.has_held] = Read("w", first + len(system.unknowns))
        targets = [(Read("r", k), e) for k, e in enumerate(node.args)]
        inner = schedule(targets, known, self._numbering, Read("w", self._free), within=name)
        self._free = inner.free
        # The start has start values instead of states.
        arguments = ("t", "s" if self._within == "start" else "x", "u", "c", "m", "w", "z", "r")
        fault = self._numbering.fault(system.failure)
        function = Function(name, arguments, inner.chunks)
        return SolveNonlinear(len(system.unknowns), function, self._values[node], first, fault)

    def _known_inside(self) -> dict[Expr, Read | TableRef]:
        """What the rounds of an iteration do not have to compute."""
        known: dict[Expr, Read | TableRef] = dict(self._known)
        used = self._selection.used_inside
        known |= {n: self._values[n] for n in used if n in self._values}
        known |= {n: self._tables[n] for n in used if n in self._tables}
        elements = [n for n in used if n.op == "element" and n not in known]
        return known | {n: self._read_element(n) for n in elements}

    # --- values ------------------------------------------------------------------------------------

    def _operation(self, node: Expr) -> Value:
        if node.op == "element":
            return self._read_element(node)
        return Operation(node.op, tuple(self._value(a, node) for a in node.args))

    def _read_element(self, node: Expr) -> Read:
        solution = self._values[node.args[0]]
        return Read(solution.array, solution.index + node.data)

    def _value(self, node: Expr, user: Expr | None) -> Value:
        """The value of `node` for `user`; the recursion ends at stored nodes, which are few levels below."""
        if node in self._known:
            return self._known[node]
        if node.op == "constant":
            return Literal(node.data)
        if node.op == "time":
            return Read("t", 0)
        if node.op in FILLED:
            return Read(FILLED[node.op], node.data)
        if node.op == "fault":
            return Operation("fault", (Literal(float(self._numbering.fault(node.data))),))
        if node in self._tables:
            return self._tables[node]
        if node in self._temporaries and node is not user:
            return self._values[node]
        return self._operation(node)


# --- places ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Places:
    """The place of each stored node, the places of the points of tables, and the first index of the work array that is
    free after them."""

    values: Mapping[Expr, Read]
    tables: Mapping[Expr, TableRef]
    free: int


def iteration_scratch(n: int) -> int:
    """The number of places that the iteration of n unknowns needs after its solution."""
    return 2 * n * n + 13 * n


class _Assignment:
    """Assigns places in order: a local if all uses are in the node's chunk, else an element of `scratch` (the array and
    its first free index). The tables that are `kept` are in the work array too."""

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
