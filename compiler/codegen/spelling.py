"""What C and Python write alike: places and numbers."""

from __future__ import annotations

from cutset.compiler.codegen.program import Literal, Read


def place(p: Read) -> str:
    """`t`, `v3` for a local, `x[3]` for anything else."""
    if p.array == "t":
        return "t"
    return f"v{p.index}" if p.array == "local" else f"{p.array}[{p.index}]"


def number(literal: Literal) -> str:
    """All digits; a negative one in brackets, so that it can follow an operator."""
    return repr(literal.value) if literal.value >= 0 else f"({literal.value!r})"
