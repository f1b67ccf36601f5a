"""Builds the matrix of the equations at a random point, with the meaning of each row and column: FlatModel -> Matrix.

A derivative counts as `s` times its variable, for a random s: the matrix is regular if the equations, linearized there,
have a unique solution for given initial values (Gantmacher, The Theory of Matrices 2 (1959), ch. 12). Equations are
taken as written, so that a row corresponds to the author's equation. If values from other equations make more terms
vanish than a random point shows (a condition is decided, max(x, y) with y = x), these values are substituted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from cutset.compiler.expressions.dependent_rows import dependent_rows
from cutset.compiler.expressions.finite_field_evaluation import PRIME, FieldPoint, generic
from cutset.compiler.expressions.pool import TIME, Expr
from cutset.compiler.expressions.walk import variables_of
from cutset.compiler.flatten.aliases import Eliminated
from cutset.compiler.flatten.model import FlatModel
from cutset.compiler.flatten.scalarize import scalar_equations
from cutset.compiler.instantiate.instance import ArrayEquation, inflow_leaf, leaves_of
from cutset.contract.names import rpartition

# Kinds of equations: written in the text, from a connection (across variables equal, through variables summed), or of
# an unconnected cut.
WRITTEN, EQUAL, SUM, OPEN = "written", "equal", "sum", "open"


@dataclass(frozen=True)
class Matrix:
    """rows[i] are the slopes of scalar equation i along each column.

    equation[i]  number of its equation in the model
    kind[i]      one of the kinds above
    columns[j]   the variable; its derivatives are in the same column
    owner[j]     path of the instance that declares it
    role[j]      'across', 'through', 'carried' (by a flow, also what flows in), or '' for a variable of no cut
    leaves[i]    variables and derivatives in scalar equation i
    values[i]    the value of its residual
    folded[i]    the residual after substituting values, if that changes the row; else None
    dropped[i]   for an empty row: columns of variables in the written equation
    known        aliases: each such variable with its value
    """

    model: FlatModel
    rows: tuple[dict[int, int], ...]
    equation: tuple[int, ...]
    kind: tuple[str, ...]
    columns: tuple[Expr, ...]
    owner: tuple[str, ...]
    role: tuple[str, ...]
    leaves: tuple[frozenset[Expr], ...]
    values: tuple[int, ...]
    folded: tuple[Expr | None, ...]
    dropped: tuple[tuple[int, ...], ...]
    known: Mapping[Expr, Expr]

    @cached_property
    def dependent(self) -> list[dict[int, int]]:
        """The rows that depend on others: for each the numbers of these and its own, with the factors that make their
        sum zero. Written equations come last, and so are the first to be called dependent. Raises TooLong."""
        by_length = sorted(range(len(self.rows)), key=lambda i: (self.kind[i] == WRITTEN, len(self.rows[i])))
        return dependent_rows(self.rows, by_length)

    @property
    def rank(self) -> int:
        """The number of independent equations."""
        return len(self.rows) - len(self.dependent)

    def transposed(self) -> list[dict[int, int]]:
        """The columns as rows."""
        result: list[dict[int, int]] = [{} for _ in self.columns]
        for i, row in enumerate(self.rows):
            for j, value in row.items():
                result[j][i] = value
        return result


def rank_of(rows: Sequence[dict[int, int]]) -> int:
    """The number of independent rows; starting with short ones is faster."""
    return len(rows) - len(dependent_rows(rows, range(len(rows))))


def matrix_of(model: FlatModel, eliminated: Eliminated) -> Matrix:
    """The matrix at a point where eliminated variables have the values of their expressions."""
    place = _places(model)
    columns = [v for v, (lowest, _) in place.items() if v is lowest]
    owners, roles = _owners(model), _roles(model)
    reader = _RowReader(eliminated.values, place, {v: j for j, v in enumerate(columns)})
    rows, equation, kind, leaves, values, folded, dropped = [], [], [], [], [], [], []
    left = iter(eliminated.residuals)
    for e, residuals in enumerate(scalar_equations(model.pool, model.equations)):
        for scalar in residuals:
            slopes, simpler = reader.slopes(scalar.residual, next(left))
            rows.append(reader.row(slopes))
            leaves.append(frozenset(slopes))
            values.append(reader.point.value(simpler or scalar.residual))
            folded.append(simpler)
            dropped.append(() if rows[-1] else reader.named(model.equations[e]))
            equation.append(e)
            kind.append(_kind(model, e, rows[-1], columns, roles))
    return Matrix(
        model, tuple(rows), tuple(equation), tuple(kind), tuple(columns),
        tuple(owners[v] for v in columns), tuple(roles.get(v, "") for v in columns),
        tuple(leaves), tuple(values), tuple(folded), tuple(dropped), eliminated.values,
    )  # fmt: skip


class _RowReader:
    """Converts residuals to rows. `place` gives for each unknown the variable of its column and its order, `number` the
    column."""

    def __init__(self, known: Mapping[Expr, Expr], place: Mapping[Expr, tuple[Expr, int]], number: Mapping[Expr, int]):
        self.point = FieldPoint(known)
        self._known = known
        self._place = place
        self._number = number
        self._factor = generic("s")

    def slopes(self, residual: Expr, left: Expr) -> tuple[dict[Expr, int], Expr | None]:
        """The slopes of a residual; with `left`, the residual after elimination, if its slopes differ."""
        slopes = self.point.gradient(residual)
        if left is residual:
            return slopes, None
        simpler = self.point.gradient(left)
        if self._in_roots(simpler) == self._in_roots(slopes):
            return slopes, None
        return simpler, left

    def _in_roots(self, slopes: Mapping[Expr, int]) -> dict[Expr, int]:
        """The slopes along variables that are not eliminated."""
        found: dict[Expr, int] = {}
        for v, slope in slopes.items():
            root = self._known.get(v, v)
            if root.op == "neg":
                root, slope = root.args[0], -slope
            if root.level == TIME:
                found[root] = (found.get(root, 0) + slope) % PRIME
        return {root: slope for root, slope in found.items() if slope}

    def row(self, slopes: Mapping[Expr, int]) -> dict[int, int]:
        """The nonzero slopes by column."""
        row: dict[int, int] = {}
        for v, slope in slopes.items():
            if v in self._place:
                lowest, order = self._place[v]
                j = self._number[lowest]
                row[j] = (row.get(j, 0) + slope * pow(self._factor, order, PRIME)) % PRIME
        return {j: value for j, value in row.items() if value}

    def named(self, equation: ArrayEquation) -> tuple[int, ...]:
        """The columns of the variables in the written equation, except for those with values of parameters."""
        leaves = {v for e in (*equation.left.elements, *equation.right.elements) for v in variables_of(e)}
        lowest = {self._place[v][0] for v in leaves if v in self._place and self._known.get(v, v).level == TIME}
        return tuple(sorted(self._number[v] for v in lowest))


def _places(model: FlatModel) -> dict[Expr, tuple[Expr, int]]:
    """Each unknown with the variable of which it is a derivative, and the order."""
    below = {slope: v for v, slope in model.derivatives.items()}
    given = {e for v in model.variables if v.kind == "input" for e in v.value.elements} | set(model.after)
    found: dict[Expr, tuple[Expr, int]] = {}
    for leaf in [*(e for v in model.variables for e in v.value.elements), *model.derivatives.values()]:
        lowest, order = leaf, 0
        while lowest in below:
            lowest, order = below[lowest], order + 1
        if lowest not in given:
            found.setdefault(lowest, (lowest, 0))
            found[leaf] = (lowest, order)
    return found


def _owners(model: FlatModel) -> dict[Expr, str]:
    owners: dict[Expr, str] = {}
    for variable in model.variables:
        instance = rpartition(variable.name.removeprefix("inflow("))[0]
        while instance not in model.classes:  # a cut without body has variables named after it
            instance = rpartition(instance)[0]
        for leaf in variable.value.elements:
            owners.setdefault(leaf, instance)
    return owners


def _roles(model: FlatModel) -> dict[Expr, str]:
    roles: dict[Expr, str] = {}
    for cut in model.cuts.values():
        for role, entries in (("across", cut.across or ()), ("through", cut.through or ())):
            for entry in entries:
                for leaf in entry.value.elements if entry.value else ():
                    roles.setdefault(leaf, role)
        for leaf in leaves_of(cut.carried):
            roles |= {leaf: "carried", inflow_leaf(model.pool, leaf): "carried"}
    return roles


def _kind(model: FlatModel, e: int, row: Mapping[int, int], columns: list[Expr], roles: Mapping[Expr, str]) -> str:
    if model.set_of[e] < 0:
        return OPEN if model.equations[e].reason else WRITTEN
    meeting = {roles.get(columns[j]) for j in row}
    return SUM if "through" in meeting and "carried" not in meeting else EQUAL
