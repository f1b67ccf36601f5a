"""Calls functions in C of a model from Python, for targets that are not C: files -> a function. Compiles them once."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Mapping, Sequence
from ctypes import POINTER, c_double

from cutset.contract.metadata import ModelInfo
from cutset.runtime.errors import RunError
from cutset.runtime.targets.externals import InC
from cutset.runtime.targets.toolchain import find_compiler, shared_library

_FOREIGN = "foreign_"
_NOTHING = {"model.c": "/* The model itself is not in C. */\n"}


def foreign_files(files: Mapping[str, str]) -> dict[str, str]:
    """The files with functions in C among the generated ones."""
    return {name: text for name, text in files.items() if name.startswith(_FOREIGN)}


def functions_in_c(info: ModelInfo, files: Mapping[str, str]) -> InC | None:
    """What calls function k in C with elements: (k, elements, the size of the result). None if the model has none.
    RunError E608 without a compiler, E659 if the functions do not compile or do not exist."""
    if not any(external.is_c for external in info.externals):
        return None
    compiler = find_compiler()
    if compiler is None:
        raise RunError(
            "E608", "the model calls functions in C, but no C compiler was found", "install gcc, clang or tcc"
        )
    with shared_library(_NOTHING | foreign_files(files), compiler) as path:
        try:
            library = ctypes.CDLL(str(path))
        except OSError as error:
            raise not_found(info, error) from error
    array = POINTER(c_double)
    functions = {k: library[f"cutset_foreign_{k}"] for k, each in enumerate(info.externals) if each.is_c}
    for function in functions.values():
        function.argtypes, function.restype = [array, array], None

    def call(k: int, given: Sequence[float], size: int) -> list[float]:
        result = (c_double * size)(*[float("nan")] * size)
        functions[k]((c_double * max(1, len(given)))(*given), result)
        return list(result)

    return call


def not_found(info: ModelInfo, error: OSError) -> RunError:
    """The error for a library that cannot be loaded because a function in C is missing."""
    missing = re.search(r"undefined symbol: (\w+)", str(error))
    files = sorted({each.target.removeprefix("c:") for each in info.externals if each.is_c})
    hint = "define each function, with the name that it has in the model, in the file that the model names"
    if missing is None:
        return RunError("E659", f"the C files of the model cannot be loaded: {', '.join(files)}", hint, [str(error)])
    own = [each.target.removeprefix("c:") for each in info.externals if each.is_c and each.name == missing[1]]
    return RunError("E659", f"there is no function '{missing[1]}' in {', '.join(own or files)}", hint)
