"""Implements ``cutset steady``: finds an equilibrium of a model."""

from __future__ import annotations

import argparse

from cutset.api.command_line.report import print_json, print_values
from cutset.api.commands.common import add_model, add_values, load_with_values
from cutset.api.commands.problem import add_problem, load_at_rest
from cutset.api.files.result_files import split_names


def add(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    add_model(parser)
    parser.add_argument(
        "--time", "--at", metavar="T", type=float, default=0.0, help="hold time at this value, in s (default: 0)"
    )
    add_values(parser)
    add_problem(parser)
    parser.add_argument(
        "--outputs", metavar="GLOB,...", action="extend", type=split_names,
        help="variables to print (default: what is found, and the states)",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print only one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Search it from the start values, and print it."""
    model, given, wanted = load_at_rest(*load_with_values(arguments), arguments, arguments.time)
    found = model.steady(arguments.time, **given)
    names = [name for name in found.select(arguments.outputs or (*wanted, *model.moving)) if name != "time"]
    values = {name: float(found[name][-1]) for name in names}
    if arguments.json:
        print_json({"time": arguments.time, "values": values})
        return 0
    print_values(values, found.description)
    return 0
