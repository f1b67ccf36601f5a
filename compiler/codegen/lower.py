"""Lowers a solved model (stage 6a): SolvedSystem, Start, SolvedEvents -> Program.

Each function contains only what it needs, parameter expressions are computed once, and shared divisors become
reciprocals. Prints nothing, and changes no formula except by these rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from cutset.compiler.codegen.computed_values import ComputedValues, computed_values
from cutset.compiler.codegen.constants import (
    Constants,
    bindings_function,
    choose_constants,
    number_parameters,
    schedule_constants,
)
from cutset.compiler.codegen.forcing import forcing_of
from cutset.compiler.codegen.foreign_code import foreign_files
from cutset.compiler.codegen.guards import named_guards
from cutset.compiler.codegen.metadata import Lowered, model_info, statistics_of
from cutset.compiler.codegen.numbering import Numbering
from cutset.compiler.codegen.parameter_domains import domains_of
from cutset.compiler.codegen.passes import LatePasses
from cutset.compiler.codegen.program import Function, Program, Read
from cutset.compiler.codegen.statements import schedule
from cutset.compiler.codegen.temporaries import Known
from cutset.compiler.codegen.time_tapes import Tapes, step_of
from cutset.compiler.codegen.user_functions import lower_user_functions
from cutset.compiler.expressions.pool import TIME, Expr
from cutset.compiler.expressions.walk import varying
from cutset.compiler.sort.system import SolvedEvents, SolvedSystem, Start
from cutset.contract.metadata import TimeCrossing


def lower(
    solved: SolvedSystem,
    start: Start,
    events: SolvedEvents,
    passes: LatePasses = LatePasses(),
    unreduced: Program | None = None,
) -> Program:
    """The complete program; deterministic. `unreduced` becomes its program for the method bdf."""
    system = solved.sorted_system.system
    parameters = number_parameters(system)
    values = computed_values(solved, start, events, parameters, passes.reciprocals)
    constants = choose_constants(solved.sorted_system, parameters, values.rates, values.every)
    isolated = _time_crossings(solved, values, constants) if passes.tapes else ()
    located = {k: e for k, e in values.differences.items() if k not in {crossing.relation for crossing in isolated}}
    values = replace(values, differences=located)
    numbering = Numbering(values.iterations, passes)
    of_constants = schedule_constants(constants, numbering)
    known = {**constants.known, **{table: of_constants.tables[table] for table in constants.tables}}
    scheduled = list(_functions(values, known, numbering))
    bindings = bindings_function(system, constants, numbering)
    user_functions = lower_user_functions(numbering)  # those that all functions call, and in turn these
    lowered = Lowered(
        solved=solved,
        start=start,
        events=events,
        values=values,
        constants=constants,
        schedule=of_constants,
        numbering=numbering,
        domains=domains_of(system),
        n_work=max(free for _, free in scheduled),
        guards=named_guards(values.guards, values.naming.outputs),
        isolated=isolated,
    )
    forcing, is_opaque = _forcing(solved, values, constants)
    evaluated = [*values.rates, *values.naming.of(system.outputs)] or values.results
    return Program(
        replace(model_info(lowered), forcing=forcing, has_opaque_forcing=is_opaque),
        statistics_of(solved, start, values.naming.final, evaluated),
        (bindings, Function("constants", ("p", "c"), of_constants.chunks), *(function for function, _ in scheduled)),
        lowered.domains,
        tuple(a.data for table in constants.numbers for a in table.args),
        user_functions,
        foreign_files(numbering.user_functions),
        unreduced,
    )


def _time_crossings(solved: SolvedSystem, values: ComputedValues, constants: Constants) -> tuple[TimeCrossing, ...]:
    """The 'state' relations that depend only on time, once solved unknowns are substituted."""
    if not values.differences:
        return ()
    discrete = solved.sorted_system.system.discrete
    steps = {d.node: step for d, after in zip(discrete, values.after, strict=False) if (step := step_of(after))}
    tapes = Tapes(values.sides, steps, constants.known)
    return tuple(tape for k in values.differences if (tape := tapes.tape(k)) is not None)


def _forcing(
    solved: SolvedSystem, values: ComputedValues, constants: Constants
) -> tuple[tuple[TimeCrossing, ...], bool]:
    """The functions of time that drive the states, as in `forcing_of`."""
    states, leaves = solved.sorted_system.states, [d.node for d in solved.sorted_system.system.delays]
    delays = list(zip(leaves, values.delayed[::2], values.delayed[1::2], strict=True))
    may_be_clocks = any(e.level != TIME or e.op in ("mode", "variable") for e in values.rates)
    if not (states and (delays or may_be_clocks or any(e.op == "time" for e in varying(values.rates)))):
        return (), False
    return forcing_of(solved.pool, dict(zip(states, values.rates, strict=True)), constants.known, delays)


def _functions(values: ComputedValues, known: Known, numbering: Numbering) -> Iterator[tuple[Function, int]]:
    """Each function of time, and how much of w it uses. w starts with the guesses of iterations, then the guards and
    the watched numbers, which the derivatives store for others."""
    guards = Read("w", numbering.n_guesses)
    watched = Read("w", guards.index + len(values.guards))
    scratch = Read("w", watched.index + len(values.watched))
    left = [(Read("w", guards.index + i), e) for i, e in enumerate((*values.guards, *values.watched))]
    of_watched = {**known, **{e: Read("w", watched.index + i) for i, e in enumerate(values.watched)}}
    watch = [*values.differences.values(), *values.watched.values()] if values.watched else []
    point = ("t", "x", "u", "c", "m")

    def function(
        name: str,
        arguments: tuple[str, ...],
        results: Sequence[Expr],
        others: Sequence[tuple[Read, Expr]] = (),
        known: Known = known,
    ) -> tuple[Function, int]:
        targets = [*((Read(arguments[-1], i), e) for i, e in enumerate(results)), *others]
        found = schedule(targets, known, numbering, scratch if "w" in arguments else None, within=name)
        return Function(name, arguments, found.chunks), found.free

    yield function("starts", ("c", "s"), values.starts)
    yield function("start", ("t", "u", "c", "m", "s", "w", "x"), values.begins)
    yield function("nominals", ("c", "n"), values.nominals)
    yield function("time_events", ("c", "m", "te"), values.time_events)
    yield function("derivatives", (*point, "w", "dx"), values.rates, left)
    yield function("jacobian", (*point, "w", "j"), values.slopes)
    yield function("crossings", (*point, "w", "g"), list(values.differences.values()))
    yield function("watch", ("c", "m", "w", "h"), watch, known=of_watched)
    yield function("variables", (*point, "w", "y"), values.results)
    yield function("updates", (*point, "f", "w", "e"), values.after)
    yield function("delayed", (*point, "w", "v"), values.delayed)
