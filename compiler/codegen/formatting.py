"""Formats what C and Python write alike: places and numbers."""

from __future__ import annotations

from cutset.compiler.codegen.program import Literal, Read, TableRef


def place(p: Read) -> str:
    """`t`, `v3` for a local, `x[3]` for others, `x[3 + 2*k]` or `x[i0[k]]` in a loop."""
    if p.array == "t":
        return "t"
    return f"v{p.index}" if p.array == "local" else f"{p.array}[{index(p)}]"


def index(p: Read | TableRef) -> str:
    """The index in its array; k is the round of the loop."""
    if p.table >= 0:
        return f"i{p.table}[k]"
    return f"{p.index} + {p.step}*k" if p.step else str(p.index)


def number(literal: Literal) -> str:
    """All digits; a negative number in parentheses, so that it can follow an operator; `d0[k]` in a loop."""
    if literal.table >= 0:
        return f"d{literal.table}[k]"
    return repr(literal.value) if literal.value >= 0 else f"({literal.value!r})"
