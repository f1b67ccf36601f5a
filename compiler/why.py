"""Explains where each variable of a model comes from: which alias, equation, block, or constraint.

Reads the results of the stages, which it keeps as an observer of the pipeline. Decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from cutset.compiler.expressions.pool import TIME, Expr
from cutset.compiler.expressions.text import text
from cutset.compiler.flatten.model import Alias, Discrete, EquationSystem, Origin, ScalarEquation
from cutset.compiler.instantiate.instance import Constant, Instance, Parameter, element_names
from cutset.compiler.reduce.system import ReducedSystem
from cutset.compiler.sort.incidence import incidence_of
from cutset.compiler.sort.selection import Selection
from cutset.compiler.sort.structure_text import differentiated
from cutset.compiler.sort.system import SolvedSystem, SortedSystem, is_written
from cutset.compiler.structure.chains import NONE
from cutset.compiler.structure.plan import StructuralPlan
from cutset.compiler.structure.state_sets import StateLevel, StateSet, state_levels, state_sets
from cutset.contract.abridged import quoted

_STAGES = ("instantiate", "aliases", "reduce", "select", "sort", "solve")
_MOST_NAMED, _LONGEST = 6, 100


@dataclass(frozen=True)
class Reason:
    """How a variable is determined, and the reasons, one per line."""

    name: str
    kind: str
    lines: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join([f"{self.name}: {self.kind}", *(f"  {line}" for line in self.lines)])


class Why:
    """An observer of the pipeline. After the stage 'solve', `of` answers for every variable."""

    def __init__(self) -> None:
        self._stages: dict[str, Any] = {}

    def __call__(self, stage: str, result: object) -> None:
        if stage in _STAGES:
            self._stages[stage] = result

    def names(self) -> list[str]:
        """All variables: unknowns, aliases, inputs, discrete variables and parameters."""
        return list(self._tables().reasons)

    def of(self, name: str) -> Reason:
        """The reason for a variable; KeyError if it is not one of `names`."""
        return self._tables().reasons[name]()

    def _tables(self) -> _Tables:
        if "tables" not in self._stages:
            self._stages["tables"] = _Tables(*(self._stages[s] for s in _STAGES))
        return self._stages["tables"]  # type: ignore[no-any-return]


@dataclass(frozen=True)
class _Place:
    """Where an unknown is solved: its block, and the equation matched with it."""

    block: int
    position: int


class _Tables:
    """Looks up the results of the stages by name."""

    def __init__(
        self,
        instance: Instance,
        first: EquationSystem,
        reduced: ReducedSystem,
        selection: Selection,
        ordered: SortedSystem,
        solved: SolvedSystem,
    ):
        self._instance, self._first, self._ordered = instance, first, ordered
        self._declared = {u.node: u for u in first.unknowns}
        self._place = {u: _Place(b, k) for b, block in enumerate(ordered.blocks) for k, u in enumerate(block.unknowns)}
        self._assigned = {a.unknown: a for a in solved.assignments}
        self._integral = _integrals(ordered, selection.plan)
        self._orders = _orders(ordered, selection.plan)
        self._ties = _ties(reduced)
        self._chosen = {v: s for s in ordered.states for v in ordered.picked(s)}
        self.reasons = self._by_name()

    def _by_name(self) -> dict[str, Callable[[], Reason]]:
        first, ordered = self._first, self._ordered
        reasons = dict(self._known())
        reasons |= {a.name: partial(self._alias, a) for a in first.aliases}
        reasons |= {str(i.data): partial(self._input, i) for i in ordered.inputs}
        reasons |= {str(d.node.data): partial(self._discrete, d) for d in first.discrete}
        reasons |= {str(s.data): partial(self._state, s) for s in ordered.states if is_written(s)}
        reasons |= {str(u.data): partial(self._unknown, u) for u in self._place if is_written(u)}
        return {o: partial(self._second, o, name) for o, name in first.synonyms.items()} | reasons

    # --- not solved ----------------------------------------------------------------------------------

    def _known(self) -> Iterator[tuple[str, Callable[[], Reason]]]:
        for instance in self._instance.walk():
            all_declared: tuple[Constant | Parameter, ...] = (*instance.constants, *instance.parameters)
            for declared in all_declared:
                for name, value in zip(
                    element_names(declared.name, declared.value.shape), declared.value.elements, strict=False
                ):
                    yield name, partial(self._constant, name, declared, value)

    def _constant(self, name: str, declared: Constant | Parameter, value: Expr) -> Reason:
        kind = "constant" if isinstance(declared, Constant) else "parameter"
        if isinstance(declared, Constant):
            line = f"it is {_short(text(value))} in every run"
        elif value.op == "constant":
            line = (
                f"its value {_short(text(value))} is part of the translation; with another value the model is "
                "translated again"
            )
        else:
            line = "known before the run; another value needs no new translation"
        return Reason(name, kind, (line, f"declared at {declared.span}"))

    def _input(self, node: Expr) -> Reason:
        return Reason(str(node.data), "input", ("its value comes from outside the model",))

    def _discrete(self, discrete: Discrete) -> Reason:
        return Reason(
            str(discrete.node.data), "discrete variable", ("it changes only at events", f"declared at {discrete.span}")
        )

    def _second(self, name: str, other: str) -> Reason:
        return Reason(name, "alias", (f"another name of '{other}'",))

    def _alias(self, alias: Alias) -> Reason:
        name, value = alias.name, _short(text(alias.value))
        by = f"by {_place(alias.origin)}"
        if alias.value.level < TIME:
            return Reason(name, "known before the run", (f"{name} = {value}", by))
        return Reason(name, f"alias of {value}", (by,))

    # --- states --------------------------------------------------------------------------------------

    def _state(self, state: Expr) -> Reason:
        derivative = self._ordered.derivatives[self._ordered.states.index(state)]
        lines = [f"it is integrated; its derivative is '{derivative.data}'"]
        tie = self._ties.get(state)
        if tie is None:
            lines.append("no constraint ties it to other states")
        else:
            free = len(tie.candidates) - len(tie.equations)
            some = quoted(v.data for v in tie.candidates)
            lines.append(f"the constraints leave {max(free, 1)} of {some} free{self._preference(state)}")
            lines += self._constraints(tie)
        return Reason(str(state.data), "state", tuple(lines))

    def _preference(self, state: Expr) -> str:
        unknown = self._declared.get(state)
        if unknown is not None and unknown.preference > 0:
            return ": the model prefers it (state=...)"
        if unknown is not None and unknown.start is not None:
            return ": the model gives it a start value"
        return ""

    def _constraints(self, tie: _Tie) -> list[str]:
        listed = [
            f"constraint: {_place(e.origin)}{differentiated(order)}"
            for e, order in zip(tie.equations, tie.orders, strict=False)
        ]
        return list(dict.fromkeys(listed))[:_MOST_NAMED]

    # --- unknowns ------------------------------------------------------------------------------------

    def _kind(self, node: Expr) -> str:
        if node in self._chosen:
            return "state or not, as chosen in the run"
        if node in self._integral:
            state = self._integral[node]
            return "derivative of a state" if state in self._ordered.states else "dummy derivative"
        return "algebraic variable"

    def _unknown(self, node: Expr) -> Reason:
        kind, tie, lines = self._kind(node), self._tie(node), list[str]()
        if node in self._chosen:
            lines.append(f"one of {quoted(v.data for v in self._ordered.picked(self._chosen[node]))} is the state")
        elif tie is not None and kind != "derivative of a state":
            lines.append("the constraints determine it, so that it is not integrated")
        if tie is not None and kind != "derivative of a state":
            lines += self._constraints(tie)
        return Reason(str(node.data), kind, (*lines, *self._solution(node)))

    def _tie(self, node: Expr) -> _Tie | None:
        """The constraints on the variable, or on the variable that it is a derivative of."""
        below: Expr | None = node
        while below is not None and below not in self._ties:
            below = self._integral.get(below)
        return None if below is None else self._ties[below]

    def _solution(self, node: Expr) -> list[str]:
        place = self._place[node]
        block, assignment = self._ordered.blocks[place.block], self._assigned[node]
        where = f"block {place.block + 1} of {len(self._ordered.blocks)}"
        if len(block.unknowns) == 1:
            return [*self._equation(assignment.equation, "solved from"), where]
        torn = [u for u in block.unknowns if self._assigned[u].is_torn]
        system = "nonlinear system" if any(_is_iterated(self._assigned[u].value) for u in torn) else "linear system"
        size = f"a {system} of {len(block.unknowns)} equations, torn to {len(torn)}: {quoted(v.data for v in torn)}"
        how = "torn; its residual is:" if assignment.is_torn else "computed from the torn variables by"
        return [*self._equation(assignment.equation, how), f"{where}, {size}"]

    def _equation(self, equation: ScalarEquation, how: str) -> list[str]:
        order = self._orders.get(equation.residual, 0)
        return [f"{how} {_place(equation.origin)}{differentiated(order)}", f"0 = {_short(text(equation.residual))}"]


@dataclass(frozen=True)
class _Tie:
    """Constraints, how often each was differentiated, and the variables from which they choose states."""

    equations: tuple[ScalarEquation, ...]
    orders: tuple[int, ...]
    candidates: tuple[Expr, ...]


def _ties(reduced: ReducedSystem) -> dict[Expr, _Tie]:
    """The tie of each variable that constraints determine or leave free."""
    incidence, nodes = incidence_of(reduced.system), [u.node for u in reduced.system.unknowns]
    found: dict[Expr, _Tie] = {}
    sets = state_sets(incidence, reduced.plan)
    own = {e for each in sets for e in each.equations}
    often = dict(reduced.plan.equations)  # the highest order of each comes last
    all_sets: list[StateSet | StateLevel] = [*sets, *state_levels(incidence, reduced.plan)]
    for each in all_sets:
        equations = tuple(reduced.system.equations[e] for e in each.equations)
        orders = tuple(often[e] for e in each.equations)
        candidates = tuple(nodes[v] for v in each.candidates if v < len(nodes))
        if candidates and (each in sets or not own.issuperset(each.equations)):
            for v in (*each.candidates, *each.others):
                if v < len(nodes):
                    found.setdefault(nodes[v], _Tie(equations, orders, candidates))
    return found


def _integrals(ordered: SortedSystem, plan: StructuralPlan) -> dict[Expr, Expr]:
    """For each variable that is a derivative, the variable that it is the derivative of."""
    node = dict(zip((*plan.states, *plan.derivatives), (*ordered.states, *ordered.derivatives), strict=False))
    for positions, block in zip(plan.blocks, ordered.blocks, strict=False):
        node |= {plan.matching[p]: unknown for p, unknown in zip(positions, block.unknowns, strict=False)}
    pairs = [(node.get(d), node.get(v)) for v, d in enumerate(plan.derivative) if d != NONE]
    return {d: v for d, v in pairs if d is not None and v is not None}


def _orders(ordered: SortedSystem, plan: StructuralPlan) -> dict[Expr, int]:
    """How often each equation was differentiated, by its residual."""
    pairs = zip(plan.blocks, ordered.blocks, strict=False)
    return {
        e.residual: plan.equations[p][1]
        for positions, block in pairs
        for p, e in zip(positions, block.equations, strict=False)
    }


def _is_iterated(value: Expr) -> bool:
    return value.op == "element" and value.args[0].op == "newton"


def _place(origin: Origin) -> str:
    """The equation as written, its place and its submodel."""
    written = _short(" ".join(origin.span.equation.split()))
    reason = f" ({origin.reason})" if origin.reason else ""
    return f"{written!r} at {origin.span}{f', in {origin.instance}' if origin.instance else ''}{reason}"


def _short(words: str) -> str:
    return words if len(words) <= _LONGEST else words[: _LONGEST - 4] + " ..."
