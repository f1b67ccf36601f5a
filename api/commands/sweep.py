"""Implements ``cutset sweep``: runs at many values, in parallel, as a table and a figure."""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from cutset.api.command_line import report
from cutset.api.commands.common import (
    add_model,
    add_run,
    check_settings,
    experiment_of,
    load_with_values,
    name_and_value,
    number_or_text,
)
from cutset.api.commands.problem import add_problem, load_at_rest, load_over
from cutset.api.files.exit_errors import UsageError
from cutset.api.files.result_files import SWEEPS, check_writable, split_names, writing
from cutset.compiler.units.quantities import split_quantity
from cutset.contract.names import partition
from cutset.contract.number_texts import advice

if TYPE_CHECKING:
    from cutset.api.model import Model
    from cutset.api.runs.sweep_points import Vary
    from cutset.api.show.sweep_table import Sweep
    from cutset.runtime.runs.sweep import Row

_MOST_VALUES = 1_000_000


def add(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    add_model(parser)
    points = parser.add_mutually_exclusive_group(required=True)
    points.add_argument(
        "--vary", metavar="NAME=VALUES", action="append", type=_varied,
        help="values of a parameter, a start value, or an input: 1,2,5 or FROM:TO:COUNT; give it several times for all "
             "combinations",
    )  # fmt: skip
    points.add_argument(
        "--monte-carlo", metavar="N", type=int,
        help="N runs with parameters drawn from their tolerances, R = 1 kOhm +- 5 %%: uniformly distributed, "
             "independent of each other",
    )  # fmt: skip
    points.add_argument(
        "--worst-case", action="store_true",
        help="runs at all corners of the tolerances; of more than 8 parameters with each at its limits, and then, for "
             "each result, with all at those that raise it and at those that lower it",
    )  # fmt: skip
    parser.add_argument(
        "--seed", metavar="S", type=int, help="of --monte-carlo: other numbers draw other values (default: 0)"
    )
    parser.add_argument(
        "--tolerance", metavar="NAME=TOLERANCE", action="append", default=[], type=_tolerance,
        help="a tolerance of parameters, in place of those in the model: 5%%, 50Ohm; in NAME, * matches any text and ? "
             "one character; can be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--outputs", metavar="NAME", action="append", required=True,
        help="what to record of each run: x (its last value), min(x), max(x), mean(x), or a measure: 'rms(x)'",
    )  # fmt: skip
    parser.add_argument(
        "--steady", action="store_true",
        help="find an equilibrium at each point, from that of the point before, with time held at the start; no runs",
    )  # fmt: skip
    add_problem(add_run(parser))
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--workers", metavar="N", type=int, help="number of threads or processes (default: one for each core)"
    )
    where.add_argument(
        "--scheduler", metavar="ADDRESS", help="use the Dask cluster at this address, such as tcp://host:8786"
    )
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help="write the table: .csv, .parquet")
    parser.add_argument("--save", metavar="PICTURE", type=Path, help="plot the results over the varied values")
    parser.add_argument("--json", action="store_true", help="print only one JSON object: point and values of each run")


def run(arguments: argparse.Namespace) -> int:
    """Do the runs; returns 1 if one of them failed, 130 after Ctrl-C."""
    facts = sys.stdout
    with redirect_stdout(sys.stderr if arguments.json else facts):
        return _run(arguments, facts)


def _run(arguments: argparse.Namespace, facts: TextIO) -> int:
    """The same; what --json prints goes to `facts`."""
    check_writable(arguments.output, "table", SWEEPS)
    check_writable(arguments.save, "picture")
    if arguments.workers is not None and arguments.workers < 1:
        raise UsageError("--workers must be 1 or more")
    if arguments.seed is not None and arguments.monte_carlo is None:
        raise UsageError("--seed needs --monte-carlo")
    if arguments.tolerance and arguments.vary:
        raise UsageError("--tolerance needs --monte-carlo or --worst-case: --vary has its own values")
    if arguments.steady and (arguments.workers is not None or arguments.scheduler is not None):
        raise UsageError("--steady finds one equilibrium after the other: leave out --workers and --scheduler")
    of_runs = [word for word in ("stop", "points", "interval", "times") if getattr(arguments, word) is not None]
    if arguments.steady and of_runs:
        raise UsageError(f"--steady holds time at the start, and nothing runs: leave out --{of_runs[0]}")
    keep = [name for text in arguments.outputs for name in split_names(text)]
    began = time.perf_counter()
    check_settings(arguments)

    from cutset.api.command_line.json_reports import sweep_report

    model, found = _found(arguments, keep)
    if arguments.output is not None:
        write = getattr(found, SWEEPS[arguments.output.suffix.lower()])
        with writing(arguments.output):
            write(arguments.output)
    if arguments.save is not None:
        with writing(arguments.save):
            found.plot(arguments.save)
    if arguments.json:
        report.print_json(sweep_report(model.name, found), facts)
    else:
        with_rows = arguments.output is None and not arguments.monte_carlo
        report.print_sweep(found, time.perf_counter() - began, with_rows, model.description)
        if arguments.vary is None:
            report.print_statistics(found, model.description, with_nominal=arguments.worst_case)
    if any(row.outcome == "interrupted" for row in found.rows):
        return 130
    return 1 if found.failed else 0


