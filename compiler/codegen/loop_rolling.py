"""Rolls statements that repeat with other indices into loops. Moves no statement and changes no place.

Statements are repetitions if they differ in indices only. Most of these increase in equal steps; for others a loop has
tables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate, chain, pairwise

from cutset.compiler.codegen.code import Assign, Literal, Loop, Operation, Read, SineCosine, Statement, TableRef, Value
from cutset.compiler.codegen.repeats import FEWEST, find_repetitions

# The limit on periods at the ends that may be excluded from a loop.
_PEELED = 2

Chunk = tuple[Statement, ...]
Leaf = Read | TableRef | Literal


def rolled(statements: Sequence[Statement], most: int, loops: bool = True) -> list[Chunk]:
    """Statements without locals in chunks: separate ones for loops, if `loops` is set, and at most `most` other
    statements together."""
    if not loops:
        return _cut(statements, most)
    shapes, leaves = _outlines(statements)
    chunks: list[Chunk] = []
    done = 0
    for repetition in find_repetitions(shapes):
        chunks += _cut(statements[done : repetition.start], most)
        periods = [slice(k, k + repetition.period) for k in range(repetition.start, repetition.end, repetition.period)]
        moving = [list(chain.from_iterable(leaves[period])) for period in periods]
        chunks += _folded([list(statements[p]) for p in periods], [shapes[p] for p in periods], moving, most)
        done = repetition.end
    return chunks + _cut(statements[done:], most)


def folded(periods: Sequence[list[Statement]], most: int) -> list[Chunk]:
    """Chunks that execute the periods one after the other. Locals are numbered from 0 in each, and used in it only."""
    shapes, leaves = _outlines([statement for period in periods for statement in period])
    ends = list(accumulate(map(len, periods)))
    places = [slice(end - len(period), end) for end, period in zip(ends, periods, strict=False)]
    return _folded(periods, [shapes[p] for p in places], [list(chain.from_iterable(leaves[p])) for p in places], most)


def _folded(
    periods: Sequence[list[Statement]], shapes: Sequence[list[int]], leaves: Sequence[list[Leaf]], most: int
) -> list[Chunk]:
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
    """The first and last period of the loop: some at the ends are excluded if that saves tables."""
    best, fewest = (start, end), len(leaves[start]) + 1
    for cut in range(_PEELED + 1):
        for first in range(start, start + cut + 1):
            last = end - (cut - (first - start))
            if (
                last - first >= FEWEST
                and (tables := sum(_step(course) is None for course in zip(*leaves[first:last], strict=False))) < fewest
            ):
                best, fewest = (first, last), tables
        if fewest == 0:
            break
    return best


def _step(course: Sequence[Leaf]) -> int | None:
    """The increase of an index from one period to the next; 0 for a constant number. None if it varies."""
    first, _second = course[:2]
    if isinstance(first, Literal):
        literal = repr(first.value)
        return 0 if all(repr(leaf.value) == literal for leaf in course) else None  # type: ignore[union-attr]
    indices = [leaf.index for leaf in course]  # type: ignore[union-attr]
    step = indices[1] - indices[0]
    return step if all(b - a == step for a, b in pairwise(indices)) else None


def _joined(chunks: list[Chunk], single: list[Statement], period: list[Statement], most: int) -> list[Statement]:
    """`single` followed by the period, with renumbered locals; if it becomes too long it is emitted as a chunk."""
    if single and len(single) + len(period) > most:
        chunks.append(tuple(single))
        single = []
    leaves = chain.from_iterable(_outlines(single)[1])
    free = 1 + max((leaf.index for leaf in leaves if isinstance(leaf, Read) and leaf.array == "local"), default=-1)

    def moved(leaf: Leaf) -> Leaf:
        return Read("local", leaf.index + free) if isinstance(leaf, Read) and leaf.array == "local" else leaf

    return single + [_replaced(s, moved) for s in period]


def round_of(loop: Loop, k: int) -> Chunk:
    """The statements of round k of a loop, k from 0."""

    def here(leaf: Leaf) -> Leaf:
        if isinstance(leaf, Literal):
            return leaf if leaf.table < 0 else Literal(loop.numbers[leaf.table][k])
        return replace(
            leaf, index=leaf.index + k * leaf.step if leaf.table < 0 else loop.tables[leaf.table][k], step=0, table=-1
        )

    return tuple(_replaced(s, here) for s in loop.body)


# --- the form of statements ------------------------------------------------------------------------


def _outlines(statements: Sequence[Statement]) -> tuple[list[int], list[list[Leaf]]]:
    """For each statement a number, equal for those that differ in their leaves only, and these leaves: all places, and
    numbers that are assigned."""
    numbers: dict[object, int] = {}
    shapes: list[int] = []
    leaves: list[list[Leaf]] = []
    for s in statements:
        own: list[Leaf] = []
        shapes.append(numbers.setdefault(_shape(s, own), len(numbers)))
        leaves.append(own)
    return shapes, leaves


def _shape(s: Statement, leaves: list[Leaf]) -> object:
    match s:
        case Assign(target, value, unless):
            places = _value_shape(target, leaves), unless and _value_shape(unless, leaves)
            if isinstance(value, Literal):
                leaves.append(value)
                return "assign", *places
            return "assign", *places, _value_shape(value, leaves)
        case SineCosine():
            places = _value_shape(s.sine, leaves), _value_shape(s.cosine, leaves)
            return "sincos", *places, _value_shape(s.argument, leaves)
    return s


def _value_shape(v: Value, leaves: list[Leaf]) -> object:
    # No patterns: this is called for each part of each statement.
    if isinstance(v, Read):
        leaves.append(v)
        return f"v{v.index}" if v.array == "local" else v.array
    if isinstance(v, Operation):
        return v.operator, *[_value_shape(a, leaves) for a in v.arguments]
    if isinstance(v, TableRef):
        leaves.append(v)
        return v if v.array == "local" else (v.array, v.size)
    return repr(v.value)


def _loop(statements: Sequence[Statement], leaves: Sequence[list[Leaf]]) -> Loop:
    """The loop over as many periods as there are lists of leaves; `statements` are those of the first."""
    courses = zip(*leaves, strict=False)
    tables: dict[tuple[int, ...], int] = {}
    numbers: dict[tuple[float, ...], int] = {}

    def moving(leaf: Leaf) -> Leaf:
        course = next(courses)
        step = _step(course)
        if isinstance(leaf, Literal):
            if step is not None:
                return leaf
            values = tuple(other.value for other in course)
            return Literal(leaf.value, numbers.setdefault(values, len(numbers)))
        if step is not None:
            return replace(leaf, step=step)
        places = tuple(other.index for other in course)
        return replace(leaf, table=tables.setdefault(places, len(tables)))

    body = tuple(_replaced(s, moving) for s in statements)
    return Loop(len(leaves), body, tuple(tables), tuple(numbers))


def _replaced(s: Statement, change: Callable[[Leaf], Leaf]) -> Statement:
    """The statement with other leaves, in the order of `_outlines`."""
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
        case Read() | TableRef():
            return change(v)
        case Operation():
            return Operation(v.operator, tuple(_changed(a, change) for a in v.arguments))
    return v
