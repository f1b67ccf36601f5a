"""Replaces equations that hide dependences (stage 4d): EquationSystem, StructuralPlan -> ReducedSystem.

The structure tells which variables occur in an equation, not whether two equations contain them in the same
combination: for two capacitors in parallel, both without ground, u1 = Va - Vb and u2 = Va - Vb seem to determine Va and
Vb. If equations of highest order depend on each other for all values of variables and parameters, one is replaced by
their combination (u1 - u2 = 0), and the analysis is repeated. Without such dependences the system stays unchanged.
Solves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import heapify, heappop, heappush
from typing import TypeVar

from cutset.compiler.expressions.dependent_rows import TooLong, dependent_rows
from cutset.compiler.expressions.differentiate import derivative_name, differentiate
from cutset.compiler.expressions.finite_field_evaluation import PRIME, FieldPoint, inverse
from cutset.compiler.expressions.pool import Expr, Undefined
from cutset.compiler.expressions.user_function import NotDifferentiable
from cutset.compiler.expressions.walk import reachable, variables_of
from cutset.compiler.flatten.model import EquationSystem, ScalarEquation, Unknown
from cutset.compiler.instantiate.instance import Strength, parameter_numbers
from cutset.compiler.reduce.blocks import Candidates, highest, lower, orders_of
from cutset.compiler.reduce.couplings import Coupled, coupled, point_at, tight_couplings
from cutset.compiler.reduce.exact import Coefficient, Field, Row, echelon, factors_of
from cutset.compiler.reduce.switched_factors import with_switched_factors
from cutset.compiler.reduce.system import Constraint, ReducedSystem
from cutset.compiler.reduce.terms import Terms, combined, residual_of, slopes_of, terms_of
from cutset.compiler.sort.incidence import incidence_of
from cutset.compiler.structure.analyze import analyze
from cutset.compiler.structure.plan import Incidence, Slopes, StructuralPlan
from cutset.contract.functions import RELATIONS, STEPS
from cutset.contract.quick_dataclass import dataclass


def reduce_system(system: EquationSystem, incidence: Incidence, plan: StructuralPlan) -> ReducedSystem:
    """Raises StructurallySingular if too few equations remain after removing dependences."""
    field = Field(system.pool, FieldPoint({}))
    tight = tight_couplings(system, incidence, field)
    if tight:
        field = Field(system.pool, point_at(tight))
        numbers = parameter_numbers(system.parameters)
        system = replace(system, folded={**system.folded, **{str(leaf.data): numbers[leaf] for leaf in tight}})
    constraints: list[Constraint] = []
    while True:
        orders = orders_of(incidence, plan)
        combiner = Combiner(system, field, orders)
        found = [c for candidates in highest(incidence, plan, orders) for c in combiner.combinations(candidates)]
        before = system
        if found:
            constraints += [_constraint(system, c) for c in found]
            system = _replaced(system, found, combiner.made)
        else:
            system = merged(system, incidence, orders, field)
            if system is before:
                system = with_switched_factors(system, orders)
        if system is before:
            return ReducedSystem(
                system, _with_regular_choice(system, incidence, plan, orders, field), tuple(constraints)
            )
        incidence = incidence_of(system)
        plan = analyze(incidence)


def _with_regular_choice(
    system: EquationSystem, incidence: Incidence, plan: StructuralPlan, orders: list[int], field: Field
) -> StructuralPlan:
    """The plan, or one whose states determine the other variables where the first one's states only seem to."""
    numbers = {u.node: k for k, u in enumerate(system.unknowns)}

    def slopes_of(e: int) -> dict[int, int]:
        slopes = field.point.gradient(system.equations[e].residual)
        return {numbers[v]: slope for v, slope in slopes.items() if v in numbers}

    for block in lower(incidence, plan, orders):
        rows = []
        for e, leading in block.leading.items():
            slopes = slopes_of(e)
            rows.append({d: slopes[v] for v, d in leading.items() if slopes.get(v, 0)})
        if _dependent(rows):
            differentiated = [e for e, order in enumerate(orders) if order]
            return analyze(incidence, slopes=Slopes(PRIME, {e: slopes_of(e) for e in differentiated}))
    return plan


def _dependent(rows: list[dict[int, int]]) -> bool:
    try:
        return bool(dependent_rows(rows, range(len(rows))))
    except TooLong:  # too long to decide: solving reports it
        return False


