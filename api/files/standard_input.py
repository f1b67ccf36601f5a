"""Reads a model from standard input: the file `-` of a command."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from cutset.api.files.exit_errors import CommandFailed
from cutset.compiler.syntax.read import MOST_BYTES, Unreadable, decoded

# What messages name instead of a file.
PLACE = Path("<stdin>")


def is_standard_input(arguments: argparse.Namespace) -> bool:
    """True if the argument FILE is `-`."""
    return str(arguments.file) == "-"


def given_text(arguments: argparse.Namespace) -> str:
    """The text of standard input if FILE is `-`, read once; otherwise empty. CommandFailed if it cannot be a model."""
    if not is_standard_input(arguments):
        return ""
    if not hasattr(arguments, "text"):
        arguments.text = read_model()
    found: str = arguments.text
    return found


def read_model() -> str:
    """The text of standard input, never empty. CommandFailed if it cannot be a model."""
    try:
        return decoded(sys.stdin.buffer.read(MOST_BYTES + 1)) or "\n"
    except Unreadable as error:
        raise CommandFailed(f"standard input cannot be the text of a model: {error}") from error
