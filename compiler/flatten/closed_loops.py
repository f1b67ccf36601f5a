"""Puts the solutions of loops that a model states (`closed v = H(u)`) in the place of the conditions of the loops.

Conditions are the equations that contain only what follows from the coordinates u and v. As many of them as there are v
leave the system, once `closure_check.py` has found that they agree. If the model also states the derivatives of v, they
replace those that differentiation would give.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import attrgetter

from cutset.compiler.diagnostics import Diagnostic, Label, ModelError
from cutset.compiler.expressions.linear import Nonlinear, linear_forms
from cutset.compiler.expressions.pool import Expr, Undefined
from cutset.compiler.expressions.text import text
from cutset.compiler.expressions.walk import Substitution, variables_of
from cutset.compiler.flatten import messages
from cutset.compiler.flatten.closure_check import Closure, Loop, check_closures, tight_parameters
from cutset.compiler.flatten.model import (
    EquationSystem,
    FlatModel,
    LoopSolution,
    Relation,
    ScalarEquation,
    bindings_of,
    parameters_under,
)
from cutset.compiler.flatten.scalarize import scalar_sides
from cutset.compiler.instantiate.events.model import Assertion
from cutset.compiler.instantiate.instance import parameter_numbers

# The preference of v as states.
_AVOID = -1
# How much a run may violate the conditions that a solution replaces.
_LARGEST_ERROR = 1e-5


def loop_solutions(model: FlatModel, substitution: Substitution) -> list[LoopSolution]:
    """The solutions of loops that the model states, in terms of the variables that remain. ModelError for a left side
    that is no variable."""
    found: dict[Expr, LoopSolution] = {}
    for left, right, origin in (sides for several in scalar_sides(model.closed) for sides in several):
        value = substitution(left)
        bare = value.args[0] if value.op == "neg" else value
        if left.op != "variable" or bare in found:
            raise ModelError([messages.closed_left_side(text(left), origin.span, origin.instance or model.name)])
        if bare.op != "variable":  # another equation gives its value
            continue
        equation = ScalarEquation(model.pool.sub(value, substitution(right)), origin)
        found[bare] = LoopSolution(bare, str(left.data), equation)
    return list(found.values())


def set_apart(system: EquationSystem, solutions: Sequence[LoopSolution]) -> EquationSystem:
    """The system, which has the equations of these solutions with all others, without them."""
    origins = {s.equation.origin for s in solutions}
    stated = [e for e in system.equations if e.origin in origins]
    others = tuple(e for e in system.equations if e.origin not in origins)
    apart = (s._replace(equation=e) for s, e in zip(solutions, stated, strict=True))
    return replace(system, equations=others, solutions=tuple(apart))


def with_closed_loops(system: EquationSystem, closing: Callable[[], Collection[str]]) -> EquationSystem:
    """The system with its solutions of loops instead of conditions. `closing` finds the elements that close loops.
    ModelError if there are no such conditions, or if they contradict the solutions."""
    closures: dict[Expr, Closure] = {}
    known = set(system.known)
    for v, name, equation in system.solutions:
        if v in known:  # a run prescribes it
            continue
        (form,) = linear_forms(system.pool, [equation.residual], [v])
        sign = 1 if form.coefficients[v] is system.pool.one else -1
        value = system.pool.neg(form.rest) if sign > 0 else form.rest
        closures[v] = Closure(v, value, equation.origin, name, sign)
    left = replace(system, solutions=())
    return _Loops(left, closures, closing()).closed() if closures else left


class _Loops:
    """The coordinates, those that the solutions give and all others with a derivative, and what follows from them:
    `order` has each such variable with the number of its equation; `conditions` are the numbers of the equations
    without another variable."""

    def __init__(
        self,
        system: EquationSystem,
        closures: Mapping[Expr, Closure],
        closing: Collection[str],
    ):
        self._closing = closing
        self._system, self._pool, self._name = system, system.pool, system.name
        self._equations, self._closures = system.equations, closures
        self._numbers = parameter_numbers(system.parameters)
        integrals = {d: x for x, d in system.derivatives.items()}
        highest = [v for v in closures if integrals.get(v) not in closures]
        self._solved = [v for v in highest if v in system.derivatives]
        self._spread()
        # Variables without a derivative, as those of a joint that closes a loop, may follow from the others.
        self._followers = [v for v in highest if v in self._order and self._is_explicit(v)]
        if len(self._solved) + len(self._followers) < len(highest):
            self._solved = [v for v in highest if v not in self._followers]
            self._spread()

    def closed(self) -> EquationSystem:
        """The system; ModelError as `with_closed_loops`."""
        stated = {v: c._replace(value=self._inlined(c.value, c)) for v, c in self._closures.items()}
        made = {v: c for v, c in stated.items() if v not in self._followers}
        # What depends on further coordinates, which the loop determines, has no value to compare with.
        settled = {x for v in self._solved for x in (v, *variables_of(stated[v].value))}
        pairs = [(stated[v], self._inlined(v, stated[v])) for v in self._followers]
        following = [pair for pair in pairs if self._depends_on(pair[1], {*settled, *variables_of(pair[0].value)})]
        if not {*self._system.known}.isdisjoint(leaf for c in stated.values() for leaf in variables_of(c.value)):
            # At a point the derivatives of inputs are not known.
            made, following = {v: made[v] for v in self._solved}, []
        solved = sum(self._cone[v] for v in self._solved)
        free = self._bits(self._closures[v].value for v in self._solved) & ~solved
        contents = {k: self._bits([self._equations[k].residual]) for k in self._conditions}
        between = [k for k, bits in contents.items() if bits & solved]
        first = self._closures[next(iter(self._solved or self._closures))]
        if not (self._solved or following):
            return self._unused("the loop has other dependent coordinates, which have no solution", first)
        if len(between) < len(self._solved):
            raise ModelError([self._not_closed(first, free, len(between))])
        conditions = [
            ScalarEquation(self._inlined(self._equations[k].residual, first), self._equations[k].origin)
            for k in between
        ]
        every, bound = free, 0
        for bits in contents.values():
            every, bound = (every | bits & ~solved, bound) if bits & solved else (every, bound | bits)
        coordinates, others = ([x for x in self._coordinates if self._cone[x] & bits] for bits in (free, every & ~free))
        are_bound = bool(every & ~free & bound)
        problem = Loop(made, self._solved, coordinates, others, are_bound, conditions, following)
        chosen = check_closures(problem, self._system, self._numbers)
        if chosen is None:
            names = ", ".join(str(x.data) for x in others[:4])
            return self._unused(f"the conditions of the loop contain {names}, which are not free", first)
        bindings = bindings_of(self._system.parameters)
        tight = tight_parameters(problem, self._system, self._numbers, chosen)
        fixed = {p for leaf in tight for p in (leaf, *parameters_under(bindings, bindings[leaf]))}
        replaced = {between[k] for k in chosen}
        kept = (e for k, e in enumerate(self._equations) if k not in replaced)
        residuals = {v: self._pool.sub(v, c.value) for v, c in made.items()}
        equations = {v: ScalarEquation(residuals[v], c.origin) for v, c in made.items()}
        derivatives = self._system.derivatives
        slopes = {residuals[v]: equations[d] for v in made if (d := derivatives.get(v)) in equations and d is not None}
        return replace(
            self._guarded(first, [self._equations[k] for k in sorted(replaced)]),
            equations=(*kept, *(equations[v] for v in self._solved)),
            slopes=slopes,
            folded={
                **self._system.folded,
                **{str(p.data): self._numbers[p] for p in sorted(fixed, key=attrgetter("id"))},
            },
            unknowns=tuple(
                u._replace(preference=min(u.preference, _AVOID)) if u.node in made else u for u in self._system.unknowns
            ),
        )

    def _depends_on(self, value: Expr, settled: set[Expr]) -> bool:
        """True if the value depends only on these coordinates, their derivatives, and what is known."""
        derivatives = [d for d in (self._system.derivatives.get(x) for x in settled) if d is not None]
        further = [d for d in (self._system.derivatives.get(x) for x in derivatives) if d is not None]
        return {*settled, *derivatives, *further, *self._system.known}.issuperset(variables_of(value))

    def _guarded(self, first: Closure, conditions: Sequence[ScalarEquation]) -> EquationSystem:
        """The system with an assertion that the solution meets these conditions wherever a run leads."""
        pool, system, origin = self._pool, self._system, first.origin
        if not conditions:
            return system
        errors = reduce(pool.add, (pool.mul(e.residual, e.residual) for e in conditions))
        names = ", ".join(f"'{self._closures[v].name}'" for v in self._solved[:4])
        place = f"; the loop is closed in '{conditions[0].origin.instance}'" if conditions[0].origin.instance else ""
        says = f"the solution for {names} contradicts its loop{place}"
        small = Relation("state", "<", errors, pool.constant(_LARGEST_ERROR**2), says, origin, at_ends=True)
        holds = pool.mode(len(system.relations))
        assertion = Assertion(False, holds, says, origin.span, origin.instance or self._name)
        events = replace(system.events, assertions=(*system.events.assertions, assertion))
        return replace(system, relations=(*system.relations, small), events=events)

    def _unused(self, reason: str, first: Closure) -> EquationSystem:
        names = ", ".join(f"'{self._closures[v].name}'" for v in (self._solved or self._followers)[:4])
        note = f"the solution for {names} is not used: {reason}"
        notes = (*self._system.notes, Label(first.origin.span, note))
        return replace(self._system, notes=notes)

    def _spread(self) -> None:
        """Find what follows from the coordinates, by one equation after the other with one other variable."""
        # Of each variable the coordinates from which it follows, as bits.
        coordinates = dict.fromkeys((*self._system.derivatives, *self._solved))
        self._cone = {x: 1 << k for k, x in enumerate(coordinates)}
        self._coordinates = list(coordinates)
        self._order: dict[Expr, int] = {}
        self._explicit: dict[Expr, Expr] = {}
        self._inlining = Substitution(self._pool, self._explicit)
        contents = [variables_of(e.residual) for e in self._equations]
        known = {*self._cone, *self._system.known}
        missing = [{v for v in content if v not in known} for content in contents]
        users: dict[Expr, list[int]] = {}
        for k, names in enumerate(missing):
            for v in names:
                users.setdefault(v, []).append(k)
        # Those of elements that close loops wait, so that they are conditions, rather than others of the loop.
        waiting: dict[bool, deque[int]] = {False: deque(), True: deque()}
        for k, names in enumerate(missing):
            if len(names) == 1:
                waiting[self._closes(k)].append(k)
        self._conditions = [k for k, names in enumerate(missing) if not names]
        while waiting[False] or waiting[True]:
            k = waiting[not waiting[False]].popleft()
            for v in tuple(missing[k]):
                self._order[v], self._cone[v] = k, self._bits([self._equations[k].residual])
                for user in users[v]:
                    missing[user].discard(v)
                    if user != k and not missing[user]:
                        self._conditions.append(user)
                    elif len(missing[user]) == 1:
                        waiting[self._closes(user)].append(user)

        self._places = {v: place for place, v in enumerate(self._order)}

    def _closes(self, k: int) -> bool:
        path = self._equations[k].origin.instance
        return any(path == each or path.startswith(f"{each}.") for each in self._closing)

    def _bits(self, expressions: Iterable[Expr]) -> int:
        found = 0
        for v in (v for e in expressions for v in variables_of(e)):
            found |= self._cone.get(v, 0)
        return found

    def _is_explicit(self, v: Expr) -> bool:
        try:
            self._inlined(v, self._closures[v])
        except ModelError:
            return False
        return True

    def _inlined(self, expression: Expr, closure: Closure) -> Expr:
        """The expression in terms of coordinates, derivatives and known variables."""
        needed: dict[Expr, None] = {}
        waiting = [v for v in variables_of(expression) if v in self._order]
        for v in waiting:
            if v not in needed and v not in self._explicit:
                needed[v] = None
                waiting += [w for w in variables_of(self._equations[self._order[v]].residual) if w in self._order]
        try:
            for v in sorted(needed, key=self._places.__getitem__):
                (form,) = linear_forms(self._pool, [self._equations[self._order[v]].residual], [v])
                value = self._pool.neg(self._pool.div(form.rest, form.coefficients[v]))
                self._explicit[v] = self._inlining(value)
            made = self._inlining(expression)
        except (Nonlinear, Undefined, KeyError) as error:
            raise ModelError([self._depends(closure, text(expression))]) from error
        within = {*self._coordinates, *self._system.known, *self._system.derivatives.values()}
        unknown = next((v for v in variables_of(made) if v not in within), None)
        if unknown is not None:
            raise ModelError([self._depends(closure, str(unknown.data))])
        return made

    def _depends(self, closure: Closure, what: str) -> Diagnostic:
        instance = closure.origin.instance or self._name
        return messages.closed_by_other(closure.name, what, closure.origin.span, instance)

    def _not_closed(self, first: Closure, free: int, found: int) -> Diagnostic:
        coordinates = [str(x.data) for x in self._coordinates if self._cone[x] & free]
        names = [self._closures[v].name for v in self._solved]
        instance = first.origin.instance or self._name
        return messages.loop_not_closed(names, coordinates, found, first.origin.span, instance)
