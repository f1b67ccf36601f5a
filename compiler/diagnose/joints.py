"""Finds the connections between elements of a mechanism: which closes a loop, which element is connected twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cutset.compiler.diagnose.frames import Part
from cutset.compiler.flatten.connect import connection_sets
from cutset.compiler.flatten.model import FlatModel
from cutset.compiler.instantiate.instance import End, Join


def joins_of(model: FlatModel, instances: Iterable[str]) -> list[Join]:
    """The connections of frames of these elements, in the order of the text."""
    chosen = set(instances)
    found = [
        join for connection in model.sets for join in connection.joins
        if any(end.instance in chosen and _joins_frames(model, end) for end in (join.first, join.second))
    ]  # fmt: skip
    return sorted(found, key=lambda join: (join.span.source.name, join.span.line, join.span.column))


def leaves_loop(part: Part, loop: Iterable[str], join: Join) -> bool:
    """True if an element that passes no motion on and is not in the loop, such as a body, is at one end of the
    connection."""
    single = {instance for instance, _ in part.others}.difference(loop)
    return join.first.instance in single or join.second.instance in single


def connected_twice(model: FlatModel, part: Part, frame: int) -> Iterator[tuple[str, list[Join], list[str]]]:
    """Elements with one frame whose connections alone merge several frames into one: each with these connections and
    the other cuts."""
    for element, at in [*part.others, *part.bases]:
        if at != frame or sum(i == element and cut.is_frame for (i, _), cut in model.cuts.items()) != 1:
            continue
        own = joins_of(model, [element])
        connection = next(s for s in model.sets if own and own[0] in s.joins)
        without = connection_sets([join for join in connection.joins if join not in own])
        apart: dict[int, tuple[Join, str]] = {}
        for join in own:
            other = join.second if join.first.instance == element else join.first
            number = next((k for k, s in enumerate(without) if other in s.ends), -1 - len(apart))
            apart.setdefault(number, (join, f"{other.instance}:{other.name}" if other.side != "node" else other.name))
        if len(apart) > 1:
            yield element, [join for join, _ in apart.values()], [cut for _, cut in apart.values()]


def _joins_frames(model: FlatModel, end: End) -> bool:
    return end.side != "node" and model.cuts[end.instance, end.name].is_frame
