"""Computes with arrays of JAX: the function of a model as a function of arrays. Imports nothing of Cutset."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from cutset.export.symbolic.shared import Package, Step, Values, determinant

# The limit on steps of Newton's method.
_STEPS = 100
# Places of a table from which on one of them is read, not all compared.
_MANY = 8


class JaxPackage(Package):
    """Scalars are arrays without dimensions, in the precision of JAX."""

    functions: Mapping[str, Callable[..., Any]] = {
        "sin": jnp.sin, "cos": jnp.cos, "tan": jnp.tan, "asin": jnp.arcsin, "acos": jnp.arccos, "atan": jnp.arctan,
        "atan2": jnp.arctan2, "sinh": jnp.sinh, "cosh": jnp.cosh, "tanh": jnp.tanh, "exp": jnp.exp, "log": jnp.log,
        "erf": jax.scipy.special.erf, "log10": jnp.log10, "sqrt": jnp.sqrt, "fabs": jnp.abs, "sign": jnp.sign,
        "floor": jnp.floor, "ceil": jnp.ceil, "pow": lambda a, b: jnp.asarray(a, float) ** b,
        "both": jnp.logical_and, "either": jnp.logical_or, "negated": jnp.logical_not,
        "equal": lambda a, b: a == b, "differs": lambda a, b: a != b,
    }  # fmt: skip
    where = staticmethod(jnp.where)

    def solve(self, A: list[Values], b: Values) -> Values:
        """As `Package.solve`."""
        z = jnp.linalg.solve(jnp.stack([_stacked(row) for row in A]), _stacked(b))
        return [z[k] for k in range(len(b))]

    def root(self, n: int, residuals: Callable[[Values], Values], guess: Values, sizes: Values) -> Values:
        """As `Package.root`; also nan if none is found."""

        def evaluated(z: Any) -> Any:
            return _stacked(residuals([z[k] for k in range(n)]))

        def solve(f: Callable[[Any], Any], first: Any) -> Any:
            return _newton(n, evaluated, first, _stacked(sizes))

        def tangent(f: Callable[[Any], Any], y: Any) -> Any:
            return jnp.linalg.solve(jax.jacfwd(f)(y), y)

        z = jax.lax.custom_root(lambda z: evaluated(z)[:n], _stacked(guess), solve, tangent)
        return [z[k] for k in range(n)]

    def repeat(self, condition: Step, body: Step, a: Values, s: Values, q: Values, defined: Values) -> None:
        """As `Package.repeat`: the loop has derivatives forward only."""
        sizes = len(a), len(a) + len(s)

        def split(v: Any) -> tuple[Values, Values, Values, Values]:
            elements = [v[k] for k in range(len(v))]
            return elements[: sizes[0]], elements[sizes[0] : sizes[1]], q[:], elements[sizes[1] :]

        def goes_on(v: Any) -> Any:
            variables = split(v)
            condition(*variables)
            return jnp.asarray(variables[2][0]) != 0

        def once(v: Any) -> Any:
            variables = split(v)
            body(*variables)
            return _stacked([*variables[0], *variables[1], *variables[3]])

        a[:], s[:], _, defined[:] = split(jax.lax.while_loop(goes_on, once, _stacked([*a, *s, *defined])))

    def pick(self, x: Any, inner: Values, columns: list[Values]) -> Values:
        """As `Package.pick`."""
        if len(inner) < _MANY:
            return super().pick(x, inner, columns)
        k = jnp.searchsorted(_stacked(inner), x, side="right")
        return [_stacked(column)[k] for column in columns]


def _newton(n: int, evaluated: Callable[[Any], Any], first: Any, sizes: Any) -> Any:
    """The solution of the equations whose residuals, followed by their derivatives row by row, are evaluated(z). A step
    that does not reduce the residuals is halved. The code of the equations stands once, since compiling it takes
    long."""
    rounding, infinite = jnp.finfo(first.dtype).eps ** 0.6, jnp.asarray(jnp.inf, first.dtype)

    def step(state: tuple[Any, ...]) -> tuple[Any, ...]:
        k, z, before, change, _, oriented = state
        r = evaluated(z + change)
        size, turned = jnp.max(jnp.abs(r[:n])), jnp.sign(determinant(n, r[n:]))
        better = (k == 0) | (size <= before)
        change = jnp.where(better, -jnp.linalg.solve(r[n:].reshape(n, n), r[:n]), 0.5 * change)
        z, before = jnp.where(better, z + state[3], z), jnp.where(better, size, before)
        oriented = jnp.where(
            k == 0, jnp.stack([turned, turned]), jnp.where(better, oriented.at[1].set(turned), oriented)
        )
        return k + 1, z, before, change, jnp.max(jnp.abs(change) / (jnp.abs(z) + sizes)), oriented

    def goes_on(state: tuple[Any, ...]) -> Any:
        return (state[4] > rounding) & (state[0] < _STEPS)

    start = (0, first, infinite, jnp.zeros_like(first), infinite, jnp.zeros(2, first.dtype))
    _, z, _, change, size, oriented = jax.lax.while_loop(goes_on, step, start)
    return jnp.where((size <= rounding) & (oriented[0] == oriented[1]), z + change, jnp.nan)


def jax_function(evaluate: Callable[..., Sequence[Values]]) -> Callable[..., tuple[Any, ...]]:
    """The function of arrays, of which evaluate(*lists) gives the elements of the results."""

    def function(*arrays: Any) -> tuple[Any, ...]:
        elements = ([each[k] for k in range(each.shape[0])] for each in map(_at_least_vector, arrays))
        return tuple(map(_stacked, evaluate(*elements)))

    return function


def _at_least_vector(array: Any) -> Any:
    return jnp.atleast_1d(jnp.asarray(array, float))


def _stacked(values: Sequence[Any]) -> Any:
    """A vector of numbers and symbols."""
    numbers = [jnp.asarray(value, float) for value in values]
    return jnp.stack(numbers) if numbers else jnp.zeros(0)
