"""``cutset plot``: a picture of a result that was written before."""

from __future__ import annotations

import argparse
from pathlib import Path

from cutset.output import check_picture, write_picture


def add(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument("result", metavar="RESULT", type=Path, help="a .csv or .npz file that cutset wrote")
    parser.add_argument("names", metavar="NAME", nargs="+", help="what to draw; * and ? stand for any characters")
    parser.add_argument("--save", metavar="PICTURE", type=Path, help="where to draw (default: RESULT.png)")


def run(arguments: argparse.Namespace) -> int:
    """Draw the picture."""
    from cutset.table import read_table

    picture = arguments.save or arguments.result.with_suffix(".png")
    check_picture(picture)
    write_picture(read_table(arguments.result), arguments.names, picture)
    return 0
