"""Computes with symbols of SymPy: the function of a model as expressions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import sympy
from sympy.printing.numpy import NumPyPrinter

from cutset.export.symbolic.shared import Package, Unsupported, Values


def truth(e: Any) -> Any:
    """A condition; a number is true unless it is zero."""
    e = sympy.sympify(e)
    return e if isinstance(e, sympy.logic.boolalg.Boolean) and not e.is_Symbol else sympy.Ne(e, 0)


def number(e: Any) -> Any:
    """A truth value as 0 or 1."""
    return sympy.Piecewise((1, e), (0, True)) if isinstance(e, sympy.logic.boolalg.Boolean) and not e.is_Symbol else e


def choice(condition: Any, a: Any, b: Any) -> Any:
    """One of two numbers."""
    return sympy.Piecewise((number(a), truth(condition)), (number(b), True))


# By the operators of expressions.
FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    **{name: getattr(sympy, name) for name in ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh")},
    **{name: getattr(sympy, name) for name in ("tanh", "exp", "log", "erf", "sqrt", "sign", "floor")},
    "log10": lambda a: sympy.log(a, 10),
    "fabs": sympy.Abs,
    "ceil": sympy.ceiling,
    "pow": sympy.Pow,
    "both": lambda a, b: sympy.And(truth(a), truth(b)),
    "either": lambda a, b: sympy.Or(truth(a), truth(b)),
    "negated": lambda a: sympy.Not(truth(a)),
    "equal": sympy.Eq,
    "differs": sympy.Ne,
}


class _Printer(NumPyPrinter):  # type: ignore[misc]
    """Prints numbers with all their digits."""

    def _print_Float(self, e: Any) -> str:
        return repr(float(e))


class Expressions:
    """A function as expressions: its arguments, lists of symbols by their names; (symbol, expression) of intermediate
    values in their order; and its results, lists of expressions of both."""

    def __init__(
        self,
        arguments: Mapping[str, Sequence[Any]],
        replacements: Sequence[tuple[Any, Any]],
        results: Mapping[str, Sequence[Any]],
    ):
        self.arguments, self.replacements, self.results = arguments, replacements, results

    @cached_property
    def function(self) -> Callable[..., Any]:
        """The function of numbers that they define."""
        results = list(map(list, self.results.values()))
        arguments = list(self.arguments.values())
        made: Callable[..., Any] = sympy.lambdify(arguments, results, "numpy", printer=_Printer(), cse=self._replaced)
        return made

    def _replaced(self, results: Any) -> tuple[Sequence[tuple[Any, Any]], Any]:
        return self.replacements, results

    def __call__(self, *given: Sequence[float]) -> tuple[list[float], ...]:
        """The results, a list of numbers each, at lists of numbers."""
        with np.errstate(all="ignore"):
            return tuple(list(map(float, values)) for values in self.function(*given))


class SympyPackage(Package):
    """Scalars are real expressions. Each that is computed has a symbol of its own, so that expressions stay short:
    `replacements` are these, in order."""

    functions = FUNCTIONS

    def __init__(self) -> None:
        self.replacements: list[tuple[Any, Any]] = []

    def named(self, value: Any) -> Any:
        """A symbol for the value, unless it is short."""
        if not isinstance(value, sympy.Basic) or value.is_Atom:
            return value
        symbol = sympy.Symbol(f"v{len(self.replacements)}", real=True)
        self.replacements.append((symbol, number(value)))
        return symbol

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        """As `Package.where`."""
        return choice(condition, a, b)

    def solve(self, A: list[Values], b: Values) -> Values:
        """As `Package.solve`: elimination with partial pivoting, where the rows change places by choices."""
        n, rows = len(b), [[*row, right] for row, right in zip(A, b, strict=True)]
        for k in range(n):
            below = [i for i in range(k + 1, n) if rows[i][k] != 0]
            for i in below:
                larger = sympy.Abs(rows[i][k]) > sympy.Abs(rows[k][k])
                pairs = list(zip(rows[i], rows[k], strict=True))
                rows[k] = [self.named(self.chosen(larger, e, f)) for e, f in pairs]
                rows[i] = [self.named(self.chosen(larger, f, e)) for e, f in pairs]
            for i in below:
                factor = self.named(rows[i][k] / rows[k][k])
                rows[i] = [self.named(e - factor * f) for e, f in zip(rows[i], rows[k], strict=True)]
        z: Values = [0] * n
        for k in reversed(range(n)):
            z[k] = self.named((rows[k][n] - sum(rows[k][j] * z[j] for j in range(k + 1, n))) / rows[k][k])
        return z

    def root(self, n: int, residuals: Callable[[Values], Values], guess: Values, sizes: Values) -> Values:
        """None: an expression cannot iterate."""
        raise Unsupported("the iteration of a nonlinear system")


def sympy_function(
    evaluate: Callable[..., Sequence[Values]],
    package: SympyPackage,
    names: Mapping[str, Sequence[str]],
    arguments: Sequence[str],
    results: Sequence[str],
) -> Expressions:
    """The expressions of the results, of symbols with the names of the model."""
    symbols = {each: [sympy.Symbol(name, real=True) for name in names[each]] for each in arguments}
    found = [list(map(number, map(sympy.sympify, values))) for values in evaluate(*symbols.values())]
    return Expressions(symbols, package.replacements, dict(zip(results, found, strict=True)))
