"""Lists the places that a statement reads and writes. In a loop these are the statements of one round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cutset.compiler.codegen.code import (
    Assign,
    Call,
    FillTable,
    Loop,
    Operation,
    Read,
    SineCosine,
    SolveLinear,
    SolveNonlinear,
    Statement,
    TableRef,
    Value,
)


def nested(statements: Iterable[Statement]) -> Iterator[Statement]:
    """The statements, and those inside of loops and linear systems."""
    for s in statements:
        yield s
        yield from nested(s.body if isinstance(s, Loop) else s.fill if isinstance(s, SolveLinear) else ())


def values_of(statement: Statement) -> tuple[Value, ...]:
    """The values that it computes from; those of the matrix of a linear system are in its `fill`."""
    match statement:
        case Assign():
            return (statement.value,)
        case SineCosine():
            return (statement.argument,)
        case Call():
            return statement.arguments
        case FillTable():
            return statement.values
    return ()


def parts_of(statement: Statement) -> Iterator[Value]:
    """Its values and all within them, each as often as it occurs."""
    stack = list(values_of(statement))
    while stack:
        value = stack.pop()
        yield value
        if isinstance(value, Operation):
            stack += value.arguments


def reads_of(statement: Statement) -> Iterator[Read]:
    """The places that its values read."""
    for value in parts_of(statement):
        if isinstance(value, Read):
            yield value
        elif isinstance(value, TableRef):
            yield from _elements(value)


def operators_of(statement: Statement) -> list[str]:
    """The operators in its values, each as often as it occurs."""
    return [value.operator for value in parts_of(statement) if isinstance(value, Operation)]


def writes_of(statement: Statement) -> tuple[Read, ...]:
    """The places that it writes; of a system of equations, its solution."""
    match statement:
        case Assign():
            return (statement.target,)
        case SineCosine():
            return (statement.sine, statement.cosine)
        case Call():
            return tuple(p for p in statement.results if p is not None)
        case FillTable():
            return _elements(statement.table)
        case SolveLinear() | SolveNonlinear():
            s = statement.solution
            return tuple(Read(s.array, s.index + k) for k in range(statement.size))
    raise AssertionError(f"{type(statement).__name__} writes nothing by itself")


def _elements(table: TableRef) -> tuple[Read, ...]:
    count = 1 if table.array == "local" else 2 * table.size
    return tuple(Read(table.array, table.index + k) for k in range(count))
