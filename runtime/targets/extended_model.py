"""Runs the target extended: the code of the target python in extended precision, to show what rounding does.

Numbers have the precision of `numpy.longdouble`, 64 bits on x86 for 53 of a double. States, parameters and results
stay doubles, and so does `erf`. Where longdouble is double, so is this target.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cutset.contract.functions import FUNCTIONS
from cutset.contract.interpolation import INTERPOLATIONS
from cutset.contract.metadata import ModelInfo, SourceFiles
from cutset.contract.pivot_selection import exchange, quality
from cutset.runtime.interface import CompiledModel, Vector
from cutset.runtime.targets.c_functions import OnceFunctions
from cutset.runtime.targets.externals import Faults
from cutset.runtime.targets.foreign_library import functions_in_c
from cutset.runtime.targets.linear_systems import solve
from cutset.runtime.targets.newton import Care
from cutset.runtime.targets.open_systems import OpenSystems
from cutset.runtime.targets.python_model import (
    SOURCE,
    Namespace,
    PythonModel,
    check_table,
    newton_of,
    succeeds,
)

__all__ = ["SOURCE", "is_available", "load"]


@dataclass(frozen=True)
class ExtendedModel(PythonModel):
    """`CompiledModel` for the functions of model.py on extended numbers; `plain` and `quiet` are the same."""

    target: str = "extended"

    def write(self, name: str, t: float | None, arrays: Sequence[Vector]) -> None:
        """As `Script.write`."""
        out, is_once = 0 if name == "bindings" else -1, name in OnceFunctions.__dataclass_fields__
        given: list[Any] = [list(array.astype(np.longdouble)) for array in arrays]
        if not is_once:
            given[out] = [0.0] * len(arrays[out])
        if not succeeds(self.plain[name], *(() if t is None else (np.longdouble(t),)), *given):
            given[out] = [math.nan] * len(arrays[out])
        self._take(name, arrays, given, out)


def is_available() -> bool:
    """True: numpy is always available."""
    return True


def load(info: ModelInfo, files: SourceFiles, unreduced: CompiledModel | None = None) -> ExtendedModel:
    """The model in `files`, beside the unreduced one. SyntaxError or KeyError if they hold none."""
    faults, care, open_systems = Faults(info, functions_in_c(info, files)), Care(), OpenSystems(solve)
    functions: dict[str, Any] = {**_FUNCTIONS, "newton": newton_of(faults, care), "solve_open": open_systems.solve}
    functions["finite"] = care.finite
    functions["fail"] = lambda number: np.longdouble(faults.fail(number))
    functions["external"] = lambda k, given: list(map(np.longdouble, faults.external(k, list(map(float, given)))))
    exec(compile(files[SOURCE], SOURCE, "exec"), functions)
    return ExtendedModel(info, functions, functions, faults, open_systems, care, unreduced=unreduced)


def _as_extended(function: Callable[..., float]) -> Callable[..., Any]:
    """The function with nan instead of an exception."""

    def call(*arguments: Any) -> Any:
        try:
            return np.longdouble(function(*arguments))
        except (ValueError, OverflowError):
            return np.longdouble(math.nan)

    return call


def _listed(function: Callable[..., list[float]]) -> Callable[..., list[Any]]:
    def call(*arguments: Any) -> list[Any]:
        return list(map(np.longdouble, function(*arguments)))

    return call


_FUNCTIONS: Namespace = {
    **{op: getattr(np, row.numpy) if row.numpy else _as_extended(row.value) for op, row in FUNCTIONS.items()},
    **INTERPOLATIONS,
    "check_table": check_table,
    "solve": solve,
    "exchange": _listed(exchange),
    "quality": _listed(quality),
    "real": np.longdouble,
}
