"""Model.mechanics against Pinocchio, where that is installed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from oracles.manutec_r3 import r3_arm, r3mbs
from oracles.multibody import Tree
from oracles.pinocchio_trees import pinocchio_accelerations
from oracles.random_trees import ALL
from oracles.ur5 import ur5

import cutset
from tests.api.test_mechanics import Case

MODELS = Path(__file__).parents[2] / "models"
# Pinocchio resolves the forces of free joints otherwise, and rigid connections are no joints of it.
KINDS = tuple(kind for kind in ALL if kind not in ("Free", "Fixed"))


@pytest.mark.parametrize(("name", "tree"), [("r3mbs", r3mbs), ("r3_arm", r3_arm), ("ur5", ur5)])
def test_arms(name: str, tree: Callable[[], Tree]) -> None:
    pytest.importorskip("pinocchio")
    arm, m = replace(tree(), damping=()), cutset.load(MODELS / f"{name}.mo").mechanics(target="python")
    for q, v, a in np.random.default_rng(1).uniform(-2, 2, (5, 3, 6)):
        tau = m.inverse(q, v, a)
        expected = pinocchio_accelerations(arm, q, v, tau)
        tolerance = 1e-12 * np.linalg.cond(m.mass_matrix(q)) * abs(a).max()
        assert abs(a - expected).max() <= tolerance
        assert abs(m.forward(q, v, tau) - expected).max() <= tolerance


@pytest.mark.parametrize("seed", range(20))
def test_random_trees(seed: int, tmp_path: Path) -> None:
    pytest.importorskip("pinocchio")
    case = Case(seed, tmp_path, kinds=KINDS)
    q, v = case.point
    order = case.ours(np.arange(len(v)))
    a, back = case.a[order], np.argsort(order)
    tau = case.mechanics.inverse(q, v, a)
    expected = pinocchio_accelerations(replace(case.tree, springs=()), case.q, case.v, tau[back] + springs(case))
    tolerance = 1e-12 * np.linalg.cond(case.mechanics.mass_matrix(q)) * abs(expected).max()
    assert abs(case.a - expected).max() <= tolerance
    assert abs(case.mechanics.forward(q, v, tau)[back] - expected).max() <= tolerance


def springs(case: Case) -> np.ndarray:
    """The forces of springs, which the trees of Pinocchio do not have."""
    with_springs, without = (tree.equations(case.q, case.v)[1] for tree in (case.tree, replace(case.tree, springs=())))
    return with_springs - without
