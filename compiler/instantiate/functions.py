"""The functions of the language that can be evaluated element by element at translation.

Must not know scopes or declarations; `der` and `time` belong to the evaluator.
"""

from __future__ import annotations

from collections.abc import Callable

from cutset.compiler.expressions import tensor as tensors
from cutset.compiler.expressions.pool import Expr, Pool
from cutset.compiler.expressions.tensor import ShapeMismatch, Tensor, scalar, shape_words

Builtin = Callable[..., Tensor]


def _vector3(a: Tensor) -> tuple[Expr, Expr, Expr]:
    if a.shape != (3,):
        raise ShapeMismatch(f"a vector (3) is needed here, this is {shape_words(a.shape)}")
    return a.elements  # type: ignore[return-value]


def _whole(a: Tensor) -> int:
    e = a.scalar
    if e.op != "constant" or not e.data.is_integer() or not 0 <= e.data <= 10_000:
        raise ShapeMismatch("a size must be a constant whole number")
    return int(e.data)


def _sum(pool: Pool, a: Tensor) -> Tensor:
    total = pool.zero
    for e in a.elements:
        total = pool.add(total, e)
    return scalar(total)


def cross(pool: Pool, a: Tensor, b: Tensor) -> Tensor:
    """a x b"""
    (a1, a2, a3), (b1, b2, b3) = _vector3(a), _vector3(b)
    mul, sub = pool.mul, pool.sub
    return Tensor((3,), (
        sub(mul(a2, b3), mul(a3, b2)),
        sub(mul(a3, b1), mul(a1, b3)),
        sub(mul(a1, b2), mul(a2, b1)),
    ))  # fmt: skip


def skew(pool: Pool, a: Tensor) -> Tensor:
    """The matrix with skew(a)*b = a x b."""
    a1, a2, a3 = _vector3(a)
    zero, neg = pool.zero, pool.neg
    return Tensor((3, 3), (zero, neg(a3), a2, a3, zero, neg(a1), neg(a2), a1, zero))


def _vec(pool: Pool, a: Tensor) -> Tensor:
    if a.shape != (3, 3):
        raise ShapeMismatch(f"vec needs a matrix (3,3), this is {shape_words(a.shape)}")
    return Tensor((3,), (a.at(2, 1), a.at(0, 2), a.at(1, 0)))


def _norm(pool: Pool, a: Tensor) -> Tensor:
    squares = a.map(lambda e: pool.mul(e, e))
    return scalar(pool.call("sqrt", _sum(pool, squares).elements[0]))


def _filled(value: Callable[[Pool], Expr]) -> Builtin:
    def fill(pool: Pool, *sizes: Tensor) -> Tensor:
        if not 1 <= len(sizes) <= 2:
            raise ShapeMismatch("one or two sizes are needed")
        shape = tensors.bounded(tuple(_whole(s) for s in sizes))
        return Tensor(shape, (value(pool),) * tensors.size_of(shape))

    return fill


def _diagonal(pool: Pool, a: Tensor) -> Tensor:
    if len(a.shape) != 1:
        raise ShapeMismatch(f"diagonal needs a vector, this is {shape_words(a.shape)}")
    n = a.shape[0]
    tensors.bounded((n, n))
    return Tensor((n, n), tuple(a.elements[i] if i == j else pool.zero for i in range(n) for j in range(n)))


def _identity(pool: Pool, n: Tensor) -> Tensor:
    size = _whole(n)
    return _diagonal(pool, Tensor((size,), (pool.one,) * size))


def _size(pool: Pool, a: Tensor, which: Tensor) -> Tensor:
    k = _whole(which)
    if not 1 <= k <= len(a.shape):
        raise ShapeMismatch(f"{shape_words(a.shape)} has no dimension {k}")
    return scalar(pool.constant(a.shape[k - 1]))


def _scalar_function(name: str, arity: int) -> tuple[Builtin, int]:
    def function(pool: Pool, *arguments: Tensor) -> Tensor:
        return scalar(pool.call(name, *[a.scalar for a in arguments]))

    return function, arity


def _modulo(pool: Pool, a: Tensor, b: Tensor) -> Tensor:
    # mod(a, b) = a - floor(a/b)*b has the sign of b, unlike C's fmod.
    x, y = a.scalar, b.scalar
    return scalar(pool.sub(x, pool.mul(pool.call("floor", pool.div(x, y)), y)))


def _any_number(fold: Callable[[Pool, Expr, Expr], Expr]) -> Builtin:
    def function(pool: Pool, *arguments: Tensor) -> Tensor:
        if not arguments:
            raise ShapeMismatch("at least one argument is needed", "write scalars, or one array")
        if len(arguments) > 1 and any(a.shape for a in arguments):
            shapes = ", ".join(shape_words(a.shape) for a in arguments)
            raise ShapeMismatch(f"several arguments have to be scalars, these are {shapes}", "of an array write it alone: max(v)")
        values = arguments[0].elements if len(arguments) == 1 else [a.scalar for a in arguments]
        result = values[0]
        for value in values[1:]:
            result = fold(pool, result, value)
        return scalar(result)

    return function


# name -> (function, number of arguments; None where it varies)
BUILTINS: dict[str, tuple[Builtin, int | None]] = {
    **{
        name: _scalar_function(name, 1)
        for name in ("sin cos tan asin acos atan sinh cosh tanh exp log log10 sqrt floor ceil sign").split()
    },
    "atan2": _scalar_function("atan2", 2),
    "abs": _scalar_function("fabs", 1),
    "min": (_any_number(lambda p, a, b: p.call("min", a, b)), None),
    "max": (_any_number(lambda p, a, b: p.call("max", a, b)), None),
    "mod": (_modulo, 2),
    "cross": (cross, 2),
    "skew": (skew, 1),
    "vec": (_vec, 1),
    "transpose": (lambda pool, a: tensors.transpose(a), 1),
    "identity": (_identity, 1),
    "zeros": (_filled(lambda pool: pool.zero), None),
    "ones": (_filled(lambda pool: pool.one), None),
    "diagonal": (_diagonal, 1),
    "sum": (_sum, 1),
    "size": (_size, 2),
    "norm": (_norm, 1),
}

# Of these the arguments from this one on, counted from 0, are numbers known at translation.
SIZES = {"identity": 0, "zeros": 0, "ones": 0, "size": 1}
