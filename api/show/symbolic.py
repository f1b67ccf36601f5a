"""Converts equations of a translated model into SymPy objects; symbols have the names of the model. Solves nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

import sympy

from cutset.compiler.expressions.linear import Nonlinear, linear_forms
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.walk import reachable
from cutset.compiler.flatten.model import EquationSystem, FlatModel
from cutset.compiler.instantiate.instance import ArrayEquation
from cutset.compiler.sort.system import Assignment, SolvedSystem
from cutset.export.symbolic.of_sympy import FUNCTIONS, choice, number

_RELATIONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "<": sympy.Lt, "<=": sympy.Le, ">": sympy.Gt, ">=": sympy.Ge, "==": sympy.Eq, "<>": sympy.Ne,
}  # fmt: skip
_OPERATORS: Mapping[str, Callable[..., Any]] = {
    **FUNCTIONS,
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "neg": lambda a: -a,
    "min": sympy.Min,
    "max": sympy.Max,
}
_LOGIC = {"and": FUNCTIONS["both"], "or": FUNCTIONS["either"], "not": FUNCTIONS["negated"]}


def written_equations(equations: Iterable[ArrayEquation]) -> list[sympy.Eq]:
    """The scalar equations of these equations, in their order: left = right."""
    pairs = [pair for e in equations for pair in zip(e.left.elements, e.right.elements, strict=True)]
    writer = _Writer({})
    sides = writer.written([side for pair in pairs for side in pair])
    return [_equation(sides[a], sides[b]) for a, b in pairs]


def solved_equations(system: EquationSystem, solved: SolvedSystem) -> list[sympy.Eq]:
    """The equations in the order of evaluation: unknown = value if solved, 0 = residual for an iteration variable."""
    modes = {k: (relation.operator, relation.left, relation.right) for k, relation in enumerate(system.relations)}
    writer = _Writer(modes)
    return [writer.solved(assignment, solved) for assignment in solved.assignments]


def equations_of(form: str, stages: Mapping[str, object]) -> list[sympy.Eq]:
    """The equations in a form, 'original' or 'solved'. ValueError if there is no such form."""
    match form, stages["flatten"], stages["solve"]:
        case "original", FlatModel() as flat, _:
            return written_equations(flat.equations)
        case "solved", _, SolvedSystem() as solved:
            return solved_equations(solved.sorted_system.system, solved)
    raise ValueError(f"there is no form '{form}' of equations: the forms are 'original' and 'solved'")


class _Writer:
    """Converts nodes into SymPy objects, each once; `modes` maps modes to their relations."""

    def __init__(self, modes: Mapping[int, tuple[str, Expr, Expr]]):
        self._modes = modes
        self._done: dict[Expr, Any] = {}

    def written(self, roots: Iterable[Expr]) -> dict[Expr, Any]:
        """All nodes under the roots, as numbers."""
        for node in reachable(roots, self._done):
            if node not in self._done:
                self._done[node] = self._node(node)
        return {root: number(self._done[root]) for root in roots}

    def solved(self, assignment: Assignment, solved: SolvedSystem) -> sympy.Eq:
        unknown, residual = assignment.unknown, assignment.equation.residual
        if not assignment.is_torn:
            try:
                (form,) = linear_forms(solved.pool, [residual], [unknown])
            except Nonlinear:
                pass
            else:
                value = solved.pool.div(solved.pool.neg(form.rest), form.coefficients[unknown])
                sides = self.written([unknown, value])
                return _equation(sides[unknown], sides[value])
        return _equation(sympy.Integer(0), self.written([residual])[residual])

    def _node(self, e: Expr) -> Any:
        args = [self._done[a] for a in e.args]
        match e.op:
            case "constant":
                return sympy.Integer(int(e.data)) if float(e.data).is_integer() else sympy.Float(repr(e.data), 17)
            case "mode":
                return self._mode(e.data)
            case "if":
                return choice(*args)
            case "and" | "or" | "not":
                return _LOGIC[e.op](*args)
            case "element" if e.args[0].op == "apply" and len(e.args[0].data.results) == 1:
                return args[0]
        if not e.args:
            return sympy.Symbol(str(e.data))
        numbers = [number(a) for a in args]
        if e.op in _RELATIONS:
            return _RELATIONS[e.op](*numbers)
        if e.op in _OPERATORS:
            return _OPERATORS[e.op](*numbers)
        name = e.data.name if e.op == "apply" else f"result {e.data + 1}" if e.op == "element" else e.op
        return sympy.Function(name)(*numbers)

    def _mode(self, number: int) -> Any:
        operator, left, right = self._modes[number]
        if operator not in _RELATIONS:
            return sympy.Symbol(f"mode({number})")
        sides = self.written([left, right])
        return _RELATIONS[operator](sides[left], sides[right])


def _equation(left: Any, right: Any) -> sympy.Eq:
    """The equation as written: equal sides must not collapse to a truth value."""
    equation: Any = sympy.Eq(left, right, evaluate=False)
    return cast(sympy.Eq, equation)
