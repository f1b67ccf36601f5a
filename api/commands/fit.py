"""Implements ``cutset fit``: finds parameters with which runs agree with measured data."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutset.api.command_line.report import print_json
from cutset.api.commands.common import add_model, add_values, load_with_values
from cutset.api.files.result_files import check_writable, writing
from cutset.api.show.tables import Table
from cutset.contract.names import partition

if TYPE_CHECKING:
    from cutset.api.runs.fit import Fit


def add(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    add_model(parser)

    def several(option: str, form: str, help: str, kind: Callable[[str], Any] = str, required: bool = False) -> None:
        parser.add_argument(
            option, metavar=form, action="extend", nargs="+", type=kind, default=[], required=required, help=help
        )

    several("--parameters", "NAME[=GUESS]", "parameters to find (default guess: the value in the model)", _guess, True)
    several(
        "--data", "FILE", "tables of measured data, one for each experiment: columns time, outputs, inputs", Path, True
    )
    several("--outputs", "NAME=DEVIATION", "measured variables with their standard deviations", _number, True)
    several("--bounds", "NAME=LEAST:MOST", "limits of parameters (default: those in the model)", _pair)
    several("--priors", "NAME=MEAN:DEVIATION", "what is known of parameters", _pair)
    several("--free-start", "NAME", "variables whose start value is found for each experiment")
    add_values(parser)
    parser.add_argument("--save", metavar="PICTURE", type=Path, help="plot the residuals over time")
    parser.add_argument("--json", action="store_true", help="print only one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Find the parameters, and print them."""
    check_writable(arguments.save, "picture")
    model, given = load_with_values(arguments)
    guesses = {
        name: model.parameters.get(name, 0.0) if guess is None else guess for name, guess in arguments.parameters
    }
    found = model.fit(
        guesses, arguments.data, dict(arguments.outputs), bounds=dict(arguments.bounds), priors=dict(arguments.priors),
        free_start=arguments.free_start, given=given["parameters"], inputs=given["inputs"], initial=given["initial"],
    )  # fmt: skip
    if arguments.save is not None:
        with redirect_stdout(sys.stderr if arguments.json else sys.stdout), writing(arguments.save):
            found.plot().savefig(arguments.save)
    if arguments.json:
        print_json(_facts(found))
        return 0
    table = Table("", "parameter", "value", "deviation", "95 %")
    for name, (low, high) in found.intervals().items():
        table.add_row(name, f"{found.values[name]:.6g}", f"{found.deviations[name]:.2g}", f"{low:.6g} to {high:.6g}")
    table.print()
    for note in (f"misfit {found.misfit:.3g} in {found.evaluations} runs of each experiment", *found.notes):
        print(note)
    return 0


def _facts(found: Fit) -> dict[str, object]:
    kept = {"values": dict(found.values), "deviations": dict(found.deviations), "covariance": found.covariance.tolist()}
    return kept | {"misfit": found.misfit, "notes": list(found.notes)}


def _guess(text: str) -> tuple[str, float | None]:
    name, sign, value = partition(text, "=")
    return (name, _read(text, value)) if sign else (name, None)


def _number(text: str) -> tuple[str, float]:
    name, _, value = partition(text, "=")
    return name, _read(text, value)


def _pair(text: str) -> tuple[str, tuple[float, float]]:
    name, _, values = partition(text, "=")
    first, _, last = values.partition(":")
    return name, (_read(text, first), _read(text, last))


def _read(text: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        hint = "such as fc=0.5, or fc=0:5 for two numbers"
        raise argparse.ArgumentTypeError(f"'{text}' has no number where one belongs: {hint}") from None
