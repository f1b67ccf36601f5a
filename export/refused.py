"""Refuses models that cannot run without Python: metadata -> errors. Changes nothing."""

from __future__ import annotations

from cutset.contract.metadata import ModelInfo
from cutset.runtime.errors import RunError


def require_independence(info: ModelInfo) -> None:
    """RunError E655 if the model needs the runtime in Python."""
    in_python = [external.name for external in info.externals if not external.is_c]
    if in_python:
        names = ", ".join(sorted(in_python))
        hint = "write them as functions of the language or in C, or make their results inputs"
        raise RunError(
            "E655", f"the model calls Python functions or FMUs, which no exported program has: {names}", hint
        )
    if info.n_algebraic:
        hint = "load it with solved=True"
        raise RunError("E655", "exported programs need a model whose equations are solved", hint)
