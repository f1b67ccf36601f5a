"""Checks what an event must conserve, charge, flux, momentum: equations, rows of a run -> the largest violation.

Where a state x jumps, der(x) is an impulse, whose strength is the jump. Equations that are linear in all that may be an
impulse (derivatives, currents, forces, but neither states nor what follows from them) hold for the strengths:
C*der(u) = i, with what flows through a node, is the balance of its charge, and m*der(v) = T'*f that of a momentum. If C
depends on u, the strength is the integral of C over u. Equations that are not linear, or whose coefficients change at
the event otherwise, are left out, and so are states that the model itself restarts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from cutset.api.verify.comparison import Difference
from cutset.compiler.expressions.interpret import value_of
from cutset.compiler.expressions.linear import LinearForm, Nonlinear, linear_forms
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.walk import reachable
from cutset.compiler.flatten.model import EquationSystem, ScalarEquation
from cutset.runtime.results.result import Result

# A jump that is none, relative to the size of a state; what a balance may miss, relative to its largest term.
_NONE, _ALLOWED = 1e-5, 1e-4
# At most so many events with jumps are checked, of models with at most so many equations.
_EVENTS, _LARGEST = 20, 600
# The points of the mean of a coefficient that depends on the state that jumps.
_POINTS = 8


def impulse_violation(system: EquationSystem, parameters: Mapping[str, float], run: Result) -> Difference | None:
    """The balance over an event that misses most; None if no state jumps."""
    restarted = {restart.target for branch in system.events.branches() for restart in branch.restarts}
    states = [x for x in system.derivatives if str(x.data) in run]
    if not states or len(system.equations) > _LARGEST:
        return None
    curves = np.stack([run[str(x.data)] for x in states], axis=1)
    sizes = np.abs(curves).max(axis=0)
    jumps = np.diff(curves, axis=0)
    at = np.flatnonzero((np.diff(run.time) == 0.0) & (np.abs(jumps) > _NONE * sizes + 1e-300).any(axis=1))
    balances = _Balances(system)
    worst: Difference | None = None
    for row in at[:_EVENTS]:
        known = {x: jump for x, jump in zip(states, jumps[row], strict=True) if x not in restarted}
        found = _largest(balances, known, [_values(parameters, run, k) for k in (row, row + 1)])
        if found is not None and (worst is None or found[0] > worst.size):
            size, equation = found
            label = (
                f"balance of impulses in line {equation.origin.span.line} of {equation.origin.instance or 'the model'}"
            )
            worst = Difference(label, f"at time {run.time[row]:g}", size, 0.0, size * _ALLOWED)
    return worst


class _Balances:
    """The equations of a system, and which of its unknowns may be impulses at an event."""

    def __init__(self, system: EquationSystem):
        self.slopes = system.derivatives
        self._system = system
        self._slopes = set(system.derivatives.values())
        self._unknowns = {each.node for each in system.unknowns} | self._slopes
        self._open = [self._unknowns.intersection(reachable([each.residual])) for each in system.equations]
        self._forms: dict[tuple[int, frozenset[Expr]], LinearForm | None] = {}

    def forms(self, sides: Sequence[Mapping[str, float]]) -> Iterator[tuple[ScalarEquation, LinearForm]]:
        """The equations that are linear in what may be an impulse; `sides` are the values before and after the
        event."""
        impulses = self._unknowns - (self._finite(sides) - self._slopes)
        for number, equation in enumerate(self._system.equations):
            form = self._form(number, frozenset(impulses & self._open[number]))
            if form is not None:
                yield equation, form

    def _finite(self, sides: Sequence[Mapping[str, float]]) -> set[Expr]:
        """What is no impulse: states, and what one equation determines of them and others of these."""
        finite, waiting, before = set(self.slopes), list(range(len(self._open))), -1
        while before != len(finite):
            before, still = len(finite), list[int]()
            for number in waiting:
                left = self._open[number] - finite
                if len(left) == 1 and self._determines(number, left, sides):
                    finite |= left
                elif left:
                    still.append(number)
            waiting = still
        return finite

    def _determines(self, number: int, one: set[Expr], sides: Sequence[Mapping[str, float]]) -> bool:
        """True if the equation has a value for the unknown before and after the event."""
        form = self._form(number, frozenset(one))
        if form is None:
            return all(node.op != "if" for node in reachable([self._system.equations[number].residual]))
        numbers = [_numbers(form, side) for side in sides]
        return all(each is not None and all(each.values()) and each for each in numbers)

    def _form(self, number: int, impulses: frozenset[Expr]) -> LinearForm | None:
        """The linear form of an equation in these unknowns; None if it is not linear."""
        key = number, impulses
        if key not in self._forms:
            try:
                (form,) = linear_forms(self._system.pool, [self._system.equations[number].residual], impulses)
            except Nonlinear:
                form = None
            self._forms[key] = form
        return self._forms[key]


def _values(parameters: Mapping[str, float], run: Result, row: int) -> Mapping[str, float]:
    """The values of all names in a row."""
    found = {name: float(run[name][row]) for name in run.names()}
    return {**parameters, **found, "time": float(run.time[row])}


def _largest(
    balances: _Balances, jumps: Mapping[Expr, float], sides: Sequence[Mapping[str, float]]
) -> tuple[float, ScalarEquation] | None:
    """The equation that the strengths of impulses violate most, in parts of what is allowed; `sides` are the values
    before and after the event."""
    strength = {balances.slopes[x]: jump for x, jump in jumps.items()}
    states = {slope: str(x.data) for x, slope in balances.slopes.items()}
    rows, given, kept = list[dict[Expr, float]](), list[list[float]](), list[ScalarEquation]()
    for equation, form in balances.forms(sides):
        numbers = _over_jump(form, states, sides)
        if numbers is not None:
            rows.append({node: c for node, c in numbers.items() if node not in strength})
            given.append([c * strength[node] for node, c in numbers.items() if node in strength])
            kept.append(equation)
    places = {node: k for k, node in enumerate(dict.fromkeys(node for row in rows for node in row))}
    largest = max((abs(term) for terms in given for term in terms), default=0.0)
    if not largest:
        return None
    matrix = np.zeros((len(rows), len(places)))
    for k, row in enumerate(rows):
        for node, coefficient in row.items():
            matrix[k, places[node]] = coefficient
    known = np.array([sum(terms) for terms in given])
    found = np.linalg.lstsq(matrix, -known, rcond=1e-13)[0] if places else np.zeros(0)
    terms = np.abs(matrix) @ np.abs(found) + np.array([sum(map(abs, terms)) for terms in given])
    sizes = np.abs(matrix @ found + known) / (_ALLOWED * np.maximum(terms, 1e-9 * largest))
    worst = int(np.argmax(sizes))
    return float(sizes[worst]), kept[worst]


def _over_jump(
    form: LinearForm, states: Mapping[Expr, str], sides: Sequence[Mapping[str, float]]
) -> dict[Expr, float] | None:
    """The coefficients as numbers; None if one changes by more than the state whose derivative it belongs to, over
    whose jump it has a mean."""
    before, after = (_numbers(form, side) for side in sides)
    if before is None or after is None:
        return None
    for node in before:
        if not np.isclose(before[node], after[node]):
            leaves = {str(leaf.data) for leaf in reachable([form.coefficients[node]]) if not leaf.args}
            moving = {name for name in leaves & sides[1].keys() if sides[0][name] != sides[1][name]}
            if node not in states or moving != {states[node]}:
                return None
            after[node] = _mean(LinearForm({node: form.coefficients[node]}, form.rest), states[node], sides)
    return after


def _mean(form: LinearForm, state: str, sides: Sequence[Mapping[str, float]]) -> float:
    """The mean of a coefficient while the state goes from side to side."""
    first, last = (side[state] for side in sides)
    points, weights = np.polynomial.legendre.leggauss(_POINTS)
    values = [_numbers(form, {**sides[0], state: first + 0.5 * (x + 1.0) * (last - first)}) for x in points]
    return float(sum(0.5 * w * sum(found.values()) for w, found in zip(weights, values, strict=True) if found))


def _numbers(form: LinearForm, values: Mapping[str, float]) -> dict[Expr, float] | None:
    """The coefficients as numbers; None if one depends on what has no value."""
    done: dict[Expr, float] = {}
    for node in reachable(form.coefficients.values()):
        if node.op == "constant" or node.args:
            done[node] = value_of(node, [done[each] for each in node.args])
        elif str(node.data) in values or node.op == "time":
            done[node] = values[str(node.data) if node.op != "time" else "time"]
        else:
            return None
    numbers = {node: done[coefficient] for node, coefficient in form.coefficients.items()}
    return numbers if np.isfinite(list(numbers.values())).all() else None
