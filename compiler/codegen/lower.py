"""Lowers a solved model (stage 6a): SolvedSystem, Start, SolvedEvents -> Program.

Each function contains only what it needs, parameter expressions are computed once, and shared divisors become
reciprocals. Prints nothing, and changes no formula except by these rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product

from cutset.compiler.codegen.code import Function, Read
from cutset.compiler.codegen.computed_values import ComputedValues, computed_values
from cutset.compiler.codegen.constants import (
    Constants,
    bindings_function,
    choose_constants,
    number_parameters,
    schedule_constants,
)
from cutset.compiler.codegen.forcing import forcing_of
from cutset.compiler.codegen.guards import named_guards
from cutset.compiler.codegen.metadata import Lowered, model_info, statistics_of
from cutset.compiler.codegen.numbering import Numbering
from cutset.compiler.codegen.passes import LatePasses
from cutset.compiler.codegen.program import Program
from cutset.compiler.codegen.statements import schedule
from cutset.compiler.codegen.statistics import Domain
from cutset.compiler.codegen.temporaries import Known
from cutset.compiler.codegen.time_tapes import Tapes, step_of
from cutset.compiler.codegen.user_functions import lower_user_functions
from cutset.compiler.expressions.array import Array
from cutset.compiler.expressions.pool import TIME, Expr
from cutset.compiler.expressions.user_function import UserFunction
from cutset.compiler.expressions.walk import varying
from cutset.compiler.flatten.model import EquationSystem
from cutset.compiler.sort.system import SolvedEvents, SolvedSystem, Start
from cutset.contract.metadata import External, TimeCrossing


def lower(
    solved: SolvedSystem,
    start: Start,
    events: SolvedEvents,
    passes: LatePasses = LatePasses(),
) -> Program:
    """The complete program; deterministic."""
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
    rates = dict(zip(states, values.rates, strict=True))
    return forcing_of(solved.pool, rates, constants.known, delays, solved.sorted_system.algebraic)


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


# --- foreign code ---------------------------------------------------------------------------------

# Each source of the user is a part of its own translation unit, which checks the arguments of its functions.


def foreign_files(functions: Iterable[UserFunction]) -> dict[str, str]:
    """The files for all external functions of a program, by name: those in C are called by the number that they have
    among these functions. foreign_K.c includes the source of the user, which is with its headers in the folder
    foreign_K."""
    sources: dict[str, list[tuple[int, External]]] = {}
    texts: dict[str, tuple[tuple[str, str], ...]] = {}
    externals = ((f.foreign, f.texts) for f in functions if f.foreign is not None)
    for number, (external, included) in enumerate(externals):
        if external.is_c:
            sources.setdefault(external.path, []).append((number, external))
            texts[external.path] = included
    files: dict[str, str] = {}
    for k, (path, called) in enumerate(sources.items()):
        files |= {f"foreign_{k}/{name}": text for name, text in texts[path]}
        files[f"foreign_{k}.c"] = _unit(f"foreign_{k}/{texts[path][0][0]}", called)
    return files


def prototype(function: External) -> str:
    """The declaration that the source must fit: scalars are double; an array is a pointer to its elements, row by row;
    an array as the result is the last argument."""
    arguments = ["const double *" if shape else "double" for shape in function.shapes]
    arguments += ["double *"] if function.result else []
    return f"{'void' if function.result else 'double'} {function.name}({', '.join(arguments) or 'void'});"


def _unit(source: str, functions: Sequence[tuple[int, External]]) -> str:
    declared = dict.fromkeys(prototype(function) for _, function in functions)
    parts = [f'#include "{source}"', "", "/* The functions must have these arguments. */", *declared, ""]
    for number, function in functions:
        parts += [*_wrapper(number, function), ""]
    return "\n".join(parts)


def _wrapper(number: int, function: External) -> list[str]:
    """The function that takes the elements that vary, and gives those of the result."""
    lines, passed, given = [], [], 0
    for k, (shape, constants) in enumerate(zip(function.shapes, function.constants, strict=True)):
        elements = []
        for constant in constants:
            elements.append(f"a[{given}]" if constant is None else repr(constant))
            given += constant is None
        if shape:
            lines.append(f"    const double a{k}[] = {{{', '.join(elements) or '0.0'}}};")
        passed.append(f"a{k}" if shape else elements[0])
    passed += ["r"] if function.result else []
    call = f"{function.name}({', '.join(passed)});"
    opening = [f"void cutset_foreign_{number}(const double *a, double *r);"]
    opening += [f"void cutset_foreign_{number}(const double *a, double *r)", "{"]
    return [*opening, *lines, "    (void)a;", f"    {call}" if function.result else f"    r[0] = {call}", "}"]


# --- parameter domains ----------------------------------------------------------------------------


def domains_of(system: EquationSystem) -> dict[str, Domain]:
    """The domains by the names of scalar parameters."""
    found: dict[str, Domain] = {}
    for parameter in system.parameters:
        literals = ("false", "true") if parameter.type.kind == "Boolean" else parameter.type.literals
        is_whole = parameter.type.kind == "Integer"
        if not literals and not is_whole and parameter.minimum is None and parameter.maximum is None:
            continue
        for k, index in enumerate(product(*(range(1, n + 1) for n in parameter.value.shape))):
            name = parameter.name + (f"({','.join(map(str, index))})" if index else "")
            limits = number_of(parameter.minimum, k), number_of(parameter.maximum, k)
            found[name] = Domain(literals, *limits, is_whole, str(parameter.span))
    return found


def number_of(limit: Array | None, k: int) -> float | None:
    """The limit of an element; None if there is none, or if it depends on parameters."""
    return None if limit is None or limit.elements[k].op != "constant" else float(limit.elements[k].data)
