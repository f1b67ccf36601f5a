"""Prints expressions for dumps and messages, shortened if they are long."""

from __future__ import annotations

from cutset.compiler.expressions.pool import Expr

_OPERATORS = {"add": ("+", 1), "sub": ("-", 1), "mul": ("*", 2), "div": ("/", 2)}
_MOST_POINTS = 4
_MOST_ARGUMENTS = 12
_RELATIONS = ("<", "<=", ">", ">=", "==", "<>", "and", "or")


# Shared parts are printed at each occurrence, so the text of a small graph can be very long.
_LONGEST = 1000


def text(e: Expr, depth: int = 12) -> str:
    """The expression in the syntax of the language; an ellipsis replaces parts below `depth` levels, fewer if it is
    long."""
    written = _text(e, depth)[0]
    while len(written) > _LONGEST and depth > 2:
        depth -= 1
        written = _text(e, depth)[0]
    return written


def _text(e: Expr, depth: int) -> tuple[str, int]:
    """The text and its precedence: 0 relation, 1 sum, 2 product, 3 atom."""
    if e.op == "constant":
        value = f"{e.data:g}" if float(f"{e.data:g}") == e.data else repr(e.data)
        return value, 3 if e.data >= 0 else 1
    if not e.args:
        return (f"{e.op}({e.data})" if e.op in ("mode", "start", "acting") else str(e.data)), 3
    if depth == 0:
        return "...", 3
    if e.op in _OPERATORS:
        sign, strength = _OPERATORS[e.op]
        left = _bracketed(e.args[0], depth - 1, strength)
        right = _bracketed(e.args[1], depth - 1, strength + (e.op in ("sub", "div")))
        return (f"{left} {sign} {right}" if strength == 1 else f"{left}{sign}{right}"), strength
    if e.op == "neg":
        return "-" + _bracketed(e.args[0], depth - 1, 2), 1
    if e.op in _RELATIONS:
        left, right = (_bracketed(a, depth - 1, 1) for a in e.args)
        return (f"{left} {e.op} {right}", 0) if e.data is None else (f"{e.data}({left} {e.op} {right})", 3)
    if e.op == "if":
        c, a, b = (_text(x, depth - 1)[0] for x in e.args)
        return f"(if {c} then {a} else {b})", 3
    if e.op == "element" and e.args[0].op == "apply" and len(e.args[0].data.results) == 1:
        return _text(e.args[0], depth)
    if e.op == "element":
        return f"{_text(e.args[0], depth - 1)[0]}({e.data + 1})", 3
    if e.op == "solve":
        return f"solution of {len(e.data)} linear equations", 3
    if e.op == "newton":
        return f"solution for {', '.join(e.data.names)}", 3
    if e.op == "table":
        return _table(e, depth - 1), 3
    name = e.data.name if e.op == "apply" else "abs" if e.op == "fabs" else e.op
    shown = [_text(a, depth - 1)[0] for a in e.args[:_MOST_ARGUMENTS]]
    return f"{name}({', '.join(shown)}{', ...' if len(e.args) > _MOST_ARGUMENTS else ''})", 3


def _table(e: Expr, depth: int) -> str:
    """The points, if they are few."""
    if e.data > _MOST_POINTS:
        return f"table of {e.data} points"
    values = [_text(a, depth)[0] for a in e.args]
    return f"[{', '.join(values[: e.data])}], [{', '.join(values[e.data :])}]"


def _bracketed(e: Expr, depth: int, strength: int) -> str:
    inner, own = _text(e, depth)
    return inner if own >= strength else f"({inner})"
