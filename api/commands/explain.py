"""Implements ``cutset explain``: the meaning of an error code and how to fix it, or where to look for a name."""

from __future__ import annotations

import argparse
import shutil
import textwrap
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from cutset.exit_errors import UsageError

if TYPE_CHECKING:
    from cutset.error_pages import Page

# Longer lines of prose are hard to read.
_WIDEST = 100


def add(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    parser.add_argument(
        "code",
        metavar="CODE",
        nargs="?",
        help="a code, such as E205 or 205; the name of a class, a library or a command (default: list all codes)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the page of one code, or the titles of all."""
    from cutset.error_pages import find_code, read_pages

    pages = read_pages()
    if arguments.code is None:
        for page in pages.values():
            print(f"{page.code}  {page.title}")
        return 0
    code = find_code(arguments.code, pages)
    if not code:
        place = _place(arguments.code.strip().removeprefix("@"))
        if not place:
            raise UsageError(f"there is no error code '{arguments.code}'; {_instead(arguments.code, pages)}")
        print(place)
        return 0
    print("\n".join(_lines(pages[code], min(_WIDEST, shutil.get_terminal_size().columns))))
    return 0


def _place(name: str) -> str:
    """Where to look for a command, a class of the standard library, or a library; empty for another name."""
    from cutset.classes import standard_libraries
    from cutset.command import COMMANDS
    from cutset.compiler.instantiate.names.standard_libraries import enumerated, libraries_with

    if name in COMMANDS:
        return f"{name} is a command: {COMMANDS[name]}\nits options: cutset {name} --help"
    if libraries := libraries_with(name):
        return (
            f"{name} is declared in {enumerated(libraries, 'and')}\n"
            f"its cuts and parameters: cutset classes {libraries[0]}\n"
            f"in a model: @{libraries[0].partition('/')[0]}"
        )
    return f"{name} is a library\nits classes: cutset classes {name}" if name in standard_libraries() else ""


def _instead(asked: str, pages: Mapping[str, Page]) -> str:
    """A suggestion for an unknown code."""
    from cutset.error_pages import nearest_code

    if any(c.isdigit() for c in asked):
        return f"the nearest is {nearest_code(asked, pages)}"
    return f"'cutset explain' lists them, 'cutset classes {asked}' looks for classes"


def _lines(page: Page, width: int) -> Iterator[str]:
    """The page as printed; models and messages keep their lines."""
    yield f"{page.code}: {page.title}"
    if page.meaning:
        yield from ["", *textwrap.wrap(page.meaning, width)]
    if page.model:
        yield from ["", "For example, in the file example.mo:", "", *_indented(page.model)]
    if page.python:
        yield from [
            "",
            "Running this in Python:" if page.model else "For example, in Python:",
            "",
            *_indented(page.python),
        ]
    elif page.command:
        yield from ["", f"    $ {page.command}"]
    yield from _indented(page.message)
    yield from ["", "How to fix it:", "", *textwrap.wrap(page.fix, width)]


def _indented(text: str) -> list[str]:
    return textwrap.indent(text, "    ").splitlines()
