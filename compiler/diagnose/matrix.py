"""FlatModel -> the matrix of its equations at a random point, each row and column with what it stands for.

A derivative counts as `s` times the variable it belongs to, for a random s: the matrix is regular where the equations,
linearised there, have one solution for given initial values (Gantmacher, The Theory of Matrices 2 (1959), ch. 12).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cutset.compiler.expressions.point import PRIME, Point, generic
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.flatten.model import FlatModel
from cutset.compiler.flatten.scalarize import scalar_equations

# What an equation is: of the text, of a connection (across variables equal, through variables summing up), or that
# of a cut which nothing is connected to.
WRITTEN, EQUAL, SUM, OPEN = "written", "equal", "sum", "open"


@dataclass(frozen=True)
class Matrix:
    """rows[i] are the slopes of scalar equation i along each column.

    equation[i]  number of its equation in the model
    kind[i]      one of the kinds above
    columns[j]   the variable; its derivatives are in the same column
    owner[j]     path of the instance that declares it
    role[j]      'across', 'through', or '' for a variable of no cut
    leaves[i]    variables and derivatives that stand in scalar equation i
    values[i]    the value of its residual
    known        what is only another name: each such variable with what it is
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
    known: Mapping[Expr, Expr]

    def transposed(self) -> list[dict[int, int]]:
        """The columns as rows."""
        result: list[dict[int, int]] = [{} for _ in self.columns]
        for i, row in enumerate(self.rows):
            for j, value in row.items():
                result[j][i] = value
        return result


def matrix_of(model: FlatModel, known: Mapping[Expr, Expr]) -> Matrix:
    """The matrix at a point where the variables in `known` have the values of their expressions."""
    place = _places(model)
    columns = [v for v, (lowest, _) in place.items() if v is lowest]
    number = {v: j for j, v in enumerate(columns)}
    owners, roles = _owners(model), _roles(model)
    point, factor = Point(known), generic("s")
    rows, equation, kind, leaves, values = [], [], [], [], []
    for e, residuals in enumerate(scalar_equations(model.pool, model.equations)):
        for scalar in residuals:
            row: dict[int, int] = {}
            slopes = point.gradient(scalar.residual)
            leaves.append(frozenset(slopes))
            values.append(point.value(scalar.residual))
            for v, slope in slopes.items():
                if v in place:
                    lowest, order = place[v]
                    j = number[lowest]
                    row[j] = (row.get(j, 0) + slope * pow(factor, order, PRIME)) % PRIME
            rows.append({j: value for j, value in row.items() if value})
            equation.append(e)
            kind.append(_kind(model, e, rows[-1], columns, roles))
    return Matrix(
        model, tuple(rows), tuple(equation), tuple(kind), tuple(columns),
        tuple(owners[v] for v in columns), tuple(roles.get(v, "") for v in columns),
        tuple(leaves), tuple(values), known,
    )  # fmt: skip


def _places(model: FlatModel) -> dict[Expr, tuple[Expr, int]]:
    """Each unknown with the variable of which it is a derivative, and of which order."""
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
        instance = variable.name.rpartition(".")[0]
        while instance not in model.classes:  # a cut without body has variables of its own, named after it
            instance = instance.rpartition(".")[0]
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
    return roles


def _kind(model: FlatModel, e: int, row: Mapping[int, int], columns: list[Expr], roles: Mapping[Expr, str]) -> str:
    if model.set_of[e] < 0:
        return OPEN if model.equations[e].reason else WRITTEN
    return SUM if any(roles.get(columns[j]) == "through" for j in row) else EQUAL
