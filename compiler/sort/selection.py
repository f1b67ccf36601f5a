"""Stage 4d. EquationSystem, StructuralPlan -> the same system with sets of states that are chosen anew in a run, where a choice for good
would become singular. Must not solve anything.

The plan. Of n variables v that k constraints g(v, ...) = 0 bind, n - k are states; where the constraints are not linear no choice is right
everywhere: a pendulum in Cartesian coordinates needs x as a state where it hangs and y where it is level. So none of them is a state. There
are new states s instead (Mattsson, Olsson and Elmqvist, Dynamic selection of states in Dymola, Modelica Workshop 2000, pp. 61-67), n - k
on each order of derivatives, with

    s = A*v,    der(s) = A*der(v),    ...

where A has a single 1 in each row: it picks those v that are states at present. Its elements are discrete variables, so they are held between events,
and the derivative of s = A*v is what differentiation makes of it. The v follow from s = A*v and g = 0, by an iteration on the order of g and by
linear systems above it. All stages behind this one treat s as any state and A as any discrete variables.

An event comes when the choice has become bad: in terms of the Jacobian J of g, split into the columns B of those v that are no states and
the columns of those that are, when an element of inverse(B)*rest becomes larger than 2, which is how much faster than a state another variable moves.
Then a better choice is made (`expressions.exchange`: no element is larger than 1), A gets it, and s restarts from the v, which stay. At the start
A is chosen at the start values; if it is bad where the constraints hold, the first event makes it anew.

Where a choice stays regular whatever the values are (coefficients that do not vary, solved one by one) it is kept. So are wishes of the model:
a variable that is preferred to others stays a state or no state for good.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from cutset.compiler.expressions.differentiate import derivative_name, partial_derivative
from cutset.compiler.expressions.exchange import exchange
from cutset.compiler.expressions.pool import PARAMETER, TIME, Expr, Pool, Undefined
from cutset.compiler.expressions.procedure import NotDifferentiable, Procedure
from cutset.compiler.expressions.walk import Substitution
from cutset.compiler.flatten.model import Discrete, EquationSystem, Origin, Relation, ScalarEquation, Unknown
from cutset.compiler.instantiate.events.model import Events, Restart, Update, When, WhenBranch
from cutset.compiler.sort.incidence import incidence_of
from cutset.compiler.structure.analyse import analyse
from cutset.compiler.structure.plan import Incidence, StructuralPlan
from cutset.compiler.structure.state_sets import StateSet, state_sets
from cutset.compiler.structure.tearing import tear

# The choice is made anew where a variable moves more than twice as fast as a state.
_GOOD = 0.5
# The choice takes time with the number of constraints times that of variables, in each round.
_LARGEST = 600
# As a state and as none, whatever the model prefers.
_ALWAYS, _NEVER = 2, -4

_Row = dict[int, Expr]


@dataclass(frozen=True)
class Selection:
    """The system and its plan, with what stands for the `sets` of states that are chosen anew."""

    system: EquationSystem
    plan: StructuralPlan
    sets: int

    def __str__(self) -> str:
        return str(self.system)


def select_sets(system: EquationSystem, plan: StructuralPlan) -> Selection:
    """Both as they are where each choice of the plan stays regular."""
    extended, sets = system, 0
    incidence = incidence_of(system)
    for found in state_sets(incidence, plan):
        choice = _Reduction(system, incidence, found).choice()
        if choice is not None:
            sets += 1
            extended = _Extension(extended, plan, choice, sets).system()
    return Selection(extended, analyse(incidence_of(extended)) if sets else plan, sets)


@dataclass(frozen=True)
class _Choice:
    """What is left to be chosen: the candidates, and the rows of the Jacobian along them (by position)."""

    candidates: tuple[int, ...]
    rows: tuple[_Row, ...]
    order: int
    origin: Origin


class _Reduction:
    """A set of states as the structure gives it -> what is to be chosen of it in a run."""

    def __init__(self, system: EquationSystem, incidence: Incidence, found: StateSet):
        self._system, self._incidence, self._found = system, incidence, found
        self._pool = system.pool
        self._variables = frozenset((*found.candidates, *found.others))

    def choice(self) -> _Choice | None:
        """None where there is nothing to choose, or where it is not known how."""
        found, system = self._found, self._system
        try:
            rows = [self._slopes(e) for e in found.equations]
        except (NotDifferentiable, Undefined):
            return None
        if self._stays_regular(rows):
            return None
        kept, free = self._by_preference()
        try:
            left = self._eliminated(rows, [v for v in (*found.candidates, *found.others) if v not in kept and v not in free])
        except Undefined:
            return None
        if left is None or len(left) >= len(free) or len(left) * len(free) > _LARGEST:
            return None
        position = {v: j for j, v in enumerate(free)}
        picked = tuple({position[v]: e for v, e in row.items() if v in position} for row in left)
        return _Choice(tuple(free), picked, found.order, system.equations[found.equations[0]].origin)

    def _slopes(self, equation: int) -> _Row:
        """The derivatives of a constraint by the variables of the set."""
        pool, unknowns = self._pool, self._system.unknowns
        residual = self._system.equations[equation].residual
        row = {}
        for v in self._incidence.rows[equation]:
            if v not in self._variables:
                continue
            slope = partial_derivative(pool, residual, unknowns[v].node)
            if slope is not pool.zero:
                row[v] = slope
        return row

    def _stays_regular(self, rows: list[_Row]) -> bool:
        """Do the variables that are no states follow one by one, by coefficients that do not vary?"""
        index = {v: k for k, v in enumerate(self._found.dummies)}
        square = [sorted(index[v] for v in row if v in index) for row in rows]
        solvable = [{index[v] for v, e in row.items() if v in index and e.level < TIME} for row in rows]
        if all(e.level < TIME for row in rows for v, e in row.items() if v in index):
            return True
        return not tear(square, solvable).tearing_variables

    def _by_preference(self) -> tuple[set[int], list[int]]:
        """The candidates that are states for good, and those to choose from; the rest are no states."""
        wish = {v: self._system.unknowns[v].preference for v in self._found.candidates}
        dummies = set(self._found.dummies)
        low = min(wish.values(), default=0)
        high = max(wish.values(), default=0)
        kept = {v for v in wish if v not in dummies and wish[v] > max((wish[d] for d in wish if d in dummies), default=high)}
        never = {v for v in wish if v in dummies and wish[v] < min((wish[s] for s in wish if s not in dummies), default=low)}
        return kept, [v for v in wish if v not in kept and v not in never]

    def _eliminated(self, rows: list[_Row], gone: Sequence[int]) -> list[_Row] | None:
        """The rows that are left when each variable of `gone` is given by a row with a coefficient that does not vary; None
        where they do not follow one by one."""
        pool, waiting = self._pool, set(gone)
        along: dict[int, _Row] = {}  # der(v) in terms of the derivatives of what is left
        pending = dict(enumerate(rows))
        progress = True
        while waiting and progress:
            progress = False
            for k, row in list(pending.items()):
                unknown = [v for v in row if v in waiting]
                if len(unknown) != 1 or row[unknown[0]].level == TIME:
                    continue
                (v,) = unknown
                factor = pool.neg(row[v])
                rest = _combined(pool, {u: e for u, e in row.items() if u != v}, along)
                along[v] = {u: pool.div(e, factor) for u, e in rest.items()}
                waiting.discard(v)
                del pending[k]
                progress = True
        return None if waiting else [_combined(pool, row, along) for row in pending.values()]


def _combined(pool: Pool, row: _Row, along: Mapping[int, _Row]) -> _Row:
    total: _Row = {}
    for v, factor in row.items():
        for u, e in along.get(v, {v: pool.one}).items():
            total[u] = pool.add(total.get(u, pool.zero), pool.mul(factor, e))
    return {u: e for u, e in total.items() if e is not pool.zero}


class _Extension:
    """A choice -> the system with new states, the matrix that picks them, and the event that picks others."""

    def __init__(self, system: EquationSystem, plan: StructuralPlan, choice: _Choice, number: int):
        self._system, self._plan, self._choice = system, plan, choice
        self._pool = pool = system.pool
        self._n, self._k = len(choice.candidates), len(choice.rows)
        self._name = f"$states{number}"
        by_node = {u.node: u for u in system.unknowns}
        self._given = [by_node[node] for node in self._leaves(0)]
        self._levels = [self._leaves(order) for order in range(choice.order)]
        self._unknown_of = by_node
        self._states = [[self._state(c, order) for c in range(self._n - self._k)] for order in range(choice.order + 1)]
        names = [[f"{self._name}.A({c + 1},{j + 1})" for j in range(self._n)] for c in range(self._n - self._k)]
        self._matrix = [[pool.variable(name) for name in row] for row in names]
        self._after = [[pool.variable(f"new({name})") for name in row] for row in names]
        self._mode = len(system.relations)
        self._procedure: Procedure = exchange(pool, self._k, self._n)

    def _leaves(self, order: int) -> list[Expr]:
        """The derivatives of that order of the candidates."""
        numbers = list(self._choice.candidates)
        for _ in range(order):
            numbers = [self._plan.derivative[v] for v in numbers]
        return [self._system.unknowns[v].node for v in numbers]

    def _state(self, c: int, order: int) -> Expr:
        name = f"{self._name}.x({c + 1})"
        for _ in range(order):
            name = derivative_name(name)
        return self._pool.variable(name)

    def system(self) -> EquationSystem:
        """As many equations as unknowns more."""
        system, chosen = self._system, set(self._choice.candidates)
        for level in range(1, self._choice.order):
            chosen |= {self._plan.derivative[v] for v in chosen if self._plan.derivative[v] >= 0}
        unknowns = [replace(u, preference=_NEVER) if k in chosen else u for k, u in enumerate(system.unknowns)]
        slopes = {a: b for low, high in zip(self._states, self._states[1:]) for a, b in zip(low, high)}
        picked = [self._picked(row, self._levels[0]) for row in self._matrix]
        new = [ScalarEquation(self._pool.sub(s, e), self._choice.origin) for s, e in zip(self._states[0], picked)]
        quality, *better = self._exchanged()
        return replace(
            system,
            unknowns=(*unknowns, *self._new_unknowns()),
            equations=(*system.equations, *new),
            derivatives={**system.derivatives, **slopes},
            discrete=(*system.discrete, *self._discrete()),
            relations=(*system.relations, self._relation(quality)),
            events=self._events(better),
            count=system.count + len(new),
        )

    def _new_unknowns(self) -> Iterator[Unknown]:
        span, first = self._choice.origin.span, self._first()
        for order, states in enumerate(self._states):
            starts = [self._unknown_of[v] for v in self._levels[order]] if order < self._choice.order else []
            values = [u.start for u in starts if u.start is not None]
            fixed = all(u.fixed for u in starts)
            for c, state in enumerate(states):
                # Where only some of the candidates begin at a value, the search for the start uses these.
                start = self._picked(first[c], values) if starts and len(values) == self._n else None
                yield Unknown(state, start, _ALWAYS if order < self._choice.order else 0, span, fixed)

    def _discrete(self) -> Iterator[Discrete]:
        span, first = self._choice.origin.span, self._first()
        for c, row in enumerate(self._matrix):
            for j, leaf in enumerate(row):
                yield Discrete(leaf, self._after[c][j], first[c][j], True, span)

    def _first(self) -> list[list[Expr]]:
        """A at the start: by the Jacobian at the start values where that is known from parameters."""
        pool = self._pool
        starts = {u.node: u.start or pool.zero for u in self._system.unknowns}
        at_start = Substitution(pool, starts)
        nothing = [pool.zero] * self._n
        try:
            jacobian = [[at_start(row.get(j, pool.zero)) for j in range(self._n)] for row in self._choice.rows]
        except Undefined:
            jacobian = []
        if jacobian and all(e.level <= PARAMETER for row in jacobian for e in row):
            _, *chosen = pool.apply(self._procedure, [*(e for row in jacobian for e in row), *nothing])
        else:
            dummies = set(self._plan.dummies)
            tops = [self._plan.derivative[v] for v in self._choice.candidates]
            chosen = [pool.one if d in dummies else pool.zero for d in tops]
        return self._as_matrix(chosen)

    def _exchanged(self) -> tuple[Expr, ...]:
        """How good the choice is now, and for each candidate whether it is no state by a better one."""
        pool = self._pool
        present = []
        for j in range(self._n):
            total = pool.zero
            for row in self._matrix:
                total = pool.add(total, row[j])
            present.append(pool.sub(pool.one, total))
        jacobian = [row.get(j, pool.zero) for row in self._choice.rows for j in range(self._n)]
        return pool.apply(self._procedure, [*jacobian, *present])

    def _as_matrix(self, chosen: Sequence[Expr]) -> list[list[Expr]]:
        """Row c has its 1 at the c-th candidate that is not chosen as no state."""
        pool = self._pool
        rows = []
        for c in range(self._n - self._k):
            before, row = pool.zero, []
            for j in range(self._n):
                is_state = pool.sub(pool.one, chosen[j])
                is_next = pool.relation("==", before, pool.constant(c), "noevent")
                row.append(pool.choose(is_next, is_state, pool.zero))
                before = pool.add(before, is_state)
            rows.append(row)
        return rows

    def _picked(self, row: Sequence[Expr], values: Sequence[Expr]) -> Expr:
        total = self._pool.zero
        for a, v in zip(row, values):
            total = self._pool.add(total, self._pool.mul(a, v))
        return total

    # --- the event -------------------------------------------------------------------------------------

    def _relation(self, quality: Expr) -> Relation:
        names = ", ".join(str(v.data) for v in self._levels[0])
        text = f"the choice of states of {names} is no longer good"
        return Relation("state", "<", quality, self._pool.constant(_GOOD), text, self._choice.origin)

    def _events(self, better: Sequence[Expr]) -> Events:
        """The choice is that of every event; only the states restart at one."""
        system, pool, origin = self._system, self._pool, self._choice.origin
        mode = pool.mode(self._mode)
        updates = tuple(
            Update(leaf, pool.choose(mode, e, leaf), origin.span, origin.instance)
            for leaves, row in zip(self._matrix, self._as_matrix(better))
            for leaf, e in zip(leaves, row)
        )
        branch = WhenBranch(mode, (), tuple(self._restarts({})), (), origin.span)
        whens = [self._with_restarts(when) for when in system.events.whens]
        every = (*whens, When((branch,), origin.instance))
        return replace(system.events, updates=(*system.events.updates, *updates), whens=every)

    def _restarts(self, given: Mapping[Expr, Expr]) -> Iterator[Restart]:
        """The new states from the candidates, some of which have given values."""
        origin = self._choice.origin
        for leaves, states in zip(self._levels, self._states):
            values = [given.get(v, v) for v in leaves]
            for row, state in zip(self._after, states):
                yield Restart(state, self._picked(row, values), origin.span, origin.instance)

    def _with_restarts(self, when: When) -> When:
        """Who restarts a candidate restarts the states that pick it."""
        every = {v for leaves in self._levels for v in leaves}
        branches = []
        for branch in when.branches:
            given = {r.target: r.value for r in branch.restarts if r.target in every}
            more = tuple(self._restarts(given)) if given else ()
            branches.append(replace(branch, restarts=(*branch.restarts, *more)))
        return replace(when, branches=tuple(branches))
