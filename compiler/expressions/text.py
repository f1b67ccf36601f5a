"""Prints expressions for dumps and messages, shortened if they are long."""

from __future__ import annotations

from cutset.compiler.expressions.pool import Expr

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
    written, levels = _text(e, min(depth, _FEWEST))[0], _FEWEST
    while levels < depth and _ELLIPSIS in written:
        levels += 1
        deeper = _text(e, levels)[0]
        if len(deeper) > _LONGEST:
            break
        written = deeper
    return written


def _text(e: Expr, depth: int) -> tuple[str, int]:
    """The text, and how strongly it binds."""
    if e.op == "constant":
        value = f"{e.data:g}" if float(f"{e.data:g}") == e.data else repr(e.data)
        return value, _ATOM if e.data >= 0 else _SUM
    if not e.args:
        return (f"{e.op}({e.data})" if e.op in ("mode", "start", "acting") else str(e.data)), _ATOM
    if depth == 0:
        return _ELLIPSIS, _ATOM
    if e.op in _OPERATORS:
        sign, strength = _OPERATORS[e.op]
        left = _bracketed(e.args[0], depth - 1, strength)
        right = _bracketed(e.args[1], depth - 1, strength + (e.op in _ORDERED))
        return (f"{left} {sign} {right}" if strength == _SUM else f"{left}{sign}{right}"), strength
    if e.op == "neg":
        return "-" + _bracketed(e.args[0], depth - 1, _PRODUCT), _SUM
    if e.op in _RELATIONS:
        left, right = (_bracketed(a, depth - 1, _SUM) for a in e.args)
        return (f"{left} {e.op} {right}", _RELATION) if e.data is None else (f"{e.data}({left} {e.op} {right})", _ATOM)
    if e.op == "if":
        c, a, b = (_text(x, depth - 1)[0] for x in e.args)
        return f"(if {c} then {a} else {b})", _ATOM
    if e.op == "element" and e.args[0].op == "apply" and len(e.args[0].data.results) == 1:
        return _text(e.args[0], depth)
    if e.op == "element":
        return f"{_text(e.args[0], depth - 1)[0]}({e.data + 1})", _ATOM
    if e.op == "solve":
        return f"solution of {len(e.data)} linear equations", _ATOM
    if e.op == "newton":
        return f"solution for {', '.join(e.data.names)}", _ATOM
    if e.op == "table":
        return _table(e, depth - 1), _ATOM
    name = e.data.name if e.op == "apply" else "abs" if e.op == "fabs" else e.op
    shown = [_text(a, depth - 1)[0] for a in e.args[:_MOST_ARGUMENTS]]
    return f"{name}({', '.join(shown)}{', ...' if len(e.args) > _MOST_ARGUMENTS else ''})", _ATOM


def _table(e: Expr, depth: int) -> str:
    """The points, if they are few."""
    if e.data > _MOST_POINTS:
        return f"table of {e.data} points"
    values = [_text(a, depth)[0] for a in e.args]
    return f"[{', '.join(values[: e.data])}], [{', '.join(values[e.data :])}]"


def _bracketed(e: Expr, depth: int, strength: int) -> str:
    inner, own = _text(e, depth)
    return inner if own >= strength else f"({inner})"
