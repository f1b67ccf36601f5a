"""Orders the statements of a chunk so that a processor waits as little as possible: Function -> Function.

A processor executes what is ready among the next few hundred instructions. C compilers keep the order of statements,
and that of expressions follows one chain of dependent operations after the other. List scheduling for a simple
processor, which starts a few operations in each cycle, first takes the statement from which the longest chain of
operations leads to a result. The statements, and so the results, are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from heapq import heapify, heappop, heappush

from cutset.compiler.codegen.accesses import reads_of, values_of, writes_of
from cutset.compiler.codegen.program import (
    Assign,
    Function,
    Operation,
    Read,
    SineCosine,
    SolveNonlinear,
    Statement,
    Value,
)
from cutset.contract.quick_dataclass import dataclass

# Cycles from the start of an operation to its result, and operations that start in one cycle: about those of the
# processors of the last ten years. Other operations are functions such as exp; sine and cosine are one.
_LATENCY = {"add": 4, "sub": 4, "mul": 4, "div": 13, "sqrt": 18, "neg": 1}
_FUNCTION, _WIDTH = 40, 4
# Among fewer statements a processor finds by itself what is ready.
_LEAST = 32
# Functions with more operations do not stay decoded in a processor, which then waits for instructions: those that move
# numbers to memory and back are fewest where a number is used soon.
_MOST = 2700


@dataclass(frozen=True, slots=True)
class _Graph:
    """Statements by number: their users, the number of those that they use, cycles to the result, and operations."""

    users: Sequence[Sequence[int]]
    used: Sequence[int]
    cycles: Sequence[int]
    operations: Sequence[int]


def ordered(function: Function) -> Function:
    """The function, and those of its iterations, with the statements of each chunk in another order, unless it is too
    long."""
    operations = sum(len(_operators(s)) for chunk in function.chunks for s in chunk if isinstance(s, Assign))
    schedule = _scheduled if operations <= _MOST else list
    return replace(function, chunks=tuple(tuple(_ordered(chunk, schedule)) for chunk in function.chunks))


def _ordered(
    chunk: Sequence[Statement], schedule: Callable[[list[Statement]], Sequence[Statement]]
) -> Iterator[Statement]:
    """What is no assignment stays where it is. So does what may fail, since the last reason counts."""
    straight: list[Statement] = []
    for s in chunk:
        if isinstance(s, Assign | SineCosine) and "fault" not in _operators(s):
            straight.append(s)
            continue
        yield from schedule(straight)
        straight = []
        yield replace(s, function=ordered(s.function)) if isinstance(s, SolveNonlinear) else s
    yield from schedule(straight)


def _scheduled(statements: Sequence[Statement]) -> Sequence[Statement]:
    """List scheduling: of the statements whose operands are computed, that with the longest way to the end."""
    if len(statements) < _LEAST:
        return statements
    graph = _graph(statements)
    way = _longest_ways(graph)
    remaining, computed = list(graph.used), [0.0] * len(statements)
    waiting = [(0.0, k) for k, count in enumerate(remaining) if not count]
    heapify(waiting)
    ready: list[tuple[int, int]] = []
    order: list[Statement] = []
    now = 0.0
    while waiting or ready:
        now = now if ready else max(now, waiting[0][0])
        while waiting and waiting[0][0] <= now:
            k = heappop(waiting)[1]
            heappush(ready, (-way[k], k))
        k = heappop(ready)[1]
        order.append(statements[k])
        for user in graph.users[k]:
            computed[user] = max(computed[user], now + graph.cycles[k])
            remaining[user] -= 1
            if not remaining[user]:
                heappush(waiting, (computed[user], user))
        now += max(1, graph.operations[k]) / _WIDTH
    return order


def _longest_ways(graph: _Graph) -> list[int]:
    """Cycles from the start of each statement to the end of the last one that depends on it."""
    way = [0] * len(graph.users)
    for k in reversed(range(len(way))):
        way[k] = graph.cycles[k] + max((way[user] for user in graph.users[k]), default=0)
    return way


def _graph(statements: Sequence[Statement]) -> _Graph:
    """A statement uses what wrote the places that it reads; a place is written again after all others have read it."""
    writer: dict[Read, int] = {}
    readers: dict[Read, list[int]] = {}
    users: list[list[int]] = [[] for _ in statements]
    used = []
    for k, s in enumerate(statements):
        before = set()
        guard = s.unless if isinstance(s, Assign) else None
        for place in (*reads_of(s), *((guard,) if guard is not None else ())):
            if place in writer:
                before.add(writer[place])
            readers.setdefault(place, []).append(k)
        for place in writes_of(s):
            before.update(readers.pop(place, ()), [writer[place]] if place in writer else ())
            writer[place] = k
        before.discard(k)
        for other in before:
            users[other].append(k)
        used.append(len(before))
    cycles = [max(map(_cycles, values_of(s))) + _FUNCTION * isinstance(s, SineCosine) for s in statements]
    operations = [len(_operators(s)) + _FUNCTION * isinstance(s, SineCosine) for s in statements]
    return _Graph(users, used, cycles, operations)


def _cycles(value: Value) -> int:
    """The recursion is over the nesting of one statement, which is limited."""
    if not isinstance(value, Operation):
        return 0
    return _LATENCY.get(value.operator, _FUNCTION) + max(map(_cycles, value.arguments), default=0)


def _operators(s: Statement) -> list[str]:
    """The operators in its values, each as often as it occurs."""
    stack, found = list(values_of(s)), []
    while stack:
        value = stack.pop()
        if isinstance(value, Operation):
            found.append(value.operator)
            stack += value.arguments
    return found
