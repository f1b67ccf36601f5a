"""Leaves out of a program what some of its results do not need: Program, names of results -> Program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from cutset.compiler.codegen.accesses import nested, operators_of, reads_of, writes_of
from cutset.compiler.codegen.code import (
    Call,
    Compute,
    Function,
    FunctionStep,
    Loop,
    LoweredFunction,
    Read,
    SolveLinear,
    SolveNonlinear,
    Statement,
)
from cutset.compiler.codegen.program import Program
from cutset.compiler.expressions.user_function import Choice, Require, While

_Place = tuple[str, int]
# In place of a user function that is not called.
_UNUSED = LoweredFunction(0, 0, (), ())


def sliced(program: Program, results: Mapping[str, Iterable[int]]) -> Program:
    """The program with these functions alone and, of each, what it needs for these of its results; and with the
    constants and parameters that they need. The order of statements stays."""
    by_name = {function.name: function for function in program.functions}
    kept = {name: _sliced(by_name[name], set(wanted)) for name, wanted in results.items()}
    constants = {k for function in kept.values() for name, k in _inputs_of(function) if name == "c"}
    kept["constants"] = _sliced(by_name["constants"], constants)
    parameters = {k for name, k in _inputs_of(kept["constants"]) if name == "p"} | set(results.get("bindings", ()))
    kept["bindings"] = _sliced(by_name["bindings"], parameters)
    left = replace(program, functions=tuple(kept[f.name] for f in program.functions if f.name in kept))
    called = {k for k, _ in _calls(left)}
    own = (f if k in called else _UNUSED for k, f in enumerate(program.user_functions))
    return replace(left, user_functions=tuple(own))


def reads(program: Program, array: str) -> bool:
    """True if a function of the program reads this array, or the time t."""
    return any(name == array for function in program.functions for name, _ in _inputs_of(function))


def operators_in(program: Program) -> set[str]:
    """The operators of its functions, 'external' and the names of the functions that the runtime supplies."""
    statements = [s for function in program.functions for s in _statements_of(function)]
    for _, called in _calls(program):
        statements += _computed(called.body)
    found = {op for s in statements for op in operators_of(s)}
    return found.union(*({f.supplied, "external" if f.external >= 0 else ""} for _, f in _calls(program)))


def _calls(program: Program) -> Iterator[tuple[int, LoweredFunction]]:
    """The user functions that are called, with their numbers: by functions of the program, or by such ones."""
    left = [s for function in program.functions for s in _statements_of(function)]
    seen: set[int] = set()
    while left:
        s = left.pop()
        if isinstance(s, Call) and s.user_function not in seen:
            seen.add(s.user_function)
            called = program.user_functions[s.user_function]
            yield s.user_function, called
            left += _computed(called.body)


def _statements_of(function: Function) -> Iterator[Statement]:
    """Its statements, and those inside of loops, systems and iterations."""
    for f in (function, *function.iterated()):
        yield from nested(f.statements())


def _computed(steps: Iterable[FunctionStep]) -> Iterator[Statement]:
    """The statements of the body of a user function; recursion is over the nesting of blocks."""
    for step in steps:
        match step:
            case Compute():
                yield from step.statements
            case Choice():
                yield from _computed((step.condition, *step.then, *step.otherwise))
            case While():
                yield from _computed((step.condition, *step.body))
            case Require():
                yield from _computed((step.condition,))


def _sliced(function: Function, wanted: set[int]) -> Function:
    """The function without what these elements of its result, its last argument, do not need; bindings write p, and
    read what they have written."""
    result = "p" if function.name == "bindings" else function.arguments[-1]
    needed: set[_Place] = {(result, k) for k in wanted}
    chunks: list[tuple[Statement, ...]] = []
    for chunk in reversed(function.chunks):
        left: list[Statement] = []
        for s in reversed(chunk):
            if not needed.isdisjoint(_writes(s)):
                needed.update(_reads(s))
                left.append(s)
        needed = {place for place in needed if place[0] != "local"}
        chunks.append(tuple(reversed(left)))
    return replace(function, chunks=tuple(chunk for chunk in reversed(chunks) if chunk))


def _inputs_of(function: Function) -> Iterator[_Place]:
    """The places that it reads, of arrays that it does not write."""
    return (place for s in function.statements() for place in _reads(s))


def _writes(s: Statement) -> Iterator[_Place]:
    if isinstance(s, Loop):
        return (place for inner in s.body for each in writes_of(inner) for place in _rounds(each, s))
    return ((each.array, each.index) for each in writes_of(s))


def _reads(s: Statement) -> Iterator[_Place]:
    match s:
        case Loop():
            yield from (place for inner in s.body for each in reads_of(inner) for place in _rounds(each, s))
        case SolveLinear():
            yield from (place for inner in s.fill for place in _reads(inner))
        case SolveNonlinear():
            yield from ((each, k) for each, k in _inputs_of(s.function) if each not in ("z", "r", "local"))
            yield from (("w", s.guess + k) for k in range(2 * s.size + 1))
        case _:
            yield from ((each.array, each.index) for each in reads_of(s))


def _rounds(place: Read, loop: Loop) -> Iterator[_Place]:
    """The places in all rounds of the loop."""
    if place.table >= 0:
        return ((place.array, k) for k in loop.tables[place.table])
    return ((place.array, place.index + place.step * k) for k in range(loop.count if place.step else 1))
