"""Reduces a mechanism to the equations of a function (before stage 3c): FlatModel and Function -> FunctionModel.

Only the equations of the chosen submodels remain, and those of the connections between their cut-frames. Positions,
velocities and accelerations are independent of each other. Forces that other submodels would determine are zero.
Relations are evaluated where the function is: there are no events. Solves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from cutset.compiler.expressions.array import Array, multiply, scalar
from cutset.compiler.expressions.pool import Expr, Pool
from cutset.compiler.expressions.walk import rewrite, variables_of
from cutset.compiler.flatten.model import FlatModel
from cutset.compiler.flatten.scalarize import scalar_sides
from cutset.compiler.function.definition import FrameMotion, Function, MassMotion, NotAFunction
from cutset.compiler.function.masses import Mass, Masses
from cutset.compiler.instantiate.events.model import Events
from cutset.compiler.instantiate.instance import ArrayEquation, Cut, Variable, leaves_of
from cutset.compiler.structure.matching import UNMATCHED, augment
from cutset.contract.functions import RELATIONS, STEPS
from cutset.contract.names import rpartition
from cutset.contract.quick_dataclass import dataclass

# The shapes of the across variables of a cut-frame with velocities: direction cosines, position, velocity.
_TWISTS = ((3, 3), (3,), (6,))
# The parameters of a rigid body: mass, center of mass, inertia about it.
INERTIAL = ("m", "r1", "r2", "r3", "I11", "I22", "I33", "I21", "I31", "I32")


@dataclass(frozen=True)
class FunctionModel:
    """The equations of a function. `outputs` and `residuals`, the constraints, are in terms of their variables;
    `slopes` maps positions to the variables that are their derivatives, `values` those of `by` that are parameters of
    the model to their values; `change` as in `Function`."""

    flat: FlatModel
    inputs: tuple[Expr, ...]
    outputs: tuple[Expr, ...]
    by: tuple[Expr, ...]
    residuals: tuple[Expr, ...]
    slopes: dict[Expr, Expr]
    values: dict[Expr, Expr]
    change: str

    def __str__(self) -> str:
        return str(self.flat)


def function_model(flat: FlatModel, function: Function) -> FunctionModel:
    """The equations of the function. NotAFunction if a variable that it needs is not determined."""
    return _Reduction(flat, function).model()


class _Reduction:
    """Selects equations. `named` are the variables of the function, which the model itself gives no values."""

    def __init__(self, flat: FlatModel, function: Function):
        self._flat, self._function = flat, function
        self._varied = {name: flat.pool.variable(f"${name}") for name, _ in function.parameters}
        self._declared = {leaf: v for v in flat.variables for leaf in v.value.elements}
        leaves = [*self._declared, *flat.derivatives.values()]
        self._leaf = {str(leaf.data): leaf for leaf in leaves} | self._varied
        self._frames = {key: cut for key, cut in flat.cuts.items() if _turn(cut) is not None}
        self._inputs, self._by, self._zeros, self._independent, self._open = (
            tuple(map(self._found, names))
            for names in (function.inputs, function.by, function.zeros, function.independent, function.open)
        )
        named = (self._found(name) for name in function.outputs if isinstance(name, str))
        self._named = {*self._inputs, *self._by, *self._zeros, *self._open, *named}
        self._known = {*self._inputs, *self._by}
        self._forces = {leaf for cut in self._frames.values() for leaf in leaves_of(cut.through)}

    def model(self) -> FunctionModel:
        flat, pool = self._flat, self._flat.pool
        kept, residuals = self._constraints()
        numbers = [k for k, equation in enumerate(flat.equations) if self._holds(k, equation)]
        kept = [*(flat.equations[k] for k in numbers), *kept]
        outputs = [e for each in self._function.outputs for e in self._output(each)]
        zeros = [*self._zeros, *self._undetermined(kept, [*outputs, *residuals])]
        origin = kept[0].span if kept else next(iter(flat.places.values()))
        kept += [ArrayEquation(scalar(leaf), scalar(pool.zero), origin, "") for leaf in zeros]
        kept, (outputs, residuals) = _without_events(flat, kept, (outputs, residuals))
        if self._varied:
            varied = self._parameters()
            kept, (outputs, residuals) = _rewritten(pool, kept, (outputs, residuals), lambda node, _: varied.get(node))
        used = _leaves([*_expressions(kept), *outputs, *residuals])
        derivatives = self._derivatives(used)
        used |= dict.fromkeys((*derivatives, *derivatives.values()))
        reduced = replace(
            flat,
            variables=tuple(self._variable(leaf) for leaf in {**used, **dict.fromkeys((*self._inputs, *self._by))}),
            externals=(),
            equations=tuple(kept),
            derivatives=derivatives,
            set_of=(*(flat.set_of[k] for k in numbers), *[-1] * (len(kept) - len(numbers))),
            events=Events(),
            initial=(),
            closed=(),
            after={},
            inactive_branches=(),
            given_starts={},
        )
        slopes = {v: flat.derivatives[v] for v in self._independent if v in flat.derivatives}
        values = {self._varied[name]: pool.constant(value) for name, value in self._function.parameters}
        return FunctionModel(
            reduced, self._inputs, tuple(outputs), self._by, tuple(residuals), slopes, values, self._function.change
        )

    def _found(self, name: str) -> Expr:
        if name not in self._leaf:
            raise NotAFunction(f"there is no variable '{name}' any more")
        return self._leaf[name]

    # --- equations -------------------------------------------------------------------------------

    def _holds(self, k: int, equation: ArrayEquation) -> bool:
        flat = self._flat
        if flat.set_of[k] >= 0:
            ends = flat.sets[flat.set_of[k]].ends
            return all((end.instance, end.name) in self._frames for end in ends if end.side != "node")
        if equation.instance in self._function.constraints:
            return False
        if not (equation.reason or equation.default_of):
            return equation.instance in self._function.submodels
        if not self._named.isdisjoint(equation.left.elements):
            return False
        return equation.instance in self._function.submodels or equation.left.elements[0] in self._forces

    def _constraints(self) -> tuple[list[ArrayEquation], list[Expr]]:
        """The equations of the constraining submodels that define their own variables, and the residuals of the others
        without forces: those are the constraints."""
        kept: list[ArrayEquation] = []
        residuals: list[Expr] = []
        for path in self._function.constraints:
            waiting = [e for e in self._flat.equations if e.instance == path and not e.reason]
            sides = [s for several in scalar_sides(waiting) for s in several]
            known = {leaf for (p, _), cut in self._frames.items() if p == path for leaf in leaves_of(cut.across)}
            progress = True
            while progress:
                progress, later = False, []
                for side in sides:
                    residual = self._flat.pool.sub(side.left, side.right)
                    unknown = [v for v in variables_of(residual) if v not in known]
                    if len(unknown) > 1:
                        later.append(side)
                        continue
                    progress = True
                    known.update(unknown)
                    if unknown:
                        kept.append(ArrayEquation(scalar(side.left), scalar(side.right), side.origin.span, path))
                    else:
                        residuals.append(residual)
                sides = later
        return kept, residuals

    def _undetermined(self, kept: Sequence[ArrayEquation], outputs: Sequence[Expr]) -> list[Expr]:
        """The variables, of those in equations that are left out, that the remaining equations do not determine.
        NotAFunction if they leave others undetermined."""
        rows = [variables_of(s.left) + variables_of(s.right) for several in scalar_sides(kept) for s in several]
        base = {d: v for v, d in self._flat.derivatives.items() if v not in self._independent}
        equations_of: dict[Expr, list[int]] = {base.get(v, v): [] for v in _leaves(outputs) if v not in self._known}
        for k, row in enumerate(rows):
            for v in row:
                if v not in self._known and v not in self._zeros:
                    equations_of.setdefault(base.get(v, v), []).append(k)
        chosen = set(map(id, kept))
        apart = (e for e in self._flat.equations if id(e) not in chosen)
        given = _leaves(_expressions(apart)).keys() & self._from_outside() - self._named
        variables = sorted(equations_of, key=given.__contains__)  # those that must be determined come first
        columns = [equations_of[v] for v in variables]
        owner = [UNMATCHED] * len(rows)
        free, in_vain = list[Expr](), set[int]()  # what a search visits in vain leads no later one to its goal
        for k, v in enumerate(variables):
            visited: set[int] = set()
            if not augment(k, columns, owner, visited, in_vain):
                free.append(v)
                in_vain |= visited
        wrong = next((v for v in free if v not in given), None)
        if wrong is not None:
            raise NotAFunction(f"nothing determines '{wrong.data}'")
        _require_one_choice(variables, columns, owner, given)
        return free

    def _from_outside(self) -> set[Expr]:
        """What may come from other submodels: the variables of the chosen ones, but none that is across in a cut, and
        the forces at all cut-frames."""
        across = {leaf for cut in self._flat.cuts.values() for leaf in leaves_of(cut.across)}
        own = (v for v in self._flat.variables if rpartition(v.name)[0] in self._function.submodels)
        return {leaf for v in own for leaf in v.value.elements if leaf not in across} | self._forces

    # --- variables -------------------------------------------------------------------------------

    def _output(self, output: str | FrameMotion | MassMotion) -> list[Expr]:
        if isinstance(output, str):
            return [self._found(output)]
        if isinstance(output, MassMotion):
            return self._of_masses(output)
        turn, place, *halves = self._twist(output.instance, output.cut)
        if output.quantity != "velocity":
            return list((turn if output.quantity == "rotation" else place).elements)
        return [e for half in halves[:2] for e in multiply(self._flat.pool, turn, half).elements]

    def _twist(self, instance: str, name: str) -> tuple[Array, ...]:
        """Direction cosines and position of a cut-frame, angular velocity and velocity in it, and so the accelerations
        if it has them."""
        cut = self._frames.get((instance, name))
        values = [e.value for e in cut.across or ()] if cut is not None else []
        shapes = tuple(value.shape if value is not None else () for value in values)
        if shapes[:3] != _TWISTS:
            raise NotAFunction(f"the cut-frame {instance}:{name} has no velocity of six elements")
        turn, place, *motions = (value for value in values if value is not None and value.shape in _TWISTS)
        return turn, place, *(Array((3,), each.elements[k : k + 3]) for each in motions for k in (0, 3))

    def _of_masses(self, output: MassMotion) -> list[Expr]:
        numbers = {p.name: p.value.elements for p in self._flat.parameters}
        zero = (self._flat.pool.zero,)
        masses = []
        for instance, cut in output.masses:
            m, *center, i11, i22, i33, i21, i31, i32 = (numbers.get(f"{instance}.{name}", zero)[0] for name in INERTIAL)
            inertia = Array((3, 3), (i11, i21, i31, i21, i22, i32, i31, i32, i33))
            masses.append(Mass(m, Array((3,), tuple(center)), inertia, *self._twist(instance, cut)[:4]))
        sums = Masses(self._flat.pool, masses)
        if output.quantity == "energy":
            return sums.energy(self._twist(*output.base)[5])
        return sums.center() if output.quantity == "center" else sums.momentum()

    def _parameters(self) -> dict[Expr, Expr]:
        """The parameters that vary, and those that follow from them."""
        found: dict[Expr, Expr] = {}
        for parameter in self._flat.parameters:
            if parameter.name in self._varied and parameter.value.elements[0].op != "parameter":
                raise NotAFunction(f"'{parameter.name}' is part of the structure of the model")
            for leaf, binding in zip(parameter.value.elements, parameter.binding.elements, strict=False):
                if parameter.name in self._varied:
                    found[leaf] = self._varied[parameter.name]
                elif leaf.op == "parameter":
                    value = rewrite(self._flat.pool, [binding], lambda node, _: found.get(node))[binding]
                    if value is not binding:
                        found[leaf] = value
        return found

    def _derivatives(self, used: dict[Expr, None]) -> dict[Expr, Expr]:
        links = ((v, d) for v, d in self._flat.derivatives.items() if v not in self._independent)
        return {v: d for v, d in links if v in used or d in used}

    def _variable(self, leaf: Expr) -> Variable:
        """A scalar variable of its own for the leaf."""
        kind, declared = "input" if leaf in self._known else "local", self._declared.get(leaf)
        if leaf in self._flat.after:
            raise NotAFunction(f"'{leaf.data}' changes at events")
        if declared is None:
            return Variable(str(leaf.data), kind, scalar(leaf), next(iter(self._flat.places.values())))
        k = declared.value.elements.index(leaf)
        start, nominal = (None if a is None else scalar(a.elements[k]) for a in (declared.start, declared.nominal))
        strengths = declared.strengths[k : k + 1]
        return replace(
            declared,
            name=str(leaf.data),
            kind=kind,
            value=scalar(leaf),
            start=start,
            nominal=nominal,
            minimum=None,
            maximum=None,
            strengths=strengths,
        )


def _turn(cut: Cut) -> Array | None:
    """The direction cosines of a cut-frame, None for another cut."""
    return next((e.value for e in cut.across or () if e.value is not None and e.value.shape == (3, 3)), None)


def _require_one_choice(
    variables: Sequence[Expr], columns: Sequence[Sequence[int]], owner: Sequence[int], given: AbstractSet[Expr]
) -> None:
    """Raise NotAFunction if another one of the given variables could be left undetermined instead."""
    matched = {row for row in owner if row != UNMATCHED}
    reached = [k for k in range(len(variables)) if k not in matched]
    seen = set(reached)
    for k in reached:  # grows: along alternating paths
        following = [owner[e] for e in columns[k] if owner[e] not in seen]
        seen.update(following)
        reached += following
        other = next((variables[j] for j in following if variables[j] in given), None)
        if other is not None:
            raise NotAFunction(f"'{variables[k].data}' or '{other.data}' would have to be given, too")


def _expressions(equations: Iterable[ArrayEquation]) -> Iterator[Expr]:
    for equation in equations:
        yield from equation.left.elements
        yield from equation.right.elements


def _leaves(roots: Iterable[Expr]) -> dict[Expr, None]:
    return dict.fromkeys(v for root in roots for v in variables_of(root))


def _without_events(
    flat: FlatModel, equations: Sequence[ArrayEquation], others: Sequence[Sequence[Expr]]
) -> tuple[list[ArrayEquation], list[list[Expr]]]:
    """The same with relations and whole-number values that make no events."""
    pool = flat.pool
    if not pool.has_events:
        return list(equations), [list(each) for each in others]

    def rule(node: Expr, args: Sequence[Expr]) -> Expr | None:
        if node.data is not None:
            return None
        if node.op in RELATIONS:
            return pool.relation(node.op, args[0], args[1], "noevent")
        if node.op in STEPS:
            return pool.call(node.op, *args, quiet="noevent")
        return None

    return _rewritten(pool, equations, others, rule)


def _rewritten(
    pool: Pool,
    equations: Sequence[ArrayEquation],
    others: Sequence[Sequence[Expr]],
    rule: Callable[[Expr, Sequence[Expr]], Expr | None],
) -> tuple[list[ArrayEquation], list[list[Expr]]]:
    done = rewrite(pool, [*_expressions(equations), *(e for each in others for e in each)], rule)
    new = [replace(e, left=e.left.map(done.__getitem__), right=e.right.map(done.__getitem__)) for e in equations]
    return new, [[done[e] for e in each] for each in others]
