"""Emits the files of a target (stage 6b): Program -> SourceFiles (name -> text), including the metadata.

A target NAME is a module emit_NAME.py in this folder with a function `emit` from a Program to files. All tests of
targets run it.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from cutset.compiler.codegen.program import Program
from cutset.contract.metadata import UNREDUCED
from cutset.contract.model_json import model_json

TARGETS = tuple(sorted(path.stem.removeprefix("emit_") for path in Path(__file__).parent.glob("emit_*.py")))


class Printer(Protocol):
    """A module that prints one target."""

    def emit(self, program: Program) -> dict[str, str]:
        """The files, without the metadata."""


def emit(program: Program, target: str) -> dict[str, str]:
    """The files of one of `TARGETS`, including model.json; those of the unreduced program have a prefix. KeyError for
    an unknown target."""
    if target not in TARGETS:
        raise KeyError(target)
    printer = cast(Printer, import_module(f"cutset.compiler.codegen.emit_{target}"))
    unreduced_files = {} if program.unreduced is None else emit(program.unreduced, target)
    unreduced = {UNREDUCED + name: text for name, text in unreduced_files.items()}
    return {**printer.emit(program), **program.foreign, "model.json": model_json(program.info), **unreduced}
