"""Stage 6b. Program -> model.txt: the statements as they are dumped, for readers. Nothing runs them."""

from __future__ import annotations

from cutset.compiler.codegen.program import Program


def emit(program: Program) -> dict[str, str]:
    """{'model.txt': text}"""
    return {"model.txt": f"{program}\n"}
