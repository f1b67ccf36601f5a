"""Questions to a translated model in the oracle's terms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


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


def relative_error(found: np.ndarray, expected: np.ndarray) -> float:
    """The largest difference, measured by the largest of the expected values."""
    return float(np.max(np.abs(found - expected)) / np.max(np.abs(expected)))
