"""Evaluates expressions of a flat model in one row of a run; delayed values follow from the rows before it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.random_evaluation import RandomPoint
from cutset.compiler.expressions.walk import reachable
from cutset.compiler.flatten.model import FlatModel
from cutset.contract.functions import RELATIONS
from cutset.runtime.interface import Vector
from cutset.runtime.results.result import Result

# What has no value in one row alone.
_HISTORY = {"sample", "edge", "initial", "newton"}
# A cubic through four rows has the value between them if it differs from a straight line by less, relative to them.
_CURVED = 1e-3
# Sides of a relation that are nearer are at a crossing, where it keeps its value; relative to their size.
_NEAR = 1e-6


def sides_of(flat: FlatModel) -> list[Expr]:
    """The sides of all equations."""
    return [e for equation in flat.equations for side in (equation.left, equation.right) for e in side.elements]


class Columns:
    """The columns of a run by name, each read once, and its parameters."""

    def __init__(self, parameters: Mapping[str, float], run: Result):
        self.times, self.parameters, self._run = run.time, parameters, run
        self._read: dict[str, Vector] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._run

    def __getitem__(self, name: str) -> Vector:
        if name not in self._read:
            self._read[name] = self._run[name]
        return self._read[name]


class RowValues:
    """The values in a row; `given` are those of leaves that are no names of the run."""

    def __init__(self, columns: Columns, row: int, given: Mapping[Expr, float] | None = None):
        self._columns, self._row = columns, row
        self._point = RandomPoint(given or {})
        self._known, self._unknown = set(given or ()), set[Expr]()

    def knows(self, roots: Iterable[Expr]) -> bool:
        """True if all leaves under the roots have values."""
        nodes = reachable(tuple(roots), self._known)
        for node in nodes:
            if node not in self._known and not (node.args and node.op not in _HISTORY and node.op != "delay"):
                value = self._leaf(node)
                if np.isnan(value):
                    return False
                self._point.know(node, value)
        self._known.update(nodes)
        return True

    def value(self, e: Expr) -> float:
        """The value of an expression; nan if a leaf has none."""
        return self._point.value(e) if e in self._known or self.knows((e,)) else np.nan

    def is_at_crossing(self, roots: Iterable[Expr]) -> bool:
        """True if the sides of a relation under the roots, whose leaves have values, are almost equal."""
        for node in reachable(tuple(roots)):
            if node.op in RELATIONS:
                a, b = (self._point.value(each) for each in node.args)
                is_plateau = a == b and node.op in ("==", "<>")
                if not is_plateau and abs(a - b) <= _NEAR * (abs(a) + abs(b)):
                    return True
        return False

    def _leaf(self, node: Expr) -> float:
        if node.op in _HISTORY:
            return np.nan
        if node.op == "delay":
            return self._delayed(*node.args)
        if node.op == "constant":
            return float(node.data)
        if node.op == "time":
            return float(self._columns.times[self._row])
        name = str(node.data)
        known = name in self._columns
        return float(self._columns[name][self._row]) if known else self._columns.parameters.get(name, np.nan)

    def _delayed(self, value: Expr, time: Expr) -> float:
        """The value that an expression had this time before; nan beside an event, and for delays within delays."""
        times = self._columns.times
        at = float(times[self._row]) - self.value(time)
        first = 0 if at <= times[0] else int(np.searchsorted(times, at)) - 2
        rows = np.arange(first, first + (2 if at <= times[0] else 4))
        is_nested = any(node.op == "delay" for node in reachable([value]))
        if is_nested or first < 0 or rows[-1] >= len(times) or not (np.diff(times[rows]) > 0.0).all():
            return np.nan
        found = [RowValues(self._columns, int(row)).value(value) for row in rows]
        if at <= times[0]:
            return found[0]
        weights = [np.prod([(at - times[j]) / (times[k] - times[j]) for j in rows if j != k]) for k in rows]
        cubic, line = float(np.dot(weights, found)), float(np.interp(at, times[rows], found))
        return cubic if abs(cubic - line) <= _CURVED * max(map(abs, found)) + 1e-300 else np.nan
