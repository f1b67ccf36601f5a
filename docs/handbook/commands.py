"""Generates a page from the output of `cutset COMMAND --help`."""

from __future__ import annotations

import io
from contextlib import redirect_stdout

from cutset.api.command_line.command import COMMANDS, main
from handbook.running import fixed_width

_HEAD = """# Options of all commands

This page shows the output of `cutset COMMAND --help`. Exit codes: 0 success, 1 the model or the run failed,
2 wrong usage, 3 a bug in Cutset.
"""


def command_pages() -> dict[str, str]:
    """File name below the folder of generated pages -> text."""
    sections = [f"## cutset {name}\n\n```{{code-block}} text\n{_help(name)}```\n" for name in COMMANDS]
    return {"commands.md": "\n".join([_HEAD, *sections])}


def _help(name: str) -> str:
    printed = io.StringIO()
    with fixed_width(90), redirect_stdout(printed):
        main([name, "--help"])
    return printed.getvalue()
