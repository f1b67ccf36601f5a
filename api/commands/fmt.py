"""Implements ``cutset fmt``: formats model files."""

from __future__ import annotations

import argparse
import difflib
import sys
from contextlib import redirect_stdout
from pathlib import Path

from cutset.api.command_line.report import print_diagnostics, print_error, print_json
from cutset.api.files.exit_errors import CommandFailed, UsageError
from cutset.api.files.result_files import writing
from cutset.runtime.whole_files import write_whole


def add(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    parser.add_argument("files", metavar="FILE", type=Path, nargs="+", help="the model files; they are rewritten")
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 if a file would change")
    parser.add_argument("--json", action="store_true", help="print only one JSON object: files that change, and errors")
    parser.add_argument("--diff", action="store_true", help="write nothing; print what would change")


def run(arguments: argparse.Namespace) -> int:
    """Format each file. A file with errors stays unchanged; its errors are printed, and the exit code is 1."""
    from cutset.compiler.collection import collection_paused
    from cutset.compiler.diagnostics import Diagnostic, ModelError

    if arguments.json and arguments.diff:
        raise UsageError("--json and --diff both write to standard output")
    changed: list[Path] = []
    wrong: list[Diagnostic] = []
    code, facts = 0, sys.stdout
    with redirect_stdout(sys.stderr if arguments.json else facts):
        for path in arguments.files:
            try:
                with collection_paused():
                    changed += [path] if _format(path, arguments) else []
            except ModelError as error:
                wrong += error.diagnostics
                if not arguments.json:
                    print_diagnostics(error.diagnostics)
                code = 1
            except CommandFailed as error:
                print_error(f"error: {error}")
                code = 1
    if arguments.json:
        from cutset.api.command_line.json_reports import diagnostics_report

        print_json({"changed": list(map(str, changed)), "errors": diagnostics_report(wrong)})
    return 1 if changed and arguments.check else code


def _format(path: Path, arguments: argparse.Namespace) -> bool:
    """Format one file as the arguments demand; True if it was not, or is not, in the standard layout."""
    from cutset.compiler.diagnostics import Source, visible
    from cutset.compiler.syntax.format import format_text
    from cutset.compiler.syntax.read import Unreadable, read_text

    try:
        before = read_text(path)
    except FileNotFoundError as error:
        raise CommandFailed(f"cannot read {path}: there is no such file") from error
    except Unreadable as error:
        raise CommandFailed(f"cannot read {path}: {error}") from error
    after = format_text(Source(str(path), before))
    if after == before:
        return False
    if arguments.diff:
        lines = (before.splitlines(keepends=True), after.splitlines(keepends=True))
        print(visible("".join(difflib.unified_diff(*lines, str(path), str(path)))), end="")
    elif arguments.check:
        print(f"{path} would change")
    else:
        with writing(path, says=False):
            write_whole(path, after)
        print(f"formatted {path}")
    return True