def _constraint(system: EquationSystem, found: Combination) -> Constraint:
    others = [e for e, _ in found.parts if e != found.replaced]
    return Constraint(found.residual, tuple(system.equations[e].origin for e in (found.replaced, *others)))


def _replaced(system: EquationSystem, found: list[Combination], made: Mapping[Expr, Expr]) -> EquationSystem:
    equations = list(system.equations)
    for c in found:
        equations[c.replaced] = ScalarEquation(c.residual, equations[c.replaced].origin)
    spans = {u.node: u.span for u in system.unknowns}
    inputs, derivatives = list(system.inputs), dict(system.derivatives)
    unknowns = list(system.unknowns)
    used = {v for c in found for v in variables_of(c.residual)}
    needed: dict[Expr, Expr] = {}
    for v, slope in reversed(list(made.items())):  # higher derivatives were created later
        if slope in used or slope in needed:
            needed[v] = slope
    for v, slope in reversed(needed.items()):
        if v in spans:
            spans[slope] = spans[v]
            unknowns.append(Unknown(slope, None, 0, spans[v]))
            derivatives[v] = slope
        else:
            inputs.append(slope)
    return replace(
        system, equations=tuple(equations), unknowns=tuple(unknowns), inputs=tuple(inputs), derivatives=derivatives
    )


# --- merge ----------------------------------------------------------------------------------------

# If i1 and i2 are windings coupled without leakage, only der(L1*i1 + M*i2) occurs in the equations. Choosing i1 or i2
# as the state requires derivatives of everything that determines the other: of inputs, or of a voltage that jumps. With
# w = L1*i1 + M*i2 as the state no equation is differentiated for that (Tan, Nedialkov and Pryce, BIT 57 (2017), pp.
# 845-865, the expression substitution method). If everything to be differentiated is smooth, either is valid, and the
# variables of the model stay states.


# Operators that may jump.
_JUMPS = {"if", "mode", "delay", *STEPS, *RELATIONS}


def merged(system: EquationSystem, incidence: Incidence, orders: list[int], field: Field) -> EquationSystem:
    """The system with combinations; unchanged if there are none."""
    if not any(orders):
        return system
    for group in coupled(system, incidence, field):
        if group.is_linear and _is_rough(system, incidence, orders, group) and _stand_alone(system, group):
            columns = list(group.of)
            rows = [{columns.index(atom): c for atom, c in row.items()} for row in group.rows]
            reduced = echelon(field, rows)
            if len(reduced) < len(columns):
                return _with_sums(system, field, group, columns, reduced)
    return system


def _is_rough(system: EquationSystem, incidence: Incidence, orders: list[int], group: Coupled) -> bool:
    """True if an expression that these variables require to differentiate jumps, or has no known derivative."""
    users: dict[int, list[int]] = {}
    for e, order in enumerate(orders):
        if order:
            for v in incidence.rows[e]:
                users.setdefault(v, []).append(e)
    known, wanted = set(system.known), set(group.of.values())
    waiting = [k for k, u in enumerate(system.unknowns) if u.node in wanted]
    seen: set[int] = set()
    while waiting:
        for e in users.pop(waiting.pop(), ()):
            if e not in seen:
                seen.add(e)
                nodes = reachable([system.equations[e].residual])
                if any(node.op in _JUMPS or node in known for node in nodes):
                    return True
                waiting += incidence.rows[e]
    return False


def _stand_alone(system: EquationSystem, group: Coupled) -> bool:
    """True if the derivatives occur in these equations only, and belong to variables that are not needed as states
    elsewhere."""
    of = group.of
    if any(d in system.derivatives or v in of for d, v in of.items()):
        return False
    expressions = [
        *(a.value for a in system.aliases),
        *system.events.expressions(),
        *(e.residual for e in system.initial),
    ]
    expressions += [e for r in system.relations for e in (r.left, r.right)] + [d.value for d in system.delays]
    restarted = {r.target for branch in system.events.branches() for r in branch.restarts}
    return restarted.isdisjoint(of.values()) and all(of.keys().isdisjoint(variables_of(e)) for e in expressions)


