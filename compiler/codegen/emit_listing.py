"""Prints a Program as model.txt (stage 6b): the statements as in dumps, for readers. Nothing runs them."""

from __future__ import annotations

from cutset.compiler.codegen.program import Program


def emit(program: Program) -> dict[str, str]:
    """{'model.txt': text}"""
    return {"model.txt": f"{program}\n"}
