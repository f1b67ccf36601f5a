"""Which equations speak of a variable, and in what order they are looked at. Knows numbers of equations alone."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from cutset.compiler.expressions.pool import Expr

# Equations with at most so many variables come before those with more.
_SIZES = (3, 6, 10)


class EquationIndex:
    """The variables of equations, as they were noted last: of what has gone since then some may still be among them."""

    def __init__(self) -> None:
        self._uses: dict[Expr, list[int]] = {}
        self._size: dict[int, int] = {}

    def measure(self, k: int, variables: Sequence[Expr]) -> None:
        """Equation k has so many variables."""
        self._size[k] = len(variables)

    def note(self, k: int, variables: Sequence[Expr]) -> None:
        """Equation k has these variables."""
        self.measure(k, variables)
        for v in variables:
            self._uses.setdefault(v, []).append(k)

    def users(self, gone: Iterable[Expr]) -> list[int]:
        """The equations that speak of variables that nobody will speak of again."""
        return sorted({k for v in gone for k in self._uses.pop(v, ())})

    def by_size(self, numbers: Iterable[int]) -> list[list[int]]:
        """The equations in classes, those with few variables first: most of what turns into aliases is among them, and
        what that does to others is done to these once."""
        classes: list[list[int]] = [[] for _ in range(len(_SIZES) + 1)]
        for k in numbers:
            classes[bisect_left(_SIZES, self._size[k])].append(k)
        return [numbers for numbers in classes if numbers]
