"""Implements ``cutset animate``: draws the motion of a multibody model from a result file."""

from __future__ import annotations

import argparse
from pathlib import Path

from cutset.api.command_line.report import print_error
from cutset.api.commands.common import add_translation, load_model
from cutset.api.files.exit_errors import UsageError
from cutset.api.files.result_files import check_writable, write_animation


def add(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    parser.add_argument(
        "result",
        metavar="RESULT",
        type=Path,
        help="a result file written by Cutset with all variables (without --outputs)",
    )
    parser.add_argument(
        "-o", "--output", "--save", metavar="FILE", type=Path,
        help="file to write: .html or .glb (default: RESULT.html)",
    )  # fmt: skip
    model = parser.add_argument_group("the model (for .csv and .mat files, which do not describe the bodies)")
    model.add_argument("--of", metavar="FILE", dest="file", type=Path, help="the model file")
    model.add_argument("-m", "--model", metavar="NAME", help="the object in the file (default: the last one)")
    add_translation(model)


def run(arguments: argparse.Namespace) -> int:
    """Write the animation."""
    from cutset.api.files.result_table import Table, read_table

    path = arguments.output or arguments.result.with_suffix(".html")
    check_writable(path, "animation")
    table = read_table(arguments.result)
    if arguments.file is not None:
        table = Table(table.columns, load_model(arguments).description)
    elif not table.description.model:
        raise UsageError(
            f"{arguments.result} does not describe the bodies: give the model file with --of FILE, or write .npz"
        )
    for note in write_animation(table, path):
        print_error(f"note: {note}")
    return 0
