"""Implements ``cutset verify``: computes a model in independent ways and compares them."""

from __future__ import annotations

import argparse
import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from cutset.api.command_line.report import print_json, print_verification
from cutset.api.commands.common import add_file, add_parameters, add_text
from cutset.api.files.exit_errors import UsageError

if TYPE_CHECKING:
    from cutset.api.verify.verification import Verification


def add(parser: argparse.ArgumentParser) -> None:
    """Define the arguments. It chooses the passes and the method of each way itself."""
    add_file(parser)
    add_text(parser)
    parser.add_argument(
        "--stop", metavar="T", type=float,
        help="stop time of the runs, in s; 0 for no runs (default: 1, or that of the model if it is earlier)",
    )  # fmt: skip
    parser.add_argument(
        "--points", metavar="N", type=int, default=3, help="number of random points near the start (default: 3)"
    )
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="seed of the random points (default: 1)")
    parser.add_argument(
        "--thorough", action="store_true",
        help="say the model otherwise in each way alone, try more values, and run it by all entries; takes minutes",
    )  # fmt: skip
    add_parameters(parser)
    parser.add_argument("--json", action="store_true", help="print only one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Print a table of all ways; 1 if they differ."""
    from cutset.api.verify.verification import verify

    if str(arguments.file) == "-":
        raise UsageError("verify reads a file several times: give one instead of standard input")
    if arguments.stop is not None and not (0.0 <= arguments.stop < math.inf):
        raise UsageError(f"--stop must be a time of at least 0, not {arguments.stop!r}")
    if arguments.points < 0 or arguments.seed < 0:
        raise UsageError("--points and --seed must be at least 0")
    found = verify(
        arguments.file,
        arguments.model,
        stop=arguments.stop,
        points=arguments.points,
        seed=arguments.seed,
        library_path=arguments.include,
        allow_external=arguments.allow_external,
        parameters=dict(arguments.set),
        instead=dict(arguments.instead),
        thorough=arguments.thorough,
    )
    if arguments.json:
        print_json(_as_json(found))
    else:
        print_verification(found)
    return 0 if found.passed else 1


def _as_json(found: Verification) -> dict[str, Any]:
    """The fields of `Verification`; null for what is not a finite number."""

    def finite(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: finite(each) for key, each in value.items()}
        return None if isinstance(value, float) and not math.isfinite(value) else value

    rows = [finite(asdict(row)) | {"passed": row.passed} for row in found.rows]
    return {"model": found.model, "passed": found.passed, "points": found.points, "stop": found.stop, "rows": rows}
