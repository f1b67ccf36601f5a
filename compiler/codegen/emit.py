"""Stage 6b. Program and target -> SourceFiles (name -> text): the printer of the target, and the metadata.

A target is a module emit_NAME.py in this folder: its name is NAME, and the module has `emit`, a function from a Program
to files. It joins all tests.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from cutset.compiler.codegen.program import Program
from cutset.contract.model_json import model_json

TARGETS = tuple(sorted(path.stem.removeprefix("emit_") for path in Path(__file__).parent.glob("emit_*.py")))


class Printer(Protocol):
    """A module that prints one target."""

    def emit(self, program: Program) -> dict[str, str]:
        """The files, without the metadata."""
        ...


def emit(program: Program, target: str) -> dict[str, str]:
    """The files of one of `TARGETS`, model.json with them. KeyError for another."""
    if target not in TARGETS:
        raise KeyError(target)
    printer = cast(Printer, import_module(f"cutset.compiler.codegen.emit_{target}"))
    return {**printer.emit(program), "model.json": model_json(program.info)}
