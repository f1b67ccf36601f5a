"""Provides scalar expressions as a hash-consed DAG: equal expressions are one node, folded when it is created.

Knows nothing of models.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from cutset.compiler.expressions.arithmetic import Arithmetic
from cutset.compiler.expressions.nodes import CONSTANT, PARAMETER, TIME, Expr, TooLarge, Undefined
from cutset.compiler.expressions.sparse import Rows
from cutset.contract.functions import FUNCTIONS, RELATIONS
from cutset.contract.interpolation import INTERPOLATIONS

__all__ = ["CONSTANT", "PARAMETER", "TIME", "Expr", "Pool", "TooLarge", "Undefined"]


# What `initial()` and `terminal()` are: samples with this first instant and these intervals; events/times.h knows both.
NEVER = sys.float_info.max
# The place of a text that is not known: a class is checked without its values.
UNKNOWN = "unknown"
ONCE = {"initial": 1e300, "terminal": 1e301}


class Pool(Arithmetic):
    """The only creator of nodes; a translation has one pool. `has_delays` is True if a 'delay' was ever created,
    `has_tables` and `has_iterations` for a 'table' or a 'newton', `has_events` for a time-varying relation, step of
    STEPS, 'edge' or 'sample'."""

    def __init__(self) -> None:
        super().__init__()
        # Derivatives of functions, so that each is created once.
        self.gradients: dict[Any, Any] = {}
        # Derivatives of functions that the model declares.
        self.derivatives: dict[Any, Any] = {}
        self.has_delays = False
        self.has_tables = False
        self.has_iterations = False
        self.has_controllers = False
        self.has_events = False

    def text(self, words: str, place: Hashable = None) -> Expr:
        """A text, which files, messages and comparisons use; `place` is where it is written. No run knows it."""
        return self._node("text", (), CONSTANT, (words, place))

    # --- functions, relations, choice ----------------------------------------------------------

    def power(self, a: Expr, b: Expr) -> Expr:
        """a ^ b; small integer exponents become products."""
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

    def call(self, function: str, *args: Expr, quiet: str | None = None) -> Expr:
        """A function of FUNCTIONS; Undefined if constant arguments are outside its domain. A `quiet` function of STEPS
        makes no event."""
        row = FUNCTIONS[function]
        if all(a.op == "constant" for a in args):
            try:
                return self.constant(row.value(*[a.data for a in args]))
            except (ValueError, OverflowError, ZeroDivisionError) as error:
                values = ", ".join(f"{a.data:g}" for a in args)
                raise Undefined(f"{function}({values}) is undefined") from error
        if row.symmetry and args[0].op == "neg":
            mirrored = self.call(function, args[0].args[0], quiet=quiet)
            return mirrored if row.symmetry > 0 else self.neg(mirrored)
        level = max(a.level for a in args)
        if row.jumps:
            self.has_events = self.has_events or (level == TIME and quiet is None)
            return self._node(function, args, level, quiet)
        return self._node(function, args, level)

    def relation(self, operator: str, a: Expr, b: Expr, quiet: str | None = None) -> Expr:
        """a < b and the like: 1 if it is true, else 0. A `quiet` relation ('noevent', 'smooth') makes no event."""
        if a.op == "constant" and b.op == "constant":
            return self.one if RELATIONS[operator](a.data, b.data) else self.zero
        if a.op == b.op == "text":
            return self.one if RELATIONS[operator](a.data[0], b.data[0]) else self.zero
        level = max(a.level, b.level)
        self.has_events = self.has_events or (level == TIME and quiet is None)
        return self._node(operator, (a, b), level, quiet)

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
        """if condition then a else b; Undefined for texts that a run would choose."""
        if condition.op == "constant":
            return a if condition.data != 0 else b
        if a.op == "text":
            raise Undefined("a run cannot choose between texts")
        if a is b:
            return a
        return self._node("if", (condition, a, b), max(condition.level, a.level, b.level))

    def finite(self, a: Expr) -> Expr:
        """True if `a` is a number: neither inf nor nan."""
        return self.one if a.op == "constant" else self._node("finite", (a,), a.level)

    # --- instants and history ------------------------------------------------------------------

    def edge(self, a: Expr, of_any: Expr | None = None) -> Expr:
        """True at the instant at which `a` becomes true; with `of_any`, the number one, when it changes."""
        self.has_events = True
        return self.zero if a.level < TIME else self._node("edge", (a,) if of_any is None else (a, of_any), TIME)

    def once(self, word: str) -> Expr:
        """`initial()` or `terminal()`: true at the start of a run, or at its end."""
        return self.sample(self.constant(NEVER), self.constant(ONCE[word]))

    def sample(self, first: Expr, interval: Expr) -> Expr:
        """True at the instants first, first + interval, ..."""
        self.has_events = True
        return self._node("sample", (first, interval), TIME)

    def delay(self, a: Expr, time: Expr) -> Expr:
        """The value that `a` had `time` ago."""
        if a.level < TIME:
            return a
        self.has_delays = True
        return self._node("delay", (a, time), TIME)

    # --- tables ----------------------------------------------------------------------------------

    def table(self, xs: Sequence[Expr], ys: Sequence[Expr]) -> Expr:
        """Points for `interpolate`: at least two, constants or parameters, with ascending xs."""
        args = (*xs, *ys)
        self.has_tables = True
        return self._node("table", args, max(a.level for a in args), len(xs))

    def table_of_two(self, xs: Sequence[Expr], ys: Sequence[Expr], values: Sequence[Expr]) -> Expr:
        """A table of two variables, see `contract.interpolation`: numbers only, with ascending xs and ys."""
        self.has_tables = True
        args = [self.constant(len(xs)), self.constant(len(ys)), *xs, *ys, *values]
        args += [self.zero] * (len(args) % 2)
        return self._node("table", tuple(args), CONSTANT, len(args) // 2)

    def interpolate(self, op: str, *given: Expr) -> Expr:
        """The value or a derivative of a table, the last one `given`, at a place: an operation of `INTERPOLATIONS`."""
        *place, table = given
        if all(e.op == "constant" for e in place) and table.level == CONSTANT:
            points = [a.data for a in table.args]
            return self.constant(INTERPOLATIONS[op](*[e.data for e in place], table.data, points, 0))
        return self._node(op, given, max(e.level for e in given))

    # --- small linear systems --------------------------------------------------------------------

    def solve(
        self, matrix: Sequence[Mapping[int, Expr]], right: Sequence[Expr], when_open: str = ""
    ) -> tuple[Expr, ...]:
        """The solution z of matrix * z = right, by LU factorization during the run. The rows hold their elements by
        column; the others are zero (expressions.sparse reads the node). With `when_open`, the message for undetermined
        unknowns, the solution of least norm if there are several."""
        ordered = [{k: row[k] for k in sorted(row) if row[k] is not self.zero} for row in matrix]
        args = (*(a for row in ordered for a in row.values()), *right)
        rows = Rows(map(tuple, ordered))
        rows.when_open = when_open
        whole = self._node("solve", args, max(a.level for a in args), rows)
        return tuple(self.element(whole, i) for i in range(len(right)))

    # --- calls of functions ---------------------------------------------------------------------

    def apply(self, function: Any, args: Sequence[Expr]) -> tuple[Expr, ...]:
        """The results of a function (`expressions.user_function`), which is called once for all of them. A call is
        never a constant: it is evaluated during the run."""
        level = max((a.level for a in args), default=PARAMETER)
        whole = self._node("apply", tuple(args), max(level, PARAMETER), function)
        return tuple(self.element(whole, i) for i in range(len(function.results)))

    def fault(self, text: str) -> Expr:
        """An undefined value, nan in a run, which records the reason in the text."""
        return self._node("fault", (), TIME, text)

    def element(self, whole: Expr, index: int) -> Expr:
        """Component `index` (from 0) of a 'solve', a 'newton' or an 'apply'."""
        return self._node("element", (whole,), whole.level, index)

    # --- iterations ------------------------------------------------------------------------------

    def newton(self, system: Any, residuals: Sequence[Expr], jacobian: Sequence[Sequence[Expr]]) -> tuple[Expr, ...]:
        """The values of the leaves `system.unknowns` at which all residuals are zero, by an iteration during the run.
        The jacobian has a row for each residual, with its derivatives by all unknowns. Other nodes must not contain
        these leaves."""
        args = (*residuals, *(a for row in jacobian for a in row))
        self.has_iterations = True
        whole = self._node("newton", args, TIME, system)
        return tuple(self.element(whole, i) for i in range(len(residuals)))

    # --- leaves that the run fills ---------------------------------------------------------------

    def mode(self, index: int) -> Expr:
        """The held value of relation `index`."""
        return self._node("mode", (), TIME, index)

    def start(self, index: int) -> Expr:
        """Start value `index` of the run."""
        return self._node("start", (), TIME, index)

    def acting(self, branch: int) -> Expr:
        """1 if a branch of a `when` acts at this event, else 0."""
        return self._node("acting", (), TIME, branch)

    def iterate(self, name: str) -> Expr:
        """An unknown of an iteration, within it."""
        return self._node("iterate", (), TIME, name)

    def rebuild(self, node: Expr, args: Sequence[Expr]) -> Expr:
        """`node` with other arguments, folded again."""
        op = node.op
        make = _OPERATORS.get(op)
        if make is not None:
            return make(self, *args)
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


# Unbound functions: a pool that holds its own bound methods would be freed only by the garbage collector, with all its
# nodes.
_OPERATORS: dict[str, Callable[..., Expr]] = {
    "add": Pool.add, "sub": Pool.sub, "mul": Pool.mul, "div": Pool.div, "neg": Pool.neg,
    "if": Pool.choose, "finite": Pool.finite, "edge": Pool.edge, "sample": Pool.sample, "delay": Pool.delay,
    **{op: (lambda pool, *given, op=op: pool.interpolate(op, *given)) for op in INTERPOLATIONS},
}  # fmt: skip
