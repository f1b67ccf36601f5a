"""The numbers by which a run sees that a choice of states cannot have become bad: what they promise holds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from models_from_text import translate

from cutset.compiler.codegen.computed_values import watched_numbers
from cutset.compiler.expressions.pivot_selection import quality
from cutset.compiler.expressions.pool import Expr, Pool
from cutset.compiler.expressions.random_evaluation import RandomPoint


def numbers(probe: RandomPoint, leaves: list[Expr], values: np.ndarray) -> None:
    for leaf, value in zip(leaves, values.ravel().tolist(), strict=False):
        probe.know(leaf, value)


@given(st.integers(1, 4), st.integers(1, 3), st.sampled_from([0.01, 0.5]), st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_within_the_weights_the_quality_stays_above_the_limit(rows: int, more: int, limit: float, seed: int) -> None:
    rng, pool, columns = np.random.default_rng(seed), Pool(), rows + more
    leaves = [pool.variable(f"J{k}") for k in range(rows * columns)]
    chosen = [pool.constant(float(j < rows)) for j in range(columns)]
    call = pool.apply(quality(pool, rows, columns), [*leaves, *chosen])
    weights = watched_numbers(pool, [(call[0], pool.constant(limit))])
    assert list(weights) == leaves
    matrix, probe = rng.normal(size=(rows, columns)), RandomPoint({})
    numbers(probe, leaves, matrix)
    found = np.array([probe.value(w) for w in weights.values()]).reshape(matrix.shape)
    before = probe.value(call[0])
    change = rng.choice([-1.0, 1.0], size=matrix.shape) * rng.random(matrix.shape) ** 4
    change *= rng.random() / (found * np.abs(change)).sum()
    after = RandomPoint({})
    numbers(after, leaves, matrix + change)
    if abs(before) > limit:
        assert after.value(call[0]) * np.sign(before) > limit
    else:
        assert (found > 1e200).all()


def test_an_element_in_several_rows_counts_for_each() -> None:
    pool = Pool()
    a, b = pool.variable("a"), pool.variable("b")
    one, zero = pool.one, pool.zero
    call = pool.apply(quality(pool, 2, 3), [one, zero, a, zero, one, pool.neg(a), one, one, zero])
    weights = watched_numbers(pool, [(call[0], pool.constant(0.5))])
    probe = RandomPoint({a: 1.0, b: 0.0})
    assert list(weights) == [a]
    assert probe.value(weights[a]) == pytest.approx(0.5 * 2 / (0.8 * 0.5))


def test_another_relation_is_watched_by_itself() -> None:
    pool = Pool()
    assert watched_numbers(pool, [(pool.variable("x"), pool.one)]) == {}


PENDULUM = "local x (start=0.6), y (start=-0.8), F\n der(x, 2) = -F*x\n der(y, 2) = -F*y - 1\n x^2 + y^2 = 1\n"


def test_the_derivatives_leave_all_numbers_that_the_watch_reads() -> None:
    """The checks of the program follow each read."""
    model = translate(f"model P\n {PENDULUM}end\n")
    assert model.program.info.n_watched == 2


def test_crossings_of_the_model_leave_no_numbers() -> None:
    """They are looked for within steps, for which all has to be computed."""
    model = translate(f"model P\n local z (start=0)\n der(z) = if x > 0.5 then 1 else 0\n {PENDULUM}end\n")
    assert model.program.info.n_watched == 0
