"""Names the states that grew unreasonably large in a run: the model is unstable, or a value has the wrong unit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cutset.runtime.interface import Vector

# In multiples of the nominal value. The tolerance means nothing for larger values.
_MOST = 1e12


def grown(names: Sequence[str], nominals: Vector, t: Vector, x: Vector) -> tuple[str, ...]:
    """A warning for each state that exceeds 1e12 times its nominal value between two rows. A state that starts there,
    or that an event sets there, is intended. `nominals` (n,), `t` (rows,), `x` (rows, n)."""
    texts = []
    beyond = np.abs(x) > _MOST * nominals
    for k in np.flatnonzero(beyond.any(axis=0)).tolist():
        row = int(beyond[:, k].argmax())
        if row > 0 and t[row] > t[row - 1]:
            texts.append(
                f"the state '{names[k]}' grew to {x[row, k]:.3g} by time {t[row]:g}, more than 1e12 times its nominal "
                "value: "
                "check for an unstable part or a wrong unit, or give it a larger nominal value"
            )
    return tuple(texts)
