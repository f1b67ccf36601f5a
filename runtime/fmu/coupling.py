"""Finds outputs of co-simulated FMUs that agree with the inputs that depend on them. Runs no FMU.

At a communication point each FMU that can go back repeats its step in rounds. The equations of the model map the
outputs of all of them to their inputs, the FMUs map these to outputs again: y -> F(y). The fixed point is sought by the
multi-secant method of D. G. Anderson (J. ACM 12 (1965) 547-560): the differences of the rounds tell how F(y) - y
changes, and those of earlier communication points too. It solves linear connections of n outputs in n + 2 rounds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

# The difference of the outputs of the last two rounds, relative to their size; and that which is accepted where an FMU
# does not come nearer, since it has tolerances of its own, after so many rounds.
_AGREES, _NEARLY, _PATIENCE = 1e-10, 1e-6, 12
_MOST_ROUNDS = 40
# A difference of rounds that is this near to others, relative to its size, tells nothing new.
_INDEPENDENT = 1e-9
# After this many rounds the differences of earlier communication points are dropped.
_TRUSTED = 8


class Agreement(IntEnum):
    """Whether outputs follow from others: not, except for what may be rounding near zero, or fully."""

    NONE = 0
    ROUNDING = 1
    FULL = 2


class Disagreement(Exception):
    """No outputs were found that agree; `outputs` are those that still change, each with the FMU, the number of the
    output, and its values before and after the last round."""

    def __init__(self, rounds: int, outputs: Sequence[tuple[Any, int, float, float]]):
        self.rounds, self.outputs = rounds, outputs
        super().__init__(f"{rounds} rounds")


@dataclass(frozen=True)
class Kinds:
    """The numbers of outputs of an FMU: those that are sought, real ones in cycles of connections, and those that are
    not real. Others follow from them."""

    sought: frozenset[int] = frozenset()
    discrete: frozenset[int] = frozenset()


@dataclass
class _Member:
    """An FMU at this instant: its outputs as the model has them, and those after its step."""

    outputs: list[float]
    found: list[float]
    iterates: bool
    kinds: Kinds

    def follow(self) -> Agreement:
        """Whether the outputs that are not sought follow from the others."""
        worst = Agreement.FULL
        for k, (was, found) in enumerate(zip(self.outputs, self.found, strict=True)):
            if k not in self.kinds.sought and not abs(was - found) <= _AGREES * max(abs(was), abs(found)):
                worst = min(worst, Agreement.NONE if k in self.kinds.discrete else Agreement.ROUNDING)
        return worst


class Coupling:
    """The FMUs of one run that are at a communication point together."""

    def __init__(self) -> None:
        self._time = math.nan
        self._members: dict[Any, _Member] = {}
        self._searches: dict[tuple[Any, ...], _Search] = {}
        self._search: _Search | None = None
        self._solved = self._agrees = self._has_clocks = False
        self._ticks = 0.0  # the number of the round in which clocks tick, once it is known
        self._calm = 0  # rounds in a row in which the outputs that are sought agreed

    def join(self, fmu: Any, time: float, outputs: Sequence[float], iterates: bool, kinds: Kinds) -> None:
        """Let an FMU take part at this instant, with the outputs that it has now."""
        if time != self._time or self._agrees or fmu in self._members:
            self._members.clear()
            self._search, self._time, self._calm = None, time, 0
            self._has_clocks, self._ticks = False, 0.0
        self._solved = self._agrees = False
        self._members[fmu] = _Member(list(outputs), list(outputs), iterates, kinds)

    def includes(self, fmu: Any) -> bool:
        """True if the FMU takes part at this instant."""
        return fmu in self._members

    def let_tick(self) -> None:
        """Let clocks tick once the outputs agree, and then let them agree again."""
        self._has_clocks = True

    def ticks_in(self, number: float) -> bool:
        """True if clocks tick in the round with this number."""
        return number == self._ticks

    def change(self, fmu: Any, outputs: Sequence[float]) -> None:
        """The outputs of an FMU after its clocks have ticked."""
        member = self._members[fmu]
        member.outputs, member.found, self._solved = list(outputs), list(outputs), False

    @property
    def iterates(self) -> bool:
        """True if an FMU at this instant repeats its step."""
        return any(member.iterates for member in self._members.values())

    def tell(self, fmu: Any, found: Sequence[float]) -> None:
        """Outputs of an FMU for the inputs that follow from all outputs."""
        self._members[fmu].found, self._solved = list(found), False

    def following(self, fmu: Any, number: float) -> tuple[list[float], bool]:
        """The outputs of an FMU after the round with this number; True if they agree with the inputs, so that there are
        no more. All FMUs have told what they found. Disagreement."""
        if self.iterates and self._ticks and number == self._ticks + 1:
            return self._members[fmu].outputs, False  # they make their steps again, after the ticks
        if not self._solved:
            self._solve()
            if self._agrees and self._has_clocks and not self._ticks:
                self._ticks, self._agrees, self._calm, self._search = number + 1, False, 0, None
        return self._members[fmu].outputs, self._agrees

    def _solve(self) -> None:
        free = [(fmu, member) for fmu, member in self._members.items() if member.iterates]
        y = np.array([m.outputs[k] for _, m in free for k in sorted(m.kinds.sought)])
        found = np.array([m.found[k] for _, m in free for k in sorted(m.kinds.sought)])
        if self._search is None:
            key = tuple(fmu for fmu, _ in free)
            self._search = self._searches.setdefault(key, _Search())
            self._search.begin(y, found)
        self._calm = self._calm + 1 if self._search.agrees(y, found) else 0
        others = min((m.follow() for _, m in free), default=Agreement.FULL)
        # Values pass through all FMUs in that many rounds; what still changes then is rounding near zero.
        self._agrees = self._calm > 0 and (others is Agreement.FULL or (others > 0 and self._calm > len(free)))
        if not self._agrees and self._search.rounds >= _MOST_ROUNDS:
            raise Disagreement(self._search.rounds, self._changing(free))
        following = iter((found if self._agrees else self._search.following(y, found)).tolist())
        for _, member in free:
            for k, value in enumerate(member.found):
                if k not in member.kinds.sought and not math.isnan(value):
                    member.outputs[k] = value
            for k in sorted(member.kinds.sought):
                member.outputs[k] = next(following)
        self._solved = True

    def _changing(self, free: Sequence[tuple[Any, _Member]]) -> list[tuple[Any, int, float, float]]:
        pairs = ((fmu, k, *both) for fmu, m in free for k, both in enumerate(zip(m.outputs, m.found, strict=True)))
        return [each for each in pairs if not abs(each[2] - each[3]) <= _NEARLY * max(abs(each[2]), abs(each[3]))]


@dataclass
class _Search:
    """The rounds at one instant, and what they tell of later ones."""

    sizes: Vector = field(default_factory=lambda: np.zeros(0))
    kept: Vector = field(default_factory=lambda: np.zeros(0))  # the sizes of outputs that agreed
    changes: list[tuple[Vector, Vector]] = field(default_factory=list)  # of outputs and differences, the latest first
    fresh: int = 0  # those of this instant
    rounds: int = 0
    worse: int = 0  # rounds in a row
    best: tuple[Vector, Vector] | None = None

    def begin(self, y: Vector, found: Vector) -> None:
        """A new instant."""
        if len(self.kept) != len(y):
            self.kept = np.zeros(len(y))
        self.sizes = _largest(self.kept, y, found)
        self.rounds = self.worse = self.fresh = 0
        self.best = None

    def agrees(self, y: Vector, found: Vector) -> bool:
        """True if the outputs differ by no more than rounding, or as little as the FMUs can."""
        sizes = _largest(self.sizes, np.where(np.isfinite(found), y, 0.0), found)
        off = np.abs(found - y)
        close = _AGREES if self.rounds < _PATIENCE else _NEARLY
        if not np.all(off <= close * sizes):
            return False
        self.kept = _largest(0.9 * self.kept, found, found)
        return True

    def following(self, y: Vector, found: Vector) -> Vector:
        """The outputs of the next round."""
        self.rounds += 1
        if self.rounds == _TRUSTED:
            del self.changes[self.fresh :]
        if not np.all(np.isfinite(found)):  # the FMU has no values there
            near = self.best[0] if self.best is not None else np.zeros(len(y))
            return near + 0.25 * (y - near)
        off = found - y
        if self.best is not None:
            was, off_was = self.best
            if np.any(off != off_was):
                self.changes.insert(0, (y - was, off - off_was))
                self.fresh += 1
        units = np.where(self.sizes > 0.0, self.sizes, 1.0)
        if self.best is None or _norm(off / units) < _norm(self.best[1] / units):
            self.best, self.worse = (y, off), 0
        else:
            self.worse += 1
        near, off = self.best
        return near + 0.5**self.worse * self._step(off, units)

    def _step(self, off: Vector, units: Vector) -> Vector:
        """The change of the outputs after which they agree, as far as the rounds tell."""
        basis, chosen = list[Vector](), list[tuple[Vector, Vector]]()
        for moved, changed in self.changes:
            left = changed / units
            size = _norm(left)
            for direction in (*basis, *basis):  # twice, against rounding
                left = left - (direction @ left) * direction
            if _norm(left) > _INDEPENDENT * size:
                basis.append(left / _norm(left))
                chosen.append((moved, changed))
        if len(self.changes) > 2 * len(off) + 4:
            self.changes, self.fresh = chosen, min(self.fresh, len(chosen))
        if not chosen:
            return off
        changed = np.array([c for _, c in chosen]).T
        weights = np.linalg.lstsq(changed / units[:, None], off / units, rcond=None)[0]
        step: Vector = off - (np.array([m for m, _ in chosen]).T + changed) @ weights
        return step


def _largest(*numbers: Vector) -> Vector:
    found = np.zeros(len(numbers[0]))
    for each in numbers:
        found = np.maximum(found, np.where(np.isfinite(each), np.abs(each), 0.0))
    return found


def _norm(numbers: Vector) -> float:
    return float(np.sqrt(numbers @ numbers))
