"""Tells whether matrices are rotations: for all values, or with the parameters of the model at some points."""

from __future__ import annotations

import math
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cached_property
from random import Random

from cutset.compiler.expressions.array import Array
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.random_evaluation import RandomPoint, are_rotation, from_rotation
from cutset.compiler.expressions.walk import variables_of
from cutset.compiler.flatten.model import FlatModel
from cutset.compiler.instantiate.instance import parameter_numbers

_POINTS = 3
# Directions that a model gives by six digits are no error.
_TOLERANCE = 1e-5


class Formulas:
    """What variables are by explicit equations of a model; those of these numbers are left out."""

    def __init__(self, model: FlatModel, without: Container[int]):
        self._model = model
        self._formulas: dict[Expr, Expr] = {}
        for k, equation in enumerate(model.equations):
            if k not in without:
                for left, right in zip(equation.left.elements, equation.right.elements, strict=False):
                    if left.op == "variable":
                        self._formulas.setdefault(left, right)

    def is_orthogonal(self, matrix: Array) -> bool:
        """True if the matrix times its transpose is the identity for all values."""
        return are_rotation([self._at({}, number, matrix) for number in range(_POINTS)], _rows(matrix))

    def may_be_orthogonal(self, matrix: Array) -> bool:
        """False if the matrix is not orthogonal with the parameters of the model, vectors of length 1, and others that
        are rotations."""
        drawn = [{**self._numbers, **self._drawn(Random(number))} for number in range(_POINTS)]
        points = [self._at(known, number, matrix) for number, known in enumerate(drawn)]
        errors = [from_rotation([[point.value(e) for e in row] for row in _rows(matrix)]) for point in points]
        return not any(error > _TOLERANCE for error in errors if math.isfinite(error))

    def _at(self, known: Mapping[Expr, float], number: int, matrix: Array) -> RandomPoint:
        """A point at which the formulas below the matrix hold."""
        point = RandomPoint(known, number + 1)
        for leaf in self._below(matrix.elements, {leaf for leaf in known if leaf.op == "variable"}):
            point.know(leaf, point.value(self._formulas[leaf]))
        return point

    @cached_property
    def _numbers(self) -> dict[Expr, float]:
        return parameter_numbers(self._model.parameters)

    def _drawn(self, draw: Random) -> dict[Expr, float]:
        """Values of vectors without formulas, and of rotations."""
        found: dict[Expr, float] = {}
        for variable in self._model.variables:
            leaves, is_rotation = variable.value.elements, variable.is_rotation
            if is_rotation or (len(variable.value.shape) == 1 and self._formulas.keys().isdisjoint(leaves)):
                numbers = [draw.gauss(0, 1) for _ in range(4 if is_rotation else len(leaves))]
                length = math.hypot(*numbers)
                numbers = [x / length for x in numbers]
                found |= dict(zip(leaves, _rotation(*numbers) if is_rotation else numbers, strict=True))
        return found

    def _below(self, roots: Sequence[Expr], seen: set[Expr]) -> Iterator[Expr]:
        """The leaves that formulas give, those that others need first; those of cycles in any order."""
        stack = [(v, False) for e in roots for v in variables_of(e)]
        while stack:
            leaf, is_ready = stack.pop()
            if is_ready:
                yield leaf
            elif leaf in self._formulas and leaf not in seen:
                seen.add(leaf)
                stack.append((leaf, True))
                stack += [(v, False) for v in variables_of(self._formulas[leaf])]


def _rows(matrix: Array) -> list[tuple[Expr, ...]]:
    return [matrix.row(i) for i in range(3)]


def _rotation(a: float, b: float, c: float, d: float) -> list[float]:
    """The rotation with these Euler parameters."""
    return [
        *(1 - 2 * (b * b + c * c), 2 * (a * b - c * d), 2 * (a * c + b * d)),
        *(2 * (a * b + c * d), 1 - 2 * (a * a + c * c), 2 * (b * c - a * d)),
        *(2 * (a * c - b * d), 2 * (b * c + a * d), 1 - 2 * (a * a + b * b)),
    ]
