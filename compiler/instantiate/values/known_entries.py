"""Finds elements of local variables that are numbers by an equation `x = ...` of their class.

They are zeros of a matrix of direction cosines, or ones of a selection matrix. Products of matrices use them, so that
terms that cancel in the end are not expanded. The equation itself and every other use of the variable is not changed. A
definition is evaluated when a product first needs it, at most once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from cutset.compiler.diagnostics import ModelError
from cutset.compiler.expressions.array import Array
from cutset.compiler.expressions.pool import Expr, Pool
from cutset.compiler.syntax import tree
from cutset.contract.quick_dataclass import dataclass


@dataclass
class KnownEntries:
    """The known numbers of one submodel. `definitions` holds for each leaf of a local variable the right side of its
    equation until it is needed; `values` are the evaluated ones, by the identity of the expression."""

    definitions: dict[Expr, tuple[Array, tree.Expression]] = field(default_factory=dict)
    values: dict[int, Array] = field(default_factory=dict)
    _numbers: dict[Expr, Expr] = field(default_factory=dict)

    def in_place_of_leaves(self, value: Array, pool: Pool, evaluated: Callable[[tree.Expression], Array]) -> Array:
        """`value` with known numbers substituted for leaves and negated leaves."""
        found: list[Expr] = []
        for e in value.elements:
            leaf = e.args[0] if e.op == "neg" else e
            if leaf in self.definitions:
                self._look_up(leaf, evaluated)
            number = self._numbers.get(leaf)
            if number is None:
                found.append(e)
            else:
                found.append(pool.neg(number) if e.op == "neg" else number)
        return Array(value.shape, tuple(found))

    def _look_up(self, leaf: Expr, evaluated: Callable[[tree.Expression], Array]) -> None:
        variable, written = self.definitions[leaf]
        for element in variable.elements:  # before evaluation: definitions may be cyclic
            self.definitions.pop(element, None)
        try:
            value = evaluated(written)
        except ModelError:
            return  # it is reported with the equation
        self.values[id(written)] = value
        if value.shape == variable.shape:
            self._numbers |= {
                x: e for x, e in zip(variable.elements, value.elements, strict=False) if e.op == "constant"
            }


def known_entries(
    statements: Sequence[tree.Statement], variables: Mapping[str, Array], is_local: Callable[[str], bool]
) -> KnownEntries:
    """For the statements of a class and the variables of a submodel of it. Variables defined twice are omitted."""
    written: dict[str, list[tree.Expression]] = {}
    for member in statements:
        if isinstance(member, tree.Equation) and isinstance(member.left, tree.Reference):
            (first, *others) = member.left.parts
            if not others and first.arguments is None and is_local(first.name):
                written.setdefault(first.name, []).append(member.right)
    known = KnownEntries()
    for name, sides in written.items():
        if len(sides) == 1 and name in variables:
            known.definitions |= dict.fromkeys(variables[name].elements, (variables[name], sides[0]))
    return known
