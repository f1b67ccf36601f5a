"""Implements ``cutset explain``: the meaning of an error code and how to fix it, or what a name is."""

from __future__ import annotations

import argparse
import shutil
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from cutset.api.command_line.report import print_declared, print_json
from cutset.api.files.exit_errors import UsageError

if TYPE_CHECKING:
    from cutset.api.command_line.error_pages import Page
    from cutset.api.show.classes import Declared

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
    parser.add_argument("--json", action="store_true", help="print only one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Print the page of one code, or the titles of all."""
    from cutset.api.command_line.error_pages import find_code, read_pages

    pages = read_pages()
    if arguments.code is None:
        titles = {page.code: page.title for page in pages.values()}
        _print(arguments, titles, [f"{code}  {title}" for code, title in titles.items()])
        return 0
    code = find_code(arguments.code, pages)
    if not code:
        found = _place(arguments.code.strip().removeprefix("@"))
        if not found:
            raise UsageError(f"there is no error code '{arguments.code}'; {_instead(arguments.code, pages)}")
        declared = _declared(found)
        facts = found | ({"classes": {file: [asdict(each) for each in own] for file, own in declared.items()}})
        _print(arguments, facts if declared else found, [found["is"]])
        if not arguments.json:
            for file, own in declared.items():
                print_declared(file, own, with_parameters=True)
            print("\n".join(f"{what}: {words}" for what, words in found["see"].items()))
        return 0
    page = pages[code]
    facts = {field.name: getattr(page, field.name) for field in fields(page) if field.name != "path"}
    _print(arguments, facts, _lines(page, min(_WIDEST, shutil.get_terminal_size().columns)))
    return 0


def _print(arguments: argparse.Namespace, facts: Mapping[str, Any], lines: Iterable[str]) -> None:
    if arguments.json:
        print_json(facts)
    else:
        print("\n".join(lines))


def _place(name: str) -> dict[str, Any]:
    """What a command, a class of the standard library, or a library is, and where to look; empty for another name."""
    from cutset.api.command_line.command import COMMANDS
    from cutset.api.show.classes import standard_libraries
    from cutset.compiler.instantiate.names.standard_libraries import enumerated, include_of, libraries_with

    if name in COMMANDS:
        return {"is": f"{name} is a command: {COMMANDS[name]}", "see": {"its options": f"cutset {name} --help"}}
    if libraries := libraries_with(name):
        see = {"in a model": include_of(libraries[0])}
        is_in = f"{name} is declared in {enumerated(libraries, 'and')}"
        return {"is": is_in, "name": name, "libraries": libraries, "see": see}
    if name in standard_libraries():
        return {"is": f"{name} is a library", "see": {"its classes": f"cutset classes {name}"}}
    return {}


def _declared(found: Mapping[str, Any]) -> dict[str, tuple[Declared, ...]]:
    """The declarations of a class by file, as the first of its libraries has them; empty for what is no class."""
    from cutset.api.show.classes import declared_in, find_library
    from cutset.api.translate.translation import options_of

    files = {
        file: tuple(each for each in own if each.name == found["name"])
        for library in found.get("libraries", ())[:1]
        for file, own in declared_in(library, find_library(library, ()), options_of(())).items()
    }
    return {file: own for file, own in files.items() if own}


def _instead(word: str, pages: Mapping[str, Page]) -> str:
    """A suggestion for an unknown code."""
    from cutset.api.command_line.error_pages import nearest_code

    if any(c.isdigit() for c in word):
        return f"the nearest is {nearest_code(word, pages)}"
    return f"'cutset explain' lists them, 'cutset classes {word}' looks for classes"


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
