"""Implements ``cutset import``: writes a robot in URDF or MJCF as the text of a model."""

from __future__ import annotations

import argparse
from pathlib import Path

from cutset.commands.common import add_include
from cutset.exit_errors import CommandFailed
from cutset.robots import LIBRARIES


def add(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    parser.add_argument("file", metavar="FILE", type=Path, help="the robot, a URDF file or an MJCF file")
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help="write the model to FILE (default: print it)")
    parser.add_argument(
        "--library", choices=LIBRARIES, default="mbssim", help="the multibody library of the model (default: mbssim)"
    )
    parser.add_argument(
        "--floating",
        action="store_true",
        help="let the root link of URDF move freely; otherwise it is fixed to the ground",
    )
    parser.add_argument(
        "--no-stops", action="store_true", help="write no stops for the limits of joints; they are documented only"
    )
    parser.add_argument(
        "--gears", action="store_true", help="let forces act at the motors, before the gears of URDF's transmissions"
    )
    parser.add_argument("--any-inertia", action="store_true", help="accept inertias that are negative about an axis")
    add_include(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the model; print on standard error what could not be carried over."""
    from cutset.report import print_error
    from cutset.robots import imported

    a = arguments
    try:
        text, dropped = imported(
            a.file, a.library, a.floating, not a.no_stops, a.any_inertia, a.gears, tuple(a.include)
        )
    except ValueError as error:
        raise CommandFailed(f"--{error}") from error
    for each in dropped:
        print_error(f"note: not imported: {each}")
    if arguments.output is None:
        print(text, end="")
        return 0
    try:
        arguments.output.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise CommandFailed(f"cannot write {arguments.output}: {error.strerror or error}") from error
    print(f"wrote {arguments.output}")
    return 0
