"""Measures the distances of the vertices of a tree from its roots."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeVar

V = TypeVar("V", bound=Hashable)


def depths_of(edges: Iterable[tuple[V, V]], roots: Iterable[V]) -> dict[V, int] | None:
    """The number of edges from each vertex to the nearest root, which count as one vertex; None if that makes a cycle.
    Vertices that no root reaches have none."""
    beside: dict[V, list[V]] = {}
    for a, b in dict.fromkeys(edges):
        beside.setdefault(a, []).append(b)
        beside.setdefault(b, []).append(a)
    depths = dict.fromkeys(roots, 0)
    queue: list[tuple[V, V | None]] = [(root, None) for root in depths]
    for at, before in queue:  # grows during the loop
        for other in beside.get(at, ()):
            if other == before:
                continue
            if other in depths:
                return None
            depths[other] = depths[at] + 1
            queue.append((other, at))
    return depths
