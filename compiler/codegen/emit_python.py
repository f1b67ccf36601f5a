"""Prints a Program as model.py (stage 6b): the same statements for machines without a C compiler."""

from __future__ import annotations

from cutset.compiler.codegen.program import Program


def emit(program: Program) -> dict[str, str]:
    """{'model.py': text}"""
    return {"model.py": str(program)}
