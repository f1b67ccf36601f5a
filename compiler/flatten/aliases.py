"""Eliminates aliases (stage 3c): x = y, x = -y and x = (expression of parameters) leave the system.

FlatModel -> EquationSystem. With x and y variables, p and q expressions of parameters, and signs carried along:

=====================  ==============================================================================================
form of the equation   effect
=====================  ==============================================================================================
x = y                  one of the two becomes an alias of the other; their derivatives become equal too
x = y, both known      the equation stays, as does x = der(x)
x = y, equal already   the equation is redundant and is recorded as repeated
x = -x, c*x = 0        x is 0
x = p                  x is p, and its derivatives are 0
x = p, and x is known  the equation stays: an input or a discrete variable has its value already
p = q                  redundant or a contradiction, which is reported with all others
any other form         the equation stays, and is checked again when one of its variables is eliminated
=====================  ==============================================================================================

Works in rounds: an elimination may turn other equations into eliminations, and only equations that contain eliminated
variables are checked again, short ones first. Union-find with signs; solves nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import chain

from cutset.compiler.diagnostics import Diagnostic, Label, ModelError
from cutset.compiler.expressions.pool import TIME, Expr, Pool, Undefined
from cutset.compiler.expressions.random_evaluation import RandomPoint
from cutset.compiler.expressions.text import text
from cutset.compiler.expressions.walk import Substitution, reachable, variables_of
from cutset.compiler.flatten import messages
from cutset.compiler.flatten.attributes import Attributes
from cutset.compiler.flatten.cancellation import canceled
from cutset.compiler.flatten.closed_loops import loop_solutions, set_apart
from cutset.compiler.flatten.discontinuous_functions import with_discrete_steps
from cutset.compiler.flatten.equation_index import EquationIndex
from cutset.compiler.flatten.events import event_expressions, with_events
from cutset.compiler.flatten.model import Alias, Discrete, EquationSystem, FlatModel, Origin, ScalarEquation, Unknown
from cutset.compiler.flatten.quiet_relations import with_events_of_time
from cutset.compiler.flatten.relations import has_events, with_relation_memory
from cutset.compiler.flatten.scalar_variables import outputs_of, positions, scalar_variables, synonyms
from cutset.compiler.flatten.scalarize import scalar_sides
from cutset.compiler.instantiate.events.model import Assertion
from cutset.compiler.instantiate.instance import parameter_numbers
from cutset.contract.quick_dataclass import dataclass

# The number of equations to substitute into before cached substitutions are dropped.
_AT_ONCE = 10_000
# The relative rounding error of lengths that cancel.
_ROUNDING = 1e-12


class Contradiction(Exception):
    """Equations determine a quantity twice. `residuals` are the remains of one of them after substituting the others,
    which would have to be zero; `origins` are the places of those equations; `diagnostics` are further errors."""

    def __init__(self, contradictions: Mapping[str, Origin], diagnostics: tuple[Diagnostic, ...]):
        self.residuals = residuals = tuple(contradictions)
        self.origins = tuple(contradictions.values())
        self.diagnostics = diagnostics
        super().__init__(", ".join(f"0 = {r}" for r in residuals))


def eliminate_aliases(model: FlatModel, closing: Callable[[], object], kept: Iterable[str] = ()) -> EquationSystem:
    """Eliminate aliases, but not the variables with the names `kept`. In a model with elements that close loops, which
    over-constrain these, an equation between parameters may hold by their values: then it is a condition of the run.
    Raises Contradiction, or ModelError if an equation becomes undefined."""
    leaves = frozenset(map(model.pool.variable, kept))
    elimination = _Elimination(model, parameter_numbers(model.parameters), leaves)
    elimination.run()
    if elimination.conditions and not closing():
        elimination = _Elimination(model, kept=leaves)
        elimination.run()
    if elimination.contradictions:
        raise Contradiction(elimination.contradictions, tuple(elimination.diagnostics))
    if elimination.diagnostics:
        raise ModelError(elimination.diagnostics)
    solutions = loop_solutions(model, elimination.substitution())
    system = with_events(model, elimination.system(), elimination.substitution())
    system = replace(system, equations=(*system.equations, *(s.equation for s in solutions)))
    assertions = (*system.events.assertions, *elimination.conditions.values(), *elimination.attributes.conditions)
    system = replace(system, events=replace(system.events, assertions=assertions))
    system = with_events_of_time(system)
    if has_events(system):
        whole = [leaf for v in model.variables if v.type.kind != "Real" for leaf in v.value.elements]
        system = with_relation_memory(with_discrete_steps(system), whole)
    return set_apart(system, solutions)


@dataclass(frozen=True)
class Eliminated:
    """The elimination in a model that contradicts itself, as far as it goes.

    values        each variable that can be eliminated, in terms of the others
    residuals[i]  scalar equation i when it was last checked: with the values known then substituted
    """

    values: Mapping[Expr, Expr]
    residuals: tuple[Expr, ...]


def eliminated(model: FlatModel) -> Eliminated:
    """The elimination in a model that has another error."""
    elimination = _Elimination(model)
    elimination.run(to_the_end=True)
    reduced, pool = elimination.reduced, model.pool
    residuals = (reduced[k] if k in reduced else pool.sub(s.left, s.right) for k, s in enumerate(elimination.sides))
    return Eliminated(elimination.values(), tuple(residuals))


class _Elimination:
    """The state of the elimination. `value` maps an eliminated variable to a variable, a negated one or an expression
    of parameters. With `numbers` of the parameters, an expression that should be zero and is so for these is not a
    contradiction but one of the `conditions`."""

    def __init__(
        self, model: FlatModel, numbers: Mapping[Expr, float] | None = None, kept: frozenset[Expr] = frozenset()
    ):
        self._model, self._numbers, self._kept = model, numbers, kept
        self.conditions: dict[Expr, Assertion] = {}
        self._pool: Pool = model.pool
        self.sides = list(chain.from_iterable(scalar_sides(model.equations)))
        # The remaining equations, followed by equations that are found on the way.
        self._equations: list[ScalarEquation | None] = [None] * len(self.sides)
        self._leaves, self._inputs, self._declared = scalar_variables(model)
        self._derivatives = {v: d for v, d in model.derivatives.items() if v not in self._inputs}
        # Known variables, which equations do not determine: an alias of one of these keeps the known name.
        self._given = {*self._inputs, *model.after}
        self._derived_leaves = set(self._derivatives.values())
        self._order = {node: k for k, node in enumerate(self._leaves)}
        self._value: dict[Expr, Expr] = {}
        self._origin: dict[Expr, Origin] = {}
        self._work = EquationIndex()
        self._inert: set[Expr] = set()
        self.reduced: dict[int, Expr] = {}
        self.contradictions: dict[str, Origin] = {}
        self.repeated: list[Origin] = []  # those with 0 = 0 left
        self.diagnostics: list[Diagnostic] = []
        self.attributes = Attributes(model, self._declared, self.diagnostics)
        self._reported: set[tuple[str, str]] = set()

    def run(self, to_the_end: bool = False) -> None:
        """Eliminate the evident aliases, then substitute in rounds until nothing more is eliminated, or until an error:
        with `to_the_end` it continues after errors, with the value that was found first."""
        for k, (left, right, origin) in enumerate(self.sides):
            if not self._equates(left, right, origin):
                residual = self._pool.sub(left, right)
                if not self._eliminates(residual, origin):
                    self._equations[k] = ScalarEquation(residual, origin)
        classes = self._work.by_size(self._not_alone())
        while classes and (to_the_end or not (self.diagnostics or self.contradictions)):
            before = len(self._value)
            for numbers in classes:
                for begin in range(0, len(numbers), _AT_ONCE):
                    substitution = Substitution(self._pool, self)
                    for k in numbers[begin : begin + _AT_ONCE]:
                        reduced = self._reduce(k, substitution)
                        if to_the_end and reduced is not None:
                            self.reduced[k] = reduced
            users = self._work.users(list(self._value)[before:])
            classes = self._work.by_size(k for k in users if self._equations[k] is not None)

    def get(self, v: Expr, _: Expr) -> Expr:
        """The value of a variable so far, for a substitution."""
        return self._resolved(v) if v in self._value else v

    def _not_alone(self) -> list[int]:
        """The equations that need substitution or have no variable; records the variables of the others."""
        found = []
        for k, equation in enumerate(self._equations):
            if equation is not None:
                variables = variables_of(equation.residual)
                if not variables or any(v in self._value for v in variables):
                    self._work.measure(k, variables)
                    found.append(k)
                else:
                    self._work.note(k, variables)
        return found

    def _reduce(self, k: int, substitution: Substitution) -> Expr | None:
        """Substitute known values into equation k, and remove it if it defines an alias. Returns its residual, None if
        that is undefined."""
        equation = self._equations[k]
        assert equation is not None
        try:
            residual = canceled(self._pool, substitution(equation.residual))
        except Undefined as error:
            self._report_undefined(str(error), equation.origin)
            return None
        if residual.level < TIME:
            self._equations[k] = None
            self._contradicts(residual, equation.origin)
            return residual
        if self._eliminates(residual, equation.origin):
            self._equations[k] = None
            return residual
        self._equations[k] = ScalarEquation(residual, equation.origin)
        self._work.note(k, variables_of(residual))
        return residual

    def _report_undefined(self, reason: str, origin: Origin) -> None:
        """Report once per reason and instance: an undefined value affects many elements of a matrix."""
        if (reason, origin.instance) not in self._reported:
            self._reported.add((reason, origin.instance))
            place = self._model.places.get(origin.instance)
            labels = (Label(place, f"this is '{origin.instance}'"),) if origin.instance and place else ()
            message = messages.undefined(reason, origin.span, origin.instance or self._model.name, labels)
            notes = (f"{origin.reason}, so its through variables are zero",) if origin.reason else ()
            self.diagnostics.append(replace(message, notes=notes))

    def _contradicts(self, residual: Expr, origin: Origin) -> None:
        """Record an expression of parameters that should be zero, unless it is zero."""
        if residual is self._pool.zero:
            self.repeated.append(origin)
            return
        limit = self._rounding(residual)
        if limit is None:
            self.contradictions.setdefault(text(residual), origin)
            return
        holds = self._pool.relation("<=", self._pool.call("fabs", residual), self._pool.constant(limit), "noevent")
        message = f"the loop closes only if {text(residual)} is zero"
        self.conditions.setdefault(residual, Assertion(False, holds, message, origin.span, origin.instance))

    def _rounding(self, residual: Expr) -> float | None:
        """The rounding error allowed for an expression that should be zero; None if its value exceeds that, or if it
        has no value."""
        if self._numbers is None:
            return None
        sizes = [abs(self._numbers[leaf]) for leaf in reachable([residual]) if leaf in self._numbers]
        limit = _ROUNDING * max(sizes, default=0.0)
        return limit if abs(RandomPoint(self._numbers).value(residual)) <= limit else None

    # --- which equations are aliases ---------------------------------------------------------------

    def _eliminates(self, residual: Expr, origin: Origin) -> bool:
        """Recognizes ±a ± b = 0 with a, b variables or one of them an expression of parameters."""
        while residual.op == "neg":
            residual = residual.args[0]
        if residual.op == "variable":
            return self._assign(residual, self._pool.zero, origin)
        if residual.op == "mul" and residual.args[0].op == "constant" and residual.args[1].op == "variable":
            return self._assign(residual.args[1], self._pool.zero, origin)
        if residual.op not in ("add", "sub"):
            return False
        a, b = residual.args
        return self._equates(a, b, origin, -1 if residual.op == "add" else 1)

    def _equates(self, a: Expr, b: Expr, origin: Origin, sign: int = 1) -> bool:
        """Recognizes a = sign*b of that form."""
        if a.op == "neg":
            a, sign = a.args[0], -sign
        if b.op == "neg":
            b, sign = b.args[0], -sign
        if a.op == "variable" and b.op == "variable":
            return self._unite(a, b, sign, origin)
        if a.op == "variable" and b.level < TIME:
            return self._assign(a, b if sign > 0 else self._pool.neg(b), origin)
        if b.op == "variable" and a.level < TIME:
            return self._assign(b, a if sign > 0 else self._pool.neg(a), origin)
        return False

    def _unite(self, a: Expr, b: Expr, sign: int, origin: Origin) -> bool:
        """a = sign*b"""
        a, b = self._resolved(a), self._resolved(b if sign > 0 else self._pool.neg(b))
        if a is b:
            self.repeated.append(origin)
            return True
        if not self._kept.isdisjoint((a, b, *a.args, *b.args)):
            return False
        if a.level < TIME or b.level < TIME:
            return self._assign_value(a, b, origin)
        sign = 1
        if a.op == "neg":
            a, sign = a.args[0], -sign
        if b.op == "neg":
            b, sign = b.args[0], -sign
        if a is b:  # x = -x
            return self._assign(a, self._pool.zero, origin)
        if self._rank(a) > self._rank(b):
            a, b = b, a
        return self._replace(a, b, sign, origin)

    def _assign_value(self, a: Expr, b: Expr, origin: Origin) -> bool:
        """a = b, one or both of them expressions of parameters."""
        if a.level < TIME and b.level < TIME:
            self._contradicts(self._pool.sub(a, b), origin)
            return True
        return self._assign(a, b, origin) if b.level < TIME else self._assign(b, a, origin)

    def _assign(self, variable: Expr, value: Expr, origin: Origin) -> bool:
        """variable = value, an expression of parameters."""
        variable = self._resolved(variable)
        if variable.op == "neg":
            variable, value = variable.args[0], self._pool.neg(value)
        if variable.level < TIME:
            return self._assign_value(variable, value, origin)
        if variable in self._given or variable in self._kept:
            return False
        self._record(variable, value, origin)
        slope = self._derivatives.pop(variable, None)
        while slope is not None:  # a constant has zero derivatives
            v = self._resolved(slope)
            v = v.args[0] if v.op == "neg" else v
            if v.level < TIME:
                return self._assign_value(v, self._pool.zero, origin)
            self._record(v, self._pool.zero, origin)
            slope = self._derivatives.pop(v, None)
        return True

    # --- replacing one variable by another -----------------------------------------------------------

    def _rank(self, v: Expr) -> tuple[bool, bool, bool, int, bool, int]:
        """The variable with the higher rank stays: known ones first, then states, then named ones."""
        return (
            v in self._given,
            v in self._derivatives,
            v not in self._derived_leaves,
            self.attributes.preference(v),
            self.attributes.start(v) is not None,
            -self._order[v],
        )

    def _replace(self, alias: Expr, root: Expr, sign: int, origin: Origin) -> bool:
        """gone = sign*root, and the same for their derivatives. False if the equation must stay."""
        if alias in self._given or (root in self._given and alias in self._derivatives):
            return False
        if (alias in self._derivatives and root in self._chain(alias)) or (
            root in self._derivatives and alias in self._chain(root)
        ):
            return False  # x = der(x): a differential equation, not an alias
        self._record(alias, root if sign > 0 else self._pool.neg(root), origin)
        self.attributes.merge(alias, root, sign, origin)
        self._merge_slopes(alias, root, sign, origin)
        return True

    def _merge_slopes(self, alias: Expr, root: Expr, sign: int, origin: Origin) -> None:
        """der(gone) = sign*der(root); by its rank, root has a derivative if gone has one."""
        below = self._derivatives.pop(alias, None)
        if below is None:
            return
        other, slope = self._resolved(below), self._resolved(self._derivatives[root])
        residual = self._pool.sub(other, slope if sign > 0 else self._pool.neg(slope))
        if residual is not self._pool.zero and not self._unite(other, slope, sign, origin):
            self._equations.append(ScalarEquation(residual, origin))
            self._work.note(len(self._equations) - 1, variables_of(residual))

    def _chain(self, v: Expr) -> list[Expr]:
        """v and its derivatives, as far as they are variables of the system or negated ones."""
        chain: list[Expr] = []
        while v.op == "variable" and v not in chain:
            chain.append(v)
            if v not in self._derivatives:
                break
            slope = self._resolved(self._derivatives[v])
            v = slope.args[0] if slope.op == "neg" else slope
        return chain

    def _record(self, variable: Expr, value: Expr, origin: Origin) -> None:
        self._value[variable] = value
        self._origin[variable] = origin

    def _resolved(self, e: Expr) -> Expr:
        """e, a variable or a negated one, with eliminations followed to the end (path compression)."""
        sign, path, values = 1, [], self._value
        while True:
            if e.op == "neg":
                e, sign = e.args[0], -sign
            value = values.get(e)
            if value is None:
                break
            path.append(e)
            e = value
        result = e if sign > 0 else self._pool.neg(e)
        if len(path) > 2:
            self._shorten(path)
        return result

    def _shorten(self, path: list[Expr]) -> None:
        for v in reversed(path[:-1]):
            value = self._value[v]
            below = value.args[0] if value.op == "neg" else value
            if below in self._value:
                further = self._value[below]
                self._value[v] = self._pool.neg(further) if value.op == "neg" else further

    def _live_derivatives(self) -> dict[Expr, Expr]:
        """Each variable with the variable that is its derivative. If that became -w, a parameter expression, an input
        or the derivative of another variable too, der(v) returns to the system with its own equation."""
        live: dict[Expr, Expr] = {}
        taken: set[Expr] = set(self._given)
        used = self._used()
        for v, leaf in self._derivatives.items():
            if v in self._value:
                continue
            slope = self._resolved(leaf)
            if slope not in used and slope in self._derived_leaves and slope not in self._derivatives:
                self._inert.add(slope)  # 0*der(x): the derivative is not needed, so x need not be differentiable
                continue
            if slope.op != "variable" or slope in taken:
                del self._value[leaf]
                self._equations.append(ScalarEquation(self._pool.sub(leaf, slope), self._origin[leaf]))
                slope = leaf
            taken.add(slope)
            live[v] = slope
        return live

    def _used(self) -> set[Expr]:
        """The variables that occur in the remaining equations, in events or initial equations, or have another name."""
        used = {v for e in self._equations if e is not None for v in variables_of(e.residual)}
        elsewhere = {v for e in event_expressions(self._model) for v in variables_of(e)}
        for v in {**self._value, **dict.fromkeys(elsewhere)}:
            value = self._resolved(v)
            used.add(value.args[0] if value.op == "neg" else value)
        return used

    # --- the result ----------------------------------------------------------------------------------

    def values(self) -> dict[Expr, Expr]:
        """Each eliminated variable in terms of the remaining ones."""
        return {v: self._resolved(v) for v in self._value}

    def system(self) -> EquationSystem:
        """The remaining system."""
        model = self._model
        live = self._live_derivatives()
        alias = {*self._value, *self._given, *self._inert}
        remaining = [v for v in self._leaves if v not in alias]
        declared = dict(self._declared)
        for v, d in model.derivatives.items():
            declared.setdefault(d, declared[v])
        own = self.attributes

        def unknown(v: Expr) -> Unknown:
            return Unknown(
                v,
                own.start(v),
                own.preference(v),
                declared[v].span,
                own.is_fixed(v),
                own.nominal(v),
                own.strength(v),
                own.start_place(v) if own.start(v) is not None else None,
                own.defaults(v),
                own.start_parameters(v),
                own.alternatives(v),
            )

        pinned = (v for v in self._value if v in model.derivatives and self._resolved(v).level < TIME)
        discrete = tuple(
            Discrete(v, after, own.start(v), own.is_fixed(v), declared[v].span) for v, after in model.after.items()
        )
        aliases = tuple(
            Alias(str(v.data), self._resolved(v), self._origin[v]) for v in self._leaves if v in self._value
        )
        return EquationSystem(
            name=model.name,
            pool=self._pool,
            equations=tuple(e for e in self._equations if e is not None),
            unknowns=tuple(map(unknown, remaining)),
            pinned=tuple(map(unknown, pinned)),
            inputs=tuple(self._inputs),
            derivatives=live,
            aliases=aliases,
            parameters=model.parameters,
            folded=model.folded,
            count=len(self.sides),
            places=model.places,
            synonyms=synonyms(model),
            discrete=discrete,
            outputs=outputs_of(model),
            positions=positions(model),
            missing=sum(v not in self._given and v not in self._derived_leaves for v in self._leaves) - len(self.sides),
            repeated=tuple(self.repeated),
            given_starts=tuple(model.given_starts),
            prescribed=model.prescribed,
            notes=model.notes,
        )

    def substitution(self) -> Substitution:
        """Replaces eliminated variables by remaining ones."""
        return Substitution(self._pool, {v: self._resolved(v) for v in self._value})
