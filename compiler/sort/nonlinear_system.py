"""Solves a block that is not linear in its unknowns: tears it, and solves the rest by Newton's method during the run.

The Jacobian is exact. It is derived from the original equations, before solved unknowns are substituted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from cutset.compiler.expressions.differentiate import partial_derivative
from cutset.compiler.expressions.linear import Nonlinear, linear_forms
from cutset.compiler.expressions.pool import CONSTANT, Expr, Pool, Undefined
from cutset.compiler.expressions.walk import Substitution, variables_of
from cutset.compiler.sort.iteration_starts import IterationStarts
from cutset.compiler.sort.linear_system import Solution
from cutset.compiler.sort.system import is_written
from cutset.compiler.structure.tearing import tear
from cutset.contract.quick_dataclass import dataclass


class StartedUnknown(NamedTuple):
    """The name and the start value (an expression of parameters) of an unknown, and whether the model or its run gives
    that value."""

    name: str
    start: Expr
    is_written: bool


@dataclass(frozen=True)
class Iteration:
    """The data of a node 'newton': the leaves of its unknowns, their names, their guesses and nominal values
    (expressions of parameters), the message if the iteration fails, the submodels of its equations (none for a system
    that selects states), the variables with start values that follow from it, and a leaf that is finite where its
    relations are held (see codegen/one_sided.py)."""

    unknowns: tuple[Expr, ...]
    names: tuple[str, ...]
    guesses: tuple[Expr, ...]
    nominals: tuple[Expr, ...]
    failure: str
    instances: tuple[str, ...]
    started: tuple[StartedUnknown, ...]
    has_held: Expr | None = None


def solve_nonlinear(
    pool: Pool,
    residuals: Sequence[Expr],
    unknowns: tuple[Expr, ...],
    inline: Substitution,
    guesses: IterationStarts,
    failure: Callable[[Sequence[Expr], Sequence[int]], tuple[str, tuple[str, ...]]],
) -> Solution:
    """Solve the block. `inline` substitutes solved unknowns; `guesses` are starting values, 0 if missing; `failure`
    gives, for the iteration variables and equations, the message of a failed iteration and the submodels. Raises
    Undefined, NotDifferentiable."""
    index = {u: k for k, u in enumerate(unknowns)}
    rows = [sorted(index[v] for v in variables_of(r) if v in index) for r in residuals]
    explicit = [_explicit(pool, r, row, unknowns) for r, row in zip(residuals, rows, strict=False)]
    tearing = tear(rows, [set(found) for found in explicit], {k for u, k in index.items() if u in guesses.own})
    torn = tearing.tearing_variables
    leaves = {k: pool.iterate(f"{unknowns[k].data}, iterated") for k in torn}

    def along(start: Mapping[int, Expr]) -> dict[int, Expr]:
        """All unknowns in terms of the iteration variables and of known quantities."""
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
    # Outside, iteration variables are elements of the solution; expressions that contain them are rebuilt.
    values = {k: inline(e) for k, e in along(dict(zip(torn, solved, strict=False))).items()}
    equation_of = dict(zip(torn, tearing.residual_equations, strict=False)) | {k: e for e, k in tearing.sequence}
    return Solution(values, equation_of, len(torn))


def _explicit(pool: Pool, residual: Expr, row: Sequence[int], unknowns: Sequence[Expr]) -> dict[int, Expr]:
    """The unknowns for which the equation can always be solved, and their values."""
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
