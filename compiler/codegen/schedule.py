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
    Literal,
    Operation,
    Points,
    Read,
    SineCosine,
    SolveLinear,
    Statement,
    Value,
)
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.procedure import Procedure
from cutset.compiler.expressions.walk import reachable

# C compilers take more than linear time over a function; a few hundred statements cost nothing at run time. Of long
# expressions fewer are enough.
CHUNK = 400
MOST_OPERATIONS = 1200
_DEEPEST = 8


class Numbering:
    """Numbers for procedures and for the texts of faults, in the order in which they are met."""

    def __init__(self) -> None:
        self.procedures: dict[Procedure, int] = {}
        self.faults: dict[str, int] = {}

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
    what `points` says.
    """

    def __init__(
        self,
        targets: Sequence[tuple[Read, Expr]],
        known: Mapping[Expr, Read | Points],
        numbering: Numbering,
        scratch: Read | None = None,
        kept: Sequence[Expr] = (),
    ):
        self._numbering = numbering
        self._scratch = scratch.array if scratch else ""
        self.free = scratch.index if scratch else 0
        self._known = known
        self._targets = targets
        self._kept = frozenset(kept)
        self._nodes = reachable([*(e for _, e in targets), *kept], enter=lambda n: n not in known)
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
                values = [self._value(a, node) for a in node.args]
                n = node.data
                chunk.append(
                    SolveLinear(n, tuple(values[: n * n]), tuple(values[n * n :]), self._places[node])
                )
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
            depth[node] = 1 + max((depth[a] for a in node.args), default=0)
            pair = node.op in ("sin", "cos") and node.args[0] in both
            of_its_own = node.op in ("solve", "table", "apply") or _is_result(node)
            if of_its_own or ((uses[node] > 1 or depth[node] > _DEEPEST or pair) and node.op != "element"):
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
            inner = 0 if node in self._known else sum(counts[a] for a in node.args if a not in self._stored)
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
                self._places[node] = Read(self._scratch, self.free + node.data**2)
                self.free += node.data * (node.data + 1)
            elif last_use.get(node, chunk) == chunk:
                self._places[node] = Read("local", self._locals[chunk])
                self._locals[chunk] += 1
            else:
                self._places[node] = Read(self._scratch, self.free)
                self.free += 1

    def _place_table(self, node: Expr, is_local: bool) -> None:
        if is_local and node not in self._kept:
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

    # --- values ------------------------------------------------------------------------------------

    def _operation(self, node: Expr) -> Value:
        if node.op == "element":
            solution = self._places[node.args[0]]
            return Read(solution.array, solution.index + node.data)
        return Operation(node.op, tuple(self._value(a, node) for a in node.args))

    def _value(self, node: Expr, user: Expr | None) -> Value:
        """How `user` reads `node`; the recursion ends at stored nodes, at most _DEEPEST below."""
        if node in self._known:
            return self._known[node]
        if node.op == "constant":
            return Literal(node.data)
        if node.op == "time":
            return Read("t", 0)
        if node.op == "mode":
            return Read("m", node.data)
        if node.op == "fault":
            return Operation("fault", (Literal(float(self._numbering.fault(node.data))),))
        if node in self.points:
            return self.points[node]
        if node in self._stored and node is not user:
            return self._places[node]
        return self._operation(node)


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
