"""``cutset check``: are the models right? Everything but the code."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from cutset.commands.common import add_translation, verifiers
from cutset.compiler.diagnostics import Diagnostic, ModelError
from cutset.compiler.pipeline import Declarations


def add(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument("files", metavar="FILE", type=Path, nargs="+", help="the texts of the models")
    parser.add_argument("-m", "--model", metavar="NAME", help="this object alone (default: all that the FILEs hold)")
    add_translation(parser)


def _counted(declared: Declarations) -> str:
    """`2 classes and 1 function are`"""
    kinds = (
        (declared.classes, "class", "classes"),
        (declared.functions, "function", "functions"),
        (declared.types, "type", "types"),
        (declared.cut_classes, "class of cuts", "classes of cuts"),
    )
    parts = [f"{len(names)} {one if len(names) == 1 else many}" for names, one, many in kinds if names]
    words = " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else parts[0]
    return f"{words} {'is' if sum(len(names) for names, _, _ in kinds) == 1 else 'are'}"


def run(arguments: argparse.Namespace) -> int:
    """Print the size of every stage for each object; of a file without an object, what it declares. ModelError
    with the mistakes of all files."""
    from cutset.report import print_sizes
    from cutset.translation import CheckedFile, check_file, collected, options_of

    options = replace(options_of(arguments.include), allow_external=arguments.allow_external)
    mistakes: list[Diagnostic] = []
    checked: dict[Path, CheckedFile] = {}
    for path in dict.fromkeys(arguments.files):
        with collected(mistakes):
            checked[path] = check_file(path, arguments.model, options, verifiers(arguments))
    if mistakes:
        raise ModelError(mistakes)
    for path, file in checked.items():
        for each in file.objects:
            print_sizes(each.name, each.sizes, each.seconds)
            for label in each.loose:
                print(f"note: {label.text} ({label.span})")
            for remark in each.remarks:
                print(f"note: {remark}")
        if not file.objects:
            print(f"{path}: {_counted(file.declared)} right")
    return 0
