"""Implements ``cutset measure``: numbers of a result in a file, such as a rise time, an rms value, a distortion."""

from __future__ import annotations

import argparse
from pathlib import Path

from cutset.api.command_line.report import print_json, print_measures


def add(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    parser.add_argument("result", metavar="RESULT", type=Path, help="a result: .csv, .npz, .mat or .parquet")
    parser.add_argument(
        "measures", metavar="MEASURE", nargs="+",
        help="what to measure of variables or of expressions of them: 'rms(R1.i)', 'rise_time(C1.u, from=1 ms)'",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print only one JSON object: the value and unit of each")


def run(arguments: argparse.Namespace) -> int:
    """Measure, and print a line for each."""
    from cutset.api.files.result_table import read_table
    from cutset.api.runs.measures import measure_of

    measures = [measure_of(text) for text in arguments.measures]
    table = read_table(arguments.result)
    found = {each.text: each.shown(table) for each in measures}
    if arguments.json:
        print_json({text: {"value": each.value, "unit": each.unit} for text, each in found.items()})
    else:
        print_measures(found)
    return 0
