"""Implements ``cutset watch``: checks and runs a model whenever its file, or one that it includes, is saved."""

from __future__ import annotations

import argparse
import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from cutset.api.commands import check, simulate
from cutset.api.files.exit_errors import UsageError
from cutset.compiler.diagnostics import visible

_CLEAR = "\x1b[2J\x1b[H"


def add(parser: argparse.ArgumentParser) -> None:
    """Define the arguments: those of ``simulate``."""
    simulate.add(parser)
    parser.add_argument("--check", action="store_true", help="only check the model; do not run it")


def run(arguments: argparse.Namespace) -> int:
    """Check and run, until Ctrl-C."""
    from cutset.api.command_line.watching import rounds

    if str(arguments.file) == "-":
        raise UsageError("watch needs a file, not standard input")
    if not arguments.file.is_file():
        raise UsageError(f"there is no file '{arguments.file}'")
    words = {key: value for key, value in vars(arguments).items() if key not in ("work", "parser")}

    def tell(changed: set[Path]) -> None:
        names = ", ".join(sorted(path.name for path in changed)) or str(arguments.file)
        clear = _CLEAR if sys.stdout.isatty() else ""
        print(f"{clear}{time.strftime('%H:%M:%S')}  {visible(names)}", flush=True)

    try:
        rounds(_round, words, arguments.file, tell)
    except KeyboardInterrupt:
        return 0


def _round(words: dict[str, Any], files: Connection) -> None:
    """Run the model, or check the file if it has no objects, and send the states of the files that it consists of."""
    import signal

    from cutset.api.command_line.command import run_command
    from cutset.api.command_line.usage import Parser

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the process that watches, and that ends this one
    arguments = argparse.Namespace(**words, parser=Parser(prog="cutset watch"))
    has_objects = _send_files(arguments, files)
    if arguments.check or not has_objects:
        arguments.files = [arguments.file]
        run_command(check.run, arguments)
    else:
        run_command(simulate.run, arguments)
    sys.stderr.flush()


def _send_files(arguments: argparse.Namespace, files: Connection) -> bool:
    """Send the states of the files, and of those that were looked for; True if the first one has an object, or cannot
    be read."""
    from cutset.api.command_line.watching import states_of
    from cutset.api.translate.translation import options_of
    from cutset.compiler.diagnostics import ModelError
    from cutset.compiler.pipeline import read_library

    try:
        library = read_library(arguments.file, options_of(arguments.include))
    except ModelError as error:
        files.send(states_of(Path(each.span.source.name) for each in error.diagnostics if each.span is not None))
        return True
    files.send(states_of(library.looked_at))
    return bool(library.objects)
