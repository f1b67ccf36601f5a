"""Checks when things happen: flat model, rows of a run -> what happens at the wrong instant, or not at all.

An event has a row before it and a row after it at one time. Between events a discrete variable keeps its value, and the
sides of a relation their order. A sample acts at its instants alone, and a `when` at the event at which its condition
becomes true: the values after it are those of its statements for the values before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from cutset.api.verify.comparison import Difference
from cutset.api.verify.row_values import Columns, RowValues, sides_of
from cutset.compiler.expressions.pool import TIME, Expr
from cutset.compiler.expressions.text import text
from cutset.compiler.expressions.walk import reachable
from cutset.compiler.flatten.model import FlatModel
from cutset.compiler.instantiate.events.model import Restart, Update, When, WhenBranch
from cutset.contract.functions import RELATIONS
from cutset.runtime.results.result import Result

# What an instant may miss, relative to the length of a run, and a value after an event, relative to its size.
_INSTANT, _ALLOWED = 1e-9, 1e-6
# Sides of a relation that are nearer are equal, relative to their largest difference.
_NEAR = 1e-4
# At most so many spans between events are looked at, in so many rows, and so many events and samples.
_SPANS, _INSIDE, _EVENTS, _SAMPLES = 40, 5, 20, 1000
_ORDERS = {"<", "<=", ">", ">="}


def instant_violation(flat: FlatModel, parameters: Mapping[str, float], run: Result) -> Difference | None:
    """What is most wrong, in parts of what is allowed; None without events."""
    rows = _Rows(flat, parameters, run)
    found = [*_held(rows), *_sampled(rows), *_ordered(rows), *_acted(rows)]
    return max(found, key=lambda each: each.size, default=None)


@dataclass(frozen=True)
class _Event:
    """The rows before and after an event."""

    before: int
    after: int


class _Rows:
    """The rows of a run, its events, and how near the sides of each relation may be."""

    def __init__(self, flat: FlatModel, parameters: Mapping[str, float], run: Result):
        self.flat, self.columns, self.times = flat, Columns(parameters, run), run.time
        self.discrete = {old: new for old, new in flat.after.items() if str(old.data) in run}
        same = np.concatenate([[0], np.diff(self.times) == 0.0, [0]])
        rows = np.flatnonzero(np.diff(same))
        self.events = [_Event(before, after) for before, after in zip(*rows.reshape(-1, 2).T.tolist(), strict=True)]
        self.width = _INSTANT * float(self.times[-1] - self.times[0])
        self.near: dict[Expr, float] = {}
        self._values: dict[int, RowValues] = {}

    def at(self, row: int) -> RowValues:
        """The values in a row."""
        if row not in self._values:
            self._values[row] = RowValues(self.columns, row)
        return self._values[row]

    def over(self, event: _Event) -> RowValues:
        """The values before an event, with those of discrete variables after it."""
        new = {new: float(self.columns[str(old.data)][event.after]) for old, new in self.discrete.items()}
        return RowValues(self.columns, event.before, new)

    def spans(self) -> list[NDArray[np.intp]]:
        """Some rows of some spans between events."""
        ends = [0, *(row for event in self.events for row in (event.before, event.after)), len(self.times) - 1]
        pairs = [(first, last) for first, last in zip(ends[::2], ends[1::2], strict=True) if last > first]
        number = max(_INSIDE, _SPANS // max(len(pairs), 1))
        return [pairs[k][0] + _some(pairs[k][1] - pairs[k][0] + 1, number) for k in _some(len(pairs), _SPANS)]

    @cached_property
    def nodes(self) -> list[Expr]:
        """The expressions whose relations make events."""
        events = self.flat.events
        return reachable(
            [*sides_of(self.flat), *(u.value for u in events.updates), *(b.condition for b in events.branches())]
        )

    @cached_property
    def samples(self) -> Mapping[Expr, tuple[float, float]]:
        """The first instant and the interval of each sample."""
        nodes = [node for node in self.nodes if node.op == "sample"]
        return {node: (self.at(0).value(node.args[0]), self.at(0).value(node.args[1])) for node in nodes}

    def due(self, event: _Event) -> Set[Expr]:
        """The samples that are due at the event."""
        time = self.times[event.before]
        nearest = {
            e: first + max(np.rint((time - first) / step), 0.0) * step for e, (first, step) in self.samples.items()
        }
        return {e for e, instant in nearest.items() if abs(instant - time) <= self.width}


def _some(number: int, most: int) -> NDArray[np.intp]:
    """Some of the numbers from 0 on."""
    return np.unique(np.linspace(0, number - 1, most).astype(np.intp)) if number else np.zeros(0, np.intp)


def _held(rows: _Rows) -> Iterator[Difference]:
    """Discrete variables change at events only."""
    moves = np.diff(rows.times) > 0.0
    for leaf in rows.discrete:
        curve = rows.columns[str(leaf.data)]
        changes = np.where(moves, np.abs(np.diff(curve)), 0.0)
        if len(changes) and changes.max() > 0.0:
            k = int(np.argmax(changes))
            place = f"between events, after time {rows.times[k]:g}"
            yield Difference(str(leaf.data), place, np.inf, float(curve[k]), float(curve[k + 1]))


def _sampled(rows: _Rows) -> Iterator[Difference]:
    """Each instant of a sample is an event."""
    instants = rows.times[[event.before for event in rows.events]]
    start, stop = rows.times[0] + rows.width, rows.times[-1] - rows.width
    for node, (first, interval) in rows.samples.items():
        due = first + interval * (max(np.ceil((start - first) / interval), 0.0) + np.arange(_SAMPLES))
        due = due[(due > start) & (due < stop)]
        if len(due):
            apart = [float(np.abs(instants - time).min(initial=np.inf)) for time in due]
            k = int(np.argmax(apart))
            label, time = f"the event of {text(node)}", float(due[k])
            yield Difference(label, f"at time {time:g}", apart[k] / rows.width, time, time + apart[k])


def _ordered(rows: _Rows) -> Iterator[Difference]:
    """The sides of a relation change their order at events only."""
    spans = rows.spans()
    for node in rows.nodes:
        if node.op not in _ORDERS or node.data or node.level < TIME:
            continue
        a, b = node.args
        apart = [np.array([rows.at(int(k)).value(a) - rows.at(int(k)).value(b) for k in span]) for span in spans]
        finite = [each[np.isfinite(each)] for each in apart]
        rows.near[node] = _NEAR * max((float(np.abs(each).max(initial=0.0)) for each in finite), default=0.0) + 1e-300
        for span, each in zip(spans, finite, strict=True):
            both = min(each.max(initial=0.0), -each.min(initial=0.0))
            place = f"between times {rows.times[span[0]]:g} and {rows.times[span[-1]]:g}, without an event"
            yield Difference(f"the sides of {text(node)}", place, both / rows.near[node], -both, both)


def _acted(rows: _Rows) -> Iterator[Difference]:
    """What a `when` sets at an event."""
    chosen = [event for event in rows.events if event.before > 0]
    for k in _some(len(chosen), _EVENTS):
        over, due = rows.over(chosen[k]), rows.due(chosen[k])
        for when in rows.flat.events.whens:
            yield from _of_when(rows, when, chosen[k], over, due)


def _of_when(rows: _Rows, when: When, event: _Event, over: RowValues, due: Set[Expr]) -> Iterator[Difference]:
    time = f"time {rows.times[event.before]:g}"
    for branch in when.branches:
        acts = _becomes_true(rows, branch.condition, event, due)
        if acts is None:
            return
        if acts:
            yield from _set(rows, branch, event, over, f"after the event at {time}")
            return
    targets = (update.target for branch in when.branches for update in branch.updates)
    for target in rows.discrete.keys() & set(targets):
        curve = rows.columns[str(target.data)]
        before, after = float(curve[event.before]), float(curve[event.after])
        if before != after:
            yield Difference(str(target.data), f"at {time}, where no condition becomes true", np.inf, before, after)


def _set(rows: _Rows, branch: WhenBranch, event: _Event, over: RowValues, place: str) -> Iterator[Difference]:
    """The values after the event, where they follow from those before it."""
    actions: tuple[Update | Restart, ...] = (*branch.updates, *branch.restarts)
    own = {each.target for each in actions}
    for each in actions:
        name = str(each.target.data)
        if name in rows.columns and not _changed(rows, each.value, event) - own:
            curve, expected = rows.columns[name], over.value(each.value)
            allowed = _ALLOWED * (float(np.abs(curve).max()) + abs(expected)) + 1e-300
            found = float(curve[event.after])
            if np.isfinite(expected):
                yield Difference(name, place, abs(found - expected) / allowed, expected, found)


def _changed(rows: _Rows, e: Expr, event: _Event) -> set[Expr]:
    """The leaves under an expression that change at the event."""
    leaves = [n for n in reachable([e]) if not n.args and n.level == TIME and str(n.data) in rows.columns]
    curves = {leaf: rows.columns[str(leaf.data)] for leaf in leaves}
    return {leaf for leaf, curve in curves.items() if curve[event.before] != curve[event.after]}


def _becomes_true(rows: _Rows, condition: Expr, event: _Event, due: Set[Expr]) -> bool | None:
    """True if a condition does at an event, None if that is open: if its sides cross there and back, or if passes of
    the event may have changed it several times."""
    before, after = _truth(rows, condition, event.before, set()), _truth(rows, condition, event.after, due)
    if before is None and rows.times[event.before - 1] < rows.times[event.before]:
        before = _truth(rows, condition, event.before - 1, set())
    if after is None and event.after + 1 < len(rows.times):
        after = _truth(rows, condition, event.after + 1, due)
    if before is False and after:
        return True
    return None if before is None or after is None or _changed(rows, condition, event) else False


def _truth(rows: _Rows, condition: Expr, row: int, due: Set[Expr]) -> bool | None:
    """Whether a condition holds in a row; None if that is open."""
    at, known = rows.at(row), dict[Expr, bool | None]()
    for node in reachable([condition]):
        parts = [known[each] for each in node.args]
        match node.op:
            case "sample":
                known[node] = node in due
            case "not":
                known[node] = None if parts[0] is None else not parts[0]
            case "and" | "or":
                decides = node.op == "or"
                known[node] = decides if decides in parts else None if None in parts else not decides
            case _ if node.op in _ORDERS:
                apart = at.value(node.args[0]) - at.value(node.args[1])
                is_open = not abs(apart) > rows.near.get(node, 0.0)
                known[node] = None if is_open else RELATIONS[node.op](apart, 0.0)
            case "variable" | "constant":
                value = at.value(node)
                known[node] = bool(value) if value in (0.0, 1.0) else None
            case _:
                known[node] = None
    return known[condition]
