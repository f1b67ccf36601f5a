"""Indexes equations by their variables, and orders them by size. Works on numbers of equations."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from cutset.compiler.expressions.pool import Expr

# Equations with at most this many variables come before larger ones.
_SIZES = (3, 6, 10)


class EquationIndex:
    """The variables of equations as last recorded; some may have been eliminated since."""

    def __init__(self) -> None:
        self._uses: dict[Expr, list[int]] = {}
        self._size: dict[int, int] = {}

    def measure(self, k: int, variables: Sequence[Expr]) -> None:
        """Record the number of variables of equation k."""
        self._size[k] = len(variables)

    def note(self, k: int, variables: Sequence[Expr]) -> None:
        """Record the variables of equation k."""
        self.measure(k, variables)
        for v in variables:
            self._uses.setdefault(v, []).append(k)

    def users(self, eliminated: Iterable[Expr]) -> list[int]:
        """The equations with these variables, which are eliminated."""
        return sorted({k for v in eliminated for k in self._uses.pop(v, ())})

    def by_size(self, numbers: Iterable[int]) -> list[list[int]]:
        """The equations in classes, those with few variables first: most of them become aliases, and substituting these
        early saves repeated work on the larger ones."""
        classes: list[list[int]] = [[] for _ in range(len(_SIZES) + 1)]
        for k in numbers:
            classes[bisect_left(_SIZES, self._size[k])].append(k)
        return [numbers for numbers in classes if numbers]
