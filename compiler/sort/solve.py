"""Stage 5b. SortedSystem -> SolvedSystem: every block solved, linear loops torn, solutions inlined into one DAG.

Coefficients are taken on the local equation, then solved unknowns are put in: sharing makes common
subexpressions and dead code free. Must not print, count or order operations.
"""

from __future__ import annotations

from cutset.compiler.diagnostics import Diagnostic, Label, ModelError
from cutset.compiler.expressions.circuits import circuits
from cutset.compiler.expressions.linear import LinearForm, Nonlinear, linear_forms
from cutset.compiler.expressions.point import Point
from cutset.compiler.expressions.pool import CONSTANT, Expr, Pool, Undefined
from cutset.compiler.expressions.walk import Substitution
from cutset.compiler.flatten.model import Origin
from cutset.compiler.sort import messages
from cutset.compiler.sort.system import Assignment, Block, SolvedSystem, SortedSystem, Torn
from cutset.compiler.structure.tearing import Tearing, tear


def solve(sorted_system: SortedSystem) -> SolvedSystem:
    """Raises ModelError for a block that is singular whatever the state is, or nonlinear."""
    solver = _Solver(sorted_system)
    for block in sorted_system.blocks:
        try:
            solver.block(block)
        except ModelError as error:
            solver.diagnostics += error.diagnostics
            break  # what follows builds on this block
    if solver.diagnostics:
        raise ModelError(solver.diagnostics)
    return SolvedSystem(sorted_system, solver.pool, tuple(solver.assignments), tuple(solver.linear_systems))


