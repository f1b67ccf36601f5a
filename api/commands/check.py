"""``cutset check``: are the models right? Everything but the code."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cutset.commands.common import add_translation, verifiers
from cutset.compiler.diagnostics import Diagnostic, ModelError

if TYPE_CHECKING:
    from cutset.compiler.pipeline import Declarations
    from cutset.observer import Listener
    from cutset.translation import CheckedFile


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
    from cutset.verdicts import verdicts

    listeners = verifiers(arguments)
    known = verdicts(arguments.include)
    files = list(dict.fromkeys(arguments.files))
    anew = arguments.model or listeners or arguments.allow_external or arguments.without
    declared = {} if anew else {path: known.get(path) for path in files}
    unknown = [path for path in files if declared.get(path) is None]
    checked = _checked(unknown, arguments, listeners) if unknown else {}
    right = {path: (_counted(file.declared), file.declared.looked_at) for path, file in checked.items() if not file.objects}
    if not anew:
        known.put(right)
    for path in files:
        if path in checked and checked[path].objects:
            _print_objects(checked[path])
        else:
            print(f"{path}: {right[path][0] if path in right else declared[path]} right")
    return 0


def _checked(paths: list[Path], arguments: argparse.Namespace, listeners: list[Listener]) -> dict[Path, CheckedFile]:
    from cutset.translation import check_file, collected, options_of

    options = replace(options_of(arguments.include, many_files=True), allow_external=arguments.allow_external)
    options = replace(options, passes=options.passes.without(arguments.without))
    mistakes: list[Diagnostic] = []
    checked: dict[Path, CheckedFile] = {}
    for path in paths:
        with collected(mistakes):
            checked[path] = check_file(path, arguments.model, options, listeners)
    if mistakes:
        raise ModelError(mistakes)
    return checked


def _print_objects(file: CheckedFile) -> None:
    from cutset.report import print_sizes

    for each in file.objects:
        print_sizes(each.name, each.sizes, each.seconds)
        for label in each.loose:
            print(f"note: {label.text} ({label.span})")
        for remark in each.remarks:
            print(f"note: {remark}")