def _with_sums(
    system: EquationSystem, field: Field, group: Coupled, columns: list[Expr], reduced: Mapping[int, Row]
) -> EquationSystem:
    pool, first = system.pool, system.equations[group.equations[0]].origin
    declared = {u.node: u for u in system.unknowns}
    slopes: dict[Expr, Expr] = {}  # for each pivot the derivative that replaces it
    new: list[Unknown] = []
    equations: list[ScalarEquation] = []
    derivatives = {v: d for v, d in system.derivatives.items() if d not in group.of}
    for pivot, row in sorted(reduced.items()):
        parts = {group.of[columns[j]]: c for j, c in sorted(row.items())}
        if len(parts) == 1:
            slopes[columns[pivot]] = columns[pivot]
            derivatives[group.of[columns[pivot]]] = columns[pivot]
            continue
        name = f"$sum{1 + sum('$sum' in str(v.data) for v in derivatives)}"
        total = pool.variable(name)
        slope = derivatives[total] = slopes[columns[pivot]] = pool.variable(derivative_name(name))
        new += [_declared(field, total, parts, declared), Unknown(slope, None, 0, first.span)]
        sum_of_parts = residual_of(pool, {v: field.neg(c) for v, c in parts.items()} | {total: field.one})
        equations.append(ScalarEquation(sum_of_parts, first))
    kept = list(system.equations)
    for e in group.equations:
        terms = terms_of(field, kept[e].residual)
        remaining = {slopes.get(atom, atom): c for atom, c in terms.items() if atom not in group.of or atom in slopes}
        kept[e] = kept[e]._replace(residual=residual_of(pool, remaining))
    dropped = group.of.keys() - set(derivatives.values())
    unknowns = (*(u for u in system.unknowns if u.node not in dropped), *new)
    return replace(system, equations=(*kept, *equations), unknowns=unknowns, derivatives=derivatives)


def _declared(
    field: Field, total: Expr, parts: Mapping[Expr, Coefficient], declared: Mapping[Expr, Unknown]
) -> Unknown:
    """The new variable; it starts with the sum of the given start values of its parts."""
    pool, own = field.pool, [declared[v] for v in parts]
    start: Expr | None = None
    for u in own:
        if u.start is not None:
            share = pool.mul(parts[u.node].value, u.start)
            start = share if start is None else pool.add(start, share)
    strength = max((u.strength for u in own if u.start is not None), default=Strength.DEFAULT)
    return Unknown(
        total,
        start,
        max(u.preference for u in own),
        own[0].span,
        any(u.start is not None and u.fixed for u in own),
        strength=strength,
        defaults=tuple(name for u in own for name in u.defaults),
        start_parameters=tuple(name for u in own for name in u.start_parameters),
    )


# --- combine --------------------------------------------------------------------------------------

# Tan, Nedialkov and Pryce, Conversion methods for improving structural analysis of differential-algebraic equation
# systems, BIT 57 (2017), pp. 845-865, the linear combination method: of equations f(i) that are differentiated c(i)
# times, with constant factors u(i), the sum of u(i) times the derivative of order c(i) - c of f(i) replaces f(l), where
# c = c(l) is the smallest of them and u(l) is not zero. Each replacement decreases the sum of the orders that the
# structure has to find, so the process ends.


T = TypeVar("T")


@dataclass(frozen=True)
class Combination:
    """The number of the equation `replaced`, its replacement, and the equations of which that consists, with
    factors."""

    replaced: int
    residual: Expr
    parts: tuple[tuple[int, Expr], ...]


class NotKnown(Exception):
    """A derivative that cannot be formed."""


