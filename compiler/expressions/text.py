"""Prints expressions for dumps and messages, shortened if they are long."""

from __future__ import annotations

from cutset.compiler.expressions.pool import NEVER, ONCE, Expr
from cutset.contract.interpolation import BILINEAR

# How strongly the operator of an expression binds.
_RELATION = 0
_SUM = 1
_PRODUCT = 2
_ATOM = 3
_OPERATORS = {"add": ("+", _SUM), "sub": ("-", _SUM), "mul": ("*", _PRODUCT), "div": ("/", _PRODUCT)}
_ORDERED = {"sub", "div"}
_MOST_POINTS = 4
_MOST_ARGUMENTS = 12
_RELATIONS = ("<", "<=", ">", ">=", "==", "<>", "and", "or")


# Shared parts are printed at each occurrence, so the text of a small graph can be very long.
_LONGEST = 1000
_FEWEST = 2  # levels that are always printed
_ELLIPSIS = "..."


def text(e: Expr, depth: int = 12) -> str:
    """The expression in the syntax of the language; an ellipsis replaces parts below `depth` levels, fewer if it is
    long."""
    return Texts().text(e, depth)


class Texts:
    """The texts of expressions that share parts: each part is printed once for each number of levels."""

    def __init__(self) -> None:
        self._done: dict[tuple[Expr, int], tuple[str, int]] = {}

    def text(self, e: Expr, depth: int = 12) -> str:
        """The text of an expression, as the function `text` prints it."""
        written, levels = self._part(e, min(depth, _FEWEST))[0], _FEWEST
        while levels < depth and _ELLIPSIS in written:
            levels += 1
            deeper = self._part(e, levels)[0]
            if len(deeper) > _LONGEST:
                break
            written = deeper
        return written

    def _part(self, e: Expr, depth: int) -> tuple[str, int]:
        """The text, and how strongly it binds."""
        if e.op == "constant":
            value = f"{e.data:g}" if float(f"{e.data:g}") == e.data else repr(e.data)
            return value, _ATOM if e.data >= 0 else _SUM
        if not e.args:
            return (f"{e.op}({e.data})" if e.op in ("mode", "start", "acting") else str(e.data)), _ATOM
        if depth == 0:
            return _ELLIPSIS, _ATOM
        done = self._done.get((e, depth))
        if done is None:
            done = self._done[e, depth] = self._operation(e, depth)
        return done

    def _operation(self, e: Expr, depth: int) -> tuple[str, int]:
        if e.op in _OPERATORS:
            sign, strength = _OPERATORS[e.op]
            left = self._bracketed(e.args[0], depth - 1, strength)
            right = self._bracketed(e.args[1], depth - 1, strength + (e.op in _ORDERED))
            return (f"{left} {sign} {right}" if strength == _SUM else f"{left}{sign}{right}"), strength
        if e.op == "neg":
            return "-" + self._bracketed(e.args[0], depth - 1, _PRODUCT), _SUM
        if e.op in _RELATIONS:
            left, right = (self._bracketed(a, depth - 1, _SUM) for a in e.args)
            relation = f"{left} {e.op} {right}"
            return (relation, _RELATION) if e.data is None else (f"{e.data}({relation})", _ATOM)
        if e.op == "if":
            c, a, b = (self._part(x, depth - 1)[0] for x in e.args)
            return f"(if {c} then {a} else {b})", _ATOM
        return self._call(e, depth), _ATOM

    def _call(self, e: Expr, depth: int) -> str:
        if e.op == "element" and e.args[0].op == "apply" and len(e.args[0].data.results) == 1:
            return self._part(e.args[0], depth)[0]
        if e.op == "element":
            return f"{self._part(e.args[0], depth - 1)[0]}({e.data + 1})"
        if e.op == "solve":
            return f"solution of {len(e.data)} linear equations"
        if e.op == "newton":
            return f"solution for {', '.join(e.data.names)}"
        if e.op == "table":
            return self._table(e, depth - 1)
        if e.op in BILINEAR:
            x, y, table = e.args
            shown = [self._part(a, depth - 1)[0] for a in (x, y)]
            return f"{e.op}({', '.join(shown)}, table of {table.args[0].data:g} by {table.args[1].data:g} points)"
        if e.op == "sample" and e.args[0].data == NEVER:
            return next(f"{word}()" for word, interval in ONCE.items() if e.args[1].data == interval)
        if e.op == "edge" and len(e.args) == 2:
            return f"change({self._part(e.args[0], depth - 1)[0]})"
        name = e.data.name if e.op == "apply" else "abs" if e.op == "fabs" else e.op
        shown = [self._part(a, depth - 1)[0] for a in e.args[:_MOST_ARGUMENTS]]
        return f"{name}({', '.join(shown)}{', ...' if len(e.args) > _MOST_ARGUMENTS else ''})"

    def _table(self, e: Expr, depth: int) -> str:
        """The points, if they are few."""
        if e.data > _MOST_POINTS:
            return f"table of {e.data} points"
        values = [self._part(a, depth)[0] for a in e.args]
        return f"[{', '.join(values[: e.data])}], [{', '.join(values[e.data :])}]"

    def _bracketed(self, e: Expr, depth: int, strength: int) -> str:
        inner, own = self._part(e, depth)
        return inner if own >= strength else f"({inner})"
