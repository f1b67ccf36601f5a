"""``python -m tests.cases``: runs every published case and prints a table of them."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import cutset
from cases.case import Case
from cases.cases import CASES
from cases.measure import measure, translated
from cases.page import systems

_ROW = "{:<44} {:>9} {:>9} {:>7} {:>10}  {:<28} {:<16} {:>7}"


def main() -> int:
    """Exit code 1 where a case is farther from its reference than it may be."""
    parser = argparse.ArgumentParser(prog="python -m tests.cases", description=__doc__)
    parser.add_argument("words", nargs="*", help="only cases whose name or file has one of these words in it")
    parser.add_argument("--tolerance", type=float, help="of the integration, instead of that of each case")
    parser.add_argument("--method", help="of the integration, instead of that of each case")
    arguments = parser.parse_args()
    chosen = [case for case in CASES if not arguments.words or any(w in case.name + case.file for w in arguments.words)]
    print(_ROW.format("case", "distance", "bound", "states", "equations", "linear systems", "nonlinear", "events"))
    return 1 if sum(not _print_row(case, arguments) for case in chosen) else 0


def _print_row(case: Case, arguments: argparse.Namespace) -> bool:
    """Whether the case passes."""
    case = replace(case, method=arguments.method or case.method)
    try:
        sizes = translated(case.file, case.model).inspect()
        found = measure(case, arguments.tolerance)
    except (cutset.ModelError, cutset.RunError) as error:
        print(f"{case.name:<44} {str(error).splitlines()[0]}")
        return False
    row = _ROW.format(
        case.name[-44:],
        f"{found.worst:.1e}",
        f"{case.bound:.0e}",
        sizes["states"],
        sizes["equations"],
        systems(sizes["linear_systems"]) or "-",
        systems(sizes["nonlinear_systems"]) or "-",
        found.events,
    )
    passed = found.worst <= case.bound
    print(row + ("" if passed else f"   too far: {max(found.apart, key=found.apart.__getitem__)}"), flush=True)
    return passed


if __name__ == "__main__":
    sys.exit(main())
