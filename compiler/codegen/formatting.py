"""Formats what C and Python write alike: places, numbers and values."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cutset.compiler.codegen.code import Literal, Read, TableRef, Value

# Operators between two operands that both languages have.
INFIX = {"add": "+", "sub": "-", "mul": "*", "div": "/", "<": "<", "<=": "<=", ">": ">", ">=": ">=", "==": "==",
         "<>": "!="}  # fmt: skip


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


def value_text(v: Value, forms: Mapping[str, str], table: Callable[[TableRef], str]) -> str:
    """An expression. `forms` has operators with places for their operands, `(-{})`, and other names of functions."""
    match v:
        case Literal():
            return number(v)
        case Read():
            return place(v)
        case TableRef():
            return table(v)
    operands = [value_text(a, forms, table) for a in v.arguments]
    form = forms.get(v.operator, v.operator)
    if v.operator == "fault":
        operands = [str(int(float(operands[0])))]
    return form.format(*operands) if "{" in form else f"{form}({', '.join(operands)})"
