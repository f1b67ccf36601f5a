"""A block whose equations are not linear in its unknowns -> their values: torn, the rest by Newton's method at run
time.

The Jacobian is exact. It is made of the equations as they stand, before what was solved earlier is put in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cutset.compiler.expressions.differentiate import partial_derivative
from cutset.compiler.expressions.linear import Nonlinear, linear_forms
from cutset.compiler.expressions.pool import CONSTANT, Expr, Pool, Undefined
from cutset.compiler.expressions.walk import Substitution, variables_of
from cutset.compiler.sort.iteration_starts import IterationStarts
from cutset.compiler.sort.linear_system import Solution
from cutset.compiler.sort.system import is_written
from cutset.compiler.structure.tearing import tear


class StartedUnknown(NamedTuple):
    """Its name, its start value, an expression of parameters, and whether the model or its run writes that."""

    name: str
    start: Expr
    is_written: bool


@dataclass(frozen=True)
class Iteration:
    """What a node 'newton' solves: the leaves of its unknowns, their names, where the iteration begins and their
    nominal values (expressions of parameters), the text of the message where it fails, the submodels in which its
    equations stand (empty for one that says which variable is a state); and what of the model follows from it and has a
    start value."""

    unknowns: tuple[Expr, ...]
    names: tuple[str, ...]
    guesses: tuple[Expr, ...]
    nominals: tuple[Expr, ...]
    failure: str
    instances: tuple[str, ...]
    started: tuple[StartedUnknown, ...]


def solve_nonlinear(
    pool: Pool,
    residuals: Sequence[Expr],
    unknowns: tuple[Expr, ...],
    inline: Substitution,
    guesses: IterationStarts,
    failure: Callable[[Sequence[Expr], Sequence[int]], tuple[str, tuple[str, ...]]],
) -> Solution:
    """`inline` puts in what is solved already; `guesses` say where to begin, at 0 where they have nothing; `failure`
    what is said where no solution is found, of the unknowns of the iteration and its equations, and in which submodels
    these stand. Undefined, NotDifferentiable."""
    index = {u: k for k, u in enumerate(unknowns)}
    rows = [sorted(index[v] for v in variables_of(r) if v in index) for r in residuals]
    explicit = [_explicit(pool, r, row, unknowns) for r, row in zip(residuals, rows, strict=False)]
    tearing = tear(rows, [set(found) for found in explicit], {k for u, k in index.items() if u in guesses.own})
    torn = tearing.tearing_variables
    leaves = {k: pool.iterate(f"{unknowns[k].data}, iterated") for k in torn}

    def along(start: Mapping[int, Expr]) -> dict[int, Expr]:
        """All unknowns in terms of those of `start` and of what is known from outside."""
        values = dict(start)
        for equation, k in tearing.sequence:
            put_in = Substitution(pool, {unknowns[j]: values[j] for j in rows[equation] if j != k})
            values[k] = put_in(explicit[equation][k])
        return values

    inside = along(leaves)
    put_in = Substitution(pool, {unknowns[k]: e for k, e in inside.items()})
    equations = [put_in(residuals[e]) for e in tearing.residual_equations]
    jacobian = [[partial_derivative(pool, r, leaves[k]) for k in torn] for r in equations]
    iteration = Iteration(
        tuple(leaves[k] for k in torn),
        tuple(str(unknowns[k].data) for k in torn),
        tuple(guesses.get(unknowns[k], pool.zero) for k in torn),
        tuple(guesses.nominal(unknowns[k]) for k in torn),
        *(failure([unknowns[k] for k in torn], tearing.residual_equations) if torn else ("", ())),
        tuple(
            StartedUnknown(str(u.data), guesses.own[u], guesses.is_written(u))
            for u in unknowns
            if u in guesses.own and is_written(u)
        ),
    )
    if torn:
        solved = pool.newton(iteration, [inline(r) for r in equations], [[inline(a) for a in row] for row in jacobian])
    else:
        solved = ()
    # Outside, the tearing variables are the elements of the solution; what they stand in is made anew.
    values = {k: inline(e) for k, e in along(dict(zip(torn, solved, strict=False))).items()}
    equation_of = dict(zip(torn, tearing.residual_equations, strict=False)) | {k: e for e, k in tearing.sequence}
    return Solution(values, equation_of, len(torn))


def _explicit(pool: Pool, residual: Expr, row: Sequence[int], unknowns: Sequence[Expr]) -> dict[int, Expr]:
    """The unknowns that the equation gives in terms of the others, whatever these are, and how."""
    found = {}
    for k in row:
        try:
            (form,) = linear_forms(pool, [residual], [unknowns[k]])
            factor = form.coefficients[unknowns[k]]
            if factor.level == CONSTANT:
                found[k] = pool.div(pool.neg(form.rest), factor)
        except (Nonlinear, Undefined, KeyError):
            continue
    return found
