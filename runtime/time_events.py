"""Locates time events in advance: relations of time alone -> the instants at which they change.

A window of time is divided into spans. Over a span the difference of the sides has a certain sign, or is monotone and
has at most one zero, which is then located; otherwise the span is divided further. Interval analysis misses nothing,
however short it is (R. E. Moore, R. B. Kearfott, M. J. Cloud, Introduction to Interval Analysis, SIAM 2009, ch. 8).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cutset.contract.metadata import ModelInfo, TimeCrossing
from cutset.runtime.interface import Values, Vector

if TYPE_CHECKING:
    from cutset.runtime.enclosure import Enclosure

_EPS = float(np.finfo(float).eps)
# The number of spans of a window at first, the number of parts of each undecided span when few are left, and the limit
# on undecided spans.
_SPANS, _FINELY, _MOST_SPANS = 32, 8, 6000
# The limit on evaluations that locate a zero.
_ROUNDS = 200
# The number of instants that windows should have.
_FEW, _MANY = 16, 400
# The first window as a fraction of the run; the smallest, in which an unbounded difference is sampled; and the size of
# all windows if it always is.
_FIRST, _LEAST, _COARSE = 1.0, 1e-7, 1.0 / 32.0
_SAMPLES = 4096
# After this many sampled windows all are sampled: rounding hides the sign, or the difference has no bounds.
_PATIENCE = 2
# The number of combinations of held values for which instants are kept.
_KEPT = 8
# Events may be so far before the start and after the end, as a part of the run.
_BEYOND = 2e-13
# An unknown sign: rounding hides it.
_HIDDEN = 2


class TooFine(Exception):
    """A window contains too many undecided spans."""


@dataclass(frozen=True, eq=False)
class Signs:
    """The sign of a difference over a window: `signs[0]` at its start, `signs[k]` from `instants[k-1]` on."""

    instants: list[float]
    signs: list[int]


def signs_over(f: Enclosure, start: float, end: float) -> Signs:
    """The signs in a window. TooFine if there are too many changes."""
    edges = np.linspace(start, end, _SPANS + 1)
    lo, hi = edges[:-1], edges[1:]
    done: list[tuple[Vector, Vector]] = []  # pairs of instants and the signs from there on
    tolerance = 4.0 * _EPS * max(abs(start), abs(end))
    while len(lo):
        if len(lo) > _MOST_SPANS:
            raise TooFine
        bounds = f.over(lo, hi)
        (low, high), (falls, rises) = bounds.value, bounds.slope
        low, high, noise = (np.broadcast_to(a, lo.shape) for a in (low, high, bounds.noise))
        positive, negative = low > 0.0, high < 0.0
        flat = (low == 0.0) & (high == 0.0) & (falls == 0.0) & (rises == 0.0)  # and not only zero at a point
        none = np.isnan(low) | np.isnan(high) | flat
        open_ = ~(positive | negative | none)
        steep = open_ & ((falls > 0.0) | (rises < 0.0))
        steep[steep] = ~(np.isnan(f.at(lo[steep])[0]) | np.isnan(f.at(hi[steep])[0]))  # it has values everywhere
        lost = np.isfinite(noise) & (np.fmax(np.abs(low), np.abs(high)) <= noise)
        hidden = open_ & ~steep & (lost | (hi - lo <= tolerance))
        for where, sign in ((positive, 1), (negative, -1), (none, 0), (hidden, _HIDDEN)):
            done.append((lo[where], np.full(int(where.sum()), sign)))
        done += _steep(f, lo[steep], hi[steep], tolerance)
        rest = open_ & ~steep & ~hidden
        parts = _SPANS if rest.sum() <= _FINELY else 2
        edges = lo[rest][:, None] + np.linspace(0.0, 1.0, parts + 1) * (hi[rest] - lo[rest])[:, None]
        edges[:, -1] = hi[rest]
        lo, hi = edges[:, :-1].ravel(), edges[:, 1:].ravel()
    return _in_order(done)


def _sign(value: Vector, noise: Vector) -> Vector:
    """The sign of the value; 0 where rounding hides it."""
    return np.where((np.abs(value) <= noise) & np.isfinite(value), 0.0, np.sign(value))


def _steep(f: Enclosure, lo: Vector, hi: Vector, tolerance: float) -> list[tuple[Vector, Vector]]:
    """The signs over spans in which the difference is monotone: one, or two with the zero between them."""
    if not len(lo):
        return []
    first, last = (_sign(*f.at(t)).astype(int) for t in (lo, hi))
    crosses = first * last < 0
    one = np.where(first == 0, last, first)
    one = np.where(one == 0, _HIDDEN, one)
    roots = _located(f, lo[crosses], hi[crosses], first[crosses], tolerance)
    return [(lo, one), (roots, last[crosses])]


def _located(f: Enclosure, lo: Vector, hi: Vector, sign: Vector, tolerance: float) -> Vector:
    """Instants just after the zeros between lo and hi, before which the difference has this sign: the method of T. R.
    Chandrupatla, Advances in Engineering Software 28 (1997) 145-149, on all zeros at once."""
    if not len(lo):
        return lo
    # Rows of instants, and of the difference there: positive before, not positive behind the zero.
    before, behind = (np.array([t, sign * f.at(t)[0]]) for t in (lo, hi))
    t = 0.5 * (lo + hi)
    with np.errstate(all="ignore"):
        for _ in range(_ROUNDS):
            wide = behind[0] - before[0] > tolerance
            if not wide.any():
                break
            t = np.clip(t, before[0] + 0.5 * tolerance, behind[0] - 0.5 * tolerance)
            latest = np.array([t, sign * f.at(t)[0]])
            ahead = latest[1] > 0.0
            replaced, other = np.where(ahead, before, behind), np.where(ahead, behind, before)
            before, behind = np.where(wide & ahead, latest, before), np.where(wide & ~ahead, latest, behind)
            t = _next_instant(latest, other, replaced)
    found: Vector = behind[0]
    return found


def _next_instant(latest: Vector, other: Vector, replaced: Vector) -> Vector:
    """The zero of the inverse quadratic interpolation of three points (instant, difference), where it is monotone
    between the first two; else the middle of these two. `latest` and `other` are on different sides of the zero."""
    (t1, f1), (t2, f2), (t3, f3) = latest, other, replaced
    xi, phi = (t1 - t2) / (t3 - t2), (f1 - f2) / (f3 - f2)
    quadratic = f1 / (f2 - f1) * f3 / (f2 - f3) * (t2 - t1) + f1 / (f3 - f1) * f2 / (f3 - f2) * (t3 - t1)
    monotone = (phi * phi < xi) & ((1.0 - phi) * (1.0 - phi) < 1.0 - xi) & np.isfinite(quadratic)
    instants: Vector = np.where(monotone, t1 + quadratic, 0.5 * (t1 + t2))
    return instants


def _in_order(done: list[tuple[Vector, Vector]]) -> Signs:
    starts = np.concatenate([part[0] for part in done])
    signs = np.concatenate([part[1] for part in done])
    order = np.argsort(starts, kind="stable")
    starts, signs = starts[order], signs[order]
    known = signs != _HIDDEN
    starts, signs = starts[known], signs[known]
    if not len(signs):
        return Signs([], [_HIDDEN])
    new = np.flatnonzero(signs[1:] != signs[:-1]) + 1
    return Signs(starts[new].tolist(), [int(signs[0]), *signs[new].tolist()])


def _sampled(f: Enclosure, start: float, end: float) -> Signs:
    """The signs found by sampling a window at many instants."""
    times = np.linspace(start, end, _SAMPLES)
    value, noise = f.at(times)
    signs = np.where(np.abs(value) <= noise, _HIDDEN, np.nan_to_num(np.sign(value)))
    return _in_order([(times, signs.astype(int))])


class Changes:
    """The changes of one relation from `start` on, window by window, while the values that it uses are held."""

    def __init__(self, f: Enclosure, start: float, end: float, window: float, span: float):
        self._f, self._end, self._window, self._least = f, end, window, _LEAST * span
        self._coarse, self._patience = _COARSE * span, _PATIENCE
        self.until, self._latest = start, _HIDDEN  # how far the signs are known, and the sign there
        self._instants: list[float] = []
        self._signs: list[int] = []
        self.sign = _HIDDEN

    def at(self, t: float, same: Callable[[float, float], bool]) -> tuple[int, float]:
        """The sign from t on, and the next instant at which it changes; inf if there is none."""
        while True:
            while self._instants and (self._instants[0] <= t or same(self._instants[0], t)):
                self.sign = self._signs.pop(0)
                self._instants.pop(0)
            if self._instants:
                return self.sign, self._instants[0]
            if self.until >= self._end:
                return self.sign, math.inf
            self._look_on()

    def _look_on(self) -> None:
        until = self.until + self._window
        if until > self._end - 0.5 * self._window:  # a short rest belongs to the last window
            until = self._end
        try:
            found = signs_over(self._f, self.until, until) if self._patience else _sampled(self._f, self.until, until)
        except TooFine:
            if self._window > self._least:
                self._window *= 0.125
                return
            self._patience -= 1
            if not self._patience:
                self._window = self._coarse
                return
            found = _sampled(self._f, self.until, until)
        for instant, sign in zip((self.until, *found.instants), found.signs, strict=False):
            if sign in (_HIDDEN, self._latest):
                continue
            if self._latest == _HIDDEN:
                self.sign = sign
            else:
                self._instants.append(instant)
                self._signs.append(sign)
            self._latest = sign
        count = len(found.instants)
        self._window *= 1.0 if not self._patience else 2.0 if count < _FEW else 0.5 if count > _MANY else 1.0
        self.until = until


class TimeEvents:
    """The relations of time alone in a run of `span` seconds, in the order of `ModelInfo.isolated`."""

    def __init__(self, info: ModelInfo, values: Values, same: Callable[[float, float], bool], span: float):
        self._crossings, self._c, self._same, self._span = info.isolated, values.c, same, span
        self._end = math.nan
        self._held = [
            np.array(sorted({node[1] for node in c.tape if node[0] == "m"}), dtype=int) for c in self._crossings
        ]
        self._changes: list[dict[bytes, Changes]] = [{} for _ in self._crossings]
        self._window = [_FIRST * span for _ in self._crossings]
        self._latest = [-math.inf for _ in self._crossings]

    def time_events(self, t: float, m: Vector) -> Vector:
        """For each relation while m is held: (next instant after t, sign of the slope there), shape (n, 2). Before the
        instant the difference of the sides has the other sign. Slope 0: the sides decide; nan: the sides are equal
        before it."""
        if math.isnan(self._end):
            self._end = t + self._span * (1.0 + _BEYOND) + _BEYOND * abs(t)  # the last event may be just after the end
        rows = np.zeros((len(self._crossings), 2))
        for k in range(len(self._crossings)):
            sign, instant = self._changes_of(k, t, m).at(t, self._same)
            # After the last instant there is none before the end of the run.
            rows[k] = min(instant, self._end + self._span), 0.0 if sign == _HIDDEN else -sign or math.nan
        return rows

    def _changes_of(self, k: int, t: float, m: Vector) -> Changes:
        key = m[self._held[k]].tobytes()
        known = self._changes[k]
        if key in known and known[key].until < t - self._window[k]:
            del known[key]  # values that were held long ago
        if key not in known:
            from cutset.runtime.enclosure import Enclosure

            crossing: TimeCrossing = self._crossings[k]
            if len(known) >= _KEPT:
                known.clear()
            # The held values change often: no need to look far.
            window = self._window[k]
            if len(self._held[k]) and self._latest[k] > -math.inf:
                window = min(max(4.0 * (t - self._latest[k]), 64.0 * _LEAST * self._span), window)
            self._latest[k] = t
            before = _BEYOND * max(abs(t), self._span)  # a caller at an event is at a zero, up to rounding
            known[key] = Changes(Enclosure(crossing, self._c, m), t - before, self._end, window, self._span)
        return known[key]
