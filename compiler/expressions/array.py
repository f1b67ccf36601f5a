"""Implements scalars, vectors (columns) and matrices of scalar expressions with the operators of the language."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from cutset.compiler.expressions.pool import Expr, Pool

Shape = tuple[int, ...]

MOST_ELEMENTS = 200_000


class ShapeMismatch(Exception):
    """The shapes of operands do not fit; the message gives them, and the hint, if any, how to fix it."""

    def __init__(self, message: str, hint: str = ""):
        super().__init__(message)
        self.hint = hint


def shape_words(shape: Shape) -> str:
    """'a scalar', 'a vector (3)', 'a matrix (3,3)'."""
    kind = ("a scalar", "a vector", "a matrix")[len(shape)]
    return kind if not shape else f"{kind} ({','.join(map(str, shape))})"


def by_words(shape: Shape) -> str:
    """'3', '3 by 4'."""
    return " by ".join(map(str, shape))


class Array(NamedTuple):
    """An array with shape (), (n) or (n, m); the elements are stored row by row."""

    shape: Shape
    elements: tuple[Expr, ...]

    @property
    def scalar(self) -> Expr:
        """The only element; ShapeMismatch if there are others."""
        if len(self.elements) != 1:
            hint = "write scalar operations for each element: x(1), x(2)"
            raise ShapeMismatch(f"expected a scalar, found {shape_words(self.shape)}", hint)
        return self.elements[0]

    @property
    def rows(self) -> int:
        """The number of rows; a scalar has one."""
        return self.shape[0] if self.shape else 1

    @property
    def columns(self) -> int:
        """The number of columns; vectors and scalars have one."""
        return self.shape[1] if len(self.shape) == 2 else 1

    def at(self, i: int, j: int = 0) -> Expr:
        """The element in row i and column j, from 0."""
        return self.elements[i * self.columns + j]

    def row(self, i: int) -> tuple[Expr, ...]:
        """The elements in row i, from 0."""
        return self.elements[i * self.columns : (i + 1) * self.columns]

    def parts(self) -> list[Array]:
        """The elements of a vector, the rows of a matrix."""
        width = self.columns
        return [Array(self.shape[1:], self.elements[k : k + width]) for k in range(0, len(self.elements), width)]

    def map(self, function: Callable[[Expr], Expr]) -> Array:
        """The function applied to every element."""
        return Array(self.shape, tuple(map(function, self.elements)))


def scalar(expression: Expr) -> Array:
    """A scalar as an array."""
    return Array((), (expression,))


def size_of(shape: Shape) -> int:
    """The number of elements of a shape."""
    n = 1
    for d in shape:
        n *= d
    return n


def fitted(value: Array, shape: Shape) -> Array:
    """The value in this shape if only dimensions of 1 at the end differ, else unchanged: a vector (1) goes where a
    scalar goes, a matrix (n,1) where a vector (n) goes, and the other way round."""
    return Array(shape, value.elements) if _without_ones(value.shape) == _without_ones(shape) else value


def _without_ones(shape: Shape) -> Shape:
    while shape and shape[-1] == 1:
        shape = shape[:-1]
    return shape


def bounded(shape: Shape) -> Shape:
    """The shape; ShapeMismatch if it has more than MOST_ELEMENTS elements, before they are created."""
    if size_of(shape) > MOST_ELEMENTS:
        raise ShapeMismatch(f"{shape_words(shape)} has {size_of(shape)} elements; the limit is {MOST_ELEMENTS}")
    return shape


def elementwise(function: Callable[[Expr, Expr], Expr], a: Array, b: Array, verb: str) -> Array:
    """Apply the function element by element to operands of one shape, which is the shorter one if dimensions of 1
    differ."""
    a, b = (fitted(a, b.shape), b) if len(b.shape) < len(a.shape) else (a, fitted(b, a.shape))
    if a.shape != b.shape:
        raise ShapeMismatch(f"{shape_words(a.shape)} and {shape_words(b.shape)} cannot be {verb}")
    return Array(a.shape, tuple(map(function, a.elements, b.elements)))


def each(function: Callable[..., Expr], *operands: Array) -> Array:
    """Apply the function element by element to operands of one shape, or scalars, which meet every element of the
    others."""
    shape = max((a.shape for a in operands), key=len, default=())
    for a in operands:
        if a.shape not in ((), shape):
            raise ShapeMismatch(
                f"{shape_words(shape)} and {shape_words(a.shape)} cannot be combined element by element"
            )
    length = size_of(shape)
    return Array(shape, tuple(map(function, *(a.elements if a.shape else a.elements * length for a in operands))))


def multiply(pool: Pool, a: Array, b: Array) -> Array:
    """Scaling, the matrix product, or row times column (a scalar). Arrays of one element scale where they are no
    factor of a matrix product."""
    if not a.shape or (len(a.elements) == 1 != b.rows):
        return b.map(lambda e: pool.mul(a.elements[0], e))
    if not b.shape or (len(b.elements) == 1 != a.columns):
        return a.map(lambda e: pool.mul(e, b.elements[0]))
    if len(a.shape) == 1 and b.rows != 1:
        raise ShapeMismatch(
            f"{shape_words(a.shape)} times {shape_words(b.shape)}: a vector is a column; "
            "write a'*b for the scalar product, cross(a, b) for the vector product"
        )
    if a.columns != b.rows:
        raise ShapeMismatch(
            f"{shape_words(a.shape)} times {shape_words(b.shape)}: {a.columns} columns meet {b.rows} rows"
        )
    shape: Shape = (a.rows,) if a.rows > 1 else ()
    if len(b.shape) == 2:
        shape = (a.rows, b.columns)
    bounded(shape)
    return Array(shape, tuple(_products(pool, a, b)))


def multiply_symmetric(pool: Pool, a: Array, b: Array) -> Array:
    """a*b if that is known to be symmetric: the upper one of two mirrored elements is used for both."""
    n = a.rows
    elements = _products(pool, a, b, from_diagonal=True)
    return Array((n, n), tuple(elements[min(i, j) * n + max(i, j)] for i in range(n) for j in range(n)))


def _products(pool: Pool, a: Array, b: Array, from_diagonal: bool = False) -> list[Expr]:
    """Rows times columns; zeros replace elements below the diagonal if they are not needed."""
    zero, width = pool.zero, b.columns
    columns = [b.elements[j::width] for j in range(width)]
    # Most matrices of mechanics are half empty: zeros are skipped before the product is formed.
    rows = [[(k, *_signed(e)) for k, e in enumerate(a.row(i)) if e is not zero] for i in range(a.rows)]
    pool.spend(sum(map(len, rows)) * width)
    elements: list[Expr] = []
    for i, row in enumerate(rows):
        first = i if from_diagonal else 0
        elements += [zero] * first
        elements += [_row_times_column(pool, row, column) for column in columns[first:]]
    return elements


def _row_times_column(pool: Pool, row: Sequence[tuple[int, Expr, bool]], column: Sequence[Expr]) -> Expr:
    """The sum of the products, with separate signs: signs inside the partial sums would make up a quarter of all
    nodes."""
    zero = pool.zero
    total, negative = zero, False
    for k, factor, minus in row:
        other = column[k]
        if other is zero:
            continue
        if other.op == "neg":
            other, minus = other.args[0], not minus
        term = pool.mul(factor, other)
        if term.op == "neg":
            term, minus = term.args[0], not minus
        if minus and term.op == "constant":
            term, minus = pool.neg(term), False
        if total is zero:
            total, negative = term, minus
        elif minus == negative:
            total = pool.add(total, term)
        else:
            total, negative = pool.sub(total, term) if minus else pool.sub(term, total), False
        if total.op == "neg":
            total, negative = total.args[0], not negative
        if negative and total.op in ("sub", "constant"):
            total, negative = pool.neg(total), False
    return pool.neg(total) if negative else total


def _signed(e: Expr) -> tuple[Expr, bool]:
    """The expression without its sign, and True if that was a minus."""
    return (e.args[0], True) if e.op == "neg" else (e, False)


def is_congruence(pool: Pool, a: Array, b: Array, c: Array) -> bool:
    """True if a*b*c has the form A*S*A' or -A*S*A' with a symmetric S (by identical elements), so that it is
    symmetric."""
    if (
        len(a.shape) != 2
        or len(b.shape) != 2
        or c.shape != a.shape[::-1]
        or b.shape != (a.columns, a.columns)
        or not is_symmetric(b)
    ):
        return False
    pairs = list(zip(a.elements, transpose(c).elements, strict=False))
    return all(x is y for x, y in pairs) or all(x is pool.neg(y) for x, y in pairs)


def is_symmetric(a: Array) -> bool:
    """True if the mirrored elements of a square matrix are identical expressions."""
    n = a.rows
    return all(a.elements[i * n + j] is a.elements[j * n + i] for i in range(n) for j in range(i))


def divide(pool: Pool, a: Array, b: Array) -> Array:
    """Division by a scalar."""
    if len(b.elements) != 1:
        raise ShapeMismatch(f"division by {shape_words(b.shape)}: only a scalar can divide")
    return a.map(lambda e: pool.div(e, b.elements[0]))


def power(pool: Pool, a: Array, b: Array) -> Array:
    """Powers of scalars."""
    if len(a.elements) != 1 or len(b.elements) != 1:
        raise ShapeMismatch(
            f"{shape_words(a.shape)} to the power of {shape_words(b.shape)}: both must be scalars",
            "write a power of a matrix as a product: A*A",
        )
    return scalar(pool.power(a.elements[0], b.elements[0]))


def row(a: Array) -> Array:
    """A vector as a row (1,n); a scalar and a matrix of one row as they are."""
    return transpose(a) if len(a.shape) == 1 else a


def transpose(a: Array) -> Array:
    """The transpose; a vector becomes a row (1,n)."""
    if not a.shape:
        raise ShapeMismatch("a scalar has no transpose; write a derivative as der(x)")
    rows, columns = a.rows, a.columns
    return Array((columns, rows), tuple(e for j in range(columns) for e in a.elements[j::columns]))


def stack(rows: Sequence[Sequence[Array]]) -> Array:
    """The matrix literal: blocks next to and below each other. A single row or column of scalars is a vector."""
    if len(rows) == 1 and all(not t.shape for t in rows[0]):
        return Array((len(rows[0]),), tuple(t.elements[0] for t in rows[0]))
    bounded((sum(len(t.elements) for row in rows for t in row),))
    lines: list[list[Expr]] = []
    for row in rows:
        if len({t.rows for t in row}) > 1:
            shapes = ", ".join(shape_words(t.shape) for t in row)
            hint = "blocks side by side must have equally many rows; zeros(n, m) is a block of zeros"
            if all(t.columns == 1 for t in row):
                hint = "a vector is a column: put blocks below each other with semicolons, [a; b]"
            raise ShapeMismatch(f"blocks side by side differ in height: {shapes}", hint)
        lines += [[e for t in row for e in t.row(i)] for i in range(row[0].rows)]
    if len({len(line) for line in lines}) > 1:
        lengths = ", ".join(str(len(line)) for line in lines)
        hint = "a vector is a column: write its elements as a row, [A; 1, 2], or transpose it, [A; v']"
        raise ShapeMismatch(f"the rows differ in length: {lengths}", hint)
    width = len(lines[0])
    elements = tuple(e for line in lines for e in line)
    return Array((len(lines),) if width == 1 else (len(lines), width), elements)


def pick(a: Array, indices: Sequence[int | Sequence[int]]) -> Array:
    """The elements at these indices (from 0): a number drops the dimension, a sequence keeps it."""
    chosen = [[i] if isinstance(i, int) else list(i) for i in indices]
    shape = tuple(len(i) for i in indices if not isinstance(i, int))
    columns, width = chosen[1] if len(chosen) == 2 else [0], a.columns
    return Array(shape, tuple(a.elements[i * width + j] for i in chosen[0] for j in columns))


def pick_varying(pool: Pool, a: Array, indices: Sequence[int | range | Expr], outside: Expr) -> Array:
    """The same if an index may be an expression (from 1): a choice among all elements, `outside` for other indices."""
    result = pick(a, [range(n) if isinstance(i, Expr) else i for i, n in zip(indices, a.shape, strict=False)])
    dimension = 0
    for index in indices:
        if isinstance(index, Expr):
            length = result.shape[dimension]
            shape = result.shape[:dimension] + result.shape[dimension + 1 :]
            chosen: tuple[Expr, ...] = (outside,) * size_of(shape)
            for k in range(length):
                kept: list[int | range] = [range(n) for n in result.shape]
                kept[dimension] = k
                hit = pool.relation("==", index, pool.constant(k + 1))
                row = pick(result, kept).elements
                chosen = tuple(pool.choose(hit, e, other) for e, other in zip(row, chosen, strict=False))
            result = Array(shape, chosen)
        elif not isinstance(index, int):
            dimension += 1
    return result


def vector3(a: Array) -> tuple[Expr, Expr, Expr]:
    """The elements of a vector (3). ShapeMismatch for another shape."""
    if a.shape != (3,):
        raise ShapeMismatch(f"expected a vector (3), found {shape_words(a.shape)}")
    return a.elements  # type: ignore[return-value]


def cross(pool: Pool, a: Array, b: Array) -> Array:
    """The cross product a x b."""
    (a1, a2, a3), (b1, b2, b3) = vector3(a), vector3(b)
    mul, sub = pool.mul, pool.sub
    return Array((3,), (
        sub(mul(a2, b3), mul(a3, b2)),
        sub(mul(a3, b1), mul(a1, b3)),
        sub(mul(a1, b2), mul(a2, b1)),
    ))  # fmt: skip
