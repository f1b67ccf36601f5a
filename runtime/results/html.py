"""Shows trajectories as a small HTML table with curves, for notebooks. All text is escaped."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

import numpy as np

from cutset.runtime.interface import Vector

# More names are counted only; a curve has so many points and this size in pixels.
_MOST_NAMES, _POINTS, _WIDTH, _HEIGHT = 12, 60, 120, 22


def html_of(title: str, time: Vector, curves: Mapping[str, Vector], units: Mapping[str, str]) -> str:
    """A table of the first curves: name, unit, first and last value, range, and the curve over time."""
    names = list(curves)
    head = "".join(f"<th>{word}</th>" for word in ("name", "unit", "first", "last", "least", "largest", "over time"))
    rows = [_row(name, units.get(name, ""), time, curves[name]) for name in names[:_MOST_NAMES]]
    more = len(names) - _MOST_NAMES
    foot = f"<p>and {more} more: <code>list(run)</code></p>" if more > 0 else ""
    return f"<div><p>{escape(title)}</p><table><tr>{head}</tr>{''.join(rows)}</table>{foot}</div>"


def _row(name: str, unit: str, time: Vector, values: Vector) -> str:
    finite = values[np.isfinite(values)]
    numbers = (values[0], values[-1], finite.min(initial=np.inf), finite.max(initial=-np.inf))
    cells = [f"<code>{escape(name)}</code>", escape(unit), *(f"{number:.6g}" for number in numbers)]
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in (*cells, _curve(time, values))) + "</tr>"


def _curve(time: Vector, values: Vector) -> str:
    """An SVG line; empty for a curve without two finite points."""
    kept = np.unique(np.linspace(0, len(time) - 1, _POINTS).astype(int))
    t, v = time[kept], values[kept]
    good = np.isfinite(v)
    t, v = t[good], v[good]
    if len(t) < 2 or t[0] == t[-1]:
        return ""
    x = 1 + (_WIDTH - 2) * (t - t[0]) / (t[-1] - t[0])
    span = float(np.ptp(v))
    y = _HEIGHT / 2 * np.ones_like(v) if span == 0.0 else _HEIGHT - 2 - (_HEIGHT - 4) * (v - v.min()) / span
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x.tolist(), y.tolist(), strict=True))
    line = f'<polyline points="{points}" fill="none" stroke="currentColor" stroke-width="1.2"/>'
    return f'<svg width="{_WIDTH}" height="{_HEIGHT}" role="img" aria-label="curve">{line}</svg>'