class _Solver:
    """`_inline` puts what is solved into a local expression; its mapping grows block by block."""

    def __init__(self, sorted_system: SortedSystem):
        self._name = sorted_system.system.name
        self._places = sorted_system.system.places
        self.pool: Pool = sorted_system.system.pool
        self._solved: dict[Expr, Expr] = {}
        self._inline = Substitution(self.pool, self._solved)
        self.assignments: list[Assignment] = []
        self.linear_systems: list[Torn] = []
        self.diagnostics: list[Diagnostic] = []
        self._point = Point({})

    def block(self, block: Block) -> None:
        try:
            forms = linear_forms(self.pool, [e.residual for e in block.equations], block.unknowns)
        except Nonlinear as error:
            raise ModelError([self._nonlinear(block)]) from error
        except Undefined as error:
            raise ModelError([self._singular(block, 0, str(error))]) from error
        if len(block.unknowns) == 1:
            self._single(block, forms[0])
        else:
            self._system(block, forms)

    def _single(self, block: Block, form: LinearForm) -> None:
        """coefficient * unknown + rest = 0"""
        unknown, pool = block.unknowns[0], self.pool
        coefficient = form.coefficients.get(unknown, pool.zero)
        try:
            divisor = self._inline(coefficient)
            value = pool.div(pool.neg(self._inline(form.rest)), divisor)
        except Undefined as error:
            raise ModelError([self._singular(block, 0, str(error))]) from error
        if self._point.value(divisor) == 0:
            raise ModelError([self._singular(block, 0, "its factor is zero whatever the state is")])
        self._assign(block, 0, value)

    def _assign(self, block: Block, k: int, value: Expr, equation: int | None = None) -> None:
        self._solved[block.unknowns[k]] = value
        origin = block.equations[k if equation is None else equation]
        self.assignments.append(Assignment(block.unknowns[k], value, origin))

    # --- linear systems ----------------------------------------------------------------------------

    def _system(self, block: Block, forms: list[LinearForm]) -> None:
        """Tears the loop: all but the tearing variables follow explicitly, the residuals are solved for those."""
        pool, unknowns = self.pool, block.unknowns
        index = {u: k for k, u in enumerate(unknowns)}
        try:
            rests = [self._inline(f.rest) for f in forms]
            rows = [{index[u]: self._inline(c) for u, c in f.coefficients.items()} for f in forms]
        except Undefined as error:
            raise ModelError([self._singular(block, 0, str(error))]) from error
        rows = [{k: c for k, c in row.items() if c is not pool.zero} for row in rows]
        # A pivot must not vanish, nor become small, in any run: only constants may serve, the rest is left to LU.
        solvable = [{k for k, c in row.items() if c.level == CONSTANT} for row in rows]
        tearing = tear([sorted(row) for row in rows], solvable)
        self.linear_systems.append(Torn(len(unknowns), len(tearing.tearing_variables)))
        values = self._torn_values(block, rows, rests, tearing)
        for k, equation in zip(tearing.tearing_variables, tearing.residual_equations):
            self._assign(block, k, values[k], equation)
        for equation, k in tearing.sequence:
            total = rests[equation]
            for other, c in rows[equation].items():
                if other != k:
                    total = pool.add(total, pool.mul(c, self._solved[unknowns[other]]))
            self._assign(block, k, pool.div(pool.neg(total), rows[equation][k]), equation)

    def _torn_values(
        self, block: Block, rows: list[dict[int, Expr]], rests: list[Expr], tearing: Tearing
    ) -> dict[int, Expr]:
        """The tearing variables z out of the residual equations A*z + b = 0."""
        pool, torn = self.pool, tearing.tearing_variables
        forms: dict[int, tuple[dict[int, Expr], Expr]] = {k: ({k: pool.one}, pool.zero) for k in torn}
        for equation, k in tearing.sequence:
            coefficients, rest = self._combined(rows[equation], rests[equation], forms, k)
            pivot = pool.neg(rows[equation][k])
            forms[k] = {z: pool.div(c, pivot) for z, c in coefficients.items()}, pool.div(rest, pivot)
        matrix, right = [], []
        for equation in tearing.residual_equations:
            coefficients, rest = self._combined(rows[equation], rests[equation], forms, None)
            matrix.append([coefficients.get(z, pool.zero) for z in torn])
            right.append(pool.neg(rest))
        # Singular at a random point is singular everywhere. An LU factorisation would go on with what rounding leaves.
        numbers = [{k: n for k, a in enumerate(row) if (n := self._point.value(a))} for row in matrix]
        dependent = circuits(numbers, range(len(matrix)))
        if dependent:
            reason = "the unknowns drop out of the system it belongs to"
            raise ModelError([self._singular(block, tearing.residual_equations[max(dependent[0])], reason)])
        if not torn:  # zeros have come to light, and the rest follows one by one
            return {}
        if len(torn) == 1:
            return {torn[0]: pool.div(right[0], matrix[0][0])}
        return dict(zip(torn, pool.solve(matrix, right)))

    def _combined(
        self, row: dict[int, Expr], rest: Expr, forms: dict[int, tuple[dict[int, Expr], Expr]], without: int | None
    ) -> tuple[dict[int, Expr], Expr]:
        """An equation in terms of the tearing variables alone."""
        pool = self.pool
        coefficients: dict[int, Expr] = {}
        for k, c in row.items():
            if k == without:
                continue
            inner, inner_rest = forms[k]
            rest = pool.add(rest, pool.mul(c, inner_rest))
            for z, a in inner.items():
                coefficients[z] = pool.add(coefficients.get(z, pool.zero), pool.mul(c, a))
        return {z: c for z, c in coefficients.items() if c is not pool.zero}, rest

    # --- messages ------------------------------------------------------------------------------------

    def _singular(self, block: Block, k: int, reason: str) -> Diagnostic:
        origin = block.equations[k].origin
        place = self._places.get(origin.instance)
        labels = (Label(place, f"this is '{origin.instance}'"),) if origin.instance and place else ()
        instance = origin.instance or self._name
        return messages.singular(str(block.unknowns[k].data), reason, origin.span, instance, labels, _origins(block))

    def _nonlinear(self, block: Block) -> Diagnostic:
        names = [str(u.data) for u in block.unknowns]
        first = block.equations[0].origin
        labels = tuple(Label(e.origin.span, f"in {e.origin.instance or self._name}") for e in block.equations[1:])
        return messages.nonlinear(names, first.span, first.instance or self._name, labels, _origins(block))


def _origins(block: Block) -> tuple[Origin, ...]:
    return tuple(equation.origin for equation in block.equations)
