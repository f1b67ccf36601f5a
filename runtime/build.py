"""SourceFiles in, a CompiledModel out. Translates nothing: the texts come from the code generator."""

from __future__ import annotations

from pathlib import Path

from cutset.contract.metadata import SourceFiles
from cutset.contract.model_json import model_info
from cutset.runtime import c_model, python_model
from cutset.runtime.errors import RunError
from cutset.runtime.interface import CompiledModel
from cutset.runtime.toolchain import find_compiler, shared_library

_C_FOLDER = Path(__file__).parent / "c"
_DRIVER_FILES = (
    "driver.c",
    "branches.h",
    "crossings.h",
    "history.h",
    "runge_kutta.h",
    "sundials.h",
    "cutset_support.h",
    "open_systems.h",
    "exchange.h",
)


def build(files: SourceFiles, target: str | None = None) -> CompiledModel:
    """The model in these texts, ready to run.

    `target` is 'c', 'python', or None: what the texts hold, C where they hold both and a compiler is found.
    RunError E608 where 'c' is asked for and no compiler is there, BuildError where the compiler fails, KeyError where
    the texts lack the target.
    """
    info = model_info(files["model.json"])
    compiler = find_compiler() if target != "python" and "model.c" in files else None
    if target == "python" or (target is None and compiler is None and "model.py" in files):
        return python_model.load(info, files["model.py"])
    if compiler is None:
        raise RunError(
            "E608",
            "no C compiler was found",
            "install gcc, clang or tcc, or the Python package ziglang, or run with the target python",
        )
    texts = {"model.c": files["model.c"], **{name: (_C_FOLDER / name).read_text() for name in _DRIVER_FILES}}
    try:
        with shared_library(texts, compiler) as path:
            return c_model.load(info, str(path))
    except OSError:  # a damaged file in the cache
        with shared_library(texts, compiler, fresh=True) as path:
            return c_model.load(info, str(path))
