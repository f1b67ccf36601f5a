"""Implements ``cutset check``: translates models without generating code, and reports errors."""

from __future__ import annotations

import argparse
import io
import os
from collections.abc import Iterable
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cutset.api.command_line.report import print_json, print_sizes
from cutset.api.commands.common import add_translation, options_for, verifiers
from cutset.api.files.exit_errors import UsageError
from cutset.compiler.diagnostics import Diagnostic, ModelError, visible

if TYPE_CHECKING:
    from cutset.api.translate.translation import CheckedFile
    from cutset.compiler.observer import Listener
    from cutset.compiler.options import Options
    from cutset.compiler.pipeline import Declarations

# From this number of files on, the start of worker processes pays.
_MANY, _MOST_WORKERS = 8, 4


def add(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    parser.add_argument("files", metavar="FILE", type=Path, nargs="+", help="the model files; - reads standard input")
    parser.add_argument(
        "-m", "--model", metavar="NAME", help="check only this object (default: all objects in the files)"
    )
    parser.add_argument("--stats", action="store_true", help="print the size of each stage's result and its time")
    parser.add_argument("--json", action="store_true", help="print only one JSON object: the errors with their places")
    add_translation(parser)


def _counted(declared: Declarations) -> str:
    """`2 classes and 1 function`"""
    kinds = (
        (declared.classes, "class", "classes"),
        (declared.functions, "function", "functions"),
        (declared.types, "type", "types"),
        (declared.cut_classes, "cut class", "cut classes"),
    )
    parts = [f"{len(names)} {one if len(names) == 1 else many}" for names, one, many in kinds if names]
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else parts[0]


def run(arguments: argparse.Namespace) -> int:
    """Print the outcome for each object, with --stats the size of every stage; for a file without objects, its
    declarations. ModelError with the errors of all files; with --json they are printed."""
    if not arguments.json:
        return _run(arguments)
    from cutset.api.command_line.json_reports import diagnostics_report

    errors: tuple[Diagnostic, ...] = ()
    with redirect_stdout(io.StringIO()):
        try:
            _run(arguments)
        except ModelError as error:
            errors = tuple(error.diagnostics)
    print_json({"files": list(map(str, arguments.files)), "errors": diagnostics_report(errors)})
    return 1 if errors else 0


def _run(arguments: argparse.Namespace) -> int:
    from cutset.api.files.standard_input import PLACE, read_model
    from cutset.api.translate.records import Records
    from cutset.contract.cache import user_cache

    listeners = verifiers(arguments)
    records, folders = Records(user_cache(), "right"), [os.path.abspath(folder) for folder in arguments.include]
    files = list(dict.fromkeys(arguments.files))
    text = ""
    if Path("-") in files:
        if len(files) > 1:
            raise UsageError("- must be the only FILE: it reads standard input")
        text, files = read_model(), [PLACE]
    again = text or arguments.model or listeners or arguments.allow_external or arguments.without or arguments.instead
    keys = {path: f"{folders}\n{os.path.abspath(path)}" for path in files}
    found = {} if again else {path: records.get(key) or {} for path, key in keys.items()}
    declared = {path: record.get("declared") for path, record in found.items()}
    unknown = [path for path in files if declared.get(path) is None]
    checked = _checked(unknown, arguments, listeners, text) if unknown else {}
    for path, file in checked.items():
        if file.objects:
            continue
        declared[path] = _counted(file.declared)
        if not again:
            rests_on = {os.path.abspath(each): records.state_now(each) for each in file.declared.looked_at}
            records.put(keys[path], {"declared": declared[path]}, rests_on)
    for path in files:
        if path in checked and checked[path].objects:
            _print_objects(checked[path], arguments.stats)
        else:
            print(visible(f"{path}: {declared[path]}, no errors"))
    return 0


def _checked(
    paths: list[Path], arguments: argparse.Namespace, listeners: list[Listener], text: str
) -> dict[Path, CheckedFile]:
    from cutset.api.translate.translation import collected

    options = replace(options_for(arguments), text=text)
    workers = 1 if listeners or len(paths) < _MANY else min(_MOST_WORKERS, os.cpu_count() or 1)
    outcomes = (
        _at_once(paths, arguments.model, options, workers)
        if workers > 1
        else _in_turn(paths, arguments.model, options, listeners)
    )
    mistakes: list[Diagnostic] = []
    checked: dict[Path, CheckedFile] = {}
    for path in paths:
        with collected(mistakes):
            outcome = outcomes[path]
            if isinstance(outcome, tuple):
                raise _explained(ModelError(outcome), path, arguments.model, options)
            checked[path] = outcome
    if mistakes:
        raise ModelError(mistakes)
    return checked


def _explained(error: ModelError, path: Path, model: str | None, options: Options) -> ModelError:
    from cutset.api.mechanics.massless_motion import explained
    from cutset.api.model import loaded

    return explained(error, options, lambda other: loaded(path, model, other, {}))


def _at_once(
    paths: list[Path], model: str | None, options: Options, workers: int
) -> dict[Path, CheckedFile | tuple[Diagnostic, ...]]:
    """Check the files in several processes; one after the other if none can be started."""
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    outcomes: dict[Path, CheckedFile | tuple[Diagnostic, ...]] = {}
    try:
        with ProcessPoolExecutor(workers) as pool:
            for part in pool.map(
                _in_turn, *zip(*((paths[k::workers], model, options) for k in range(workers)), strict=False)
            ):
                outcomes |= part
    except (OSError, BrokenProcessPool):
        return _in_turn(paths, model, options)
    return outcomes


def _in_turn(
    paths: Iterable[Path], model: str | None, options: Options, listeners: Iterable[Listener] = ()
) -> dict[Path, CheckedFile | tuple[Diagnostic, ...]]:
    """The outcome for each file: a checked file, or its errors."""
    from cutset.api.translate.translation import check_file, options_of

    options = replace(options, cache=options_of(()).cache)
    outcomes: dict[Path, CheckedFile | tuple[Diagnostic, ...]] = {}
    for path in paths:
        try:
            outcomes[path] = check_file(path, model, options, listeners)
        except ModelError as error:
            outcomes[path] = error.diagnostics
    return outcomes


def _print_objects(file: CheckedFile, with_sizes: bool) -> None:
    for each in file.objects:
        print(visible(f"{each.name}: no errors"))
        if with_sizes:
            print_sizes(each.sizes, each.seconds)
        for label in each.loose:
            print(f"note: {label.text} ({label.span})")
        for remark in each.remarks:
            print(f"note: {remark}")
