"""Counts the operations of a model per submodel. Decides nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from cutset.compiler.codegen.statistics import Work
from cutset.compiler.expressions.operation_count import operations_of
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.walk import varying
from cutset.compiler.sort.system import SolvedSystem


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
