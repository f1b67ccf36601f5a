"""Questions to a translated model in the oracle's terms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from oracles.random_trees import RandomTree


def joint_accelerations(
    model, joints: Sequence[str], q: np.ndarray, qd: np.ndarray, inputs: Sequence[float] | None = None, **options
) -> np.ndarray:
    """qdd of the named joints, whose q and qd must be all states of `model`, in whatever order."""
    values = {f"{name}.q": x for name, x in zip(joints, q, strict=True)}
    values |= {f"{name}.qd": x for name, x in zip(joints, qd, strict=True)}
    assert sorted(values) == sorted(model.states)
    derivatives = model.evaluate(0.0, [values[s] for s in model.states], inputs, **options)
    slopes = dict(zip(model.states, derivatives, strict=True))
    np.testing.assert_allclose([slopes[f"{name}.q"] for name in joints], qd)
    return np.array([slopes[f"{name}.qd"] for name in joints])


def tree_accelerations(model, tree: RandomTree, q: np.ndarray, qd: np.ndarray, **options) -> np.ndarray:
    """Derivatives of the velocities of a random tree, in the order of the oracle; those of the positions have to fit
    them."""
    values = dict(zip((*tree.positions, *tree.velocities), (*q, *qd), strict=True))
    if sorted(values) == sorted(model.states):
        slopes = dict(zip(model.states, model.evaluate(0.0, [values[s] for s in model.states], **options), strict=True))
    else:  # some states are chosen in the run
        run = model.simulate(0.0, initial=values, **options)
        assert max(abs(run[name][0] - x) for name, x in values.items()) < 1e-9
        slopes = {name: run[f"der({name})"][0] for name in values}
    _check_positions(tree, q, qd, np.array([slopes[name] for name in tree.positions]))
    return np.array([slopes[name] for name in tree.velocities])


def random_state(tree: RandomTree, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Positions and velocities; Euler parameters are of any length."""
    return rng.uniform(-3, 3, len(tree.positions)), rng.uniform(-3, 3, len(tree.velocities))


def _check_positions(tree: RandomTree, q: np.ndarray, qd: np.ndarray, rates: np.ndarray) -> None:
    """Along q + rates*t the joints move with the velocities qd."""
    h, joints = 1e-6, tree.tree.joints
    for joint, place, velocities in zip(joints, tree.tree.coordinates, tree.tree.velocities, strict=True):
        back, here, on = (joint.motion(np.eye(3), (q + rates * t)[place]) for t in (-h, 0, h))
        spin = (on.turn - back.turn) / (2 * h) @ here.turn.T
        omega, slip = here.angular @ qd[velocities], here.linear @ qd[velocities]
        np.testing.assert_allclose([spin[2, 1], spin[0, 2], spin[1, 0]], omega, atol=1e-6)
        np.testing.assert_allclose((on.displacement - back.displacement) / (2 * h), slip, atol=1e-6)


def relative_error(found: np.ndarray, expected: np.ndarray) -> float:
    """The largest difference, measured by the largest of the expected values."""
    return float(np.max(np.abs(found - expected)) / np.max(np.abs(expected)))
