"""Counts the operations of expressions, in total and per submodel. Decides nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from cutset.compiler.codegen.statistics import Work
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.sparse import band_of
from cutset.compiler.expressions.walk import varying
from cutset.compiler.sort.system import SolvedSystem
from cutset.contract.functions import FUNCTIONS


def operations_of(nodes: Sequence[Expr]) -> tuple[int, int, int]:
    """Products and divisions, sums, and functions of these nodes themselves; an iteration counts with one round,
    without its residuals."""
    operations = Counter(n.op for n in nodes)
    systems = [
        (len(n.data), *band_of(n)) if n.op == "solve" else (len(n.data.unknowns),) * 3
        for n in nodes
        if n.op in ("solve", "newton")
    ]
    lu = sum(_lu(*system) for system in systems)
    divisions = sum(n + sum(min(lower, n - 1 - k) for k in range(n)) for n, lower, _ in systems)
    return (
        operations["mul"] + operations["div"] + lu + divisions,
        operations["add"] + operations["sub"] + operations["neg"] + lu,
        sum(count for op, count in operations.items() if op in FUNCTIONS or op == "apply"),
    )


def work_of(
    solved: SolvedSystem, final: Mapping[Expr, Expr], results: Sequence[Expr], needed: Sequence[Expr]
) -> tuple[Work, ...]:
    """The operations of one evaluation of the results by the submodels whose equations need them, the largest first.
    Shared operations count for the first equation, in the order of evaluation; a system that is solved counts for its
    first unknown. `needed` is everything that varies in time under the results."""
    system = solved.sorted_system.system
    wanted, counted = set(needed), set[Expr]()
    own: dict[str, list[Expr]] = {}

    def parts() -> Iterator[tuple[str, Expr]]:
        for assignment in solved.assignments:
            if (value := final[assignment.value]) in wanted:
                yield assignment.equation.origin.instance or system.name, value

    for instance, value in chain(parts(), ((system.name, value) for value in results)):
        nodes = varying([value], counted)
        counted.update(nodes)
        own.setdefault(instance, []).extend(nodes)
    found = (Work(instance, *operations_of(nodes)) for instance, nodes in own.items())
    return tuple(sorted((work for work in found if work.weight), key=lambda work: -work.weight))


def _lu(n: int, lower: int, upper: int) -> int:
    """The number of products (and of sums) in an LU factorization without exchanges and the substitution; for a full
    matrix n(n-1)(2n+5)/6."""
    total = 0
    for k in range(n):
        below, right = min(lower, n - 1 - k), min(upper, n - 1 - k)
        total += below * right + below + right
    return total
