"""Resolves the option --target: the word of a user -> a target."""

from __future__ import annotations

from cutset.runtime.errors import RunError
from cutset.runtime.toolchain import find_compiler

TARGETS = ("auto", "c", "python")


def choose_target(target: str) -> str:
    """'c' or 'python'; for 'auto' C where a compiler is found. RunError for another word."""
    if target not in TARGETS:
        raise RunError("E605", f"there is no target '{target}'", notes=["targets are: " + ", ".join(TARGETS)])
    if target != "auto":
        return target
    return "c" if find_compiler() is not None else "python"
