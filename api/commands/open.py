"""Implements ``cutset open``: the workbench in the browser."""

from __future__ import annotations

import argparse
from pathlib import Path

from cutset.api.commands.common import add_include


def add(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    parser.add_argument(
        "path", metavar="MODEL", type=Path, nargs="?", default=Path("."),
        help="a model file, or a folder of models (default: the current folder)",
    )  # fmt: skip
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.add_argument("--port", metavar="N", type=int, default=0, help="the port to use (default: a free one)")
    add_include(parser)


def run(arguments: argparse.Namespace) -> int:
    """Serve the workbench until Ctrl-C."""
    from cutset.server.serve import serve

    serve(arguments.path, arguments.port, not arguments.no_browser, arguments.include)
    return 0
