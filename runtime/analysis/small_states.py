"""Names the states that are smaller than their absolute tolerance: always, or before they grow by themselves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cutset.contract.abridged import abridged
from cutset.runtime.interface import CompiledModel, Values, Vector
from cutset.runtime.trajectory import Trajectory

_MOST_SHOWN = 3
# A state that is a smaller part of its tolerance is zero up to rounding.
_ROUNDING = 1e-5
# In tolerances: the size from which on a state counts.
_COUNTS = 1e2
# A state whose errors grow by e to this power before it counts grows by itself, and the errors with it.
_GROWS = 2.3
# Motions are computed in so many rows, but not in more than this many operations; one moves a state by at least this
# part of the others.
_ROWS, _OPERATIONS, _MOVES = 40, 4e8, 1e-3


def too_small(model: CompiledModel, values: Values, rows: Trajectory, tolerances: Vector) -> list[str]:
    """The notes on states that stay below their absolute tolerance, unless they are zero up to rounding, and on those
    that are below it for a while and grow by themselves. `tolerances` (n_states,)."""
    sizes = np.abs(rows.x)
    largest = sizes.max(axis=0, initial=0.0)
    always = np.flatnonzero((largest < tolerances) & (largest > _ROUNDING * tolerances)).tolist()
    texts, names = list[str](), model.info.states
    if always:
        what = "states that stay below their absolute tolerance, so that they may have any value"
        texts = [_note(what, [f"'{names[k]}' (at most {largest[k]:.3g})" for k in always])]
    counts = _COUNTS * tolerances
    if not (largest > counts).any():
        return texts
    below = (sizes < tolerances) & (sizes > 0.0)
    if not below.any():
        return texts
    lost = (below[1:] & below[:-1] & (np.diff(rows.t) > 0.0)[:, None]).any(axis=0) & (largest > counts)
    grown = _grown(model, values, rows, (sizes < counts) & (sizes > 0.0), lost) if lost.any() else []
    if grown:
        what = "states that grew from below their absolute tolerance, so that they may have any value"
        least = np.where(sizes > 0.0, sizes, np.inf).min(axis=0)
        texts.append(_note(what, [f"'{names[k]}' (from {least[k]:.3g} to {largest[k]:.3g})" for k in grown]))
    return texts


def _note(what: str, shown: Sequence[str]) -> str:
    return f"{what}: {abridged(shown, _MOST_SHOWN)}; give them a nominal value"


def _grown(
    model: CompiledModel, values: Values, rows: Trajectory, small: NDArray[np.bool_], lost: NDArray[np.bool_]
) -> list[int]:
    """Those of the states `lost` (n_states,) whose errors grow by the motions of all states that are `small` then
    (rows, n_states)."""
    from cutset.runtime.analysis.linearize import slopes_of
    from cutset.runtime.analysis.singular_point import Point

    growth, steps = np.zeros(len(lost)), np.diff(rows.t, append=rows.t[-1:])
    places = np.flatnonzero(small[:, lost].any(axis=1) & (steps > 0.0))
    most = min(_ROWS, _OPERATIONS / (1.0 + float(small[places].sum(axis=1).max(initial=0)) ** 3))
    if most < 1.0 or model.info.externals or model.info.n_algebraic:
        return []
    share = max(len(places) / most, 1.0)
    for row in places[np.arange(0.0, len(places), share).astype(int)].tolist():
        among = np.flatnonzero(small[row])
        point = Point(float(rows.t[row]), rows.x[row], rows.u[row], rows.modes[row])
        values.w[: rows.guesses.shape[1]] = rows.guesses[row]
        slopes = slopes_of(model, values, point)[np.ix_(among, among)]
        if not np.isfinite(slopes).all():
            continue
        rates, motions = np.linalg.eig(slopes)
        for rate, motion in zip(np.real(rates).tolist(), np.abs(motions).T, strict=True):
            growth[among[motion > _MOVES * motion.max()]] += max(rate, 0.0) * share * steps[row]
    return np.flatnonzero((growth > _GROWS) & lost).tolist()
