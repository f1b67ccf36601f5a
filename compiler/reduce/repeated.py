"""Removes equations that follow from others (stage 3d), if there are more equations than unknowns.

An equation follows from others if it is a linear combination of them and, if these are not enough, of their
derivatives, so that 0 = 0 remains for all values of the variables: a gear between two joints relates their positions,
velocities and accelerations, as do the positions alone. The search is exact (`exact`), with nonlinear expressions as
additional columns. Factors may be parameters, but not in a denominator: where that is zero, the equation would be
independent. The remaining system must be regular; otherwise the original one is kept, and its messages too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from cutset.compiler.diagnostics import Label
from cutset.compiler.expressions.dependent_rows import TooLong, dependent_rows
from cutset.compiler.expressions.differentiate import differentiate
from cutset.compiler.expressions.finite_field_evaluation import FieldPoint
from cutset.compiler.expressions.pool import CONSTANT, Expr, Undefined
from cutset.compiler.expressions.user_function import NotDifferentiable
from cutset.compiler.expressions.walk import reachable, variables_of
from cutset.compiler.flatten.model import EquationSystem, Origin
from cutset.compiler.reduce.exact import Field, Row, factors_of
from cutset.compiler.reduce.terms import terms_of
from cutset.compiler.sort.incidence import incidence_of
from cutset.compiler.structure.chains import lowest_members
from cutset.compiler.structure.pantelides import pantelides
from cutset.compiler.structure.plan import StructurallySingular

# Notes on equations that are removed, one for each.
Describe = Callable[[Collection[Origin]], tuple[Label, ...]]


def without_repeated(system: EquationSystem, described: Describe) -> EquationSystem:
    """`described` is called only if an equation is removed; it may name any of the equations that depend on each other
    instead."""
    if system.missing >= 0:
        return system
    surplus = len(system.equations) - len(set(lowest_members(incidence_of(system).derivative)))
    if surplus < 0:
        return system
    removed, by_derivatives = list[int](), False
    if surplus:
        try:
            removed = list(_repeated(system, ()))
            by_derivatives = len(removed) < surplus
            if by_derivatives:
                removed = list(_repeated(system, tuple(_derivatives(system))))
        except TooLong:
            return system
    kept = tuple(e for k, e in enumerate(system.equations) if k not in set(removed))
    smaller = replace(system, equations=kept)
    if len(removed) != surplus or not _is_regular(smaller):
        return system
    if by_derivatives:  # a user can change nothing in a gear, and need not
        return smaller
    origins = {*system.repeated, *(system.equations[k].origin for k in removed)}
    return replace(smaller, notes=(*smaller.notes, *described(origins)))


def _derivatives(system: EquationSystem) -> Iterator[tuple[int, Expr]]:
    """The derivatives of equations in the unknowns that there are, each with the number of its equation."""
    for k, equation in enumerate(system.equations):
        if all(v in system.derivatives for v in variables_of(equation.residual)):
            with suppress(NotDifferentiable):
                yield k, differentiate(system.pool, equation.residual, system.derivatives.__getitem__)


def _repeated(system: EquationSystem, derivatives: Sequence[tuple[int, Expr]]) -> Iterator[int]:
    """The numbers of equations that can be removed, with these derivatives beside them. Raises TooLong."""
    field, n = Field(system.pool, FieldPoint({})), len(system.equations)
    columns: dict[Expr, int] = {}
    rows: list[Row] = [
        {columns.setdefault(atom, len(columns)): c for atom, c in terms_of(field, residual).items()}
        for residual in (*(e.residual for e in system.equations), *(residual for _, residual in derivatives))
    ]
    # Equations with parameters are the safest to remove, so they come last.
    order = sorted(range(n), key=lambda k: any(c.value.level > CONSTANT for c in rows[k].values()))
    order = [*range(n, len(rows)), *order]
    place = {k: number for number, k in enumerate(order)}
    needed: set[int] = set()  # equations from which others follow
    for dependence in dependent_rows([{j: c.residue for j, c in row.items()} for row in rows], order):
        base = {derivatives[k - n][0] for k in dependence if k >= n}
        members = [k for k in dependence if k < n and k not in needed | base]
        members.sort(key=place.__getitem__, reverse=True)
        found = next((k for k in members if _follows(field, dependence, rows, k)), None)
        if found is not None:
            needed |= dependence.keys() | base
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
