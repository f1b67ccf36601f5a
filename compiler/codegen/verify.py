"""Checks the promises of Program: every read follows a write. For tests and --verify; repairs nothing."""

from __future__ import annotations

from collections.abc import Iterable

from cutset.compiler.codegen.accesses import reads_of, writes_of
from cutset.compiler.codegen.loop_rolling import round_of
from cutset.compiler.codegen.program import (
    Function,
    Loop,
    Program,
    Read,
    SolveLinear,
    SolveNonlinear,
    Statement,
)

# The arguments that contain values when a function is called; it must write everything else first.
_GIVEN = ("t", "x", "u", "m", "c", "s", "f", "z", "given", "tables")


def check_program(program: Program) -> None:
    """Locals are written once and read in their chunk; w is written before it is read; results are complete."""
    info = program.info
    n_states, n_relations = len(info.states), len(info.relations)
    n_conditions = 2 * n_relations + sum(info.whens) + len(info.assertions)
    sizes = {
        "dx": n_states,
        "y": info.n_variables + n_conditions,
        "x": n_states + 2 * len(info.start_conditions),
        "s": info.n_starts,
        "g": len(info.crossings),
        "n": n_states,
        "te": 2 * len(info.time_events),
        "e": info.n_updates,
        "j": sum(map(len, info.jacobian)) if info.has_jacobian else 0,
        "v": 2 * len(info.delays),
        "h": len(info.crossings) + info.n_watched if info.n_watched else 0,
    }
    left = info.n_guesses + len(info.guards), info.n_watched  # written by the derivatives, for the watch
    for function in program.functions:
        written = {Read("w", k) for k in range(info.n_guesses)}
        written |= {Read("w", left[0] + k) for k in range(left[1]) if function.name == "watch"}
        _check_function(function, written)
        result = function.arguments[-1]
        if result in sizes:
            missing = sizes[result] - len({w for w in written if w.array == result})
            assert missing == 0, f"{function.name}: {missing} results are not written"


def _check_function(function: Function, written: set[Read]) -> None:
    """`written` are the places written before the call; it is extended by those that the function writes."""
    for chunk in function.chunks:
        straight: list[Statement] = []
        for statement in chunk:
            if isinstance(statement, Loop):
                for k in range(statement.count):
                    _check_statements(function, round_of(statement, k), written)
            else:
                straight.append(statement)
        _check_statements(function, straight, written)


def _check_statements(function: Function, statements: Iterable[Statement], written: set[Read]) -> None:
    """Checks a chunk, or a round of a loop, with its own locals. A chunk contains either loops or other statements."""
    locals_here: set[Read] = set()
    for statement in statements:
        if isinstance(statement, SolveNonlinear):
            _check_iteration(statement, written)
        if isinstance(statement, SolveLinear):
            _check_fill(function, statement, written, locals_here)
        for read in reads_of(statement):
            _check_read(function, read, written, locals_here)
        for target in writes_of(statement):
            assert target.array != "local" or target not in locals_here, f"{function.name}: {target} twice"
            (locals_here if target.array == "local" else written).add(target)


def _check_read(function: Function, read: Read, written: set[Read], locals_here: set[Read]) -> None:
    if read.array == "local":
        assert read in locals_here, f"{function.name}: {read} is read before it is written"
    elif read.array not in _GIVEN or read.array == function.arguments[-1]:
        fine = read in written or (function.name == "constants" and read.array == "p")
        assert fine, f"{function.name}: {read} is read before it is written"


def _check_fill(function: Function, statement: SolveLinear, written: set[Read], locals_here: set[Read]) -> None:
    """Checks the matrix and the right side, computed from values of the chunk."""
    for inner in statement.fill:
        iterations = [round_of(inner, k) for k in range(inner.count)] if isinstance(inner, Loop) else [(inner,)]
        for read in (read for statements in iterations for assign in statements for read in reads_of(assign)):
            _check_read(function, read, written, locals_here)


def _check_iteration(statement: SolveNonlinear, written: set[Read]) -> None:
    inner = set(written)
    _check_function(statement.function, inner)
    results = len({w for w in inner if w.array == "r"})
    assert results == statement.size * (statement.size + 1), f"{statement.function.name}: {results} results"
