"""Runs notebook cells of model text: ``%%cutset`` -> models under their names, or the messages of the terminal.

``%load_ext cutset`` defines it.
"""

from __future__ import annotations

import shlex
import sys
from typing import Any, Protocol

from cutset.api.files.exit_errors import UsageError

_USAGE = "usage: %%cutset [-I FOLDER] [--instead LIBRARY=OTHER] [--allow-external]"


class Shell(Protocol):
    """What is used of IPython's shell."""

    user_ns: dict[str, Any]

    def register_magic_function(self, function: Any, magic_kind: str, magic_name: str) -> None:
        """Define a magic command."""


def define(shell: Shell) -> None:
    """Define ``%%cutset``."""
    shell.register_magic_function(lambda line, cell: run_cell(shell, line, cell), "cell", "cutset")


def run_cell(shell: Shell, line: str, cell: str) -> Any:
    """Translate the cell. Each model of it becomes a variable of its name, and the last one is shown. Errors are
    printed as in the terminal; then no variable changes."""
    from cutset.api.command_line.report import print_diagnostics
    from cutset.api.texts import loads
    from cutset.compiler.diagnostics import ModelError

    try:
        settings = _settings(line)
    except UsageError as error:
        print(f"{error}\n{_USAGE}", file=sys.stderr)
        return None
    try:
        names = _objects(cell)
        models = {name: loads(cell, name, **settings) for name in names} or {"": loads(cell, **settings)}
    except ModelError as error:
        # The shell of a notebook belongs to a kernel, and its page shows colors.
        print_diagnostics(error.diagnostics, shows_color=getattr(shell, "kernel", None) is not None)
        return None
    shell.user_ns.update(models)
    return list(models.values())[-1]


def _objects(cell: str) -> list[str]:
    """The names of the models in the text, in their order. ModelError if it cannot be read."""
    from cutset.compiler.diagnostics import Source
    from cutset.compiler.syntax.parse import parse

    return [declared.name for declared in parse(Source("<text>", cell)).classes if declared.is_object]


def _settings(line: str) -> dict[str, Any]:
    """The arguments of `cutset.loads` for the options of a cell. UsageError."""
    import argparse

    from cutset.api.commands.common import add_text

    class Parser(argparse.ArgumentParser):
        def error(self, message: str) -> Any:
            raise UsageError(message)

    parser = Parser(prog="%%cutset", add_help=False)
    add_text(parser)
    try:
        given = parser.parse_args(shlex.split(line))
    except ValueError as error:
        raise UsageError(str(error)) from error
    return {
        "library_path": given.include,
        "instead": dict(given.instead),
        "allow_external": given.allow_external,
    }
