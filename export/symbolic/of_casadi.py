"""Computes with symbols of CasADi: the function of a model as a `casadi.Function`. Imports nothing of Cutset."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import casadi

from cutset.export.symbolic.shared import Package, Values, determinant

_NAMES = ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "log", "erf", "log10",
          "sqrt", "fabs", "sign", "floor", "ceil")  # fmt: skip
# An iteration ends if its next step, which is made too, is below this part of the nominal values.
_CONVERGED = 1e-9
# The most unknowns of linear equations that minors solve in symbols, whose derivatives are faster: beyond, CasADi's
# solution in symbols is inexact.
_WRITTEN_OUT = 3


class CasadiPackage(Package):
    """Scalars are SX. The solution of a system of equations is new symbols, whose `systems` are solved by nodes of MX
    around the functions of SX."""

    functions: Mapping[str, Callable[..., Any]] = {
        **{name: getattr(casadi, name) for name in _NAMES},
        "pow": lambda a, b: a**b,
        "both": casadi.logic_and,
        "either": casadi.logic_or,
        "negated": casadi.logic_not,
        "equal": lambda a, b: a == b,
        "differs": lambda a, b: a != b,
    }
    where = staticmethod(casadi.if_else)

    def __init__(self) -> None:
        # The unknowns, and how they follow from what is known, in symbols of MX.
        self.systems: list[tuple[Any, Callable[[Sequence[Any], Sequence[Any]], Any]]] = []

    def solve(self, A: list[Values], b: Values) -> Values:
        """As `Package.solve`."""
        system = casadi.vertcat(*(casadi.horzcat(*row) for row in A)), casadi.vertcat(*b)
        if len(b) <= _WRITTEN_OUT:
            return list(casadi.vertsplit(casadi.solve(*map(casadi.SX, system))))

        def solution(symbols: Sequence[Any], known: Sequence[Any]) -> Any:
            return casadi.solve(*casadi.Function("system", symbols, system)(*known), "lapacklu")

        return self._unknowns(len(b), solution)

    def root(self, n: int, residuals: Callable[[Values], Values], guess: Values, sizes: Values) -> Values:
        """As `Package.root`."""
        scaled = casadi.SX.sym("scaled", n)
        at = residuals([size * z for size, z in zip(sizes, casadi.vertsplit(scaled), strict=True)])
        equations, first = casadi.vertcat(*at[:n]), casadi.vertcat(*guess) / casadi.vertcat(*sizes)
        slopes, of_guess = casadi.reshape(casadi.vertcat(*at[n:]), n, n).T, residuals(guess)
        corrected = casadi.vertcat(*sizes) * scaled - casadi.solve(slopes, equations)
        kept = determinant(n, at[n:]) * determinant(n, of_guess[n:]) > 0
        corrected = casadi.if_else(kept, corrected, casadi.DM.nan(n, 1))
        settings = {"abstol": 0.0, "abstolStep": _CONVERGED}

        def solution(symbols: Sequence[Any], known: Sequence[Any]) -> Any:
            start = casadi.Function("guess", symbols, [first])(*known)
            system = casadi.Function("system", [scaled, *symbols], [equations])
            found = casadi.rootfinder("root", "newton", system, settings)(start, *known)
            return casadi.Function("corrected", [scaled, *symbols], [corrected])(found, *known)

        return self._unknowns(n, solution)

    def _unknowns(self, n: int, solution: Callable[[Sequence[Any], Sequence[Any]], Any]) -> Values:
        unknowns = casadi.SX.sym(f"z{len(self.systems)}", n)
        self.systems.append((unknowns, solution))
        return list(casadi.vertsplit(unknowns))


def casadi_function(
    name: str,
    evaluate: Callable[..., Sequence[Values]],
    package: CasadiPackage,
    arguments: Mapping[str, int],
    results: Sequence[str],
) -> Any:
    """The function from `arguments`, by name with their sizes, to `results`; evaluate(*lists) has their elements."""
    given = [casadi.SX.sym(name, size) for name, size in arguments.items()]
    found = [casadi.vertcat(*values) if values else casadi.SX(0, 1) for values in evaluate(*map(_elements, given))]
    if not package.systems:
        return casadi.Function(name, given, found, list(arguments), list(results))
    known = [casadi.MX.sym(name, size) for name, size in arguments.items()]
    symbols, values = list(given), list(known)
    for unknowns, solution in package.systems:
        values.append(solution(symbols, values))
        symbols.append(unknowns)
    outer = casadi.Function("explicit", symbols, found)(*values)
    outer = outer if isinstance(outer, tuple) else (outer,)
    return casadi.Function(name, known, outer, list(arguments), list(results))


def _elements(vector: Any) -> Values:
    return list(casadi.vertsplit(vector)) if vector.numel() else []
