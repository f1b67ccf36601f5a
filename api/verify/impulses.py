"""Checks what an event must conserve, charge, flux, momentum: equations, rows of a run -> the largest violation.

Where a state x jumps, der(x) is an impulse, whose strength is the jump. Equations that are linear in all that may be an
impulse (derivatives, currents, forces, but no states) hold for the strengths: C*der(u) = i, with what flows through a
node, is the balance of its charge. Equations that are not linear, or whose coefficients change at the event, are left
out, and so are states that the model itself restarts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

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
    forms = list(_forms(system)) if len(at) else []
    worst: Difference | None = None
    for row in at[:_EVENTS]:
        known = {x: jump for x, jump in zip(states, jumps[row], strict=True) if x not in restarted}
        found = _largest(system, forms, known, [_values(parameters, run, k) for k in (row, row + 1)])
        if found is not None and (worst is None or found[0] > worst.size):
            size, equation = found
            label = (
                f"balance of impulses in line {equation.origin.span.line} of {equation.origin.instance or 'the model'}"
            )
            worst = Difference(label, f"at time {run.time[row]:g}", size, 0.0, size * _ALLOWED)
    return worst


def _forms(system: EquationSystem) -> Iterator[tuple[ScalarEquation, LinearForm]]:
    """The equations that are linear in what may be an impulse."""
    slopes = set(system.derivatives.values())
    impulses = ({each.node for each in system.unknowns} | slopes) - system.derivatives.keys()
    for equation in system.equations:
        try:
            (form,) = linear_forms(system.pool, [equation.residual], impulses)
        except Nonlinear:
            continue
        yield equation, form


def _values(parameters: Mapping[str, float], run: Result, row: int) -> Mapping[str, float]:
    """The values of all names in a row."""
    found = {name: float(run[name][row]) for name in run.names()}
    return {**parameters, **found, "time": float(run.time[row])}


def _largest(
    system: EquationSystem,
    forms: list[tuple[ScalarEquation, LinearForm]],
    jumps: Mapping[Expr, float],
    sides: list[Mapping[str, float]],
) -> tuple[float, ScalarEquation] | None:
    """The equation that the strengths of impulses violate most, in parts of what is allowed; `sides` are the values
    before and after the event."""
    strength = {system.derivatives[x]: jump for x, jump in jumps.items()}
    rows, given, kept = list[dict[Expr, float]](), list[list[float]](), list[ScalarEquation]()
    for equation, form in forms:
        before, after = (_numbers(form, side) for side in sides)
        if before is not None and after is not None and np.allclose(list(before.values()), list(after.values())):
            rows.append({node: c for node, c in after.items() if node not in strength})
            given.append([c * strength[node] for node, c in after.items() if node in strength])
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
