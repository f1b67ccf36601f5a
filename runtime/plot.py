"""A Result and names in, a figure out. Chooses no backend: a figure made here is drawn without a display."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from cutset.runtime.result import Result

# Curves of one group stay readable side by side within this ratio of their sizes.
_RATIO = 50.0


def figure(result: Result, names: Sequence[str]) -> Figure:
    """The courses over time: one plot for each kind of quantity (the last part of the name) and order of magnitude."""
    from matplotlib.figure import Figure  # slow to import

    groups = _groups(result, names)
    drawn = Figure(figsize=(8.0, max(4.0, 2.4 * len(groups))), layout="constrained")
    axes = drawn.subplots(len(groups), 1, sharex=True, squeeze=False)[:, 0]
    for axis, group in zip(axes, groups, strict=True):
        for name in group:
            axis.plot(result.time, result[name], label=name, linewidth=1.4)
        axis.set_ylabel(group[0] if len(group) == 1 else _last_part(group[0]))
        axis.grid(True, alpha=0.3)
        axis.legend(loc="best", fontsize="small")
    axes[-1].set_xlabel("time [s]")
    return drawn


def _groups(result: Result, names: Sequence[str]) -> list[list[str]]:
    groups: list[tuple[float, list[str]]] = []
    for name in names:
        size = _size(result[name])
        for other, members in groups:
            if _last_part(members[0]) == _last_part(name) and max(size, other) <= _RATIO * min(size, other):
                members.append(name)
                break
        else:
            groups.append((size, [name]))
    return [members for _, members in groups]


def _size(course: np.ndarray) -> float:
    finite = np.abs(course[np.isfinite(course)])
    return max(float(finite.max(initial=0.0)), 1e-300)


def _last_part(name: str) -> str:
    """``robot.r1.q(2)`` -> ``q``."""
    return name.rsplit(".", 1)[-1].split("(")[0].split("[")[0]
