"""Linear equations of numbers, against numpy."""

from __future__ import annotations

import numpy as np
import pytest

from cutset.compiler.expressions.dense import solved


@pytest.mark.parametrize("n", (1, 2, 5, 20))
def test_the_solution(n: int) -> None:
    rng = np.random.default_rng(n)
    matrix = rng.normal(size=(n, n)) * (rng.random((n, n)) < 0.5) + np.eye(n)[rng.permutation(n)]
    matrix *= 10.0 ** rng.integers(-9, 9, (n, 1))
    right = rng.normal(size=(n, 3))
    np.testing.assert_allclose(solved(matrix.tolist(), right.tolist()), np.linalg.solve(matrix, right), rtol=1e-7)


def test_no_right_side() -> None:
    assert solved([[0.0, 2.0], [1.0, 0.0]], [[], []]) == [[], []]


@pytest.mark.parametrize(
    "matrix", [[[0.0]], [[2.0, 3.0], [4.0, 6.0]], [[0.1, 0.3], [0.2, 0.6]], [[1.0, np.nan], [0.0, 1.0]]]
)
def test_singular(matrix: list[list[float]]) -> None:
    assert solved(matrix, [[1.0] for _ in matrix]) is None
