"""Implements ``cutset lsp``: serves an editor."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import redirect_stdout

from cutset.api.commands.common import add_include
from cutset.api.files.exit_errors import CommandFailed


def add(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    parser.add_argument("--stdio", action="store_true", help="use standard input and output, as is the default")
    parser.add_argument("--port", type=int, metavar="N", help="listen on this port of this machine instead")
    add_include(parser)


def run(arguments: argparse.Namespace) -> int:
    """Serve until the editor ends the session. CommandFailed without the package pygls."""
    try:
        import pygls  # noqa: F401
    except ImportError as error:
        raise CommandFailed("the language server needs the package pygls: pip install 'cutset[lsp]'") from error
    from cutset.api.translate.editor_checks import EditorCheck
    from cutset.api.translate.translation import options_of
    from cutset.contract.version import __version__
    from cutset.lsp.server import CutsetServer
    from cutset.lsp.session import Session

    options = options_of(arguments.include, in_editor=True)
    session = Session(options.cache, options.library_path)
    server = CutsetServer(__version__, session, EditorCheck(session))
    if arguments.port is not None:
        server.start_tcp("127.0.0.1", arguments.port)
        return 0
    # The server closes its output, and nothing else may write there.
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as output, redirect_stdout(sys.stderr):
        server.start_io(sys.stdin.buffer, output)
    return 0
