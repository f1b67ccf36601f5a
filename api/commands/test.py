"""Implements ``cutset test``: runs the tests of models that stand in files NAME.test.toml."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from contextlib import nullcontext, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING

from cutset.api.command_line.report import print_json
from cutset.api.files.exit_errors import UsageError
from cutset.api.files.result_files import writing
from cutset.compiler.diagnostics import visible

if TYPE_CHECKING:
    from cutset.api.testing.cases import Case
    from cutset.api.testing.outcomes import Outcome


def add(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    parser.add_argument(
        "paths", metavar="PATH", type=Path, nargs="*", default=[Path()],
        help="files of tests, or folders that are searched for files *.test.toml (default: the current folder)",
    )  # fmt: skip
    parser.add_argument("-k", metavar="WORD", dest="word", default="", help="run only tests with WORD in their name")
    parser.add_argument(
        "--update", action="store_true", help="write the references of the tests anew instead of comparing with them"
    )
    parser.add_argument("--junit", metavar="FILE", type=Path, help="also write the outcomes as JUnit XML")
    parser.add_argument("--json", action="store_true", help="print only one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Print a line for each test, and what does not hold; 1 if a test failed."""
    with redirect_stdout(sys.stderr) if arguments.json else nullcontext():
        outcomes = list(_outcomes(arguments))
    if not outcomes:
        raise UsageError(f"no test has '{arguments.word}' in its name")
    if arguments.junit is not None:
        from cutset.api.testing.outcomes import write_junit

        with writing(arguments.junit, says=False):
            write_junit(outcomes, arguments.junit)
    failed = [each for each in outcomes if not each.passed]
    if arguments.json:
        rows = [
            {
                "file": str(each.case.file), "test": each.case.name, "passed": each.passed,
                "problems": list(each.problems), "seconds": each.seconds,
            }
            for each in outcomes
        ]  # fmt: skip
        print_json({"passed": not failed, "tests": rows})
    else:
        count = f"{len(outcomes) - len(failed)} passed"
        print(f"{count}, {len(failed)} failed" if failed else count)
    return 1 if failed else 0


def _outcomes(arguments: argparse.Namespace) -> Iterable[Outcome]:
    from cutset.api.testing.cases import cases_in
    from cutset.api.testing.outcomes import outcome_of

    for path, root in _files(arguments.paths):
        chosen = [case for case in cases_in(path, root) if arguments.word in case.name]
        if chosen:
            print(visible(str(path)))
        width = max((len(case.name) for case in chosen), default=0)
        for case in chosen:
            outcome = outcome_of(case, arguments.update)
            _print_outcome(case, outcome, width)
            yield outcome


def _files(paths: Iterable[Path]) -> list[tuple[Path, Path]]:
    """The files of tests, each once, with the folder that the files of models must lie in."""
    from cutset.api.testing.cases import PATTERN

    found: dict[Path, Path] = {}
    for path in paths:
        if path.is_dir():
            inside = sorted(path.rglob(PATTERN))
            if not inside:
                raise UsageError(f"there is no file {PATTERN} in {path.resolve() if path == Path() else path}")
            found |= dict.fromkeys(inside, path)
        elif not path.exists():
            raise UsageError(f"there is no file or folder '{path}'")
        else:
            found[path] = Path() if path.resolve().is_relative_to(Path().resolve()) else path.parent
    return list(found.items())


def _print_outcome(case: Case, outcome: Outcome, width: int) -> None:
    word = "passed" if outcome.passed else "FAILED"
    print(visible(f"  {case.name:{width}}  {word}  {outcome.seconds:.2f} s"), flush=True)
    for problem in outcome.problems:
        print(visible(f"      {problem}"))