def _found(arguments: argparse.Namespace, keep: Sequence[str]) -> tuple[Model, Sweep]:
    """The model, and the table of all its runs."""
    from cutset.api.command_line.progress import shown_progress
    from cutset.api.runs.steady_sweep import steady_sweep
    from cutset.api.runs.sweep import sweep
    from cutset.api.runs.sweep_points import points_of
    from cutset.api.runs.tolerances import monte_carlo, tolerances_of, worst_case

    if arguments.vary:
        points_of(dict(arguments.vary))  # as far as they are wrong without a model
    model, values = load_with_values(arguments)
    experiment = experiment_of(arguments, model.experiment)
    if arguments.steady:
        posed, values, _ = load_at_rest(model, values, arguments, experiment.start)
    else:
        posed, values = load_over(model, values, arguments, experiment.start, experiment.stop)
    at = replace(experiment, **values)

    def at_all(vary: Vary) -> Sweep:
        if arguments.steady:
            return steady_sweep(posed, vary, keep, at, arguments.target)
        with shown_progress(0.0, len(points_of(vary)[1]), "{:.0f} of {:.0f} runs") as done:

            def count(_: Row) -> None:
                if done is not None:
                    done[0] += 1.0

            return sweep(
                posed, vary, keep, at, target=arguments.target, workers=arguments.workers,
                scheduler=arguments.scheduler, progress=count,
            )  # fmt: skip

    if arguments.vary:
        return posed, at_all(dict(arguments.vary))
    tolerances = tolerances_of(posed, at.parameters, dict(arguments.tolerance), arguments.target)
    if arguments.worst_case:
        return posed, worst_case(tolerances, at_all)
    return posed, at_all(monte_carlo(tolerances, arguments.monte_carlo, arguments.seed or 0))


def _tolerance(text: str) -> tuple[str, float | str]:
    """The name and the tolerance of `R=5%`."""
    name, value = name_and_value(text, "NAME=5% or NAME=50Ohm")
    return name, number_or_text(name, value)


def _varied(text: str) -> tuple[str, list[float | str]]:
    """The name and the values of `c=1,2,5` or `c=0:10:101` (first:last:count)."""
    name, sign, values = (part.strip() for part in partition(text, "="))
    try:
        if not sign or not name:
            raise ValueError
        if ":" in values:
            first, last, count = values.split(":")
            (low, unit), (high, other), number = _measured(first), _measured(last), int(count)
            if not 1 <= number <= _MOST_VALUES or unit != other:
                raise ValueError
            found = [low + (high - low) * k / max(number - 1, 1) for k in range(number)]
            return name, [f"{each!r} {unit}" for each in found] if unit else [*found]
        return name, [_value(value.strip()) for value in values.split(",")]
    except ValueError:
        hint = next(
            ("; " + remedy for part in re.split("[,:]", values) if (remedy := advice(part))), ", without spaces"
        )
        form = f"'{text}' is not of the form NAME=1,2,5 or NAME=FROM:TO:COUNT{hint}"
        raise argparse.ArgumentTypeError(form) from None


def _measured(text: str) -> tuple[float, str]:
    """A number and its unit, if it has one."""
    number, unit = split_quantity(text) or (text, "")
    return float(number), unit


def _value(text: str) -> float | str:
    if not text or (advice(text) and not split_quantity(text)):
        raise ValueError
    try:
        return float(text)
    except ValueError:
        return text
