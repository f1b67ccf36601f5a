"""Expressions and where their values go -> statements in chunks. What becomes a statement of its own says `stored`.

All others are written where they are used. Values that leave their chunk go through the work array.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from cutset.compiler.codegen.loop_rolling import folded, rolled
from cutset.compiler.codegen.passes import LatePasses
from cutset.compiler.codegen.program import (
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
from cutset.compiler.codegen.repeats import Repetition, find_repetitions
from cutset.compiler.codegen.temporaries import (
    FILLED,
    choose_temporaries,
    count_operations,
    is_result,
    partners,
    shapes_of,
)
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.sparse import band_of, nonzeros_of, open_of, right_of
from cutset.compiler.expressions.user_function import UserFunction
from cutset.compiler.expressions.walk import inside_iterations, reachable

# C compilers take more than linear time over a function; a few hundred statements cost nothing at run time. Of long
# expressions fewer are enough.
CHUNK = 400
MOST_OPERATIONS = 1200


def iteration_scratch(n: int) -> int:
    """How many places the iteration of n unknowns needs behind its solution."""
    return 2 * n * n + 13 * n


class Numbering:
    """Numbers for functions of the user and for the faults, in the order in which they are met; `guesses` has for each
    iteration the index of its first guess in w, `passes` says what all schedules do."""

    def __init__(self, passes: LatePasses = LatePasses()) -> None:
        self.passes = passes
        self.user_functions: dict[UserFunction, int] = {}
        self.faults: dict[str, int] = {}
        self.open_systems: dict[str, int] = {}
        self.guesses: dict[Expr, int] = {}

    @property
    def n_guesses(self) -> int:
        return sum(2 * len(node.data.unknowns) + 1 for node in self.guesses)

    def iteration(self, node: Expr) -> None:
        """Gives a node 'newton' the next free places for its guesses."""
        self.guesses.setdefault(node, self.n_guesses)

    def user_function(self, user_function: UserFunction) -> int:
        """From 0."""
        return self.user_functions.setdefault(user_function, len(self.user_functions))

    def open_system(self, text: str) -> int:
        """From 0; -1 where a system leaves nothing open."""
        return self.open_systems.setdefault(text, len(self.open_systems)) if text else -1

    def fault(self, text: str) -> int:
        """From 1."""
        return self.faults.setdefault(text, len(self.faults) + 1)


@dataclass(frozen=True)
class _Periods:
    """Statements that repeat: the nodes of all periods."""

    count: int
    length: int
    nodes: Sequence[Expr]

    def defined(self, k: int, partner: Mapping[Expr, Expr]) -> list[Expr]:
        """What the k-th period stores."""
        nodes = self.nodes[k * self.length : (k + 1) * self.length]
        return [stored for node in nodes for stored in (node, partner.get(node)) if stored is not None]


class Schedule:
    """Statements that compute `targets`, given the places of the `known` nodes (leaves and results of other functions).

    Values that leave their chunk go to `scratch`, an array and its first free index; `free` is the first index that
    is free afterwards. Without scratch there is one chunk, however long. The tables to be `kept` are put there too, as
    what `points` says. What an iteration does in each round becomes a function of its own, named after the function
    `within` which it stands.
    """

    def __init__(
        self,
        targets: Sequence[tuple[Read, Expr]],
        known: Mapping[Expr, Read | TableRef],
        numbering: Numbering,
        scratch: Read | None = None,
        kept: Sequence[Expr] = (),
        within: str = "",
    ):
        self._numbering = numbering
        self._within = within
        self._scratch = scratch.array if scratch else ""
        self.free = scratch.index if scratch else 0
        self._known = known
        self._targets = targets
        self._kept = frozenset(kept)
        every = reachable([*(e for _, e in targets), *kept], known)
        self._inside = inside_iterations(every, known)
        self._nodes = [n for n in every if n not in self._inside]
        # What the rounds of an iteration use is computed before them, where they can reach it.
        users = [*self._inside, *(n for n in self._nodes if n.op == "newton" and n not in known)]
        self._used_inside = {a for n in users for a in n.args if a not in self._inside}
        sincos = numbering.passes.sincos
        self._temporaries = choose_temporaries(self._nodes, known, [e for _, e in targets], self._used_inside, sincos)
        self._partner = partners(self._nodes, self._temporaries) if sincos else {}
        self._operations = count_operations(self._nodes, known, self._temporaries)
        self._chunk_of: dict[Expr, int] = {}
        self._repetitions: dict[int, _Periods] = {}
        self._count = self._assign_chunks()
        self._places: dict[Expr, Read] = {}
        self.tables: dict[Expr, TableRef] = {}
        self._locals = [0] * self._count
        self._place_all()

    def place(self, node: Expr) -> Read | None:
        """Where the value of a node is stored, None where it is not."""
        return self._places.get(node)

    def chunks(self) -> tuple[tuple[Statement, ...], ...]:
        """The statements, in order."""
        chunks: list[list[Statement]] = [[] for _ in range(self._count)]
        done: set[Expr] = set()
        results = self._results()
        for node in self._nodes:
            if node not in self._temporaries or node in done:
                continue
            chunk = chunks[self._chunk_of[node]]
            done.add(node)
            other = self._partner.get(node)
            if other is not None:
                done.add(other)
                sine, cosine = (node, other) if node.op == "sin" else (other, node)
                argument = self._value(node.args[0], node)
                chunk.append(SineCosine(argument, self._places[sine], self._places[cosine]))
            elif node.op == "apply":
                done.update(results[node].values())
                places = tuple(self._result_place(results[node].get(k)) for k in range(len(node.data.results)))
                arguments = tuple(self._value(a, node) for a in node.args)
                chunk.append(Call(self._numbering.user_function(node.data), arguments, places))
            elif node.op == "solve":
                chunk.append(self._linear(node))
            elif node.op == "newton":
                chunk.append(self._iteration(node))
            elif node.op == "table":
                chunk.append(FillTable(self.tables[node], tuple(self._value(a, node) for a in node.args)))
            else:
                chunk.append(Assign(self._places[node], self._operation(node)))
        for target, e in self._targets:
            chunks[-1].append(Assign(target, self._value(e, None)))
        *inner, last = chunks
        if self._temporaries and not inner:
            return (tuple(last),) if last else ()
        return tuple(self._with_loops(inner)) + self._pieces(last)

    def _with_loops(self, chunks: Sequence[list[Statement]]) -> Iterator[tuple[Statement, ...]]:
        k = 0
        while k < len(chunks):
            periods = self._repetitions.get(k)
            if periods is not None:
                yield from folded(chunks[k : k + periods.count], CHUNK)
            elif chunks[k]:
                yield tuple(chunks[k])
            k += periods.count if periods else 1

    # --- what is stored, and where ---------------------------------------------------------------

    def _assign_chunks(self) -> int:
        """A chunk for each stored node; each period of a run has its own for now. Gives the number of chunks."""
        order = self._statements_of_their_own()
        sizes = [(1 + (node in self._partner), self._operations[node]) for node in order]
        numbers = _numbered([*sizes, *self._target_sizes()])
        if not self._scratch or not order or numbers[-1] == 0:
            self._chunk_of = dict.fromkeys(self._temporaries, 0)
            return 1
        done = free = 0
        repetitions: list[Repetition] = []
        if self._numbering.passes.loops:
            shapes = shapes_of(self._nodes, self._known, self._temporaries, self._partner)
            repetitions = find_repetitions([shapes[node] for node in order])
        for repetition in [*repetitions, Repetition(len(order), 1, 0)]:
            straight = order[done : repetition.start]
            if straight:
                numbers = _numbered(sizes[done : repetition.start])
                self._chunk_of |= {node: free + k for node, k in zip(straight, numbers, strict=False)}
                free += numbers[-1] + 1
            nodes = order[repetition.start : repetition.end]
            if nodes:
                self._chunk_of |= {node: free + k // repetition.period for k, node in enumerate(nodes)}
                self._repetitions[free] = _Periods(repetition.count, repetition.period, nodes)
            free, done = free + repetition.count, repetition.end
        # A call writes its results where it stands, and a sine comes with its cosine.
        for node in self._temporaries:
            if node not in self._chunk_of:
                self._chunk_of[node] = self._chunk_of[node.args[0] if is_result(node) else self._partner[node]]
        return free + 1  # the targets are written by chunks of their own, which may be cut because they hold no locals

    def _statements_of_their_own(self) -> list[Expr]:
        """The stored nodes in order, without those that the statement of another one gives."""
        order: dict[Expr, None] = {}
        for node in self._nodes:
            if node in self._temporaries and not is_result(node) and self._partner.get(node) not in order:
                order[node] = None
        return list(order)

    def _target_sizes(self) -> list[tuple[int, int]]:
        return [(1, 1 if e in self._temporaries else 1 + self._operations[e]) for _, e in self._targets]

    def _pieces(self, statements: list[Statement]) -> tuple[tuple[Statement, ...], ...]:
        """Writes to targets alone, so they may be cut anywhere."""
        if len(statements) > CHUNK:
            return tuple(rolled(statements, CHUNK, self._numbering.passes.loops))
        pieces: dict[int, list[Statement]] = {}
        for number, statement in zip(_numbered(self._target_sizes()), statements, strict=True):
            pieces.setdefault(number, []).append(statement)
        return tuple(map(tuple, pieces.values()))

    def _results(self) -> dict[Expr, dict[int, Expr]]:
        """Of each call the elements that are needed, by their index."""
        found: dict[Expr, dict[int, Expr]] = {n: {} for n in self._nodes if n.op == "apply" and n in self._temporaries}
        for node in self._nodes:
            if is_result(node) and node in self._temporaries:
                found[node.args[0]][node.data] = node
        return found

    def _result_place(self, element: Expr | None) -> Read | None:
        return None if element is None else self._places[element]

    def _place_all(self) -> None:
        """A local where all uses are in the node's chunk, else a place in w."""
        last_use: dict[Expr, int] = {}
        last = self._count - 1
        for user in self._temporaries:
            self._note_uses(user.args, self._chunk_of[user], last_use)
        self._note_uses([e for _, e in self._targets], last, last_use)
        repetitions = {periods.nodes[0]: first for first, periods in self._repetitions.items()}
        for node in self._nodes:
            if node in repetitions:
                self._place_run(repetitions[node], last_use)
            if node not in self._temporaries or node.op == "apply" or node in self._places:
                continue
            chunk = self._chunk_of[node]
            if node.op == "table":
                self._place_table(node, last_use.get(node, chunk) == chunk)
            elif node.op == "solve":
                n = len(node.data)
                matrix = n * row_width(n, *band_of(node))
                self._places[node] = Read(self._scratch, self.free + matrix)
                self.free += matrix + n
            elif node.op == "newton":
                n = len(node.data.unknowns)
                self._places[node] = Read(self._scratch, self.free)
                self.free += n + iteration_scratch(n)
            elif last_use.get(node, chunk) == chunk and node not in self._used_inside:
                self._places[node] = Read("local", self._locals[chunk])
                self._locals[chunk] += 1
            else:
                self._places[node] = Read(self._scratch, self.free)
                self.free += 1

    def _place_run(self, first: int, last_use: Mapping[Expr, int]) -> None:
        """Places in equal steps, so that the periods become rounds of a loop: what one of them hands over, all do."""
        periods = self._repetitions[first]
        rounds = [periods.defined(k, self._partner) for k in range(periods.count)]
        is_local = [
            all(
                last_use.get(node, first + k) == first + k and node not in self._used_inside
                for k, node in enumerate(same)
            )
            for same in zip(*rounds, strict=False)
        ]
        for nodes in rounds:
            local = 0
            for node, stays in zip(nodes, is_local, strict=False):
                self._places[node] = Read("local", local) if stays else Read(self._scratch, self.free)
                local, self.free = local + stays, self.free + (not stays)

    def _place_table(self, node: Expr, is_local: bool) -> None:
        if is_local and node not in self._kept and node not in self._used_inside:
            chunk = self._chunk_of[node]
            self.tables[node] = TableRef("local", self._locals[chunk], node.data)
            self._locals[chunk] += 1
        else:
            self.tables[node] = TableRef(self._scratch, self.free, node.data)
            self.free += 2 * node.data

    def _note_uses(self, roots: Sequence[Expr], chunk: int, last_use: dict[Expr, int]) -> None:
        stack = list(roots)
        while stack:
            node = stack.pop()
            if node in self._temporaries:
                last_use[node] = max(last_use.get(node, 0), chunk)
            elif node not in self._known:
                stack += node.args

    def _linear(self, node: Expr) -> SolveLinear:
        lower, upper = band_of(node)
        n, solution = len(node.data), self._places[node]
        width = row_width(n, lower, upper)
        # Element i, k of a band stands `lower` behind the diagonal's.
        step, shift = (width - 1, lower) if width < n else (n, 0)
        first = solution.index - n * width + shift
        values = [(first + i * step + k, a) for i, k, a in nonzeros_of(node)]
        values += [(solution.index + i, a) for i, a in enumerate(right_of(node))]
        fill = [Assign(Read(solution.array, index), self._value(a, node)) for index, a in values]
        chunks = rolled(fill, CHUNK, self._numbering.passes.loops) if len(fill) > CHUNK else [tuple(fill)]
        is_full, number = len(fill) == n * width + n, self._numbering.open_system(open_of(node))
        return SolveLinear(n, lower, upper, tuple(s for c in chunks for s in c), is_full, solution, number)

    # --- iterations ------------------------------------------------------------------------------

    def _iteration(self, node: Expr) -> SolveNonlinear:
        """The residuals and behind them the Jacobian are a function of the unknowns z; what does not depend on these is
        known to it."""
        system = node.data
        known: dict[Expr, Read | TableRef] = dict(self._known)
        known |= {n: self._places[n] for n in self._used_inside if n in self._places}
        known |= {n: self.tables[n] for n in self._used_inside if n in self.tables}
        known |= {leaf: Read("z", k) for k, leaf in enumerate(system.unknowns)}
        for n in self._used_inside:
            if n.op == "element" and n not in known:
                known[n] = self._read_element(n)
        first = self._numbering.guesses[node]
        name = f"{self._within}_newton_{first}"
        targets = [(Read("r", k), e) for k, e in enumerate(node.args)]
        inner = Schedule(targets, known, self._numbering, Read("w", self.free), within=name)
        self.free = inner.free
        # The start has no states yet, but start values.
        arguments = ("t", "s" if self._within == "start" else "x", "u", "c", "m", "w", "z", "r")
        function = Function(name, arguments, inner.chunks())
        fault = self._numbering.fault(system.failure)
        return SolveNonlinear(len(system.unknowns), function, self._places[node], first, fault)

    # --- values ------------------------------------------------------------------------------------

    def _operation(self, node: Expr) -> Value:
        if node.op == "element":
            return self._read_element(node)
        return Operation(node.op, tuple(self._value(a, node) for a in node.args))

    def _read_element(self, node: Expr) -> Read:
        solution = self._places[node.args[0]]
        return Read(solution.array, solution.index + node.data)

    def _value(self, node: Expr, user: Expr | None) -> Value:
        """How `user` reads `node`; the recursion ends at stored nodes, which are near below it."""
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
        if node in self.tables:
            return self.tables[node]
        if node in self._temporaries and node is not user:
            return self._places[node]
        return self._operation(node)


def _numbered(sizes: Sequence[tuple[int, int]]) -> list[int]:
    """The chunk of each statement, given how many values it stores and its operations: at most CHUNK values and, where
    it has more than one statement, MOST_OPERATIONS operations make one."""
    numbers = []
    number = stored = total = 0
    for values, count in sizes:
        if stored and (stored + values > CHUNK or total + count > MOST_OPERATIONS):
            number, stored, total = number + 1, 0, 0
        stored, total = stored + values, total + count
        numbers.append(number)
    return numbers
