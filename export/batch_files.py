"""Makes the library that runs a model many times: an exported program -> {name of a file: text}, compiler flags.

Runs in equal steps of models without events advance several at once, in the vectors of the processor.
"""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files as resources
from pathlib import Path

from cutset.export.c_folder import Program, source_files
from cutset.runtime.processor import vector_flags
from cutset.runtime.toolchain import Compiler

_OWN = ("batch.c", "batch.h")
_OF_LANES = ("lanes.h", "lane_run.h", "lane_steps.h")


def batch_files(program: Program, lanes: str | None) -> dict[str, str]:
    """The files; `lanes` is the text of lanes.c if the model has such a form and runs together are wanted."""
    texts = source_files(program)
    texts["model.c"] = texts.pop(f"{program.name}.c")
    texts["program_text.h"] = texts.pop("program.c")  # batch.c uses its functions, which are static
    own = (*_OWN, *_OF_LANES) if lanes is not None else _OWN
    texts |= {name: (resources("cutset.export") / "c" / name).read_text(encoding="utf-8") for name in own}
    return texts if lanes is None else {**texts, "lanes.c": lanes}


def has_vectors(compiler: Compiler) -> bool:
    """True if the compiler knows vectors: gcc and clang, but not tcc."""
    return "tcc" not in Path(compiler.command[0]).resolve().name


def with_vectors(compiler: Compiler, one_for_all: bool) -> Compiler:
    """The compiler with flags for the vectors of this processor; `one_for_all`: all runs have the same constants. Fused
    operations stay off, so that a run in a batch has the numbers of a single run, but for a sine or a cosine alone."""
    wide, lanes = vector_flags()
    flags = ("-O2", *wide, f"-DCUTSET_LANES={lanes}", *(("-DCUTSET_ONE_FOR_ALL",) if one_for_all else ()))
    return replace(compiler, flags=(*compiler.flags, *flags))
