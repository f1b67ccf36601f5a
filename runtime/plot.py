"""Draws trajectories: results, names -> a figure. Chooses no backend: figures need no display."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from cutset.runtime.description import Description
from cutset.runtime.interface import Vector

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Curves in one plot differ in size by at most this ratio.
_RATIO = 50.0
# More events than this are marked at the upper border only, and no more than the larger number is drawn.
_MOST_LINES = 40
_MOST_MARKS = 2000
_STYLES = ("-", "--", ":", "-.")


class Trajectories(Protocol):
    """A source of curves: the result of a run, or the table in a file."""

    @property
    def time(self) -> Vector:
        """The times of the rows: shape (n,)."""
        ...

    @property
    def description(self) -> Description:
        """Units and documentation."""
        ...

    def __contains__(self, name: str) -> bool: ...

    def __getitem__(self, name: str) -> Vector: ...

    def select(self, patterns: Iterable[str]) -> tuple[str, ...]:
        """The names that match one of the patterns."""
        ...


def figure(runs: Mapping[str, Trajectories], names: Sequence[str]) -> Figure:
    """Plot trajectories of one or several runs over time; the legend names the runs. There is one plot for each kind of
    quantity (the last part of the name, and the unit) and order of magnitude. Thin lines mark events (two rows with one
    time). Each name must be in one of the runs."""
    from matplotlib.figure import Figure  # slow to import

    groups = _groups(runs, names)
    drawn = Figure(figsize=(8.0, max(4.0, 2.4 * len(groups))), layout="constrained")
    axes = drawn.subplots(len(groups), 1, sharex=True, squeeze=False)[:, 0]
    events = np.unique(np.concatenate([run.time[1:][np.diff(run.time) == 0.0] for run in runs.values()]))
    for axis, group in zip(axes, groups, strict=True):
        _draw(axis, runs, group)
        _mark(axis, events)
        quantity, unit = group[0] if len(group) == 1 else _last_part(group[0]), _unit(runs, group[0])
        axis.set_ylabel(f"{quantity} [{unit}]" if unit else quantity)
        axis.grid(True, alpha=0.3)
        axis.legend(loc="best", fontsize="small")
    axes[-1].set_xlabel("time [s]")
    return drawn


def _draw(axis: Axes, runs: Mapping[str, Trajectories], group: Sequence[str]) -> None:
    """One color per name and one line style per run; with a single name, one color per run."""
    for k, name in enumerate(group):
        for i, (label, run) in enumerate(runs.items()):
            if name not in run:
                continue
            text = f"{name}, {label}" if len(runs) > 1 else name
            color, style = (k, _STYLES[i % len(_STYLES)]) if len(group) > 1 else (i, "-")
            axis.plot(run.time, run[name], label=text, linewidth=1.4, color=f"C{color % 10}", linestyle=style)


def _mark(axis: Axes, events: Vector) -> None:
    if len(events):
        bottom = 0.0 if len(events) <= _MOST_LINES else 0.97
        chosen = events[np.unique(np.linspace(0, len(events) - 1, min(len(events), _MOST_MARKS)).astype(int))]
        across = axis.get_xaxis_transform()
        axis.vlines(chosen, bottom, 1.0, transform=across, color="0.6", linewidth=0.7, zorder=0, label="event")


def _groups(runs: Mapping[str, Trajectories], names: Iterable[str]) -> list[list[str]]:
    groups: list[tuple[float, list[str]]] = []
    for name in names:
        size = max(_size(run[name]) for run in runs.values() if name in run)
        kind = _last_part(name), _unit(runs, name)
        for other, members in groups:
            same = kind == (_last_part(members[0]), _unit(runs, members[0]))
            if same and max(size, other) <= _RATIO * min(size, other):
                members.append(name)
                break
        else:
            groups.append((size, [name]))
    return [members for _, members in groups]


def _unit(runs: Mapping[str, Trajectories], name: str) -> str:
    """The unit from the first run that knows it."""
    return next((unit for run in runs.values() if (unit := run.description.units.get(name, ""))), "")


def _size(trajectory: np.ndarray) -> float:
    finite = np.abs(trajectory[np.isfinite(trajectory)])
    return max(float(finite.max(initial=0.0)), 1e-300)


def _last_part(name: str) -> str:
    """``robot.r1.q(2)`` -> ``q``."""
    return name.rsplit(".", 1)[-1].split("(")[0].split("[")[0]
