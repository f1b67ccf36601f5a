"""Finds parameters whose values couple derivatives so tightly that fewer of these are independent than it seems.

Two windings u1 = L1*der(i1) + M*der(i2), u2 = M*der(i1) + L2*der(i2) determine two derivatives, but only one if M^2 =
L1*L2 (a coupling of 1). Such values become part of the code: for other values the model is translated again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from cutset.compiler.expressions.dependent_rows import TooLong, dependent_rows
from cutset.compiler.expressions.finite_field_evaluation import PRIME, FieldPoint, inverse
from cutset.compiler.expressions.pool import TIME, Expr
from cutset.compiler.expressions.random_evaluation import RandomPoint
from cutset.compiler.expressions.walk import reachable, variables_of
from cutset.compiler.flatten.model import EquationSystem, bindings_of, parameters_under
from cutset.compiler.instantiate.instance import parameter_numbers
from cutset.compiler.reduce.exact import Field
from cutset.compiler.reduce.terms import Terms, terms_of
from cutset.compiler.structure.chains import NONE
from cutset.compiler.structure.plan import Incidence
from cutset.contract.quick_dataclass import dataclass

# Two products with a smaller relative difference are equal: M may be written as sqrt(L1*L2).
_ROUNDING = 1e-13


def tight_couplings(system: EquationSystem, incidence: Incidence, field: Field) -> dict[Expr, Fraction]:
    """Each parameter that must keep its value, with that value."""
    found: dict[Expr, Fraction] = {}
    numbers: dict[Expr, float] | None = None
    for rows in (each for group in coupled(system, incidence, field) for each in _sets(group.rows)):
        leaves = _parameters(c.value for row in rows for c in row.values())
        if not leaves or _dependent(rows, field.point):
            continue
        if numbers is None:
            numbers = parameter_numbers(system.parameters)
        values = {leaf: Fraction(f"{numbers[leaf]:.13g}") for leaf in leaves if leaf in numbers}
        values |= _rounded(rows, values, numbers)
        if len(values) == len(leaves) and _dependent(rows, point_at(values)):
            found |= values
            found |= {leaf: Fraction(f"{numbers[leaf]:.13g}") for leaf in _before(system, leaves) if leaf not in values}
    return found


def _sets(rows: Sequence[Terms]) -> Iterator[Sequence[Terms]]:
    """The full sets; and those that share two derivatives in these equations only: a derivative may also be a voltage,
    as that of the current through an inductor of 1 H, and then occurs in equations that couple nothing."""
    yield rows
    several = [row for row in rows if len(row) > 1]
    users = Counter(atom for row in several for atom in row)
    remaining = [{atom: c for atom, c in row.items() if users[atom] > 1} for row in several]
    remaining = [row for row in remaining if len(row) > 1]
    if remaining and remaining != list(rows):
        yield remaining


def point_at(values: dict[Expr, Fraction]) -> FieldPoint:
    """The point at which parameters have these values, and everything else is generic."""
    point = FieldPoint({})
    for leaf, value in values.items():
        point.know(leaf, value.numerator * inverse(value.denominator % PRIME) % PRIME)
    return point


@dataclass(frozen=True)
class Coupled:
    """Equations that share derivatives, at least one of them with two. `rows` are the coefficients along the
    derivatives, for equations that are linear in them; `of` are the variables that the derivatives belong to."""

    equations: tuple[int, ...]
    rows: tuple[Terms, ...]
    of: Mapping[Expr, Expr]

    @property
    def is_linear(self) -> bool:
        """True if all equations are linear in the derivatives."""
        return len(self.rows) == len(self.equations)


def coupled(system: EquationSystem, incidence: Incidence, field: Field) -> Iterator[Coupled]:
    """All such sets."""
    integral = {d: v for v, d in enumerate(incidence.derivative) if d != NONE}
    own = {e: [v for v in row if v in integral] for e, row in enumerate(incidence.rows)}
    if all(len(derivatives) < 2 for derivatives in own.values()):
        return
    users: dict[int, list[int]] = {}
    for e, derivatives in own.items():
        for v in derivatives:
            users.setdefault(v, []).append(e)
    seen: set[int] = set()
    for e, derivatives in own.items():
        if len(derivatives) < 2 or e in seen:
            continue
        group = [e]
        seen.add(e)
        for member in group:  # grows during the loop
            for v in own[member]:
                new = [u for u in users.pop(v, ()) if u not in seen]
                seen.update(new)
                group += new
        nodes = {system.unknowns[v].node: system.unknowns[integral[v]].node for k in sorted(group) for v in own[k]}
        yield Coupled(tuple(sorted(group)), tuple(_rows(system, field, sorted(group), nodes)), nodes)


def _rows(system: EquationSystem, field: Field, group: list[int], nodes: Mapping[Expr, Expr]) -> Iterator[Terms]:
    for e in group:
        terms = terms_of(field, system.equations[e].residual)
        others = (atom for atom in terms if atom.level == TIME and atom not in nodes)
        if all(atom.op == "variable" or nodes.keys().isdisjoint(variables_of(atom)) for atom in others):
            yield {atom: c for atom, c in terms.items() if atom in nodes}


def _parameters(expressions: Iterable[Expr]) -> list[Expr]:
    return [e for e in reachable(expressions) if e.op == "parameter"]


def _dependent(rows: Sequence[Terms], point: FieldPoint) -> bool:
    columns: dict[Expr, int] = {}
    residues = [
        {columns.setdefault(atom, len(columns)): r for atom, c in row.items() if (r := point.value(c.value))}
        for row in rows
    ]
    try:
        return bool(dependent_rows(residues, range(len(residues))))
    except TooLong:
        return False


def _rounded(rows: Sequence[Terms], values: dict[Expr, Fraction], numbers: dict[Expr, float]) -> dict[Expr, Fraction]:
    """For two windings a coefficient that makes the determinant exactly zero, if it is zero up to rounding."""
    if len(rows) != 2 or any(len(row) != 2 for row in rows) or set(rows[0]) != set(rows[1]):
        return {}
    probe = RandomPoint(numbers)
    for (i, v), own in [((i, v), row[v].value) for i, row in enumerate(rows) for v in row]:
        (w,) = (other for other in rows[i] if other is not v)
        others = [rows[i][w].value, rows[1 - i][v].value, rows[1 - i][w].value]
        leaf = own.args[0] if own.op == "neg" else own
        exact = [f for e in others if (f := _fraction(e, values)) is not None]
        if leaf.op != "parameter" or leaf in _parameters(others) or len(exact) < len(others):
            continue
        straight, across = probe.value(own) * probe.value(others[2]), probe.value(others[0]) * probe.value(others[1])
        if straight and abs(straight - across) <= _ROUNDING * abs(across):
            value = exact[0] * exact[1] / exact[2]
            return {leaf: value if leaf is own else -value}
    return {}


def _fraction(e: Expr, values: dict[Expr, Fraction]) -> Fraction | None:
    if e.op == "neg":
        inner = _fraction(e.args[0], values)
        return None if inner is None else -inner
    return Fraction(f"{e.data:.13g}") if e.op == "constant" else values.get(e)


def _before(system: EquationSystem, leaves: Iterable[Expr]) -> set[Expr]:
    """The parameters from which these are computed."""
    bindings = bindings_of(system.parameters)
    return {found for leaf in leaves for found in parameters_under(bindings, bindings[leaf])}
