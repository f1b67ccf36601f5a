"""Prints a Program as model.py (stage 6b), which the target extended evaluates in extended precision."""

from cutset.compiler.codegen.emit_python import emit

__all__ = ["emit"]
