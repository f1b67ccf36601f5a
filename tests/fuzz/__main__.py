"""``python -m tests.fuzz``: many inputs on two cores, a report, and a file for each mistake that was found."""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from fuzz.outcome import Outcome, input_number, outcome_of


def main() -> int:
    """Exit code 1 where a mistake was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=20_000, help="how many inputs")
    parser.add_argument("--seed", type=int, default=0, help="of all random choices")
    parser.add_argument("--first", type=int, default=0, help="number of the first input")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--keep", type=Path, default=Path("out/fuzz"), help="folder for the inputs that find mistakes")
    arguments = parser.parse_args()
    arguments.keep.mkdir(parents=True, exist_ok=True)
    numbers = range(arguments.first, arguments.first + arguments.count)
    began = time.perf_counter()
    kinds: Counter[str] = Counter()
    stages: Counter[str] = Counter()
    faults: dict[str, list[int]] = {}
    with tempfile.TemporaryDirectory() as folder:
        # A process that dies takes its input with it: it is left in the folder of the worker.
        pool = multiprocessing.get_context("fork").Pool(arguments.workers, _start, (folder, arguments.seed))
        with pool, suppress(KeyboardInterrupt):  # the report is of what was tried until then
            for number, outcome in pool.imap_unordered(_one, numbers, chunksize=20):
                kinds[outcome.kind] += 1
                stages[outcome.stage] += 1
                if outcome.kind == "fault":
                    faults.setdefault(outcome.detail, []).append(number)
                    if len(faults[outcome.detail]) == 1:
                        data = input_number(arguments.seed, number).data
                        (arguments.keep / f"{arguments.seed}-{number}.mo").write_bytes(data)
                        print(f"{number}: {outcome.detail}", flush=True)
        pool.join()
    _report(kinds, stages, faults, time.perf_counter() - began)
    return 1 if faults else 0


def _report(kinds: Counter[str], stages: Counter[str], faults: dict[str, list[int]], seconds: float) -> None:
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    others = ", ".join(f"{kinds[kind]} {kind}" for kind in ("evaluated", "translated", "checked", "fault"))
    print(f"\n{sum(kinds.values())} inputs in {seconds:.0f} s, at most {memory:.0f} MiB in a process: {others}")
    print("last stages: " + ", ".join(f"{stage} {count}" for stage, count in stages.most_common()))
    codes = sorted(code for code in kinds if code.startswith("E"))
    print("first errors: " + ", ".join(f"{code} {kinds[code]}" for code in codes))
    for detail, numbers in sorted(faults.items(), key=lambda item: -len(item[1])):
        print(f"\n{len(numbers)} times, first by {min(numbers)}: {detail}")


def _start(folder: str, seed: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    global _path, _seed  # what a process of the pool works with
    _path = Path(tempfile.mkdtemp(dir=folder)) / "model.mo"
    _seed = seed


def _one(number: int) -> tuple[int, Outcome]:
    return number, outcome_of(input_number(_seed, number), _path)


if __name__ == "__main__":
    sys.exit(main())
