"""Stage 6b. Program and target -> SourceFiles (name -> text): the printer of the target, and the metadata."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cutset.compiler.codegen.emit_c import emit_c
from cutset.compiler.codegen.emit_python import emit_python
from cutset.compiler.codegen.program import Program
from cutset.contract.model_json import model_json

# A target is a printer, and joins all tests by standing here.
TARGETS: Mapping[str, Callable[[Program], dict[str, str]]] = {
    "c": emit_c,
    "python": emit_python,
    "listing": lambda program: {"model.txt": f"{program}\n"},
}


def emit(program: Program, target: str) -> dict[str, str]:
    """The files of one target, model.json with them. KeyError for a target that is not listed."""
    return {**TARGETS[target](program), "model.json": model_json(program.info)}
