"""Selects independent rows of numbers, and finds the smallest change that satisfies linear equations."""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul

from cutset.contract.quick_dataclass import dataclass

Row = Sequence[float]

# From so many rows on numpy is faster, even if it has to be loaded.
_MANY = 40

# The rounding error of a unit vector.
_LEFT = 1e-6


@dataclass(frozen=True)
class Basis:
    """`chosen` rows in the order of choice, the most independent first; each is the sum of factors[k][j]*vectors[j], j
    <= k, with orthonormal vectors. `least` is the smallest of factors[k][k] relative to the size of the row."""

    chosen: tuple[int, ...]
    vectors: tuple[list[float], ...]
    factors: tuple[list[float], ...]
    least: float

    def change(self, right: Row) -> list[float]:
        """The x of least norm with rows[i]*x = right[i] for the chosen rows."""
        n = len(self.vectors[0]) if self.vectors else 0
        along: list[float] = []
        for i, factors in zip(self.chosen, self.factors, strict=False):
            rest = right[i] - sum(f * y for f, y in zip(factors, along, strict=False))
            along.append(rest / factors[-1])
        return [sum(y * v[j] for y, v in zip(along, self.vectors, strict=False)) for j in range(n)]


def basis(rows: Sequence[Row], sizes: Row, tolerance: float) -> Basis:
    """The basis by modified Gram-Schmidt, applied twice. The rest of a row is zero below `tolerance` times its size, by
    which it is compared with others."""
    if len(rows) >= _MANY:
        return _basis_of_many(rows, sizes, tolerance)
    remaining = [list(row) for row in rows]
    steps: list[list[float]] = [[] for _ in rows]
    waiting = [i for i, size in enumerate(sizes) if size > 0.0]
    measure = {i: _norm(remaining[i]) / sizes[i] for i in waiting}
    chosen, vectors = [], []
    least = 1.0
    while waiting:
        best = max(waiting, key=lambda i: (measure[i], -i))
        if not measure[best] > tolerance:
            break
        least = min(least, measure[best])
        size = _norm(remaining[best])
        vector = [x / size for x in remaining[best]]
        waiting.remove(best)
        steps[best].append(size)
        chosen.append(best)
        vectors.append(vector)
        for i in waiting:
            total = 0.0
            for _ in range(2):
                part = _product(remaining[i], vector)
                if part == 0.0:  # most rows have no coordinate in common
                    break
                remaining[i] = [x - part * v for x, v in zip(remaining[i], vector, strict=False)]
                total += part
            if total != 0.0:
                measure[i] = _norm(remaining[i]) / sizes[i]
            steps[i].append(total)
    return Basis(tuple(chosen), tuple(vectors), tuple(steps[i] for i in chosen), least)


def _basis_of_many(rows: Sequence[Row], sizes: Row, tolerance: float) -> Basis:
    """The same by operations on whole matrices."""
    import numpy as np  # slow to import

    remaining, own = np.array(rows, dtype=float), np.array(sizes, dtype=float)
    waiting = np.flatnonzero(own > 0.0)
    remaining, own = remaining[waiting], own[waiting]
    steps, chosen = np.zeros((len(waiting), min(remaining.shape))), list[int]()
    measure = np.linalg.norm(remaining, axis=1) / own
    vectors, least = list[list[float]](), 1.0
    while len(chosen) < min(remaining.shape) and np.max(measure, initial=-1.0) > tolerance:
        best, k = int(np.argmax(measure)), len(chosen)
        least, size = min(least, float(measure[best])), float(np.linalg.norm(remaining[best]))
        vector, steps[best, k] = remaining[best] / size, size
        chosen.append(best)
        vectors.append(vector.tolist())
        remaining[best], measure[best] = 0.0, -1.0
        for _ in range(2):
            part = remaining @ vector
            touched = np.flatnonzero(part)  # most rows have no coordinate in common
            remaining[touched] -= np.outer(part[touched], vector)
            steps[touched, k] += part[touched]
            measure[touched] = np.linalg.norm(remaining[touched], axis=1) / own[touched]
    factors = tuple(steps[i, : k + 1].tolist() for k, i in enumerate(chosen))
    return Basis(tuple(waiting[chosen].tolist()), tuple(vectors), factors, least)


