"""Nodes in the order of their making -> those that somebody has. What stood between a formula and its simplest form is most of all that
is made.

Python counts references; where it does not, every node is in use.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Protocol, TypeVar

_references: Callable[[object], int] = getattr(sys, "getrefcount", lambda node: 0)
# That of the table, that of the loop, that of the call.
_REFERENCES = 3


class Node(Protocol):
    """What has parts has them in `args`."""

    args: tuple[Node, ...]


T = TypeVar("T", bound=Node)


def forget_unused(nodes: list[T], delete: Callable[[T], None]) -> int:
    """Deletes those that only one table has from there, the last first, for then their children follow. Leaves are kept. `nodes` is empty
    in the end; gives the number of those that are left."""
    left = len(nodes)
    while nodes:
        node = nodes.pop()
        if node.args and _references(node) == _REFERENCES:
            delete(node)
            left -= 1
    return left
