"""Implements ``cutset export``: writes a model as a program that runs without Python."""

from __future__ import annotations

import argparse
from pathlib import Path

from cutset.commands.common import add_model, load_model
from cutset.exit_errors import CommandFailed, UsageError


def add(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    add_model(parser)
    parser.add_argument(
        "--c",
        metavar="DIR",
        type=Path,
        help="write C sources that compile with one command and need no Python into this folder",
    )
    parser.add_argument(
        "--changeable",
        metavar="NAME",
        action="append",
        default=[],
        help="keep these parameters changeable although their values could be part of the code; * matches any text; "
        "those of the model itself always are; can be repeated",
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the files and print where they are."""
    if arguments.c is None:
        raise UsageError("say what to export: --c DIR")
    if arguments.c.is_file():
        raise UsageError(f"--c takes a folder for the files, but '{arguments.c}' is a file")
    model = load_model(arguments)
    try:
        paths = model.export_c(arguments.c, arguments.changeable)
    except OSError as error:
        raise CommandFailed(f"cannot write to {arguments.c}: {error.strerror or error}") from error
    print(f"wrote {len(paths)} files to {arguments.c}; README.md there says how to compile them")
    return 0
