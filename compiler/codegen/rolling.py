"""Statements that repeat with other indices -> loops. Moves no statement and changes no place.

Statements are repetitions of each other where they differ in indices alone. Most of these go on in equal steps; for others a
loop has tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from cutset.compiler.codegen.program import (
    Assign,
    Literal,
    Loop,
    Operation,
    Points,
    Read,
    SineCosine,
    Statement,
    Value,
)
from cutset.compiler.codegen.runs import FEWEST, find_runs

# How many periods at the ends may be left out of a loop.
_PEELED = 2

Chunk = tuple[Statement, ...]
Leaf = Read | Points | Literal


def rolled(statements: Sequence[Statement], most: int, loops: bool = True) -> list[Chunk]:
    """Statements without locals in chunks: loops by themselves, where there are to be `loops`, and at most `most` others together."""
    if not loops:
        return _cut(statements, most)
    shapes: dict[object, int] = {}
    numbers = [shapes.setdefault(shape_of([s]), len(shapes)) for s in statements]
    chunks: list[Chunk] = []
    done = 0
    for run in find_runs(numbers):
        chunks += _cut(statements[done : run.start], most)
        starts = range(run.start, run.end, run.period)
        chunks += folded([list(statements[k : k + run.period]) for k in starts], most)
        done = run.end
    return chunks + _cut(statements[done:], most)


def folded(periods: Sequence[list[Statement]], most: int) -> list[Chunk]:
    """Chunks that do the periods one after the other. Locals are numbered from 0 in each, and used in it alone."""
    shapes = [shape_of(p) for p in periods]
    leaves = [list(leaves_of(p)) for p in periods]
    chunks: list[Chunk] = []
    single: list[Statement] = []
    k = 0
    while k < len(periods):
        end = k + 1
        while end < len(periods) and shapes[end] == shapes[k]:
            end += 1
        first, last = _in_step(leaves, k, end)
        if last - first < FEWEST:
            first = last = end
        for period in periods[k:first]:
            single = _joined(chunks, single, period, most)
        if last > first:
            chunks += [tuple(single)] if single else []
            chunks.append((_loop(periods[first], leaves[first:last]),))
            single = []
        k = last
    return chunks + ([tuple(single)] if single else [])


def _cut(statements: Sequence[Statement], most: int) -> list[Chunk]:
    return [tuple(statements[k : k + most]) for k in range(0, len(statements), most)]


def _in_step(leaves: Sequence[list[Leaf]], start: int, end: int) -> tuple[int, int]:
    """From which period to which there should be a loop: without some at the ends, if that saves tables."""
    best, fewest = (start, end), len(leaves[start]) + 1
    for cut in range(_PEELED + 1):
        for first in range(start, start + cut + 1):
            last = end - (cut - (first - start))
            if last - first >= FEWEST and (tables := sum(_step(course) is None for course in zip(*leaves[first:last]))) < fewest:
                best, fewest = (first, last), tables
        if fewest == 0:
            break
    return best


def _step(course: Sequence[Leaf]) -> int | None:
    """By how much an index grows from one period to the next; 0 for a number that stays. None where it goes another way."""
    first, second = course[:2]
    if isinstance(first, Literal):
        return 0 if all(repr(leaf) == repr(first) for leaf in course) else None
    indices = [leaf.index for leaf in course]  # type: ignore[union-attr]
    step = indices[1] - indices[0]
    return step if all(b - a == step for a, b in zip(indices, indices[1:])) else None


def _joined(chunks: list[Chunk], single: list[Statement], period: list[Statement], most: int) -> list[Statement]:
    """`single` with the period behind it, under other locals; where that gets too long it becomes a chunk."""
    if single and len(single) + len(period) > most:
        chunks.append(tuple(single))
        single = []
    free = 1 + max((r.index for r in leaves_of(single) if isinstance(r, Read) and r.array == "local"), default=-1)

    def moved(leaf: Leaf) -> Leaf:
        return Read("local", leaf.index + free) if isinstance(leaf, Read) and leaf.array == "local" else leaf

    return single + [_replaced(s, moved) for s in period]


def round_of(loop: Loop, k: int) -> Chunk:
    """What a loop does in its k-th round, k from 0."""

    def here(leaf: Leaf) -> Leaf:
        if isinstance(leaf, Literal):
            return leaf if leaf.table < 0 else Literal(loop.numbers[leaf.table][k])
        return replace(leaf, index=leaf.index + k * leaf.step if leaf.table < 0 else loop.tables[leaf.table][k], step=0, table=-1)

    return tuple(_replaced(s, here) for s in loop.body)


# --- what a statement looks like -------------------------------------------------------------------


def shape_of(statements: Sequence[Statement]) -> object:
    """Equal for statements that differ in their leaves alone."""
    return tuple(_shape(s) for s in statements)


def _shape(s: Statement) -> object:
    match s:
        case Assign():
            value = "number" if isinstance(s.value, Literal) else _value_shape(s.value)
            return "assign", _value_shape(s.target), value, s.unless and _value_shape(s.unless)
        case SineCosine():
            return "sincos", _value_shape(s.argument), _value_shape(s.sine), _value_shape(s.cosine)
    return s


def _value_shape(v: Value) -> object:
    match v:
        case Read():
            return f"v{v.index}" if v.array == "local" else v.array
        case Points():
            return v if v.array == "local" else (v.array, v.size)
        case Operation():
            return v.operator, *map(_value_shape, v.arguments)
    return repr(v.value)


def leaves_of(statements: Sequence[Statement]) -> Iterator[Leaf]:
    """What may be different in the periods: all places of assignments, and numbers that are assigned. Always in the same order."""
    for s in statements:
        match s:
            case Assign():
                yield s.target
                if s.unless:
                    yield s.unless
                yield from (s.value,) if isinstance(s.value, Literal) else _reads(s.value)
            case SineCosine():
                yield s.sine
                yield s.cosine
                yield from _reads(s.argument)


def _reads(v: Value) -> Iterator[Leaf]:
    match v:
        case Read() | Points():
            yield v
        case Operation():
            for argument in v.arguments:
                yield from _reads(argument)


def _loop(statements: Sequence[Statement], leaves: Sequence[list[Leaf]]) -> Loop:
    """The loop over as many periods as there are lists of leaves, of which these are the statements of the first."""
    courses = zip(*leaves)
    tables: dict[tuple[int, ...], int] = {}
    numbers: dict[tuple[float, ...], int] = {}

    def moving(leaf: Leaf) -> Leaf:
        course = next(courses)
        step = _step(course)
        if isinstance(leaf, Literal):
            if step is not None:
                return leaf
            values = tuple(other.value for other in course)  # type: ignore[union-attr]
            return Literal(leaf.value, numbers.setdefault(values, len(numbers)))
        if step is not None:
            return replace(leaf, step=step)
        places = tuple(other.index for other in course)  # type: ignore[union-attr]
        return replace(leaf, table=tables.setdefault(places, len(tables)))

    body = tuple(_replaced(s, moving) for s in statements)
    return Loop(len(leaves), body, tuple(tables), tuple(numbers))


def _replaced(s: Statement, change: Callable[[Leaf], Leaf]) -> Statement:
    """The statement with other leaves, changed in the order of `leaves_of`."""
    match s:
        case Assign():
            target, unless = change(s.target), s.unless and change(s.unless)
            value = change(s.value) if isinstance(s.value, Literal) else _changed(s.value, change)
            return Assign(target, value, unless)  # type: ignore[arg-type]
        case SineCosine():
            sine, cosine = change(s.sine), change(s.cosine)
            return SineCosine(_changed(s.argument, change), sine, cosine)  # type: ignore[arg-type]
    return s


def _changed(v: Value, change: Callable[[Leaf], Leaf]) -> Value:
    match v:
        case Read() | Points():
            return change(v)
        case Operation():
            return Operation(v.operator, tuple(_changed(a, change) for a in v.arguments))
    return v
