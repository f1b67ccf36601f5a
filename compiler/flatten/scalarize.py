"""Splits array equations into scalar ones (stage 3b): FlatModel -> scalar residuals.

A square equation for a symmetric variable gives each pair of mirrored elements once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cutset.compiler.diagnostics import Diagnostic, ModelError
from cutset.compiler.expressions.array import Array, is_symmetric
from cutset.compiler.expressions.pool import Expr, Pool
from cutset.compiler.expressions.random_evaluation import RandomPoint
from cutset.compiler.flatten import messages
from cutset.compiler.flatten.model import Origin, ScalarEquation
from cutset.compiler.instantiate.instance import ArrayEquation


class Sides(NamedTuple):
    """left = right"""

    left: Expr
    right: Expr
    origin: Origin


def scalarize(pool: Pool, equations: Sequence[ArrayEquation]) -> list[ScalarEquation]:
    """All residuals, in order. Raises ModelError if a symmetric variable is equated to an expression that is not
    symmetric."""
    return [scalar for several in scalar_equations(pool, equations) for scalar in several]


def scalar_equations(pool: Pool, equations: Sequence[ArrayEquation]) -> list[list[ScalarEquation]]:
    """The residuals of each equation. Raises ModelError as `scalarize` does."""
    return [
        [ScalarEquation(pool.sub(s.left, s.right), s.origin) for s in several] for several in scalar_sides(equations)
    ]


def scalar_sides(equations: Sequence[ArrayEquation]) -> list[list[Sides]]:
    """The scalar equations of each equation, with unchanged sides. Raises ModelError as `scalarize` does."""
    probe = _probe(equations)
    diagnostics: list[Diagnostic] = []
    result: list[list[Sides]] = []
    for equation in equations:
        left, right = equation.left.elements, equation.right.elements
        origin = Origin(equation.span, equation.instance, equation.reason)
        result.append([Sides(left[k], right[k], origin) for k in _positions(equation, probe, diagnostics)])
    if diagnostics:
        raise ModelError(diagnostics)
    return result


def _probe(equations: Sequence[ArrayEquation]) -> RandomPoint:
    """A random point at which equations `x = number` hold, since products use these numbers (`with_numbers`)."""
    probe = RandomPoint()
    for equation in equations:
        for left, right in zip(equation.left.elements, equation.right.elements, strict=False):
            if left.op == "variable" and right.op == "constant":
                probe.know(left, right.data)
    return probe


def _positions(equation: ArrayEquation, probe: RandomPoint, diagnostics: list[Diagnostic]) -> Sequence[int]:
    """The elements that become separate equations."""
    left, right = equation.left, equation.right
    everything = range(len(left.elements))
    if _is_symmetric_variable(left):
        variable, other = left, right
    elif _is_symmetric_variable(right):
        variable, other = right, left
    else:
        return everything
    n = left.shape[0]
    for i in range(n):
        for j in range(i + 1, n):
            if not probe.equal(other.at(i, j), other.at(j, i)):
                name = str(variable.at(0, 0).args[0].data if variable.at(0, 0).args else variable.at(0, 0).data)
                name = name.removesuffix("(1,1)")
                instance = equation.instance
                diagnostics.append(messages.not_symmetric(name, i + 1, j + 1, equation.span, instance))
                return []
    return [i * n + j for i in range(n) for j in range(i, n)]


def _is_symmetric_variable(side: Array) -> bool:
    """True for a bare symmetric variable or sum of such (from a connection), judged by its leaves: mirrored elements
    are one node."""
    if len(side.shape) != 2 or side.shape[0] != side.shape[1] or side.shape[0] == 1:
        return False
    return is_symmetric(side) and all(map(_is_sum_of_variables, side.elements))


def _is_sum_of_variables(element: Expr) -> bool:
    stack = [element]
    while stack:
        node = stack.pop()
        if node.op in ("add", "sub", "neg"):
            stack += node.args
        elif node.op != "variable":
            return False
    return True
