"""Tests whether a change would fix the model, by the rank of the matrix with rows removed and added."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from cutset.compiler.diagnose.matrix import EQUAL, OPEN, SUM, Matrix, rank_of
from cutset.compiler.expressions.finite_field_evaluation import PRIME
from cutset.compiler.flatten.model import ConnectionSet
from cutset.compiler.instantiate.instance import leaves_of


def mended_by_connecting(matrix: Matrix, cuts: Collection[tuple[str, str]]) -> bool:
    """True if connections at these open cuts, which determine their across variables, would leave less undetermined."""
    opened_cuts = [matrix.model.cuts[key] for key in cuts]
    across, through = (
        {leaf for cut in opened_cuts for leaf in leaves_of(getattr(cut, kind))} for kind in ("across", "through")
    )
    opened = {
        i for i, kind in enumerate(matrix.kind)
        if kind == OPEN and through & set(matrix.model.equations[matrix.equation[i]].left.elements)
    }  # fmt: skip
    given = [j for j, variable in enumerate(matrix.columns) if variable in across]
    return _rank(matrix, opened, given) > matrix.rank


def mended_by_closing(matrix: Matrix, cut: tuple[str, str]) -> bool:
    """True if an equation for the through variables of this cut would leave less undetermined."""
    through = set(leaves_of(matrix.model.cuts[cut].through))
    given = [j for j, variable in enumerate(matrix.columns) if variable in through]
    return _rank(matrix, (), given) > matrix.rank


def mended_by_joining(matrix: Matrix, connection: ConnectionSet) -> bool:
    """True if another end at a connection, which determines the across variables there, would leave less
    undetermined."""
    model = matrix.model
    number = model.sets.index(connection)
    sums = {i for i, kind in enumerate(matrix.kind) if kind == SUM and model.set_of[matrix.equation[i]] == number}
    cuts = [model.cuts[end.instance, end.name] for end in connection.ends if end.side != "node"]
    across = set(leaves_of(cuts[0].across))
    given = [j for j, variable in enumerate(matrix.columns) if variable in across]
    return _rank(matrix, sums, given) > matrix.rank


def mended_by_turning(matrix: Matrix, path: str, names: Sequence[str]) -> bool:
    """True if exchanging the connections of a submodel with two cuts of one shape would leave less undetermined."""
    model = matrix.model
    number = {variable: j for j, variable in enumerate(matrix.columns)}
    partner: dict[int, tuple[int, int]] = {}
    first, second = (model.cuts[path, name] for name in names)
    for one, other in zip(first.entries, second.entries, strict=False):
        sign = one.sign * other.sign
        for a, b in zip(
            one.value.elements if one.value else (), other.value.elements if other.value else (), strict=False
        ):
            if a in number and b in number:
                partner[number[a]], partner[number[b]] = (number[b], sign), (number[a], sign)
    ends = {(path, name) for name in names}
    touched = {
        k for k, s in enumerate(model.sets) if any((e.instance, e.name) in ends and e.side == "outside" for e in s.ends)
    }  # fmt: skip

    def turned(i: int, row: dict[int, int]) -> dict[int, int]:
        is_there = matrix.kind[i] in (EQUAL, SUM) and model.set_of[matrix.equation[i]] in touched
        if not is_there and matrix.kind[i] != OPEN:
            return row
        moved = [(*partner.get(j, (j, 1)), value) for j, value in row.items()]
        return {j: sign * value % PRIME for j, sign, value in moved}

    rows = sorted((turned(i, dict(row)) for i, row in enumerate(matrix.rows)), key=len)
    return rank_of(rows) > matrix.rank


def _rank(matrix: Matrix, without: Collection[int], given: Iterable[int]) -> int:
    rows = [row for i, row in enumerate(matrix.rows) if i not in without]
    return rank_of([*({j: 1} for j in given), *sorted(rows, key=len)])
