"""Computes with coefficients of parameters whose zeros are exact, and eliminates with them.

A coefficient is an expression and its value at a random point of a prime field, where sums and products are exact: the
expression is zero if the value is (Schwartz, J. ACM 27 (1980), pp. 701-717). The code computes the expression in
floating point.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from cutset.compiler.expressions.finite_field_evaluation import PRIME, FieldPoint, inverse
from cutset.compiler.expressions.pool import CONSTANT, Expr, Pool

# The limit on numerators and denominators: a random residue equals such a fraction with probability 1e-10.
_LARGEST = 10_000


class Coefficient(NamedTuple):
    """An expression of parameters; `value` has the `residue` at the point."""

    residue: int
    value: Expr


Row = dict[int, Coefficient]


class Field:
    """The coefficients of one translation, at a random point."""

    def __init__(self, pool: Pool, point: FieldPoint):
        self.pool = pool
        self.point = point
        self.one = Coefficient(1, pool.one)
        self.minus_one = Coefficient(PRIME - 1, pool.minus_one)

    def of(self, e: Expr) -> Coefficient:
        """The coefficient for an expression of parameters."""
        return Coefficient(self.point.value(e), e)

    def number(self, value: Fraction) -> Coefficient:
        """The coefficient for a constant."""
        residue = value.numerator * inverse(value.denominator % PRIME) % PRIME
        return Coefficient(residue, self.pool.constant(float(value)))

    def add(self, a: Coefficient, b: Coefficient) -> Coefficient:
        """a + b"""
        return Coefficient((a.residue + b.residue) % PRIME, self.pool.add(a.value, b.value))

    def mul(self, a: Coefficient, b: Coefficient) -> Coefficient:
        """a * b"""
        return Coefficient(a.residue * b.residue % PRIME, self.pool.mul(a.value, b.value))

    def div(self, a: Coefficient, b: Coefficient) -> Coefficient:
        """a / b for nonzero b."""
        return Coefficient(a.residue * inverse(b.residue) % PRIME, self.pool.div(a.value, b.value))

    def neg(self, a: Coefficient) -> Coefficient:
        """-a"""
        return Coefficient(-a.residue % PRIME, self.pool.neg(a.value))


def echelon(
    field: Field, rows: Sequence[Row], may_be_pivot: Callable[[int], bool] = lambda column: True
) -> dict[int, Row]:
    """The reduced echelon form: for each pivot column its row, with 1 there and zeros in the other pivot columns. Rows
    without a possible pivot are omitted. A constant is preferred as a pivot to a parameter, a short row to a long
    one."""
    waiting = [dict(row) for row in rows]
    done: dict[int, Row] = {}
    while True:
        choices = [
            (c.value.level > CONSTANT, len(row), k, column)
            for k, row in enumerate(waiting) for column, c in row.items() if may_be_pivot(column)
        ]  # fmt: skip
        if not choices:
            return done
        _, _, k, column = min(choices)
        row = waiting.pop(k)
        pivot = row[column]
        row = {j: field.div(c, pivot) for j, c in row.items()}
        row[column] = field.one
        for other in (*waiting, *done.values()):
            _subtract(field, other, row, column)
        done[column] = row


def _subtract(field: Field, row: Row, pivot_row: Row, column: int) -> None:
    """Subtract the pivot row from `row` so that its column vanishes."""
    factor = row.pop(column, None)
    if factor is None:
        return
    for j, c in pivot_row.items():
        if j != column:
            share = field.neg(field.mul(factor, c))
            total = field.add(row[j], share) if j in row else share
            if total.residue:
                row[j] = total
            else:
                row.pop(j, None)


def factors_of(field: Field, dependence: Mapping[int, int], rows: Sequence[Row], last: int) -> dict[int, Coefficient]:
    """The factors with which the rows of a dependence add up to zero, that of `last` being 1; `dependence` has their
    residues up to a common factor."""
    scale = inverse(dependence[last])
    simple = {i: fraction_of(residue * scale % PRIME) for i, residue in dependence.items()}
    if all(fraction is not None for fraction in simple.values()):
        return {i: field.number(fraction) for i, fraction in simple.items() if fraction is not None}
    by_column: dict[int, Row] = {}
    for i in dependence:
        for j, c in rows[i].items():
            by_column.setdefault(j, {})[i] = c
    found = echelon(field, [by_column[j] for j in sorted(by_column)], lambda i: i != last)
    factors = {i: field.neg(row[last]) for i, row in found.items() if last in row}
    return {**factors, last: field.one}


def fraction_of(residue: int) -> Fraction | None:
    """The fraction of small numbers with this residue, by Euclid's algorithm (Wang, SYMSAC 1981, pp. 212-217); None if
    there is none."""
    above, below = (PRIME, 0), (residue % PRIME, 1)
    while below[0] > _LARGEST:
        quotient = above[0] // below[0]
        above, below = below, (above[0] - quotient * below[0], above[1] - quotient * below[1])
    numerator, denominator = below
    return Fraction(numerator, denominator) if 0 < abs(denominator) <= _LARGEST else None
