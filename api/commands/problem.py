"""Defines the arguments that pose another problem with a model, --known and --find, and sets it up."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from cutset.api.commands.common import name_and_value
from cutset.api.files.exit_errors import UsageError

if TYPE_CHECKING:
    from cutset.api.model import Model
    from cutset.api.runs.prescribed_motion import Problem
    from cutset.api.translate.given_values import Settings


def add_problem(parser: argparse._ActionsContainer) -> None:
    """Define --known and --find."""
    parser.add_argument(
        "--known", metavar="NAME=FILE", action="append", default=[], type=_known,
        help="prescribe variables: FILE is a table over time with a column for each, or a number; in NAME, * matches "
             "any text and ? one character; can be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--find", metavar="NAME", action="append", default=[],
        help="what to find instead, one variable for each known one (default: the force that belongs to a coordinate, "
             "or the inputs); can be repeated",
    )  # fmt: skip


def posed(model: Model, arguments: argparse.Namespace) -> Problem[Model] | None:
    """The problem of these arguments; None if nothing is known. UsageError for --find without --known, other errors as
    `problem_of`."""
    if not arguments.known:
        if arguments.find:
            raise UsageError("--find needs --known: one known quantity for each that is to be found")
        return None
    from cutset.api.runs.prescribed_motion import problem_of

    return problem_of(model, dict(arguments.known), arguments.find)


def load_at_rest(
    model: Model, values: Settings, arguments: argparse.Namespace, time: float
) -> tuple[Model, Settings, tuple[str, ...]]:
    """The model, its values, with what is known at rest at this time, and the found names. Errors as `posed`."""
    problem = posed(model, arguments)
    if problem is None:
        return model, values, ()
    model, signals = problem.at_rest(time)
    values["inputs"] = {**signals, **values["inputs"]}
    return model, values, problem.found


def load_over(
    model: Model, values: Settings, arguments: argparse.Namespace, start: float, stop: float
) -> tuple[Model, Settings]:
    """The model and its values, with the signals of what is known between these times. Errors as `posed`."""
    problem = posed(model, arguments)
    if problem is not None:
        model, signals = problem.over(start, stop)
        values["inputs"] = {**signals, **values["inputs"]}
    return model, values


def _known(text: str) -> tuple[str, float | str]:
    name, value = name_and_value(text, "NAME=FILE or NAME=NUMBER")
    try:
        return name, float(value)
    except ValueError:
        return name, value
