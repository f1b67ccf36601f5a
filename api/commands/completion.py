"""Implements ``cutset completion``: prints a script for a shell that completes commands, options and files."""

from __future__ import annotations

import argparse

from cutset.api.command_line.shell_completion import SHELLS, script


def add(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help="bash, zsh or fish")


def run(arguments: argparse.Namespace) -> int:
    """Print the script."""
    from cutset.api.command_line.command import parser_of_all

    print(script(parser_of_all(), arguments.shell), end="")
    return 0
