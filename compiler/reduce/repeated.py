"""Removes equations that follow from others (stage 3d), if there are more equations than unknowns.

An equation follows from others if it is a linear combination of them, so that 0 = 0 remains for all values of the
variables. The search is exact (`exact`), with nonlinear expressions as additional columns. Factors may be parameters,
but not in a denominator: where that is zero, the equation would be independent. The remaining system must be regular;
otherwise the original one is kept, and its messages too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from cutset.compiler.diagnostics import Label
from cutset.compiler.expressions.dependent_rows import TooLong, dependent_rows
from cutset.compiler.expressions.finite_field_evaluation import FieldPoint
from cutset.compiler.expressions.pool import CONSTANT, Expr, Undefined
from cutset.compiler.expressions.walk import reachable
from cutset.compiler.flatten.model import EquationSystem, Origin
from cutset.compiler.reduce.exact import Field, Row, factors_of
from cutset.compiler.reduce.terms import terms_of
from cutset.compiler.sort.incidence import incidence_of
from cutset.compiler.structure.chains import lowest_members
from cutset.compiler.structure.pantelides import pantelides
from cutset.compiler.structure.plan import StructurallySingular

# Notes on equations that are removed, one for each.
Tell = Callable[[Collection[Origin]], tuple[Label, ...]]


def without_repeated(system: EquationSystem, tell: Tell) -> EquationSystem:
    """`tell` is called only if an equation is removed; it may name any of the equations that depend on each other
    instead."""
    if system.missing >= 0:
        return system
    surplus = len(system.equations) - len(set(lowest_members(incidence_of(system).derivative)))
    if surplus < 0:
        return system
    gone: list[int] = []
    if surplus:
        try:
            gone = list(_repeated(system))
        except TooLong:
            return system
    left = tuple(e for k, e in enumerate(system.equations) if k not in set(gone))
    smaller = replace(system, equations=left)
    if len(gone) != surplus or not _is_regular(smaller):
        return system
    origins = {*system.repeated, *(system.equations[k].origin for k in gone)}
    return replace(smaller, notes=(*smaller.notes, *tell(origins)))


def _repeated(system: EquationSystem) -> Iterator[int]:
    """The numbers of equations that can be removed. Raises TooLong."""
    field = Field(system.pool, FieldPoint({}))
    columns: dict[Expr, int] = {}
    rows: list[Row] = [
        {columns.setdefault(atom, len(columns)): c for atom, c in terms_of(field, e.residual).items()}
        for e in system.equations
    ]
    # Equations with parameters are the safest to remove, so they come last.
    order = sorted(range(len(rows)), key=lambda k: any(c.value.level > CONSTANT for c in rows[k].values()))
    place = {k: number for number, k in enumerate(order)}
    needed: set[int] = set()  # equations from which others follow
    for dependence in dependent_rows([{j: c.residue for j, c in row.items()} for row in rows], order):
        members = [k for k in sorted(dependence, key=place.__getitem__, reverse=True) if k not in needed]
        found = next((k for k in members if _follows(field, dependence, rows, k)), None)
        if found is not None:
            needed |= dependence.keys()
            yield found


def _follows(field: Field, dependence: dict[int, int], rows: Sequence[Row], number: int) -> bool:
    """True if the equation of this number is a combination of the others for all values of the parameters."""
    try:
        factors = factors_of(field, dependence, rows, number)
    except Undefined:
        return False
    nodes = reachable([factor.value for factor in factors.values()])
    return not any(node.op == "div" and node.args[1].level > CONSTANT for node in nodes)


def _is_regular(system: EquationSystem) -> bool:
    try:
        pantelides(incidence_of(system))
    except StructurallySingular:
        return False
    return True
