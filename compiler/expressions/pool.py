"""Scalar expressions as a hash-consed DAG: equal expressions are one node, and every node is folded when it is made.

Must not know what a model is. A node's id is larger than its children's, so sorting by id is a topological
order; its level says whether it is a constant, a parameter expression or varies in time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any

from cutset.compiler.expressions.functions import FUNCTIONS, RELATIONS, STEPS
from cutset.compiler.expressions.interpolation import interpolated, interpolated_slope
from cutset.compiler.expressions.unused import forget_unused

CONSTANT, PARAMETER, TIME = 0, 1, 2

# A node takes some 250 bytes. A chain of 100 bodies in space has 400 000 at a time, of 900 000 that are made.
MOST_NODES = 7_000_000
# How many are made before it is first looked which of them are in use.
_FIRST_LOOK = 400_000
# Scalars that the evaluation of a model's text may go through, the same ones again counted again.
MOST_WORK = 12_000_000


class Undefined(ArithmeticError):
    """An expression that has no finite value whatever the parameters are: a division by zero, log(-1), ..."""


class TooLarge(Exception):
    """A translation that would take more than about two gigabytes or some minutes; the message says of what there is too
    much. `where` is for whoever knows the place that is being worked on."""

    where: Any = None


_OF_TWO = ("add", "sub", "mul", "div", "and", "or", *RELATIONS)


class Expr:
    """A node: op is 'constant', 'parameter', 'variable', 'time', an operator or a function's name.

    data is the value of a constant, the name or number of a leaf, the size of a 'solve', the index of an 'element', the number of
    points of a 'table', the procedure of an 'apply', the system of a 'newton', the text of a 'fault'; of a relation and of one of STEPS it
    says why that makes no event: 'noevent', 'smooth' or None.
    Nodes are compared by identity.
    """

    __slots__ = ("id", "op", "args", "level", "data")

    def __init__(self, id: int, op: str, args: tuple[Expr, ...], level: int, data: Any):
        self.id, self.op, self.args, self.level, self.data = id, op, args, level, data

    def __repr__(self) -> str:
        return f"<{self.op} {self.data if self.data is not None else tuple(a.id for a in self.args)}>"


class Pool:
    """Makes nodes, and is the only one who does. All nodes of one translation come out of one pool. `has_delays` says
    whether a 'delay' was ever made, `has_instants` whether a relation, a step of STEPS, an 'edge' or a 'sample' was."""

    def __init__(self) -> None:
        self._nodes: dict[tuple[object, ...], Expr] = {}
        # Operators by their arguments, the same tuple as that of the node, which saves a third of the memory.
        self._operations: dict[str, dict[tuple[Expr, ...], Expr]] = {op: {} for op in _OF_TWO}
        self._made, self._next_look = 0, _FIRST_LOOK
        self._work = 0
        # The derivatives of procedures that were asked for, so that each is made once.
        self.gradients: dict[Any, Any] = {}
        # The derivatives of procedures that the model names itself.
        self.derivatives: dict[Any, Any] = {}
        self._arithmetic: dict[str, Callable[..., Expr]] = {
            "add": self.add, "sub": self.sub, "mul": self.mul, "div": self.div, "neg": self.neg,
            "if": self.choose, "edge": self.edge, "sample": self.sample, "delay": self.delay,
            "interp1": self.interpolate, "interp1_slope": self.slope,
        }  # fmt: skip
        self.has_delays = False
        self.has_instants = False
        self.zero = self.constant(0.0)
        self.one = self.constant(1.0)
        self.minus_one = self.constant(-1.0)
        self.time = self._node("time", (), TIME, "time")

    @property
    def size(self) -> int:
        """The number of nodes made so far."""
        return self._made

    def spend(self, scalars: int) -> None:
        """Counts the work of an evaluation, which makes no node where it gives what is there already. TooLarge."""
        self._work += scalars
        if self._work > MOST_WORK:
            raise TooLarge(f"its equations and values go through more than {MOST_WORK} scalars")

    def _number(self) -> int:
        """The id of a new node, which no other ever has; TooLarge."""
        if self._made >= self._next_look:
            self.forget()
        self._made += 1
        return self._made - 1

    def forget(self) -> None:
        """Forgets the nodes that nobody has, where there may be many. Made again they get other ids, still above those of their
        children."""
        if self._made < _FIRST_LOOK:
            return
        nodes = list(chain(self._nodes.values(), *(kind.values() for kind in self._operations.values())))
        left = forget_unused(nodes, self._delete)
        if left > MOST_NODES:
            raise TooLarge(f"it has more than {MOST_NODES} different expressions")
        self._next_look = self._made + max(_FIRST_LOOK, left // 2)

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
        """The same for an operator of two arguments, which most nodes are."""
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
        """The number; Undefined where it is not finite."""
        value = float(value)
        if not math.isfinite(value):
            raise Undefined(f"the value is {value}")
        return self._node("constant", (), CONSTANT, value + 0.0)  # + 0.0 makes -0.0 the one zero

    def parameter(self, name: str) -> Expr:
        """A parameter that keeps its name in the generated code."""
        return self._node("parameter", (), PARAMETER, name)

    def variable(self, name: str) -> Expr:
        """A quantity that varies in time: unknown, state or input."""
        return self._node("variable", (), TIME, name)

    # --- arithmetic --------------------------------------------------------------------------

    def neg(self, a: Expr) -> Expr:
        """-a"""
        if a.op == "constant":
            return self.constant(-a.data)
        if a.op == "neg":
            return a.args[0]
        if a.op == "sub":
            return self.sub(a.args[1], a.args[0])
        return self._node("neg", (a,), a.level)

    def add(self, a: Expr, b: Expr) -> Expr:
        """a + b"""
        zero = self.zero
        if a is zero:
            return b
        if b is zero:
            return a
        if a.op == "constant" and b.op == "constant":
            return self.constant(a.data + b.data)
        if b.op == "neg":
            return self.sub(a, b.args[0])
        if a.op == "neg":
            return self.sub(b, a.args[0])
        if a is b:
            return self.mul(self.constant(2.0), a)
        if a.op == "sub" and a.args[1] is b:
            return a.args[0]
        if b.op == "sub" and b.args[1] is a:
            return b.args[0]
        if a.level < TIME and b.level == TIME:
            a, b = b, a
        if b.level < TIME and a.level == TIME:
            if a.op == "add":
                x, y = a.args
                if y.level < TIME:
                    return self.add(x, self.add(y, b))
                if x.level < TIME:
                    return self.add(y, self.add(x, b))
            if a.op == "sub":
                x, y = a.args
                if y.level < TIME:
                    return self.add(x, self.sub(b, y))
                if x.level < TIME:
                    return self.sub(self.add(x, b), y)
        if a.id > b.id:
            a, b = b, a
        return self._pair("add", a, b)

    def sub(self, a: Expr, b: Expr) -> Expr:
        """a - b"""
        if b is self.zero:
            return a
        if a is b:
            return self.zero
        if a is self.zero:
            return self.neg(b)
        if b.op == "neg":
            return self.add(a, b.args[0])
        if b.op == "constant":
            return self.add(a, self.constant(-b.data))
        if a.op == "neg":
            return self.neg(self.add(a.args[0], b))
        if a.op == "add" and b in a.args:
            return a.args[1] if a.args[0] is b else a.args[0]
        if a.op == "sub" and a.args[0] is b:
            return self.neg(a.args[1])
        if b.op == "sub" and b.args[0] is a:
            return b.args[1]
        if b.op == "add" and a in b.args:
            return self.neg(b.args[1] if b.args[0] is a else b.args[0])
        if b.level < TIME and a.level == TIME and a.op in ("add", "sub"):
            x, y = a.args
            if y.level < TIME:
                return self.add(x, self.sub(y, b)) if a.op == "add" else self.sub(x, self.add(y, b))
            if x.level < TIME:
                rest = self.sub(x, b)
                return self.add(rest, y) if a.op == "add" else self.sub(rest, y)
        if a.level < TIME and b.level == TIME and b.op in ("add", "sub"):
            x, y = b.args
            if x.level < TIME:
                rest = self.sub(a, x)
                return self.sub(rest, y) if b.op == "add" else self.add(rest, y)
            if y.level < TIME:
                return self.sub(self.sub(a, y) if b.op == "add" else self.add(a, y), x)
        return self._pair("sub", a, b)

    def mul(self, a: Expr, b: Expr) -> Expr:
        """a * b"""
        zero, one = self.zero, self.one
        if a is zero or b is zero:
            return zero
        if a is one:
            return b
        if b is one:
            return a
        if a.op == "constant" and b.op == "constant":
            return self.constant(a.data * b.data)
        if a is self.minus_one:
            return self.neg(b)
        if b is self.minus_one:
            return self.neg(a)
        if a.op == "neg":
            return self.neg(self.mul(a.args[0], b))
        if b.op == "neg":
            return self.neg(self.mul(a, b.args[0]))
        if a.op == "div" and a.args[1] is b:
            return a.args[0]
        if b.op == "div" and b.args[1] is a:
            return b.args[0]
        if a.op == "mul" or b.op == "mul":
            shortened = self._cancelled(a, b) or self._cancelled(b, a)
            if shortened is not None:
                return shortened
        if b.level < TIME and a.level == TIME:
            a, b = b, a
        if a.level < TIME and b.level == TIME and b.op == "mul":
            x, y = b.args
            if x.level < TIME:
                return self.mul(self.mul(a, x), y)
            if y.level < TIME:
                return self.mul(self.mul(a, y), x)
        if a.op != "constant" and (b.op == "constant" or a.id > b.id):
            a, b = b, a
        if a.op == "constant" and a.data < 0:
            return self.neg(self.mul(self.constant(-a.data), b))
        return self._pair("mul", a, b)

    def _cancelled(self, product: Expr, factor: Expr) -> Expr | None:
        """x*(y/factor)*factor is x*y; None where the product is none of this form."""
        if product.op == "mul":
            for quotient, other in (product.args, product.args[::-1]):
                if quotient.op == "div" and quotient.args[1] is factor:
                    return self.mul(other, quotient.args[0])
        return None

    def div(self, a: Expr, b: Expr) -> Expr:
        """a / b; Undefined where b is the constant zero."""
        if b is self.zero:
            raise Undefined("division by zero")
        if a is self.zero or b is self.one:
            return a
        if a is b:
            return self.one
        if a.op == "constant" and b.op == "constant":
            return self.constant(a.data / b.data)
        if a.op == "neg":
            return self.neg(self.div(a.args[0], b))
        if b.op == "neg":
            return self.neg(self.div(a, b.args[0]))
        if a.op == "mul" and b in a.args:
            return a.args[1] if a.args[0] is b else a.args[0]
        if b.op == "div":
            return self.div(self.mul(a, b.args[1]), b.args[0])
        if b.op == "constant" or (b.level < TIME and a.level == TIME):
            # Division by what does not change is multiplication by what is computed once.
            return self.mul(self.div(self.one, b) if b.op != "constant" else self.constant(1.0 / b.data), a)
        return self._pair("div", a, b)

    def power(self, a: Expr, b: Expr) -> Expr:
        """a ^ b; small whole exponents become products."""
        if b.op == "constant":
            exponent = b.data
            if exponent == 0.5:
                return self.call("sqrt", a)
            if exponent.is_integer() and abs(exponent) <= 8:
                product = self.one
                for _ in range(int(abs(exponent))):
                    product = self.mul(product, a)
                return product if exponent >= 0 else self.div(self.one, product)
        return self.call("pow", a, b)

    # --- functions, relations, choice ----------------------------------------------------------

    def call(self, function: str, *args: Expr, quiet: str | None = None) -> Expr:
        """A function of FUNCTIONS; Undefined where constant arguments are outside its domain. One of STEPS that is `quiet` makes
        no event."""
        if all(a.op == "constant" for a in args):
            try:
                return self.constant(FUNCTIONS[function](*[a.data for a in args]))
            except (ValueError, OverflowError, ZeroDivisionError) as error:
                values = ", ".join(f"{a.data:g}" for a in args)
                raise Undefined(f"{function}({values}) has no value") from error
        if args[0].op == "neg":
            if function in ("sin", "tan", "asin", "atan", "sinh", "tanh", "sign"):
                return self.neg(self.call(function, args[0].args[0]))
            if function in ("cos", "cosh", "fabs"):
                return self.call(function, args[0].args[0])
        level = max(a.level for a in args)
        if function in STEPS:
            self.has_instants = self.has_instants or (level == TIME and quiet is None)
            return self._node(function, args, level, quiet)
        return self._node(function, args, level)

    def relation(self, operator: str, a: Expr, b: Expr, quiet: str | None = None) -> Expr:
        """a < b and its like: 1 where it holds, 0 where not. One that is `quiet` ('noevent', 'smooth') makes no event."""
        if a.op == "constant" and b.op == "constant":
            return self.one if RELATIONS[operator](a.data, b.data) else self.zero
        if quiet is None:
            self.has_instants = True
            return self._pair(operator, a, b)
        return self._node(operator, (a, b), max(a.level, b.level), quiet)

    def logical(self, operator: str, *args: Expr) -> Expr:
        """'and', 'or', 'not' of truth values."""
        if operator == "not":
            (a,) = args
            if a.op == "not" and a.args[0].op in (*RELATIONS, "and", "or"):
                return a.args[0]
            return self.constant(1.0 - (a.data != 0)) if a.op == "constant" else self._node("not", args, a.level)
        a, b = args
        absorbing = self.zero if operator == "and" else self.one
        if a is absorbing or b is absorbing:
            return absorbing
        if a.op == "constant":
            return b
        if b.op == "constant" or a is b:
            return a
        return self._pair(operator, a, b)

    def choose(self, condition: Expr, a: Expr, b: Expr) -> Expr:
        """if condition then a else b"""
        if condition.op == "constant":
            return a if condition.data != 0 else b
        if a is b:
            return a
        return self._node("if", (condition, a, b), max(condition.level, a.level, b.level))

    # --- instants and history ------------------------------------------------------------------

    def edge(self, a: Expr) -> Expr:
        """True at the instant at which `a` becomes true."""
        self.has_instants = True
        return self.zero if a.level < TIME else self._node("edge", (a,), TIME)

    def sample(self, first: Expr, interval: Expr) -> Expr:
        """True at the instants first, first + interval, ..."""
        self.has_instants = True
        return self._node("sample", (first, interval), TIME)

    def delay(self, a: Expr, time: Expr) -> Expr:
        """The value that `a` had `time` ago."""
        if a.level < TIME:
            return a
        self.has_delays = True
        return self._node("delay", (a, time), TIME)

    # --- tables ----------------------------------------------------------------------------------

    def table(self, xs: Sequence[Expr], ys: Sequence[Expr]) -> Expr:
        """Points for `interpolate`: at least two, constants or parameters; the xs ascend."""
        args = (*xs, *ys)
        return self._node("table", args, max(a.level for a in args), len(xs))

    def interpolate(self, x: Expr, table: Expr) -> Expr:
        """The value at x on the straight lines through the points; the outer ones go on beyond the ends."""
        return self._looked_up("interp1", interpolated, x, table)

    def slope(self, x: Expr, table: Expr) -> Expr:
        """The slope of `interpolate` at x; at a point that of the line behind it."""
        return self._looked_up("interp1_slope", interpolated_slope, x, table)

    def _looked_up(self, op: str, value: Callable[..., float], x: Expr, table: Expr) -> Expr:
        if x.op == "constant" and table.level == CONSTANT:
            points, n = [a.data for a in table.args], table.data
            return self.constant(value(x.data, points[:n], points[n:]))
        return self._node(op, (x, table), max(x.level, table.level))

    # --- small linear systems --------------------------------------------------------------------

    def solve(self, matrix: Sequence[Mapping[int, Expr]], right: Sequence[Expr]) -> tuple[Expr, ...]:
        """The solution z of matrix * z = right, by an LU factorisation at run time. The rows have their elements by column; the
        others are zero (expressions.sparse reads the node)."""
        ordered = [{k: row[k] for k in sorted(row) if row[k] is not self.zero} for row in matrix]
        args = (*(a for row in ordered for a in row.values()), *right)
        whole = self._node("solve", args, max(a.level for a in args), tuple(map(tuple, ordered)))
        return tuple(self.element(whole, i) for i in range(len(right)))

    # --- calls of procedures ---------------------------------------------------------------------

    def apply(self, procedure: Any, args: Sequence[Expr]) -> tuple[Expr, ...]:
        """The results of a procedure (`expressions.procedure`), which is called once for all of them. A call is never
        a constant: what it gives is found in a run."""
        level = max((a.level for a in args), default=PARAMETER)
        whole = self._node("apply", tuple(args), max(level, PARAMETER), procedure)
        return tuple(self.element(whole, i) for i in range(len(procedure.results)))

    def fault(self, text: str) -> Expr:
        """What has no value, for the reason in the text: nan in a run, which remembers the reason."""
        return self._node("fault", (), TIME, text)

    def element(self, whole: Expr, index: int) -> Expr:
        """Component `index` (from 0) of a 'solve', a 'newton' or an 'apply'."""
        return self._node("element", (whole,), whole.level, index)

    # --- iterations ------------------------------------------------------------------------------

    def newton(self, system: Any, residuals: Sequence[Expr], jacobian: Sequence[Sequence[Expr]]) -> tuple[Expr, ...]:
        """The values of the leaves `system.unknowns` at which all residuals vanish, by an iteration at run time. The
        jacobian has the derivatives of a residual by all of them in each row. Other nodes do not hold these leaves."""
        args = (*residuals, *(a for row in jacobian for a in row))
        whole = self._node("newton", args, TIME, system)
        return tuple(self.element(whole, i) for i in range(len(residuals)))

    # --- leaves that the run fills ---------------------------------------------------------------

    def mode(self, index: int) -> Expr:
        """The kept value of relation `index`."""
        return self._node("mode", (), TIME, index)

    def start(self, index: int) -> Expr:
        """Start value `index`, as the run has it."""
        return self._node("start", (), TIME, index)

    def acting(self, branch: int) -> Expr:
        """Whether a branch of a `when` acts at this event."""
        return self._node("acting", (), TIME, branch)

    def iterate(self, name: str) -> Expr:
        """An unknown of an iteration, within it."""
        return self._node("iterate", (), TIME, name)

    def rebuild(self, node: Expr, args: Sequence[Expr]) -> Expr:
        """`node` with other arguments, folded anew."""
        op = node.op
        make = self._arithmetic.get(op)
        if make is not None:
            return make(*args)
        if op in FUNCTIONS:
            return self.call(op, *args, quiet=node.data)
        if op in RELATIONS:
            return self.relation(op, args[0], args[1], node.data)
        if op in ("and", "or", "not"):
            return self.logical(op, *args)
        if op == "element":
            return self.element(args[0], node.data)
        if op == "apply":
            return self._node(op, tuple(args), max(PARAMETER, *(a.level for a in args)), node.data)
        return self._node(op, tuple(args), max((a.level for a in args), default=node.level), node.data)
