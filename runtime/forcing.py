"""Limits steps by what is known of forcing, the functions of time alone that drive the states: no step hides a turn.

A turn is an extremum of one of them. Between two turns a function is monotone: whatever a step passes over shows at its
ends, where each method looks. c/forcing.h is the same, operation by operation.
"""

from __future__ import annotations

import math

import numpy as np

from cutset.contract.functions import FUNCTIONS, Wave
from cutset.contract.metadata import ModelInfo, TimeCrossing
from cutset.runtime.enclosure import Enclosure
from cutset.runtime.interface import Vector
from cutset.runtime.time_events import Changes

# As in c/forcing.h.
_LEAST_TURN, _AT_END, _AT_START, _FADED, _CLOSE, _PASSES, _CALMER, _MOST_LOOKS = (
    1e-7,
    0.05,
    1e-4,
    0.01,
    1.05,
    0.4,
    4.0,
    4,
)
_SAME = 1e-13
_FLAT = 1e6  # a wave has no turn whose half period is so many runs: it would be rounding
_GRAIN = 2.0**-40  # turns are rounded to so many parts of the run
# So many turns add up no more than some ten tolerances: for methods of one step, and for others.
BALANCED, ADDING_UP, _FINEST = 400.0, 6.0, 1e-12


class Forcing:
    """The functions of a model with the constants c in a run of `span` seconds from `start` on."""

    def __init__(self, info: ModelInfo, c: Vector, rtol: float, start: float, span: float):
        end = start + span * (1.0 + 2e-13) + 2e-13 * abs(start)
        self._functions = [_Function(each, c, rtol, end, span) for each in info.forcing]
        self._is_looked_into = not info.n_watched
        self._rtol, self._span = rtol, span

    def begin(self, t: float, m: Vector, x: Vector) -> None:
        """Prepare for a segment from t with these held values and states."""
        for each in self._functions:
            each.begin(t, m, x)

    def within(self, t: float, x: Vector, h: float, may_pass: bool = False) -> float:
        """The longest step from t and the states x that hides no turn, at most h: to a turn or half way if one is near,
        so that the next one is not much shorter. A method that looks at `doubtful_parts` of its steps `may_pass` one
        turn of each wave."""
        for each in self._functions:
            each.find(t, x, h)
        until = min(f.until + (f.length if may_pass and f.may_pass(h) else 0.0) for f in self._functions)
        if (_CLOSE if may_pass else 1.0 + _AT_START) * h >= until - t:
            return until - t
        return 0.5 * (until - t) if 2.0 * h > until - t else h

    def share(self, turns: float) -> float:
        """The part of the tolerance that a step may use: the errors at the turns of the whole run add up. `turns`: how
        many are without effect."""
        share = turns * min(each.length for each in self._functions) / self._span
        return max(share, min(1.0, _FINEST / self._rtol)) if share < 1.0 else 1.0

    def doubtful_parts(self, t: float, h: float, is_bent: bool) -> list[float]:
        """Where in the step of length h from t a method looks again, as parts of it: at turns, and beside one near to
        its end, since what is short there shows at this end only; and inside a step that `is_bent` more than the one
        before."""
        if not self._is_looked_into:
            return []
        parts = [0.25, 0.55] if is_bent else []
        for each in self._functions:
            if each.until - t <= (1.0 + _AT_END) * h and len(parts) < _MOST_LOOKS:
                part = min((each.until - t) / h, 1.0 - _AT_END)
                if not parts or abs(part - parts[-1]) > _AT_END:
                    parts.append(part)
        return parts


class _Function:
    """A function, and the window of time to its next turn, which is at `until`; `length` is the time between turns."""

    def __init__(self, tape: TimeCrossing, c: Vector, rtol: float, end: float, span: float):
        self._tape, self._c, self._faded, self._end, self._span = tape, c, _FADED * rtol, end, span
        self._places = sorted({node[1] for node in tape.tape if node[0] == "m"})
        self._follows = any(node[0] in ("held", "since") for node in tape.tape)
        self._held: list[float] | None = None
        op, *places = tape.tape[tape.left]
        shape = FUNCTIONS[op].shape if op in FUNCTIONS and places == [tape.right] else None
        self._crest = shape.crest if isinstance(shape, Wave) else None
        self._rate: float | None = None
        self._begun = self.until = self.length = self._size = 0.0

    def begin(self, t: float, m: Vector, x: Vector) -> None:
        """Prepare for a segment from t with these held values and states."""
        held = [float(m[k]) for k in self._places]
        if held == self._held and t >= self._begun and not self._follows:
            return
        self._held, self._m, self._f = held, m, Enclosure(self._tape, self._c, m, x, t)
        self._rate = None if self._crest is None else self._f.rate_of_right()
        self._begun, self.until = t, -math.inf
        self._changes = Changes(self._f, t, self._end, self._span, self._span)

    def may_pass(self, h: float) -> bool:
        """True if a step of length h may pass a turn."""
        return self._rate is not None and h < _PASSES * self.length

    def find(self, t: float, x: Vector, h: float) -> None:
        """Find the window in which a step of length h from t is."""
        if self.until - t > _AT_START * min(h, self.length):
            return
        self._begun = t
        with np.errstate(all="ignore"):
            if self._rate is not None and self._crest is not None:
                if self._follows:
                    self._f = Enclosure(self._tape, self._c, self._m, x, t)
                    self._rate = self._f.rate_of_right() or 0.0
                self._find_turn_of_wave(t, h, self._rate, self._crest)
            else:
                self._find_turn(t, h)

    def _find_turn_of_wave(self, t: float, h: float, rate: float, crest: float) -> None:
        self.length, self.until = math.inf, math.inf
        if rate:
            self.length = math.pi / abs(rate)
            at = (crest - self._f.right_at(0.0)) / rate
            turns = np.floor((t + _AT_START * min(h, self.length) - at) / self.length) + 1.0
            self.until = float(at + turns * self.length)
        if not (self.until > t and self.length < _FLAT * self._span):
            self.until = math.inf

    def _find_turn(self, t: float, h: float) -> None:
        _, found = self._changes.at(t + _AT_START * min(h, self.length), self._same)
        is_within = self.until == -math.inf
        grain = _GRAIN * self._span
        self.until = grain * math.floor(min(found, self._end + self._span) / grain + 0.5)
        self.length = max(self.length if is_within else 0.0, self.until - t)
        if self.length < _LEAST_TURN * self._span:
            self.until = self.length = math.inf
        if not self.length < math.inf:
            return
        way = self._way(t, self.length)
        if way <= self._faded * self._size:
            while self.until < self._end and self._way(t, _CALMER * self.length) <= self._faded * self._size:
                self.length *= _CALMER
                self.until = t + self.length
        elif math.isfinite(way):
            self._size = max(self._size, way)

    def _way(self, t: float, length: float) -> float:
        """By how much the function may rise or fall from t on over this length."""
        low, high = self._f.left_over(t, t + length)
        return length * float(np.fmax(abs(low), abs(high)))

    def _same(self, a: float, b: float) -> bool:
        return a == b or abs(a - b) <= _SAME * max(abs(a), abs(b), self._span)
