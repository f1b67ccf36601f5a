"""Creates the nodes of expressions, and keeps the table that makes equal expressions one node.

The id of a node is larger than those of its children, so sorting by id is a topological order; its level tells whether
it is a constant, a parameter expression or varies in time. Knows nothing of the meaning of operators.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from itertools import chain
from typing import Any, Protocol, TypeVar

from cutset.contract.functions import RELATIONS

CONSTANT, PARAMETER, TIME = 0, 1, 2

# A node takes some 250 bytes. A chain of 100 bodies in space needs 350 000 at a time, and creates 460 000.
MOST_NODES = 7_000_000
# The number of nodes before unused ones are collected for the first time.
_FIRST_LOOK = 400_000
# If a larger fraction was in use, the next collection is delayed.
_MOST_KEPT = 0.9
# The limit on scalars visited when the text of a model is evaluated; repeated visits count.
MOST_WORK = 12_000_000


class Undefined(ArithmeticError):
    """An expression without a finite value for any parameters: a division by zero, log(-1), ..."""


class TooLarge(Exception):
    """The translation would need more than about two gigabytes or some minutes; the message names what is too large.
    `where` can be set by code that knows the current place."""

    where: Any = None


_OF_TWO = ("add", "sub", "mul", "div", "and", "or", *RELATIONS)


class Expr:
    """A node: op is 'constant', 'parameter', 'variable', 'time', an operator or a function's name.

    data is the value of a constant, the words and the place of a text, the name or number of a leaf, the size of a
    'solve', the index of an 'element', the number of points of a 'table', the function of an 'apply', the system of a
    'newton', the message of a 'fault'; of a relation and of one of STEPS it is the reason why it makes no event:
    'noevent', 'smooth' or None. Nodes are compared by identity.
    """

    __slots__ = ("args", "data", "id", "level", "op", "variables")

    def __init__(self, id: int, op: str, args: tuple[Expr, ...], level: int, data: Any):
        self.id = id
        self.op = op
        self.args = args
        self.level = level
        self.data = data
        # Kept by `variables_of`: stages ask again and again for those of the same equations.
        self.variables: tuple[Expr, ...] | None = None

    def __repr__(self) -> str:
        return f"<{self.op} {self.data if self.data is not None else tuple(a.id for a in self.args)}>"


class Nodes:
    """Creates nodes, each once, and removes unused ones."""

    def __init__(self) -> None:
        self._nodes: dict[tuple[object, ...], Expr] = {}
        # Operators by their arguments; the key is the node's own tuple, which saves a third of the memory.
        self._operations: dict[str, dict[tuple[Expr, ...], Expr]] = {op: {} for op in _OF_TWO}
        self._made, self._next_look = 0, _FIRST_LOOK
        self._work = 0
        self.zero = self.constant(0.0)
        self.one = self.constant(1.0)
        self.minus_one = self.constant(-1.0)
        self.time = self._node("time", (), TIME, "time")

    @property
    def size(self) -> int:
        """The number of nodes created so far."""
        return self._made

    def spend(self, scalars: int) -> None:
        """Count the work of an evaluation, which creates no node if the result exists already. TooLarge."""
        self._work += scalars
        if self._work > MOST_WORK:
            raise TooLarge(f"its equations and values need more than {MOST_WORK} scalars")

    def _number(self) -> int:
        """A unique id for a new node; TooLarge."""
        if self._made >= self._next_look:
            self.forget()
        self._made += 1
        return self._made - 1

    def forget(self) -> None:
        """Remove the nodes that are not in use, if there may be many. Created again they get other ids, still above
        those of their children."""
        if self._made < _FIRST_LOOK:
            return
        nodes = list(chain(self._nodes.values(), *(kind.values() for kind in self._operations.values())))
        left = forget_unused(nodes, self._delete)
        if left > MOST_NODES:
            raise TooLarge(f"it has more than {MOST_NODES} different expressions")
        interval = left if left > _MOST_KEPT * len(nodes) else left // 2
        self._next_look = self._made + max(_FIRST_LOOK, min(interval, MOST_NODES // 4))

    def _delete(self, node: Expr) -> None:
        if node.data is None:
            del self._operations[node.op][node.args]
        else:
            del self._nodes[(node.op, node.data, *[a.id for a in node.args])]

    def _node(self, op: str, args: tuple[Expr, ...], level: int, data: Any = None) -> Expr:
        if data is None and args:
            nodes = self._operations.setdefault(op, {})
            node = nodes.get(args)
            if node is None:
                node = nodes[args] = Expr(self._number(), op, args, level, None)
            return node
        key = (op, data, *[a.id for a in args])
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = Expr(self._number(), op, args, level, data)
        return node

    def _pair(self, op: str, a: Expr, b: Expr) -> Expr:
        """The node of an operator with two arguments, the most frequent case."""
        nodes, args = self._operations[op], (a, b)
        node = nodes.get(args)
        if node is None:
            number = self._made
            if number >= self._next_look:
                self.forget()
            self._made = number + 1
            node = nodes[args] = Expr(number, op, args, a.level if a.level > b.level else b.level, None)
        return node

    # --- leaves ------------------------------------------------------------------------------

    def constant(self, value: float) -> Expr:
        """The number; Undefined if it is not finite."""
        value = float(value)
        if not math.isfinite(value):
            raise Undefined(f"the value is {value}")
        return self._node("constant", (), CONSTANT, value + 0.0)  # + 0.0 turns -0.0 into 0.0

    def parameter(self, name: str) -> Expr:
        """A parameter that keeps its name in the generated code."""
        return self._named("parameter", PARAMETER, name)

    def variable(self, name: str) -> Expr:
        """A quantity that varies in time: unknown, state or input."""
        return self._named("variable", TIME, name)

    def _named(self, op: str, level: int, name: str) -> Expr:
        key = op, name
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = Expr(self._number(), op, (), level, name)
        return node


# --- unused nodes ---------------------------------------------------------------------------------

# Python counts references; an interpreter without reference counts keeps every node.

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
