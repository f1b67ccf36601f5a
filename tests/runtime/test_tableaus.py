"""The tableaus against the conditions of order (J. C. Butcher), by rooted trees: solution, estimate of the error and
continuous extension."""

from __future__ import annotations

from functools import cache
from math import factorial

import numpy as np
import pytest

from cutset.runtime.solvers.tableau import Tableau
from cutset.runtime.solvers.tableaus import EXPLICIT

Tree = tuple["Tree", ...]


@cache
def trees(order: int) -> tuple[Tree, ...]:
    """The rooted trees with so many vertices: a root and the trees on it, in a fixed order."""
    return tuple(sorted({tuple(sorted(forest)) for forest in forests(order - 1)}))


def forests(vertices: int) -> list[list[Tree]]:
    if vertices == 0:
        return [[]]
    return [[tree, *rest] for n in range(1, vertices + 1) for tree in trees(n) for rest in forests(vertices - n)]


def size(tree: Tree) -> int:
    return 1 + sum(map(size, tree))


def density(tree: Tree) -> int:
    return size(tree) * int(np.prod([density(branch) for branch in tree], dtype=object))


def weights(tree: Tree, a: np.ndarray) -> np.ndarray:
    """The elementary weight of a tree at each stage."""
    found = np.ones(len(a))
    for branch in tree:
        found *= a @ weights(branch, a)
    return found


def matrix(tableau: Tableau) -> np.ndarray:
    """The matrix of all stages, that of the next state last."""
    n = len(tableau.rows) + 1
    a = np.zeros((n, n))
    for stage, (_, row) in enumerate(tableau.rows, start=1):
        a[stage, : len(row)] = row
    return a


@pytest.mark.parametrize("order", range(1, 9))
def test_the_trees_are_all(order: int) -> None:
    assert len(trees(order)) == (1, 1, 2, 4, 9, 20, 48, 115)[order - 1]


@pytest.mark.parametrize("tableau", EXPLICIT, ids=lambda t: t.name)
def test_orders(tableau: Tableau) -> None:
    a = matrix(tableau)
    nodes = [0.0, *(node for node, _ in tableau.rows)]
    assert a.sum(axis=1) == pytest.approx(nodes, abs=1e-14)
    solution = a[-1]
    residuals = {
        order: max(abs(solution @ weights(tree, a) - 1 / density(tree)) for tree in trees(order))
        for order in range(1, tableau.order + 2)
    }
    assert all(residuals[order] < 1e-13 for order in range(1, tableau.order + 1))
    assert residuals[tableau.order + 1] > 1e-6
    if tableau.error:
        embedded = solution - np.array(tableau.error)
        below = [
            abs(embedded @ weights(tree, a) - 1 / density(tree)) for n in range(1, tableau.order) for tree in trees(n)
        ]
        assert max(below) < 1e-13
        assert max(abs(embedded @ weights(tree, a) - 1 / density(tree)) for tree in trees(tableau.order)) > 1e-6


@pytest.mark.parametrize("tableau", [t for t in EXPLICIT if t.bump], ids=lambda t: t.name)
@pytest.mark.parametrize("theta", [0.1, 0.37, 0.5, 0.8])
def test_continuous_extensions_are_of_order_four(tableau: Tableau, theta: float) -> None:
    """The cubic of Hermite through both ends, and the highest term."""
    a = matrix(tableau)
    first, last = np.eye(len(a))[0], np.eye(len(a))[-1]
    cubic = theta**2 * (3 - 2 * theta) * a[-1] + theta * (1 - theta) ** 2 * first - theta**2 * (1 - theta) * last
    within = cubic + theta**2 * (1 - theta) ** 2 * np.array(tableau.bump)
    for order in range(1, 5):
        for tree in trees(order):
            assert within @ weights(tree, a) == pytest.approx(theta**order / density(tree), abs=1e-13)


def test_number_of_labeled_trees() -> None:
    """Densities are right: n!/(density*symmetry) counts the labelings of a tree, (n-1)! in all."""

    def symmetry(tree: Tree) -> int:
        found = 1
        for branch in set(tree):
            found *= factorial(tree.count(branch)) * symmetry(branch) ** tree.count(branch)
        return found

    for n in range(1, 8):
        assert sum(factorial(n) // (density(tree) * symmetry(tree)) for tree in trees(n)) == factorial(n - 1)
