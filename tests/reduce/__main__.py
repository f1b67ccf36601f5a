"""``python -m tests.reduce --count 2000``: many random circuits, what became of them, and those that went wrong."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from oracles.random_circuits import random_circuit
from reduce.against_nodal_analysis import verdict_on


def main() -> int:
    """Exit code 1 where one went wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.reduce", description=__doc__)
    parser.add_argument("--count", type=int, default=2000, help="how many circuits")
    parser.add_argument("--first", type=int, default=0, help="number of the first")
    parser.add_argument("--keep", type=Path, default=Path("out/circuits"), help="folder for the circuits that go wrong")
    parser.add_argument("--coupling", nargs="+", default=["0.6", "1", "-1"], help="of coupled inductors")
    arguments = parser.parse_args()
    began, kinds = time.process_time(), Counter()
    for number in range(arguments.first, arguments.first + arguments.count):
        circuit = random_circuit(number, arguments.coupling)
        try:
            verdict = verdict_on(circuit)
        except Exception as error:
            kinds["wrong"] += 1
            detail = f"{type(error).__name__}: {error}"
        else:
            kinds[verdict.kind] += 1
            detail = verdict.detail if verdict.kind == "wrong" else ""
        if detail:
            arguments.keep.mkdir(parents=True, exist_ok=True)
            (arguments.keep / f"{number}.mo").write_text(circuit.text, encoding="utf-8")
            print(f"{number}: {detail}", flush=True)
    listed = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    print(f"{arguments.count} circuits in {time.process_time() - began:.0f} s: {listed}")
    return 1 if kinds["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
