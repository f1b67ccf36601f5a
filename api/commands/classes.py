"""Implements ``cutset classes``: lists the classes of a library, or of all, or those that words describe."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from cutset.api.command_line.report import print_declared, print_json
from cutset.api.commands.common import add_include

# Words that match at most this many classes show their parameters.
_FEW = 5


def add(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    parser.add_argument(
        "libraries", metavar="LIBRARY|WORD", nargs="*",
        help="a file, a library name such as electrical, or words to find in the names and documentation of all "
             "classes, up to 5 of them with their parameters (default: the whole standard library, without parameters)",
    )  # fmt: skip
    add_include(parser)
    parser.add_argument("--json", action="store_true", help="print only one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Print a table for each library. ModelError if one has errors."""
    from cutset.api.show.classes import (
        Declared,
        declared_in,
        find_library,
        is_library,
        matching_classes,
        standard_libraries,
    )
    from cutset.api.translate.translation import options_of

    options = options_of(arguments.include)
    words = [name for name in arguments.libraries if not is_library(name, options.library_path)]
    paths: dict[str, Path] = {
        name: find_library(name, options.library_path) for name in arguments.libraries if name not in words
    }
    found: dict[str, tuple[Declared, ...]] = {}
    for name, path in reversed((paths or standard_libraries()).items()):
        if paths or name not in found:  # a whole library has its parts
            found = declared_in(name, path, options) | found
    if not paths:
        found = {name: found[name] for name in standard_libraries()}
    if words:
        found = matching_classes(words, found)
        if not found:
            find_library(words[0], options.library_path)  # raises, with a suggestion
    if arguments.json:
        print_json({name: [asdict(each) for each in declared] for name, declared in found.items()})
        return 0
    from cutset.compiler.instantiate.names.standard_libraries import enumerated, sharing

    few = bool(words) and sum(map(len, found.values())) <= _FEW
    for name, declared in found.items():
        libraries = sharing(name)
        title = f"{name} (a part of {enumerated(libraries, 'and')})" if len(libraries) > 1 else name
        print_declared(title, declared, with_parameters=bool(paths) or few)
    return 0
