"""Nodes of a pool -> those that somebody has. What stood between a formula and its simplest form is most of all that is
made.

Python counts references; where it does not, every node is in use.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

_references: Callable[[object], int] = getattr(sys, "getrefcount", lambda node: 0)


class Node(Protocol):
    """What has parts has them in `args`."""

    args: tuple[Any, ...]


T = TypeVar("T", bound=Node)


def forget_unused(nodes: list[T], delete: Callable[[T], None]) -> int:
    """Deletes those that only one table has, and what only they had in turn: `delete` takes a node, and the tuple of
    its parts with which it is found, from there. Leaves are kept. Gives the number of those that are left."""
    left = len(nodes)
    below: list[T] = []
    for node in nodes:
        while True:
            if node.args and _references(node) == _REFERENCES:
                delete(node)
                left -= 1
                below += node.args
                node.args = ()  # the list has the node still, which must not count as somebody who has its parts
            if not below:
                break
            node = below.pop()
    return left


def _references_of_unused() -> int:
    """How often Python counts a node of `forget_unused` that one table has: the list, the loop and the call may count
    too."""
    table = {0: object()}
    for node in list(table.values()):
        return _references(node)
    return 0


_REFERENCES = _references_of_unused()