@dataclass(frozen=True)
class InOrder:
    """The `chosen` rows are independent, in their order. Each other row is a sum of chosen ones: `sums` holds the
    positions of these."""

    chosen: tuple[int, ...]
    sums: dict[int, tuple[int, ...]]


def in_order(rows: Sequence[Row], sizes: Row, tolerance: float) -> InOrder:
    """The selection by Gram-Schmidt, applied twice. The rest of a row is zero below `tolerance` times its size."""
    chosen: list[int] = []
    vectors: list[list[float]] = []
    made: list[dict[int, float]] = []  # the combination of rows that each vector is
    sums: dict[int, tuple[int, ...]] = {}
    for i, row in enumerate(rows):
        rest, parts = list(row), {i: 1.0}
        for _ in range(2):
            for vector, own in zip(vectors, made, strict=False):
                part = _product(rest, vector)
                rest = [x - part * v for x, v in zip(rest, vector, strict=False)]
                for j, factor in own.items():
                    parts[j] = parts.get(j, 0.0) - part * factor
        size = _norm(rest)
        if size > tolerance * sizes[i]:
            chosen.append(i)
            vectors.append([x / size for x in rest])
            made.append({j: factor / size for j, factor in parts.items()})
        else:
            sums[i] = tuple(j for j in chosen if abs(parts.get(j, 0.0)) * sizes[j] > _LEFT * sizes[i])
    return InOrder(tuple(chosen), sums)


def complement(vectors: Sequence[Row], size: int) -> list[list[float]]:
    """An orthonormal basis of the orthogonal complement of these orthonormal vectors of that size."""
    if size >= _MANY:
        return _complement_of_many(vectors, size)
    remaining = [_without([float(i == j) for j in range(size)], vectors) for i in range(size)]
    found = basis(remaining, [1.0] * size, _LEFT)
    return list(found.vectors[: size - len(vectors)])


def _complement_of_many(vectors: Sequence[Row], size: int) -> list[list[float]]:
    """The same by operations on whole matrices."""
    import numpy as np  # slow to import

    remaining, spanned = np.eye(size), np.array(vectors, dtype=float).reshape(len(vectors), size)
    for _ in range(2):
        remaining -= (remaining @ spanned.T) @ spanned
    found = basis(remaining.tolist(), [1.0] * size, _LEFT)
    return list(found.vectors[: size - len(vectors)])


def determinant(rows: Sequence[Row]) -> float:
    """The determinant of a small square matrix."""
    remaining, found = [list(row) for row in rows], 1.0
    for k in range(len(remaining)):
        best = max(range(k, len(remaining)), key=lambda i: abs(remaining[i][k]))
        if remaining[best][k] == 0.0:
            return 0.0
        if best != k:
            remaining[k], remaining[best], found = remaining[best], remaining[k], -found
        found *= remaining[k][k]
        for row in remaining[k + 1 :]:
            factor = row[k] / remaining[k][k]
            row[k:] = [x - factor * y for x, y in zip(row[k:], remaining[k][k:], strict=False)]
    return found


def cofactors(rows: Sequence[Row]) -> list[list[float]]:
    """The cofactors of a small square matrix: the derivatives of the determinant by its elements."""
    n = range(len(rows))
    return [
        [(-1.0) ** (i + j) * determinant([[rows[r][c] for c in n if c != j] for r in n if r != i]) for j in n]
        for i in n
    ]


def orthonormal(rows: Sequence[Row]) -> list[list[float]]:
    """The orthonormalized rows; empty if they are dependent."""
    found: list[list[float]] = []
    for row in rows:
        rest = _without(list(row), found)
        size = _norm(rest)
        if not size > _LEFT * _norm(row):
            return []
        found.append([x / size for x in rest])
    return found


def _product(a: Row, b: Row) -> float:
    return float(sum(map(mul, a, b)))


def _norm(row: Row) -> float:
    return float(_product(row, row) ** 0.5)


def _without(row: list[float], vectors: Sequence[Row]) -> list[float]:
    """What is left of the row beside these orthonormal vectors: by Gram-Schmidt, applied twice."""
    for v in (*vectors, *vectors):
        part = _product(row, v)
        row = [x - part * y for x, y in zip(row, v, strict=False)]
    return row
