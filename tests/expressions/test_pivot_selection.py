"""The choice of columns: as good as no exchange can better it, and measured rightly."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutset.compiler.expressions.interpret import run_function
from cutset.compiler.expressions.pivot_selection import exchange, quality
from cutset.compiler.expressions.pool import Pool


def run(matrix, now) -> tuple[float, list[int]]:
    matrix = np.asarray(matrix, dtype=float)
    quality, *chosen = run_function(exchange(Pool(), *matrix.shape), [*matrix.ravel(), *map(float, now)])
    return quality, [j for j, c in enumerate(chosen) if c == 1.0]


@given(st.integers(1, 4), st.integers(1, 3), st.integers(0, 10**6))
@settings(max_examples=80, deadline=None)
def test_no_exchange_is_better(rows: int, more: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = rng.normal(size=(rows, rows + more)) * np.exp(2 * rng.normal(size=(rows, rows + more)))
    now = np.zeros(rows + more)
    now[rng.permutation(rows + more)[:rows]] = 1
    quality, chosen = run(matrix, now)
    at_present = np.linalg.solve(matrix[:, now == 1], matrix)
    sign = np.sign(np.linalg.det(matrix[:, now == 1]))
    assert quality == pytest.approx(sign / np.abs(at_present[:, now == 0]).max(initial=1.0), rel=1e-6)
    assert len(chosen) == rows
    assert np.abs(np.linalg.solve(matrix[:, chosen], matrix)).max() < 1 + 2e-6


def test_a_good_choice_stays() -> None:
    assert run([[1, 0, 0.5], [0, 1, 0.5]], [1, 1, 0]) == (1.0, [0, 1])


def test_one_row_takes_the_largest_element() -> None:
    assert run([[1, -4, 2]], [1, 0, 0]) == (0.25, [1])


def test_equals_are_not_exchanged() -> None:
    assert run([[1, -1]], [1, 0]) == (1.0, [0])
    assert run([[1, -1]], [0, 1]) == (-1.0, [1])


def test_a_choice_that_is_singular_has_no_quality() -> None:
    assert run([[0, 1, 0], [0, 0, 1]], [1, 1, 0]) == (0.0, [1, 2])


def test_no_choice_at_all_is_made_anew() -> None:
    assert run(
        [
            [3, 1],
        ],
        [0, 0],
    ) == (0.0, [0])


def test_without_rank_there_are_columns_all_the_same() -> None:
    assert run([[1, 2, 3], [2, 4, 6]], [1, 1, 0])[0] == 0.0
    assert len(run([[1, 2, 3], [2, 4, 6]], [1, 1, 0])[1]) == 2
    assert run([[0, 0, 0], [0, 0, 0]], [0, 0, 0]) == (0.0, [0, 1])


def test_what_rounding_leaves_of_a_matrix_chooses_nothing() -> None:
    """Columns that are parallel but for the last digits: the first ones fill up, as where they are parallel exactly."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        matrix = np.outer(rng.normal(size=2), rng.normal(size=3) * [1e6, 1e6, 1.0])
        noise = 1e-16 * rng.normal(size=matrix.shape) * np.abs(matrix)
        quality, chosen = run(matrix + noise, [0, 0, 0])
        assert quality == 0.0
        assert chosen == [0, 1]


def test_the_largest_determinant_of_all_is_left_alone() -> None:
    rng = np.random.default_rng(3)
    matrix = rng.normal(size=(3, 6))
    best = max(itertools.combinations(range(6), 3), key=lambda c: abs(np.linalg.det(matrix[:, list(c)])))
    assert run(matrix, [float(j in best) for j in range(6)])[1] == list(best)


@given(st.integers(1, 5), st.integers(1, 3), st.integers(0, 10**6))
@settings(max_examples=80, deadline=None)
def test_the_quality_alone_is_the_same(rows: int, more: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = rng.normal(size=(rows, rows + more)) * (rng.random(size=(rows, rows + more)) < 0.7)
    now = np.zeros(rows + more)
    now[rng.permutation(rows + more)[:rows]] = 1
    found, *of_rows = run_function(quality(Pool(), rows, rows + more), [*matrix.ravel(), *now])
    assert found == pytest.approx(run(matrix, now)[0], rel=1e-9)
    expected = np.abs(np.linalg.inv(matrix[:, now == 1])).max(axis=0) if found else np.full(rows, np.inf)
    assert of_rows == pytest.approx(expected.tolist(), rel=1e-6)


def test_too_few_columns_have_no_quality() -> None:
    assert run_function(quality(Pool(), 2, 3), [1, 2, 3, 4, 5, 7, 1, 0, 0]) == (0.0, np.inf, np.inf)


def test_arguments_are_the_matrix_and_the_choice() -> None:
    for function, results in ((exchange, 6), (quality, 3)):
        made = function(Pool(), 2, 5)
        given = [*np.eye(2, 5).ravel().tolist(), 1.0, 1.0, 0.0, 0.0, 0.0]
        assert len(made.arguments) == len(given) and len(made.results) == results == len(run_function(made, given))
