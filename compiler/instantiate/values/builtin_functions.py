"""Implements the built-in functions that can be evaluated element by element at translation.

Knows no scopes or declarations; `der` and `time` belong to the evaluator.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from typing import Literal

from cutset.compiler.expressions import array as arrays
from cutset.compiler.expressions.array import (
    Array,
    ShapeMismatch,
    cross,
    scalar,
    shape_words,
    vector3,
)
from cutset.compiler.expressions.pool import Expr, Pool
from cutset.contract.functions import FUNCTIONS, Function
from cutset.contract.quick_dataclass import dataclass

Evaluation = Callable[..., Array]


@dataclass(frozen=True)
class Builtin:
    """A built-in function.

    value: from a pool and the arguments; raises ShapeMismatch, Undefined. arity: the number of arguments; None if it
    varies. units, result: as in `Function`; a result may also have the type of the 'argument'. doc: the cells of its
    line in the documentation. sizes_from: the arguments from this one on, counted from 0, are numbers known at
    translation; None if none is. scatters: as in `Function`.
    """

    value: Evaluation
    arity: int | None
    units: str
    result: Literal["Real", "Integer", "number", "argument"] = "Real"
    doc: tuple[str, ...] = ()
    sizes_from: int | None = None
    scatters: bool = False


def _whole(a: Array) -> int:
    e = a.scalar
    if e.op != "constant" or not e.data.is_integer() or not 0 <= e.data <= 10_000:
        raise ShapeMismatch("a size must be a whole number known at translation")
    return int(e.data)


def _sum(pool: Pool, a: Array) -> Array:
    total = pool.zero
    for e in a.elements:
        total = pool.add(total, e)
    return scalar(total)


def skew(pool: Pool, a: Array) -> Array:
    """The matrix with skew(a)*b = a x b."""
    a1, a2, a3 = vector3(a)
    zero, neg = pool.zero, pool.neg
    return Array((3, 3), (zero, neg(a3), a2, a3, zero, neg(a1), neg(a2), a1, zero))


def _vec(pool: Pool, a: Array) -> Array:
    if a.shape != (3, 3):
        raise ShapeMismatch(f"'vec' needs a matrix (3,3), but this is {shape_words(a.shape)}")
    return Array((3,), (a.at(2, 1), a.at(0, 2), a.at(1, 0)))


def _norm(pool: Pool, a: Array) -> Array:
    squares = a.map(lambda e: pool.mul(e, e))
    return scalar(pool.call("sqrt", _sum(pool, squares).elements[0]))


def _filled(value: Callable[[Pool], Expr]) -> Evaluation:
    def fill(pool: Pool, *sizes: Array) -> Array:
        if not 1 <= len(sizes) <= 2:
            raise ShapeMismatch("expected one or two sizes")
        shape = arrays.bounded(tuple(_whole(s) for s in sizes))
        return Array(shape, (value(pool),) * arrays.size_of(shape))

    return fill


def _diagonal(pool: Pool, a: Array) -> Array:
    if len(a.shape) != 1:
        raise ShapeMismatch(f"'diagonal' needs a vector, but this is {shape_words(a.shape)}")
    n = a.shape[0]
    arrays.bounded((n, n))
    return Array((n, n), tuple(a.elements[i] if i == j else pool.zero for i in range(n) for j in range(n)))


def _identity(pool: Pool, n: Array) -> Array:
    size = _whole(n)
    return _diagonal(pool, Array((size,), (pool.one,) * size))


def _size(pool: Pool, a: Array, which: Array) -> Array:
    k = _whole(which)
    if not 1 <= k <= len(a.shape):
        raise ShapeMismatch(f"{shape_words(a.shape)} has no dimension {k}")
    return scalar(pool.constant(a.shape[k - 1]))


def _scalar_function(op: str) -> Evaluation:
    return lambda pool, *arguments: arrays.each(lambda *elements: pool.call(op, *elements), *arguments)


def _modulo(pool: Pool, a: Array, b: Array) -> Array:
    # mod(a, b) = a - floor(a/b)*b has the sign of b, unlike C's fmod.
    return arrays.each(lambda x, y: pool.sub(x, pool.mul(pool.call("floor", pool.div(x, y)), y)), a, b)


def _any_number(fold: Callable[[Pool, Expr, Expr], Expr]) -> Evaluation:
    def function(pool: Pool, *arguments: Array) -> Array:
        if not arguments:
            raise ShapeMismatch("expected at least one argument", "write scalars, or one array")
        if len(arguments) > 1:
            return reduce(partial(arrays.each, partial(fold, pool)), arguments)
        return scalar(reduce(partial(fold, pool), arguments[0].elements))

    return function


def _scalar_row(row: Function) -> Builtin:
    if row.folds:
        return Builtin(_any_number(lambda pool, a, b: pool.call(row.op, a, b)), None, row.units, row.result, row.doc)
    return Builtin(_scalar_function(row.op), row.arity, row.units, row.result, row.doc, scatters=row.scatters)


# By name: first the scalar functions, then those of vectors and matrices.
BUILTINS: dict[str, Builtin] = {
    **{row.name: _scalar_row(row) for row in FUNCTIONS.values() if row.name},
    "mod": Builtin(_modulo, 2, "u, u -> u", "number", ("mod(x, y)", "`x - floor(x/y)*y`, with the sign of `y`")),
    "cross": Builtin(cross, 2, "u, v -> u*v", doc=("cross(a, b)", "two vectors (3)", "the vector product")),
    "skew": Builtin(skew, 1, "u -> u", doc=("skew(a)", "a vector (3)", "the matrix with `skew(a)*b = cross(a, b)`")),
    "vec": Builtin(
        _vec, 1, "u -> u", "argument", ("vec(S)", "a matrix (3,3)", "`[S(3,2), S(1,3), S(2,1)]`; `vec(skew(a))` is `a`")
    ),
    "transpose": Builtin(
        lambda pool, a: arrays.transpose(a),
        1,
        "u -> u",
        "argument",
        ("transpose(A)", "a vector or matrix", "the same as `A'`"),
    ),
    "norm": Builtin(_norm, 1, "u -> u", doc=("norm(a)", "an array", "the square root of the sum of the squares")),
    "sum": Builtin(_sum, 1, "u -> u", "number", ("sum(a)", "an array", "the sum of the elements")),
    "size": Builtin(
        _size, 2, "-> literal", "Integer", ("size(A, k)", "an array, a dimension", "its length"), sizes_from=1
    ),
    "identity": Builtin(
        _identity, 1, "-> literal", "Integer", ("identity(n)", "a number", "the identity matrix (n,n)"), sizes_from=0
    ),
    "zeros": Builtin(
        _filled(lambda pool: pool.zero),
        None,
        "-> literal",
        "Integer",
        ("zeros(n)`, `zeros(n, m)", "numbers", "a vector, a matrix of zeros"),
        sizes_from=0,
    ),
    "ones": Builtin(
        _filled(lambda pool: pool.one),
        None,
        "-> literal",
        "Integer",
        ("ones(n)`, `ones(n, m)", "numbers", "a vector, a matrix of ones"),
        sizes_from=0,
    ),
    "diagonal": Builtin(_diagonal, 1, "u -> u", "argument", ("diagonal(a)", "a vector (n)", "a matrix (n,n)")),
}
