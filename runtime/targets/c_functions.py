"""Loads a compiled library and declares its functions: the loops, and those of the model in it. Calls none of them."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from ctypes import addressof, c_char, c_double, c_int, c_long, c_ulong, c_void_p
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cutset.contract.metadata import SourceFiles
from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.errors import RunError
from cutset.runtime.targets.c_files import c_files
from cutset.runtime.targets.c_records import ResidualsCallback, address
from cutset.runtime.targets.toolchain import Compiler, find_compiler, for_one_model, shared_library

SOURCE = "model.c"
Vector = NDArray[np.float64]

# Of each function its result and its arguments.
_LETTERS: dict[str, Any] = {"v": None, "i": c_int, "l": c_long, "d": c_double, "p": c_void_p}
_SIGNATURES = {
    **dict.fromkeys(("bindings", "constants", "starts", "nominals"), "v pp"),
    **dict.fromkeys(("start", "derivatives", "jacobian", "crossings", "delayed"), "v dpppppp"),
    **{"updates": "v dppppppp", "time_events": "v ppp", "own": "p l", "has_threads": "i"},
    **{"batch": "v lppppppppp", "rates": "v lppppppppp", "held": "v pplppplppp", "repeat": "v ldpppppp", "map": "v p"},
    **{"index_size": "l p", "close": "v p", "implicit": "i ppdplppp"},
    **{"begin": "v pdp", "hosted_rates": "i pdpp", "hosted_slopes": "i ppdp", "ends_here": "i pp"},
    **{"longest": "d ppdddp", "accept": "i ppdppplppp", "restart_part": "v ppl"},
    **{"recall": "v pdp", "restart_history": "v pdp", "find_start": "i pppdd", "enter": "v pppd"},
    **{"whole": "i ppppd", "step": "i ppppddlpp", "set": "i ppppddlppl", "step_back": "v pp"},
    **dict.fromkeys(("run", "go_on", "resume", "advance"), "i pppp"),
    **{"many": "l ppppdppll", "together": "l ppppdppllp"},
}


@dataclass(frozen=True)
class OnceFunctions:
    """The functions of a model that run once per run, in place on arrays; arithmetic raises no exception."""

    bindings: Callable[[Vector, Vector], None]
    constants: Callable[[Vector, Vector], None]
    starts: Callable[[Vector, Vector], None]
    nominals: Callable[[Vector, Vector], None]


class OfThread:
    """A variable of the library of which each thread has its own."""

    def __init__(self, place: Callable[[int], int], number: int, kind: Any):
        self._place, self._number, self._kind = place, number, kind

    @property
    def value(self) -> Any:
        """Its value in the calling thread."""
        return self._kind.from_address(self._place(self._number)).value

    @value.setter
    def value(self, value: Any) -> None:
        """Set it for the calling thread."""
        self._kind.from_address(self._place(self._number)).value = value


class Functions:
    """The entry points of the library at `path`, by their names without prefix. OSError if it cannot be loaded."""

    def __init__(self, path: str):
        self._library = library = ctypes.CDLL(path)
        once = OnceFunctions.__dataclass_fields__
        self.once = OnceFunctions(*(_on_arrays(getattr(self, name)) for name in once))
        self.definition = addressof(c_char.in_dll(library, "cutset_definition"))
        self.capsule = c_void_p.in_dll(library, "cutset_capsule")
        self.fault, self.open, self.external, self.scripted = (
            OfThread(self.own, number, kind) for number, kind in enumerate((c_int, c_ulong, c_void_p, c_void_p))
        )
        self.scripted_newton: Any = None
        if hasattr(library, "cutset_scripted_newton"):
            self.scripted_newton = library.cutset_scripted_newton
            self.scripted_newton.argtypes = c_int, ResidualsCallback, c_void_p, c_void_p, c_int

    def __getattr__(self, name: str) -> Any:
        """A function, with its types as soon as it is used: a run uses a third of them."""
        if name not in _SIGNATURES:
            raise AttributeError(name)
        result, *arguments = (_LETTERS[letter] for letter in _SIGNATURES[name] if letter != " ")
        function = self._library[f"cutset_{name}"]
        function.restype, function.argtypes = result, arguments
        setattr(self, name, function)
        return function


def _on_arrays(function: Callable[[int, int], None]) -> Callable[[Vector, Vector], None]:
    return lambda first, second: function(address(first), address(second))


def required_compiler() -> Compiler:
    """The compiler. RunError E608 if there is none."""
    compiler = find_compiler()
    if compiler is None:
        hint = "pip install 'cutset[zig]' brings one; or install gcc, clang or tcc"
        raise RunError("E608", "no C compiler was found", hint)
    return compiler


def compiled(source: str, foreign: SourceFiles) -> Functions:
    """The functions of the model in C with this source and these further files, compiled or taken from the disk cache.
    RunError E608 without a compiler, BuildError if the compiler fails, OSError if it uses a library that is absent."""
    compiler, texts = for_one_model(required_compiler()), {SOURCE: source, **c_files(), **foreign}
    try:
        with shared_library(texts, compiler) as path:
            return Functions(str(path))
    except OSError:  # a damaged file in the cache
        with shared_library(texts, compiler, fresh=True) as path:
            return Functions(str(path))


@functools.cache
def scripted_functions() -> Functions:
    """The functions of the library for models in Python. Errors as those of `compiled`."""
    return compiled('#include "scripted.h"\n', {})
