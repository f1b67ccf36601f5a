"""Computes with numbers and with symbols alike: what the code of a model calls. Imports nothing of Cutset.

A `Package` has what its symbols need; `operations` are the free names of the code, which choose between numbers and
symbols. Lists of numbers are those of the contract (x, u, c, m, w, ...), and are written in place.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

# Equations leave unknowns undetermined if their determinant is below this part of the product of the sizes of rows.
_NOTHING = 1e-10
Values = list[Any]
Step = Callable[[Values, Values, Values, Values], None]


class Unsupported(Exception):
    """The package has no such operation; says which."""


class Work(list[Any]):
    """The work memory of an evaluation, with the solutions of iterations so far, by the places of their guesses. With
    `residuals` the guesses are the solutions, and the residuals of the iterations are appended there."""

    def __init__(self, size: int, residuals: Values | None = None):
        super().__init__([0.0] * size)
        self.roots: dict[int, Values] = {}
        self.residuals = residuals


class Parameters(list[Any]):
    """Numbers that divide by zero as C does."""

    def __setitem__(self, k: Any, value: Any) -> None:
        super().__setitem__(k, np.float64(value) if is_number(value) else value)


class Package:
    """What symbols need. `functions` are those of one or two arguments by their operators, `both`, `either`, `negated`,
    `equal` and `differs` among them; `where` is a choice between two values."""

    functions: Mapping[str, Callable[..., Any]]
    where: Callable[[Any, Any, Any], Any]

    def solve(self, A: list[Values], b: Values) -> Values:
        """The solution of A*z = b."""
        raise NotImplementedError

    def root(self, n: int, residuals: Callable[[Values], Values], guess: Values, sizes: Values) -> Values:
        """The n numbers z near the guess with residuals(z)[:n] = 0; derivatives row by row follow the residuals. The
        nominal values of z are `sizes`. They are nan on another branch than that of the guess, where the determinant
        of the derivatives has another sign."""
        raise NotImplementedError

    def repeat(self, condition: Step, body: Step, a: Values, s: Values, q: Values, defined: Values) -> None:
        """Execute the body as long as the condition writes a truth to q[0]."""
        raise Unsupported("a loop whose number of iterations depends on the arguments")

    def named(self, value: Any) -> Any:
        """The value, under a name if the package has use for that."""
        return value

    def pick(self, x: Any, inner: Values, columns: list[Values]) -> Values:
        """The element of each column in the segment that contains x; the `inner` places are between the segments."""
        found = [column[0] for column in columns]
        for k, place in enumerate(inner, start=1):
            beyond = x >= place
            found = [self.chosen(beyond, column[k], value) for column, value in zip(columns, found, strict=True)]
        return found

    def chosen(self, condition: Any, a: Any, b: Any) -> Any:
        """One of two values; of the condition a truth, or a number other than zero."""
        if is_number(condition):
            return a if condition else b
        return a if a is b else self.where(condition, a, b)


def is_number(x: Any) -> bool:
    """True for a number of Python or numpy, False for a symbol."""
    return isinstance(x, bool | int | float | np.bool_)


def operations(package: Package, numpy_names: Mapping[str, str]) -> dict[str, Any]:
    """The free names of the code of a model; `numpy_names` are those of the scalar functions in numpy."""
    of_numbers: dict[str, Callable[..., Any]] = {op: getattr(np, name) for op, name in numpy_names.items() if name}
    of_numbers |= {
        "erf": math.erf, "both": lambda a, b: bool(a and b), "either": lambda a, b: bool(a or b),
        "negated": lambda a: not a, "equal": lambda a, b: a == b, "differs": lambda a, b: a != b,
    }  # fmt: skip
    found = {op: _either_kind(of_numbers[op], f) for op, f in package.functions.items()}
    where, differs, either = package.chosen, found["differs"], found["either"]
    tables, systems = _Tables(package), _Systems(package, found["fabs"])
    return found | {
        "where": where,
        "min": lambda a, b: where(either(b < a, differs(b, b)), b, a),
        "max": lambda a, b: where(either(b > a, differs(b, b)), b, a),
        "real": np.float64,
        "named": package.named,
        "nan": math.nan,
        "inf": math.inf,
        "fail": lambda number: math.nan,
        "finite": lambda value: True,
        "choose": lambda *arguments: _choose(package, *arguments),
        "repeat": lambda *arguments: _repeat(package, *arguments),
        **{name: getattr(tables, name) for name in _Tables.NAMES},
        **{name: getattr(systems, name) for name in ("solve", "solve_open", "newton")},
    }


def _either_kind(of_numbers: Callable[..., Any], of_symbols: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        if all(map(is_number, arguments)):
            value = of_numbers(*arguments)
            return value if isinstance(value, bool | np.bool_) else float(value)
        return of_symbols(*arguments)

    return call


def _choose(
    package: Package, test: Any, then: Step, otherwise: Step, a: Values, s: Values, q: Values, defined: Values
) -> None:
    """Execute one of two blocks; where the test is a symbol both, and each variable is that of one of them."""
    if is_number(test):
        return (then if test else otherwise)(a, s, q, defined)
    variables = (a, s, defined)
    before = [v[:] for v in variables]
    then(a, s, q, defined)
    after = [v[:] for v in variables]
    for v, values in zip(variables, before, strict=True):
        v[:] = values
    otherwise(a, s, q, defined)
    for v, values in zip(variables, after, strict=True):
        v[:] = [package.chosen(test, x, y) for x, y in zip(values, v, strict=True)]
    return None


def _repeat(package: Package, condition: Step, body: Step, a: Values, s: Values, q: Values, defined: Values) -> None:
    while True:
        condition(a, s, q, defined)
        if not is_number(q[0]):
            return package.repeat(condition, body, a, s, q, defined)
        if not q[0]:
            return None
        body(a, s, q, defined)


class _Tables:
    """Interpolation in tables of one and of two variables, with the arguments of generated code."""

    NAMES = ("interp1", "interp1_slope", "interp2", "interp2_x", "interp2_y", "interp2_xy", "check_table")

    def __init__(self, package: Package):
        self._package = package

    def check_table(self, n: int, p: Values, start: int) -> None:
        """Invalidate a table whose xs do not ascend: its ys become nan."""
        for k in range(start + 1, start + n):
            ascends = p[k - 1] < p[k]
            p[start + n : start + 2 * n] = [
                self._package.chosen(ascends, y, math.nan) for y in p[start + n : start + 2 * n]
            ]

    def interp1(self, x: Any, n: int, p: Values, start: int) -> Any:
        """The value at x."""
        place, value, slope = self._segment(x, n, p, start)
        return value + slope * (x - place)

    def interp1_slope(self, x: Any, n: int, p: Values, start: int) -> Any:
        """The slope at x."""
        return self._segment(x, n, p, start)[2]

    def _segment(self, x: Any, n: int, p: Values, start: int) -> Values:
        xs, ys = p[start : start + n], p[start + n : start + 2 * n]
        slopes = [(ys[k + 1] - ys[k]) / (xs[k + 1] - xs[k]) for k in range(n - 1)]
        return self._package.pick(x, xs[1:-1], [xs[:-1], ys[:-1], slopes])

    def interp2(self, x: Any, y: Any, n: int, p: Values, start: int) -> Any:
        """The value at (x, y)."""
        u, v, _, _, low, high, rise, other = self._cell(x, y, p, start)
        return (low + v * rise) + u * ((high + v * other) - (low + v * rise))

    def interp2_x(self, x: Any, y: Any, n: int, p: Values, start: int) -> Any:
        """The derivative along x."""
        _, v, dx, _, low, high, rise, other = self._cell(x, y, p, start)
        return ((high + v * other) - (low + v * rise)) / dx

    def interp2_y(self, x: Any, y: Any, n: int, p: Values, start: int) -> Any:
        """The derivative along y."""
        u, _, _, dy, _, _, rise, other = self._cell(x, y, p, start)
        return (rise + u * (other - rise)) / dy

    def interp2_xy(self, x: Any, y: Any, n: int, p: Values, start: int) -> Any:
        """The mixed derivative."""
        _, _, dx, dy, _, _, rise, other = self._cell(x, y, p, start)
        return (other - rise) / (dx * dy)

    def _cell(self, x: Any, y: Any, p: Values, start: int) -> Values:
        """The place in the cell, from 0 to 1, along x and along y; its sizes; its values at the first y, and their
        rises along y, at the first x and at the next."""
        nx, ny = int(p[start]), int(p[start + 1])
        first = start + 2 + nx
        xs, ys = p[start + 2 : first], p[first : first + ny]
        rows = [p[first + ny * (1 + i) : first + ny * (2 + i)] for i in range(nx)]
        columns = [[row[j] for row in rows[i : nx - 1 + i]] for i in (0, 1) for j in range(ny)]
        x0, x1, *values = self._package.pick(x, xs[1:-1], [xs[:-1], xs[1:], *columns])
        low, high = values[:ny], values[ny:]
        cells = [ys[:-1], ys[1:], low[:-1], low[1:], high[:-1], high[1:]]
        y0, y1, low0, low1, high0, high1 = self._package.pick(y, ys[1:-1], cells)
        dx, dy = x1 - x0, y1 - y0
        return [(x - x0) / dx, (y - y0) / dy, dx, dy, low0, high0, low1 - low0, high1 - high0]


class _Systems:
    """Systems of equations, with the arguments of generated code."""

    def __init__(self, package: Package, absolute: Callable[[Any], Any]):
        self._package, self._absolute = package, absolute

    def solve(self, n: int, lower: int, upper: int, A: Values, b: Values) -> None:
        """Solve A*z = b; A is stored as a band, and z replaces b."""
        rows = _dense(n, lower, upper, A)
        if n == 1:
            b[0] = b[0] / rows[0][0]
        elif all(map(is_number, [*A, *b])):
            b[:n] = np.linalg.solve(np.array(rows, dtype=float), np.array(b[:n], dtype=float)).tolist()
        else:
            b[:n] = self._package.solve(rows, b[:n])

    def solve_open(self, n: int, lower: int, upper: int, A: Values, b: Values, number: int) -> None:
        """The same for equations that may leave unknowns undetermined: if they do, all are nan."""
        rows = _dense(n, lower, upper, A)
        self.solve(n, lower, upper, A, b)
        scale, named = 1.0, self._package.named
        for row in rows:
            scale = named(scale * sum(map(self._absolute, row)))
        regular = self._absolute(determinant(n, [e for row in rows for e in row], named)) > _NOTHING * scale
        b[:n] = [self._package.chosen(regular, z, math.nan) for z in b[:n]]

    def newton(
        self,
        n: int,
        f: Callable[..., None],
        t: Any,
        x: Sequence[Any],
        u: Sequence[Any],
        c: Sequence[Any],
        m: Sequence[Any],
        w: Work,
        guess: int,
        place: int,
        fault: int,
    ) -> None:
        """Write the solution of f = 0 near w[guess], ... to w[place], ... ."""

        def residuals(z: Values) -> Values:
            r = [0.0] * (n + n * n)
            f(t, x, u, c, m, w[:], z, r)
            return r

        first = w[guess : guess + n]
        if guess not in w.roots:
            if w.residuals is None:
                w.roots[guess] = self._package.root(n, residuals, first, w[guess + n + 1 : guess + 2 * n + 1])
            else:
                w.residuals += residuals(first)[:n]
                w.roots[guess] = first
        w[place : place + n] = w.roots[guess]


def determinant(n: int, elements: Sequence[Any], named: Callable[[Any], Any] = lambda minor: minor) -> Any:
    """The determinant of an n*n matrix, given row by row, by its minors, which are `named`: of the first rows and any
    columns, whose bits are set. It takes n*2^n products."""
    minors: dict[int, Any] = {0: 1.0}
    for i in range(n):
        rows: dict[int, Any] = {}
        for columns, minor in minors.items():
            for j in range(n):
                if not columns >> j & 1:
                    sign = -1.0 if (columns >> j).bit_count() % 2 else 1.0
                    rows[columns | 1 << j] = rows.get(columns | 1 << j, 0.0) + sign * elements[i * n + j] * minor
        minors = {columns: named(minor) for columns, minor in rows.items()}
    return minors[(1 << n) - 1]


def _dense(n: int, lower: int, upper: int, A: Values) -> list[Values]:
    reach = lower + upper
    step, shift = (lower + reach, lower) if lower + reach + 1 < n else (n, 0)
    return [[0.0 if i - j > lower or j - i > upper else A[i * step + shift + j] for j in range(n)] for i in range(n)]
