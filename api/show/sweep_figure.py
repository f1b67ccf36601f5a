"""Draws a `Sweep`: recorded values over the first varied name, with one line per value of the others.

Computes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from cutset.runtime.interface import Vector

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# More lines cannot be told apart by color, so they have no legend.
_MOST_LINES = 12


def figure(
    points: Sequence[Mapping[str, object]], across: Mapping[str, Vector], kept: Mapping[str, Vector], failed: list[int]
) -> Figure:
    """One axis for each recorded quantity in `kept`, over the first name in `across`. Both have a number for each of
    the `points`, whose values label the lines; `failed` are the numbers of failed points."""
    from cutset.runtime.shown_figure import ShownFigure

    first, *others = across
    lines: dict[tuple[object, ...], list[int]] = {}
    for number, point in enumerate(points):
        lines.setdefault(tuple(point[name] for name in others), []).append(number)
    x = across[first]
    drawn = ShownFigure(figsize=(8.0, 1.2 + 2.4 * len(kept)), layout="constrained")
    axes = drawn.subplots(len(kept), 1, sharex=True, squeeze=False)[:, 0]
    for axis, (name, values) in zip(axes, kept.items(), strict=True):
        for key, numbers in lines.items():
            order = sorted(numbers, key=lambda k: x[k]) if x.dtype.kind == "f" else numbers
            label = ", ".join(
                f"{other} = {value:g}" if isinstance(value, float) else f"{other} = {value}"
                for other, value in zip(others, key, strict=False)
            )
            axis.plot(
                x[order], values[order], marker="." if len(order) < 60 else "", linewidth=1.4, label=label or None
            )
        axis.set_ylabel(name)
        axis.grid(True, alpha=0.3)
        if failed and x.dtype.kind == "f":
            axis.plot(
                x[failed],
                np.full(len(failed), np.nanmin(values) if np.isfinite(values).any() else 0.0),
                "x",
                color="0.4",
                label="failed",
            )
        if (others and len(lines) <= _MOST_LINES) or failed:
            axis.legend(loc="best", fontsize="small")
    axes[-1].set_xlabel(first)
    return drawn
