"""Runs the target extended: the code of the target python in extended precision, to show what rounding does.

Numbers have the precision of `numpy.longdouble`, 64 bits on x86 for 53 of a double. States, parameters and results
stay doubles, and so does `erf`. Where longdouble is double, so is this target.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cutset.contract.metadata import ModelInfo, SourceFiles
from cutset.runtime.interface import CompiledModel, Vector
from cutset.runtime.targets.c_functions import OnceFunctions
from cutset.runtime.targets.externals import Faults
from cutset.runtime.targets.foreign_library import functions_in_c
from cutset.runtime.targets.linear_systems import solve
from cutset.runtime.targets.newton import Care
from cutset.runtime.targets.open_systems import OpenSystems
from cutset.runtime.targets.python_model import SOURCE, PythonModel, namespace, succeeds

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
    functions = namespace(np.longdouble, files[SOURCE], faults, care, open_systems)
    return ExtendedModel(info, functions, functions, faults, open_systems, care, unreduced=unreduced)
