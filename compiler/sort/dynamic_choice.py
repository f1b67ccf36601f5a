"""Makes a choice of states dynamic: StateChoice -> the system with new states, their selection matrix, and its event.

Of n variables v that k constraints g(v, ...) = 0 bind, n - k are states; if the constraints are not linear no choice is
valid everywhere: a pendulum in Cartesian coordinates needs x as a state where it hangs and y where it is horizontal. So
none of them is a state. There are new states s instead (Mattsson, Olsson and Elmqvist, Dynamic selection of states in
Dymola, Modelica Workshop 2000, pp. 61-67), n - k on each order of derivatives, with

    s = A*v,    der(s) = A*der(v),    ...

where A has a single 1 in each row: it selects those v that are states at present. Its elements are discrete variables,
so they are held between events, and the derivative of s = A*v needs no special rule. The v follow from s = A*v and g =
0, by an iteration on the order of g and by linear systems above it. All later stages treat s as any state and A as any
discrete variables.

An event happens when the choice has become bad: in terms of the Jacobian J of g, split into the columns B of those v
that are not states and the columns of those that are, when an element of inverse(B)*rest becomes larger than 2, which
is how much faster than a state another variable moves. Then a better choice is made (`expressions.exchange`: no element
is larger than 1), A is updated, and s restarts from the v, which do not jump. An event of the model that restarts some
of the v makes these states, if they determine the others. At the start A is chosen at the start values; if it is bad
where the constraints hold, the first event changes it. Chooses nothing at translation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from cutset.compiler.expressions.differentiate import derivative_name
from cutset.compiler.expressions.pivot_selection import exchange, quality
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.user_function import UserFunction
from cutset.compiler.flatten.model import Discrete, EquationSystem, Origin, Relation, ScalarEquation, Unknown
from cutset.compiler.instantiate.events.model import Events, Restart, Update, When, WhenBranch
from cutset.compiler.instantiate.instance import Strength
from cutset.compiler.sort.iteration_starts import IterationStarts
from cutset.compiler.sort.state_choice import USABLE, StateChoice
from cutset.compiler.structure.chains import integrals
from cutset.compiler.structure.plan import StructuralPlan

# A new choice is made when a variable moves more than twice as fast as a state.
_GOOD = 0.5
# The weight of a column of the Jacobian at the start: a variable with a weaker start value follows from the others,
# unless they hardly determine it.
_WEIGHT = {Strength.RUN: 1e-3, Strength.MODEL: 1.0, Strength.CLASS: 1e3, Strength.DEFAULT: 1e6}


# The same at an event that restarts variables: these are states after it, and then those that are states now.
_RESTARTED, _PRESENT = 1e-6, 1e-3


class DynamicChoice:
    """Extends the system by new states, their selection matrix, and the event that changes it. `own_start`: the model
    has initial equations; `guesses` are those of the system without extensions, `nodes` the variables by their numbers
    in the plan."""

    def __init__(
        self,
        system: EquationSystem,
        nodes: Sequence[Expr],
        plan: StructuralPlan,
        choice: StateChoice,
        number: int,
        own_start: bool,
        guesses: IterationStarts,
    ):
        self._own_start = own_start
        self._system, self._nodes, self._plan, self._choice = system, nodes, plan, choice
        self._pool = pool = system.pool
        self._n, self._k = len(choice.candidates), len(choice.rows)
        self._name = f"$states{number}"
        by_node = {u.node: u for u in system.unknowns}
        self._levels = [self._leaves(order) for order in range(choice.order)]
        self._unknown_of = by_node
        self._states = [[self._state(c, order) for c in range(self._n - self._k)] for order in range(choice.order + 1)]
        names = [[f"{self._name}.A({c + 1},{j + 1})" for j in range(self._n)] for c in range(self._n - self._k)]
        self._matrix = [[pool.variable(name) for name in row] for row in names]
        self._after = [[pool.variable(f"new({name})") for name in row] for row in names]
        first = len(system.relations)
        self._is_bad = pool.logical("not", pool.logical("or", pool.mode(first), pool.mode(first + 1)))
        self._function: UserFunction = exchange(pool, self._k, self._n)
        self._at_start = choice.jacobian_at_start(system, guesses)

    def _leaves(self, order: int) -> list[Expr]:
        """The derivatives of that order of the candidates."""
        numbers = list(self._choice.candidates)
        for _ in range(order):
            numbers = [self._plan.derivative[v] for v in numbers]
        return [self._nodes[v] for v in numbers]

    def _state(self, c: int, order: int) -> Expr:
        name = f"{self._name}.x({c + 1})"
        for _ in range(order):
            name = derivative_name(name)
        return self._pool.variable(name)

    def system(self) -> EquationSystem:
        """The system with as many more equations as unknowns. The new states are the first of the new unknowns."""
        system, links = self._system, self._links()
        slopes = {
            a: b
            for low, high in zip(self._states, self._states[1:], strict=False)
            for a, b in zip(low, high, strict=False)
        }
        missing = (
            Unknown(node, None, 0, self._choice.origin.span, False)
            for node in links.values()
            if node not in self._unknown_of
        )
        picked = [self._picked(row, self._levels[0]) for row in self._matrix]
        new = [
            ScalarEquation(self._pool.sub(s, e), self._choice.origin)
            for s, e in zip(self._states[0], picked, strict=False)
        ]
        return replace(
            system,
            unknowns=(*system.unknowns, *self._new_unknowns(), *missing),
            equations=(*system.equations, *new),
            initial=(*system.initial, *self._initial()),
            derivatives={**system.derivatives, **links, **slopes},
            discrete=(*system.discrete, *self._discrete()),
            relations=(*system.relations, *self._relations(self._quality())),
            events=self._events(self._better()),
            count=system.count + len(new),
        )

    def dummies(self, at_start: bool = False) -> list[Expr]:
        """For each candidate 1 if it is not a state now, or at the start."""
        pool, found = self._pool, []
        matrix = self._first() if at_start else self._matrix
        for j in range(self._n):
            total = pool.zero
            for row in matrix:
                total = pool.add(total, row[j])
            found.append(pool.sub(pool.one, total))
        return found

    def _links(self) -> dict[Expr, Expr]:
        """The derivatives that only the plan has, of the selected variables and of their integrals."""
        integral, found = integrals(self._plan.derivative), {}
        for v in self._choice.candidates:
            while self._nodes[v] not in self._unknown_of:
                found[self._nodes[integral[v]]] = self._nodes[v]
                v = integral[v]
        return found

    def _new_unknowns(self) -> Iterator[Unknown]:
        span, first = self._choice.origin.span, self._first()
        for order, states in enumerate(self._states):
            starts = self._starts(order)
            for c, state in enumerate(states):
                start = self._picked(first[c], starts) if any(e is not self._pool.zero for e in starts) else None
                yield Unknown(state, start, 0, span, False)

    def _initial(self) -> Iterator[ScalarEquation]:
        """The candidates with the strongest start values start there, whichever are finally selected. If only some have
        a start value, but at least as many as there are states, or if the model has initial equations, the selection of
        the start equations uses these values."""
        if self._own_start:
            return
        for order, states in enumerate(self._states[:-1]):
            firm = sum(
                u.start is not None and u.fixed for u in map(self._unknown_of.get, self._levels[order]) if u is not None
            )
            if firm != self._n and not 0 < firm < len(states):
                continue
            own, starts = self._strengths(order), self._starts(order)
            nothing_written = set(own) == {Strength.DEFAULT}
            fixed = self._at_start is not None and not nothing_written and not (self._choice.preferred and order == 0)
            if fixed:  # whatever is selected
                # Velocities are determined where the positions are, not at their guesses.
                slopes = self._choice.jacobian(self._pool) if order else self._at_start or []
                held = [(row, self._picked(row, self._levels[order])) for row in self._strongest(own, slopes)]
            elif len(set(own)) == 1 or self._choice.preferred:  # those that are selected
                held = list(zip(self._matrix, states, strict=False))
            else:
                continue
            for row, value in held:
                yield ScalarEquation(
                    self._pool.sub(value, self._picked(row, starts)), Origin(self._choice.origin.span, "")
                )

    def _strengths(self, order: int) -> list[Strength]:
        """The strengths of the start values of the derivatives of that order."""
        unknowns = [self._unknown_of.get(v) for v in self._levels[order]]
        return [Strength.DEFAULT if u is None or u.start is None or not u.fixed else u.strength for u in unknowns]

    def _starts(self, order: int) -> list[Expr]:
        """The start values of the derivatives of that order, zero where there is none."""
        unknowns = [self._unknown_of.get(v) for v in self._levels[order]] if order < self._choice.order else []
        return [self._pool.zero if u is None or u.start is None else u.start for u in unknowns]

    def _discrete(self) -> Iterator[Discrete]:
        span, first = self._choice.origin.span, self._first()
        for c, row in enumerate(self._matrix):
            for j, leaf in enumerate(row):
                yield Discrete(leaf, self._after[c][j], first[c][j], True, span)

    def _first(self) -> list[list[Expr]]:
        """A at the start, from the Jacobian at the start values if parameters determine it. Preferred variables come
        first, so that the same start values count as in a run that keeps the preference."""
        pool, plan = self._pool, [self._pool.constant(d) for d in self._choice.dummies]
        if self._at_start is None:
            return self._as_matrix(plan)
        if not self._choice.preferred:
            return self._strongest([Strength.MODEL] * self._n, self._at_start)
        first, *better = pool.apply(self._function, [*self._at_start, *plan])
        is_usable = pool.relation(">", pool.call("fabs", first), pool.constant(USABLE), "noevent")
        return self._as_matrix([pool.choose(is_usable, d, b) for d, b in zip(plan, better, strict=False)])

    def _strongest(self, strengths: Sequence[Strength], slopes: Sequence[Expr]) -> list[list[Expr]]:
        """The matrix that selects those with the strongest start values, as far as they determine the others by these
        slopes (the Jacobian row by row). If no set does, because bars are collinear, those with the weakest start
        values are the first to follow."""
        pool, strongest = self._pool, max(strengths)
        weights = [pool.constant(_WEIGHT[s] / _WEIGHT[strongest]) for s in strengths]
        order = sorted(range(self._n), key=lambda j: strengths[j])
        weighted = [pool.mul(weights[j], slopes[i * self._n + j]) for i in range(self._k) for j in order]
        _, *chosen = pool.apply(self._function, [*weighted, *[pool.zero] * self._n])
        return self._as_matrix([chosen[order.index(j)] for j in range(self._n)])

    def _quality(self) -> Expr:
        """The quality of the present choice. It is evaluated in every step, a better choice at events only."""
        return self._pool.apply(quality(self._pool, self._k, self._n), self._choice_now())[0]

    def _better(self) -> Sequence[Expr]:
        """For each candidate, 1 if it is not a state in a better choice."""
        return self._pool.apply(self._function, self._choice_now())[1:]

    def _choice_now(self) -> list[Expr]:
        """The Jacobian, and for each candidate 1 if it is not a state."""
        return [*self._choice.jacobian(self._pool), *self.dummies()]

    def _as_matrix(self, chosen: Sequence[Expr]) -> list[list[Expr]]:
        """Row c has its 1 at the c-th candidate that is a state."""
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
        for a, v in zip(row, values, strict=False):
            total = self._pool.add(total, self._pool.mul(a, v))
        return total

    # --- the event -------------------------------------------------------------------------------------

    def _relations(self, quality: Expr) -> Iterator[Relation]:
        """Two relations, one of which is true while the choice is good: a step over the singular point changes both."""
        names = ", ".join(str(v.data) for v in self._levels[0])
        text = f"the selection of states among {names} is good"
        yield Relation("state", ">", quality, self._pool.constant(_GOOD), text, self._choice.origin, at_ends=True)
        yield Relation("state", "<", quality, self._pool.constant(-_GOOD), text, self._choice.origin, at_ends=True)

    def _events(self, better: Sequence[Expr]) -> Events:
        """The choice is updated at every event; the states restart only at one that changes it, or by the model."""
        system, pool, origin = self._system, self._pool, self._choice.origin
        leaves = [leaf for row in self._matrix for leaf in row]
        after = {
            leaf: pool.choose(self._is_bad, e, leaf)
            for leaf, e in zip(leaves, (e for row in self._as_matrix(better) for e in row), strict=True)
        }
        for number, branch in enumerate(system.events.branches()):
            restarted = self._restarted(branch)
            if restarted:
                made = (e for row in self._with_states(restarted) for e in row)
                for leaf, e in zip(leaves, made, strict=True):
                    after[leaf] = pool.choose(pool.acting(number), e, after[leaf])
        updates = tuple(Update(leaf, e, origin.span, origin.instance) for leaf, e in after.items())
        branch = WhenBranch(self._is_bad, (), tuple(self._restarts({})), (), origin.span)
        whens = [self._with_restarts(when) for when in system.events.whens]
        every = (*whens, When((branch,), origin.instance))
        return replace(system.events, updates=(*system.events.updates, *updates), whens=every)

    def _restarted(self, branch: WhenBranch) -> set[int]:
        """The candidates that the branch restarts, on any order of derivatives."""
        targets = {r.target for r in branch.restarts}
        return {j for leaves in self._levels for j, v in enumerate(leaves) if v in targets}

    def _with_states(self, wanted: set[int]) -> list[list[Expr]]:
        """The matrix that selects these candidates, as far as they determine the others: those that are states now are
        the next ones."""
        pool, now = self._pool, self._choice_now()
        slopes, follows = now[: -self._n], now[-self._n :]
        present, one = pool.constant(_PRESENT), pool.one
        weights = [
            pool.constant(_RESTARTED)
            if j in wanted
            else pool.add(present, pool.mul(follows[j], pool.sub(one, present)))
            for j in range(self._n)
        ]
        weighted = [pool.mul(weights[k % self._n], slope) for k, slope in enumerate(slopes)]
        _, *chosen = pool.apply(self._function, [*weighted, *follows])
        return self._as_matrix(chosen)

    def _restarts(self, given: Mapping[Expr, Expr]) -> Iterator[Restart]:
        """The new states from the candidates, some of which have given values."""
        origin = self._choice.origin
        for leaves, states in zip(self._levels, self._states, strict=False):
            values = [given.get(v, v) for v in leaves]
            for row, state in zip(self._after, states, strict=False):
                yield Restart(state, self._picked(row, values), origin.span, origin.instance)

    def _with_restarts(self, when: When) -> When:
        """A restart of a candidate restarts the states that select it."""
        every = {v for leaves in self._levels for v in leaves}
        branches = []
        for branch in when.branches:
            given = {r.target: r.value for r in branch.restarts if r.target in every}
            more = tuple(self._restarts(given)) if given else ()
            branches.append(replace(branch, restarts=(*branch.restarts, *more)))
        return replace(when, branches=tuple(branches))
