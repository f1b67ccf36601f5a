"""Draws a trajectory as one line of text."""

from __future__ import annotations

import numpy as np

from cutset.runtime.interface import Vector

_LEVELS = "▁▂▃▄▅▆▇█"
_GAP = " "


def sparkline(time: Vector, values: Vector, width: int = 24) -> str:
    """The values at `width` evenly spaced instants, from the lowest block for the smallest to the highest for the
    largest; a constant is a low line, what is not finite a gap. Empty for a run without duration."""
    if len(time) < 2 or not time[-1] > time[0]:
        return ""
    shown = np.interp(np.linspace(time[0], time[-1], width), time, values)
    finite = np.isfinite(shown)
    if not finite.any():
        return ""
    least, most = float(shown[finite].min()), float(shown[finite].max())
    span = most - least
    if not span > 1e-12 * max(abs(least), abs(most)):
        return "".join(_LEVELS[0] if good else _GAP for good in finite)
    levels = np.clip((np.where(finite, shown, least) - least) / span * len(_LEVELS), 0, len(_LEVELS) - 1).astype(int)
    return "".join(_LEVELS[level] if good else _GAP for level, good in zip(levels.tolist(), finite, strict=True))
