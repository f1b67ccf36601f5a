"""Solves matrix and vector equations with rotations for what they determine (stage 2d): FlatModel -> FlatModel.

A rotation matrix has nine elements, but only three are free: C = A'*B determines B = A*C by nine explicit equations,
where nine separate ones would be three systems of three unknowns, or a part of an iteration. From the matrices that
formulas give outward, each relation with one unknown matrix is solved for it, and so are relations y = A'*x of
positions. The inverse of a matrix is the transposed one if its formula shows that, or if the attribute `rotation` says
so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from cutset.compiler.diagnostics import ModelError
from cutset.compiler.expressions.array import Array, multiply, transpose
from cutset.compiler.expressions.finite_field_evaluation import PRIME, FieldPoint
from cutset.compiler.expressions.linear import Nonlinear, linear_forms
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.walk import variables_of
from cutset.compiler.flatten import messages
from cutset.compiler.flatten.model import FlatModel
from cutset.compiler.flatten.orthogonality import Formulas
from cutset.compiler.instantiate.instance import ArrayEquation, Variable

Name = str


class _Factor(NamedTuple):
    """A matrix in a product, or its transpose."""

    name: Name
    is_transposed: bool

    @property
    def inverse(self) -> _Factor:
        return _Factor(self.name, not self.is_transposed)


class _Turn(NamedTuple):
    """y = factor*x"""

    y: Array
    factor: _Factor
    x: tuple[Expr, ...]


class _Relation(NamedTuple):
    """result = first*second; an equality has no second factor."""

    result: Name
    first: _Factor
    second: _Factor | None

    @property
    def names(self) -> set[Name]:
        return {self.result, self.first.name} | ({self.second.name} if self.second else set())

    def products(self) -> Iterator[tuple[_Factor, _Factor, _Factor]]:
        """All ways to write it as a product of two rotations: both factors, and the result."""
        if self.second is not None:
            a, b, c = self.first, self.second, _Factor(self.result, False)
            for one, other, whole in ((a, b, c), (c, b.inverse, a), (a.inverse, c, b)):
                yield one, other, whole
                yield other.inverse, one.inverse, whole.inverse


def with_rotations_solved(model: FlatModel) -> FlatModel:
    """The model in which equations with rotations are solved for the frames farther from what is known."""
    matrices = {v.name: v for v in model.variables if v.value.shape == (3, 3)}
    if not matrices:
        return model
    solver = _Solver(model, matrices)
    solver.spread_matrices()
    solver.spread_vectors()
    if not solver.made:
        return model
    return replace(model, equations=tuple(solver.made.get(k, e) for k, e in enumerate(model.equations)))


class _Solver:
    """`known` are matrices and vectors that follow from what is known, `rotations` the matrices whose inverse is the
    transposed one, `made` the equations that are solved."""

    def __init__(self, model: FlatModel, matrices: Mapping[Name, Variable]):
        self._model, self._pool = model, model.pool
        self._matrices = matrices
        self._place = {leaf: (name, k) for name, v in matrices.items() for k, leaf in enumerate(v.value.elements)}
        self._point = FieldPoint(_numbers(model.equations))
        self.known: set[Name] = set()
        self.rotations: set[Name] = set()
        self.made: dict[int, ArrayEquation] = {}
        self._products: dict[tuple[_Factor, _Factor], _Factor] = {}
        self._turned: dict[tuple[Expr, ...], _Turn] = {}

    # --- matrices ----------------------------------------------------------------------------------

    def spread_matrices(self) -> None:
        """Solve relations of matrices, outward from those that formulas give."""
        relations: dict[int, _Relation] = {}
        formulas: dict[Name, ArrayEquation] = {}
        for k, equation in enumerate(self._model.equations):
            if equation.left.shape != (3, 3):
                continue
            if (relation := self._relation(equation)) is not None:
                relations[k] = relation
            elif (name := self._name(equation.left)) is not None:
                formulas.setdefault(name, equation)
        queue = list(formulas)
        self.known = set(formulas)
        self._check(formulas, Formulas(self._model, relations))
        users: dict[Name, list[int]] = {}
        for k, relation in relations.items():
            for name in relation.names:
                users.setdefault(name, []).append(k)
        for name in queue:  # grows during the loop
            for k in users.get(name, ()):
                unknown = relations[k].names - self.known
                if len(unknown) == 1:
                    found = unknown.pop()
                    self._solve(k, relations[k], found)
                    self.known.add(found)
                    queue.append(found)
        for relation in relations.values():
            if relation.names <= self.rotations:
                self._products |= {(one, other): whole for one, other, whole in relation.products()}

    def _check(self, given: Mapping[Name, ArrayEquation], formulas: Formulas) -> None:
        """Find the rotations among given matrices. ModelError if one has the attribute and is none."""
        claimed = {name for name, v in self._matrices.items() if v.is_rotation}
        proven = {name for name, equation in given.items() if formulas.is_orthogonal(equation.right)}
        wrong = [
            name for name in given if name in claimed - proven and not formulas.may_be_orthogonal(given[name].right)
        ]
        if wrong:
            equation = given[wrong[0]]
            raise ModelError([messages.no_rotation(wrong[0], equation.span, equation.instance)])
        self.rotations = claimed | proven

    def _relation(self, equation: ArrayEquation) -> _Relation | None:
        """The matrices of an equation between two or three of them."""
        for left, right in ((equation.left, equation.right), (equation.right, equation.left)):
            result = self._name(left)
            if result is None:
                continue
            names = {self._place[v][0] for e in right.elements for v in variables_of(e) if v in self._place}
            others = all(v in self._place for e in right.elements for v in variables_of(e))
            if not others or not names or result in names or len(names) > 2:
                continue
            value = [self._point.value(e) for e in right.elements]
            factors = [_Factor(name, turned) for name in sorted(names) for turned in (False, True)]
            if len(names) == 1:
                return next((_Relation(result, f, None) for f in factors if self._values(f) == value), None)
            for a, b in product(factors, factors):
                if a.name != b.name and _multiplied(self._values(a), self._values(b)) == value:
                    return _Relation(result, a, b)
        return None

    def _values(self, factor: _Factor) -> list[int]:
        return [self._point.value(e) for e in self._array(factor).elements]

    def _array(self, factor: _Factor) -> Array:
        value = self._matrices[factor.name].value
        return transpose(value) if factor.is_transposed else value

    def _name(self, side: Array) -> Name | None:
        """The matrix variable that is one side of an equation."""
        place = self._place.get(side.elements[0])
        whole = self._matrices[place[0]].value if place is not None else None
        return place[0] if place is not None and whole is not None and whole.elements == side.elements else None

    def _solve(self, k: int, relation: _Relation, unknown: Name) -> None:
        """Solve a relation for its unknown matrix, if the other factor can be inverted."""
        first, second = relation.first, relation.second
        factors = [f.name for f in (first, second) if f is not None]
        if unknown == relation.result or second is None:
            if all(name in self.rotations for name in {relation.result, *factors} - {unknown}):
                self.rotations.add(unknown)
            return
        inverted, wanted = (second, first) if unknown == first.name else (first, second)
        if inverted.name not in self.rotations:
            return
        result = self._matrices[relation.result].value
        inverse = self._array(inverted.inverse)
        value = multiply(self._pool, result, inverse) if wanted is first else multiply(self._pool, inverse, result)
        equation = self._model.equations[k]
        value = transpose(value) if wanted.is_transposed else value
        self.made[k] = replace(equation, left=self._matrices[unknown].value, right=value)
        if relation.result in self.rotations:
            self.rotations.add(unknown)

    # --- vectors -----------------------------------------------------------------------------------

    def spread_vectors(self) -> None:
        """Solve relations y = A*x of vectors with three elements, outward from those that formulas give and from
        coordinates, which have derivatives. With z = B*x, y = A*B'*z, where that product is known."""
        place = {leaf: v.name for v in self._model.variables if v.value.shape == (3,) for leaf in v.value.elements}
        turns = {k: turn for k, e in enumerate(self._model.equations) if (turn := self._turn(e)) is not None}
        uses: dict[int, set[Name]] = {}
        users: dict[Name, list[int]] = {}
        for k, equation in enumerate(self._model.equations):
            if equation.left.shape == (3,) and self._matrices_in(equation) <= self.known:
                uses[k] = {place[v] for v in _variables(equation) if v in place}
                for name in uses[k]:
                    users.setdefault(name, []).append(k)
        known = {place[state] for state in self._model.derivatives if state in place}
        used: set[int] = set()
        ready = [k for k, names in uses.items() if len(names - known) == 1]
        for k in ready:  # grows during the loop
            unknown, turn = uses[k] - known, turns.get(k)
            for found in unknown:  # one, or none by now
                inside = turn is not None and any(place.get(v) == found for e in turn.x for v in variables_of(e))
                if turn is not None and inside:
                    self._turn_back(k, turn)
                if inside or self._is_explicit(k, found, place):
                    known.add(found)
                    used.add(k)
                    ready += [other for other in users[found] if len(uses[other] - known) == 1]
            if turn is not None and not unknown and k not in used:  # it closes a loop
                self._turn_back(k, turn)
        self._shorten(turns)

    def _is_explicit(self, k: int, name: Name, place: Mapping[Expr, Name]) -> bool:
        """True if a vector equation has a vector as one of its sides, and not in the other one."""
        sides = self._model.equations[k].left, self._model.equations[k].right
        for one, other in (sides, sides[::-1]):
            if all(e.op == "variable" and place.get(e) == name for e in one.elements):
                return not any(place.get(v) == name for e in other.elements for v in variables_of(e))
        return False

    def _turn(self, equation: ArrayEquation) -> _Turn | None:
        """The equation as y = A*x, for a rotation A."""
        if equation.left.shape != (3,):
            return None
        pool = self._pool
        for name in sorted(self._matrices_in(equation) & self.rotations):
            leaves = self._matrices[name].value
            residuals = [pool.sub(a, b) for a, b in zip(equation.left.elements, equation.right.elements, strict=True)]
            try:
                forms = linear_forms(pool, residuals, leaves.elements)
            except Nonlinear:
                continue
            for is_transposed in (False, True):
                a = transpose(leaves) if is_transposed else leaves
                rows = [[form.coefficients.pop(leaf, pool.zero) for leaf in a.row(i)] for i, form in enumerate(forms)]
                if all(row == rows[0] for row in rows) and not any(form.coefficients for form in forms):
                    y = Array((3,), tuple(pool.neg(form.rest) for form in forms))
                    return _Turn(y, _Factor(name, is_transposed), tuple(rows[0]))
                forms = linear_forms(pool, residuals, leaves.elements)
        return None

    def _turn_back(self, k: int, turn: _Turn) -> None:
        """y = A*x becomes A'*y = x."""
        value = multiply(self._pool, transpose(self._array(turn.factor)), turn.y)
        self.made[k] = replace(self._model.equations[k], left=Array((3,), turn.x), right=value)
        self._turned.setdefault(turn.x, turn)

    def _shorten(self, turns: Mapping[int, _Turn]) -> None:
        """With A*x = y, z = B*x becomes z = B*A'*y."""
        products = self._products
        for k, turn in turns.items():
            other = self._turned.get(turn.x)
            if other is None or k in self.made:
                continue
            found = products.get((turn.factor, other.factor.inverse))
            if found is not None:
                value = multiply(self._pool, self._array(found), other.y)
                self.made[k] = replace(self._model.equations[k], left=turn.y, right=value)

    def _matrices_in(self, equation: ArrayEquation) -> set[Name]:
        return {self._place[v][0] for v in _variables(equation) if v in self._place}


def _variables(equation: ArrayEquation) -> set[Expr]:
    return {v for side in (equation.left, equation.right) for e in side.elements for v in variables_of(e)}


def _multiplied(a: Sequence[int], b: Sequence[int]) -> list[int]:
    """The product of two matrices in the prime field."""
    return [sum(a[3 * i + k] * b[3 * k + j] for k in range(3)) % PRIME for i in range(3) for j in range(3)]


def _numbers(equations: Sequence[ArrayEquation]) -> dict[Expr, Expr]:
    """Variables that are numbers: products use these."""
    pairs = (pair for e in equations for pair in zip(e.left.elements, e.right.elements, strict=False))
    return {left: right for left, right in pairs if left.op == "variable" and right.op == "constant"}
