"""Implements ``cutset simulate``: translates and runs a model, and writes, plots or prints the result."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from cutset.api.command_line import report
from cutset.api.commands.common import add_model, add_run, check_settings, experiment_of, load_with_values
from cutset.api.commands.problem import add_problem, posed
from cutset.api.files.exit_errors import UsageError
from cutset.api.files.result_files import (
    check_writable,
    file_of,
    split_names,
    write_animation,
    write_picture,
    write_table,
)

if TYPE_CHECKING:
    from cutset.api.model import Model
    from cutset.runtime.results.result import Result

_STANDARD_OUTPUT = Path("-")


def add(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    add_model(parser)
    add_problem(add_run(parser))
    parser.add_argument(
        "--from", metavar="RESULT", type=Path, dest="start_from",
        help="continue the run whose result was written to this .npz file, with the same parameters",
    )  # fmt: skip
    parser.add_argument("--steady", action="store_true", help="start at an equilibrium, with time held at the start")
    parser.add_argument(
        "--until", metavar="CONDITION", help="end the run as soon as this expression of variables is true: 'x < 0'"
    )
    output = parser.add_argument_group("the result")
    output.add_argument(
        "--outputs",
        metavar="GLOB,...",
        action="extend",
        type=split_names,
        help="variables to write with -o (default: all), or to print without it (default: the states); can be repeated",
    )
    output.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=Path,
        help="write the result: .csv, .npz, .mat or .parquet; - writes a CSV table to standard output",
    )
    output.add_argument(
        "--display", action="store_true", help="write a CSV table in the units of the attribute display"
    )
    output.add_argument(
        "--measure", metavar="MEASURE", action="append", default=[],
        help="print a measure of the result, as cutset measure does: 'rise_time(x)'; can be repeated",
    )  # fmt: skip
    output.add_argument("--plot", metavar="NAME,...", type=split_names, help="plot these variables over time")
    output.add_argument(
        "--over", metavar="NAME,...", type=split_names, default=[], help="plot over these variables instead of time"
    )
    output.add_argument("--save", metavar="PICTURE", type=Path, help="file for the figure (default: MODEL.png)")
    output.add_argument("--animate", metavar="FILE", type=Path, help="write an animation: .html or .glb")
    output.add_argument("--stats", action="store_true", help="print sizes, times and the speed of the run")
    output.add_argument("--json", action="store_true", help="print only one JSON object about the run")


def run(arguments: argparse.Namespace) -> int:
    """Do the run. A failed run still writes its rows, and returns 1. Beside a table, only messages are printed."""
    if arguments.output == _STANDARD_OUTPUT and arguments.json:
        raise UsageError("--json and -o - both write to standard output")
    if arguments.output != _STANDARD_OUTPUT and not arguments.json:
        return _run(arguments, None)
    table = sys.stdout
    with redirect_stdout(sys.stderr):
        return _run(arguments, table)


def _run(arguments: argparse.Namespace, table: TextIO | None) -> int:
    """The same; a table, or what --json prints, goes to `table` if that is not None."""
    _check_options(arguments)
    check_settings(arguments)

    from cutset.api.command_line.progress import shown_progress
    from cutset.api.runs.measures import measure_of
    from cutset.api.translate.target_choice import choose_target

    measures = [measure_of(text) for text in arguments.measure]
    model, values = load_with_values(arguments)
    own, problem = model.experiment, posed(model, arguments)
    if problem is not None:
        model, values["inputs"] = problem.model, {**problem.inputs, **values["inputs"]}
        start, stop = problem.span(arguments.start, arguments.stop)
        arguments = argparse.Namespace(**{**vars(arguments), "start": start, "stop": stop})
    experiment = replace(experiment_of(arguments, own), **values)
    if arguments.until is not None:
        model = model.until(arguments.until)
    _check_names(model, [*(arguments.plot or []), *arguments.over])
    arguments.outputs = arguments.outputs and _without_unmatched(model, arguments.outputs)
    model.build(target := choose_target(arguments.target))
    before = arguments.start_from
    if arguments.steady:
        before = model.steady(experiment.start, target=target, **values)
        experiment = replace(experiment, initial={})
    with shown_progress(experiment.start, experiment.stop) as now:
        result = model.run(experiment, target, now, before)

    shown = arguments.outputs or (problem.found if problem is not None else ()) or _names_to_show(model)
    if table is not None and arguments.json:
        from cutset.api.command_line.json_reports import run_report

        report.print_json(run_report(model.name, result, result.select(shown)), table)
    elif table is not None:
        result.to_csv(table, arguments.outputs, display=arguments.display)
    if arguments.output not in (None, _STANDARD_OUTPUT):
        options = {"display": True} if arguments.display else {}
        write_table(result, arguments.output, arguments.outputs, **options)
    if arguments.plot is not None:
        picture = arguments.save or file_of(model.name, ".png")
        write_picture({model.name: result}, arguments.plot, arguments.over, picture)
    if arguments.animate is not None:
        for note in write_animation(result, arguments.animate):
            report.print_error(f"note: {note}")
    if measures and result.failure is None:
        report.print_measures({each.text: each.shown(result) for each in measures})
    if arguments.stats:
        report.print_facts(model.inspect())
        report.print_run(model, result, target)
    elif (
        arguments.output is None
        and arguments.plot is None
        and arguments.animate is None
        and not measures
        and not _has_no_start(result)
    ) and table is None:
        report.print_final_values(result, shown)
    return _end(result, model.translated.open_ends)


def _check_options(arguments: argparse.Namespace) -> None:
    """UsageError for options that exclude each other, and for files that cannot be written."""
    if arguments.save is not None and arguments.plot is None:
        raise UsageError("--save needs --plot")
    if arguments.steady and arguments.start_from is not None:
        raise UsageError("--steady and --from both say where the run starts: give one of them")
    if (
        arguments.display
        and (arguments.output or Path()).suffix.lower() != ".csv"
        and arguments.output != _STANDARD_OUTPUT
    ):
        raise UsageError("--display needs -o FILE.csv: other formats keep the units of the model")
    if arguments.over and arguments.plot is None:
        raise UsageError("--over needs --plot")
    if arguments.output != _STANDARD_OUTPUT:
        check_writable(arguments.output, "table")
    check_writable(arguments.save, "picture")
    check_writable(arguments.animate, "animation")


def _names_to_show(model: Model) -> tuple[str, ...]:
    from cutset.runtime.results.selection import shown_names

    return shown_names(model.translated.info, model.moving)


def _without_unmatched(model: Model, patterns: Sequence[str]) -> list[str]:
    """The patterns of --outputs that match a variable, with a note on each of the others; UnknownName if that is a
    name, or if all are left out."""
    from cutset.runtime.errors import UnknownName
    from cutset.runtime.results.selection import is_pattern

    kept: list[str] = []
    for pattern in patterns:
        try:
            _check_names(model, [pattern])
            kept.append(pattern)
        except UnknownName:
            if not is_pattern(pattern) or (pattern == patterns[-1] and not kept):
                raise
            report.print_error(f"note: --outputs: no variable matches '{pattern}'")
    return kept


def _check_names(model: Model, patterns: Sequence[str]) -> None:
    """UnknownName for a pattern that matches no variable of the model, before the run takes its time."""
    from cutset.runtime.results.selection import select

    info = model.translated.info
    select(patterns, ("time", *info.names, *info.folded), model.description.nodes)


def _end(result: Result, remarks: Iterable[str]) -> int:
    from cutset.runtime.outcome import Outcome

    for note in (*result.notes, *remarks):
        print(f"note: {note}")
    if result.ending is not None:
        print(f"the model ended the run at time {result.time[-1]:g}: {result.ending.text}")
    if result.failure is None:
        return 0 if _is_finite(result) else 1
    if result.outcome is Outcome.INTERRUPTED:
        print(f"interrupted at time {result.failure.time:g}", file=sys.stderr)
        return 130
    report.print_error(str(result.failure.error()))
    return 1


def _has_no_start(result: Result) -> bool:
    """True if the run failed at its start, so that there is nothing to show."""
    return result.failure is not None and result.time[-1] == result.time[0]


def _is_finite(result: Result) -> bool:
    """Print which variable has a value that is not finite in a completed run; True if there is none."""
    failure = result.first_not_finite()
    if failure is not None:
        report.print_error(str(failure.error()))
    return failure is None
