"""Implements ``cutset plot``: plots results from files."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from cutset.api.command_line.report import print_columns, print_json
from cutset.api.files.exit_errors import UsageError
from cutset.api.files.result_files import check_writable, split_names, write_picture


def add(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    parser.add_argument(
        "results", metavar="RESULT", nargs="+", help="result files of cutset: .csv, .npz, .mat or .parquet"
    )
    parser.add_argument(
        "names",
        metavar="NAME",
        nargs="*",
        default=[],
        help="variables to plot; * matches any text and ? one character (default: list the names)",
    )
    parser.add_argument(
        "--over",
        metavar="NAME,...",
        type=split_names,
        default=[],
        help="plot over these variables instead of time: one for all NAMEs, or one for each",
    )
    parser.add_argument(
        "--save",
        "-o",
        "--output",
        metavar="PICTURE",
        type=Path,
        help="file for the figure (default: the name of the first RESULT with .png)",
    )
    parser.add_argument("--json", action="store_true", help="list the names as one JSON object, by result")


def run(arguments: argparse.Namespace) -> int:
    """Draw the plot."""
    from cutset.api.files.result_table import READERS, read_table

    # Files and names may be mixed: a word is a file if it has the extension of one and exists.
    words = [*arguments.results, *arguments.names]
    number = 1
    while number < len(words) and Path(words[number]).suffix.lower() in READERS and Path(words[number]).is_file():
        number += 1
    paths, names = [Path(word) for word in words[:number]], words[number:]
    if not names:
        if arguments.over or arguments.save:
            raise UsageError("name the variables to plot after the results, or '*' for all")
        _list_names(paths, arguments.json)
        return 0
    if arguments.json:
        raise UsageError("--json lists the names of results; it plots nothing")
    picture = arguments.save or paths[0].with_suffix(".png")
    check_writable(picture, "picture")
    write_picture(dict(zip(_labels(paths), map(read_table, paths), strict=True)), names, arguments.over, picture)
    return 0


def _list_names(paths: Sequence[Path], as_json: bool) -> None:
    from cutset.api.files.result_table import read_table

    if as_json:
        from cutset.api.command_line.json_reports import columns_report

        print_json({str(path): columns_report(read_table(path)) for path in paths})
        return
    for path in paths:
        print_columns(path, read_table(path))


def _labels(paths: Sequence[Path]) -> list[str]:
    """The label of each run: its file name, or as much of its path as distinguishes it from the others."""
    for name in (lambda path: path.stem, lambda path: path.name, str):
        labels = list(map(name, paths))
        if len(set(labels)) == len(labels):
            return labels
    return [f"{path} ({k})" for k, path in enumerate(paths, start=1)]
