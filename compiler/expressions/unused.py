"""Removes unused nodes from a pool; most nodes are intermediate steps of simplification.

Python counts references; an interpreter without reference counts keeps every node.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

_references: Callable[[object], int] = getattr(sys, "getrefcount", lambda node: 0)


class Node(Protocol):
    """A node with its parts in `args`."""

    args: tuple[Any, ...]


T = TypeVar("T", bound=Node)


def forget_unused(nodes: list[T], delete: Callable[[T], None]) -> int:
    """Remove the nodes to which only one table refers, and then those to which only these referred: `delete` removes a
    node from the table, given the tuple of parts that is its key. Leaves are kept. Returns the number of remaining
    nodes."""
    left = len(nodes)
    below: list[T] = []
    for node in nodes:
        while True:
            if node.args and _references(node) == _REFERENCES:
                delete(node)
                left -= 1
                below += node.args
                node.args = ()  # the list still holds the node, which must not count as a user of its parts
            if not below:
                break
            node = below.pop()
    return left


def _references_of_unused() -> int:
    """The reference count of a node of `forget_unused` to which only one table refers, including the list, the loop and
    the call."""
    table = {0: object()}
    for node in list(table.values()):
        return _references(node)
    return 0


_REFERENCES = _references_of_unused()
