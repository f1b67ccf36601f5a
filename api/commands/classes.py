"""Implements ``cutset classes``: lists the classes of a library, or of all, or those that words describe."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from cutset.api.command_line.report import print_declared, print_json
from cutset.api.commands.common import add_include
from cutset.api.files.exit_errors import UsageError

if TYPE_CHECKING:
    from cutset.api.show.classes import Declared
    from cutset.compiler.options import Options

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
    from cutset.api.show.classes import find_library, is_library, matching_classes
    from cutset.api.translate.translation import options_of

    options = options_of(arguments.include)
    words = [name for name in arguments.libraries if not is_library(name, options.library_path)]
    paths: dict[str, Path] = {
        name: find_library(name, options.library_path) for name in arguments.libraries if name not in words
    }
    within = _declared_in(paths, options)
    found = matching_classes(words, within) if words else within
    if words and not found and paths:  # "friction" is a library, and a word for bearings
        words, within = arguments.libraries, _declared_in({}, options)
        found = matching_classes(words, within)
    if words and not found:
        for word in words:
            if not matching_classes([word], within):
                find_library(word, options.library_path)  # raises, with a suggestion
        raise UsageError(f"no class has all these words in its name and documentation: {' '.join(words)}")
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


def _declared_in(paths: Mapping[str, Path], options: Options) -> dict[str, tuple[Declared, ...]]:
    """What these libraries declare, by file; without any, the whole standard library."""
    from cutset.api.show.classes import declared_in, standard_libraries

    found: dict[str, tuple[Declared, ...]] = {}
    for name, path in reversed(list((paths or standard_libraries()).items())):
        if paths or name not in found:  # a whole library has its parts
            found = declared_in(name, path, options) | found
    return found if paths else {name: found[name] for name in standard_libraries()}
