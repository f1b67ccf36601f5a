"""A `Sweep` into a figure: what is kept over what was varied first, a line for each value of the others. Computes
nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from cutset.sweep import Sweep

# More lines than these cannot be told apart by their colours: their legend is left out.
_MOST_LINES = 12


def figure(sweep: Sweep) -> Figure:
    """One axis for each quantity that is kept."""
    from matplotlib.figure import Figure

    first, others = sweep.varied[0], sweep.varied[1:]
    lines: dict[tuple[object, ...], list[int]] = {}
    for number, point in enumerate(sweep.points):
        lines.setdefault(tuple(point[name] for name in others), []).append(number)
    across = sweep[first]
    drawn = Figure(figsize=(8.0, 1.2 + 2.4 * len(sweep.kept)), layout="constrained")
    axes = drawn.subplots(len(sweep.kept), 1, sharex=True, squeeze=False)[:, 0]
    for axis, kept in zip(axes, sweep.kept, strict=True):
        values = sweep[kept]
        for key, numbers in lines.items():
            order = sorted(numbers, key=lambda k: across[k]) if across.dtype.kind == "f" else numbers
            label = ", ".join(
                f"{name} = {value:g}" if isinstance(value, float) else f"{name} = {value}"
                for name, value in zip(others, key, strict=False)
            )
            axis.plot(
                across[order], values[order], marker="." if len(order) < 60 else "", linewidth=1.4, label=label or None
            )
        axis.set_ylabel(kept)
        axis.grid(True, alpha=0.3)
        failed = [row.number for row in sweep.failed]
        if failed and across.dtype.kind == "f":
            axis.plot(
                across[failed],
                np.full(len(failed), np.nanmin(values) if np.isfinite(values).any() else 0.0),
                "x",
                color="0.4",
                label="failed",
            )
        if (others and len(lines) <= _MOST_LINES) or failed:
            axis.legend(loc="best", fontsize="small")
    axes[-1].set_xlabel(first)
    return drawn
