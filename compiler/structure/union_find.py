"""Unites things in groups: pairs that belong together -> the group of each. Knows no graph."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


class UnionFind(Generic[T]):
    """Groups of things, each with one of them as its root; a thing that is met for the first time is one."""

    def __init__(self, things: Iterable[T] = ()):
        self._parent = {thing: thing for thing in things}

    def root(self, thing: T) -> T:
        """The root of its group."""
        parent = self._parent
        while parent.setdefault(thing, thing) != thing:
            parent[thing] = thing = parent[parent[thing]]
        return thing

    def unite(self, first: T, second: T) -> None:
        """Make one group of two; its root is that of the first."""
        first, second = self.root(first), self.root(second)
        self._parent[second] = first

    def __iter__(self) -> Iterator[T]:
        """All things, in the order in which they were met."""
        return iter(self._parent)

    def groups(self) -> dict[T, list[T]]:
        """The things of each group by its root, in their order."""
        found: dict[T, list[T]] = {}
        for thing in self:
            found.setdefault(self.root(thing), []).append(thing)
        return found
