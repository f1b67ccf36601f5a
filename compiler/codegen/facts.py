"""What the runtime has to know besides the code, and the sizes of a translation. Decides nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from cutset.compiler.codegen.expression_origins import ExpressionOrigins
from cutset.compiler.codegen.naming import Naming
from cutset.compiler.codegen.program import (
    AssertionText,
    ClosingText,
    Domain,
    Information,
    LimitText,
    RelationText,
    RivalText,
    StartCheckText,
    StartConditionText,
    Statistics,
    TimeCrossing,
)  # fmt: skip
from cutset.compiler.codegen.routines import externals_of
from cutset.compiler.codegen.schedule import Numbering, Schedule
from cutset.compiler.codegen.work import operations_of, work_of
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.walk import varying
from cutset.compiler.flatten.model import EquationSystem
from cutset.compiler.sort.system import SolvedEvents, SolvedSystem, SortedSystem, Start, StartCheck


def information_of(
    solved: SolvedSystem,
    start: Start,
    events: SolvedEvents,
    naming: Naming,
    roots: Sequence[Expr],
    schedule: Schedule,
    constants: Sequence[Expr],
    numbering: Numbering,
    n_work: int,
    crossings: tuple[int, ...],
    isolated: tuple[TimeCrossing, ...],
    parameters: Mapping[Expr, int],
    domains: Mapping[str, Domain],
    pattern: tuple[tuple[int, ...], ...],
    has_jacobian: bool,
    guards: tuple[tuple[int, str], ...],
    choosing: tuple[str, ...],
) -> Information:
    """`roots` is all that is computed in a run; `schedule` is that of the `constants`, which lie in c in their order;
    `crossings` are the relations that the integrator looks for, `isolated` those that are found before; `domains` are
    those of parameters by name; `pattern` has for each rate the states it depends on."""
    system = solved.sorted_system.system
    names = {i: str(leaf.data) for leaf, i in parameters.items()}
    values = ((naming.final[a.value], a.equation.origin) for a in solved.assignments)
    expressions = ExpressionOrigins(system, values, parameters)
    information = Information(
        name=system.name,
        states=tuple(str(s.data) for s in solved.sorted_system.states),
        inputs=tuple(str(u.data) for u in solved.sorted_system.inputs),
        parameters=tuple(names[i] for i in range(len(names))),
        names=naming.names,
        origins=tuple(naming.origins),
        folded=dict(system.folded),
        n_constants=schedule.free,
        n_work=n_work,
        iterations=tuple(len(node.data.unknowns) for node in numbering.guesses),
        n_variables=len(naming.outputs),
        constant_origins=expressions.constants(roots, constants, schedule),
        parameter_origins=expressions.bindings(),
        limits=_limits(domains, names),
        faults=tuple(numbering.faults),
        open_systems=tuple(numbering.open_systems),
        externals=externals_of(numbering),
        relations=_relations(system),
        discrete=tuple(str(d.node.data) for d in system.discrete),
        crossings=crossings,
        instants=tuple(k for k, r in enumerate(events.relations) if r.kind == "time"),
        isolated=isolated,
        whens=events.whens,
        rivals=_rivals(events, system),
        assertions=_assertions(events, naming, constants, system),
        jacobian=pattern,
        has_jacobian=has_jacobian,
        guards=guards,
        delays=tuple(str(d.node.data) for d in system.delays),
        continuous=_continuous(system, naming),
        moving=_moving(system, naming),
    )
    return _with_start(information, start, solved.sorted_system, numbering, choosing)


def _rivals(events: SolvedEvents, system: EquationSystem) -> tuple[RivalText, ...]:
    return tuple(
        RivalText(str(r.target.data), branch, str(r.span), r.instance or system.name) for r, branch in events.rivals
    )


def _with_start(
    information: Information, start: Start, sorted_system: SortedSystem, numbering: Numbering, choosing: tuple[str, ...]
) -> Information:
    """With what is known of the start, and of what it may fail by."""
    return replace(
        information,
        start_checks=tuple(_start_check(check) for check in start.checks),
        start_conditions=tuple(
            StartConditionText(
                c.label.text, str(c.label.span), c.is_value, tuple((label.text, str(label.span)) for label in c.others)
            )
            for c in start.conditions
        ),
        choosing_starts=choosing,
        default_starts=start.defaults,
        remarks=tuple(f"{label.text} ({label.span})" for label in (*sorted_system.system.notes, *start.vain)),
        picked=_picked(sorted_system),
        closings=tuple(_closing(node) for node in numbering.guesses),
    )


def _closing(node: Expr) -> ClosingText:
    return ClosingText(node.data.names, node.data.instances, tuple((u.name, u.is_written) for u in node.data.started))


def _picked(sorted_system: SortedSystem) -> tuple[tuple[int, tuple[tuple[str, int], ...]], ...]:
    number = {d.node: k for k, d in enumerate(sorted_system.system.discrete)}
    found = ((k, sorted_system.picks(state)) for k, state in enumerate(sorted_system.states))
    return tuple(
        (k, tuple((str(v.data), number[a]) for v, a in picks.items() if a in number)) for k, picks in found if picks
    )


def _start_check(check: StartCheck) -> StartCheckText:
    return StartCheckText(
        check.variable, str(check.place), check.states, tuple((label.text, str(label.span)) for label in check.others)
    )


def _continuous(system: EquationSystem, naming: Naming) -> tuple[int, ...]:
    """The positions, by their number in y, that are no states and depend on what changes at events alone: prescribed
    motions, whose derivatives are those of their pieces. Velocities too where another one is a state, which would have
    to jump with them."""
    held = {d.node for d in system.discrete}
    if not held and not system.relations:
        return ()
    positions, velocities = ([naming.names[name] for name in names if name in naming.names] for names in system.motions)
    if any(slot.array == "x" for slot in velocities):
        positions += velocities
    places = sorted({slot.index for slot in positions if slot.array == "y"})
    pieced: set[Expr] = set()
    for node in varying([naming.outputs[index] for index in places]):  # children first
        if node.op == "mode" or node in held or not pieced.isdisjoint(node.args):
            pieced.add(node)
    return tuple(index for index in places if naming.outputs[index] in pieced)


def _moving(system: EquationSystem, naming: Naming) -> tuple[int, ...]:
    """The variables with a derivative, by their number in y, that follow from states by an iteration."""
    names = (str(variable.data) for variable in system.derivatives)
    slots = {naming.names[name].index for name in names if name in naming.names and naming.names[name].array == "y"}
    iterated: set[Expr] = set()
    for node in varying([naming.outputs[index] for index in sorted(slots)]):  # children first
        if node.op == "newton" or not iterated.isdisjoint(node.args):
            iterated.add(node)
    return tuple(index for index in sorted(slots) if naming.outputs[index] in iterated)


def _assertions(
    events: SolvedEvents, naming: Naming, constants: Sequence[Expr], system: EquationSystem
) -> tuple[AssertionText, ...]:
    place = {e: i for i, e in enumerate(constants)} if events.assertions else {}
    held = [
        all(n.args or (n.op == "mode" and system.relations[n.data].at_ends) for n in varying([a.condition]))
        for a, _ in events.assertions
    ]
    return tuple(
        AssertionText(
            a.text,
            a.terminates,
            branch,
            str(a.span),
            a.instance or system.name,
            place.get(naming.final[a.condition], -1),
            a.of_wish,
            h,
        )
        for (a, branch), h in zip(events.assertions, held, strict=False)
    )


def _limits(domains: Mapping[str, Domain], names: Mapping[int, str]) -> tuple[LimitText, ...]:
    known = ((i, domains[name]) for i, name in names.items() if name in domains)
    return tuple(
        LimitText(i, d.minimum, d.maximum, d.place) for i, d in known if (d.minimum, d.maximum) != (None, None)
    )


def _relations(system: EquationSystem) -> tuple[RelationText, ...]:
    return tuple(
        RelationText(r.text, r.operator, r.kind, str(r.origin.span), r.origin.instance or system.name, r.at_ends)
        for r in system.relations
    )


def statistics_of(
    solved: SolvedSystem, start: Start, final: Mapping[Expr, Expr], results: Sequence[Expr]
) -> Statistics:
    """Sizes, and the operations of one evaluation of the results; of an iteration those of one round."""
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
        discrete=len(system.discrete),
        whens=len(system.events.whens),
        initial_equations=len(system.initial),
        assertions=len(system.events.assertions),
        delays=len(system.delays),
        relations=len(system.relations),
        start_linear_systems=tuple((t.size, t.torn) for t in start.linear_systems),
        start_nonlinear_systems=tuple((t.size, t.torn) for t in start.nonlinear_systems),
        work=work_of(solved, final, results, needed),
    )
