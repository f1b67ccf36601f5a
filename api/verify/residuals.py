"""Checks that the values of a run fulfill the equations of its model: flat model, rows of a run -> largest violation.

The equations are those before any of them is sorted, differentiated, solved or simplified, and derivatives are the
slopes of the curves. So a fault shows that all translations share.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import numpy as np

from cutset.api.verify.comparison import Difference
from cutset.api.verify.row_values import Columns, RowValues, sides_of
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.walk import reachable, terms_of
from cutset.compiler.flatten.model import EquationSystem, FlatModel
from cutset.compiler.instantiate.instance import Strength
from cutset.contract.functions import FUNCTIONS, RELATIONS, Wave
from cutset.runtime.interface import Vector
from cutset.runtime.results.result import Result

# What an equation may miss, relative to its terms, and relative to the largest number: rounding of sums that cancel.
_ALLOWED, _CANCELED = 1e-6, 1e-11
# The same where delayed values are interpolated between rows.
_OF_DELAYS = 1e-4
# What the integral of a derivative may miss, relative to the size of a state, and how many times the error of the rule.
_SLOPES, _ERRORS = 1e-3, 20.0
# What a start value may miss.
_STARTED = 1e-6
# The instants at which the speed of phases is looked at.
_LOOKS = 5


def equation_violation(
    flat: FlatModel, parameters: Mapping[str, float], run: Result, rows: Iterable[int]
) -> Difference | None:
    """The equation that the values in these rows violate most, in parts of what is allowed."""
    worst: Difference | None = None
    columns = Columns(parameters, run)
    delayed = {e for e in sides_of(flat) if any(node.op == "delay" for node in reachable((e,)))}
    for row in rows:
        largest = max((abs(x) for name in run.names() if np.isfinite(x := float(columns[name][row]))), default=0.0)
        at = RowValues(columns, row)
        for equation in flat.equations:
            for left, right in zip(equation.left.elements, equation.right.elements, strict=True):
                if not at.knows((left, right)) or at.is_at_crossing((left, right)):
                    continue
                terms = [at.value(term) for side in (left, right) for term, _ in terms_of(side)]
                rest = at.value(left) - at.value(right)
                part = _OF_DELAYS if left in delayed or right in delayed else _ALLOWED
                size = abs(rest) / (part * sum(map(abs, terms)) + _CANCELED * largest + 1e-300)
                if worst is None or not size <= worst.size:
                    label = f"equation in line {equation.span.line} of {equation.instance or flat.name}, its sides"
                    worst = Difference(label, f"at time {run.time[row]:g}", size, at.value(right), at.value(left))
    return worst


def start_violation(
    system: EquationSystem, parameters: Mapping[str, float], run: Result, notes: Collection[str] = ()
) -> Difference | None:
    """The variable that starts farthest from its start value in the text, if no note tells of it."""
    worst: Difference | None = None
    values = RowValues(Columns(parameters, run), 0)
    for name, start in written_starts(system).items():
        wanted = values.value(start) if name in run else np.nan
        if np.isfinite(wanted):
            found = float(run[name][0])
            size = abs(found - wanted) / (_STARTED * max(1.0, abs(wanted)))
            is_told = size > 1.0 and any(f"'{name}'" in note for note in (*notes, *run.notes))
            if not is_told and (worst is None or not size <= worst.size):
                worst = Difference(name, "at the start, of which the text gives another value", size, wanted, found)
    return worst


def written_starts(system: EquationSystem) -> dict[str, Expr]:
    """The start values that the text of the model gives its variables."""
    written = [u for u in system.unknowns if u.fixed and u.strength == Strength.MODEL]
    return {str(u.node.data): u.start for u in written if u.start is not None}


def slope_violation(flat: FlatModel, run: Result) -> Difference | None:
    """The state that differs most from the integral of its derivative, over all of the run without its jumps."""
    worst: Difference | None = None
    is_jump = np.diff(run.time) == 0.0
    for x, slope in flat.derivatives.items():
        if str(x.data) in run and str(slope.data) in run:
            curve, rate = run[str(x.data)], run[str(slope.data)]
            moved = float(np.diff(curve)[~is_jump].sum())
            integral, error = _integral(run.time, rate)
            allowed = _SLOPES * float(np.abs(curve).max()) + _ERRORS * error + 1e-300
            size = abs(integral - moved) / allowed
            if worst is None or not size <= worst.size:
                label = f"integral of {slope.data}, beside the change of {x.data}"
                worst = Difference(label, f"until time {run.time[-1]:g}", size, moved, integral)
    return worst


def shortest_period(flat: FlatModel, parameters: Mapping[str, float], run: Result) -> float:
    """The shortest period of the sines and cosines in the equations, in s, as their phases move along the run; inf if
    none moves."""
    waves = [n for n in reachable(sides_of(flat)) if n.op in FUNCTIONS and isinstance(FUNCTIONS[n.op].shape, Wave)]
    phases = list(dict.fromkeys(wave.args[0] for wave in waves))
    steps, columns = np.flatnonzero(np.diff(run.time) > 0.0), Columns(parameters, run)

    def at(row: int) -> Vector:
        values = RowValues(columns, row)
        return np.array([values.value(phase) for phase in phases])

    fastest = 0.0
    for row in steps[np.linspace(0, len(steps) - 1, _LOOKS).astype(int)] if len(steps) and phases else ():
        speed = np.abs(at(row + 1) - at(row)) / (run.time[row + 1] - run.time[row])
        fastest = max(fastest, float(np.nan_to_num(speed, posinf=0.0).max()))
    return 2.0 * np.pi / fastest if fastest else np.inf


def without_events(flat: FlatModel) -> frozenset[str]:
    """The variables that may jump where no event is: their equations compare in `noevent`."""
    found = set[str]()
    for equation in flat.equations:
        for left, right in zip(equation.left.elements, equation.right.elements, strict=True):
            if not left.args and any(n.op in RELATIONS and n.data == "noevent" for n in reachable([right])):
                found.add(str(left.data))
    return frozenset(found)


def _integral(times: Vector, rate: Vector) -> tuple[float, float]:
    """The integral by trapezoids, and its error: what half as many of them change, between events."""
    steps = np.diff(times)
    parts = 0.5 * steps * (rate[1:] + rate[:-1])
    wide = 0.5 * (times[2:] - times[:-2]) * (rate[2:] + rate[:-2])
    error = np.abs(wide - parts[1:] - parts[:-1])
    return float(parts.sum()), float(error.sum())
