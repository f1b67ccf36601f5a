"""Adds sensitivities (stage 5e): the derivatives of all variables by parameters, as further variables.

SolvedSystem, Start, SolvedEvents -> the same. A derivative of a state is a state, that of a discrete variable is
discrete, and the others are assigned: ds/dt = J*s + df/dp, with the systems of the model solved for other right sides.
An event acts on them as on the variables. Where its instant depends on a parameter, the run itself moves the states
there, see runtime/c/events/sensitivities.h: `motions` are what it needs of each relation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from cutset.compiler.expressions.directional import Direction
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.user_function import NotDifferentiable
from cutset.compiler.flatten.model import Discrete, EquationSystem, Relation, Unknown
from cutset.compiler.sort.system import Assignment, SolvedEvents, SolvedSystem, Start
from cutset.contract.metadata import sensitivity_name


class _Column(NamedTuple):
    """The derivatives by the parameter of this name: of leaves of parameters, states and discrete variables, and that
    of the instant of an event."""

    parameter: str
    leaf: Expr
    parameters: Mapping[Expr, Expr]
    states: Mapping[Expr, Expr]
    discrete: dict[Expr, Expr]
    instant: Expr


def with_sensitivities(
    solved: SolvedSystem, start: Start, events: SolvedEvents, parameters: Sequence[str], given: frozenset[str]
) -> tuple[SolvedSystem, Start, SolvedEvents]:
    """The system with the sensitivities by these parameters; runs give the `given` ones, so that they do not follow
    from others. NotDifferentiable for a function without a derivative."""
    if not parameters:
        return solved, start, events
    if solved.sorted_system.system.delays:
        raise NotDifferentiable("delay")
    found = _Sensitivities(solved, start, events, given)
    columns = [found.column(name) for name in parameters]
    return found.solved(columns), found.start(columns), found.events(columns)


class _Sensitivities:
    def __init__(self, solved: SolvedSystem, start: Start, events: SolvedEvents, given: frozenset[str]):
        self._solved, self._start, self._events, self._given = solved, start, events, given
        self._sorted, self._pool = solved.sorted_system, solved.pool
        self._system: EquationSystem = self._sorted.system
        values = {a.unknown: a.value for a in solved.assignments}
        self._rates = {s: values.get(d, d) for s, d in zip(self._sorted.states, self._sorted.derivatives, strict=False)}

    def column(self, name: str) -> _Column:
        bound = {
            leaf: binding
            for p in self._system.parameters
            for leaf, binding in zip(p.value.elements, p.binding.elements, strict=True)
            if leaf.op == "parameter"
        }
        pool = self._pool
        fixed = {name, *self._given}
        own = {leaf: pool.one if leaf.data == name else pool.zero for leaf in bound if leaf.data in fixed}
        parameters = dict(own)
        for leaf, binding in bound.items():  # those that a binding uses precede it
            if leaf not in own:
                parameters[leaf] = Direction(pool, parameters)(binding)
        states = {s: self._variable(s, name) for s in self._sorted.states}
        whole = next(leaf for leaf in own if leaf.data == name)
        column = _Column(name, whole, parameters, states, {}, pool.variable(sensitivity_name("time", name)))
        while found := [d for d in self._moving(column) if d.node not in column.discrete]:
            column.discrete.update({d.node: self._variable(d.node, name) for d in found})
        return column

    def _variable(self, variable: Expr, name: str) -> Expr:
        return self._pool.variable(sensitivity_name(str(variable.data), name))

    def _moving(self, column: _Column) -> Iterator[Discrete]:
        """The discrete variables that depend on the parameter, as far as others are known to do so."""
        at_events, at_start = self._at_events(column), Direction(self._pool, column.parameters)
        for discrete, after in zip(self._system.discrete, self._events.discrete, strict=False):
            started = at_start(discrete.start) if discrete.start is not None else self._pool.zero
            if started is not self._pool.zero or at_events(after) is not self._pool.zero:
                yield discrete

    def _between(self, column: _Column) -> Direction:
        return Direction(self._pool, {**column.parameters, **column.states, **column.discrete})

    def _at_events(self, column: _Column) -> Direction:
        instant = {self._pool.time: column.instant}
        return Direction(self._pool, {**column.parameters, **column.states, **column.discrete, **instant})

    # --- the parts of the result

    def solved(self, columns: Sequence[_Column]) -> SolvedSystem:
        assignments, derivatives = list(self._solved.assignments), list(self._sorted.derivatives)
        for column in columns:
            slope = self._between(column)
            for unknown, value, equation, _ in self._solved.assignments:
                assignments.append(Assignment(self._variable(unknown, column.parameter), slope(value), equation))
            assigned = {a.unknown for a in self._solved.assignments}  # not an input, nor a state
            derivatives += [
                self._variable(d, column.parameter) if d in assigned else slope(d) for d in self._sorted.derivatives
            ]
        states = (*self._sorted.states, *(s for column in columns for s in column.states.values()))
        system = replace(
            self._system,
            unknowns=(*self._system.unknowns, *self._unknowns(columns)),
            discrete=(*self._system.discrete, *(d for d, _ in self._discrete(columns))),
            sensitivities=tuple(column.parameter for column in columns),
        )
        whole = replace(self._sorted, system=system, states=states, derivatives=tuple(derivatives))
        return replace(self._solved, sorted_system=whole, assignments=tuple(assignments))

    def _unknowns(self, columns: Sequence[_Column]) -> Iterator[Unknown]:
        """The states, with nominal values for the tolerances of the integration."""
        pool, own = self._pool, {u.node: u for u in self._system.unknowns}
        for column in columns:
            size = pool.call("fabs", column.leaf)
            scale = pool.choose(pool.relation(">", size, pool.zero), size, pool.one)
            for state, node in column.states.items():
                nominal = own[state].nominal if state in own else None
                span = own[state].span if state in own else self._system.unknowns[0].span
                yield Unknown(node, None, 0, span, nominal=pool.div(nominal or pool.one, scale))

    def _discrete(self, columns: Sequence[_Column]) -> Iterator[tuple[Discrete, Expr]]:
        """The discrete variables, each with its value after an event; the instants are the last ones."""
        for column in columns:
            at_events, at_start = self._at_events(column), Direction(self._pool, column.parameters)
            for d, after in zip(self._system.discrete, self._events.discrete, strict=False):
                if d.node in column.discrete:
                    start = at_start(d.start) if d.start is not None else self._pool.zero
                    node = column.discrete[d.node]
                    yield Discrete(node, self._after(node), start, d.fixed, d.span), at_events(after)
        for column in columns if self._system.relations else ():
            node, span = column.instant, self._system.relations[0].origin.span
            yield Discrete(node, self._after(node), self._pool.zero, True, span), node

    def _after(self, node: Expr) -> Expr:
        return self._pool.variable(f"{node.data}, after")

    def start(self, columns: Sequence[_Column]) -> Start:
        given, values, pool = list(self._start.given), list(self._start.values), self._pool
        for column in columns:
            of_given = Direction(pool, column.parameters)
            slopes = [of_given(e) for e in self._start.given]
            leaves = {pool.start(k): slope for k, slope in enumerate(slopes)}
            at_start = Direction(pool, {**column.parameters, **leaves})
            given += slopes
            values += [at_start(e) for e in self._start.values]
        return replace(self._start, given=tuple(given), values=tuple(values))

    def events(self, columns: Sequence[_Column]) -> SolvedEvents:
        discrete, states = list(self._events.discrete), list(self._events.states)
        for column in columns:
            at_events = self._at_events(column)
            states += [at_events(e) for e in self._events.states]
        discrete += [after for _, after in self._discrete(columns)]
        motions = tuple(e for relation in self._events.relations for e in self._motion(relation, columns))
        return replace(self._events, discrete=tuple(discrete), states=tuple(states), motions=motions)

    def _motion(self, relation: Relation, columns: Sequence[_Column]) -> Iterator[Expr]:
        """How fast the difference of the sides of a relation changes, and how it changes with each parameter; of a
        sample the instant, which changes by as much in the other direction."""
        pool, sides = self._pool, (relation.left, relation.right)
        if relation.kind == "edge" or relation.at_ends:  # its instant is that of another, or moves nothing
            yield from (pool.one, *(pool.zero for _ in columns))
        elif relation.kind == "sample":
            count = pool.div(pool.sub(pool.time, relation.left), relation.right)
            yield pool.minus_one
            for column in columns:
                first, interval = map(self._between(column), sides)
                yield first if interval is pool.zero else pool.add(first, pool.mul(count, interval))
        else:
            flow = Direction(pool, {**self._rates, pool.time: pool.one})
            yield pool.sub(*map(flow, sides))
            for column in columns:
                yield pool.sub(*map(self._between(column), sides))
