"""Implements ``cutset translate``: prints generated code, or the result of one stage."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from cutset.api.commands.common import add_model, load_model
from cutset.api.files.exit_errors import UsageError
from cutset.api.files.result_files import writing
from cutset.contract.names import partition
from cutset.runtime.whole_files import write_whole

if TYPE_CHECKING:
    from cutset.contract.metadata import SourceFiles

_FILES = (".c", ".py", ".so", ".json", ".txt", ".mo")


def add(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    add_model(parser)
    parser.add_argument("--target", metavar="T", default="c", help="c, python, extended, lanes or listing (default: c)")
    parser.add_argument(
        "--mechanics",
        metavar="FUNCTION",
        help="translate a function of the mechanism: inverse, bias, forward, mass_matrix, pose:FRAME, jacobian:FRAME, "
        "velocity_transformation or constraint_jacobian; FRAME is a cut-frame such as r1:b",
    )
    parser.add_argument(
        "--known",
        metavar="NAME",
        action="append",
        default=[],
        help="translate the inverse problem: these variables are inputs; * matches any text; can be repeated",
    )
    parser.add_argument("--find", metavar="NAME", action="append", default=[], help="what to find instead, as simulate")
    parser.add_argument("-o", "--output", metavar="DIR", type=Path, help="folder for the files (default: print them)")
    parser.add_argument("--dump", metavar="STAGE", help="print the result of a stage instead, such as parse or solve")


def run(arguments: argparse.Namespace) -> int:
    """Print or write the code, or print the dump."""
    from cutset.compiler.codegen.emit import TARGETS

    if arguments.target not in TARGETS:
        raise UsageError(f"there is no target '{arguments.target}' (the targets are: {', '.join(TARGETS)})")
    if arguments.dump is not None:
        print(_dump(arguments))
        return 0
    if arguments.output is not None:
        _check_folder(arguments.output)
    files = _files(arguments)
    if arguments.output is None:
        print("\n".join(text for name, text in files.items() if name != "model.json"), end="")
    else:
        _write(files, arguments.output)
    return 0


def _files(arguments: argparse.Namespace) -> SourceFiles:
    model = load_model(arguments)
    if (arguments.known or arguments.find) and arguments.mechanics is not None:
        raise UsageError("--known and --find do not go with --mechanics")
    if arguments.find and not arguments.known:
        raise UsageError("--find needs --known: one known quantity for each that is to be found")
    if arguments.known:
        from cutset.api.runs.prescribed_motion import translated_for

        return translated_for(model, arguments.known, arguments.find).translated.files(arguments.target)
    if arguments.mechanics is None:
        return model.translated.files(arguments.target)
    function, _, frame = partition(arguments.mechanics, ":")
    return model.mechanics().code(function, frame, arguments.target)


def _dump(arguments: argparse.Namespace) -> str:
    from cutset.api.translate.listeners import Dump, Enough

    dump = Dump(arguments.dump)
    try:
        load_model(arguments, [dump])
    except Enough:
        return dump.text
    raise UsageError(f"there is no stage '{arguments.dump}' (the stages are: {', '.join(dump.seen)})")


def _check_folder(folder: Path) -> None:
    """UsageError if the folder looks like a file."""
    if folder.suffix in _FILES and not folder.is_dir():
        raise UsageError(
            f"-o takes a folder for the files, but '{folder}' looks like a file; try '{folder.with_suffix('')}'"
        )


def _write(files: SourceFiles, folder: Path) -> None:
    with writing(folder, says=False, to="to "):
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            write_whole(folder / name, text)
            print(f"wrote {folder / name}")
