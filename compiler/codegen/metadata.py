"""Collects the metadata of a program, and the sizes of its translation: Lowered -> ModelInfo, Statistics.

Decides nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from cutset.compiler.codegen.computed_values import ComputedValues
from cutset.compiler.codegen.constants import Constants
from cutset.compiler.codegen.expression_origins import ExpressionOrigins
from cutset.compiler.codegen.naming import Naming
from cutset.compiler.codegen.numbering import Numbering
from cutset.compiler.codegen.statements import Schedule
from cutset.compiler.codegen.statistics import Domain, Statistics, Work
from cutset.compiler.codegen.user_functions import externals_of
from cutset.compiler.diagnostics import Label
from cutset.compiler.expressions.operation_count import operations_of
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.walk import reachable, varying
from cutset.compiler.flatten.model import EquationSystem, Origin, bindings_of, parameters_under
from cutset.compiler.sort.system import SolvedEvents, SolvedSystem, SortedSystem, Start
from cutset.contract import metadata
from cutset.contract.fmu_events import STEP
from cutset.contract.metadata import External, ModelInfo, TimeCrossing
from cutset.contract.quick_dataclass import dataclass


@dataclass(frozen=True)
class Lowered:
    """A solved model and the places assigned by lowering."""

    solved: SolvedSystem
    start: Start
    events: SolvedEvents
    values: ComputedValues
    # The contents of c, and the schedule that fills it.
    constants: Constants
    schedule: Schedule
    numbering: Numbering
    # The allowed values of parameters, by name.
    domains: Mapping[str, Domain]
    n_work: int
    # The next fields are those of `ModelInfo`.
    guards: tuple[tuple[int, str], ...]
    isolated: tuple[TimeCrossing, ...]


def model_info(lowered: Lowered) -> ModelInfo:
    """The metadata for the runtime."""
    sorted_system, computed, numbering = lowered.solved.sorted_system, lowered.values, lowered.numbering
    system, naming, parameters = sorted_system.system, computed.naming, lowered.constants.parameters
    expressions, fmus = ExpressionOrigins(system, _values(lowered), parameters), Connections(system, lowered.events)
    return ModelInfo(
        name=system.name,
        states=tuple(str(s.data) for s in sorted_system.states),
        inputs=tuple(str(u.data) for u in sorted_system.inputs),
        parameters=tuple(_in_order(parameters)),
        names=naming.names,
        origins=tuple(naming.origins),
        constant_origins=expressions.constants(computed.every, lowered.constants.expressions, lowered.schedule),
        parameter_origins=expressions.bindings(),
        limits=_limits(lowered.domains, _in_order(parameters)),
        n_constants=lowered.schedule.free,
        n_work=lowered.n_work,
        n_variables=len(naming.outputs),
        n_watched=len(computed.watched),
        n_algebraic=sorted_system.algebraic,
        n_slopes=sorted_system.slopes,
        n_multipliers=sorted_system.multipliers,
        residual_origins=naming.of_residuals(),
        outputs=tuple(name for name in system.outputs if name in naming.names),
        sensitivities=system.sensitivities,
        n_outputs=0 if sorted_system.states else len(computed.rates),
        faults=tuple(numbering.faults),
        open_systems=tuple(numbering.open_systems),
        externals=tuple(map(fmus.cyclic, externals_of(numbering))),
        iterations=tuple(len(node.data.unknowns) for node in numbering.guesses),
        closings=tuple(map(_closing, numbering.guesses)),
        guards=lowered.guards,
        jacobian=computed.pattern,
        has_jacobian=bool(computed.slopes),
        delays=tuple(str(d.node.data) for d in system.delays),
        relations=_relations(system),
        equalities=tuple((k, r.equality) for k, r in enumerate(system.relations) if r.equality),
        discrete=tuple(str(d.node.data) for d in system.discrete),
        crossings=tuple(computed.differences),
        time_events=tuple(k for k, r in enumerate(lowered.events.relations) if r.kind == "time"),
        isolated=lowered.isolated,
        rounds=fmus.rounds,
        settled=fmus.settled,
        continuous=_continuous(system, naming),
        moving=_moving(system, naming),
        picked=_picked(sorted_system),
        start_checks=_start_checks(lowered.start),
        start_conditions=tuple(
            metadata.StartCondition(c.label.text, str(c.label.span), _places(c.others))
            for c in lowered.start.conditions
        ),
        choosing_starts=computed.choosing_starts,
        default_starts=lowered.start.defaults,
        weak_starts=lowered.start.weak,
        given_starts=_given_starts(system),
        alternative_starts=tuple(_alternative_starts(sorted_system, parameters)),
        remarks=(*_written(system.notes), *_written(lowered.start.vain), *fmus.delayed()),
        **_of_folded(system),
        **_of_whens(lowered, system, naming),
    )


def _of_folded(system: EquationSystem) -> dict[str, Any]:
    """The parameters that are part of the code."""
    texts = {name: value for name, value in system.folded.items() if isinstance(value, str)}
    return {"folded": {name: value for name, value in system.folded.items() if name not in texts}, "texts": texts}


def _of_whens(lowered: Lowered, system: EquationSystem, naming: Naming) -> dict[str, Any]:
    """What happens at events."""
    spans = (branch.span for when in system.events.whens for branch in when.branches)
    return {
        "whens": lowered.events.whens,
        "when_places": tuple("" if span.source.is_shipped else str(span) for span in spans),
        "competing_restarts": _competing_restarts(lowered.events, system),
        "assertions": _assertions(lowered.events, naming, lowered.constants.expressions, system),
        "jumps": _jumps(lowered.solved.sorted_system),
        "n_before": len(lowered.events.before),
    }


def _values(lowered: Lowered) -> Iterator[tuple[Expr, Origin]]:
    """The values of the unknowns, and the pivots that are checked, each with its equation."""
    final = lowered.values.naming.final
    yield from ((final[a.value], a.equation.origin) for a in lowered.solved.assignments)
    pivots = (*lowered.solved.pivots, *lowered.start.pivots)
    yield from ((pivot, equation.origin) for pivot, equation in pivots)


def _in_order(parameters: Mapping[Expr, int]) -> list[str]:
    """The names of the parameters by their numbers."""
    return [str(leaf.data) for leaf in sorted(parameters, key=parameters.__getitem__)]


def _written(remarks: Iterable[Label]) -> Iterator[str]:
    return (f"{label.text} ({label.span})" for label in remarks)


def _competing_restarts(events: SolvedEvents, system: EquationSystem) -> tuple[metadata.CompetingRestart, ...]:
    return tuple(
        metadata.CompetingRestart(str(r.target.data), branch, str(r.span), r.instance or system.name)
        for r, branch in events.competing
    )


def _given_starts(system: EquationSystem) -> tuple[str, ...]:
    """The start values expected from a run that may determine a state."""
    resolved = {alias.name: alias.value for alias in system.aliases} if system.given_starts else {}
    found = ((v, resolved.get(str(v.data), v)) for v in system.given_starts)
    bare = ((v, value.args[0] if value.op == "neg" else value) for v, value in found)
    return tuple(str(v.data) for v, value in bare if value in system.derivatives)


def _alternative_starts(
    sorted_system: SortedSystem, parameters: Mapping[Expr, int]
) -> Iterator[tuple[int, int, int, int]]:
    """See `ModelInfo`."""
    declared = {u.node: u for u in sorted_system.system.unknowns if len(u.alternatives) > 1}
    bindings = bindings_of(sorted_system.system.parameters) if declared else {}
    for k, state in enumerate(sorted_system.states):
        for start in declared[state].alternatives if state in declared else ():
            bare, sign = (start.args[0], -1) if start.op == "neg" else (start, 1)
            if bare in parameters:
                yield from ((parameters[leaf], parameters[bare], k, sign) for leaf in parameters_under(bindings, bare))


def _start_checks(start: Start) -> tuple[metadata.StartCheck, ...]:
    return tuple(
        metadata.StartCheck(check.variable, str(check.place), _places(check.others), _places(check.equations))
        for check in start.checks
    )


def _places(labels: Iterable[Label]) -> tuple[tuple[str, str], ...]:
    return tuple((label.text, str(label.span)) for label in labels)


def _closing(node: Expr) -> metadata.Closing:
    return metadata.Closing(
        node.data.names, node.data.instances, tuple((u.name, u.is_written) for u in node.data.started)
    )


def _picked(sorted_system: SortedSystem) -> tuple[tuple[int, tuple[tuple[str, int], ...]], ...]:
    number = {d.node: k for k, d in enumerate(sorted_system.system.discrete)}
    found = ((k, sorted_system.picks(state)) for k, state in enumerate(sorted_system.states))
    return tuple(
        (k, tuple((str(v.data), number[a]) for v, a in picks.items() if a in number)) for k, picks in found if picks
    )


def _continuous(system: EquationSystem, naming: Naming) -> tuple[int, ...]:
    """The positions (by number in y) that are not states and depend on values that change at events only: prescribed
    motions, whose derivatives are those of their pieces."""
    held = {d.node for d in system.discrete}
    if not held and not system.relations:
        return ()
    slots = (naming.names[name] for name in system.positions if name in naming.names)
    places = sorted({slot.index for slot in slots if slot.array == "y"})
    pieced: set[Expr] = set()
    for node in varying([naming.outputs[index] for index in places]):  # children first
        if node.op == "mode" or node in held or not pieced.isdisjoint(node.args):
            pieced.add(node)
    return tuple(index for index in places if naming.outputs[index] in pieced)


def _jumps(sorted_system: SortedSystem) -> tuple[metadata.Jump, ...]:
    system = sorted_system.system
    number = {d.node: k for k, d in enumerate(system.discrete)}
    return tuple(
        metadata.Jump(
            -1 if jump.offset is None else number[jump.offset],
            -1 if jump.rate is None else number[jump.rate],
            jump.origin.span.text,
            str(jump.origin.span),
            jump.origin.instance or system.name,
        )
        for jump in sorted_system.jumps
    )


def _moving(system: EquationSystem, naming: Naming) -> tuple[int, ...]:
    """The variables with a derivative (by number in y) that follow from states by an iteration."""
    names = (str(variable.data) for variable in system.derivatives)
    slots = {naming.names[name].index for name in names if name in naming.names and naming.names[name].array == "y"}
    iterated: set[Expr] = set()
    for node in varying([naming.outputs[index] for index in sorted(slots)]):  # children first
        if node.op == "newton" or not iterated.isdisjoint(node.args):
            iterated.add(node)
    return tuple(index for index in sorted(slots) if naming.outputs[index] in iterated)


def _assertions(
    events: SolvedEvents, naming: Naming, constants: Sequence[Expr], system: EquationSystem
) -> tuple[metadata.Assertion, ...]:
    place = {e: i for i, e in enumerate(constants)} if events.assertions else {}
    held = [
        all(n.args or (n.op == "mode" and system.relations[n.data].at_ends) for n in varying([a.condition]))
        for a, _ in events.assertions
    ]
    return tuple(
        metadata.Assertion(
            a.text,
            a.terminates,
            branch,
            str(a.span),
            a.instance or system.name,
            place.get(naming.final[a.condition], -1),
            a.of_preference,
            h,
        )
        for (a, branch), h in zip(events.assertions, held, strict=False)
    )


def _limits(domains: Mapping[str, Domain], names: Sequence[str]) -> tuple[metadata.Limit, ...]:
    known = ((i, domains[name]) for i, name in enumerate(names) if name in domains)
    return tuple(
        metadata.Limit(i, d.minimum, d.maximum, d.place) for i, d in known if (d.minimum, d.maximum) != (None, None)
    )


def _relations(system: EquationSystem) -> tuple[metadata.Relation, ...]:
    return tuple(
        metadata.Relation(
            r.text, r.operator, r.kind, str(r.origin.span), r.origin.instance or system.name, r.at_ends, r.opposite
        )
        for r in system.relations
    )


def statistics_of(
    solved: SolvedSystem, start: Start, final: Mapping[Expr, Expr], results: Sequence[Expr]
) -> Statistics:
    """The sizes, and the operations of one evaluation of the results; an iteration counts with one round."""
    system = solved.sorted_system.system
    needed = varying(results)
    mul_div, add_sub, functions = operations_of(needed)
    return Statistics(
        equations=system.count,
        unknowns=len(system.unknowns) + len(system.aliases),
        states=len(solved.sorted_system.states),
        aliases=len(system.aliases),
        blocks=len(solved.sorted_system.blocks),
        linear_systems=tuple((t.size, t.torn) for t in solved.linear_systems),
        nonlinear_systems=tuple((t.size, t.torn) for t in solved.nonlinear_systems),
        mul_div=mul_div,
        add_sub=add_sub,
        functions=functions,
        differentiated_equations=solved.sorted_system.differentiated,
        discrete=len(system.discrete) - 2 * sum(j.rate is not None for j in solved.sorted_system.jumps),
        whens=len(system.events.whens),
        initial_equations=len(system.initial),
        assertions=len(system.events.assertions),
        delays=len(system.delays),
        relations=len(system.relations),
        start_linear_systems=tuple((t.size, t.torn) for t in start.linear_systems),
        start_nonlinear_systems=tuple((t.size, t.torn) for t in start.nonlinear_systems),
        work=work_of(solved, final, results, needed),
    )


# --- operation count ------------------------------------------------------------------------------


def work_of(
    solved: SolvedSystem, final: Mapping[Expr, Expr], results: Sequence[Expr], needed: Sequence[Expr]
) -> tuple[Work, ...]:
    """The operations of one evaluation of the results by the submodels whose equations need them, the largest first.
    Shared operations count for the first equation, in the order of evaluation; a system that is solved counts for its
    first unknown. `needed` is everything that varies in time under the results."""
    system = solved.sorted_system.system
    wanted, counted = set(needed), set[Expr]()
    own: dict[str, list[Expr]] = {}

    def parts() -> Iterator[tuple[str, Expr]]:
        for assignment in solved.assignments:
            if (value := final[assignment.value]) in wanted:
                yield assignment.equation.origin.instance or system.name, value

    for instance, value in chain(parts(), ((system.name, value) for value in results)):
        nodes = varying([value], counted)
        counted.update(nodes)
        own.setdefault(instance, []).extend(nodes)
    found = (Work(instance, *operations_of(nodes)) for instance, nodes in own.items())
    return tuple(sorted((work for work in found if work.weight), key=lambda work: -work.weight))


# --- fmu connections ------------------------------------------------------------------------------


# The arguments of a controller before its own.
_BEFORE = 2

# The component and the name of an output of its FMU.
_Output = tuple[str, str]


class Connections:
    """The outputs of FMUs on which inputs depend at the same instant; `rounds` and `settled` as in `ModelInfo`."""

    def __init__(self, system: EquationSystem, events: SolvedEvents):
        self.rounds, self.settled = _rounds_of(system)
        calls = [(system.discrete[k].node, next(_calls(events.discrete[k]))) for k in self.settled]
        self._calls = {call.data.foreign.instance: call for _, call in calls}
        owner, numbers = dict[Expr, _Output](), Counter[str]()
        for node, call in calls:
            foreign = call.data.foreign
            number = numbers[foreign.instance]
            numbers[foreign.instance] += 1
            if number < len(foreign.names[2]):
                owner[node] = foreign.instance, foreign.names[2][number]
        self._uses = {name: _uses(call, owner) for name, call in self._calls.items()}

    def cyclic(self, external: External) -> External:
        """The FMU with the outputs that act on its own inputs."""
        mine = external.instance
        back = self._reaching(mine) if mine in self._uses else set[str]()
        used = {o for name in back for outputs in self._uses[name].values() for o in outputs if o[0] == mine}
        return replace(external, cyclic=tuple(o for o in external.names[2] if (mine, o) in used)) if used else external

    def _reaching(self, name: str) -> set[str]:
        """The FMUs whose outputs act on this one, and itself."""
        return {other for other in self._uses if other == name or other in self._sources(name, direct=False)}

    def _sources(self, name: str, direct: bool, first: str = "") -> set[str]:
        """The FMUs whose outputs act on this one, through its input `first` if that is given."""
        found, waiting = set[str](), [(name, first)]
        while waiting:
            at, only = waiting.pop()
            used = self._calls[at].data.foreign.names[3] if direct else tuple(self._uses[at])
            for each in (only,) if only else used:
                others = {instance for instance, _ in self._uses[at].get(each, ())} - found
                found |= others
                waiting += [(other, "") for other in others]
        return found

    def delayed(self) -> tuple[str, ...]:
        """A remark on each FMU that is in a cycle of direct dependences, and cannot repeat its steps."""
        found = []
        for name, call in self._calls.items():
            foreign = call.data.foreign
            late = [u for u in foreign.names[4] if name in self._sources(name, True, u)]
            if late:
                file = foreign.target.removeprefix("fmu:")
                found.append(
                    f"{name}: the input {late[0]} of {file} may depend on its outputs at the same instant, and these on"
                    f" {late[0]}, but it cannot repeat a step (canGetAndSetFMUState is false), so that {late[0]} is one"
                    " step late: use an FMU that can save its state, or model exchange"
                )
        return tuple(found)


def _rounds_of(system: EquationSystem) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The fields `rounds` and `settled`: an FMU is called for a step in the first branch of its `when`, and for rounds
    in the others."""
    if not system.pool.has_controllers:
        return (), ()
    places = {d.node: k for k, d in enumerate(system.discrete)}
    rounds, settled, number = list[int](), set[int](), 0
    for when in system.events.whens:
        for k, branch in enumerate(when.branches):
            called = [update.target for update in branch.updates if k and any(_calls(update.value))]
            if called:
                rounds.append(number)
                settled |= {places[target] for target in called}
            number += 1
    return tuple(rounds), tuple(sorted(settled))


def _calls(e: Expr) -> Iterator[Expr]:
    """The calls of FMUs that step."""
    for node in reachable([e]):
        if node.op == "apply" and node.data.name == STEP and node.data.foreign is not None and node.data.foreign.names:
            yield node


def _uses(call: Expr, owner: Mapping[Expr, _Output]) -> dict[str, set[_Output]]:
    """For each input the outputs on which it depends."""
    foreign, given = call.data.foreign, list(call.args[_BEFORE:])
    values = [given.pop(0) if c is None else None for constants in foreign.constants for c in constants]
    inputs = zip(foreign.names[1], values[len(values) - len(foreign.names[1]) :], strict=True)
    return {name: {owner[v] for v in reachable([e]) if v in owner} for name, e in inputs if e is not None}
