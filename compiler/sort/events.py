"""Solves events (stage 5d): relations, conditions and updates in terms of states and held values.

SolvedSystem -> SolvedEvents. Updates of discrete variables are substituted into each other in the order in which they
depend on one another. Does not decide when an event happens: that is decided during a run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from cutset.compiler.diagnostics import Diagnostic, Label, ModelError, Span
from cutset.compiler.expressions.pool import Expr, Pool, Undefined
from cutset.compiler.expressions.walk import Substitution, reachable, rewrite, terms_of, variables_of
from cutset.compiler.flatten.model import Delay, EquationSystem, Relation
from cutset.compiler.instantiate.events.model import Assertion, Restart, Update
from cutset.compiler.sort import messages
from cutset.compiler.sort.system import Jump, SolvedEvents, SolvedSystem, SortedSystem, is_written


def solve_events(solved: SolvedSystem) -> SolvedEvents:
    """Raises ModelError if values after an event depend on each other in a cycle."""
    system = solved.sorted_system.system
    _check_restarts(solved.sorted_system)
    after = _After(system, Substitution(solved.pool, {a.unknown: a.value for a in solved.assignments}))
    branches, jumps = list(system.events.branches()), solved.sorted_system.jumps
    return SolvedEvents(
        relations=tuple(after.relation(r) for r in system.relations),
        whens=tuple(len(when.branches) for when in system.events.whens),
        conditions=tuple(after.condition_of(b.condition, b.span, system.name) for b in branches),
        discrete=after.discrete(),
        states=tuple(after.state(state) for state in solved.sorted_system.states),
        competing=after.competing([number for number, when in enumerate(system.events.whens) for _ in when.branches]),
        delays=tuple(after.delay(d) for d in system.delays),
        assertions=tuple(
            (replace(a, condition=after.condition_of(a.condition, a.span, a.instance)), k)
            for a, k in _assertions(system)
        ),
        before=after.before(jumps),
        jumps=after.jumps(jumps, len(branches)),
    )


def _check_restarts(sorted_system: SortedSystem) -> None:
    """Only states can be restarted. Raises ModelError for other variables."""
    system, states = sorted_system.system, sorted_system.states
    can = {*states, *(v for state in states for v in sorted_system.picked(state))}
    wrong = {r.target: r for branch in system.events.branches() for r in branch.restarts if r.target not in can}
    if wrong:
        names = [str(state.data) for state in states if not sorted_system.picked(state)]
        raise ModelError(
            messages.restarts_what_follows(str(r.target.data), names, r.span, r.instance or system.name)
            for r in wrong.values()
        )


def _assertions(system: EquationSystem) -> Iterator[tuple[Assertion, int]]:
    yield from ((a, -1) for a in system.events.assertions)
    for k, branch in enumerate(system.events.branches()):
        yield from ((a, k) for a in branch.assertions)


class _After:
    """Values at an event and after it; `inline` substitutes solved unknowns. ModelError for a value that is undefined
    for every state."""

    def __init__(self, system: EquationSystem, inline: Substitution):
        self._system, self._pool, self._inline = system, system.pool, inline
        self._updates: dict[Expr, list[tuple[Update, int]]] = {}
        self._restarts: dict[Expr, list[tuple[Restart, int]]] = {}
        for update in system.events.updates:
            self._updates.setdefault(update.target, []).append((update, -1))
        for k, branch in enumerate(system.events.branches()):
            for update in branch.updates:
                self._updates.setdefault(update.target, []).append((update, k))
            for restart in branch.restarts:
                self._restarts.setdefault(restart.target, []).append((restart, k))
        self._target = {d.after: d.node for d in system.discrete}
        self._values: dict[Expr, Expr] = {}  # by the leaf of the value after the event
        for after in self._in_order():
            self._values[after] = self._chosen(self._target[after])

    def relation(self, relation: Relation) -> Relation:
        origin = relation.origin
        with self._placed(origin.span, origin.instance):
            return replace(relation, left=self._inline(relation.left), right=self._inline(relation.right))

    def delay(self, delay: Delay) -> Delay:
        origin = self._system.user_of(delay)
        with self._placed(origin.span, origin.instance):
            return replace(delay, value=self._inline(delay.value))

    def final(self, e: Expr, span: Span, instance: str, branch: int = -1) -> Expr:
        """The expression with the values after the event substituted; its controllers act with the branch."""
        with self._placed(span, instance):
            e = self._inline(e)
            if branch >= 0:
                e = _with_controllers(self._pool, e, self._pool.acting(branch))
            used = {v: self._values[v] for v in variables_of(e) if v in self._target}
            return Substitution(self._pool, used)(e) if used else e

    @contextmanager
    def _placed(self, span: Span, instance: str) -> Iterator[None]:
        try:
            yield
        except Undefined as error:
            raise ModelError([messages.without_value(str(error), span, instance or self._system.name)]) from error

    def condition_of(self, condition: Expr, span: Span, instance: str) -> Expr:
        """A condition, which is evaluated before it is known which branches act."""
        value = self.final(condition, span, instance)
        if any(node.op == "acting" for node in reachable([value])):
            names = [str(v.data) for v in variables_of(condition) if v in self._target]
            raise ModelError([messages.asks_for_after(names[0], span, instance or self._system.name)])
        return value

    def discrete(self) -> tuple[Expr, ...]:
        return tuple(self._values[d.after] for d in self._system.discrete)

    def state(self, state: Expr) -> Expr:
        value = state
        for restart, branch in reversed(self._restarts.get(state, [])):
            given = self.final(restart.value, restart.span, restart.instance, branch)
            value = self._pool.choose(self._pool.acting(branch), given, value)
        return value

    def before(self, jumps: tuple[Jump, ...]) -> tuple[Expr, ...]:
        return tuple(map(self._inline, self._of_jumps(jumps)))

    def _of_jumps(self, jumps: tuple[Jump, ...]) -> list[Expr]:
        known = {*self._system.known, *(v for jump in jumps for v in jump.held)}
        return list(dict.fromkeys(v for jump in jumps for v in variables_of(jump.residual) if v not in known))

    def jumps(self, jumps: tuple[Jump, ...], n_branches: int) -> tuple[Expr, ...]:
        pool, found = self._pool, []
        leaves = {v: pool.acting(n_branches + k) for k, v in enumerate(self._of_jumps(jumps))}
        of_before = Substitution(pool, leaves | {v: self._inline(v) for jump in jumps for v in jump.held})
        for jump in jumps:
            residual, size = of_before(jump.residual), pool.zero
            for term, _ in terms_of(residual):
                size = pool.add(size, pool.call("fabs", term))
            found += [residual, size]
        return tuple(found)

    def competing(self, when_of: list[int]) -> tuple[tuple[Restart, int], ...]:
        """The restarts of variables that several `when` restart, with their values after the event and their
        branches."""
        several = [
            r for r in self._restarts.values() if len({when_of[k] for _, k in r}) > 1 and is_written(r[0][0].target)
        ]
        return tuple(
            (replace(r, value=self.final(r.value, r.span, r.instance, k)), k)
            for restarts in several
            for r, k in restarts
        )

    def _chosen(self, target: Expr) -> Expr:
        value = target
        for update, branch in reversed(self._updates.get(target, [])):
            given = self.final(update.value, update.span, update.instance, branch)
            value = given if branch < 0 else self._pool.choose(self._pool.acting(branch), given, value)
        return value

    def _in_order(self) -> list[Expr]:
        """The leaves of values after the event, in the order of their dependences."""
        needs = {
            after: [v for u, _ in self._updates.get(node, []) for v in variables_of(u.value) if v in self._target]
            for after, node in self._target.items()
        }
        order: list[Expr] = []
        state: dict[Expr, int] = {}  # 1: on the path, 2: done
        for root in needs:
            path = [root] if root not in state else []
            while path:
                leaf = path[-1]
                state.setdefault(leaf, 1)
                waiting = [n for n in needs[leaf] if state.get(n) != 2]
                cycle = next((n for n in waiting if state.get(n) == 1), None)
                if cycle is not None:
                    raise ModelError([self._cycle(path[path.index(cycle) :])])
                if waiting:
                    path.append(waiting[0])
                else:
                    state[leaf] = 2
                    order.append(path.pop())
        return order

    def _cycle(self, leaves: list[Expr]) -> Diagnostic:
        updates = [self._updates[self._target[leaf]][0][0] for leaf in leaves]
        names = [str(update.target.data) for update in updates]
        labels = tuple(Label(u.span, f"new({u.target.data}) is given here") for u in updates[1:])
        first = updates[0]
        return messages.cycle_of_updates(names, first.span, first.instance or self._system.name, labels)


def _with_controllers(pool: Pool, e: Expr, acting: Expr) -> Expr:
    """The expression with this first argument of each call of a controller."""

    def rule(node: Expr, args: Sequence[Expr]) -> Expr | None:
        if node.op != "apply" or node.data.foreign is None or not node.data.foreign.is_controller:
            return None
        return pool.rebuild(node, (acting, *args[1:]))

    return rewrite(pool, [e], rule)[e] if pool.has_controllers else e
