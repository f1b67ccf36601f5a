"""Draws trajectories: results, names -> a figure. Chooses no backend: figures need no display."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from cutset.contract.names import label as shown
from cutset.contract.names import partition, rpartition
from cutset.runtime.errors import RunError
from cutset.runtime.interface import Vector
from cutset.runtime.results.trajectories import Trajectories

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Curves in one plot differ in size by at most this ratio.
_RATIO = 50.0
# More events than this are marked at the upper border only, and no more than the larger number is drawn.
_MOST_LINES = 20
_MOST_MARKS = 2000
# A path in a plane with one span so many times the other is not drawn to scale.
_THIN = 8.0
# More names make a second column of the legend.
_LONGEST_LEGEND = 14
_STYLES = ("-", "--", ":", "-.")


def figure(runs: Mapping[str, Trajectories], names: Sequence[str], over: Sequence[str] = ()) -> Figure:
    """Plot trajectories of one or several runs over time, or over other variables: one for all names, or one for each,
    in their order. The legend names the runs. There is one plot for each kind of quantity (the last part of the name,
    and the unit) and order of magnitude. Thin lines mark events (two rows with one time) over time. Each name must be
    in one of the runs. RunError E605 if `over` has another number of names."""
    from cutset.runtime.shown_figure import ShownFigure  # matplotlib is slow to import

    across = dict(zip(names, _across(names, over), strict=True))
    groups = _groups(runs, names, across)
    size = (8.0, 5.0 * len(groups)) if over else (8.0, max(4.0, 2.4 * len(groups)))
    drawn = ShownFigure(figsize=size, layout="constrained")
    axes = drawn.subplots(len(groups), 1, sharex=not over, squeeze=False)[:, 0]
    events = np.unique(np.concatenate([run.time[1:][np.diff(run.time) == 0.0] for run in runs.values()]))
    for axis, group in zip(axes, groups, strict=True):
        _draw(axis, runs, group, across)
        axis.set_ylabel(shown(_label(runs, group)))
        if over:
            axis.set_xlabel(shown(_label(runs, [across[name] for name in group])))
            _set_scale(axis, runs, (group[0], across[group[0]]))
        else:
            _mark(axis, events)
        axis.grid(True, alpha=0.3)
        _add_legend(axis)
    if not over:
        axes[-1].set_xlabel("time [s]")
    return drawn


def _across(names: Sequence[str], over: Sequence[str]) -> Sequence[str]:
    """The variable over which each name is plotted."""
    if len(over) <= 1:
        return [*(over or ["time"])] * len(names)
    if len(over) != len(names):
        expected = "one variable" if len(names) == 1 else f"one variable or {len(names)}"
        hint = "give one variable for all curves, or one for each, in their order"
        raise RunError("E605", f"expected {expected} to plot over, found {len(over)}", hint)
    return over


def _draw(axis: Axes, runs: Mapping[str, Trajectories], group: Sequence[str], across: Mapping[str, str]) -> None:
    """One color per name and one line style per run; with a single name, one color per run."""
    several = len({across[name] for name in group}) > 1
    for k, name in enumerate(group):
        for i, (label, run) in enumerate(runs.items()):
            if name not in run or across[name] not in run:
                continue
            curve = f"{name} over {across[name]}" if several else name
            text = shown(f"{curve}, {label}" if len(runs) > 1 else curve)
            color, style = (k, _STYLES[i % len(_STYLES)]) if len(group) > 1 else (i, "-")
            axis.plot(
                _shown(run, across[name]),
                _shown(run, name),
                label=text,
                linewidth=1.4,
                color=f"C{color % 10}",
                linestyle=style,
            )


def _add_legend(axis: Axes) -> None:
    """Beside the plot, where it covers no curve."""
    columns = 1 + (len(axis.get_legend_handles_labels()[1]) - 1) // _LONGEST_LEGEND
    axis.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2, fontsize="small", ncols=columns)


def _label(runs: Mapping[str, Trajectories], names: Sequence[str]) -> str:
    """What an axis shows: the name, or the part of the names which is the same for all, with its unit."""
    different = set(names)
    ends = {rpartition(name)[2] for name in different}
    quantity = names[0] if len(different) == 1 else ends.pop() if len(ends) == 1 else _last_part(names[0])
    unit = _unit(runs, names[0])
    return f"{quantity} [{unit}]" if unit else quantity


def _set_scale(axis: Axes, runs: Mapping[str, Trajectories], names: tuple[str, str]) -> None:
    """Draw a path in a plane with one scale for both directions, unless it would be hardly more than a line."""
    axis.autoscale_view()
    spans = [abs(end - start) for start, end in (axis.get_xlim(), axis.get_ylim())]
    if {_unit(runs, name) for name in names} == {"m"} and max(spans) <= _THIN * min(spans):
        axis.set_aspect("equal", adjustable="datalim")


def _mark(axis: Axes, events: Vector) -> None:
    if len(events):
        bottom = 0.0 if len(events) <= _MOST_LINES else 0.97
        chosen = events[np.unique(np.linspace(0, len(events) - 1, min(len(events), _MOST_MARKS)).astype(int))]
        across = axis.get_xaxis_transform()
        axis.vlines(chosen, bottom, 1.0, transform=across, color="0.6", linewidth=0.7, zorder=0, label="event")


def _groups(runs: Mapping[str, Trajectories], names: Iterable[str], across: Mapping[str, str]) -> list[list[str]]:
    groups: list[tuple[float, list[str]]] = []

    def kind(name: str) -> list[str]:
        return [word for axis in (name, across[name]) for word in (_last_part(axis), _unit(runs, axis))]

    for name in names:
        size = max(_size(_shown(run, name)) for run in runs.values() if name in run)
        for other, members in groups:
            same = kind(name) == kind(members[0])
            if same and max(size, other) <= _RATIO * min(size, other):
                members.append(name)
                break
        else:
            groups.append((size, [name]))
    return [members for _, members in groups]


def _unit(runs: Mapping[str, Trajectories], name: str) -> str:
    """The unit in which the first run that knows it shows it."""
    return next((unit for run in runs.values() if (unit := run.description.shown_unit(name))), "")


def _shown(run: Trajectories, name: str) -> Vector:
    values: Vector = run.description.shown(name, run[name])
    return values


def _size(trajectory: np.ndarray) -> float:
    finite = np.abs(trajectory[np.isfinite(trajectory)])
    return max(float(finite.max(initial=0.0)), 1e-300)


def _last_part(name: str) -> str:
    """``robot.r1.q(2)`` -> ``q``."""
    return partition(partition(rpartition(name)[2], "(")[0], "[")[0]
