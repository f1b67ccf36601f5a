"""Selects and solves the equations that determine the states at the start (stage 5c): SortedSystem -> Start.

To the sorted equations it adds those of `initial` and start values, the strongest first: required conditions, explicit
start values of states, those of other variables with a derivative, and zero for the rest. The solving itself is that of
`solve`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from cutset.compiler.diagnostics import Diagnostic, Label, ModelError
from cutset.compiler.expressions.dependent_rows import TooLong, dependent_rows
from cutset.compiler.expressions.finite_field_evaluation import FieldPoint
from cutset.compiler.expressions.pool import Expr, Pool
from cutset.compiler.expressions.walk import Substitution, terms_of, variables_of
from cutset.compiler.flatten.model import Origin, ScalarEquation, Unknown
from cutset.compiler.instantiate.instance import Strength
from cutset.compiler.sort import messages
from cutset.compiler.sort.solve import solve
from cutset.compiler.sort.start_order import AtStart, Started, is_firm, is_linear, is_written
from cutset.compiler.sort.start_point import following
from cutset.compiler.sort.start_remarks import Remarks, place_of, redundant_note
from cutset.compiler.sort.system import Block, SolvedSystem, SortedSystem, Start, StartCheck, StartCondition
from cutset.compiler.sort.system import is_written as is_of_the_model
from cutset.compiler.structure.starts import StartPlan, claimed, plan_start
from cutset.contract.quick_dataclass import dataclass

# The fields of Start after the systems.
_Remarked = tuple[
    tuple[str, ...],
    tuple[Label, ...],
    tuple[Label, ...],
    tuple[StartCheck, ...],
    tuple[str, ...],
    tuple[str, ...],
    tuple[StartCondition, ...],
]
# Codes of equations that cannot be solved.
_SINGULAR, _TOO_MANY = "E501", "E504"


def solve_start(sorted_system: SortedSystem) -> Start:
    """Raises ModelError if start conditions contradict each other or do not determine the states."""
    system, pool = sorted_system.system, sorted_system.system.pool
    started = Started(sorted_system)
    given = tuple(_given(started.state(k), pool) for k in range(len(sorted_system.states)))
    direct = tuple(pool.start(k) for k in range(len(given)))
    search = _Search(sorted_system, started, given, direct)
    if not system.initial and not search.others:
        return Start(given, direct, (), (), *search.remarks(None, {}))
    return search.start()


@dataclass(frozen=True, slots=True)
class _Candidate:
    """An equation that may or must determine the start; `state` is the number of the state whose start value it is, or
    -1; `other` is the variable with a derivative whose start value it is, if that is not a state."""

    equation: ScalarEquation
    is_required: bool
    state: int = -1
    other: Expr | None = None


def _given(unknown: Unknown | None, pool: Pool) -> Expr:
    return pool.zero if unknown is None or unknown.start is None else unknown.start


def _of_the_start(error: ModelError) -> Iterator[Diagnostic]:
    return (messages.of_the_start(d) if d.code == _SINGULAR else d for d in error.diagnostics)


class _Search:
    def __init__(
        self,
        sorted_system: SortedSystem,
        started: Started,
        given: tuple[Expr, ...],
        direct: tuple[Expr, ...],
    ):
        self._sorted = sorted_system
        self._pool = sorted_system.system.pool
        self._given, self._direct = given, direct
        self._started, self._declared = started, started.declared
        self._variables = [*sorted_system.states, *(u for block in sorted_system.blocks for u in block.unknowns)]
        self._index = {v: k for k, v in enumerate(self._variables)}
        self._equations = [e for block in sorted_system.blocks for e in block.equations]
        self._leading = started.led_by()
        self._gave_way: set[int] = set()
        self._candidates = list(self._in_order())
        self._redundant: list[tuple[_Candidate, list[_Candidate]]] = []

    @property
    def others(self) -> bool:
        """True if other variables than states have a start value that may count."""
        return any(c.other is not None for c in self._candidates)

    def start(self) -> Start:
        plan, solved = self._determined()
        values = {a.unknown: a.value for a in solved.assignments}
        return Start(
            self._given,
            tuple(values[state] for state in self._sorted.states),
            solved.linear_systems,
            solved.nonlinear_systems,
            *self.remarks(plan, values),
            pivots=solved.pivots,
        )

    def _determined(self) -> tuple[StartPlan, SolvedSystem]:
        """The solved start. If the conditions do not determine the states, those that repeat others are removed."""
        ways, planned = [self._without_dependent, self._without_redundant], self._regular_plan
        while True:
            try:
                plan = planned()
                return plan, self._solved(plan)
            except ModelError as error:
                codes, planned = {d.code for d in error.diagnostics}, self._plan
                ways = ways if codes == {_SINGULAR} else ways[1:] if codes == {_TOO_MANY} and len(ways) == 2 else []
                fewer = False
                while ways and not fewer:
                    fewer = bool(ways.pop(0)())
                if not fewer and not (codes == {_TOO_MANY} and self._give_way()):
                    raise ModelError(_of_the_start(error)) from error

    def _regular_plan(self) -> StartPlan:
        """The plan without given values of other variables that determine no state at the start values."""
        plan, tried = self._plan(), self._leading
        if not (tried or self._sorted.system.initial) or not self._is_singular(plan):
            return plan
        fewer = self._without_redundant()
        if fewer is not None or not tried:
            return self._plan() if fewer else plan
        self._leading = []
        for unknown in tried:
            self._leading.append(unknown)
            self._candidates = list(self._in_order())
            if self._is_singular(self._plan()):
                self._leading.pop()
        self._candidates = list(self._in_order())
        return self._plan()

    def _give_way(self) -> bool:
        """Resolve conflicts between an initial equation with several solutions and a start value given inside a
        submodel: the equation counts, and the value becomes a guess (it could be declared as one only in the submodel's
        class). True if there are such values and the choice is clear."""
        plan = self._planned()
        positions = {k for k, others in plan.refused for k in (k, *others)}
        values = {self._candidates[k].state for k in positions if self._candidates[k].is_required} - {-1}
        of_parts = {k for k in values if "." in str(self._sorted.states[k].data) and is_written(self._started.state(k))}
        if not of_parts or of_parts != values or len(of_parts) != len(plan.refused):
            return False
        before, self._gave_way = self._gave_way, self._gave_way | of_parts
        self._candidates = list(self._in_order())
        if all(map(self._is_iterated, of_parts)):
            return True
        self._gave_way, self._candidates = before, list(self._in_order())
        return False

    def _is_iterated(self, k: int) -> bool:
        """True if the state is computed from equations with several solutions."""
        plan = self._planned()
        system = self._system(plan, self._chosen(plan))
        state = self._sorted.states[k]
        return any(state in block.unknowns and not is_linear(system, block) for block in system.blocks)

    def _is_singular(self, plan: StartPlan) -> bool:
        """True if the equations that the selection has brought together include some that do not determine their
        variables."""
        at_start, known = AtStart(self._sorted), {frozenset(b.unknowns) for b in self._sorted.blocks}
        system = self._system(plan, self._chosen(plan))
        fresh = (b for b in system.blocks if frozenset(b.unknowns) not in known)
        return any(at_start.are_singular(b.equations, b.unknowns) for b in fresh)

    def _plan(self) -> StartPlan:
        plan = self._planned()
        if plan.refused:
            raise ModelError([self._too_many(plan)])
        return plan

    def _planned(self) -> StartPlan:
        rows = [self._row(e) for e in self._equations]
        candidates = [self._row(c.equation) for c in self._candidates]
        required = sum(1 for c in self._candidates if c.is_required)
        return plan_start(rows, candidates, required, len(self._variables))

    def _solved(self, plan: StartPlan) -> SolvedSystem:
        return solve(self._system(plan, self._chosen(plan)))

    def _chosen(self, plan: StartPlan) -> list[ScalarEquation]:
        return [*self._equations, *(self._candidates[k].equation for k in plan.chosen)]

    def _without_dependent(self) -> bool:
        """Remove candidates, except required ones, that repeat the equations and stronger candidates although their
        structure does not show it. True if there were any."""
        point, every = FieldPoint({}), [*self._equations, *(c.equation for c in self._candidates)]
        rows = []
        for equation in every:
            slopes = point.gradient(equation.residual)
            rows.append({self._index[v]: slope for v, slope in slopes.items() if v in self._index})
        try:
            dropped = {max(dependence) - len(self._equations) for dependence in dependent_rows(rows, range(len(rows)))}
        except TooLong:
            return False
        remaining = [c for k, c in enumerate(self._candidates) if c.is_required or k not in dropped]
        fewer = len(remaining) < len(self._candidates)
        self._candidates = remaining
        return fewer

    def _without_redundant(self) -> bool | None:
        """Remove candidates that repeat stronger ones where those hold, at the values of the parameters. True if there
        were any; None if that is unknown."""
        candidates = self._candidates
        required = sum(c.is_required for c in candidates)
        leading = {u.node for u in self._leading}
        preferred = max((k + 1 for k, c in enumerate(candidates) if c.other in leading), default=required)
        found = following(
            self._sorted,
            [c.equation for c in candidates],
            dict(zip(self._direct, self._given, strict=False)),
            required,
            preferred,
        )
        if found is None:
            return None
        of_model = [all(map(is_of_the_model, variables_of(c.equation.residual))) for c in candidates]
        self._redundant += [
            (candidates[k], [candidates[j] for j in others if of_model[j]])
            for k, others in found.items()
            if of_model[k]
            and (
                candidates[k].is_required
                or (candidates[k].other in leading and candidates[k].other not in self._started.iterated)
            )
        ]
        self._candidates = [c for k, c in enumerate(candidates) if k not in found]
        if not self._suffices():  # states that do not determine the rest there: a run reports it
            self._candidates = [c for k, c in enumerate(candidates) if k not in found or c.state >= 0]
        return len(self._candidates) < len(candidates)

    def _suffices(self) -> bool:
        """True if the candidates determine all variables, by their structure."""
        plan = self._planned()
        return bool(plan.refused) or len(plan.matching) == len(self._variables)

    def remarks(self, plan: StartPlan | None, values: Mapping[Expr, Expr]) -> _Remarked:
        """Remarks on states without a start value, and on start values that do not determine the start."""
        states = self._sorted.states
        chosen = [c for k, c in enumerate(self._candidates) if plan is None or k in plan.chosen]
        silent = [
            c.state for c in chosen if c.state >= 0 and (u := self._declared.get(states[c.state])) and u.start is None
        ]
        held = [states[c.state] if c.state >= 0 else c.other for c in chosen if c.state >= 0 or c.other is not None]
        of_starts = Remarks(self._sorted, self._started, [v for v in held if v is not None])
        checks = tuple(of_starts.checks())
        checked, at_start = {check.variable for check in checks}, Substitution(self._pool, values)
        unchecked = (
            (c, others) for c, others in self._redundant if c.other is None or str(c.other.data) not in checked
        )
        redundant = tuple(self._follows(c, others, at_start) for c, others in unchecked)
        vain = (*map(redundant_note, redundant), *of_starts.vain(), *self._unused(plan))
        guesses, weak = tuple(of_starts.guesses()), () if plan is None else of_starts.weak()
        return tuple(self.quantities(silent)), vain, guesses, checks, of_starts.defaults(), weak, redundant

    def _unused(self, plan: StartPlan | None) -> Iterator[Label]:
        """Initial equations that do not fit because a run prescribes what they are about."""
        for k, c in enumerate(self._candidates):
            if plan is not None and c.state < 0 and c.other is None and k not in plan.chosen:
                text = f"the initial equation '{c.equation.origin.span.text}' is not used: what is known determines it"
                yield Label(c.equation.origin.span, text)

    def _follows(self, candidate: _Candidate, others: Iterable[_Candidate], at_start: Substitution) -> StartCondition:
        """The residual of a condition that follows from others, at the start."""
        labels = [replace(self._condition(c).label, text=self._words(c)) for c in (candidate, *others)]
        rest, size = self._pool.zero, self._pool.zero
        for term, is_taken in terms_of(candidate.equation.residual):
            value = at_start(term)
            rest = self._pool.sub(rest, value) if is_taken else self._pool.add(rest, value)
            size = self._pool.add(size, self._pool.call("fabs", value))
        return StartCondition(labels[0], tuple(labels[1:]), rest, size)

    def _words(self, candidate: _Candidate) -> str:
        named = self._condition(candidate).state
        return f"the start value of '{named}'" if named else f"'{candidate.equation.origin.span.text}'"

    def _in_order(self) -> Iterator[_Candidate]:
        """The candidates, the strongest first."""
        started, states = self._started, range(len(self._sorted.states))
        # What a run prescribes may determine what initial equations and start values of the model are about.
        free = not self._sorted.system.prescribed
        yield from (_Candidate(equation, free) for equation in self._sorted.system.initial)
        written = [k for k in states if is_written(started.state(k)) and k not in self._gave_way]
        own = [k for k in states if k not in written and self._strength(k) is Strength.CLASS]
        yield from (self._of_state(k, free) for k in written)
        late = started.left_without_state(self._leading)
        yield from (self._of_other(u) for u in self._leading if u not in late)
        yield from (self._of_state(k, free and not self._leading) for k in own)
        weak = [k for k in states if k not in {*written, *own}]
        others = [] if all(is_firm(started.state(k)) for k in states) else started.others
        remaining = [u for u in others if u not in self._leading and not (is_written(u) and u in started.led_by())]
        given_up = self._claimed(weak)
        rates = set(self._sorted.system.derivatives.values())
        replaces_rates = any(u.node in rates for u in self._leading)
        # A given velocity replaces another velocity rather than a position. A value is worth more than none, and a
        # state that the model prefers more than others.
        weak.sort(
            key=lambda k: (
                replaces_rates and self._sorted.states[k] in rates,
                not self._started.is_preferred(self._sorted.states[k]),
                self._given[k] is self._pool.zero,
                k in given_up,
            )
        )
        yield from (self._of_state(k, False) for k in weak if self._strength(k) is not None)
        yield from map(self._of_other, (*late, *remaining))
        yield from (self._of_state(k, False) for k in weak if self._strength(k) is None)

    def _strength(self, k: int) -> Strength | None:
        """The strength of the start value of a state; None if it is a guess, or if there is none."""
        unknown = self._started.state(k)
        return unknown.strength if unknown is not None and is_firm(unknown) else None

    def _of_other(self, unknown: Unknown) -> _Candidate:
        assert unknown.start is not None
        residual = self._pool.sub(unknown.node, unknown.start)
        return _Candidate(ScalarEquation(residual, Origin(unknown.span, "")), False, other=unknown.node)

    def _claimed(self, weak: list[int]) -> set[int]:
        """Those of these states that are nearest to the initial equations: nearest of all is the state whose derivative
        an equation contains. A default zero is replaced before a guess."""
        integral = {derivative: v for v, derivative in self._sorted.system.derivatives.items() if v in self._index}
        initial = []
        for equation in self._sorted.system.initial:
            named = variables_of(equation.residual)
            initial.append([*self._row(equation), *(self._index[integral[v]] for v in named if v in integral)])
        if not initial:
            return set()
        number = {self._index[self._sorted.states[k]]: k for k in weak}
        ordered = sorted(number, key=lambda v: self._given[number[v]] is not self._pool.zero)
        rows = [self._row(e) for e in self._equations]
        return {number[v] for v in claimed(rows, initial, ordered, len(self._variables))}

    def _of_state(self, k: int, is_required: bool) -> _Candidate:
        state = self._sorted.states[k]
        residual = self._pool.sub(state, self._direct[k])
        unknown = self._declared.get(state)
        span = unknown.span if unknown else self._equations[0].origin.span
        return _Candidate(ScalarEquation(residual, Origin(span, "")), is_required, k)

    def _row(self, equation: ScalarEquation) -> list[int]:
        return [self._index[v] for v in variables_of(equation.residual) if v in self._index]

    def _system(self, plan: StartPlan, equations: list[ScalarEquation]) -> SortedSystem:
        """The blocks that the states need, as a separate system."""
        blocks = [
            Block(tuple(equations[e] for e in block), tuple(self._variables[plan.matching[e]] for e in block))
            for block in plan.blocks
        ]
        needed = {*self._sorted.states, *(v for c, _ in self._redundant for v in variables_of(c.equation.residual))}
        kept = []
        for block in reversed(blocks):
            if needed.isdisjoint(block.unknowns):
                continue
            kept.append(block)
            needed.update(v for equation in block.equations for v in variables_of(equation.residual))
        return SortedSystem(self._sorted.system, (), (), self._sorted.inputs, tuple(reversed(kept)), 0)

    # --- messages ----------------------------------------------------------------------------------------

    def _too_many(self, plan: StartPlan) -> Diagnostic:
        refused = plan.refused
        positions = dict.fromkeys(k for k, _ in refused)
        positions |= dict.fromkeys(k for _, others in refused for k in others if self._candidates[k].is_required)
        again = self._duplicates(positions)
        # The message blames an equation rather than a start value that conflicts with it.
        ordered = sorted(
            positions, key=lambda k: (self._candidates[k].state >= 0, k not in again, k not in dict(refused), -k)
        )
        conditions = [self._condition(self._candidates[k]) for k in ordered]
        loose = [self._candidates[k].state for k in plan.chosen if not self._candidates[k].is_required]
        states = self.quantities(range(len(self._sorted.states)))
        return messages.start_overdetermined(
            len(refused),
            conditions,
            states,
            self.quantities(k for k in loose if k >= 0),
            self._sorted.system.name,
            bool(again),
        )

    def _duplicates(self, positions: Iterable[int]) -> set[int]:
        """Those whose equation is given earlier already."""
        first: dict[Expr, int] = {}
        return {k for k in sorted(positions) if first.setdefault(self._candidates[k].equation.residual, k) != k}

    def _condition(self, candidate: _Candidate) -> messages.Condition:
        origin = candidate.equation.origin
        variable = self._sorted.states[candidate.state] if candidate.state >= 0 else candidate.other
        if variable is not None:
            unknown = self._declared.get(variable)
            place = place_of(self._sorted, unknown) if unknown else origin.span
            return messages.Condition(Label(place, f"the start value of '{variable.data}'"), str(variable.data))
        return messages.Condition(
            Label(origin.span, f"an initial equation of {origin.instance or self._sorted.system.name}")
        )

    def quantities(self, states: Iterable[int]) -> list[str]:
        """The names of these states in the model: a state that is chosen dynamically is one of its candidates."""
        words: Counter[tuple[str, ...]] = Counter(self._names(self._sorted.states[k]) for k in states)
        listed = []
        for names, count in words.items():
            shown = ", ".join(f"'{name}'" for name in names)
            listed.append(shown if len(names) == 1 else f"{count if count > 1 else 'one'} of {shown}")
        return listed

    def _names(self, state: Expr) -> tuple[str, ...]:
        return tuple(str(v.data) for v in self._sorted.picked(state)) or (str(state.data),)
