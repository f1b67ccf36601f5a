"""Implements ``cutset explain``: the meaning of an error code, a model that causes it, and how to fix it."""

from __future__ import annotations

import argparse
import shutil
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from cutset.exit_errors import UsageError

if TYPE_CHECKING:
    from cutset.error_pages import Page

# Longer lines of prose are hard to read.
_WIDEST = 100


def add(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    parser.add_argument("code", metavar="CODE", nargs="?", help="a code, such as E205 or 205 (default: list all codes)")


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
        raise UsageError(f"there is no error code '{arguments.code}'; {_instead(arguments.code, pages)}")
    print("\n".join(_lines(pages[code], min(_WIDEST, shutil.get_terminal_size().columns))))
    return 0


def _instead(asked: str, pages: Mapping[str, Page]) -> str:
    """A suggestion for an unknown code."""
    from cutset.classes import standard_libraries
    from cutset.compiler.instantiate.names.standard_libraries import enumerated, libraries_with
    from cutset.error_pages import nearest_code

    name = asked.strip().removeprefix("@")
    if name.isidentifier() and name != "common" and (Path(__file__).parent / f"{name}.py").is_file():
        return f"it is a command: cutset {name} --help"
    if libraries := libraries_with(name):
        return f"it is a class of {enumerated(libraries, 'and')}: cutset classes {libraries[0]}"
    if name in standard_libraries():
        return f"it is a library: cutset classes {name}"
    return (
        f"the nearest is {nearest_code(asked, pages)}"
        if any(c.isdigit() for c in asked)
        else "'cutset explain' lists them"
    )


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
