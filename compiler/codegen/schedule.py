"""Expressions and where their values go -> statements in chunks. Decides what becomes a statement of its own.

A node is stored when it is used more than once, is needed by name, or stands too deep in its user's expression;
all others are written where they are used. Values that leave their chunk go through the work array.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cutset.compiler.codegen.program import (
    Assign,
    Call,
    FillTable,
    Function,
    Literal,
    Operation,
    Points,
    Read,
    SineCosine,
    SolveLinear,
    SolveNonlinear,
    Statement,
    Value,
    row_width,
)
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.procedure import Procedure
from cutset.compiler.expressions.sparse import band_of, nonzeros_of, right_of
from cutset.compiler.expressions.walk import reachable

# C compilers take more than linear time over a function; a few hundred statements cost nothing at run time. Of long
# expressions fewer are enough.
CHUNK = 400
MOST_OPERATIONS = 1200
_DEEPEST = 8


_FILLED = {"mode": "m", "start": "s", "acting": "f"}


def iteration_scratch(n: int) -> int:
    """How many places the iteration of n unknowns needs behind its solution."""
    return 2 * n * n + 8 * n


class Numbering:
    """Numbers for procedures and for the faults, in the order in which they are met; `guesses` has for each iteration the
    index of its first guess in w."""

    def __init__(self) -> None:
        self.procedures: dict[Procedure, int] = {}
        self.faults: dict[str, int] = {}
        self.guesses: dict[Expr, int] = {}

    @property
    def n_guesses(self) -> int:
        return sum(len(node.data.unknowns) for node in self.guesses)

    def iteration(self, node: Expr) -> None:
        """Gives a node 'newton' the next free places for its guesses."""
        self.guesses.setdefault(node, self.n_guesses)

    def procedure(self, procedure: Procedure) -> int:
        """From 0."""
        return self.procedures.setdefault(procedure, len(self.procedures))

    def fault(self, text: str) -> int:
        """From 1."""
        return self.faults.setdefault(text, len(self.faults) + 1)


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
        known: Mapping[Expr, Read | Points],
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
        every = reachable([*(e for _, e in targets), *kept], enter=lambda n: n not in known)
        self._inside = _inside_iterations(every, known)
        self._nodes = [n for n in every if n not in self._inside]
        # What the rounds of an iteration use is computed before them, where they can reach it.
        users = [*self._inside, *(n for n in self._nodes if n.op == "newton" and n not in known)]
        self._used_inside = {a for n in users for a in n.args if a not in self._inside}
        self._stored = self._choose_stored()
        self._operations = self._count_operations()
        self._chunk_of, self._count = self._assign_chunks()
        self._places: dict[Expr, Read] = {}
        self.points: dict[Expr, Points] = {}
        self._locals = [0] * self._count
        self._place_all()

    def place(self, node: Expr) -> Read | None:
        """Where the value of a node is stored, None where it is not."""
        return self._places.get(node)

    def chunks(self) -> tuple[tuple[Statement, ...], ...]:
        """The statements, in order."""
        chunks: list[list[Statement]] = [[] for _ in range(self._count)]
        done: set[Expr] = set()
        partner = self._partners()
        results = self._results()
        for node in self._nodes:
            if node not in self._stored or node in done:
                continue
            chunk = chunks[self._chunk_of[node]]
            done.add(node)
            other = partner.get(node)
            if other is not None and self._chunk_of[other] == self._chunk_of[node]:
                done.add(other)
                sine, cosine = (node, other) if node.op == "sin" else (other, node)
                argument = self._value(node.args[0], node)
                chunk.append(SineCosine(argument, self._places[sine], self._places[cosine]))
            elif node.op == "apply":
                done.update(results[node].values())
                places = tuple(self._result_place(results[node].get(k)) for k in range(len(node.data.results)))
                arguments = tuple(self._value(a, node) for a in node.args)
                chunk.append(Call(self._numbering.procedure(node.data), arguments, places))
            elif node.op == "solve":
                chunk.append(self._linear(node))
            elif node.op == "newton":
                chunk.append(self._iteration(node))
            elif node.op == "table":
                chunk.append(FillTable(self.points[node], tuple(self._value(a, node) for a in node.args)))
            else:
                chunk.append(Assign(self._places[node], self._operation(node)))
        for target, e in self._targets:
            chunks[-1].append(Assign(target, self._value(e, None)))
        *inner, last = chunks
        if self._stored and not inner:
            return (tuple(last),) if last else ()
        return tuple(tuple(chunk) for chunk in inner if chunk) + self._pieces(last)

    # --- what is stored, and where ---------------------------------------------------------------

    def _choose_stored(self) -> set[Expr]:
        uses: dict[Expr, int] = {}
        for node in self._nodes:
            if node not in self._known:
                for a in node.args:
                    uses[a] = uses.get(a, 0) + 1
        for _, e in self._targets:
            uses[e] = uses.get(e, 0) + 1
        stored: set[Expr] = set()
        depth: dict[Expr, int] = {}
        both = {n.args[0] for n in self._nodes if n.op == "sin"} & {n.args[0] for n in self._nodes if n.op == "cos"}
        for node in self._nodes:
            if node in self._known or (not node.args and node.op != "apply"):
                depth[node] = 0
                continue
            depth[node] = 1 + max((depth[a] for a in node.args if a in depth), default=0)
            pair = node.op in ("sin", "cos") and node.args[0] in both
            of_its_own = node.op in ("solve", "table", "apply", "newton") or _is_result(node)
            shared = node in self._used_inside and node.op != "element"
            if of_its_own or shared or ((uses.get(node, 0) > 1 or depth[node] > _DEEPEST or pair) and node.op != "element"):
                stored.add(node)
                depth[node] = 0
        return stored

    def _assign_chunks(self) -> tuple[dict[Expr, int], int]:
        order = [n for n in self._nodes if n in self._stored]
        operations = [self._operations[node] for node in order]
        numbers = _numbered([*operations, *self._target_operations()])
        if not self._scratch or not order or numbers[-1] == 0:
            return dict.fromkeys(order, 0), 1
        # The targets are written by chunks of their own, which may be cut because they hold no locals.
        chunk_of = dict(zip(order, _numbered(operations)))
        # A call writes its results where it stands.
        chunk_of |= {node: chunk_of[node.args[0]] for node in order if _is_result(node)}
        return chunk_of, max(chunk_of.values()) + 2

    def _count_operations(self) -> dict[Expr, int]:
        """How many operations the statement of each stored node has, and the expression of each other one."""
        counts: dict[Expr, int] = {}
        for node in self._nodes:
            inner = 0 if node in self._known else sum(counts.get(a, 0) for a in node.args if a not in self._stored)
            counts[node] = inner + bool(node.args)
        return counts

    def _target_operations(self) -> list[int]:
        return [1 if e in self._stored else 1 + self._operations[e] for _, e in self._targets]

    def _pieces(self, statements: list[Statement]) -> tuple[tuple[Statement, ...], ...]:
        """Writes to targets alone, so they may be cut anywhere."""
        pieces: dict[int, list[Statement]] = {}
        for number, statement in zip(_numbered(self._target_operations()), statements, strict=True):
            pieces.setdefault(number, []).append(statement)
        return tuple(map(tuple, pieces.values()))

    def _partners(self) -> dict[Expr, Expr]:
        sines = {n.args[0]: n for n in self._nodes if n.op == "sin" and n in self._stored}
        cosines = {n.args[0]: n for n in self._nodes if n.op == "cos" and n in self._stored}
        pairs: dict[Expr, Expr] = {}
        for argument, sine in sines.items():
            if argument in cosines:
                pairs[sine], pairs[cosines[argument]] = cosines[argument], sine
        return pairs

    def _results(self) -> dict[Expr, dict[int, Expr]]:
        """Of each call the elements that are needed, by their index."""
        found: dict[Expr, dict[int, Expr]] = {n: {} for n in self._nodes if n.op == "apply" and n in self._stored}
        for node in self._nodes:
            if _is_result(node) and node in self._stored:
                found[node.args[0]][node.data] = node
        return found

    def _result_place(self, element: Expr | None) -> Read | None:
        return None if element is None else self._places[element]

    def _place_all(self) -> None:
        """A local where all uses are in the node's chunk, else a place in w."""
        last_use: dict[Expr, int] = {}
        last = self._count - 1
        for user in self._stored:
            self._note_uses(user.args, self._chunk_of[user], last_use)
        self._note_uses([e for _, e in self._targets], last, last_use)
        for node in self._nodes:
            if node not in self._stored or node.op == "apply":
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

    def _place_table(self, node: Expr, is_local: bool) -> None:
        if is_local and node not in self._kept and node not in self._used_inside:
            chunk = self._chunk_of[node]
            self.points[node] = Points("local", self._locals[chunk], node.data)
            self._locals[chunk] += 1
        else:
            self.points[node] = Points(self._scratch, self.free, node.data)
            self.free += 2 * node.data

    def _note_uses(self, roots: Sequence[Expr], chunk: int, last_use: dict[Expr, int]) -> None:
        stack = list(roots)
        while stack:
            node = stack.pop()
            if node in self._stored:
                last_use[node] = max(last_use.get(node, 0), chunk)
            elif node not in self._known:
                stack += node.args

    def _linear(self, node: Expr) -> SolveLinear:
        lower, upper = band_of(node)
        matrix = tuple((i, k, self._value(a, node)) for i, k, a in nonzeros_of(node))
        right = tuple(self._value(a, node) for a in right_of(node))
        return SolveLinear(len(node.data), lower, upper, matrix, right, self._places[node])

    # --- iterations ------------------------------------------------------------------------------

    def _iteration(self, node: Expr) -> SolveNonlinear:
        """The residuals and behind them the Jacobian are a function of the unknowns z; what does not depend on these is known
        to it."""
        system = node.data
        known: dict[Expr, Read | Points] = dict(self._known)
        known |= {n: self._places[n] for n in self._used_inside if n in self._places}
        known |= {n: self.points[n] for n in self._used_inside if n in self.points}
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
        """How `user` reads `node`; the recursion ends at stored nodes, at most _DEEPEST below."""
        if node in self._known:
            return self._known[node]
        if node.op == "constant":
            return Literal(node.data)
        if node.op == "time":
            return Read("t", 0)
        if node.op in _FILLED:
            return Read(_FILLED[node.op], node.data)
        if node.op == "fault":
            return Operation("fault", (Literal(float(self._numbering.fault(node.data))),))
        if node in self.points:
            return self.points[node]
        if node in self._stored and node is not user:
            return self._places[node]
        return self._operation(node)


def _inside_iterations(nodes: Sequence[Expr], known: Mapping[Expr, object]) -> set[Expr]:
    """Those of the nodes, which come children first, that depend on the unknowns of an iteration, within it."""
    inside: set[Expr] = set()
    if not any(node.op == "newton" for node in nodes):
        return inside
    for node in nodes:
        if node in known or node.op == "newton":
            continue
        if node.op == "iterate" or any(a in inside for a in node.args):
            inside.add(node)
    return inside


def _is_result(node: Expr) -> bool:
    return node.op == "element" and node.args[0].op == "apply"


def _numbered(operations: Sequence[int]) -> list[int]:
    """The chunk of each statement, given its operations: at most CHUNK statements and, where it has more than one,
    MOST_OPERATIONS operations make one."""
    numbers = []
    number = statements = total = 0
    for count in operations:
        if statements == CHUNK or (statements and total + count > MOST_OPERATIONS):
            number, statements, total = number + 1, 0, 0
        statements, total = statements + 1, total + count
        numbers.append(number)
    return numbers