class Combiner:
    """Combines equation by equation, on demand. `slopes` are the derivatives of variables; `made` are those that were
    created on the way."""

    def __init__(self, system: EquationSystem, field: Field, orders: list[int]):
        self._system, self._field, self._orders = system, field, orders
        self._slopes = dict(system.derivatives)
        self._discrete = {d.node for d in system.discrete}
        self._delays = {d.node for d in system.delays}
        self.made: dict[Expr, Expr] = {}

    def combinations(self, found: Candidates) -> Iterator[Combination]:
        """One combination for each equation that depends on others."""
        try:
            if are_independent(list(self._slopes_of(found).values())):
                return
            rows = self._rows(found)
            numbers = sorted(rows, key=lambda e: (-self._orders[e], len(rows[e]), e))
            ordered = [rows[e] for e in numbers]
            dependent = dependent_rows([{j: c.residue for j, c in row.items()} for row in ordered], range(len(ordered)))
        except TooLong:  # too long to decide: solving reports it if it is singular
            return
        for dependence in dependent:
            factors = factors_of(self._field, dependence, ordered, max(dependence))
            try:
                yield self._combination({numbers[i]: factor for i, factor in factors.items()}, numbers[max(dependence)])
            except (NotDifferentiable, Undefined, NotKnown):
                continue

    def _slopes_of(self, found: Candidates) -> dict[int, dict[int, int]]:
        """The rows of `_rows` by their residues."""
        columns: dict[object, int] = {}
        return {
            e: {
                columns.setdefault(key, len(columns)): slope
                for key, slope in self._leading(found, e, slopes_of(self._field, self._system.equations[e].residual))
            }
            for e in found.leading
        }

    def _rows(self, found: Candidates) -> dict[int, Row]:
        """The coefficients of each equation along the variables that it should determine, and along nonlinear
        expressions of them."""
        columns: dict[object, int] = {}
        return {
            e: {columns.setdefault(key, len(columns)): c for key, c in self._leading(found, e, self._terms(e))}
            for e in found.leading
        }

    def _leading(self, found: Candidates, e: int, terms: Mapping[Expr, T]) -> Iterator[tuple[object, T]]:
        leading = {self._system.unknowns[v].node: column for v, column in found.leading[e].items()}
        for atom, c in terms.items():
            if atom in leading:
                yield leading[atom], c
            elif atom.op != "variable" and any(v in leading for v in variables_of(atom)):
                yield (atom, self._orders[e]), c

    def _terms(self, e: int) -> Terms:
        return terms_of(self._field, self._system.equations[e].residual)

    def _combination(self, factors: Mapping[int, Coefficient], last: int) -> Combination:
        least = self._orders[last]
        parts = [(factor, self._differentiated(e, self._orders[e] - least)) for e, factor in sorted(factors.items())]
        residual = residual_of(self._system.pool, combined(self._field, parts))
        return Combination(last, residual, tuple((e, factor.value) for e, factor in sorted(factors.items())))

    def _differentiated(self, e: int, order: int) -> Terms:
        residual = self._system.equations[e].residual
        for _ in range(order):
            residual = differentiate(self._system.pool, residual, self._slope)
        return terms_of(self._field, residual)

    def _slope(self, v: Expr) -> Expr:
        if v in self._discrete:
            return self._system.pool.zero  # held between events
        if v in self._delays:
            raise NotKnown
        if v not in self._slopes:
            self._slopes[v] = self.made[v] = self._system.pool.variable(derivative_name(str(v.data)))
        return self._slopes[v]


# --- rank -----------------------------------------------------------------------------------------

# The column that the fewest rows contain is eliminated first, by its shortest row (Markowitz, Management Science 3
# (1957), pp. 255-269), so that rows of a ladder or of a tree stay short.


# The limit on entries that one elimination may visit: some seconds.
_MOST_WORK = 3_000_000


def are_independent(rows: Sequence[dict[int, int]]) -> bool:
    """True if the rows are independent; the rows are consumed. Raises TooLong."""
    users: dict[int, set[int]] = {}
    for i, row in enumerate(rows):
        for column in row:
            users.setdefault(column, set()).add(i)
    if any(not row for row in rows):
        return False
    order = [(len(own), column) for column, own in users.items()]
    heapify(order)
    work = 0
    while order:
        count, column = heappop(order)
        own = users[column]
        if len(own) != count or not own:  # it is in the queue again with its new length
            continue
        pivot = min(own, key=lambda i: (len(rows[i]), i))
        pivot_row = rows[pivot]
        scale = inverse(pivot_row.pop(column))
        own.discard(pivot)
        for other in pivot_row:
            users[other].discard(pivot)
        for i in sorted(own):
            row = rows[i]
            factor = row.pop(column) * scale % PRIME
            work += len(pivot_row)
            for other, value in pivot_row.items():
                before = row.get(other)
                after = ((before or 0) - factor * value) % PRIME
                if after:
                    row[other] = after
                    if before is None:
                        users[other].add(i)
                elif before is not None:
                    del row[other]
                    users[other].discard(i)
            if not row:
                return False
        own.clear()
        if work > _MOST_WORK:
            raise TooLong
        for other in pivot_row:
            heappush(order, (len(users[other]), other))
    return True
